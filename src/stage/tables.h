// What the stage keeps: actors, classes, kinds of message, states, messages.
#ifndef STAGE_TABLES_H
#define STAGE_TABLES_H

#include "stage/native_inner.h"

// A text that lives as long as the native.
const char *keep_text(struct native *n, const char *s);
// Its name, such as boss#1/worker#2.
const char *actor_name(struct native *n, uint32_t id);
static inline struct actor *actor_at(struct native *n, uint32_t id)
{
    return &n->actors.at[id];
}
// The actor of a handle, PLAY_NONE if there is none.
uint32_t actor_of(struct native *n, uint64_t handle);
// The n-th actor of a class made by creator.
uint32_t actor_born(struct native *n, uint32_t creator, const tr_class *cls,
                    uint32_t nth);
struct kind *kind_of(struct native *n, const tr_msg *type);
struct class *class_of(struct native *n, const tr_class *cls);
// The line of a place in the program's text (see verdict_place), 0: unknown.
uint32_t line_of(struct native *n, uint32_t place);

// Regions and states.
static inline struct play_state *state_info(const struct native *n,
                                            uint32_t state)
{
    return &n->states.at.at[state].info;
}
struct region *actor_region(struct native *n, uint32_t actor);
struct region *state_place(struct native *n, uint32_t state);
uint32_t state_keep(struct native *n, struct region *r);
static inline const tr_behaviour *behaviour_of(const struct native *n,
                                               const struct head *h)
{
    return h->behaviour
               ? (const tr_behaviour *)(h->behaviour + n->program->bias)
               : NULL;
}
// The hash of an image of an actor's state.  A copy is spoiled: what differs
// from process to process on suspended stacks is made zero.
struct digest image_hash(const struct native *n, uint32_t actor,
                         unsigned char *copy, size_t size);
// The hash of a message, or of anything else that no actor owns.  The lower
// half is not 0: states name messages by it.
static inline struct digest message_digest(const void *bytes, size_t size)
{
    struct digest d = digest_bytes(bytes, size, 0);
    d.low |= 1;
    return d;
}

// Messages.
uint32_t message_id(struct native *n, const struct message *m,
                    const void *payload, const unsigned char *mask);
static inline const struct message *message_at(const struct native *n,
                                               uint32_t id)
{
    return (const struct message *)(const void *)n->msgs.at.at[id].bytes;
}
uint32_t message_of(struct native *n, uint64_t hash);
const tr_msg *message_type_find(struct native *n, uint64_t hash);
static inline const tr_msg *message_type(struct native *n,
                                         const struct message *m)
{
    const struct known_type *k = &n->known_types[m->type % KNOWN_TYPES];
    return k->type && k->hash == m->type ? k->type
                                         : message_type_find(n, m->type);
}
const char *message_name(struct native *n, uint32_t msg);
// Put a message's payload, and what it owns, into an actor.
void message_unpack(struct native *n, struct region *r, unsigned char *payload,
                    const struct message *m);
// Bytes of the memory that a message owns, at this address in its payload: how
// many were copied.
size_t message_read(const struct message *m, uint64_t address, char *out,
                    size_t most);
// The message with this payload, from an actor: what it owns is taken along.
uint32_t message_pack(struct native *n, struct region *r, struct message *m,
                      const struct kind *k, const void *payload);

#endif
