// Frames between supervisor and workers: a kind, a size, bytes.
#ifndef CREW_FRAME_H
#define CREW_FRAME_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
    uint32_t kind, size;
    const void *bytes; // valid until the next frame_next() or frame_fill()
};

// Write a whole frame; false if the other side is gone.
bool frame_put(int fd, uint32_t kind, const void *bytes, size_t size);

// Frames that arrived.  All zero is empty.
struct frames {
    struct text in;
    size_t read;
};

// Read what is there (blocking if nothing is); false at the end of the stream.
bool frames_fill(struct frames *f, int fd);
// The next whole frame; false if there is none yet.
bool frames_next(struct frames *f, struct frame *out);
void frames_free(struct frames *f);

#endif
