// Tasks that wait: the sum of n factorials from ft on.  Two actors compute each
// factorial by asking each other.
#include <troupe.h>

struct number {
    int value;
};
TR_PROTOCOL(a, sum_facts, fact, set_n, set_ft, set);

struct sum_facts {
    a_ref ob;
};
TR_REQUEST(sum_facts, number);
struct fact {
    int k;
    a_ref ob;
};
TR_REQUEST(fact, number);
struct set_n {
    int to;
};
TR_REQUEST(set_n, number);
struct set_ft {
    int to;
};
TR_REQUEST(set_ft, number);
struct set {
    int n, ft;
};
TR_REQUEST(set, number);

struct a {
    int n, ft;
};
TR_HANDLER(a, sum_facts)
{
    a_ref ob = msg->ob;
    int sum = 0, left = self->n;
    tr_await_until(ctx, self->ft >= 0);
    while (left > 0) {
        TR_FUTURE(fact)
        f = tr_ask(ctx, ob, fact, .k = self->ft, .ob = tr_me(ctx, a));
        sum = sum + tr_await(ctx, f)->value;
        self->ft = self->ft + 1;
        left = left - 1;
    }
    tr_reply(ctx, sum_facts, .value = sum);
}
TR_HANDLER(a, fact)
{
    int k = msg->k, result = 1;
    if (k > 0) {
        TR_FUTURE(fact)
        f = tr_ask(ctx, msg->ob, fact, .k = k - 1, .ob = tr_me(ctx, a));
        result = k * tr_await(ctx, f)->value;
    }
    tr_reply(ctx, fact, .value = result);
}
TR_HANDLER(a, set_n)
{
    self->n = msg->to;
    tr_reply(ctx, set_n, .value = 0);
}
TR_HANDLER(a, set_ft)
{
    self->ft = msg->to;
    tr_reply(ctx, set_ft, .value = 0);
}
TR_HANDLER(a, set) // writes only through others
{
    int ft = msg->ft;
    tr_await(ctx, tr_ask(ctx, tr_me(ctx, a), set_n, .to = msg->n));
    tr_await(ctx, tr_ask(ctx, tr_me(ctx, a), set_ft, .to = ft));
    tr_reply(ctx, set, .value = 0);
}
TR_BEHAVIOUR(a, open, TR_ON(sum_facts, a_sum_facts), TR_ON(fact, a_fact),
             TR_ON(set_n, a_set_n), TR_ON(set_ft, a_set_ft), TR_ON(set, a_set));
TR_CLASS(a, .start = &a_open);

TR_SYSTEM(two)
{
    a_ref first = tr_spawn(ctx, a, .n = 1, .ft = 0);
    a_ref second = tr_spawn(ctx, a, .n = 0, .ft = 0);
    tr_expose(ctx, first);
    tr_expose(ctx, second);
}
