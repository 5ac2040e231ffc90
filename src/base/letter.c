// Letters over a socket: a head with size and sum, then the bytes.
#include "base/letter.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

struct letter {
    uint64_t sum; // of what follows
    uint64_t size;
};

void letter_put(struct text *t, const void *p, size_t size)
{
    text_bytes(t, p, size);
}

void letter_word(struct text *t, uint32_t word)
{
    letter_put(t, &word, sizeof word);
}

void letter_string(struct text *t, const char *s)
{
    size_t size = s ? strlen(s) + 1 : 0;
    letter_word(t, (uint32_t)size);
    letter_put(t, s ? s : "", size);
}

const void *reader_take(struct reader *r, size_t size)
{
    const char *at = r->at;
    if (r->bad || (size_t)(r->end - at) < size) {
        r->bad = true;
        return NULL;
    }
    r->at += size;
    return at;
}

void reader_copy(struct reader *r, void *to, size_t size)
{
    const void *p = reader_take(r, size);
    if (p)
        memcpy(to, p, size);
    else
        memset(to, 0, size);
}

uint32_t reader_word(struct reader *r)
{
    uint32_t word;
    reader_copy(r, &word, sizeof word);
    return word;
}

const char *reader_string(struct reader *r)
{
    uint32_t size = reader_word(r);
    const char *s = size ? reader_take(r, size) : NULL;
    if (!s)
        return NULL;
    if (s[size - 1]) {
        r->bad = true;
        return NULL;
    }
    return s;
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

void letter_begin(struct text *t)
{
    struct letter l = {0, 0};
    text_clear(t);
    letter_put(t, &l, sizeof l);
}

bool letter_send(int fd, struct text *t)
{
    struct letter l;
    memset(&l, 0, sizeof l);
    l.size = t->n - sizeof l;
    l.sum = hash_bytes(t->at + sizeof l, l.size);
    memcpy(t->at, &l, sizeof l);
    return send_all(fd, t->at, t->n);
}

int letter_receive(int fd, struct text *t)
{
    char bytes[16384];
    ssize_t k = recv(fd, bytes, sizeof bytes, 0);
    if (k > 0)
        text_bytes(t, bytes, (size_t)k);
    return k > 0 ? 1 : k < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
}

int letter_here(const struct text *t, struct reader *r)
{
    struct letter l;
    if (t->n < sizeof l)
        return 0;
    memcpy(&l, t->at, sizeof l);
    if (t->n < sizeof l + l.size)
        return 0;
    *r = (struct reader){.at = t->at + sizeof l,
                         .end = t->at + sizeof l + l.size};
    return t->n == sizeof l + l.size && l.sum == hash_bytes(r->at, l.size) ? 1
                                                                           : -1;
}
