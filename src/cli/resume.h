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

void unfinished_keep(struct store *s, const char *key,
                     const struct unfinished *u);
// What was kept under this key, in a.  If there is nothing to go on from, say
// why on stderr: what is damaged or of another build of the tool is not
// believed.
void unfinished_recall(struct store *s, struct arena *a, const char *key,
                       const char *test, struct unfinished *out);

#endif
