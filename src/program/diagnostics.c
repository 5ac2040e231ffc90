// A diagnostic is its head, FILE:LINE:COLUMN: error: WORDS, and the lines up to
// the next head.
#include "program/diagnostics.h"

#include "base/text.h"
#include "base/vec.h"
#include "program/hints.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum head { HEAD_NONE, HEAD_ERROR, HEAD_WARNING, HEAD_NOTE, HEAD_PLACE };

struct shortening {
    struct text plain;   // what was said, without colours
    VEC(char *) told;    // "FILE:LINE" of errors told
    unsigned left_out;   // errors
    bool skipping, over; // this diagnostic; all that follows
    bool inner;          // this note is about the inside of a macro of ours
};

void diagnostics_plain(const char *said, struct text *to)
{
    while (*said) {
        size_t n = strcspn(said, "\033");
        text_bytes(to, said, n);
        said += n;
        said += strcspn(said, "mK"); // nothing where it ends
        said += *said != 0;
    }
}

size_t diagnostics_place(const char *line)
{
    const char *colon = strchr(line, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits ? (size_t)(colon - line) + 1 + digits : 0;
}

static enum head head_of(const char *line)
{
    size_t n = diagnostics_place(line);
    const char *at = line + n;
    if (!n)
        return strstr(line, ": In function ") ||
                       strstr(line, ": At top level:") ||
                       strstr(line, ": In member function ")
                   ? HEAD_PLACE
                   : HEAD_NONE;
    at += 1;
    if (isdigit((unsigned char)*at)) // the column
        at += strspn(at, "0123456789") + 1;
    at += strspn(at, " ");
    return strncmp(at, "error: ", 7) == 0 ||
                   strncmp(at, "fatal error: ", 13) == 0
               ? HEAD_ERROR
           : strncmp(at, "warning: ", 9) == 0 ? HEAD_WARNING
           : strncmp(at, "note: ", 6) == 0    ? HEAD_NOTE
                                              : HEAD_NONE;
}

static bool told(const struct shortening *s, const char *line, size_t n)
{
    for (uint32_t i = 0; i < s->told.n; i++)
        if (strlen(s->told.at[i]) == n && strncmp(s->told.at[i], line, n) == 0)
            return true;
    return false;
}

// Is the place in our own header?  What is wrong there follows from a use of
// it.
static bool of_header(const char *place, size_t n)
{
    const char *at = memmem(place, n, "/troupe.h:", strlen("/troupe.h:"));
    return at ||
           memmem(place, n, "/troupe_short.h:", strlen("/troupe_short.h:"));
}

// Does this line belong to what is shown?  rest is what follows it, plain.
static bool takes(struct shortening *s, const char *line, const char *rest)
{
    size_t n = diagnostics_place(line);
    enum head head = head_of(line);
    if (head != HEAD_NONE)
        s->inner = head == HEAD_NOTE &&
                   (of_header(line, n) || strstr(line, "expanded from "));
    switch (head) {
    case HEAD_ERROR:
        s->skipping =
            s->over || told(s, line, n) || (s->told.n && of_header(line, n));
        s->left_out += s->skipping;
        if (!s->skipping)
            vec_push(&s->told, strndup(line, n));
        s->over |= hints_upsets(line, rest);
        break;
    case HEAD_WARNING:
        s->skipping = s->over || told(s, line, n);
        s->over |= hints_upsets(line, rest);
        break;
    case HEAD_NOTE:
        if (strstr(line, "each undeclared identifier"))
            return false;
        break;
    case HEAD_PLACE: // its functions are the macros', its lines are in the
                     // heads
        return false;
    case HEAD_NONE:
        break;
    }
    return !s->skipping && !s->inner;
}

void diagnostics_shorten(const char *said, bool whole, struct text *to)
{
    struct shortening s = {0};
    struct text hints = {0}, heard = {0}; // heard: what hints are about
    diagnostics_plain(said, &s.plain);
    const char *plain = text_get(&s.plain);
    while (*said) {
        size_t n = strcspn(said, "\n"), k = strcspn(plain, "\n");
        struct text line = {0};
        text_bytes(&line, plain, k);
        if (takes(&s, text_get(&line), plain + k) || whole) {
            text_bytes(to, said, n);
            text_char(to, '\n');
        }
        if (!s.over || !s.skipping)
            text_format(&heard, "%s\n", text_get(&line));
        text_free(&line);
        said += n + (said[n] != 0);
        plain += k + (plain[k] != 0);
    }
    if (s.left_out && !whole)
        text_format(to,
                    "%u more error%s that may follow from %s: -v shows all\n",
                    s.left_out, s.left_out == 1 ? "" : "s",
                    s.told.n > 1 ? "these" : "this one");
    hints_of(text_get(&heard), &hints);
    text_add(to, text_get(&hints));
    for (uint32_t i = 0; i < s.told.n; i++)
        free(s.told.at[i]);
    vec_free(&s.told);
    text_free(&hints);
    text_free(&heard);
    text_free(&s.plain);
}
