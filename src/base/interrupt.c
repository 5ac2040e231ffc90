#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t noted;
static struct sigaction old_int, old_term;
static unsigned catching; // calls of interrupt_catch() not released yet

static void on_signal(int number)
{
    if (noted) {
        signal(number, SIG_DFL);
        raise(number); // delivered when this handler returns
    }
    noted = 1;
}

void interrupt_catch(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    if (catching++)
        return;
    sigaction(SIGINT, &a, &old_int);
    sigaction(SIGTERM, &a, &old_term);
}

void interrupt_release(void)
{
    if (!catching || --catching)
        return;
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
}

bool interrupted(void)
{
    return noted;
}

void interrupt_forget(void)
{
    noted = 0;
}
