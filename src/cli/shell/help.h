// What users see of the tables: help, man page, completion.
#ifndef CLI_SHELL_HELP_H
#define CLI_SHELL_HELP_H

struct command;
struct options;
struct text;

void help_overview(struct text *to);
void help_command(const struct command *c, const struct options *o,
                  struct text *to);
// troupe(1), all commands in one page, in the man macros.
void help_man(struct text *to);
// troupe-COMMAND(1).
void help_man_command(const struct command *c, struct text *to);
// Completions for shells.
void help_bash(struct text *to);
void help_zsh(struct text *to);
void help_fish(struct text *to);

#endif
