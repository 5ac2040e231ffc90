#include "base/libc.h"

#include <string.h>

// The words of the rows.
enum {
    PLAIN = LIBC_PLAIN,
    RESULT0 = LIBC_RESULT0,
    RESULT1 = LIBC_RESULT1,
    RESULT2 = LIBC_RESULT2,
    COPIES = LIBC_COPIES,
    FRESH = LIBC_FRESH,
    FRESH_AT0 = LIBC_FRESH_AT0,
    FROM0 = LIBC_FROM0,
    SIZED = LIBC_SIZED,
    BLOCKS = LIBC_BLOCKS,
    CALLS3 = LIBC_CALLS3,
    CALLS4 = LIBC_CALLS4,
    ANYTHING = LIBC_ANYTHING,
    CLOCK = LIBC_CLOCK,
    READS = LIBC_READS,
    FORMAT0 = LIBC_FORMAT0,
    FORMAT1 = LIBC_FORMAT1,
    INTO0 = LIBC_INTO0,
    END_AT1 = LIBC_END_AT1,
    REST_AT0 = LIBC_REST_AT0,
    REST_AT2 = LIBC_REST_AT2,
    REST_KEPT = LIBC_REST_KEPT,
    WRITES0 = LIBC_WRITES0,
    CHANCE = LIBC_CHANCE,
    THREAD = LIBC_THREAD
};

const struct libc_row libc_rows[] = {
#define ROW_(name, stage, does, model, terms) {#name, LIBC_##stage, does},
    LIBC(ROW_)
#undef ROW_
};

const uint32_t libc_n = sizeof libc_rows / sizeof *libc_rows;

// Names that begin so are harmless unless they have a row: families of the C
// library, and what compilers, sanitizers and our own library add.
static const char *const families[] = {
    "mem",          "__mem",
    "str",          "__str",
    "wcs",          "wmem",
    "is",           "to",
    "mb",           "wc",
    "__ctype",      "__printf",
    "__fprintf",    "__sprintf",
    "__snprintf",   "__vsnprintf",
    "__vprintf",    "__vsprintf",
    "__vfprintf",   "__isoc99_",
    "fseek",        "ftell",
    "lseek",        "__isoc23_",
    "ato",          "ffs",
    "pthread_cond", "pthread_mutex",
    "__cxa_",       "pthread_spin",
    "_Unwind_",     "pthread_rwlock",
    "_ITM_",        "__gmon_start_",
    "__gxx_pers",   "_GLOBAL_OFFSET_TABLE_",
    "tr_",          "__wrap_",
    "__asan_",      "__sanitizer_",
    "__ubsan_",     "__gcov_",
    "__llvm_",      "__dynamic_cast",
};

const struct libc_row *libc_find(const char *name)
{
    for (uint32_t i = 0; i < libc_n; i++)
        if (libc_rows[i].name[0] == name[0] &&
            strcmp(libc_rows[i].name, name) == 0)
            return &libc_rows[i];
    return NULL;
}

bool libc_allocates(const char *name)
{
    const struct libc_row *row = libc_find(name);
    return row && row->does & (LIBC_FRESH | LIBC_FRESH_AT0);
}

bool libc_harmless(const char *name)
{
    const struct libc_row *row = libc_find(name);
    if (row)
        return row->stage == LIBC_HARMLESS || row->stage == LIBC_REPLACED;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(families[i], name, strlen(families[i])) == 0)
            return true;
    return false;
}
