/* A handler reads a counter of the processor.
 *
 * Native: ok
 * Explore: bug nondeterminism
 * Says: the state, field n depends on something besides state and message
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    unsigned long n;
};
TR_HANDLER(actor, go)
{
#ifdef __x86_64__
    self->n = __builtin_ia32_rdtsc();
#else
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(self->n));
#endif
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
}
