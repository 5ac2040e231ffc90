// Where the tool's other executables are: troupe-llvm, see shell/command.h, and
// troupe-wq, see far.h.
#ifndef CLI_HELPER_H
#define CLI_HELPER_H

struct arena;

// Beside the tool in the build tree, in libexec where it is installed; NULL if
// it is in neither.
const char *helper_path(struct arena *a, const char *name);
// The version of a library that only troupe-llvm is linked with, as troupe-llvm
// tells it; NULL if it is built without.  The text lives in a.
const char *helper_version(struct arena *a, const char *library);

#endif
