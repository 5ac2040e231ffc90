/* An actor whose state has an odd size waits for ever: the hash of its final
 * state, with the stack of the task in it, is the same in every process.
 *
 * Bugs: unanswered-ask
 */
#include "troupe_short.h"

TR_PROTOCOL(mute, go, question);
struct answer {
    int v;
};
struct question {
    int v;
};
TR_REQUEST(question, answer);
TR_SIGNAL(go);

struct mute {
    char asked[3];
};

TR_HANDLER(mute, go)
{
    TR_FUTURE(question) f = ask(me(mute), question, .v = 3);
    self->asked[1] = await(f) ? 'a' : 'b';
}

TR_HANDLER(mute, question)
{
    self->asked[0] = '?';
}

TR_BEHAVIOUR(mute, here, TR_ON(go, mute_go), TR_ON(question, mute_question));
TR_CLASS(mute, .start = &mute_here);

TR_TEST(waiting)
{
    mute_ref one = spawn(mute);
    mute_ref two = spawn(mute);
    send(one, go);
    send(two, go);
}
