// Options: one table from which parsing, --help, the man page, the completion
// and the keys of troupe.ini are all made.
//
// An option's value comes from the command line, else from the environment
// (TR_SEED for --seed), else from troupe.ini, else it is the default.  Every
// value is checked where it comes from, so that reading one cannot fail.
#ifndef CLI_SHELL_OPTIONS_H
#define CLI_SHELL_OPTIONS_H

#include "flow/flow.h"
#include <stdbool.h>
#include <stdint.h>

#include "base/command.h"

struct arena;
struct diag;
struct text;

enum option_kind {
    OPTION_FLAG,     // no value; in troupe.ini yes or no
    OPTION_NUMBER,   // 10_000, 10k, 0x5eed
    OPTION_COUNT,    // the same, at least 1
    OPTION_DURATION, // 500ms, 60s, 10m; not nothing
    OPTION_PERCENT,  // 90, 90%; more than 0
    OPTION_TEXT,
    OPTION_CHOICE, // one of `values`
    OPTION_SOME,   // likewise, and it may be left out: the first
    OPTION_LIST,   // may be given more than once
    OPTION_FILE,
    OPTION_OUT,   // file to write; the value may be left out: - is stdout
    OPTION_NAMED, // file to write; if its name is left out, troupe.ID
};

#define LINT_CHOICE_(name, id, text) "|" id

// X(id, letter, kind, value name or choices, default, commands, help)
// Letters are 0 where there is none.  Commands are words, * is all of them,
// PROG those that take a program.  The default is NULL where there is none.
#define OPTIONS(X)                                                             \
    X(help, 'h', FLAG, NULL, NULL, "*", "show this help and end")              \
    X(quiet, 'q', FLAG, NULL, NULL, "*", "say only what went wrong")           \
    X(verbose, 'v', FLAG, NULL, NULL, "*", "say more: commands, output")       \
    X(color, 0, CHOICE, "auto|always|never", "auto", "*",                      \
      "colour; NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE are honoured")         \
    X(config, 0, FILE, "FILE", NULL, "*",                                      \
      "configuration instead of the nearest troupe.ini")                       \
    X(profile, 0, TEXT, "NAME", NULL, "*",                                     \
      "also use section [profile.NAME] of the configuration")                  \
    X(cc, 0, TEXT, "COMMAND", NULL, "PROG doctor",                             \
      "compiler, instead of $CC or cc")                                        \
    X(fresh, 0, FLAG, NULL, NULL, "PROG", "compile even what is cached")       \
    X(filter, 0, LIST, "GLOB", NULL, "test run explore cover list",            \
      "only tests whose name or tag matches; *bank*")                          \
    X(param, 'p', LIST, "NAME=N", NULL,                                        \
      "test run explore cover reach list replay",                              \
      "a parameter of the test: --param n=10; reach: n=any leaves it free")    \
    X(seed, 0, NUMBER, "N", NULL, "test run explore cover reach unit",         \
      "seed of all random choices; printed, so that a run can be repeated")    \
    X(json, 0, OUT, "FILE", NULL,                                              \
      "PROG doctor replay shrink show diff known clean version",                               \
      "result as JSON, - is stdout")                                           \
    X(junit, 0, FILE, "FILE", NULL, "test run explore cover unit",             \
      "result as JUnit XML")                                                   \
    X(sarif, 0, FILE, "FILE", NULL, "test explore cover lint",                 \
      "findings as SARIF 2.1.0")                                               \
    X(html, 0, NAMED, "FILE", NULL, "test explore cover show report unit",     \
      "result as one page for a browser; without FILE it is troupe.html")      \
    X(tap, 0, FLAG, NULL, NULL, "run test explore cover",                      \
      "result as TAP 13 on stdout")                                            \
    X(github, 0, CHOICE, "auto|yes|no", "auto", "test run explore cover lint", \
      "annotations for GitHub; auto: when GITHUB_ACTIONS is true")             \
    X(jobs, 'j', COUNT, "N", NULL, "test run explore reach unit",              \
      "processes at once; default: one per core")                              \
    X(time, 't', DURATION, "TIME", "60s",                                      \
      "test explore cover reach unit shrink",                                  \
      "time limit, e.g. 500ms, 60s, 10m; test: of all tests together")         \
    X(schedules, 0, COUNT, "N", NULL, "explore cover",                         \
      "maximum number of schedules")                                           \
    X(steps, 0, COUNT, "N", "10_000", "run explore cover",                     \
      "receives in one schedule; longer ones are cut there, and counted")      \
    X(depth, 0, COUNT, "N", NULL, "explore",                                   \
      "the same bound on the length of a schedule as --steps")                 \
    X(progress, 0, CHOICE, "auto|tty|lines|none", "auto",                      \
      "test explore cover reach unit", "how to show progress, on stderr")      \
    X(out, 'o', FILE, "PATH", NULL, "reach unit show", "where to write")       \
    X(manager, 'm', CHOICE, "threads|single|random", "threads", "run",         \
      "who chooses the next receive")                                          \
    X(threads, 0, COUNT, "N", NULL, "run", "of the threads manager")           \
    X(repeat, 'n', COUNT, "N", "1", "run", "run each test N times")            \
    X(repeat_until_fail, 0, FLAG, NULL, NULL, "run",                           \
      "run again and again, with another seed each time, until a test fails")  \
    X(timeout, 0, DURATION, "TIME", "10s", "run",                              \
      "time limit of a test without .timeout_ms")                              \
    X(record, 0, FILE, "PATH", NULL, "run",                                    \
      "write the schedule of each run, a case, to this folder or FILE.case")   \
    X(finals, 0, FILE, "FILE", NULL, "run explore",                            \
      "append the actors' states at the end of each run to this file")         \
    X(blocks, 0, OUT, "FILE", NULL, "run",                                     \
      "write how often each block of the actors' code ran, and in which "      \
      "tests")                                                                 \
    X(lcov, 0, FILE, "FILE", NULL, "run reach",                                \
      "write which lines of the actors' code ran, for lcov and genhtml")       \
    X(no_fork, 0, FLAG, NULL, NULL, "run replay",                              \
      "run tests in this process, for a debugger")                             \
    X(keep_going, 'k', FLAG, NULL, NULL, "test explore cover",                 \
      "do not stop at the first bug; an actor whose handler failed takes no "  \
      "more part in that schedule")                                            \
    X(strategy, 's', CHOICE,                                                   \
      "auto|optimal|source|eta|exhaustive|stateful|reduced|random|pct|pos|"    \
      "urw|cover|roundrobin",                                                  \
      "auto", "explore", "how schedules are chosen")                           \
    X(delivery, 'd', CHOICE, "pair|any|causal|mailbox", "pair",                \
      "test explore cover reach replay", "which message may overtake which")   \
    X(delay_bound, 0, NUMBER, "N", NULL, "explore",                            \
      "at most N deviations from the default order")                           \
    X(estimate, 0, FLAG, NULL, NULL, "explore",                                \
      "only estimate the number of schedules")                                 \
    X(werror, 0, SOME, "yes|no" LINTS(LINT_CHOICE_), NULL, "test",             \
      "warnings of lint, or those of one kind, are failures")                  \
    X(with_known, 0, FLAG, NULL, NULL, "test explore cover",                   \
      "bugs named in troupe.known are failures, too")                          \
    X(remove, 0, FLAG, NULL, NULL, "known", "these bugs are known no longer")  \
    X(keep, 0, NUMBER, "N", "10", "clean", "runs to keep, the last ones")      \
    X(ci, 0, CHOICE, "github|gitlab|both|none", "github", "init",              \
      "build server to write a file for")                                      \
    X(source, 0, TEXT, "URL", NULL, "init",                                    \
      "where the build server clones Troupe from")                             \
    X(listen, 0, NUMBER, "PORT", NULL, "explore",                              \
      "explore on other machines: wait there for workers of Work Queue; "      \
      "0: any port")                                                           \
    X(password_file, 0, FILE, "FILE", NULL, "explore",                         \
      "with --listen: workers must know what is in it")                        \
    X(insecure, 0, FLAG, NULL, NULL, "explore",                                \
      "with --listen: let workers in WITHOUT A PASSWORD")                      \
    X(workers, 0, NUMBER, "N", NULL, "explore",                                \
      "with --listen: start N workers on this machine, too")                   \
    X(name, 0, TEXT, "NAME", NULL, "explore",                                  \
      "with --listen and --catalog: let workers find this search by name")     \
    X(catalog, 0, TEXT, "HOST:PORT", NULL, "explore",                          \
      "with --name: where that is advertised")                                 \
    X(resume, 0, FLAG, NULL, NULL, "explore", "go on with what was left")      \
    X(complete, 0, FLAG, NULL, NULL, "explore test",                           \
      "exit 4 if the search could not be completed")                           \
    X(shared, 0, FLAG, NULL, NULL, "explore cover replay",                     \
      "the program's actors share memory: keep images of all of it")           \
    X(clock, 0, CHOICE, "one|own", "one", "explore cover replay shrink",       \
      "one clock for all actors, or each has its own")                         \
    X(ticks, 0, NUMBER, "N", "3", "explore cover test run replay shrink",      \
      "how often a timer that is set again and again fires; 0: no bound")      \
    X(isolate, 0, FLAG, NULL, NULL, "explore cover",                           \
      "run handlers in a process apart, which they may damage")                \
    X(handler_time, 0, DURATION, "TIME", "1s", "explore cover replay shrink",  \
      "processor time after which a handler is endless")                       \
    X(ignore, 0, LIST, "KIND", NULL, "explore cover",                          \
      "bug kind to ignore, e.g. stopped-actor")                                \
    X(memory, 0, NUMBER, "MB", "48", "explore",                                \
      "memory for cached handler results")                                     \
    X(criterion, 0, TEXT, "LIST", "all", "cover",                              \
      "coverage criteria, of pr, pmr, pcr or all; tried in that order")        \
    X(budget, 0, COUNT, "N", NULL, "cover", "maximum number of schedules")     \
    X(initial, 0, NUMBER, "N", NULL, "cover",                                  \
      "random schedules to begin with; 1 if there are no others")              \
    X(explored, 0, NUMBER, "N", NULL, "cover",                                 \
      "schedules to begin with, one of each class as explore does it")         \
    X(from, 0, LIST, "CASE", NULL, "cover",                                    \
      "begin with the schedule of this case, by file or bug id, or of all "    \
      "cases in a folder")                                                     \
    X(once, 0, FLAG, NULL, NULL, "cover",                                      \
      "generate from the initial schedules only")                              \
    X(merge, 0, FLAG, NULL, NULL, "cover",                                     \
      "go on from what earlier runs of this test covered")                     \
    X(report, 0, FLAG, NULL, NULL, "cover",                                    \
      "generate nothing, show what earlier runs and --from cover; with "       \
      "--merge keep it")                                                       \
    X(csv, 0, FILE, "FILE", NULL, "cover",                                     \
      "coverage over executions and time as CSV")                              \
    X(goal, 0, PERCENT, "PERCENT", NULL, "cover",                                 \
      "exit 4 if coverage stays below")                                        \
    X(step, 0, FLAG, NULL, NULL, "replay", "stop before each receive")         \
    X(strict, 0, FLAG, NULL, NULL, "run replay unit",                          \
      "a kept schedule that no longer fits the program is not followed; "      \
      "unit: no tests that lean on a stub, a model or an assumed size")        \
    X(gdb, 0, FLAG, NULL, NULL, "replay", "run it under gdb")                  \
    X(asan, 0, FLAG, NULL, NULL, "replay",                                     \
      "build it as a test with the address sanitizer and run that")            \
    X(break, 0, NUMBER, "STEP", NULL, "replay",                                \
      "stop before this step of the report, with --gdb in its handler")        \
    X(mermaid, 0, FLAG, NULL, NULL, "show", "sequence diagram for Mermaid")    \
    X(plantuml, 0, FLAG, NULL, NULL, "show", "sequence diagram for PlantUML")  \
    X(dot, 0, OUT, "FILE", NULL, "graph", "the picture in DOT, - is stdout")   \
    X(svg, 0, OUT, "FILE", NULL, "graph cover",                                \
      "the picture, or the curve of coverage, as SVG")                         \
    X(baseline, 0, FLAG, NULL, NULL, "graph",                                  \
      "also without telling messages apart by type and tag, to compare")       \
    X(dry_run, 0, FLAG, NULL, NULL, "unit", "write no files")                  \
    X(check, 0, FLAG, NULL, NULL, "unit",                                      \
      "only make the kept calls again and tell what comes out otherwise")      \
    X(no_traps, 0, FLAG, NULL, NULL, "unit",                                   \
      "write no tests of calls that trap")                                     \
    X(fewest, 0, FLAG, NULL, NULL, "unit",                                     \
      "as few tests as possible, instead of the simplest")                     \
    X(loop, 0, TEXT, "K|K..M", NULL, "unit reach",                             \
      "list all cases in which each loop is turned at most K times, then go "  \
      "on to M with what was cut; tasks: all orders of receives; reach: "      \
      "turns "                                                                 \
      "of loops that the backward search follows, default: as time allows")    \
    X(local, 0, FLAG, NULL, NULL, "unit",                                      \
      "one test for each path through the function itself, whatever its "      \
      "callees do")                                                            \
    X(recursion, 0, NUMBER, "K", NULL, "unit",                                 \
      "with --loop: re-entries of a function below itself; default: as "       \
      "--loop")                                                                \
    X(cases, 0, CHOICE, "case|path", "case", "unit",                           \
      "with --loop: tell cases apart by aliasing too, or paths only")          \
    X(lazy, 0, FLAG, NULL, NULL, "unit",                                       \
      "with --loop: fork where pointers may be one, to compare")               \
    X(inline, 0, FLAG, NULL, NULL, "unit",                                     \
      "run callees in place each time, not by a summary of their cases")       \
    X(array, 0, NUMBER, "N", NULL, "unit",                                     \
      "elements behind a pointer of unknown count; default: 8")                \
    X(overflow, 0, FLAG, NULL, NULL, "unit",                                   \
      "signed overflow is a bug; it is told, not tested")                      \
    X(switches, 0, NUMBER, "K", "4", "unit",                                   \
      "tasks: how many are started or resumed on one actor")                   \
    X(queue, 0, NUMBER, "K", "2", "unit",                                      \
      "tasks: messages that wait for the actor at the start")                  \
    X(prune, 0, TEXT, "1,2,3|none", "1,2,3", "unit",                           \
      "tasks: which messages that cannot matter are left out of those")        \
    X(policy, 0, LIST, "[CLASS=]fifo|lifo", NULL, "unit",                      \
      "tasks: the oldest or newest message comes first; default: all orders")  \
    X(distinct, 0, FLAG, NULL, NULL, "unit",                                   \
      "tasks: actors that are given are different ones")                       \
    X(stopped, 0, FLAG, NULL, NULL, "unit",                                    \
      "tasks: actors that are given may have stopped: no answer comes")        \
    X(every_actor, 0, FLAG, NULL, NULL, "unit",                                \
      "tasks: choose also where nobody else sends to an actor, to compare")    \
    X(pre, 0, FILE, "FILE.c", NULL, "unit",                                    \
      "preconditions: a function pre_f with the parameters of f")              \
    X(model, 0, LIST, "FILE.c", NULL, "unit",                                  \
      "code for functions that the source does not define")                    \
    X(compile_commands, 0, FILE, "FILE", NULL, "graph lint unit",              \
      "take flags from a compile_commands.json")                               \
    X(shiviz, 0, FLAG, NULL, NULL, "show", "log for ShiViz")                   \
    X(perfetto, 0, FLAG, NULL, NULL, "show",                                   \
      "trace for Perfetto and Chrome's about:tracing")                         \
    X(test, 0, FLAG, NULL, NULL, "show", "a regression test in C")             \
    X(header, 0, FILE, "FILE", NULL, "show",                                   \
      "what a test that posts messages includes for their structs; default: "  \
      "the program's sources")                                                 \
    X(class, 0, TEXT, "NAME", NULL, "graph", "only this class of actors")      \
    X(system, 0, TEXT, "NAME", NULL, "reach graph lint",                       \
      "start from this system")                                                \
    X(at, 0, LIST, "PLACE", NULL, "reach unit",                                \
      "FILE:LINE or FUNCTION to reach; unit: a line of the function")          \
    X(assert, 0, LIST, "FILE:LINE", NULL, "reach",                             \
      "let the assertion on this line fail")                                   \
    X(traps, 0, FLAG, NULL, NULL, "reach",                                     \
      "all assertions, null pointers, divisions and indices that may fail")    \
    X(all, 0, FLAG, NULL, NULL, "reach clean",                                 \
      "reach: all blocks of the actors' code; clean: cases and all else, too") \
    X(total_time, 0, DURATION, "TIME", NULL, "reach",                          \
      "time limit for all targets together")                                   \
    X(cpu_time, 0, FLAG, NULL, NULL, "reach",                                  \
      "times are processor time, not time that passes")                        \
    X(runs, 0, COUNT, "N", NULL, "reach", "maximum number of native runs")     \
    X(messages, 0, COUNT, "N", NULL, "reach",                                  \
      "maximum number of messages posted; default: raised as time allows")     \
    X(actors, 0, COUNT, "N", NULL, "reach",                                    \
      "maximum number of actors; default: as many as there are")               \
    X(alloc_fails, 0, FLAG, NULL, NULL, "reach",                               \
      "allocations of the program may fail")                                   \
    X(with_tests, 0, FLAG, NULL, NULL, "reach",                                \
      "run the program's own tests first: what they pass is covered")          \
    X(assume_atomic, 0, FLAG, NULL, NULL, "reach",                             \
      "search although handlers write global variables")                       \
    X(search, 0, CHOICE,                                                       \
      "auto|fuzz|concolic|proofs|forward-random|random|h1|h2|h1h2|hf", "auto", \
      "reach",                                                                 \
      "engines to use; random to hf are settings of the backward search "      \
      "alone, forward-random is the baseline")

enum option_id {
#define OPTION_ID_(id, letter, kind, values, otherwise, commands, help)        \
    OPT_##id,
    OPTIONS(OPTION_ID_)
#undef OPTION_ID_
        OPTIONS_N
};

struct option_row {
    const char *name; // with - for _
    char letter;
    enum option_kind kind;
    const char *values;    // placeholder, or choices separated by |
    const char *otherwise; // default
    const char *commands;
    const char *help;
};

extern const struct option_row option_table[OPTIONS_N];

struct options; // the values

// The options of a command; takes_program as in its row of the table.
struct options *options_new(const char *command, bool takes_program);
struct options *options_copy(const struct options *o);
void options_free(struct options *o);
// Does the option belong to the command?
bool options_has(const struct options *o, enum option_id id);

// Read the command line behind the command's name: options are set, other
// words are added to *rest.
bool options_read_words(struct options *o, const struct args *words,
                        struct args *rest, struct diag *d);
// Set what is not set yet from TR_* variables.
bool options_read_environment(struct options *o, struct diag *d);

// From weak to strong.
enum option_origin {
    FROM_DEFAULT,
    FROM_FILE,
    FROM_PROFILE,
    FROM_TEST,
    FROM_ENVIRONMENT,
    FROM_COMMAND_LINE,
};
// Set a value, unless a stronger one is there; among equals the last counts.
// where is "file:line" or a variable's name.
bool options_set(struct options *o, enum option_id id, const char *value,
                 enum option_origin origin, const char *where, struct diag *d);
// Is this a value that the option can have?  False with *d set, as above.
bool options_check(struct options *o, enum option_id id, const char *value,
                   enum option_origin origin, const char *where,
                   struct diag *d);
// The option of a name (either - or _), OPTIONS_N if there is none.
enum option_id options_id(const char *name, size_t n);
// The known option nearest to a mistyped one, NULL if none is near.
const char *options_near(const struct options *o, const char *name);

bool option_given(const struct options *o, enum option_id id);
bool option_flag(const struct options *o, enum option_id id);
// 0 if there is neither value nor default.
uint64_t option_number(const struct options *o, enum option_id id);
// --ticks as play.h has it; 0 if it is not given.
uint32_t option_ticks(const struct options *o);
uint64_t option_duration(const struct options *o, enum option_id id); // ns
// NULL if there is neither value nor default.
const char *option_text(const struct options *o, enum option_id id);
uint32_t option_count(const struct options *o, enum option_id id);
const char *option_item(const struct options *o, enum option_id id, uint32_t i);
// Where the value comes from: "troupe.ini:3", "TR_SEED", "default".
const char *option_where(const struct options *o, enum option_id id);

// May an option of this kind stand without its value?
bool option_may_stand_alone(enum option_kind kind);
// Is the value one of a list?
bool option_is_choice(enum option_kind kind);

// ---- faces of the table ---------------------------------------------------

// "  -n, --repeat=N    run each test N times", a line for each option of a
// command.
void options_help(const struct options *o, struct text *to);

#endif
