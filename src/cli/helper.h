// Where the tool's second executable is: see shell/command.h.
#ifndef CLI_HELPER_H
#define CLI_HELPER_H

struct arena;

// Beside the tool in the build tree, in libexec where it is installed; NULL if
// it is in neither.
const char *helper_path(struct arena *a);
// The version of a library that only the second executable has, as that one
// tells it; NULL if it has none.  The text lives in a.
const char *helper_version(struct arena *a, const char *library);

#endif
