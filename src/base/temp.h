// Folders for temporary files, in $TMPDIR or /tmp.
#ifndef BASE_TEMP_H
#define BASE_TEMP_H

struct arena;
struct diag;

// Make an empty folder of our own; its path lives in a.  NULL, with d set, if
// that is impossible.
const char *temp_new(struct arena *a, struct diag *d);
// The same, with a path that is one plain word to a shell: in /tmp if $TMPDIR
// is not.
const char *temp_new_plain(struct arena *a, struct diag *d);
// Remove it with all that is in it.
void temp_remove(const char *path);

#endif
