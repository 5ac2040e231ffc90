#include "reach/start.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 20000000, ACTORS_MOST = 4096 };

int64_t start_param(const struct start *s, const char *name, int64_t otherwise)
{
    size_t n = strlen(name);
    for (const char *p = s->params; p && *p; p += strcspn(p, " ")) {
        p += strspn(p, " ");
        if (strncmp(p, name, n) == 0 && p[n] == '=')
            return strtoll(p + n + 1, NULL, 0);
    }
    return otherwise;
}

static const char *string_at(struct start *s, uint64_t address)
{
    uint64_t size, offset;
    if (!interp_extent(s->interp, address, &size, &offset) || offset >= size)
        return "";
    const char *text =
        (const char *)interp_bytes(s->interp, address, size - offset);
    return text && memchr(text, 0, size - offset) ? text : "";
}

static bool refuse(struct start *s, const char *why)
{
    s->failed = why;
    return false;
}

// ---- operations of the setup and of init hooks --------------------------

static bool do_spawn(struct start *s, const uint64_t *x, uint64_t *result)
{
    uint32_t cls = ir_class_of(s->ir, interp_global_at(s->interp, x[1]));
    if (cls == IR_NOTHING)
        return refuse(s, "an actor of a class not known");
    if (s->actors.n >= ACTORS_MOST)
        return refuse(s, "the setup makes too many actors");
    const struct ir_class *c = &s->ir->classes.at[cls];
    struct start_actor a = {.cls = cls, .behaviour = c->start};
    a.state = interp_alloc(s->interp, c->size ? c->size : 1);
    const uint8_t *from =
        x[2] && c->size ? interp_bytes(s->interp, x[2], c->size) : NULL;
    if (from)
        memcpy(interp_bytes(s->interp, a.state, c->size), from, c->size);
    vec_push(&s->actors, a);
    *result = s->actors.n;
    if (c->init == IR_NOTHING || !s->ir->fns.at[c->init]->defined)
        return true;
    uint32_t creator = s->current;
    union ir_bits args[3] = {{.i = x[0]}, {.i = a.state}, {.i = 0}}, nothing;
    uint32_t n = s->ir->fns.at[c->init]->n_params;
    s->current = s->actors.n;
    bool ok = interp_again(s->interp, c->init, args, n < 3 ? n : 3, &nothing);
    s->current = creator;
    return ok;
}

static bool do_send(struct start *s, enum ir_op op, uint64_t to, uint64_t type,
                    uint64_t payload, uint64_t timer)
{
    uint32_t msg = ir_msg_of(s->ir, interp_global_at(s->interp, type));
    if (msg == IR_NOTHING)
        return refuse(s, "a message of a type not known");
    struct start_flight f = {
        .op = op, .from = s->current, .to = (uint32_t)to, .msg = msg};
    uint32_t size = s->ir->msgs.at[msg].size;
    uint8_t *bytes = arena_zero(&s->arena, size + 1);
    const uint8_t *from =
        payload && size ? interp_bytes(s->interp, payload, size) : NULL;
    if (from)
        memcpy(bytes, from, size);
    f.bytes = bytes;
    f.timer = timer;
    if (to && to <= s->actors.n)
        vec_push(&s->flights, f);
    return true;
}

static void do_expose(struct start *s, uint64_t ref, const char *name)
{
    if (ref && ref <= s->actors.n)
        s->actors.at[ref - 1].name = arena_text(&s->arena, name);
}

static uint64_t find_exposed(const struct start *s, const char *name)
{
    for (uint32_t i = 0; i < s->actors.n; i++)
        if (s->actors.at[i].name && strcmp(s->actors.at[i].name, name) == 0)
            return i + 1;
    return 0;
}

static void do_become(struct start *s, uint64_t behaviour)
{
    uint32_t b = ir_behaviour_of(s->ir, interp_global_at(s->interp, behaviour));
    if (s->current && b != IR_NOTHING)
        s->actors.at[s->current - 1].behaviour = b;
}

static bool operate(void *self, struct interp *p, const struct ir_inst *i,
                    const union ir_bits *a, union ir_bits *r)
{
    struct start *s = self;
    uint64_t x[6] = {0}, result = 0;
    bool ok = true;
    (void)p;
    for (uint32_t k = 0; k < i->n && k < 6; k++)
        x[k] = (uint64_t)a[k].i;
    switch ((enum ir_op)i->op) {
    case IR_SPAWN:
        ok = do_spawn(s, x, &result);
        break;
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_ASK:
    case IR_WATCH:
        ok = do_send(s, (enum ir_op)i->op, x[1], x[2], x[3], 0);
        break;
    case IR_AFTER:
        result = ++s->timers;
        ok = do_send(s, IR_AFTER, x[2], x[3], x[4], result);
        break;
    case IR_EXPOSE:
        do_expose(s, x[1], string_at(s, x[2]));
        break;
    case IR_RECEPTIONIST:
        result = find_exposed(s, string_at(s, x[1]));
        break;
    case IR_BECOME:
        do_become(s, x[1]);
        break;
    case IR_STOP:
        if (s->current)
            s->actors.at[s->current - 1].stopped = true;
        break;
    case IR_SELF:
        result = s->current;
        break;
    case IR_GETPARAM:
        result = (uint64_t)start_param(s, string_at(s, x[1]), (int64_t)x[2]);
        break;
    case IR_SENDER:
    case IR_NOW:
    case IR_CHOOSE:
    case IR_CANCEL:
    case IR_LOG:
        break;
    default:
        return refuse(s, "the setup waits");
    }
    r->i = result;
    return ok && !interp_stopped(s->interp);
}

// ---- the run ------------------------------------------------------------

static const struct ir_root *system_of(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->systems.n; i++)
        if (strcmp(ir->systems.at[i].name, name) == 0)
            return &ir->systems.at[i];
    return NULL;
}

bool start_open(struct start *s, const struct ir *ir, const char *system,
                const char *params, struct diag *d)
{
    const struct ir_root *root = system_of(ir, system);
    *s = (struct start){.ir = ir, .params = params};
    s->host = (struct interp_host){.self = s, .actor = operate};
    s->interp = interp_new(ir, &s->host);
    interp_budget(s->interp, STEPS_MOST);
    if (!root || root->fn == IR_NOTHING)
        return diag_set(d, EXIT_USAGE, "the program has no system '%s'",
                        system);
    union ir_bits args[3] = {{.i = interp_alloc(s->interp, 64)}};
    uint32_t n = ir->fns.at[root->fn]->n_params;
    struct interp_outcome o =
        interp_call(s->interp, root->fn, args, n < 3 ? n : 3, NULL);
    s->end = o;
    if (o.end == INTERP_RETURNED)
        return true;
    struct ir_inst at = ir->fns.at[o.fn]->insts.at[o.inst];
    const char *what = s->failed                 ? s->failed
                       : o.end == INTERP_TRAPPED ? ir_trap_text(o.trap)
                       : o.text                  ? o.text
                       : o.end == INTERP_STEPS   ? "too many instructions"
                                                 : "a bad access";
    diag_at(d, EXIT_USAGE, at.line ? ir->files.at[at.file] : NULL, (int)at.line,
            "the setup of system %s does not come to its end: %s%s%s", system,
            what, o.end == INTERP_TRAPPED && o.text ? ": " : "",
            o.end == INTERP_TRAPPED && o.text ? o.text : "");
    return false;
}

void start_close(struct start *s)
{
    interp_free(s->interp);
    vec_free(&s->actors);
    vec_free(&s->flights);
    arena_free(&s->arena);
}

static bool read_number(const struct start *s, uint64_t address, uint32_t n,
                        u128 *out)
{
    const uint8_t *bytes = interp_bytes(s->interp, address, n);
    *out = 0;
    if (!bytes || n > sizeof *out)
        return false;
    memcpy(out, bytes, n);
    return true;
}

bool start_read(const struct start *s, uint32_t actor, uint64_t offset,
                uint32_t n, u128 *out)
{
    return actor && actor <= s->actors.n &&
           read_number(s, s->actors.at[actor - 1].state + offset, n, out);
}

bool start_global(const struct start *s, uint32_t global, uint64_t offset,
                  uint32_t n, u128 *out)
{
    return read_number(s, interp_global(s->interp, global) + offset, n, out);
}
