// A strand is code of the program from where it was entered to its next
// operation, wait or end.  finish() takes events of the tale until the
// operation has its result; between operations only the IR says what happens.
#include "reach/follow.h"

#include "reach/follow_post.h"
#include "runtime/solo/solo.h"

#include <string.h>

// How far a strand of the program's code came.
enum strand { STRAND_DONE, STRAND_WAITS, STRAND_ENDED };

static enum strand fail(struct follow *f, const char *why)
{
    f->why = why;
    f->diverged = true;
    return STRAND_ENDED;
}

static const struct tale_event *next(struct follow *f)
{
    return f->at < f->tale->n ? &f->tale->at[f->at++] : NULL;
}

// ---- what is where ----------------------------------------------------------

static term number(struct follow *f, uint64_t v)
{
    return term_const(f->ts, 64, v);
}

static struct follow_actor *actor(struct follow *f, uint32_t id)
{
    while (f->actors.n <= id)
        vec_push(&f->actors, ((struct follow_actor){0}));
    struct follow_actor *a = &f->actors.at[id];
    if (!a->ref)
        a->ref = id ? sx_object(f->run, 1) : number(f, 0);
    return a;
}

term follow_ref(struct follow *f, uint32_t id)
{
    return actor(f, id)->ref;
}

static term block_at(const struct follow *f, uint64_t native, term otherwise)
{
    uint32_t t = map_get(&f->blocks, native);
    return t == MAP_NONE ? otherwise : t;
}

// The argument of an operation that is the message's, reply's or state's bytes.
static term payload_of(struct follow *f, const struct sx_effect *e)
{
    uint32_t i = e->op == IR_SPAWN || e->op == IR_REPLY ? 2
                 : e->op == IR_AFTER                    ? 4
                                                        : 3;
    return i < e->n ? e->args[i] : number(f, 0);
}

// ---- code that the manager calls --------------------------------------------

static enum strand go(struct follow *f);

static enum strand call(struct follow *f, uint32_t fn, const term *args)
{
    if (fn == IR_NOTHING || !f->ir->fns.at[fn]->defined)
        return fail(f, "code is entered that the IR does not have");
    uint32_t n = f->ir->fns.at[fn]->n_params;
    if (n > 3)
        return fail(f, "code is entered with more arguments than there are");
    return sx_call(f->run, fn, args, n) ? go(f) : STRAND_ENDED;
}

static uint32_t class_of(const struct follow *f, const void *of)
{
    return ir_find_class(f->ir, ((const tr_class *)of)->name);
}

static const struct ir_msg *msg_of(const struct follow *f, const void *of)
{
    const char *name = ((const tr_msg *)of)->name;
    for (uint32_t i = 0; i < f->ir->msgs.n; i++)
        if (strcmp(f->ir->msgs.at[i].name, name) == 0)
            return &f->ir->msgs.at[i];
    return NULL;
}

static enum strand enter_hook(struct follow *f, const struct tale_event *e)
{
    uint32_t cls = class_of(f, e->of);
    struct follow_actor *a = actor(f, e->n);
    a->state = block_at(f, e->a, a->state);
    term args[3] = {f->ctx, a->state, number(f, 0)};
    if (cls == IR_NOTHING || !a->state)
        return fail(f, "an actor that nobody made");
    const struct ir_class *c = &f->ir->classes.at[cls];
    return call(f, e->op == SOLO_INIT ? c->init : c->fini, args);
}

static enum strand enter_handler(struct follow *f, const struct tale_event *e)
{
    const tr_handler *row = e->of;
    struct follow_actor *a = actor(f, e->n);
    term args[3] = {f->ctx, a->state, block_at(f, e->b, TERM_NONE)};
    if (!args[1] || !args[2])
        return fail(f, "a message or an actor that nobody made");
    struct follow_task t = {.task = e->a};
    vec_push(&f->tasks, t);
    return call(f, ir_find_fn(f->ir, row->fn_name), args);
}

// `payload`: of the operation or post under way, TERM_NONE: none.
static enum strand enter(struct follow *f, const struct tale_event *e,
                         term payload)
{
    const struct ir_msg *m;
    switch ((enum solo_code)e->op) {
    case SOLO_HANDLER:
        return enter_handler(f, e);
    case SOLO_INIT:
    case SOLO_FINI:
        return enter_hook(f, e);
    case SOLO_COPY:
    case SOLO_DROP:
        break;
    }
    m = msg_of(f, e->of);
    term args[3] = {block_at(f, e->a, payload), block_at(f, e->b, payload),
                    number(f, 0)};
    if (!m || !args[0] || (e->op == SOLO_COPY && !args[1]))
        return fail(f, "a message that nobody sent");
    // The sender's own bytes are on no block that was told.
    if (e->op == SOLO_COPY && payload)
        args[1] = payload;
    return call(f, e->op == SOLO_COPY ? m->copy : m->drop, args);
}

// ---- operations -------------------------------------------------------------

static void keep(struct follow *f, uint64_t native, term object)
{
    map_put(&f->blocks, native, object);
}

static term choice(struct follow *f, const struct tale_event *e)
{
    if (e->n >= INPUT_PICKS || e->b < 2)
        return number(f, e->a);
    f->picks[e->n] = (uint32_t)e->a;
    term v = follow_variable(f, (struct follow_var){VAR_PICK, .n = e->n}, 32,
                             TERM_INT, e->a);
    sx_suppose(f->run,
               term_binary(f->ts, IR_ULT, v, term_const(f->ts, 32, e->b)));
    return v;
}

static term parameter(struct follow *f, const struct tale_event *e)
{
    if (e->n >= MODEL_PARAMS || f->fixed >> e->n & 1)
        return number(f, e->a);
    term v = follow_variable(f, (struct follow_var){VAR_PARAMETER, .n = e->n},
                             64, TERM_INT, e->a);
    u128 now = model_get(sx_values(f->run), term_var_index(f->ts, v));
    return now == e->a ? v : number(f, e->a); // asked with another default
}

// TERM_NONE: the IR and the native run differ.
static term result(struct follow *f, const struct tale_event *e)
{
    switch ((enum ir_op)e->op) {
    case IR_SPAWN:
    case IR_SELF:
    case IR_SENDER:
    case IR_RECEPTIONIST:
        return actor(f, (uint32_t)e->a)->ref;
    case IR_AWAIT:
    case IR_GET:
        return e->a ? block_at(f, e->a, TERM_NONE) : number(f, 0);
    case IR_CHOOSE:
        return choice(f, e);
    case IR_GETPARAM:
        return parameter(f, e);
    default:
        return number(f, e->a);
    }
}

static enum strand wait(struct follow *f, const struct sx_effect *o,
                        uint64_t task)
{
    for (uint32_t i = f->tasks.n; i-- > 0;)
        if (f->tasks.at[i].task == task && !f->tasks.at[i].stack) {
            f->tasks.at[i].stack = sx_aside(f->run);
            f->tasks.at[i].operation = *o;
            return STRAND_WAITS;
        }
    return fail(f, "a task waits that nobody began");
}

// What the manager does until the operation has its result.
static enum strand finish(struct follow *f, const struct sx_effect *o)
{
    const struct tale_event *e;
    term made = TERM_NONE;
    while ((e = next(f))) {
        switch ((enum tale_what)e->what) {
        case TALE_COPIED:
            made = sx_copy(f->run, payload_of(f, o), e->n);
            if (!made)
                return STRAND_ENDED;
            keep(f, e->a, made);
            break;
        case TALE_ENTERS: {
            struct sx_stack *mine = sx_aside(f->run);
            enum strand s = enter(f, e, payload_of(f, o));
            if (s != STRAND_DONE) {
                sx_stack_free(mine);
                return s == STRAND_WAITS ? fail(f, "init or fini waits") : s;
            }
            sx_back(f->run, mine);
            break;
        }
        case TALE_WAITS:
            return wait(f, o, e->a);
        case TALE_ENDS: {
            term v = result(f, e);
            if (!v)
                return fail(f, "an answer that nobody gave");
            if (o->op == IR_SPAWN && made)
                actor(f, (uint32_t)e->a)->state = made;
            sx_answer(f->run, v);
            return STRAND_DONE;
        }
        default:
            return fail(f, "something else happens in an operation");
        }
    }
    return STRAND_ENDED; // the run was left here
}

// Decide to whom a message goes: the receiver determines what runs next.
static bool pin_receiver(struct follow *f, const struct sx_effect *o)
{
    switch (o->op) {
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_ASK:
    case IR_WATCH:
        return o->n < 2 || sx_pin(f->run, o->args[1]);
    case IR_AFTER:
        return o->n < 3 || sx_pin(f->run, o->args[2]);
    default:
        return true;
    }
}

static enum strand operation(struct follow *f)
{
    const struct sx_effect o = *sx_operation(f->run);
    uint8_t op = (uint8_t)(o.op == IR_FORWARD ? IR_SEND : o.op);
    const struct tale_event *e = next(f);
    if (!e)
        return f->tale->cut || runner_end(f->runner) != RUN_DRAINED
                   ? STRAND_ENDED
                   : fail(f, "an operation that the run does not have");
    if (e->what != TALE_BEGINS || e->op != op)
        return fail(f, arena_format(&f->arena, "%s in %s, where the run has %s",
                                    ir_op_text(o.op), f->ir->fns.at[o.fn]->name,
                                    e->what == TALE_BEGINS
                                        ? ir_op_text((enum ir_op)e->op)
                                        : "none"));
    return pin_receiver(f, &o) ? finish(f, &o) : STRAND_ENDED;
}

// Run the code on the stack until it returns, waits, or the run ends.
static enum strand go(struct follow *f)
{
    for (;;) {
        enum strand s = STRAND_DONE;
        switch (sx_go(f->run)) {
        case SX_STOP_RETURN:
            return STRAND_DONE;
        case SX_STOP_END:
            return STRAND_ENDED;
        case SX_STOP_OPERATION:
            s = operation(f);
            break;
        }
        if (s != STRAND_DONE)
            return s;
    }
}

// ---- the run ----------------------------------------------------------------

static enum strand go_on(struct follow *f, uint64_t task)
{
    for (uint32_t i = 0; i < f->tasks.n; i++) {
        struct follow_task *t = &f->tasks.at[i];
        if (t->task != task || !t->stack)
            continue;
        struct sx_effect o = t->operation;
        sx_back(f->run, t->stack);
        t->stack = NULL;
        enum strand s = finish(f, &o);
        return s == STRAND_DONE ? go(f) : s;
    }
    return fail(f, "a task goes on that does not wait");
}

static enum strand setup(struct follow *f)
{
    term args[3] = {f->ctx, number(f, 0), number(f, 0)};
    return call(f, f->system, args);
}

static enum strand post(struct follow *f, uint32_t gene)
{
    const struct tale_event *e;
    term bytes = follow_post(f, gene);
    uint32_t size = f->model->msgs.at[f->in->genes[gene].msg].size;
    while ((e = next(f)) && e->what != TALE_POSTED) {
        if (e->what == TALE_COPIED) {
            term made = sx_copy(f->run, bytes, size);
            if (!made)
                return STRAND_ENDED;
            keep(f, e->a, made);
        } else if (e->what == TALE_ENTERS) {
            enum strand s = enter(f, e, bytes);
            if (s != STRAND_DONE)
                return s;
        } else {
            return fail(f, "something else happens in a post");
        }
    }
    return STRAND_DONE;
}

// The next message of a timer that is set again.
static enum strand tick(struct follow *f, const struct tale_event *e)
{
    term from = block_at(f, e->b, TERM_NONE);
    if (!from)
        return fail(f, "a timer that nobody set");
    term made = sx_copy(f->run, from, e->n);
    if (!made)
        return STRAND_ENDED;
    keep(f, e->a, made);
    return STRAND_DONE;
}

static enum strand event(struct follow *f, const struct tale_event *e)
{
    switch ((enum tale_what)e->what) {
    case TALE_SETUP:
        return setup(f);
    case TALE_POST:
        return post(f, e->n);
    case TALE_ENTERS:
        return enter(f, e, TERM_NONE);
    case TALE_GOES_ON:
        return go_on(f, e->a);
    case TALE_COPIED:
        return tick(f, e);
    case TALE_POSTED:
    case TALE_BEGINS:
    case TALE_ENDS:
    case TALE_WAITS:
        break;
    }
    return fail(f, "an operation of nobody");
}

void follow_clear(struct follow *f)
{
    for (uint32_t i = 0; i < f->tasks.n; i++)
        sx_stack_free(f->tasks.at[i].stack);
    if (f->run)
        sx_end(f->run);
    f->run = NULL;
    vec_free(&f->tasks);
    vec_free(&f->vars);
    vec_free(&f->actors);
    map_free(&f->var_at);
    map_free(&f->blocks);
    arena_free(&f->arena);
}

// Why following ended, if it ended before the native run did.
static void judge_end(struct follow *f)
{
    const struct sx_path *p = sx_ended(f->run);
    bool over = f->at == f->tale->n;
    if (f->diverged)
        return;
    if (!p) {
        enum run_end end = runner_end(f->runner);
        bool left = end == RUN_LATE || end == RUN_TRAPPED;
        f->complete = over && !f->tale->cut && !left;
        f->why = f->complete ? NULL
                 : left      ? "natively it was left for want of time or memory"
                             : "the run is too long";
    } else if (p->end == SX_TRAPPED) {
        // A native run goes on where the IR stops: at bytes behind an object,
        // at memory that was freed.
        bool check = f->ir->fns.at[p->fn]->insts.at[p->inst].op == IR_TRAP;
        f->complete = over && runner_end(f->runner) == RUN_TRAPPED;
        f->diverged = check && !f->complete && !f->tale->cut;
        f->why = f->complete ? NULL : sx_trap_id(p->trap);
    } else {
        f->why = p->text ? p->text : "it does not go on";
    }
}

bool follow_run(struct follow *f, const struct input *in, const struct tale *t)
{
    const struct tale_event *e;
    enum strand s = STRAND_DONE;
    follow_clear(f);
    f->in = in;
    f->tale = t;
    f->at = 0;
    f->complete = f->diverged = false;
    f->why = NULL;
    f->run = sx_live(f->x);
    f->ctx = sx_object(f->run, 8);
    while (s != STRAND_ENDED && (e = next(f)))
        s = event(f, e);
    judge_end(f);
    return f->complete;
}
