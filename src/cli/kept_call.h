// A kept call of a C function, as show, replay and shrink take it.
#ifndef CLI_KEPT_CALL_H
#define CLI_KEPT_CALL_H

#include <stdbool.h>

struct call_case;
struct session;
struct text;

// Does the first word name a call: a file, or FUNCTION.NAME as `troupe unit`
// keeps it in .troupe/unit?
bool kept_call_given(struct session *s);
// Each returns the exit status.
int kept_call_show(struct session *s);
int kept_call_replay(struct session *s);
int kept_call_shrink(struct session *s);

// Add a call to the objects of a page, as page_write() takes them.
void kept_call_page(struct session *s, const struct call_case *c,
                    struct text *to);

#endif
