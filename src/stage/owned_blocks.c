// Messages that own memory: blocks travel with the payload.
//
// In a message's image the blocks follow the payload, each with its size, and
// a word that points into block b is PARCEL | b << 32 | offset.  Which words
// are pointers is found by looking: an aligned word that is an address within
// a live block of the sender's heap.  The receiver gets blocks of its own.
#include "stage/native_inner.h"

#include "base/hash.h"
#include "stage/check.h"
#include "stage/names.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <string.h>

#define PARCEL UINT64_C(0xeeb1000000000000)

struct block {
    unsigned char *at;
    uint64_t size;
};

typedef VEC(struct block) blocks;

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static uint64_t word_at(const unsigned char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

// The index of the block that p lies in, added if it is new; UINT32_MAX if p
// points to no block.
static uint32_t block_of(const struct region *r, blocks *b, uint64_t p,
                         uint64_t *offset)
{
    const void *address = (const void *)(uintptr_t)p;
    unsigned char *at = heap_block(region_heap(r), USER_ROOM, address);
    if (!at)
        return UINT32_MAX;
    *offset = p - (uintptr_t)at;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->at[i].at == at)
            return i;
    vec_push(b, ((struct block){at, heap_size(region_heap(r), USER_ROOM, at)}));
    return b->n - 1;
}

// Append size bytes to the scratch with pointers made relative.
static void add_bytes(struct native *n, const struct region *r, blocks *b,
                      const unsigned char *from, size_t size)
{
    size_t all = padded(size);
    vec_room(&n->scratch, all);
    unsigned char *to = n->scratch.at + n->scratch.n;
    memset(to, 0, all);
    memcpy(to, from, size);
    n->scratch.n += (uint32_t)all;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t w = word_at(to + i), offset = 0;
        uint32_t k = in_regions(w) ? block_of(r, b, w, &offset) : UINT32_MAX;
        if (k == UINT32_MAX)
            continue;
        w = PARCEL | (uint64_t)k << 32 | offset;
        memcpy(to + i, &w, 8);
    }
}

static uint32_t pack_owner(struct native *n, struct region *r,
                           struct message *m, const struct kind *k,
                           unsigned char *payload)
{
    blocks b = {0};
    for (uint32_t i = 0; k->mask && i < m->size; i++)
        payload[i] &= k->mask[i];
    vec_clear(&n->scratch);
    vec_room(&n->scratch, sizeof *m);
    n->scratch.n = sizeof *m;
    add_bytes(n, r, &b, payload, m->size);
    for (uint32_t i = 0; i < b.n; i++) { // grows while it is walked
        vec_room(&n->scratch, 8);
        memcpy(n->scratch.at + n->scratch.n, &b.at[i].size, 8);
        n->scratch.n += 8;
        add_bytes(n, r, &b, b.at[i].at, b.at[i].size);
    }
    m->blocks = (uint16_t)b.n;
    memcpy(n->scratch.at, m, sizeof *m);
    names_sent(n, r, n->scratch.at + sizeof *m, n->scratch.n - sizeof *m);
    for (uint32_t i = 0; i < b.n; i++) {
        struct heap *h = region_heap(r);
        size_t whole = heap_whole(h, USER_ROOM, b.at[i].at);
        check_freed(n, r, b.at[i].at, whole, verdict_pc(n), true);
        heap_put_whole(h, USER_ROOM, b.at[i].at, whole);
    }
    vec_free(&b);
    return images_intern(&n->msgs, 0,
                         message_digest(n->scratch.at, n->scratch.n),
                         n->scratch.at, n->scratch.n);
}

uint32_t message_pack(struct native *n, struct region *r, struct message *m,
              const struct kind *k, const void *payload)
{
    const tr_msg *type = k->type;
    struct task *t = &r->running;
    if (m->size > MESSAGE_MOST)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "message '%s' has %u bytes: at most %d on the stage",
                type->name, m->size, MESSAGE_MOST);
    if (!type->copy && !type->drop) {
        check_payload(n, type->name, payload, m->size, type->align, k->mask);
        names_sent(n, r, payload, m->size);
        return message_id(n, m, payload, k->mask);
    }
    if (!type->copy && (uintptr_t)payload == t->payload)
        t->moved = true;
    unsigned char *own =
        heap_get(region_own_heap(r), OWN_ROOM, m->size, type->align);
    r->head.heaps |= 2;
    if (!own)
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "no room beside the messages that %s handles",
                actor_name(n, r->actor));
    memcpy(own, payload, m->size);
    if (type->copy)
        type->copy(own, payload);
    uint32_t id = pack_owner(n, r, m, k, own);
    heap_put(region_own_heap(r), OWN_ROOM, own);
    return id;
}

// Turn relative words into addresses of the receiver's blocks.
static void fix(unsigned char *at, size_t size, unsigned char **block,
                uint32_t n_blocks)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t w = word_at(at + i);
        uint32_t k = (uint32_t)(w >> 32) & 0xffff;
        if ((w & UINT64_C(0xffff000000000000)) != PARCEL || k >= n_blocks)
            continue;
        w = (uintptr_t)block[k] + (w & UINT32_MAX);
        memcpy(at + i, &w, 8);
    }
}

void message_unpack(struct native *n, struct region *r, unsigned char *payload,
            const struct message *m)
{
    memcpy(payload, m + 1, m->size);
    if (!m->blocks)
        return;
    VEC(unsigned char *) block = {0};
    const unsigned char *first =
        (const unsigned char *)(m + 1) + padded(m->size);
    const unsigned char *at = first;
    r->head.heaps |= 1;
    for (uint32_t i = 0; i < m->blocks; i++, at += 8 + padded(word_at(at))) {
        void *p = heap_get(region_heap(r), USER_ROOM, word_at(at), 16);
        if (!p)
            bug_note(n, BUG_LIMIT, "no room for what a message owns");
        vec_push(&block, p);
    }
    fix(payload, m->size, block.at, block.n);
    at = first;
    for (uint32_t i = 0; i < m->blocks; i++, at += 8 + padded(word_at(at))) {
        if (!block.at[i])
            continue;
        memcpy(block.at[i], at + 8, word_at(at));
        fix(block.at[i], word_at(at), block.at, block.n);
    }
    vec_free(&block);
}

size_t message_read(const struct message *m, uint64_t address, char *out,
                    size_t most)
{
    uint64_t k = address >> 32 & 0xffff, offset = address & UINT32_MAX;
    const unsigned char *at = (const unsigned char *)(m + 1) + padded(m->size);
    if ((address & UINT64_C(0xffff000000000000)) != PARCEL || k >= m->blocks)
        return 0;
    for (; k; k--)
        at += 8 + padded(word_at(at));
    uint64_t size = word_at(at);
    size_t n = offset < size ? size - offset : 0;
    n = n < most ? n : most;
    memcpy(out, at + 8 + offset, n);
    return n;
}
