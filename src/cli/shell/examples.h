// Examples of commands, for --help and the manual pages.
#ifndef CLI_SHELL_EXAMPLES_H
#define CLI_SHELL_EXAMPLES_H

// X(command, words, what it does)
#define EXAMPLES(X)                                                            \
    X("test", "troupe test bank.c", "all that is worth doing, within 60 s")    \
    X("test", "troupe test -t 5m --html --junit=j.xml",                        \
      "for a build server, of the program that troupe.ini names")              \
    X("init", "troupe init --ci=gitlab", "the first files of a project")       \
    X("run", "troupe run bank.c", "each test once, on threads")                \
    X("run", "troupe run bank.c -m random --repeat-until-fail",                \
      "other orders until a test fails")                                       \
    X("list", "troupe list bank.c", "tests, classes, messages")                \
    X("explore", "troupe explore bank.c", "all orders, for at most 60 s")      \
    X("explore", "troupe explore bank.c deposit -d any -k --time=10m",         \
      "one test, no order promised, all bugs")                                 \
    X("explore", "troupe explore bank.c -- -Iinclude -lm",                     \
      "with flags for the compiler")                                           \
    X("cover", "troupe cover bank.c --goal=90%",                               \
      "pairs of messages in both orders; status 4 below the goal")             \
    X("replay", "troupe replay 7f3a91c2", "the case of a bug once more")       \
    X("replay", "troupe replay 7f3a91c2 --gdb", "in gdb, at the failure")      \
    X("shrink", "troupe shrink 7f3a91c2", "a shorter schedule with that bug")  \
    X("show", "troupe show 7f3a91c2 --html", "a page to look at")              \
    X("show", "troupe show 7f3a91c2 --test > test_7f3a.c",                     \
      "a test in C that needs no tool")                                        \
    X("report", "troupe report --html=last.html", "the page of the last run")  \
    X("graph", "troupe graph bank.c --svg=bank.svg",                           \
      "who can send what to whom, as a picture")                               \
    X("lint", "troupe lint bank.c --sarif=lint.sarif",                         \
      "warnings for a code scanner")                                           \
    X("unit", "troupe unit list.c:without", "tests for one function")          \
    X("reach", "troupe reach bank.c --at bank.c:29",                           \
      "messages that get to a line")                                           \
    X("reach", "troupe reach bank.c --traps",                                  \
      "messages that let something fail")                                      \
    X("diff", "troupe diff 3 7", "bugs that run 7 has and run 3 had not")      \
    X("known", "troupe known 7f3a91c2", "this bug is not to fail any more")    \
    X("clean", "troupe clean --keep=3", "all runs but the last three")         \
    X("doctor", "troupe doctor bank.c", "what is missing; what runs for real") \
    X("version", "troupe version", "for a bug report")

#endif
