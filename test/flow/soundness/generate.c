/* generate SEED CLASSES MESSAGES STATEMENTS: a random actor program on stdout,
 * for the soundness test and the benchmark of the message flow graph.
 *
 * References go everywhere C lets them: fields, arrays, nested structs, unions,
 * lists on the heap, function pointers, helpers, structs by value, integers,
 * variable arguments; through messages, asks, replies, timers and watches.
 * Every message has a count that each send lowers, so that a run ends. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static int classes, messages, statements;

static unsigned below(int n)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % (unsigned)n);
}

/* A place in the state or on the heap to keep a reference in. */
static const char *const places[] = {
    "self->r",
    "self->s",
    "self->pair.x",
    "self->pair.y",
    "self->v[0]",
    "self->v[3]",
    "self->v[left & 3]",
    "self->in[left & 1].pair.y",
    "self->in[1].pair.x",
    "self->u.r",
    "self->box->r",
    "*slot(self, left)",
    "self->grid[left & 1][1]",
    "local[left & 3]",
    "local[2]",
    "kept.x",
};
/* What can be read as a reference, beside these. */
static const char *const sources[] = {
    "msg->a",
    "msg->pair.y",
    "msg->v[left % 3]",
    "msg->v[1]",
    "sender()",
    "(tr_ref)MY",
    "newest(self)",
    "swapped(self->pair).x",
    "(tr_ref)(uintptr_t)self->number",
    "any_of(2, self->r, self->s)",
    "self->take ? self->take(self->r, msg->a) : NULL",
    "(left & 1 ? self->r : msg->a)",
};
enum {
    PLACES = sizeof places / sizeof *places,
    SOURCES = sizeof sources / sizeof *sources
};

static void reference(int cls)
{
    unsigned k = below(PLACES + SOURCES + 2);
    if (k < PLACES)
        printf("%s", places[k]);
    else if (k == PLACES + 6)
        printf("newest_%d(self)", cls);
    else if (k == PLACES + 5)
        printf("(tr_ref)me(c%d)", cls);
    else if (k < PLACES + SOURCES)
        printf("%s", sources[k - PLACES]);
    else
        printf("(left > 4 ? (tr_ref)spawn(c%u, .r = %s, .box = box_new(%s)) : "
               "NULL)",
               below(classes), places[below(10)], places[below(10)]);
}

static void fields(int cls, const char *count)
{
    printf(".left = %s, .kind = %u", count, below(4));
    if (below(2)) {
        printf(", .a = ");
        reference(cls);
    }
    if (below(2)) {
        printf(", .pair.y = ");
        reference(cls);
    }
    if (below(2)) {
        printf(", .v[%u] = ", below(3));
        reference(cls);
    }
}

static void statement(int cls)
{
    printf("    if (left > 0%s) ", below(3) ? "" : " && (left & 1)");
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
        printf("{ tr_ref to = ");
        reference(cls);
        printf("; if (to) send_any(to, m%u, ", below(messages));
        fields(cls, "left - 1");
        printf("); }\n");
        return;
    case 3:
        printf("push_%d(self, ", cls);
        reference(cls);
        printf(");\n");
        return;
    case 4:
        printf("self->number = (uintptr_t)(");
        reference(cls);
        printf(");\n");
        return;
    case 5:
        printf("self->take = %s;\n", below(2) ? "first" : "second");
        return;
    case 6:
        printf("tell(ctx, ");
        reference(cls);
        printf(", left - 1);\n");
        return;
    case 7:
        printf("send_after(%u, me(c%d), m%u, ", below(5), cls, below(messages));
        fields(cls, "left - 2");
        printf(");\n");
        return;
    case 8:
        printf("{ tr_ref to = ");
        reference(cls);
        printf("; if (to) watch(to, c%d, m%u, .left = 0); }\n", cls,
               below(messages));
        return;
    case 9:
        printf("{ tr_ref to = ");
        reference(cls);
        printf(";\n        if (to) { const struct answer *r = "
               "await(ask_within(3, (c%u_ref)to, question, .left = left - 1));"
               "\n            if (r) self->r = r->a; } }\n",
               below(classes));
        return;
    case 10:
        printf("become(c%d, b%u);\n", cls, below(2));
        return;
    default:
        printf("%s = ", places[below(PLACES)]);
        reference(cls);
        printf(";\n");
        return;
    }
}

static void head(void)
{
    puts("#include \"troupe_short.h\"\n#include <stdarg.h>\n"
         "#include <stdlib.h>\n#include <string.h>\n\n"
         "struct pair { tr_ref x, y; };\n"
         "struct answer { tr_ref a; };\n"
         "struct question { int left; };\nTR_REQUEST(question, answer);\n"
         "struct box { int n; tr_ref r; };\n"
         "struct node { struct node *next; tr_ref r; };\n");
    for (int m = 0; m < messages; m++)
        printf("struct m%d { int left, kind; tr_ref a; struct pair pair; "
               "tr_ref v[3]; };\nTR_MESSAGE(m%d);\n",
               m, m);
    for (int c = 0; c < classes; c++) {
        printf("TR_PROTOCOL(c%d, question", c);
        for (int m = 0; m < messages; m++)
            printf(", m%d", m);
        printf(");\n");
    }
    puts("\nstatic struct box *box_new(tr_ref r)\n{\n"
         "    struct box *b = calloc(1, sizeof *b);\n    if (!b)\n"
         "        abort();\n    b->r = r;\n    return b;\n}\n"
         "static struct pair swapped(struct pair p)\n{\n"
         "    return (struct pair){p.y, p.x};\n}\n"
         "static tr_ref first(tr_ref a, tr_ref b)\n{\n    (void)b;\n"
         "    return a;\n}\n"
         "static tr_ref second(tr_ref a, tr_ref b)\n{\n    (void)a;\n"
         "    return b;\n}\n"
         "static tr_ref any_of(int n, ...)\n{\n    va_list l;\n"
         "    tr_ref r = NULL;\n    va_start(l, n);\n"
         "    while (n-- > 0 && !r)\n        r = va_arg(l, tr_ref);\n"
         "    va_end(l);\n    return r;\n}");
    printf("static void tell(tr_ctx *ctx, tr_ref to, int left)\n{\n"
           "    if (to && left > 0)\n        send_any(to, m%u, .left = left, "
           ".a = tr_self_(ctx));\n}\n",
           below(messages));
}

static void class_state(int c)
{
    printf("\nstruct c%d {\n    tr_ref r, s;\n    struct pair pair;\n"
           "    tr_ref v[4], grid[2][2];\n"
           "    struct { int n; struct pair pair; } in[2];\n"
           "    union { tr_ref r; long n; } u;\n    struct box *box;\n"
           "    struct node *list;\n    uintptr_t number;\n"
           "    tr_ref (*take)(tr_ref, tr_ref);\n};\n",
           c);
}

/* The class's own helpers have its type. */
static void class_head(int c)
{
    printf("static void push_%d(struct c%d *self, tr_ref r)\n{\n"
           "    struct node *n = malloc(sizeof *n);\n    if (!n)\n"
           "        abort();\n    n->next = self->list;\n    n->r = r;\n"
           "    self->list = n;\n}\n",
           c, c);
    printf("static tr_ref newest_%d(struct c%d *self)\n{\n"
           "    struct node *n = self->list;\n"
           "    while (n && n->next && !n->r)\n        n = n->next;\n"
           "    return n ? n->r : NULL;\n}\n",
           c, c);
    printf("static tr_ref *slot_%d(struct c%d *self, int i)\n{\n"
           "    tr_ref *p = self->v;\n    for (; i > 0 && p < self->v + 3; "
           "i--)\n        p++;\n    return p;\n}\n",
           c, c);
    printf("TR_STATES(c%d, b0, b1);\n", c);
}

static void handler(int c, int m)
{
    printf("TR_HANDLER(c%d, m%d)\n{\n    int left = msg->left;\n"
           "    tr_ref local[4] = {0};\n    struct pair kept = msg->pair;\n"
           "    if (!self->box)\n        self->box = box_new(msg->a);\n",
           c, m);
    if (below(3) == 0) {
        printf("    switch (msg->kind) {\n");
        for (int k = 0; k < 3; k++) {
            printf("    case %d:\n    ", k);
            statement(c);
            printf("%s", below(4) ? "        break;\n" : "");
        }
        printf("    default:\n        break;\n    }\n");
    }
    for (int i = 0; i < statements; i++)
        statement(c);
    printf("    (void)local, (void)kept;\n}\n");
}

static void class_tail(int c)
{
    printf("TR_HANDLER(c%d, question)\n{\n    int left = msg->left;\n"
           "    tr_ref local[4] = {0};\n    struct pair kept = self->pair;\n"
           "    (void)local, (void)kept, (void)left;\n"
           "    reply(question, .a = %s);\n}\n",
           c, places[below(9)]);
    for (int b = 0; b < 2; b++) {
        printf("TR_BEHAVIOUR(c%d, b%d, TR_ON(question, c%d_question)", c, b, c);
        for (int m = 0; m < messages; m++)
            if (b && below(5) == 0)
                printf(", TR_IGNORE(m%d)", m);
            else
                printf(", TR_ON(m%d, c%d_m%d)", m, c, m);
        printf(");\n");
    }
    printf("TR_CLASS(c%d, .start = &c%d_b0);\n", c, c);
}

static void one_class(int c)
{
    class_head(c);
    printf("#define slot slot_%d\n#define newest newest_%d\n"
           "#define MY me(c%d)\n",
           c, c, c);
    for (int m = 0; m < messages; m++)
        handler(c, m);
    class_tail(c);
    printf("#undef slot\n#undef newest\n#undef MY\n");
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    classes = atoi(argv[2]);
    messages = atoi(argv[3]);
    statements = atoi(argv[4]);
    head();
    for (int c = 0; c < classes; c++)
        class_state(c);
    for (int c = 0; c < classes; c++)
        one_class(c);
    printf("\nTR_TEST(all)\n{\n    tr_ref r[%d] = {0};\n", classes);
    for (int c = 0; c < classes; c++)
        printf("    r[%d] = (tr_ref)spawn(c%d, .r = r[%u], .v[1] = r[%u]);\n",
               c, c, below(c + 1), below(c + 1));
    for (int i = 0; i < 2 * classes; i++)
        printf("    send_any(r[%u], m%u, .left = %u, .kind = %u, .a = r[%u], "
               ".pair = {r[%u], r[%u]});\n",
               below(classes), below(messages), 3 + below(4), below(4),
               below(classes), below(classes), below(classes));
    printf("    drain();\n}\n");
    return 0;
}
