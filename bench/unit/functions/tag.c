enum kind { NUMBER, TEXT, PAIR };
struct value {
    enum kind kind;
    union {
        int number;
        const char *text;
        struct {
            short first, second;
        } pair;
    };
};
int truth(const struct value *v)
{
    switch (v->kind) {
    case NUMBER:
        return v->number != 0;
    case TEXT:
        return v->text && v->text[0] ? 1 : 0;
    case PAIR:
        return v->pair.first == v->pair.second ? 0 : 1;
    }
    return -1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < 2; n++) {
            struct value v = {(enum kind)k, {.number = n}};
            if (k == TEXT)
                v.text = n ? "a" : "";
            if (k != TEXT || v.text)
                TRY(truth(&v));
        }
    struct value v = {TEXT, {.text = 0}};
    TRY(truth(&v));
    TRY(truth(0));
}
#endif
