// One table per struct, by which it is written and read: NUMBER has 64 bits,
// COUNT 32, ENUM is below n, NUMBERS is an array of n; LOCAL stays in its
// process.
#include "explore/bytes.h"

#include "base/wire.h"

#include <stddef.h>

#define OPTIONS_FIELDS(NUMBER, COUNT, REAL, FLAG, ENUM, LOCAL)                 \
    ENUM(delivery, DELIVERIES_N)                                               \
    ENUM(strategy, STRATEGIES_N)                                               \
    ENUM(order, ORDER_SCATTER + 1)                                             \
    NUMBER(seed)                                                               \
    COUNT(steps)                                                               \
    NUMBER(schedules)                                                          \
    REAL(seconds)                                                              \
    FLAG(bounded_delays)                                                       \
    COUNT(delays)                                                              \
    COUNT(depth)                                                               \
    FLAG(keep_going)                                                           \
    FLAG(guest)                                                                \
    FLAG(no_warm_up)                                                           \
    ENUM(part, PARTS_N)                                                        \
    COUNT(turn)                                                                \
    COUNT(slice)                                                               \
    FLAG(no_invariants)                                                        \
    FLAG(no_final_states)                                                      \
    FLAG(shared)                                                               \
    FLAG(own_clocks)                                                           \
    COUNT(ticks)                                                               \
    FLAG(warnings)                                                             \
    NUMBER(ignore)                                                             \
    COUNT(reduction_off)                                                       \
    NUMBER(max_states)                                                         \
    NUMBER(max_finals)                                                         \
    LOCAL(cover)

#define RESULT_FIELDS(NUMBER, NUMBERS, COUNT, REAL, FLAG, ENUM)                \
    NUMBER(executions)                                                         \
    NUMBER(broken_off)                                                         \
    NUMBER(warm_up)                                                            \
    NUMBERS(share, STRATEGIES_N)                                               \
    ENUM(decided, STRATEGIES_N)                                                \
    NUMBER(blocked)                                                            \
    NUMBER(cut)                                                                \
    NUMBER(receives)                                                           \
    NUMBER(final_states)                                                       \
    FLAG(more_final_states)                                                    \
    NUMBER(finals_hash)                                                        \
    NUMBER(states)                                                             \
    NUMBER(bugs)                                                               \
    NUMBER(warnings)                                                           \
    NUMBER(ruled_out)                                                          \
    COUNT(max_depth)                                                           \
    FLAG(rested)                                                               \
    FLAG(complete)                                                             \
    ENUM(stopped_by, STOPS_N)                                                  \
    ENUM(refused, REFUSALS_N)                                                  \
    REAL(estimate)                                                             \
    REAL(estimate_low)                                                         \
    REAL(estimate_high)                                                        \
    REAL(growth)                                                               \
    REAL(progress)                                                             \
    REAL(seconds)

// Structs made from the tables: whoever adds a field to the real ones meets an
// assertion here, and puts the field into its table.
#define OWN_NUMBER(field) uint64_t field;
#define OWN_NUMBERS(field, n) uint64_t field[n];
#define OWN_COUNT(field) uint32_t field;
#define OWN_REAL(field) double field;
#define OWN_FLAG(field) bool field;
#define OWN_ENUM(field, n) unsigned field;
#define OWN_LOCAL(field) const void *field;
struct own_options {
    OPTIONS_FIELDS(OWN_NUMBER, OWN_COUNT, OWN_REAL, OWN_FLAG, OWN_ENUM,
                   OWN_LOCAL)
};
struct own_result {
    RESULT_FIELDS(OWN_NUMBER, OWN_NUMBERS, OWN_COUNT, OWN_REAL, OWN_FLAG,
                  OWN_ENUM)
};

#define SAME(s, t, field)                                                      \
    _Static_assert(offsetof(struct s, field) == offsetof(struct t, field),     \
                   "a field before " #field " is not in the table");
#define SAME_OPTION(field) SAME(own_options, explore_options, field)
#define SAME_RESULT(field) SAME(own_result, explore_result, field)
#define SAME_OPTION_ENUM(field, n) SAME_OPTION(field)
#define SAME_RESULT_ENUM(field, n) SAME_RESULT(field)
OPTIONS_FIELDS(SAME_OPTION, SAME_OPTION, SAME_OPTION, SAME_OPTION,
               SAME_OPTION_ENUM, SAME_OPTION)
RESULT_FIELDS(SAME_RESULT, SAME_RESULT_ENUM, SAME_RESULT, SAME_RESULT,
              SAME_RESULT, SAME_RESULT_ENUM)
_Static_assert(sizeof(struct own_options) == sizeof(struct explore_options),
               "the last fields are not in the table");
_Static_assert(sizeof(struct own_result) == sizeof(struct explore_result),
               "the last fields are not in the table");

#define NO_LOCAL(field)
#define PUT_NUMBER(field) wire_put64(t, from->field);
#define PUT_NUMBERS(field, n)                                                  \
    for (uint32_t i = 0; i < (n); i++)                                         \
        wire_put64(t, from->field[i]);
#define PUT_COUNT(field) wire_put32(t, from->field);
#define PUT_REAL(field) wire_put_real(t, from->field);
#define PUT_FLAG(field) wire_put32(t, from->field);
#define PUT_ENUM(field, n) wire_put32(t, (uint32_t)from->field);

void explore_options_put(struct text *t, const struct explore_options *from)
{
    OPTIONS_FIELDS(PUT_NUMBER, PUT_COUNT, PUT_REAL, PUT_FLAG, PUT_ENUM,
                   NO_LOCAL)
}

void explore_result_put(struct text *t, const struct explore_result *from)
{
    RESULT_FIELDS(PUT_NUMBER, PUT_NUMBERS, PUT_COUNT, PUT_REAL, PUT_FLAG,
                  PUT_ENUM)
}

#define GET_NUMBER(field) to->field = wire_get64(in);
#define GET_NUMBERS(field, n)                                                  \
    for (uint32_t i = 0; i < (n); i++)                                         \
        to->field[i] = wire_get64(in);
#define GET_COUNT(field) to->field = wire_get32(in);
#define GET_REAL(field) to->field = wire_get_real(in);
#define GET_FLAG(field) to->field = wire_get_below(in, 2);
#define GET_ENUM(field, n) to->field = wire_get_below(in, n);

void explore_options_get(struct wire_reader *in, struct explore_options *to)
{
    *to = (struct explore_options){0};
    OPTIONS_FIELDS(GET_NUMBER, GET_COUNT, GET_REAL, GET_FLAG, GET_ENUM,
                   NO_LOCAL)
}

void explore_result_get(struct wire_reader *in, struct explore_result *to)
{
    *to = (struct explore_result){0};
    RESULT_FIELDS(GET_NUMBER, GET_NUMBERS, GET_COUNT, GET_REAL, GET_FLAG,
                  GET_ENUM)
}
