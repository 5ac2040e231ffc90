// Does it matter what local variables hold before they are set, or where in
// memory blocks and actors lie?
//
// Programs are built so that such a variable is zero, and each block and actor
// has the same address in every run.  After a search without a bug a sample of
// schedules is run in a child, once with the program built so that these
// variables hold another value, once with addresses in another order.  A bug
// that shows there makes the verdict weaker.
#ifndef CLI_SECOND_SAMPLE_H
#define CLI_SECOND_SAMPLE_H

struct session;
struct subject;

// "assertion at bank.c:12 if locals that are not set are not zero", in the
// session's arena; NULL if the samples show nothing, or cannot be made.
const char *second_sample(struct session *s, const struct subject *of);

#endif
