/* The bank's words: its messages, and who understands which. */
#ifndef BANK_H
#define BANK_H

#include <troupe_short.h>

struct deposit {
    double amount;
};
TR_MESSAGE(deposit);

struct withdraw {
    double amount;
};
TR_MESSAGE(withdraw);

TR_PROTOCOL(server, deposit, withdraw);
TR_PROTOCOL(client, deposit, withdraw);

#endif
