/* Precise Pi (PI): workers compute terms of a series for pi.
 *
 * The driver sends start to the master, which sends work (a term's number) to
 * its w workers in turn, min(scale, 10 w) in all.  A worker answers with the
 * term; the master adds it and sends that worker the next number, until a term
 * is not above 10^-scale.  When as many terms came as were asked for it sends
 * stop to all workers; each answers stop and stops.
 *
 * Terms are those of Bailey, Borwein and Plouffe, (4/(8k+1) - 2/(8k+4) -
 * 1/(8k+5) - 1/(8k+6)) / 16^k, each division rounded half to even at `scale`
 * decimals.  Numbers are integers, units of 10^-scale, in limbs of 10^9.
 *
 * Entry point: master.
 * Parameters w, scale: workers, decimals (20, 5000; in the test 2, 3).
 * Expected: pi, off by at most ten units or one per term; as many terms
 * received as requested; all stop.  How many terms are requested depends on
 * when the first small one arrives.
 *
 * Known defects: none of order, in any model.
 * PI-P1  scale 0: no work is requested, and all wait for ever
 */
#include "savina.h"

enum { MAX = 64, LIMB = 1000000000 };

TR_PROTOCOL(master, start, term, stop);
TR_PROTOCOL(worker, work, stop);

TR_SIGNAL(start);
struct work {
    int scale, k;
};
TR_MESSAGE(work);
/* The limbs are the message's own. */
struct term {
    uint32_t *limb;
    worker_ref from;
};
static void term_drop(void *payload)
{
    struct term *t = payload;
    free(t->limb);
}
TR_MESSAGE(term, .drop = term_drop);
TR_SIGNAL(stop);

/* ---- numbers: limbs, lowest first
 * --------------------------------------------- */

static int limbs_of(int scale)
{
    return scale / 9 + 2;
}

static uint32_t *new_number(int limbs)
{
    uint32_t *x = calloc((size_t)limbs, sizeof *x);
    assert(x);
    return x;
}

/* c as a number of this scale. */
static uint32_t *number_of(uint32_t c, int scale)
{
    uint32_t *x = new_number(limbs_of(scale));
    for (int i = 0; i < scale % 9; i++)
        c *= 10;
    x[scale / 9] = c;
    if (c >= LIMB) {
        x[scale / 9] = c % LIMB;
        x[scale / 9 + 1] = c / LIMB;
    }
    return x;
}

/* x += y or x -= y; neither overflows. */
static void accumulate(uint32_t *x, const uint32_t *y, int limbs, int sign)
{
    int64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        int64_t sum = (int64_t)x[i] + sign * (int64_t)y[i] + carry;
        carry = sum < 0 ? -1 : sum >= LIMB;
        x[i] = (uint32_t)(sum - carry * LIMB);
    }
}

/* x / d, truncated; returns the remainder. */
static uint64_t divide(uint32_t *x, int limbs, uint64_t d)
{
    uint64_t rest = 0;
    for (int i = limbs - 1; i >= 0; i--) {
        uint64_t now = rest * LIMB + x[i];
        x[i] = (uint32_t)(now / d);
        rest = now % d;
    }
    return rest;
}

/* Round half to even what a division by d has truncated; more: something was
 * lost before it. */
static void round_even(uint32_t *x, int limbs, uint64_t rest, uint64_t d,
                       bool more)
{
    bool up = 2 * rest > d || (2 * rest == d && (more || x[0] % 2 == 1));
    for (int i = 0; up && i < limbs; i++) {
        up = ++x[i] == LIMB;
        if (up)
            x[i] = 0;
    }
}

/* x / 16^k, rounded. */
static void divide_by_16(uint32_t *x, int limbs, int k)
{
    bool more = false;
    for (; k > 8; k -= 8)
        more |= divide(x, limbs, UINT64_C(1) << 32) != 0;
    uint64_t d = UINT64_C(1) << 4 * k, rest = divide(x, limbs, d);
    round_even(x, limbs, rest, d, more);
}

static uint32_t *quotient(uint32_t c, int d, int scale)
{
    uint32_t *x = number_of(c, scale);
    uint64_t rest = divide(x, limbs_of(scale), (uint64_t)d);
    round_even(x, limbs_of(scale), rest, (uint64_t)d, false);
    return x;
}

static uint32_t *term_of(int k, int scale)
{
    static const struct {
        uint32_t c;
        int plus;
    } less[] = {{2, 4}, {1, 5}, {1, 6}};
    uint32_t *x = quotient(4, 8 * k + 1, scale);
    for (int i = 0; i < 3; i++) {
        uint32_t *y = quotient(less[i].c, 8 * k + less[i].plus, scale);
        accumulate(x, y, limbs_of(scale), -1);
        free(y);
    }
    divide_by_16(x, limbs_of(scale), k);
    return x;
}

/* Less than bound units? */
static bool is_below(const uint32_t *x, int limbs, uint32_t bound)
{
    for (int i = 1; i < limbs; i++)
        if (x[i] != 0)
            return false;
    return x[0] < bound;
}

/* x += sign * c * arctan(1/d), in units of 10^-scale. */
static void add_arctan(uint32_t *x, int scale, uint32_t c, uint32_t d, int sign)
{
    int limbs = limbs_of(scale);
    uint32_t *power = number_of(c, scale), *t = new_number(limbs);
    divide(power, limbs, d);
    for (uint64_t i = 1; !is_below(power, limbs, 1); i += 2, sign = -sign) {
        memcpy(t, power, (size_t)limbs * sizeof *t);
        divide(t, limbs, i);
        accumulate(x, t, limbs, sign);
        divide(power, limbs, (uint64_t)d * d);
    }
    free(power);
    free(t);
}

/* Is x pi, but for so many units?  Machin's formula, with nine decimals more.
 */
static bool is_pi(const uint32_t *x, int scale, uint32_t units)
{
    int limbs = limbs_of(scale);
    uint32_t *fine = new_number(limbs + 1);
    add_arctan(fine, scale + 9, 16, 5, 1);
    add_arctan(fine, scale + 9, 4, 239, -1);
    uint32_t *pi = new_number(limbs), *off = new_number(limbs);
    memcpy(pi, fine + 1, (size_t)limbs * sizeof *pi);
    off[0] = units;
    accumulate(pi, off, limbs, 1); /* pi + units - x is in [0, 2 units] */
    accumulate(pi, x, limbs, -1);
    bool near = is_below(pi, limbs, 2 * units + 1);
    free(fine);
    free(pi);
    free(off);
    return near;
}

/* ---- actors
 * ------------------------------------------------------------------- */

struct worker {
    master_ref master;
};

TR_HANDLER(worker, stop)
{
    send(self->master, stop); /* [10] */
    stop();
}

TR_HANDLER(worker, work)
{
    send(self->master, term, .limb = term_of(msg->k, msg->scale), /* [11] */
         .from = me(worker));
}

TR_BEHAVIOUR(worker, open, TR_ON(work, worker_work), TR_ON(stop, worker_stop));
TR_CLASS(worker, .start = &worker_open);
TR_HOT(worker, open);

struct master {
    int workers, scale;
    worker_ref worker[MAX];
    uint32_t *sum;
    int requested, received, ended;
    bool no_more;
};

TR_INIT(master)
{
    assert(self->workers >= 1 && self->workers <= MAX);
    self->sum = new_number(limbs_of(self->scale));
    for (int i = 0; i < self->workers; i++)
        self->worker[i] = spawn(worker, .master = me(master));
}

TR_FINI(master)
{
    free(self->sum);
}

static void request(tr_ctx *ctx, struct master *self, worker_ref worker)
{
    send(worker, work, .scale = self->scale, .k = self->requested);
    self->requested++;
}

TR_HANDLER(master, start)
{
    int n = self->scale < 10 * self->workers ? self->scale /* [1] */
                                             : 10 * self->workers;
    for (int i = 0; i < n; i++)
        request(ctx, self, self->worker[i % self->workers]);
}

TR_HANDLER(master, term)
{
    int limbs = limbs_of(self->scale);
    self->received++;
    accumulate(self->sum, msg->limb, limbs, 1);
    if (is_below(msg->limb, limbs, 2)) /* [2], else [3] */
        self->no_more = true;
    if (!self->no_more) /* [4], else [5] */
        request(ctx, self, msg->from);
    if (self->received == self->requested) /* [6], else [7] */
        for (int i = 0; i < self->workers; i++)
            send(self->worker[i], stop);
}

TR_HANDLER(master, stop)
{
    uint32_t units = self->received > 10 ? (uint32_t)self->received : 10;
    if (++self->ended < self->workers) /* [9] */
        return;
    assert(self->received == self->requested); /* [8] */
    assert(is_pi(self->sum, self->scale, units));
    result("%d decimals, %d terms", self->scale, self->received);
    stop();
}

TR_BEHAVIOUR(master, open, TR_ON(start, master_start), TR_ON(term, master_term),
             TR_ON(stop, master_stop));
TR_CLASS(master, .start = &master_open, .init = master_init_,
         .fini = master_fini_);
TR_HOT(master, open);

static master_ref make(tr_ctx *ctx, int w, int scale)
{
    return spawn(master, .workers = w, .scale = scale);
}

TR_SYSTEM(savina)
{
    master_ref master =
        make(ctx, (int)param("w", 20), (int)param("scale", 5000));
    expose(master);
    if (starts())
        send(master, start);
}

TR_TEST(pi)
{
    master_ref master = make(ctx, (int)param("w", 2), (int)param("scale", 3));
    send(master, start);
    drain();
}
