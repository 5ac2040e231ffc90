// troupe clean: old runs, and what can be made again.
#include "base/json.h"
#include "base/text.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "report/store.h"

int cmd_clean(struct session *s)
{
    uint64_t keep = option_number(s->options, OPT_keep);
    uint32_t n = store_clean(home_path(&s->arena, ""), (uint32_t)keep,
                             option_flag(s->options, OPT_all), &s->diag);
    struct text t = {0};
    struct json j;
    if (!s->diag.status && !option_flag(s->options, OPT_quiet))
        fprintf(session_say(s), "%u run%s removed\n", n, n == 1 ? "" : "s");
    if (!s->diag.status && session_json_begin(s, &j, &t)) {
        json_number(&j, "removed", n);
        session_json_end(s, &j);
    }
    return s->diag.status;
}
