// What the files that look for probable mistakes share.
#ifndef FLOW_LINT_INNER_H
#define FLOW_LINT_INNER_H

#include "flow/inner.h"

struct linter {
    struct flow *f;
    struct flow_inner *in;
    const struct ir *ir;
    struct lints *out;
};

void lint_say_at(struct linter *l, enum lint_kind kind, struct flow_site site,
                 const char *text);
const char *lint_msg_name(const struct linter *l, uint32_t msg);
bool lint_is_send(enum ir_op op);

// lint_unset.c: sends of a class's code whose destination is loaded from its
// own state.
void lint_unset(struct linter *l);

#endif
