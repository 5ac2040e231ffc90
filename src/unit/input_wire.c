#include "unit/input_wire.h"

static void put_object(struct text *t, const struct input_object *o)
{
    wire_put32(t, o->role);
    wire_put_string(t, o->name);
    wire_put32(t, o->type);
    wire_put64(t, o->count);
    wire_put32(t, o->array);
    wire_put64(t, o->more);
    wire_put32(t, o->form);
    wire_put64(t, o->size);
    wire_put(t, o->bytes, o->size);
    wire_put(t, o->known, o->size);
    wire_put32(t, o->links.n);
    for (uint32_t i = 0; i < o->links.n; i++)
        wire_put(t, &o->links.at[i], sizeof o->links.at[i]);
}

static void take_object(struct wire_reader *r, struct arena *a,
                        struct input *in)
{
    uint32_t role = wire_get_below(r, INPUT_STUB + 1);
    const char *name = wire_get_string(r);
    uint32_t type = wire_get32(r);
    uint64_t count = wire_get64(r);
    bool array = wire_get32(r);
    uint64_t more = wire_get64(r);
    uint32_t form = wire_get_below(r, CALL_FORMS_N);
    uint64_t size = wire_get64(r);
    if (r->bad || !wire_has(r, size, 2))
        return;
    struct input_object *o =
        input_add(in, a, (enum input_role)role, arena_text(a, name ? name : ""),
                  type, size);
    o->count = count;
    o->array = array;
    o->more = more;
    o->form = (enum call_form)form;
    wire_get(r, o->bytes, size);
    const uint8_t *known = wire_take(r, size);
    for (uint64_t i = 0; known && i < size; i++)
        o->known[i] = known[i] != 0;
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct input_link l;
        wire_get(r, &l, sizeof l);
        r->bad |= l.offset >= size;
        vec_push(&o->links, l);
    }
}

void input_send(const struct input *in, struct text *to)
{
    wire_put32(to, in->objects.n);
    for (uint32_t i = 0; i < in->objects.n; i++)
        put_object(to, &in->objects.at[i]);
}

// Whoever reads an input follows its links.
static bool links_lead_to_objects(const struct input *in)
{
    for (uint32_t i = 0; i < in->objects.n; i++) {
        const struct input_object *o = &in->objects.at[i];
        for (uint32_t k = 0; k < o->links.n; k++)
            if (o->links.at[k].object != IR_NOTHING &&
                o->links.at[k].object >= in->objects.n)
                return false;
    }
    return true;
}

void input_receive(struct wire_reader *r, struct arena *a, struct input *out)
{
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        take_object(r, a, out);
    r->bad |= !links_lead_to_objects(out);
}
