/* messenger: a text to somebody who has left.
 *
 * Source: Bita's instant-messaging subject, rebuilt from its description, with
 * C's way of dying.
 *
 * The test sends login to alice, login to bob, chat to alice, quit to bob.
 * login makes them log in at the server.  On chat alice looks bob up, gets a
 * handle (nobody if he is offline) and sends text straight to him.  On quit bob
 * sends save to himself, then logs off; when the server says bye he frees his
 * inbox.  A handle may be stale when it is used: text after bye.
 *
 * The inbox pointer is cleared when it is freed, so the late use faults at
 * once, with or without a sanitizer.
 *
 * Repaired: alice sends text to the server, which passes it on only while bob
 * is online.
 *
 * Kind of bug: crash
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (under any, bye may overtake text)
 * Oracle: the text goes through NULL.
 * Find it: troupe explore programs/bugs/messenger.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <stdlib.h>

TR_PROTOCOL(server, alice_in, bob_in, lookup, logoff, text);
TR_PROTOCOL(alice, login, chat, handle);
TR_PROTOCOL(bob, login, quit, save, bye, text);

TR_SIGNAL(login); /* from the test */
TR_SIGNAL(chat);
TR_SIGNAL(quit);
TR_SIGNAL(alice_in); /* to the server */
struct bob_in {
    bob_ref bob;
};
TR_MESSAGE(bob_in);
struct lookup {
    alice_ref from;
};
TR_MESSAGE(lookup);
struct logoff {
    bob_ref from;
};
TR_MESSAGE(logoff);
struct handle { /* to alice */
    bob_ref bob;
};
TR_MESSAGE(handle);
TR_SIGNAL(save); /* to bob */
TR_SIGNAL(bye);
TR_SIGNAL(text);

struct server {
    bool alice_online;
    bob_ref bob; /* NULL: offline */
};

TR_HANDLER(server, alice_in)
{
    self->alice_online = true;
}

TR_HANDLER(server, bob_in)
{
    self->bob = msg->bob;
}

TR_HANDLER(server, lookup)
{
    send(msg->from, handle, .bob = self->bob);
}

TR_HANDLER(server, logoff)
{
    self->bob = NULL;
    send(msg->from, bye);
}

TR_HANDLER(server, text)
{
    if (self->bob)
        forward(self->bob, text);
}

TR_BEHAVIOUR(server, open, TR_ON(alice_in, server_alice_in),
             TR_ON(bob_in, server_bob_in), TR_ON(lookup, server_lookup),
             TR_ON(logoff, server_logoff), TR_ON(text, server_text));
TR_CLASS(server, .start = &server_open);

struct alice {
    server_ref server;
};

TR_HANDLER(alice, login)
{
    send(self->server, alice_in);
}

TR_HANDLER(alice, chat)
{
    if (repaired)
        send(self->server, text);
    else
        send(self->server, lookup, .from = me(alice));
}

TR_HANDLER(alice, handle)
{
    if (msg->bob)
        send(msg->bob, text);
}

TR_BEHAVIOUR(alice, open, TR_ON(login, alice_login), TR_ON(chat, alice_chat),
             TR_ON(handle, alice_handle));
TR_CLASS(alice, .start = &alice_open);

struct inbox {
    int texts;
};

struct bob {
    server_ref server;
    struct inbox *inbox;
};

TR_INIT(bob)
{
    self->inbox = calloc(1, sizeof *self->inbox);
}

TR_FINI(bob)
{
    free(self->inbox);
}

TR_HANDLER(bob, login)
{
    send(self->server, bob_in, .bob = me(bob));
}

TR_HANDLER(bob, quit)
{
    send(me(bob), save);
}

TR_HANDLER(bob, save)
{
    send(self->server, logoff, .from = me(bob));
}

TR_HANDLER(bob, bye)
{
    free(self->inbox);
    self->inbox = NULL;
}

TR_HANDLER(bob, text)
{
    self->inbox->texts++;
}

TR_BEHAVIOUR(bob, open, TR_ON(login, bob_login), TR_ON(quit, bob_quit),
             TR_ON(save, bob_save), TR_ON(bye, bob_bye), TR_ON(text, bob_text));
TR_CLASS(bob, .start = &bob_open, .init = bob_init_, .fini = bob_fini_);

TR_SYSTEM(chat_room)
{
    server_ref server = spawn(server);
    alice_ref alice = spawn(alice, .server = server);
    bob_ref bob = spawn(bob, .server = server);
    expose(alice);
    expose(bob);
}

TR_TEST(messenger)
{
    server_ref server = spawn(server);
    alice_ref alice = spawn(alice, .server = server);
    bob_ref bob = spawn(bob, .server = server);
    send(alice, login);
    send(bob, login);
    send(alice, chat);
    send(bob, quit);
    drain();
}
