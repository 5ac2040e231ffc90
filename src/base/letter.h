// Letters between the search and a stage process: how bytes are put into one,
// taken out again, and sent.
//
// What is read may be nonsense: a reader that is asked for more than there is
// becomes bad, and gives zeros from then on.
#ifndef BASE_LETTER_H
#define BASE_LETTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

// Room for the head, then whatever is put; letter_send() fills in the head.
// False if the other side is gone.
void letter_begin(struct text *t);
void letter_put(struct text *t, const void *p, size_t size);
void letter_word(struct text *t, uint32_t word);
void letter_string(struct text *t, const char *s); // or NULL
bool letter_send(int fd, struct text *t);

struct reader {
    const char *at, *end;
    bool bad;
};

// Receive more of a letter: 1, 0 if the other side is gone, -1 if nothing came
// within the socket's time limit or until a signal.
int letter_receive(int fd, struct text *t);
// 1: all of it is here, and *r at its start; 0: not yet; -1: it is no letter.
int letter_here(const struct text *t, struct reader *r);
// The next bytes, NULL if there are not as many.
const void *reader_take(struct reader *r, size_t size);
void reader_copy(struct reader *r, void *to, size_t size);
uint32_t reader_word(struct reader *r);
// A string, in the letter; NULL was put, or it is none.
const char *reader_string(struct reader *r);

#endif
