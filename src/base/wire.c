// The head of a message has a check sum of its own.  The size in it is used
// only if that sum is right.  So a damaged size does not make a reader wait for
// bytes that never come.
#include "base/wire.h"

#include "base/hash.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

// Changes when the head does.
#define FORMAT 0x31775254u // "TRw1"

struct head {
    uint32_t format, kind;
    uint64_t size;  // of what follows
    uint64_t sum;   // of what follows
    uint64_t check; // of the members above
};

static uint64_t check_of(const struct head *h)
{
    return hash_bytes(h, offsetof(struct head, check));
}

// ---- writing --------------------------------------------------------------

void wire_begin(struct text *t, uint32_t kind)
{
    struct head h = {.format = FORMAT, .kind = kind};
    text_clear(t);
    wire_put(t, &h, sizeof h);
}

void wire_put(struct text *t, const void *p, size_t size)
{
    text_bytes(t, p, size);
}

void wire_put32(struct text *t, uint32_t number)
{
    wire_put(t, &number, sizeof number);
}

void wire_put64(struct text *t, uint64_t number)
{
    wire_put(t, &number, sizeof number);
}

void wire_put_real(struct text *t, double number)
{
    wire_put(t, &number, sizeof number);
}

void wire_put_string(struct text *t, const char *s)
{
    size_t size = s ? strlen(s) + 1 : 0;
    wire_put64(t, size);
    wire_put(t, s ? s : "", size);
}

void wire_end(struct text *t)
{
    struct head h;
    assert(t->n >= sizeof h);
    memcpy(&h, t->at, sizeof h);
    h.size = t->n - sizeof h;
    h.sum = hash_bytes(t->at + sizeof h, h.size);
    h.check = check_of(&h);
    memcpy(t->at, &h, sizeof h);
}

static bool send_all(int fd, const char *p, size_t size)
{
    while (size) {
        ssize_t k = send(fd, p, size, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        size -= (size_t)k;
    }
    return true;
}

bool wire_send(int fd, struct text *t)
{
    wire_end(t);
    return send_all(fd, t->at, t->n);
}

// ---- reading --------------------------------------------------------------

bool wire_has(struct wire_reader *r, uint64_t n, size_t size)
{
    if (n && (size_t)(r->end - r->at) / n < size)
        r->bad = true;
    return !r->bad;
}

const void *wire_take(struct wire_reader *r, size_t size)
{
    const char *at = r->at;
    if (r->bad || (size_t)(r->end - at) < size) {
        r->bad = true;
        return NULL;
    }
    r->at += size;
    return at;
}

void wire_get(struct wire_reader *r, void *to, size_t size)
{
    const void *p = wire_take(r, size);
    if (!size)
        return; // there may be no place either
    if (p)
        memcpy(to, p, size);
    else
        memset(to, 0, size);
}

uint32_t wire_get32(struct wire_reader *r)
{
    uint32_t number;
    wire_get(r, &number, sizeof number);
    return number;
}

uint32_t wire_get_below(struct wire_reader *r, uint32_t limit)
{
    uint32_t number = wire_get32(r);
    if (number < limit)
        return number;
    r->bad = true;
    return 0;
}

uint64_t wire_get64(struct wire_reader *r)
{
    uint64_t number;
    wire_get(r, &number, sizeof number);
    return number;
}

double wire_get_real(struct wire_reader *r)
{
    double number;
    wire_get(r, &number, sizeof number);
    return number;
}

const char *wire_get_string(struct wire_reader *r)
{
    uint64_t size = wire_get64(r);
    const char *s = size ? wire_take(r, size) : NULL;
    if (!s)
        return NULL;
    if (memchr(s, 0, size) != s + size - 1) {
        r->bad = true;
        return NULL;
    }
    return s;
}

bool wire_done(const struct wire_reader *r)
{
    return !r->bad && r->at == r->end;
}

// ---- messages -------------------------------------------------------------

// Look for a message at the start of these bytes.
static enum wire_state look(const char *bytes, size_t n, struct wire_message *m)
{
    struct head h = {.format = FORMAT};
    if (memcmp(bytes, &h, n < sizeof h.format ? n : sizeof h.format) != 0)
        return WIRE_BAD;
    if (n < sizeof h)
        return WIRE_NONE;
    memcpy(&h, bytes, sizeof h);
    if (h.check != check_of(&h))
        return WIRE_BAD;
    if (n - sizeof h < h.size)
        return WIRE_NONE;
    const char *at = bytes + sizeof h;
    *m = (struct wire_message){h.kind, {at, at + h.size, false}};
    return h.sum == hash_bytes(at, h.size) ? WIRE_HERE : WIRE_BAD;
}

bool wire_open(const void *bytes, size_t size, uint32_t kind,
               struct wire_reader *r)
{
    struct wire_message m;
    *r = (struct wire_reader){.bad = true};
    if (look(bytes, size, &m) != WIRE_HERE || m.kind != kind ||
        m.body.end != (const char *)bytes + size)
        return false;
    *r = m.body;
    return true;
}

int wire_receive(int fd, struct wire_in *in)
{
    char bytes[16384];
    ssize_t k = recv(fd, bytes, sizeof bytes, 0);
    if (k < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    if (in->read) {
        memmove(in->bytes.at, in->bytes.at + in->read, in->bytes.n - in->read);
        in->bytes.n -= in->read;
        in->read = 0;
    }
    text_bytes(&in->bytes, bytes, (size_t)k);
    return k > 0;
}

enum wire_state wire_next(struct wire_in *in, struct wire_message *m)
{
    enum wire_state s = WIRE_BAD;
    if (!in->bad)
        s = look(text_get(&in->bytes) + in->read, in->bytes.n - in->read, m);
    in->bad = s == WIRE_BAD;
    if (s == WIRE_HERE)
        in->read = (size_t)(m->body.end - in->bytes.at);
    return s;
}

bool wire_empty(const struct wire_in *in)
{
    return in->read == in->bytes.n;
}

void wire_clear(struct wire_in *in)
{
    text_clear(&in->bytes);
    in->read = 0;
    in->bad = false;
}

void wire_free(struct wire_in *in)
{
    text_free(&in->bytes);
    *in = (struct wire_in){0};
}
