// A function for each mistake, with the compilers' words for it above: it looks
// at one line of what they said, and adds a hint if that is the mistake.
#include "program/hints.h"

#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
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

// Is this word undeclared, as one line or another says?
static bool undeclared_somewhere(const char *said, const char *prefix,
                                 const char *word, size_t n)
{
    struct text name = {0};
    text_format(&name, "%s%.*s", prefix, (int)n, word);
    bool is = false;
    for (const char *at = said; !is && (at = strstr(at, text_get(&name)));
         at++) {
        const char *line = at, *end = at + strcspn(at, "\n");
        while (line > said && line[-1] != '\n')
            line--;
        const char *un = strstr(line, "declared"); // undeclared, not declared
        is = word_length(at) == name.n && un && un < end;
    }
    text_free(&name);
    return is;
}

// gcc: 'union server_protocol' has no member named 'accepts_flush'
// clang: no member named 'accepts_flush' in 'union server_protocol'
static void not_accepted(const char *line, const char *said, struct text *to)
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
    if (undeclared_somewhere(said, "tr_msg_", msg, k))
        return; // no_message() has a better one
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

// Does the line of the source that follows have this call?
static bool calls(const char *rest, const char *function)
{
    const char *at = strstr(rest, function);
    return at && at < rest + 1 + strcspn(rest + (*rest != 0), "\n");
}

static bool is_undeclared(const char *line, const char **name)
{
    // gcc: 'ctx' undeclared; clang: use of undeclared identifier 'ctx'
    // g++: 'ctx' was not declared in this scope
    const char *at = strstr(line, "error: "),
               *gcc = strstr(line, " undeclared"),
               *cxx = strstr(line, " was not declared in this scope");
    static const char clang[] = "use of undeclared identifier ";
    if (!at || (!gcc && !cxx))
        return false;
    at += strlen("error: ");
    at += strncmp(at, clang, sizeof clang - 1) == 0 ? sizeof clang - 1 : 0;
    while (*at && !isalnum((unsigned char)*at) && *at != '_')
        at++; // a quote, in one byte or three
    *name = at;
    return word_length(at) > 0;
}

#define MISSING_PROTOCOL                                                       \
    "hint: TR_PROTOCOL(%.*s, ...) is missing above this line\n"

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
    if (n - k == strlen("_ref") && strncmp(name + k, "_ref", n - k) == 0)
        text_format(&hint, MISSING_PROTOCOL, (int)k, cls);
    else
        text_format(&hint,
                    "hint: TR_HANDLER(%.*s, %.*s) is missing above this "
                    "behaviour\n",
                    (int)k, cls, (int)(n - k - 1), name + k + 1);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// A behaviour that a handler becomes and that nothing above it names.
static void no_behaviour(const char *line, const char *rest, struct text *to)
{
    const char *name, *cls = strstr(rest, "become(");
    if (!is_undeclared(line, &name) || !calls(rest, "become("))
        return;
    cls += strlen("become(");
    size_t n = word_length(name), k = word_length(cls);
    if (!k || k + 1 >= n || strncmp(cls, name, k) != 0 || name[k] != '_')
        return;
    int of = (int)k, rest_of = (int)(n - k - 1);
    struct text hint = {0};
    text_format(&hint,
                "hint: TR_STATES(%.*s, %.*s) above the handlers names "
                "behaviours that they become, TR_BEHAVIOUR(%.*s, %.*s, ...) "
                "says what one does\n",
                of, cls, rest_of, name + k + 1, of, cls, rest_of, name + k + 1);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// reply(ANSWER, ...) where a request is to stand.
static bool replies_with(const char *rest, const char *answer, size_t n,
                         struct text *to)
{
    struct text call = {0};
    text_format(&call, "reply(%.*s", (int)n, answer);
    bool replies = calls(rest, text_get(&call));
    text_free(&call);
    if (strstr(text_get(to), "hint: reply() begins"))
        return true; // the other errors of that line
    if (replies)
        add_once(to, "hint: reply() begins with the request that it answers: "
                     "reply(REQUEST, fields of the answer)\n");
    return replies;
}

// gcc: 'tr_reply_add' undeclared
static void no_request(const char *line, const char *rest, const char *said,
                       struct text *to)
{
    static const char prefix[] = "tr_reply_";
    const char *name;
    if (!is_undeclared(line, &name) ||
        strncmp(name, prefix, sizeof prefix - 1) != 0)
        return;
    name += sizeof prefix - 1;
    int n = (int)word_length(name);
    struct text hint = {0};
    if (undeclared_somewhere(said, "tr_msg_", name, (size_t)n) &&
        replies_with(rest, name, (size_t)n, to))
        return;
    text_format(&hint,
                "hint: %.*s is not a request: TR_REQUEST(%.*s, ANSWER) in "
                "place of TR_MESSAGE(%.*s) says what answers it\n",
                n, name, n, name, n, name);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

static bool has_too_many(const char *line)
{
    return strstr(line, "error: ") &&
           strstr(line, "tr_at_most_40_messages_or_rows");
}

// gcc: invalid use of undefined type 'struct counter_accepts_'
static const char *class_without_protocol(const char *line, size_t *n)
{
    static const char end[] = "_accepts_";
    const char *at = strstr(line, "struct ");
    at = at ? at + strlen("struct ") : "";
    *n = word_length(at);
    if (!strstr(line, "error: ") || *n < sizeof end ||
        strncmp(at + *n - (sizeof end - 1), end, sizeof end - 1) != 0)
        return NULL;
    *n -= sizeof end - 1;
    return at;
}

static void no_protocol(const char *line, struct text *to)
{
    size_t n;
    const char *cls = class_without_protocol(line, &n);
    struct text hint = {0};
    if (has_too_many(line))
        add_once(to, "hint: TR_PROTOCOL and TR_BEHAVIOUR take at most 40 "
                     "names: a message with a field that says which one takes "
                     "the place of several\n");
    else if (cls && !strstr(text_get(to), "at most 40"))
        text_format(&hint, MISSING_PROTOCOL, (int)n, cls);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// g++: invalid 'static_cast' from type 'void (*)(counter*, const add*)'
static void not_a_handler(const char *line, const char *rest, struct text *to)
{
    if (strstr(line, "error: ") && strstr(line, "static_cast") &&
        calls(rest, "TR_BEHAVIOUR("))
        add_once(to, "hint: what a row names begins with TR_HANDLER(CLASS, "
                     "MESSAGE)\n");
}

// gcc: invalid type argument of '->' (have 'int')
// clang: member reference type 'int' is not a pointer
// g++: base operand of '->' is not a pointer
static void not_a_reference(const char *line, const char *rest, struct text *to)
{
    if ((strstr(line, "error: invalid type argument of ") ||
         strstr(line, "error: member reference type ") ||
         strstr(line, "error: base operand of ")) &&
        (calls(rest, "send(") || calls(rest, "ask(") ||
         calls(rest, "forward(")))
        add_once(to, "hint: send, ask and forward begin with a reference, as "
                     "spawn and me give it\n");
}

// gcc: duplicate member 'add'
// g++: redeclaration of 'char counter_open_has_one_row_for::add'
static void two_rows(const char *line, struct text *to)
{
    static const char cxx[] = "_has_one_row_for::";
    const char *at = strstr(line, "duplicate member "), *in = strstr(line, cxx);
    if ((!at && !in) || !strstr(line, "error"))
        return;
    at = in ? in + strlen(cxx) : at + strlen("duplicate member ");
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
static void no_message(const char *line, const char *rest, struct text *to)
{
    const char *msg = strstr(line, "tr_msg_");
    if (!msg || !strstr(line, "error") ||
        !(strstr(line, "undeclared") || strstr(line, "not declared")))
        return;
    msg += strlen("tr_msg_");
    int n = (int)word_length(msg);
    const char *meant = strstr(msg, "tr_msg_"); // did you mean 'tr_msg_add'?
    struct text hint = {0};
    if (replies_with(rest, msg, (size_t)n, to))
        return;
    text_format(
        &hint,
        "hint: %.*s is not declared as a message: TR_MESSAGE(%.*s) behind "
        "its struct, or TR_SIGNAL(%.*s)",
        n, msg, n, msg, n, msg);
    if (meant && strstr(line, "did you mean")) {
        meant += strlen("tr_msg_");
        text_format(&hint, "; did you mean %.*s?", (int)word_length(meant),
                    meant);
    }
    text_char(&hint, '\n');
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// gcc: unknown type name 'member_ref'
static void no_reference(const char *line, struct text *to)
{
    static const char end[] = "_ref";
    const char *at = strstr(line, "unknown type name ");
    if (!at)
        return;
    at += strlen("unknown type name ");
    while (*at && !isalnum((unsigned char)*at) && *at != '_')
        at++;
    size_t n = word_length(at), k = sizeof end - 1;
    if (n <= k || strncmp(at + n - k, end, k) != 0 ||
        strstr(text_get(to), "troupe_short.h"))
        return;
    struct text hint = {0};
    text_format(&hint,
                "hint: TR_PROTOCOL(%.*s, ...) makes %.*s, and stands above the "
                "first use of it\n",
                (int)(n - k), at, (int)n, at);
    add_once(to, text_get(&hint));
    text_free(&hint);
}

// redefinition of 'tr_test_adds'
static void two_of_a_name(const char *line, struct text *to)
{
    static const char *const kinds[][2] = {{"tr_test_", "tests"},
                                           {"tr_system_", "systems"},
                                           {"tr_invariant_", "invariants"},
                                           {"tr_msg_", "messages"}};
    const char *at = strstr(line, "redefinition of ");
    for (size_t i = 0; at && i < sizeof kinds / sizeof *kinds; i++) {
        const char *name = strstr(at, kinds[i][0]);
        struct text hint = {0};
        if (!name || strstr(line, "tr_at_"))
            continue;
        name += strlen(kinds[i][0]);
        text_format(&hint, "hint: two %s are named %.*s\n", kinds[i][1],
                    (int)word_length(name), name);
        add_once(to, text_get(&hint));
        text_free(&hint);
    }
}

// gcc: expected ',' or ';' before 'struct'
// gcc: expected ';', identifier or '(' before 'void'
// Its line is that of the next word; clang says the line that lacks it.
static bool lacks_end(const char *line)
{
    const char *at = strstr(line, "error: expected "),
               *before = strstr(line, " before ");
    const char *end = at ? strchr(at, ';') : NULL;
    return end && before && end < before &&
           (strstr(at, " or ") || strstr(at, "identifier"));
}

// The last line above a place that has code, 0 if it ends as a line should.
static int line_without_end(const char *source, int before)
{
    int number = 0, found = 0;
    for (const char *at = source; *at && ++number < before;) {
        size_t n = strcspn(at, "\n"), code = n;
        for (size_t i = 0; i + 1 < n; i++)
            if (at[i] == '/' && (at[i + 1] == '/' || at[i + 1] == '*') &&
                code == n)
                code = i;
        while (code && isspace((unsigned char)at[code - 1]))
            code--;
        if (code)
            found = at[code - 1] == ';' ? 0 : number;
        at += n + (at[n] != 0);
    }
    return found;
}

static void no_end(const char *line, struct text *to)
{
    const char *colon = strchr(line, ':');
    struct text source = {0}, path = {0}, hint = {0};
    if (!colon || !lacks_end(line))
        return;
    text_bytes(&path, line, (size_t)(colon - line));
    if (file_read(text_get(&path), &source)) {
        int at = line_without_end(text_get(&source), atoi(colon + 1));
        if (at)
            text_format(&hint,
                        "hint: %s:%d: a ; is missing at the end of this "
                        "line\n",
                        text_get(&path), at);
        add_once(to, text_get(&hint));
    }
    text_free(&source);
    text_free(&path);
    text_free(&hint);
}

// gcc: data definition has no type or storage class
// clang: type specifier missing, defaults to 'int'
// g++: expected constructor, destructor, or type conversion
// and the line of the source follows: TR_MESSAGE(add);
static bool lacks_header(const char *line, const char *rest)
{
    const char *macro = strstr(rest, "TR_");
    return (strstr(line, "data definition has no type") ||
            strstr(line, "type specifier missing") ||
            strstr(line, "a type specifier is required") ||
            strstr(line, "expected constructor, destructor")) &&
           macro && macro < rest + 1 + strcspn(rest + 1, "\n");
}

static void no_header(const char *line, const char *rest, struct text *to)
{
    if (lacks_header(line, rest))
        add_once(to, "hint: #include <troupe_short.h> is missing, or "
                     "<troupe.h> with the long names\n");
}

bool hints_short_form(const char *name, size_t n)
{
    static const char *const names[] = {"spawn",  "ask",    "reply", "await",
                                        "become", "expose", "drain", "peek",
                                        "watch",  "forward"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0)
            return true;
    return false;
}

// gcc: implicit declaration of function 'spawn'
// clang: call to undeclared function 'spawn'
static void no_short_form(const char *line, struct text *to)
{
    const char *at = strstr(line, "eclar");
    at = at ? strstr(at, " function ") : NULL;
    if (!at || !(strstr(line, "implicit declaration") ||
                 strstr(line, "undeclared function")))
        return;
    at += strlen(" function ");
    while (*at && !isalnum((unsigned char)*at) && *at != '_')
        at++;
    size_t n = word_length(at);
    if (hints_short_form(at, n))
        add_once(to, "hint: short names come with #include <troupe_short.h>; "
                     "<troupe.h> has tr_spawn(ctx, ...) and so on\n");
}

// A declaration by one of our macros that lacks its end, where gcc points to
// it.
static bool open_macro(const char *line, const char *rest)
{
    const char *at = strstr(line, "error: expected "), *bar = strchr(rest, '|');
    return at && strstr(at, " before ") && strchr(at, ';') && bar &&
           strncmp(bar + 1, " TR_", 4) == 0;
}

// g++: /usr/include/c++/12/bits/stl_pair.h:855:31: error: macro "get" passed
// ... clang++: the same place, error: too many arguments provided to
// function-like macro invocation.  forward takes as many as ours, and fails
// further on.
static bool behind_short_names(const char *line)
{
    const char *at = strstr(line, "/c++/"), *error = strstr(line, ": error:");
    return at && error && at < error &&
           (strstr(error, "macro") || strstr(error, "forward"));
}

static void headers_first(const char *line, struct text *to)
{
    if (behind_short_names(line))
        add_once(to, "hint: in C++ the standard headers come before "
                     "<troupe_short.h>, whose get and forward are macros\n");
}

bool hints_upsets(const char *line, const char *rest)
{
    const char *reference = strstr(line, "unknown type name ");
    size_t n;
    return behind_short_names(line) || has_too_many(line) ||
           class_without_protocol(line, &n) || lacks_end(line) ||
           lacks_header(line, rest) || open_macro(line, rest) ||
           (reference && strstr(reference, "_ref"));
}

void hints_of(const char *said, struct text *to)
{
    const char *all = said;
    while (*said) {
        size_t n = strcspn(said, "\n");
        struct text line = {0};
        text_bytes(&line, said, n);
        no_header(text_get(&line), said + n, to);
        no_end(text_get(&line), to);
        no_short_form(text_get(&line), to);
        no_reference(text_get(&line), to);
        two_of_a_name(text_get(&line), to);
        not_accepted(text_get(&line), all, to);
        no_class(text_get(&line), to);
        no_struct(text_get(&line), said + n, to);
        not_declared(text_get(&line), said + n, to);
        no_behaviour(text_get(&line), said + n, to);
        no_protocol(text_get(&line), to);
        not_a_reference(text_get(&line), said + n, to);
        not_a_handler(text_get(&line), said + n, to);
        two_rows(text_get(&line), to);
        no_request(text_get(&line), said + n, all, to);
        no_message(text_get(&line), said + n, to);
        headers_first(text_get(&line), to);
        text_free(&line);
        said += n + (said[n] != 0);
    }
}
