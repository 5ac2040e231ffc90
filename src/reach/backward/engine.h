// What the rest of reach asks of the backward engine.
#ifndef REACH_BACKWARD_ENGINE_H
#define REACH_BACKWARD_ENGINE_H

#include "reach/backward/backward.h"

// The setting that a search by this name runs alone.
enum backward_setting backward_setting_of(enum reach_search s);

#endif
