// Compiled objects and bitcode, kept by content.
//
// A key stands for compiler, flags, inputs and folder.  KEY.deps lists every
// file that took part; the object is KEY-CONTENT.so (bitcode ends in .bc),
// where CONTENT is the hash of what these files hold now.  So an edit that is
// undone finds the first object again, and no object is out of date.  A header
// that appears earlier on the include path is not noticed, as with ccache's
// direct mode.  A file is written under another name and renamed, so that two
// tools may build at once.
#ifndef PROGRAM_CACHE_H
#define PROGRAM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

struct cache {
    struct arena *arena; // for strings
    const char *dir;
    const char *ending; // NULL: .so
    const char *folder; // that names in makefile rules are relative to; NULL:
                        // here
    uint64_t key;
    VEC(const char *) deps;
};

// The object for the files as they are now, NULL if it was never made.
const char *cache_find(struct cache *c);
// Name files that took part: one, or all that a makefile rule mentions.
void cache_add(struct cache *c, const char *path);
void cache_add_rule(struct cache *c, const char *path);
// Take in a new object, by renaming it; its name, NULL with errno if it cannot
// be written.  The oldest ones beyond a few hundred are removed.
const char *cache_put(struct cache *c, const char *object);
void cache_free(struct cache *c);

// The hash h goes on with what a file holds; as it was if it cannot be read.
uint64_t cache_hash_file(uint64_t h, const char *path);
uint64_t cache_hash_words(uint64_t h, const char *const *at, uint32_t n);

#endif
