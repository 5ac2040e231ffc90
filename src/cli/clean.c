// troupe clean: old runs, and what can be made again.
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "report/store.h"

int cmd_clean(struct session *s)
{
    uint64_t keep = option_number(s->options, OPT_keep);
    uint32_t n = store_clean(home_path(&s->arena, ""), (uint32_t)keep,
                             option_flag(s->options, OPT_all), &s->diag);
    if (!s->diag.status && !option_flag(s->options, OPT_quiet))
        printf("%u run%s removed\n", n, n == 1 ? "" : "s");
    return s->diag.status;
}
