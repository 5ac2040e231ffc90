// Does it matter what local variables hold before they are set?
//
// Programs are built so that such a variable is zero.  After a search without a
// bug, the program is built once more with another value in them, and a sample
// of schedules is run in a child.  A bug that shows there comes from a variable
// that was not set: the verdict is weaker by it.
#ifndef CLI_SECOND_FILL_H
#define CLI_SECOND_FILL_H

struct session;
struct subject;

// "assertion at bank.c:12 if locals that are not set are not zero", in the
// session's arena; NULL if the sample shows nothing, or cannot be made.
const char *second_fill(struct session *s, const struct subject *of);

#endif
