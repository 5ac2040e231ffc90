/* Nobody can be reached, and nothing can be chosen. */
#include "troupe_short.h"

TR_PROTOCOL(mute, word);
TR_SIGNAL(word);
struct mute {
    int words;
};
TR_HANDLER(mute, word)
{
    self->words++;
}
TR_BEHAVIOUR(mute, open, TR_ON(word, mute_word));
TR_CLASS(mute, .start = &mute_open);

TR_SYSTEM(silence)
{
    mute_ref m = spawn(mute);
    (void)m;
}
