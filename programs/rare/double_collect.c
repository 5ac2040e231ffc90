/* double-collect: equal readings that no moment ever had.
 *
 * Source: the snapshot by double collect, comparing values where it must
 * compare versions (the ABA problem).
 *
 * Two accounts hold 100 together.  A teller moves 50 from the first to the
 * second, back, and so on, TRANSFERS times, each transfer in two steps that are
 * acknowledged.  While a transfer is under way the sum is 50, never more than
 * 100.  An auditor reads both accounts one after the other, three times; if all
 * readings are equal it takes them for a snapshot.  They can be equal though
 * the accounts changed and changed back between: the first account read full,
 * the second read full, and all that three times.
 *
 * Repaired: versions are compared, not values.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: a snapshot has no more than 100 in it.
 * Find it: troupe explore programs/rare/double_collect.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { TRANSFERS = 6, READINGS = 3 };

TR_PROTOCOL(account, change, read);
TR_PROTOCOL(teller, go, changed);
TR_PROTOCOL(auditor, go, reading);

TR_SIGNAL(go);
TR_SIGNAL(changed);
struct change {
    int by;
    teller_ref from;
};
TR_MESSAGE(change);
struct read {
    auditor_ref from;
};
TR_MESSAGE(read);
struct reading {
    int balance, version;
};
TR_MESSAGE(reading);

struct account {
    int balance, version;
};

TR_HANDLER(account, change)
{
    self->balance += msg->by;
    self->version++;
    send(msg->from, changed);
}

TR_HANDLER(account, read)
{
    send(msg->from, reading, .balance = self->balance,
         .version = self->version);
}

TR_BEHAVIOUR(account, open, TR_ON(change, account_change),
             TR_ON(read, account_read));
TR_CLASS(account, .start = &account_open);

struct teller {
    account_ref account[2];
    int step; /* two for each transfer */
};

/* First out of one account, then into the other. */
static void next_step(tr_ctx *ctx, struct teller *self)
{
    int transfer = self->step / 2, half = self->step % 2;
    if (transfer == TRANSFERS)
        return;
    self->step++;
    send(self->account[(transfer + half) % 2], change, .by = half ? 50 : -50,
         .from = me(teller));
}

TR_HANDLER(teller, go)
{
    next_step(ctx, self);
}

TR_HANDLER(teller, changed)
{
    next_step(ctx, self);
}

TR_BEHAVIOUR(teller, open, TR_ON(go, teller_go),
             TR_ON(changed, teller_changed));
TR_CLASS(teller, .start = &teller_open);

struct auditor {
    account_ref account[2];
    struct reading seen[READINGS][2];
    int n; /* readings so far, of one account each */
};

static bool is_equal(const struct reading *a, const struct reading *b)
{
    return repaired ? a->version == b->version : a->balance == b->balance;
}

static bool is_snapshot(const struct auditor *self)
{
    for (int i = 1; i < READINGS; i++)
        for (int j = 0; j < 2; j++)
            if (!is_equal(&self->seen[i][j], &self->seen[0][j]))
                return false;
    return true;
}

TR_HANDLER(auditor, go)
{
    send(self->account[0], read, .from = me(auditor));
}

TR_HANDLER(auditor, reading)
{
    self->seen[self->n / 2][self->n % 2] = *msg;
    if (++self->n < 2 * READINGS)
        send(self->account[self->n % 2], read, .from = me(auditor));
    else if (is_snapshot(self))
        assert(self->seen[0][0].balance + self->seen[0][1].balance <= 100);
}

TR_BEHAVIOUR(auditor, open, TR_ON(go, auditor_go),
             TR_ON(reading, auditor_reading));
TR_CLASS(auditor, .start = &auditor_open);

TR_TEST(double_collect)
{
    account_ref a = spawn(account, .balance = 100), b = spawn(account);
    teller_ref teller = spawn(teller, .account = {a, b});
    auditor_ref auditor = spawn(auditor, .account = {a, b});
    send(teller, go);
    send(auditor, go);
    drain();
}
