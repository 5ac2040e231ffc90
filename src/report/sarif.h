// SARIF 2.1.0, as code scanners and editors read it: findings with their rules
// and places.
#ifndef REPORT_SARIF_H
#define REPORT_SARIF_H

#include "base/vec.h"

#include <stdint.h>

struct text;

struct sarif_rule {
    const char *id, *text;
};

struct sarif_finding {
    const char *rule;  // its id
    const char *level; // "error", "warning" or "note"
    const char *text, *file;
    uint32_t line, column; // 0: unknown
};

// All of a run of this tool ("troupe lint").
struct sarif {
    const char *tool;
    VEC(struct sarif_rule) rules;
    VEC(struct sarif_finding) findings;
};

void sarif_print(const struct sarif *s, struct text *to);
void sarif_free(struct sarif *s);

#endif
