#include "stage/guest.h"

const struct guest_host *guest_host;

void guest_use(const struct guest_host *host)
{
    guest_host = host;
}
