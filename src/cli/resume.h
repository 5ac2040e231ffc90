// An unfinished search, kept in the run directory for --resume.
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "crew/crew.h"

struct arena;
struct store;

struct unfinished {
    bool here; // there is one
    struct crew_figures figures;
    struct crew_rest rest;
    const char *found; // the cases of its bugs, one behind the other
};

// Returns how many bytes that takes.
size_t unfinished_keep(struct store *s, const char *key,
                       const struct unfinished *u);
// What has changed since, and the cases found since then; durable when it
// returns.  The same for its size.
size_t unfinished_change(struct store *s, const char *key,
                         const struct crew_figures *f,
                         const struct crew_change *change, const char *found);
// What was kept under this key, in a.  If there is nothing to go on from, say
// why on stderr: what is damaged or of another build of the tool is not
// believed.
void unfinished_recall(struct store *s, struct arena *a, const char *key,
                       const char *test, struct unfinished *out);

#endif
