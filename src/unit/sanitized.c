#include "unit/sanitized.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/text.h"
#include "cases/call.h"
#include "unit/call_program.h"
#include "unit/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sanitized_compiler(struct arena *a)
{
    static const char *const all[] = {"gcc", "clang"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (command_path(a, all[i]))
            return all[i];
    return NULL;
}

const char *sanitized_flags(enum sanitized_checks checks)
{
    return checks & SANITIZED_OVERFLOW
               ? "-fsanitize=address,bounds,nonnull-attribute,"
                 "signed-integer-overflow -fno-sanitize-recover=all"
               : "-fsanitize=address,bounds,nonnull-attribute "
                 "-fno-sanitize-recover=all";
}

// ---- what is reported -------------------------------------------------------

// Words of a report, and what we call it.
static const struct {
    const char *words, *kind;
} reports[] = {
    {"stack-buffer-overflow", "bounds"},
    {"stack-buffer-underflow", "bounds"},
    {"dynamic-stack-buffer-overflow", "bounds"},
    {"heap-buffer-overflow", "bounds"},
    {"global-buffer-overflow", "bounds"},
    {"container-overflow", "bounds"},
    {"negative-size-param", "bounds"},
    {"out of bounds for type", "bounds"},
    {"heap-use-after-free", "freed"},
    {"stack-use-after-return", "freed"},
    {"stack-use-after-scope", "freed"},
    {"attempting double-free", "freed"},
    {"attempting free on address which was not malloc", "free"},
    {"param-overlap", "overlap"},
    {"stack-overflow", "stack"},
    {"signed integer overflow", "overflow"},
    {"declared to never be null", "nonnull"},
    {"SEGV on unknown address", "signal"},
};

static bool is_null_access(const char *line)
{
    const char *at = strstr(line, "unknown address 0x");
    return at && strtoull(at + sizeof "unknown address" - 1, NULL, 16) < 4096;
}

static void take_kind(const char *line, struct sanitized *out)
{
    for (size_t i = 0; i < sizeof reports / sizeof *reports && !out->kind; i++)
        if (strstr(line, reports[i].words)) {
            out->kind = is_null_access(line) ? "null" : reports[i].kind;
            out->words = reports[i].words;
        }
}

// "FILE:LINE" or "FILE:LINE:COLUMN" at the end of n bytes.
static void take_place(struct arena *a, const char *text, size_t n,
                       struct sanitized *out)
{
    char *at = arena_format(a, "%.*s", (int)n, text), *colon;
    uint32_t numbers[2] = {0}, k = 0;
    while (k < 2 && (colon = strrchr(at, ':')) && colon[1] >= '0' &&
           colon[1] <= '9') {
        numbers[k++] = (uint32_t)strtoul(colon + 1, NULL, 10);
        *colon = '\0';
    }
    if (!k || !*at)
        return;
    out->file = at;
    out->line = numbers[k - 1];
    out->column = k == 2 ? numbers[0] : 0;
}

// "    #1 0x560b4e624250 in copy /home/me/one.c:7"
static void take_frame(struct arena *a, const char *line, struct sanitized *out)
{
    const char *in = strstr(line, " in "), *path = in ? strchr(in, '/') : NULL;
    if (path && path[-1] == ' ' && strchr(path, ':'))
        take_place(a, path, strlen(path), out);
}

// The first report counts, and its first stack.
static void take_report(struct arena *a, const char *line, bool *in_stack,
                        struct sanitized *out)
{
    const char *error = strstr(line, ": runtime error: ");
    const char *frame = line + strspn(line, " ");
    if (!out->kind && error) {
        take_kind(error, out);
        take_place(a, line, (size_t)(error - line), out);
        *in_stack = false;
    } else if (!out->kind && strstr(line, "ERROR: AddressSanitizer")) {
        take_kind(line, out);
        out->kind = out->kind ? out->kind : "signal";
        *in_stack = true;
    } else if (out->kind && *in_stack && !out->line && *frame == '#') {
        take_frame(a, frame, out);
    } else if (!*frame) {
        *in_stack = false;
    }
}

static void take_words(struct arena *a, const char *said, uint32_t n,
                       struct sanitized *out)
{
    char *all = arena_text(a, said);
    unsigned i = 0;
    bool in_stack = false, begun = false;
    for (char *line = all, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        if (sscanf(line, "call %u", &i) == 1)
            begun = i < n;
        else if (begun)
            take_report(a, line, &in_stack, &out[i]);
    }
}

bool sanitized_calls(struct arena *a, const struct unit_options *o,
                     bool has_main, enum sanitized_checks checks,
                     const struct call_case *const *calls, uint32_t n,
                     struct sanitized *out)
{
    struct args flags = {0};
    struct text said = {0};
    const char *why;
    args_split(&flags, a, sanitized_flags(checks));
    struct call_program p = {.options = o,
                             .has_main = has_main,
                             .compiler = sanitized_compiler(a),
                             .sanitizers = flags.at,
                             .n_sanitizers = flags.n,
                             .calls = calls,
                             .n = n};
    bool ok = p.compiler && call_program_run(a, &p, &said, &why);
    memset(out, 0, n * sizeof *out);
    if (ok)
        take_words(a, text_get(&said), n, out);
    vec_free(&flags);
    text_free(&said);
    return ok;
}
