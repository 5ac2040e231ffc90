// The folder of a project: that of the nearest troupe.ini, from the working
// directory upwards; without one, the working directory.  The tool keeps its
// files in .troupe there.  Names in these files are relative to the folder, so
// that they do not depend on where the tool is called.
#ifndef PROGRAM_HOME_H
#define PROGRAM_HOME_H

struct arena;

// The folder, absolute; "" if it is the working directory.
const char *home_folder(struct arena *a);
// The nearest troupe.ini, NULL if there is none.
const char *home_ini(struct arena *a);

// A path in .troupe, as one can open it from here; "" is .troupe itself.
const char *home_path(struct arena *a, const char *below);

// Turn the name of a file relative to the working directory into one relative
// to the folder, and back.  If the file is not below the folder its name stays.
const char *home_name(struct arena *a, const char *path);
const char *home_here(struct arena *a, const char *name);

#endif
