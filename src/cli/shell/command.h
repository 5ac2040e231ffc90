// The subcommands.  To add one: a row here, a file NAME.c with cmd_NAME, its
// options in options.h.
#ifndef CLI_SHELL_COMMAND_H
#define CLI_SHELL_COMMAND_H

#include <stdbool.h>

struct session;

// X(name, executable, operands, takes a program, summary, description)
//
// executable: HERE, or LLVM for a command in troupe-llvm.  Loading LLVM takes
// ten times as long as all the rest, so `troupe` is not linked with it: it
// replaces itself by troupe-llvm with the same command line.  Files of such
// commands are in src/cli/llvm.
#define COMMANDS(X)                                                            \
    X(test, HERE, "PROG... [TEST...] [-- FLAG...]", true,                      \
      "do all that is worth doing to the tests, within the time",              \
      "Builds, lints, runs each test natively, tries the cases that were found "\
      "before, explores, and covers what exploration cannot finish; reach and "\
      "unit follow where troupe.ini has sections for them. It ends as soon as "\
      "everything is complete, on a table of verdicts and how sure they are. " \
      "Tests that are not complete fail only with --complete, warnings only "  \
      "with --werror, bugs named in troupe.known only with --with-known.")     \
    X(init, HERE, "", false, "write a first troupe.ini, a test and a CI file", \
      "Writes troupe.ini and a file for the build server into this folder. "   \
      "troupe.ini names the sources with tests and actors that are here, in "  \
      "src, test and tests; if there are none, first_test.c, which is "        \
      "written, too. What is there already stays as it is.")                   \
    X(run, HERE, "PROG... [TEST...] [-- FLAG...]", true,                       \
      "run each test, each in a process of its own",                           \
      "Compiles the sources, loads them and runs the tests under the chosen "  \
      "manager. A crash, a failed assertion, an endless handler fails that "   \
      "test only.")                                                            \
    X(list, HERE, "PROG... [-- FLAG...]", true,                                \
      "show tests, systems, classes and messages",                             \
      "Shows what the program declares: tests, systems with their "            \
      "receptionists, classes with behaviours and their rows, messages with "  \
      "their fields from debug information.")                                  \
    X(explore, HERE, "PROG... [TEST...] [-- FLAG...]", true,                   \
      "try the orders in which messages may arrive",                           \
      "Runs the compiled program under control through every order of "        \
      "messages that the delivery model allows, as far as the budget goes: "   \
      "samples of schedules first, then several strategies in turn, of which " \
      "the first to see everything decides. A timer may "                      \
      "fire at any time, but never before an earlier one of the same actor. "  \
      "Each bug becomes a case, replayed before it is shown.")                 \
    X(cover, HERE, "PROG... [TEST...] [-- FLAG...]", true,                     \
      "raise schedule coverage",                                               \
      "Records a schedule, and generates others that bring pairs of receives " \
      "of one actor into both orders: pairs (pr), pairs with a change of "     \
      "behaviour (pmr), consecutive pairs (pcr). Each is forced, and what it " \
      "shows is learnt from.")                                                 \
    X(replay, HERE, "CASE", false, "run one case again, natively",             \
      "CASE is a file or the id of a bug. With --gdb it stops in gdb where "   \
      "the bug is.")                                                           \
    X(shrink, HERE, "CASE", false, "make a case shorter",                      \
      "Looks for a shorter schedule with the same bug and writes the case "    \
      "back.")                                                                 \
    X(show, HERE, "CASE", false, "show a case",                                \
      "Shows the report again; with --test, prints a regression test in C "    \
      "that needs no tool; other options print diagrams.")                     \
    X(report, HERE, "[RUN]", false, "a page about a finished run",             \
      "Writes the page of a run that is kept in .troupe, the last one if none "\
      "is named, with all tests of its command.")                              \
    X(graph, LLVM, "FILE... [-- FLAG...]", true,                               \
      "who can create whom, and send what to whom",                            \
      "Reads C sources (or bitcode, .bc) and shows the message flow graph: "   \
      "every creation and send that a run can make is an edge. With --class, " \
      "the behaviours of one class. Dashed arrows create, receptionists have " \
      "a double border.")                                                      \
    X(lint, LLVM, "FILE... [-- FLAG...]", true,                                \
      "find what is probably wrong, without running it",                       \
      "Reads C sources (or bitcode, .bc) and reports messages without a row, " \
      "handlers that write globals or block, messages that carry pointers "    \
      "into state, dead handlers, unreachable behaviours, sends to nobody, "   \
      "references used before they are set. A comment, // troupe: allow KIND, " \
      "in the line of a warning or in the one above, makes it a note.")        \
    X(unit, LLVM, "FILE.c[:FUNCTION|CLASS.MESSAGE,...] [-- FLAG...]", true,    \
      "write tests for the functions of a C source",                           \
      "Looks for inputs that take every branch side of a function, with the "  \
      "heap they need, runs each natively, and writes tests for cmocka with "  \
      "what came out. Inputs on which the function traps are shown first and " \
      "tested in a group of their own. CLASS.MESSAGE is a task: the handler "  \
      "with whom it asks, and with what its actor handles while it waits; "    \
      "its tests make the actors and follow one order of receives each.")      \
    X(reach, LLVM, "FILE.c... --at PLACE [-- FLAG...]", true,                  \
      "find a test that gets to a given line",                                 \
      "Looks for messages to the receptionists of a system, parameters and an "\
      "order of receives with which a line of an actor's code runs. What is "  \
      "found is replayed on an instrumented and on a plain build, and kept as "\
      "a case and as a test in C.")                                            \
    X(diff, HERE, "RUN RUN", false, "which bugs are new, gone, still there",   \
      "Compares what two runs found, each with all tests of its command. "     \
      "RUN is a number in .troupe/runs. Exit status 1 if a bug is new.")       \
    X(known, HERE, "[ID...]", false, "bugs that are not to fail",              \
      "Adds bugs to troupe.known beside troupe.ini, a file to be committed: "  \
      "test, explore and cover show them, and do not fail for them; nor for "  \
      "a kept schedule (show --test) that shows one. Without an ID, lists "    \
      "them.")                                                                 \
    X(clean, HERE, "", false, "remove old runs and what can be made again",    \
      "Removes what is in .troupe but the last runs and the cases.")           \
    X(doctor, HERE, "[FILE...]", false, "say what is there and what is missing", \
      "Looks for compilers and other programs that commands need, and prints " \
      "the configuration in effect and where each value comes from.  A "       \
      "program given is built, and what it calls that exploration does not "   \
      "control (files, sockets, threads) is named.")                           \
    X(version, HERE, "", false, "show versions",                               \
      "Shows the version of the tool "                                         \
      "and of what it is linked with.")

struct command {
    const char *name;
    const char *operands;
    bool takes_program; // words are sources and names; -- begins flags
    const char *summary;
    const char *description;
    // Returns the exit status.  NULL: the command is in troupe-llvm.
    int (*run)(struct session *s);
};

extern const struct command command_table[];
extern const unsigned commands_n;

const struct command *command_find(const char *name);
// The command nearest to a mistyped one, NULL if none is near.
const struct command *command_near(const char *name);
// Is this the name of a command?
bool command_known(const char *name);

// A command of the other executable is a weak reference: NULL here.
#define COMMAND_HERE_
#define COMMAND_LLVM_ __attribute__((weak))
#define COMMAND_DECLARE_(name, where, operands, program, summary, description) \
    COMMAND_##where##_ int cmd_##name(struct session *s);
COMMANDS(COMMAND_DECLARE_)
#undef COMMAND_DECLARE_

#endif
