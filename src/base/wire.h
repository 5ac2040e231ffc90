// Messages between processes, and bytes that are kept for later: how values
// are put into a message, sent, taken out again, and checked.
//
// A message has a head: version of the format, kind, size, check sums.  Bytes
// that arrive may be anything, because the program under test shares a process
// with the sender.  So a stream whose next message is damaged is bad, and stays
// bad.  A reader that is asked for more than there is becomes bad, and gives
// zeros from then on.  Whoever reads looks at `bad` once, at the end.
#ifndef BASE_WIRE_H
#define BASE_WIRE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- writing --------------------------------------------------------------

// Begin a message: room for the head, then whatever is put.  *t is cleared.
void wire_begin(struct text *t, uint32_t kind);
void wire_put(struct text *t, const void *p, size_t size);
void wire_put32(struct text *t, uint32_t number);
void wire_put64(struct text *t, uint64_t number);
void wire_put_real(struct text *t, double number);
void wire_put_string(struct text *t, const char *s); // or NULL
// Fill in the head: *t is a whole message.
void wire_end(struct text *t);
// End the message and send it through a socket.  False if the other side is
// gone.
bool wire_send(int fd, struct text *t);

// ---- reading --------------------------------------------------------------

struct wire_reader {
    const char *at, *end;
    bool bad;
};

// The next bytes, NULL if there are not as many.
const void *wire_take(struct wire_reader *r, size_t size);
// Room for n things of this size, which are yet to be taken.  False and bad if
// there are not as many bytes left.
bool wire_has(struct wire_reader *r, uint64_t n, size_t size);
void wire_get(struct wire_reader *r, void *to, size_t size);
uint32_t wire_get32(struct wire_reader *r);
// A number below limit; otherwise 0 and bad.
uint32_t wire_get_below(struct wire_reader *r, uint32_t limit);
uint64_t wire_get64(struct wire_reader *r);
double wire_get_real(struct wire_reader *r);
// A string, which lies in the message.  NULL: NULL was put, or it is bad.
const char *wire_get_string(struct wire_reader *r);
// All was read, and nothing was bad.
bool wire_done(const struct wire_reader *r);

// A message that was kept as bytes.  False if it is damaged, has another kind,
// or was written in another version of the format.
bool wire_open(const void *bytes, size_t size, uint32_t kind,
               struct wire_reader *r);

// ---- streams --------------------------------------------------------------

// What has arrived.  All zero is empty.
struct wire_in {
    struct text bytes;
    size_t read;
    bool bad;
};

struct wire_message {
    uint32_t kind;
    struct wire_reader body; // valid until more is received
};

enum wire_state {
    WIRE_NONE, // no whole message has arrived yet
    WIRE_HERE,
    WIRE_BAD
};

// Receive more.  1, 0 if the other side is gone, -1 if nothing came within the
// socket's time limit or until a signal.
int wire_receive(int fd, struct wire_in *in);
// Take the next message.
enum wire_state wire_next(struct wire_in *in, struct wire_message *m);
// Has everything that arrived been taken?
bool wire_empty(const struct wire_in *in);
void wire_clear(struct wire_in *in);
void wire_free(struct wire_in *in);

#endif
