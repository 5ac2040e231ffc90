// Which sources of a folder are its program of actors, for a first troupe.ini.
#ifndef CLI_INIT_SOURCES_H
#define CLI_INIT_SOURCES_H

struct arena;

// The sources here and in src, test and tests that use our macros, as words for
// [build] program, if one of them has a test; NULL if none has, or if they are
// not one program: then *why says so.
const char *init_sources(struct arena *a, const char **why);

#endif
