// Memory of an actor that names another one, and that is freed during a wait; a
// request without an answer; a lock that is not given back; a server that stops.
#include <troupe_short.h>

#include <stdlib.h>

struct num {
    int v;
};
struct vote {
    int n;
};
TR_REQUEST(vote, num);
struct poll {
    int n;
};
TR_REQUEST(poll, num);
struct try_ {
    int n;
};
TR_REQUEST(try_, num);
struct take {
    int who;
};
TR_REQUEST(take, num);
struct give {
    int who;
};
TR_MESSAGE(give);
struct end_ {
    int n;
};
TR_REQUEST(end_, num);
TR_SIGNAL(leave);
TR_SIGNAL(die);
TR_PROTOCOL(member, vote, die);
TR_PROTOCOL(desk, poll, try_, take, give, end_, leave);

struct member {
    int mind;
};
TR_HANDLER(member, vote)
{
    reply(vote, .v = self->mind);
}
TR_HANDLER(member, die)
{
    stop();
}
TR_BEHAVIOUR(member, on, TR_ON(vote), TR_ON(die));
TR_CLASS(member, .start = &member_on);

struct entry {
    member_ref who;
    int asked;
};
struct desk {
    struct entry *entry;
    int owner, tries;
};
TR_HANDLER(desk, poll) // the entry may be gone after the wait
{
    struct entry *e = self->entry;
    if (!e || !e->who) {
        reply(poll, .v = 0);
        return;
    }
    int v = await(ask(e->who, vote))->v;
    if (v > 0)
        e->asked = v;
    reply(poll, .v = v);
}
TR_HANDLER(desk, leave)
{
    free(self->entry);
    self->entry = NULL;
}
TR_HANDLER(desk, try_) // not always answered
{
    if (self->tries++ < 3)
        return;
    reply(try_, .v = self->tries);
}
TR_HANDLER(desk, take)
{
    await_until(self->owner == 0);
    self->owner = msg->who;
    reply(take, .v = self->owner);
}
TR_HANDLER(desk, give)
{
    self->owner = 0;
}
TR_HANDLER(desk, end_) // the member stops before it is asked
{
    member_ref m = spawn(member, .mind = msg->n);
    send(m, die);
    const struct num *a = await(ask(m, vote));
    if (a)
        reply(end_, .v = a->v);
    else
        reply(end_, .v = -1);
}
TR_BEHAVIOUR(desk, on, TR_ON(poll), TR_ON(leave), TR_ON(try_), TR_ON(take),
             TR_ON(give), TR_ON(end_));
TR_CLASS(desk, .start = &desk_on);
