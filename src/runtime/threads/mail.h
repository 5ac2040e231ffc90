// A message on its way, and lists of them.
#ifndef RUNTIME_THREADS_MAIL_H
#define RUNTIME_THREADS_MAIL_H

#include "troupe.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum mail_kind {
    MAIL_MESSAGE, // run a handler
    MAIL_ASK,     // the same; id is the asker's future
    MAIL_REPLY,   // id is the future, the payload its value
    MAIL_LIMIT,   // id is a future whose time is over
    MAIL_TIMER,   // id is the timer that fired
    MAIL_WATCH,   // `from` wants this message when the receiver stops
};

enum {
    MAIL_SPENT = 1,   // done with, but still marks how far the mailbox is read
    MAIL_COUNTED = 2, // counts against the bound of the receiver's mailbox
    MAIL_NONE = 4,    // a reply without a value
    MAIL_ONWARD = 8,  // a timer whose message is for another than its owner
    MAIL_MOVED = 16,  // what the payload owned was sent on
};

struct mail {
    _Atomic(struct mail *) next; // the one after it
    const tr_msg *msg;
    tr_ref from;
    uint32_t gen; // of the receiver
    uint8_t kind, size, flags;
    uint8_t at; // of the payload, in units of 16 bytes
};

_Static_assert(sizeof(struct mail) % 16 == 0, "payloads are aligned");

// Follows the head unless kind is MAIL_MESSAGE or MAIL_WATCH.
static inline uint64_t *mail_id(struct mail *e)
{
    return (uint64_t *)(e + 1);
}

static inline void *mail_payload(struct mail *e)
{
    return (char *)e + 16u * e->at;
}

// First in, first out, by one thread at a time.
struct mail_list {
    struct mail *first, *last;
};

static inline struct mail *mail_next(struct mail *e)
{
    return atomic_load_explicit(&e->next, memory_order_relaxed);
}

static inline void list_add(struct mail_list *l, struct mail *e)
{
    atomic_store_explicit(&e->next, NULL, memory_order_relaxed);
    if (l->first)
        atomic_store_explicit(&l->last->next, e, memory_order_relaxed);
    else
        l->first = e;
    l->last = e;
}

static inline struct mail *list_take(struct mail_list *l)
{
    struct mail *e = l->first;
    if (e)
        l->first = mail_next(e);
    return e;
}

#endif
