#!/usr/bin/env python3
"""attack.py SEED: an actor program with many guarded lines, some of which nobody
reaches.  What proofs say of it is compared with native runs (suite sound).

State, heap, globals that only the setup writes, waits, timers, behaviours,
deferred messages, hooks, bit-fields, floats, function pointers, loops, and text
are all there; numbers are small, so that runs pass whatever can be passed."""
import random
import sys

seed = int(sys.argv[1])
R = random.Random(seed)
out = []
marks = 0


def p(s=''):
    out.append(s)


def one(*xs):
    return R.choice(xs)


def k():
    return one(0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, -1)


FEATURES = ['bits', 'float', 'heap', 'list', 'await', 'get', 'timer', 'become', 'defer', 'init',
            'global', 'pointer', 'array', 'text', 'watch', 'fini', 'choose', 'param', 'every',
            'until', 'unsigned', 'byte', 'shared', 'print', 'child', 'union', 'recurse', 'limit']
F = set(R.sample(FEATURES, R.randint(1, 6)))


class Where:
    """What expressions may speak of at a place."""

    def __init__(self, msg=None, answer=None, box=False, early=False):
        self.msg, self.answer, self.box, self.early = msg, answer, box, early
        self.locals = []

    def number(self, depth=0):
        opts = ['self->a', 'self->b', 'self->c'] * 2
        if 'bits' in F:
            opts += ['self->f', 'self->g', 'self->s']
        if 'byte' in F:
            opts += ['self->y', 'self->z']
        if 'unsigned' in F:
            opts += ['self->u']
        if 'array' in F:
            opts += ['self->arr[%d]' % R.randrange(4), 'self->arr[self->a & 3]']
        if 'global' in F:
            opts += ['limit', 'table[self->b & 3]']
        if 'shared' in F:
            opts += ['shared_box->v', 'shared_box->w']
        if 'pointer' in F and depth < 2:
            opts += ['self->op(%s)' % self.number(depth + 2)]
        if 'text' in F:
            opts += ['(int)strlen(self->name)', 'self->name[0]', 'self->name[1]']
        if 'choose' in F:
            opts += ['(int)choose(3)']
        if 'heap' in F and self.box:
            opts += ['self->box->v', 'self->box->w'] * 2
        if 'list' in F and self.box:
            opts += ['list_sum(self->list)', 'list_len(self->list)']
        if 'recurse' in F and depth < 2:
            opts += ['fold(%s & 3)' % self.number(depth + 2)]
        if 'union' in F:
            opts += ['self->un.half[0]', 'self->un.all']
        if self.msg:
            opts += ['msg->v', 'msg->w', 'msg->k'] * 2
            if 'bits' in F:
                opts += ['msg->f', 'msg->s']
        if self.answer:
            opts += [self.answer] * 3
        opts += self.locals * 2
        e = R.choice(opts)
        if depth < 2 and R.random() < 0.3:
            e = '(%s %s %s)' % (e, one('+', '-', '*', '&', '|', '^', '+', '-'),
                                self.number(depth + 1) if R.random() < 0.5 else k())
        elif depth < 2 and R.random() < 0.1:
            e = '(%s %s %d)' % (e, one('/', '%'), one(2, 3, 4, 5))
        elif R.random() < 0.05:
            e = one('(uint8_t)%s', '(int8_t)%s', '(%s ? 1 : 0)', '!%s', '-%s') % e
        return e

    def condition(self, depth=0):
        r = R.random()
        if 'float' in F and r < 0.15:
            c = '%s %s %s' % (one('self->d', 'self->e') if not self.msg else
                              one('self->d', 'self->e', 'msg->d'),
                              one('<', '>', '==', '>=', '<=', '!='),
                              one('0.0', '0.5', '1.0', '0.1', '2.0', '-1.0', 'self->e', 'self->d'))
        elif 'list' in F and self.box and r < 0.2:
            c = one('self->list', '!self->list', '(self->list && self->list->next)',
                    '(self->list && self->list->v == %d)' % k())
        else:
            c = '%s %s %s' % (self.number(), one('<', '>', '==', '==', '>=', '<=', '!='),
                              k() if R.random() < 0.7 else self.number())
        if depth < 1 and R.random() < 0.25:
            c = '(%s) %s (%s)' % (c, one('&&', '||', '&&'), self.condition(depth + 1))
        return c


def mark(ind):
    global marks
    marks += 1
    p('%sself->mark = %d;' % (ind, marks))


def send(w, ind):
    to = one('me(%s)' % cls, 'self->peer', 'self->other')
    m = one('m0', 'm1')
    p('%sif (self->fuel > 0 && self->peer && self->other) {' % ind)
    p('%s    self->fuel--;' % ind)
    how = 'send(%s, ' % to
    if 'timer' in F and R.random() < 0.4:
        how = 'send_after(%d, %s, ' % (one(1, 2, 5), to)
    p('%s    %s%s, .v = %s, .w = %s, .k = %d);' % (ind, how, m, w.number(1), w.number(1), k() & 7))
    p('%s}' % ind)


def write(w, ind):
    kinds = ['a', 'b', 'c'] * 2
    kinds += [f for f in ('bits', 'float', 'array', 'byte', 'unsigned', 'text', 'union') if f in F] * 2
    if w.box:
        kinds += [f for f in ('heap', 'list') if f in F] * 2
    if 'pointer' in F:
        kinds += ['pointer']
    if 'shared' in F and atomic:
        kinds += ['shared']
    t = R.choice(kinds)
    e = w.number(1)
    small = one('%s', '(%s) %% 4', '(%s) & 7', '(%s) > 5 ? 0 : (%s)')
    e = small.replace('%s', e).replace('%%', '%')
    if t in 'abc':
        p('%sself->%s %s %s;' % (ind, t, one('=', '=', '+='), e))
    elif t == 'bits':
        p('%sself->%s = %s;' % (ind, one('f', 'g', 's'), e))
    elif t == 'float':
        p('%sself->%s %s %s;' % (ind, one('d', 'e'), one('=', '+=', '*='),
                                one('0.5', '1.0', '(double)(%s)' % e, 'self->e', '0.1')))
    elif t == 'array':
        p('%sself->arr[(%s) & 3] = %s;' % (ind, w.number(1), e))
    elif t == 'byte':
        p('%sself->%s %s %s;' % (ind, one('y', 'z'), one('=', '+='), e))
    elif t == 'unsigned':
        p('%sself->u %s %s;' % (ind, one('=', '+=', '-='), e))
    elif t == 'text':
        p('%s%s' % (ind, one('strcpy(self->name, "%s");' % one('ab', 'abc', 'x', ''),
                             'self->name[%d] = (char)(%s);' % (R.randrange(3), e),
                             'snprintf(self->name, sizeof self->name, "%%d", %s);' % e,
                             'memcpy(self->name, "zz", 3);')))
    elif t == 'union':
        p('%sself->un.%s = %s;' % (ind, one('half[0]', 'all', 'half[1]'), e))
    elif t == 'heap':
        p('%sself->box->%s = %s;' % (ind, one('v', 'w'), e))
    elif t == 'list':
        p('%slist_push(&self->list, %s);' % (ind, e))
    elif t == 'pointer':
        p('%sself->op = %s;' % (ind, one('twice', 'next', 'half')))
    elif t == 'shared':
        p('%sshared_box->%s = %s;' % (ind, one('v', 'w'), e))


def statements(w, ind, n, depth=0):
    mine = len(w.locals)
    for _ in range(n):
        r = R.random()
        if r < 0.42 and depth < 3:
            p('%sif (%s) {' % (ind, w.condition()))
            mark(ind + '    ')
            if R.random() < 0.5:
                statements(w, ind + '    ', 1, depth + 1)
            p('%s}' % ind)
        elif r < 0.5 and depth < 2:
            i = 'i%d' % R.randrange(1000)
            bound = one('3', '4', '(%s) & 3' % w.number(1))
            p('%sfor (int %s = 0; %s < (%s); %s++) {' % (ind, i, i, bound, i))
            w.locals.append(i)
            if 'print' in F and R.random() < 0.4:
                p('%s    printf("%%d\\n", %s);' % (ind, i))
            statements(w, ind + '    ', R.randint(1, 2), depth + 1)
            w.locals.remove(i)
            p('%s}' % ind)
        elif r < 0.6:
            send(w, ind)
        elif r < 0.66 and 'become' in F and not w.early:
            p('%sbecome(%s, %s);' % (ind, cls, one('open', 'shut')))
        elif r < 0.7:
            x = 'x%d' % R.randrange(10000)
            p('%sint %s = %s;' % (ind, x, w.number()))
            p('%s(void)%s;' % (ind, x))
            w.locals.append(x)
        elif r < 0.73 and 'watch' in F and not w.early:
            p('%sif (self->fuel == 2) {' % ind)
            p('%s    self->fuel--;' % ind)
            p('%s    stop();' % ind)
            p('%s    return;' % ind)
            p('%s}' % ind)
        elif r < 0.75 and 'watch' in F and cls == 'one' and not w.early:
            p('%sif (self->fuel > 0) {' % ind)
            p('%s    self->fuel--;' % ind)
            p('%s    watch(self->peer, one, gone);' % ind)
            p('%s}' % ind)
        elif r < 0.80 and w.msg and not w.early and ('await' in F or 'get' in F) and depth == 0 \
                and cls == 'one':
            how = one(*[x for x in ('await', 'get') if x in F])
            a = 'r%d' % R.randrange(10000)
            lim = 'limit' in F and R.random() < 0.4
            p('%sif (self->fuel > 0) {' % ind)
            p('%s    self->fuel--;' % ind)
            p('%s    const struct answer *%s = %s(%sself->helper, question, .n = %s));' %
              (ind, a, how, 'ask_within(5, ' if lim else 'ask(', w.number(1)))
            p('%s    if (!%s) {' % (ind, a))
            mark(ind + '        ')
            p('%s        return;' % ind)
            p('%s    }' % ind)
            inner = Where(w.msg, '%s->r' % a, w.box)
            inner.locals = list(w.locals)
            statements(inner, ind + '    ', R.randint(1, 3), 1)
            p('%s}' % ind)
        elif r < 0.82 and 'until' in F and depth == 0 and w.msg and not w.early:
            p('%sif (self->fuel > 0) {' % ind)
            p('%s    self->fuel--;' % ind)
            p('%s    await_until(%s);' % (ind, w.condition()))
            mark(ind + '    ')
            statements(w, ind + '    ', 1, 1)
            p('%s}' % ind)
        else:
            write(w, ind)
    del w.locals[mine:]


def fields(c):
    p('struct %s {' % c)
    p('    int a, b, c, fuel, mark;')
    p('    two_ref peer;')
    p('    two_ref other;')
    if c == 'one':
        p('    helper_ref helper;')
    if 'bits' in F:
        p('    unsigned f : 3, g : 4;')
        p('    int s : 3;')
    if 'byte' in F:
        p('    uint8_t y;')
        p('    int8_t z;')
    if 'unsigned' in F:
        p('    uint32_t u;')
    if 'float' in F:
        p('    double d, e;')
    if 'array' in F:
        p('    int arr[4];')
    if 'pointer' in F:
        p('    int (*op)(int);')
    if 'text' in F:
        p('    char name[16];')
    if 'heap' in F:
        p('    struct box *box;')
    if 'list' in F:
        p('    struct node *list;')
    if 'union' in F:
        p('    union { uint16_t half[2]; uint32_t all; } un;')
    p('};')


# With `shared` an actor may write to memory that the setup made.
atomic = R.random() < 0.3
p('// seed %d: %s' % (seed, ' '.join(sorted(F))))
p('#include "troupe_short.h"')
for h in ('stdint', 'stdio', 'stdlib', 'string'):
    p('#include <%s.h>' % h)
p('')
p('TR_PROTOCOL(one, m0, m1, tick, gone);')
p('TR_PROTOCOL(two, m0, m1, tick, gone);')
p('TR_PROTOCOL(helper, question);')
for m in ('m0', 'm1'):
    p('struct %s {' % m)
    p('    int v, w;')
    p('    uint8_t k;')
    if 'bits' in F:
        p('    unsigned f : 3;')
        p('    int s : 4;')
    if 'float' in F:
        p('    double d;')
    p('};')
    p('TR_MESSAGE(%s);' % m)
p('TR_SIGNAL(tick);')
p('TR_SIGNAL(gone);')
p('struct answer {')
p('    int r;')
p('};')
p('struct question {')
p('    int n;')
p('};')
p('TR_REQUEST(question, answer);')
p('struct box {')
p('    int v, w;')
p('};')
p('struct node {')
p('    int v;')
p('    struct node *next;')
p('};')
if 'global' in F:
    p('static int limit = %d;' % k())
    p('static int table[4] = {1, %d, 3, %d};' % (k(), k()))
if 'shared' in F:
    p('static struct box *shared_box;')
if 'pointer' in F:
    p('static int twice(int x) { return 2 * x; }')
    p('static int next(int x) { return x + 1; }')
    p('static int half(int x) { return x / 2; }')
if 'recurse' in F:
    p('static int fold(int n) { return n <= 0 ? %d : n + fold(n - 1); }' % (k() & 3))
if 'list' in F:
    p('static void list_push(struct node **l, int v)')
    p('{')
    p('    struct node *n = malloc(sizeof *n);')
    p('    if (!n)')
    p('        abort();')
    p('    n->v = v;')
    p('    n->next = *l;')
    p('    *l = n;')
    p('}')
    p('static int list_sum(const struct node *l) { int s = 0; for (; l; l = l->next) s += l->v; return s; }')
    p('static int list_len(const struct node *l) { int s = 0; for (; l; l = l->next) s++; return s; }')
p('')
p('struct helper {')
p('    int seen, mark;')
p('};')
p('TR_HANDLER(helper, question)')
p('{')
p('    self->seen%s;' % one('++', ' = msg->n', ' += 2'))
p('    if (self->seen %s %d) {' % (one('==', '>', '<'), k()))
p('        self->mark = 1;')
if 'limit' in F:
    p('        return;')
p('    }')
p('    reply(question, .r = %s);' % one('msg->n', 'self->seen', 'msg->n & 3', '%d' % k(), 'msg->n * 2'))
p('}')
p('TR_BEHAVIOUR(helper, open, TR_ON(question, helper_question));')
p('TR_CLASS(helper, .start = &helper_open);')

made = {}
for cls in ('two', 'one'):
    p('')
    if 'become' in F:
        p('TR_STATES(%s, open, shut);' % cls)
    fields(cls)
    init = 'init' in F or 'heap' in F or 'pointer' in F
    boxed = 'heap' in F
    hooks = ''
    if init:
        p('TR_INIT(%s)' % cls)
        p('{')
        if 'heap' in F:
            p('    self->box = calloc(1, sizeof *self->box);')
        if 'pointer' in F:
            p('    self->op = %s;' % one('twice', 'next', 'half'))
        w = Where(None, None, True, True)
        if 'init' in F:
            statements(w, '    ', R.randint(1, 3), 1)
        if 'every' in F and cls == 'two':
            p('    every(3, me(two), tick);')
        p('    (void)ctx;')
        p('}')
        hooks += ', .init = %s_init_' % cls
    if 'fini' in F:
        p('TR_FINI(%s)' % cls)
        p('{')
        w = Where(None, None, True, True)
        p('    if (%s)' % w.condition())
        mark('        ')
        if 'list' in F:
            p('    while (self->list) {')
            p('        struct node *n = self->list;')
            p('        self->list = n->next;')
            p('        free(n);')
            p('    }')
        if 'heap' in F:
            p('    free(self->box);')
        p('    (void)ctx;')
        p('}')
        hooks += ', .fini = %s_fini_' % cls
    behaviours = ['open', 'shut'] if 'become' in F else ['open']
    rows = {}
    for b in behaviours:
        rows[b] = []
        for m in ('m0', 'm1', 'tick', 'gone'):
            r = R.random()
            if b == 'shut' and 'defer' in F and r < 0.3:
                rows[b].append('TR_DEFER(%s)' % m)
            elif b == 'shut' and r < 0.4:
                rows[b].append('TR_IGNORE(%s)' % m)
            else:
                rows[b].append('TR_ON(%s, %s_%s_%s)' % (m, cls, b, m))
    for b in behaviours:
        for m in ('m0', 'm1', 'tick', 'gone'):
            if not any(x == 'TR_ON(%s, %s_%s_%s)' % (m, cls, b, m) for x in rows[b]):
                continue
            p('TR_HANDLER_AS(%s_%s_%s, %s, %s)' % (cls, b, m, cls, m))
            p('{')
            has = m in ('m0', 'm1')
            w = Where('msg' if has else None, None, True)
            statements(w, '    ', R.randint(2, 4))
            if not has:
                p('    (void)msg;')
            p('    (void)ctx;')
            p('    (void)self;')
            p('}')
    for b in behaviours:
        p('TR_BEHAVIOUR(%s, %s, %s);' % (cls, b, ', '.join(rows[b])))
    p('TR_CLASS(%s, .start = &%s_open%s);' % (cls, cls, hooks))

p('')
setup = []
save, out = out, setup
if 'global' in F and R.random() < 0.5:
    p('    limit = %s;' % ('(int)param("limit", 2)' if 'param' in F else k()))
    p('    table[%d] = %d;' % (R.randrange(4), k()))
if 'shared' in F:
    p('    shared_box = calloc(1, sizeof *shared_box);')
    p('    shared_box->v = %d;' % k())
n = '(int)param("n", 1)' if 'param' in F else str(k())
p('    helper_ref h = spawn(helper);')
p('    two_ref t = spawn(two, .a = %s, .b = %d, .fuel = %d);' % (n, k(), R.randint(1, 3)))
if 'child' in F:
    p('    two_ref t2 = spawn(two, .a = %d, .peer = t, .fuel = %d);' % (k(), R.randint(1, 3)))
else:
    p('    two_ref t2 = t;')
p('    one_ref o = spawn(one, .a = %d, .c = %s, .helper = h, .peer = t, .other = t2, .fuel = %d);' %
  (k(), n if R.random() < 0.5 else k(), R.randint(1, 3)))
if 'watch' in F:
    p('    send(o, tick);')
if R.random() < 0.5:
    p('    send(t, m0, .v = %d, .w = %d);' % (k(), k()))
p('    expose(o);')
if R.random() < 0.3:
    p('    expose(t);')
p('    (void)t2;')
out = save
p('TR_SYSTEM(attack)')
p('{')
out += setup
p('}')
text = '\n'.join(x for x in out if x)
print(text)
