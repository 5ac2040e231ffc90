#include "cli/command.h"
#include "cli/handon/handon.h"

int cmd_graph(struct session *s)
{
    return hand_on(s);
}
