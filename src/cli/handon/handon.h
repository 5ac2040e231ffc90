// Commands that need LLVM live in a second executable, troupe-llvm: loading
// that library takes ten times as long as all the rest.  The tool hands the
// whole command line on to it.
//
// To hand a command on: its file in src/cli as for any other, and one here of
// the same name.
#ifndef CLI_HANDON_HANDON_H
#define CLI_HANDON_HANDON_H

struct session;

// Become troupe-llvm; returns an exit status if that cannot be.
int hand_on(struct session *s);

#endif
