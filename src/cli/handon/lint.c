#include "cli/command.h"
#include "cli/handon/handon.h"

int cmd_lint(struct session *s)
{
    return hand_on(s);
}
