// A receive in words: "receiver message<sender".
//
//     client#1 deposit<test           a message
//     client#1 deposit:2<test         the second of two that look alike
//     node#2 timer                    its soonest timer fires
//     node#2 timer retry              another one fires, which brings retry
//     dice#1 roll<test pick 3 0       answers to choose()
//     test body pick 1                those of the test body
//     test body before timers         it goes on, or the test ends, though
//                                     timers of every() might fire first
//
// Where several messages of one name from one sender may come, the first sent
// is meant; "message:2" is the second of those in flight, and so on.  Other
// segments of the test body need no words but for their answers: they go on by
// themselves, when all is quiet or one receive was made.
//
// The soonest timer is the one that fires next if no time passes between
// receives.  Others are named by the message that they bring, or the request
// whose limit they are; "timer retry:2" is the second of those, in order of
// setting, that may be the next and are of this name.
#ifndef PLAY_WORDS_H
#define PLAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct play;
struct step;
struct text;

struct words_step {
    const char *actor;
    const char *msg;    // "timer" or "timer retry" for a timer, "body" or
                        // WORDS_EARLY for the test body
    const char *sender; // NULL for these two
    const uint16_t *picks;
    uint32_t n_picks;
    int line; // in the file it was read from, 0 if made
};

// Read one step.  NULL, or what is wrong with the text: a static string.  The
// step's strings live in a.
const char *words_parse(struct arena *a, const char *text,
                        struct words_step *s);
// Cut " times N" off the end of a step or a post: how often it is meant, 1 if it
// is not there.  False if N is not a number up to WORDS_TIMES.
enum { WORDS_TIMES = 10000000 };
#define WORDS_TIMES_WRONG "times are a number up to 10000000"
bool words_times(char *text, uint32_t *times);
// "again 3" means the last three steps once more: 3.  0: the text is no such.
uint32_t words_again(const char *text);
bool words_same(const struct words_step *a, const struct words_step *b);
void words_print(const struct words_step *s, struct text *to);

// "deposit:2" is deposit and 2; without a number it is 1.  Returns the number,
// and in *length how much of the word is the name.
uint32_t words_twin(const char *msg, size_t *length);
bool words_is_timer(const struct words_step *s);
bool words_is_body(const struct words_step *s);
// Of the body: before timers that might fire.
#define WORDS_EARLY "body before timers"
bool words_is_early(const struct words_step *s);

// A step of a play's schedule, whose picks are given; twin is its number among
// messages that look alike, timer the words of a timer (NULL: the soonest), or
// of a body that is early.
struct words_step words_of(struct arena *a, struct play *p,
                           const struct step *step, const uint16_t *picks,
                           uint32_t twin, const char *timer);

// The words of the k-th timer that may fire in a state, in a; and which of n
// such timers a step means: n if none.
const char *words_timer(struct arena *a, struct play *p, uint32_t state,
                        uint32_t k);
uint32_t words_find_timer(struct play *p, uint32_t state, uint32_t n,
                          const struct words_step *s);
// Does this step mean such a timer?  `of` is what the timer brings.
bool words_mean_timer(const struct words_step *s, const char *of, bool soonest);

#endif
