#include "cli/shell/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t noted;

static void on_signal(int number)
{
    (void)number;
    noted = 1;
}

void interrupt_catch(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

bool interrupted(void)
{
    return noted;
}
