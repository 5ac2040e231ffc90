/* Tables of functions, unions, structs in arrays, enums, aliasing. */
#include "troupe_short.h"
#include <stdint.h>
#include <string.h>
TR_PROTOCOL(dev, event, slot, raw, call_it);
enum kind { KEY, MOUSE, TOUCH };
struct event {
    enum kind kind;
    union {
        struct {
            uint16_t code;
            uint8_t mods;
        } key;
        struct {
            int16_t x, y;
        } mouse;
        float pressure;
    } u;
};
TR_MESSAGE(event);
struct slot {
    uint8_t i, j;
    int16_t v;
};
TR_MESSAGE(slot);
struct raw {
    uint8_t b[8];
};
TR_MESSAGE(raw);
struct call_it {
    uint8_t op;
    int a, b;
};
TR_MESSAGE(call_it);
struct cell {
    int16_t v;
    uint8_t uses;
};
struct dev {
    struct cell grid[3][4];
    struct cell *last;
    int regs[2], seen;
};
typedef int fn(int, int);
static int f_add(int a, int b)
{
    return (int)((unsigned)a + (unsigned)b);
}
static int f_max(int a, int b)
{
    return a > b ? a : b;
}
static int f_and(int a, int b)
{
    return a & b;
}
static int f_mul(int a, int b)
{
    return (int)((unsigned)a * (unsigned)b);
}
static fn *const table[] = {f_add, f_max, f_and, f_mul};
TR_HANDLER(dev, event)
{
    switch (msg->kind) {
    case KEY:
        if (msg->u.key.code == 0x1b && msg->u.key.mods == 6)
            self->seen = 1; // TARGET escape: reachable
        break;
    case MOUSE:
        if (msg->u.mouse.x == -msg->u.mouse.y && msg->u.mouse.x > 900)
            self->seen = 2; // TARGET diagonal: reachable
        break;
    case TOUCH:
        if (msg->u.pressure > 0.5f && msg->u.pressure < 0.51f)
            self->seen = 3; // TARGET press: reachable
        break;
    default:
        self->seen = 4; // TARGET unknown: reachable
    }
}
TR_HANDLER(dev, slot)
{
    if (msg->i >= 3 || msg->j >= 4)
        return;
    struct cell *c = &self->grid[msg->i][msg->j];
    if (self->last && c != self->last && self->last->v == c->v && c->v == 321)
        self->seen = 5; // TARGET alias: reachable
    c->v = msg->v;
    if (c->uses < 250)
        c->uses++;
    if (self->last == c && c->uses == 3 && c == &self->grid[2][1])
        self->seen = 6; // TARGET thrice: reachable
    self->last = c;
    if (self->last > &self->grid[2][3])
        self->seen = 7; // TARGET beyond: impossible, the last cell
}
TR_HANDLER(dev, raw)
{
    uint32_t be = (uint32_t)msg->b[0] << 24 | (uint32_t)msg->b[1] << 16 |
                  (uint32_t)msg->b[2] << 8 | msg->b[3];
    uint32_t le;
    float f;
    memcpy(&le, msg->b + 4, 4);
    memcpy(&f, msg->b + 4, 4);
    if (be == 0xdeadbeef && f == 1.5f)
        self->seen = 8; // TARGET both: reachable
    if (le > 0x7f800000u && le < 0x80000000u && f == f)
        self->seen = 9; // TARGET nan: impossible, such bits are no number
}
TR_HANDLER(dev, call_it)
{
    if (msg->op >= 4)
        return;
    int v = table[msg->op](self->regs[0], msg->a);
    if (table[msg->op] == f_mul && v == 391 && msg->a != 1 && msg->a != 391)
        self->seen = 10; // TARGET factors: reachable
    if (table[msg->op] == f_and && v > msg->a && msg->a >= 0)
        self->seen = 11; // TARGET and: impossible, v & a <= a
    self->regs[0] = v;
    self->regs[1] = table[(msg->op + 1) & 3](self->regs[1], msg->b);
    if (self->regs[0] == 1000 && self->regs[1] == -1000)
        self->seen = 12; // TARGET registers: reachable
}
TR_BEHAVIOUR(dev, on, TR_ON(event, dev_event), TR_ON(slot, dev_slot),
             TR_ON(raw, dev_raw), TR_ON(call_it, dev_call_it));
TR_CLASS(dev, .start = &dev_on);
TR_SYSTEM(bus)
{
    dev_ref dev = spawn(dev);
    expose(dev);
}

TR_TEST(escape)
{
    dev_ref dev = spawn(dev);
    send(dev, event, .kind = KEY, .u.key = {0x1b, 6});
    drain();
}
TR_TEST(diagonal)
{
    dev_ref dev = spawn(dev);
    send(dev, event, .kind = MOUSE, .u.mouse = {901, -901});
    drain();
}
TR_TEST(press)
{
    dev_ref dev = spawn(dev);
    send(dev, event, .kind = TOUCH, .u.pressure = 0.505f);
    drain();
}
TR_TEST(unknown)
{
    dev_ref dev = spawn(dev);
    send(dev, event, .kind = (enum kind)9);
    drain();
}
TR_TEST(alias)
{
    dev_ref dev = spawn(dev);
    send(dev, slot, .i = 1, .j = 1, .v = 321);
    send(dev, slot, .i = 0, .j = 2, .v = 321);
    send(dev, slot, .i = 1, .j = 1);
    drain();
}
TR_TEST(thrice)
{
    dev_ref dev = spawn(dev);
    send(dev, slot, .i = 2, .j = 1);
    send(dev, slot, .i = 2, .j = 1);
    send(dev, slot, .i = 2, .j = 1);
    drain();
}
TR_TEST(both)
{
    dev_ref dev = spawn(dev);
    send(dev, raw, .b = {0xde, 0xad, 0xbe, 0xef, 0, 0, 0xc0, 0x3f});
    drain();
}
TR_TEST(factors)
{
    dev_ref dev = spawn(dev);
    send(dev, call_it, .op = 0, .a = 17);
    send(dev, call_it, .op = 3, .a = 23);
    drain();
}
TR_TEST(registers)
{
    dev_ref dev = spawn(dev);
    send(dev, call_it, .op = 0, .a = 1000);
    send(dev, call_it, .op = 3, .a = 1, .b = -1000);
    drain();
}
