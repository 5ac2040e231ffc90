// The subcommands.  To add one: a row here, a file NAME.c with cmd_NAME, its
// options in options.h.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

struct session;

// X(name, operands, takes a program, summary, description)
#define COMMANDS(X)                                                            \
    X(run, "PROG... [TEST...] [-- FLAG...]", true,                             \
      "run each test, each in a process of its own",                           \
      "Compiles the sources, loads them and runs the tests under the chosen "  \
      "manager. A crash, a failed assertion, an endless handler fails that "   \
      "test only.")                                                            \
    X(list, "PROG... [-- FLAG...]", true,                                      \
      "show tests, systems, classes and messages",                             \
      "Shows what the program declares: tests, systems with their "            \
      "receptionists, classes with behaviours and their rows, messages with "  \
      "their fields from debug information.")                                  \
    X(explore, "PROG... [TEST...] [-- FLAG...]", true,                         \
      "try the orders in which messages may arrive",                           \
      "Runs the compiled program under control through every order of "        \
      "messages that the delivery model allows, as far as the budget goes: "   \
      "a random warm-up, then one execution per class of orders. A timer may " \
      "fire at any time, but never before an earlier one of the same actor. "  \
      "Each bug becomes a case, replayed before it is shown.")                 \
    X(cover, "PROG... [TEST...] [-- FLAG...]", true,                           \
      "raise schedule coverage",                                               \
      "Records a schedule, and generates others that bring pairs of receives " \
      "of one actor into both orders: pairs (pr), pairs with a change of "     \
      "behaviour (pmr), consecutive pairs (pcr). Each is forced, and what it " \
      "shows is learnt from.")                                                 \
    X(replay, "CASE", false, "run one case again, natively",                   \
      "CASE is a file or the id of a bug. With --gdb it stops in gdb where "   \
      "the bug is.")                                                           \
    X(shrink, "CASE", false, "make a case shorter",                            \
      "Looks for a shorter schedule with the same bug and writes the case "    \
      "back.")                                                                 \
    X(show, "CASE", false, "show a case",                                      \
      "Shows the report again; with --test, prints a regression test in C "    \
      "that needs no tool; other options print diagrams.")                     \
    X(graph, "FILE... [-- FLAG...]", true,                                     \
      "who can create whom, and send what to whom",                            \
      "Reads C sources (or bitcode, .bc) and shows the message flow graph: "   \
      "every creation and send that a run can make is an edge. With --class, " \
      "the behaviours of one class. Dashed arrows create, receptionists have " \
      "a double border.")                                                      \
    X(lint, "FILE... [-- FLAG...]", true,                                      \
      "find what is probably wrong, without running it",                       \
      "Reads C sources (or bitcode, .bc) and reports messages without a row, " \
      "handlers that write globals or block, messages that carry pointers "    \
      "into state, dead handlers, unreachable behaviours, sends to nobody, "   \
      "references used before they are set.")                                  \
    X(doctor, "[FILE...]", false, "say what is there and what is missing",     \
      "Looks for compilers and other programs that commands need, and prints " \
      "the configuration in effect and where each value comes from.  A "       \
      "program given is built, and what it calls that exploration does not "   \
      "control (files, sockets, threads) is named.")                           \
    X(version, "", false, "show versions",                                     \
      "Shows the version of the tool "                                         \
      "and of what it is linked with.")

struct command {
    const char *name;
    const char *operands;
    bool takes_program; // words are sources and names; -- begins flags
    const char *summary;
    const char *description;
    int (*run)(struct session *s); // returns the exit status
};

extern const struct command command_table[];
extern const unsigned commands_n;

const struct command *command_find(const char *name);
// The command nearest to a mistyped one, NULL if none is near.
const struct command *command_near(const char *name);
// Is this the name of a command, or of one that is planned?
bool command_known(const char *name);

#define COMMAND_DECLARE_(name, operands, program, summary, description)        \
    int cmd_##name(struct session *s);
COMMANDS(COMMAND_DECLARE_)
#undef COMMAND_DECLARE_

#endif
