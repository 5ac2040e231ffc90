// Time for wrapped functions: logical on the stage and in the solo manager.
#ifndef STAGE_WRAP_TIME_H
#define STAGE_WRAP_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// So much logical time passes, at once; false if time is real.
bool wrap_sleep(uint64_t ms);
// Until this moment of a clock, at once; false if time is real.
bool wrap_sleep_until(clockid_t id, const struct timespec *t);
// In whole milliseconds, rounded up.
uint64_t wrap_ms(const struct timespec *t);

#endif
