/* A handler forks, and waits for the child.
 *
 * Native: ok
 * Explore: limit
 * Says: fork() in a handler is not supported
 */
#include "troupe_short.h"
#include <sys/wait.h>
#include <unistd.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0 && waitpid(child, NULL, 0) == child)
        self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
