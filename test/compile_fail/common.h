/* What the cases share: two classes, messages, a request. */
#ifndef COMMON_H
#define COMMON_H
#include "troupe_short.h"

struct total {
    double sum;
};
struct deposit {
    double amount;
};
TR_MESSAGE(deposit);
struct query {
    int account;
};
TR_REQUEST(query, total);
TR_SIGNAL(flush);
TR_PROTOCOL(server, deposit, query);
TR_PROTOCOL(branch, deposit, query);
struct open_account {
    server_ref at;
};
TR_MESSAGE(open_account);
TR_PROTOCOL(office, open_account, flush, deposit);

struct server {
    double balance;
};
struct branch {
    server_ref server;
    office_ref office;
    double seen;
};
TR_STATES(branch, shut, open);
#endif
