// Reading memory of this process that may not be mapped.  A pointer of the
// program under test can have any value.
#ifndef BASE_PEEK_H
#define BASE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Read all of it; false if a part is not there.
bool peek(uintptr_t at, void *to, size_t size);
// Read up to the first page that is not there: how many bytes.
size_t peek_most(uintptr_t at, void *to, size_t most);

#endif
