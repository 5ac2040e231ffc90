#include "cases/findings.h"

#include "base/diag.h"
#include "base/die.h"
#include "cases/subject.h"

#include <string.h>

void findings_release(struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++) {
        case_release(&f->list.at[i].c);
        confirmed_release(&f->list.at[i].confirmed);
    }
    vec_free(&f->list);
}

// Was this bug found before?  Random schedules and the search after them may
// find the same one; so may a search that goes on with what an earlier one
// left.
static bool is_known(const struct findings *f, const char *id)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (strcmp(f->list.at[i].id, id) == 0)
            return true;
    return false;
}

static void add(struct findings *f, struct subject *s, struct finding *new,
                const struct findings_sink *sink)
{
    struct diag d = {0};
    if (sink->keep)
        sink->keep(sink->self, new);
    confirm_apart(s, &new->c, CONFIRM_STRICTLY, &new->confirmed, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    vec_push(&f->list, *new);
    if (sink->tell)
        sink->tell(sink->self, &vec_last(&f->list));
}

void findings_take(struct findings *f, struct subject *s, const char *text,
                   uint64_t nth, const struct findings_sink *sink,
                   struct arena *a)
{
    struct diag d = {0};
    struct finding new = {.nth = nth};
    if (!case_parse(a, "case", text, &new.c, &d))
        die("a worker wrote a case that cannot be read: %s", d.text);
    struct bug *bug = &new.c.bug;
    bug->warning = bug_kind_warns(bug->kind);
    case_note_spot(a, bug); // a worker elsewhere may not have the source
    case_id(bug, new.c.test, new.id);
    if (s->explore.ignore >> bug->kind & 1 || is_known(f, new.id))
        case_release(&new.c);
    else
        add(f, s, &new, sink);
}

bool finding_fails(const struct finding *f)
{
    return !f->c.bug.warning && !f->known && !f->expected;
}

bool findings_failed(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (finding_fails(&f->list.at[i]))
            return true;
    return false;
}

bool findings_confirmed(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (f->list.at[i].confirmed.outcome != CONFIRM_SAME &&
            !f->list.at[i].confirmed.interrupted)
            return false;
    return true;
}
