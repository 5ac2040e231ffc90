#include "program/hints.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static void add_once(struct text *to, const char *line)
{
    if (!strstr(text_get(to), line))
        text_add(to, line);
}

// gcc: 'union server_protocol' has no member named 'accepts_flush'
// clang: no member named 'accepts_flush' in 'union server_protocol'
static void not_accepted(const char *line, struct text *to)
{
    static const char end[] = "_protocol";
    const char *msg = strstr(line, "accepts_"), *cls = strstr(line, "union ");
    if (!msg || !cls || !strstr(line, "no member named"))
        return;
    msg += strlen("accepts_");
    cls += strlen("union ");
    size_t n = word_length(cls), k = word_length(msg);
    if (n < sizeof end ||
        strncmp(cls + n - (sizeof end - 1), end, sizeof end - 1) != 0)
        return;
    n -= sizeof end - 1;
    struct text hint = {0};
    text_format(&hint,
                "hint: %.*s does not accept %.*s: TR_PROTOCOL(%.*s, ...) names "
                "what it does\n",
                (int)n, cls, (int)k, msg, (int)n, cls);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// gcc: invalid use of undefined type 'union tr_any'
// clang: incomplete definition of type 'union tr_any'
static void no_class(const char *line, struct text *to)
{
    if (strstr(line, "error") && strstr(line, "union tr_any") &&
        (strstr(line, "undefined type") || strstr(line, "incomplete")))
        add_once(to, "hint: this reference has no class: send_any() takes it, "
                     "sender_as(CLASS) gives the sender one\n");
}

// gcc: invalid use of undefined type 'struct queue'
// clang: variable has incomplete type 'struct queue'
// and the line of the source follows: spawn(queue, ...)
static void no_struct(const char *line, const char *rest, struct text *to)
{
    const char *at = strstr(line, "struct ");
    if (!at || !strstr(line, "error") ||
        (!strstr(line, "undefined type") && !strstr(line, "incomplete type")))
        return;
    at += strlen("struct ");
    int n = (int)word_length(at);
    struct text call = {0}, hint = {0};
    text_format(&call, "spawn(%.*s", n, at);
    const char *here = strstr(rest, text_get(&call));
    if (n && here && word_length(here + strlen("spawn(")) == (size_t)n) {
        text_format(&hint,
                    "hint: spawn(%.*s) needs to see struct %.*s: put it into a "
                    "header, or spawn in a function beside the class\n",
                    n, at, n, at);
        add_once(to, text_get(&hint));
    }
    text_free(&call);
    text_free(&hint);
}

static bool is_undeclared(const char *line, const char **name)
{
    // gcc: 'ctx' undeclared; clang: use of undeclared identifier 'ctx'
    const char *at = strstr(line, "error: "),
               *gcc = strstr(line, " undeclared");
    static const char clang[] = "use of undeclared identifier ";
    if (!at || !gcc)
        return false;
    at += strlen("error: ");
    at += strncmp(at, clang, sizeof clang - 1) == 0 ? sizeof clang - 1 : 0;
    while (*at && !isalnum((unsigned char)*at) && *at != '_')
        at++; // a quote, in one byte or three
    *name = at;
    return word_length(at) > 0;
}

// A function that sends and has no context; a row whose handler is missing.
static void not_declared(const char *line, const char *rest, struct text *to)
{
    const char *name, *row = strstr(rest, "TR_BEHAVIOUR(");
    if (!is_undeclared(line, &name))
        return;
    size_t n = word_length(name);
    if (n == 3 && strncmp(name, "ctx", 3) == 0) {
        add_once(to, "hint: a function that sends, spawns or asks takes "
                     "tr_ctx *ctx, and is given that of its caller\n");
        return;
    }
    const char *cls = row ? row + strlen("TR_BEHAVIOUR(") : "";
    size_t k = word_length(cls);
    if (!k || k + 1 >= n || strncmp(cls, name, k) != 0 || name[k] != '_' ||
        row > rest + strcspn(rest + 1, "\n"))
        return;
    struct text hint = {0};
    text_format(
        &hint, "hint: TR_HANDLER(%.*s, %.*s) is missing above this behaviour\n",
        (int)k, cls, (int)(n - k - 1), name + k + 1);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// duplicate member 'add'
static void two_rows(const char *line, struct text *to)
{
    const char *at = strstr(line, "duplicate member ");
    if (!at || !strstr(line, "error"))
        return;
    at += strlen("duplicate member ");
    while (*at && !isalnum((unsigned char)*at) && *at != '_')
        at++;
    struct text hint = {0};
    text_format(&hint, "hint: in a TR_BEHAVIOUR this means two rows for %.*s\n",
                (int)word_length(at), at);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// gcc: 'tr_msg_add' undeclared
// clang: use of undeclared identifier 'tr_msg_add'
static void no_message(const char *line, struct text *to)
{
    const char *msg = strstr(line, "tr_msg_");
    if (!msg || !strstr(line, "error") || !strstr(line, "undeclared"))
        return;
    msg += strlen("tr_msg_");
    int n = (int)word_length(msg);
    struct text hint = {0};
    text_format(
        &hint,
        "hint: %.*s is not declared as a message: TR_MESSAGE(%.*s) behind "
        "its struct, or TR_SIGNAL(%.*s)\n",
        n, msg, n, msg, n, msg);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// g++: /usr/include/c++/12/bits/stl_pair.h:855:31: error: macro "get" passed
// ... clang++: the same place, error: too many arguments provided to
// function-like macro invocation.  forward takes as many as ours, and fails
// further on.
static void behind_short_names(const char *line, struct text *to)
{
    const char *at = strstr(line, "/c++/"), *error = strstr(line, ": error:");
    if (at && error && at < error &&
        (strstr(error, "macro") || strstr(error, "forward")))
        add_once(to, "hint: in C++ the standard headers come before "
                     "<troupe_short.h>, whose get and forward are macros\n");
}

void hints_of(const char *said, struct text *to)
{
    while (*said) {
        size_t n = strcspn(said, "\n");
        struct text line = {0};
        text_bytes(&line, said, n);
        not_accepted(text_get(&line), to);
        no_class(text_get(&line), to);
        no_struct(text_get(&line), said + n, to);
        not_declared(text_get(&line), said + n, to);
        two_rows(text_get(&line), to);
        no_message(text_get(&line), to);
        behind_short_names(text_get(&line), to);
        text_free(&line);
        said += n + (said[n] != 0);
    }
}
