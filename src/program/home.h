// Where a project is: the folder of the nearest troupe.ini, from the working
// directory upwards, or the working directory if there is none.  What is kept
// lies in its .troupe, and names in it are relative to that folder, so that
// they are the same from wherever the tool is called.
#ifndef PROGRAM_HOME_H
#define PROGRAM_HOME_H

struct arena;

// The folder, absolute; "" if it is the working directory.
const char *home_folder(struct arena *a);
// The nearest troupe.ini, NULL if there is none.
const char *home_ini(struct arena *a);

// A path in .troupe, as one can open it from here; "" is .troupe itself.
const char *home_path(struct arena *a, const char *below);

// The name of a file, given as seen from here, as it is seen from the folder;
// and the other way round.  One that is elsewhere stays as it is.
const char *home_name(struct arena *a, const char *path);
const char *home_here(struct arena *a, const char *name);

#endif
