// --html: the page of a command, written to the file that the option names.
#ifndef CLI_PAGE_WRITE_H
#define CLI_PAGE_WRITE_H

#include <stdbool.h>

struct confirmed;
struct open_case;
struct session;

// Nothing if the option is not given.  tests: objects as report/page.h makes
// them, separated by commas.  graph: with the flow graph of the program, if
// what it takes is there.  False with the session's diag set.
bool page_write(struct session *s, const char *tests, bool graph);
bool page_write_case(struct session *s, const struct open_case *k,
                     const struct confirmed *f);

#endif
