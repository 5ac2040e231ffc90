/* Conditions on contents that chance does not meet: one comment a target. */
#include "troupe_short.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

TR_PROTOCOL(box, num, word, pack, seq, owned, choice, ask_it);
TR_PROTOCOL(peer, forwarded, question);

struct num {
    uint32_t a, b;
};
TR_MESSAGE(num);
struct word {
    char s[24];
};
TR_MESSAGE(word);
struct pack {
    uint8_t len, data[6];
    uint16_t crc;
    unsigned mode : 4, level : 7;
};
TR_MESSAGE(pack);
struct seq {
    int step;
};
TR_MESSAGE(seq);
struct owned {
    char *name;
};
static void owned_copy(void *to, const void *from)
{
    struct owned *t = to;
    const struct owned *f = from;
    t->name = f->name ? strdup(f->name) : NULL;
}
static void owned_drop(void *payload)
{
    struct owned *o = payload;
    free(o->name);
}
TR_MESSAGE(owned, .copy = owned_copy, .drop = owned_drop);
TR_SIGNAL(choice);
struct ask_it {
    uint32_t n;
};
TR_MESSAGE(ask_it);
struct forwarded {
    uint32_t key, times;
};
TR_MESSAGE(forwarded);
struct answer {
    uint32_t value;
};
struct question {
    uint32_t n;
};
TR_REQUEST(question, answer);

struct node {
    int v;
    struct node *next;
};
struct box {
    peer_ref peer;
    struct node *head;
    int state, n;
};
struct peer {
    uint32_t keys[2], n;
};

static uint16_t crc_of(const uint8_t *p, int n)
{
    uint16_t c = 0xffff;
    for (int i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++)
            c = (uint16_t)(c & 1 ? (c >> 1) ^ 0xa001 : c >> 1);
    }
    return c;
}

TR_HANDLER(box, num)
{
    if (msg->a * 7 + 3 == msg->b && msg->a > 100000 && msg->a % 1000 == 17)
        self->n = 1; // linear
    if ((msg->a ^ 0xdeadbeef) == msg->b && (msg->a & 0xffff) == 0x1234)
        self->n = 2; // bits
    send(self->peer, forwarded, .key = msg->a + msg->b, .times = msg->b);
}
TR_HANDLER(box, word)
{
    uint32_t h = 5381;
    if (strncmp(msg->s, "open:", 5) == 0 && isdigit((unsigned char)msg->s[5]) &&
        msg->s[6] == '-' && atoi(msg->s + 7) == 4711)
        self->n = 3; // text
    for (int i = 0; i < 24 && msg->s[i]; i++)
        h = h * 33 + (unsigned char)msg->s[i];
    if (h == 0x7c9e6865)
        self->n = 4; // hash
}
TR_HANDLER(box, pack)
{
    if (msg->len > 3 && msg->len <= 6 && crc_of(msg->data, msg->len) == msg->crc &&
        msg->data[0] == 0x5a)
        self->n = 5; // checksum
    if (msg->mode == 9 && msg->level * 3 == 303)
        self->n = 6; // bit-fields
}
TR_HANDLER(box, seq)
{
    if (self->state == 0 && msg->step == 91731)
        self->state = 1;
    else if (self->state == 1 && msg->step == -424242)
        self->state = 2; // second step
    else
        self->state = 0;
    struct node *n = malloc(sizeof *n);
    n->v = msg->step;
    n->next = self->head;
    self->head = n;
    int sum = 0, k = 0;
    for (n = self->head; n; n = n->next, k++)
        sum += n->v;
    if (k == 3 && sum == 1234567)
        self->n = 7; // heap
}
TR_HANDLER(box, owned)
{
    if (msg->name && strcmp(msg->name, "heap") == 0)
        self->n = 8; // owned
}
TR_HANDLER(box, choice)
{
    if (choose(1000) == 777)
        self->n = 9; // choice
}
TR_HANDLER(box, ask_it)
{
    const struct answer *a =
        await(ask(self->peer, question, .n = msg->n * 5));
    if (a && a->value == 1000004)
        self->n = 10; // answer
}
TR_FINI(box)
{
    while (self->head) {
        struct node *n = self->head;
        self->head = n->next;
        free(n);
    }
}
TR_HANDLER(peer, forwarded)
{
    self->keys[self->n++ % 2] = msg->key;
    if (self->n == 2 && self->keys[0] * 2 + 5 == self->keys[1] &&
        self->keys[1] > 70000)
        self->n = 0; // two messages
    if (msg->key == 0xcafebabe && msg->times == 17)
        self->n = 0; // forwarded
}
TR_HANDLER(peer, question)
{
    reply(question, .value = msg->n + 4);
}
TR_INIT(peer)
{
    if (self->n == 4321)
        self->n = 0; // init
}

TR_BEHAVIOUR(box, open, TR_ON(num, box_num), TR_ON(word, box_word),
             TR_ON(pack, box_pack), TR_ON(seq, box_seq),
             TR_ON(owned, box_owned), TR_ON(choice, box_choice),
             TR_ON(ask_it, box_ask_it));
TR_CLASS(box, .start = &box_open, .fini = box_fini_);
TR_BEHAVIOUR(peer, open, TR_ON(forwarded, peer_forwarded),
             TR_ON(question, peer_question));
TR_CLASS(peer, .start = &peer_open, .init = peer_init_);

TR_SYSTEM(boxes)
{
    int64_t n = param("n", 1);
    box_ref box = spawn(box, .peer = spawn(peer));
    expose(box);
    if (n * 3 - 4 == 12959)
        spawn(peer, .n = (uint32_t)n); // a parameter
}
