#include "cli/shell/command.h"

#include <string.h>

#include "base/text.h"

const struct command command_table[] = {
#define ROW_(name, where, operands, program, summary, description)             \
    {#name, operands, program, summary, description, cmd_##name},
    COMMANDS(ROW_)
#undef ROW_
};
const unsigned commands_n = sizeof command_table / sizeof *command_table;

const struct command *command_find(const char *name)
{
    for (unsigned i = 0; i < commands_n; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

const struct command *command_near(const char *name)
{
    const struct command *near = NULL;
    unsigned best = 3;
    for (unsigned i = 0; i < commands_n; i++) {
        unsigned d = text_distance(name, command_table[i].name);
        if (d < best) {
            best = d;
            near = &command_table[i];
        }
    }
    return near;
}

bool command_known(const char *name)
{
    return command_find(name) != NULL;
}
