/* Numbers, bits and a check sum in one message. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(port, packet);
struct packet {
    unsigned version : 3, length : 9, urgent : 1;
    uint32_t key;
    int64_t amount;
    uint8_t bytes[6];
};
TR_MESSAGE(packet);

struct port {
    int seen;
};
static uint8_t fold(const uint8_t *b, int n)
{
    uint8_t x = 0x5a;
    for (int i = 0; i < n; i++)
        x = (uint8_t)((x << 1 | x >> 7) ^ b[i]);
    return x;
}
TR_HANDLER(port, packet)
{
    if (msg->version == 5 && msg->length == 300 && msg->urgent)
        self->seen = 1; // TARGET fields: reachable
    if ((msg->key ^ 0xdeadbeef) * 5 == 0x12345677)
        self->seen = 2; // TARGET key: reachable
    if (fold(msg->bytes, 6) == 0x77 && msg->bytes[0] == 1 && msg->bytes[5] == 9)
        self->seen = 3; // TARGET fold: reachable
    if (msg->length > 512)
        self->seen = 4; // TARGET ninebits: impossible, nine bits hold 511 at most
    if (msg->amount > 0 && msg->amount % 6 == 0 && msg->amount % 9 == 5)
        self->seen = 5; // TARGET remainder: impossible, modulo 3 it is both 0 and 2
    if ((msg->key & 12) == 8 && msg->key % 8 < 4 && msg->key / 16 == 1000)
        self->seen = 6; // TARGET middle: reachable
}
TR_BEHAVIOUR(port, open, TR_ON(packet, port_packet));
TR_CLASS(port, .start = &port_open);

TR_SYSTEM(net)
{
    port_ref port = spawn(port);
    expose(port);
}
TR_TEST(fields)
{
    port_ref port = spawn(port);
    send(port, packet, .version = 5, .length = 300, .urgent = 1);
    drain();
}
TR_TEST(key)
{
    port_ref port = spawn(port);
    send(port, packet, .key = 0xdeadbeef ^ (uint32_t)(0x12345677 * 0xcccccccdu));
    drain();
}
TR_TEST(fold)
{
    port_ref port = spawn(port);
    for (int b = 0; b < 256; b++)
        send(port, packet, .bytes = {1, 0, 0, 0, (uint8_t)b, 9});
    drain();
}
TR_TEST(middle)
{
    port_ref port = spawn(port);
    send(port, packet, .key = 16008);
    drain();
}
