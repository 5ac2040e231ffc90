// Numbers and durations as users write and read them.
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

// "10000", "10_000", "10k", "2M", "1.5M", "0x5eed"; false if it is not a
// number, or too large.
bool number_parse(const char *s, uint64_t *out);
// The same with a sign.
bool number_parse_signed(const char *s, int64_t *out);
// "500ms", "60s", "10m", "1h30m", "2d", "20us"; without unit: seconds, which
// may have a fraction.  In nanoseconds.
bool duration_parse(const char *s, uint64_t *ns);

// "1,234,567", in a buffer of 32 bytes.
const char *number_grouped(char *buffer, uint64_t n);

// As a double lies in memory: 0.0 and -0.0 differ, and so may two NaNs.
uint64_t double_bits(double v);

#endif
