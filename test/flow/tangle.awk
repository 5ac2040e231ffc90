# awk -v n=40 -f test/flow/tangle.awk: a program whose n functions take all
# their memory from one place, keep functions in it, call what they find there,
# copy it about and walk through it: every pointer may point to nearly all.
BEGIN {
    print "#include <troupe_short.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdint.h>"
    print "struct go { int n; }; TR_MESSAGE(go); TR_PROTOCOL(a, go);"
    print "static struct { void *(*make)(size_t); } memory = {malloc};"
    print "struct item { struct item *next; int (*use)(struct item *, void *);"
    print "    void *data; char text[64]; size_t n; struct item *kids[4]; };"
    print "struct a { struct item items[4]; a_ref peer; int n; };"
    print "static struct item *item_new(size_t more) {"
    print "    struct item *i = memory.make(sizeof *i + more);"
    print "    return memset(i, 0, sizeof *i); }"
    for (k = 0; k < n; k++)
        print "static int use_" k "(struct item *i, void *data);"
    for (k = 0; k < n; k++) {
        print "static int use_" k "(struct item *i, void *data) {"
        print "    struct item copy = *i, *fresh = item_new(" k ");"
        print "    memcpy(fresh->text, i->text, i->n);"
        print "    memcpy(fresh, data, sizeof *fresh);"
        print "    if (((uintptr_t)i & 7) == 1) return " k ";"
        print "    fresh->next = i->next; fresh->use = use_" ((k * 7 + 3) % n) ";"
        print "    fresh->data = &i->kids[" (k % 4) "]; i->kids[i->n % 4] = fresh;"
        print "    for (struct item *p = i; p && p->n; p = p->next) {"
        print "        char *c = p->text; while (*c) c++;"
        print "        copy.kids[" (k % 4) "] = (struct item *)(c + " k "); }"
        print "    if (i->next && i->next->use)"
        print "        return i->next->use(&copy, fresh) + copy.use(fresh, i);"
        print "    return fresh->use(fresh->next, fresh->data); }"
    }
    print "TR_HANDLER(a, go) { struct item *i = item_new(0);"
    for (k = 0; k < n; k++)
        print "if (msg->n == " k ") { i->use = use_" k "; i->data = &self->items[" (k % 4) "];" \
            " self->items[" (k % 4) "].use = use_" ((k + 1) % n) ";" \
            " use_" k "(&self->items[" ((k + 1) % 4) "], i); }"
    print "send(self->peer, go, .n = self->n); }"
    print "TR_BEHAVIOUR(a, on, TR_ON(go, a_go)); TR_CLASS(a, .start = &a_on);"
    print "TR_TEST(t) { a_ref x = spawn(a), y = spawn(a, .peer = x); send(y, go, .n = 1); }"
}
