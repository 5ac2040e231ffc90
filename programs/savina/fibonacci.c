/* Fibonacci (FIB): a tree of actors, one per recursive call.
 *
 * The driver sends request(n) to the root.  An actor that is asked for n > 2
 * creates two children and asks them for n - 1 and n - 2; it adds their
 * responses and sends its own response to its parent, and stops.
 *
 * Entry point: root.  Parameter n (25; in the test 4).
 * Expected: the root's result is fib(n), with fib(1) = fib(2) = 1; 2 fib(n) - 1
 * actors are created, and all stop.  The two responses come in either order,
 * and addition commutes.
 * Known defects: none, in any model.
 */
#include "savina.h"

TR_PROTOCOL(fib, request, response);

struct request {
    int n;
};
TR_MESSAGE(request);
struct response {
    int64_t value;
};
TR_MESSAGE(response);

struct fib {
    fib_ref parent;   /* NULL: the root */
    int64_t expected; /* of the root */
    int64_t sum;
    int replies;
};

static void finish(tr_ctx *ctx, struct fib *self)
{
    if (self->parent) { /* [5] */
        send(self->parent, response, .value = self->sum);
    } else { /* [6] */
        assert(self->sum == self->expected);
        result("%lld", (long long)self->sum);
    }
    stop();
}

TR_HANDLER(fib, request)
{
    if (msg->n <= 2) { /* [1] */
        self->sum = 1;
        finish(ctx, self);
    } else { /* [2] */
        send(spawn(fib, .parent = me(fib)), request, .n = msg->n - 1);
        send(spawn(fib, .parent = me(fib)), request, .n = msg->n - 2);
    }
}

TR_HANDLER(fib, response)
{
    self->sum += msg->value;
    if (++self->replies == 2) /* [3] */
        finish(ctx, self);
    /* else [4] */
}

TR_BEHAVIOUR(fib, open, TR_ON(request, fib_request),
             TR_ON(response, fib_response));
TR_CLASS(fib, .start = &fib_open);
TR_HOT(fib, open);

static int64_t fib_of(int n)
{
    int64_t a = 0, b = 1;
    for (int i = 1; i < n; i++) {
        int64_t c = a + b;
        a = b;
        b = c;
    }
    return b;
}

TR_SYSTEM(savina)
{
    int n = (int)param("n", 25);
    fib_ref root = spawn(fib, .expected = fib_of(n));
    expose(root);
    if (starts())
        send(root, request, .n = n);
}

TR_TEST(fibonacci)
{
    int n = (int)param("n", 4);
    fib_ref root = spawn(fib, .expected = fib_of(n));
    send(root, request, .n = n);
    drain();
}
