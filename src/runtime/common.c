#include "runtime/common.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tr__resize(const tr_config *c, void *p, size_t size)
{
    if (c->alloc)
        return c->alloc(c->user, p, size);
    return realloc(p, size);
}

void *tr__get(const tr_config *c, size_t size)
{
    return tr__resize(c, NULL, size ? size : 1);
}

void *tr__get_zero(const tr_config *c, size_t size)
{
    void *p = tr__get(c, size);
    if (p)
        memset(p, 0, size);
    return p;
}

void tr__put(const tr_config *c, void *p)
{
    if (!p)
        return;
    if (c->alloc)
        c->alloc(c->user, p, 0);
    else
        free(p);
}

char *tr__get_text(const tr_config *c, const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = tr__get(c, n);
    return p ? memcpy(p, s, n) : NULL;
}

// ---- parameters -----------------------------------------------------------

struct param {
    const char *name;
    size_t len;
    int64_t value;
};

static const char *skip(const char *s)
{
    while (*s == ',' || isspace((unsigned char)*s))
        s++;
    return s;
}

// The parameter at s, and where the next one starts; NULL if malformed.
static const char *param_at(const char *s, struct param *p)
{
    char *end;
    p->name = s;
    p->len = strcspn(s, "=, \t\n");
    if (!p->len || s[p->len] != '=')
        return NULL;
    s += p->len + 1;
    errno = 0;
    p->value = strtoll(s, &end, 0);
    if (end == s || errno || (*end && skip(end) == end))
        return NULL;
    return skip(end);
}

int tr__params(const char *params)
{
    struct param p;
    for (const char *s = params ? skip(params) : ""; *s;) {
        s = param_at(s, &p);
        if (!s)
            return TR_EINVAL;
    }
    return 0;
}

int64_t tr__param(const char *params, const char *name, int64_t otherwise)
{
    struct param p;
    for (const char *s = params ? skip(params) : ""; s && *s;) {
        s = param_at(s, &p);
        if (s && strlen(name) == p.len && memcmp(name, p.name, p.len) == 0)
            otherwise = p.value;
    }
    return otherwise;
}

// ---- defaults of the hooks ------------------------------------------------

static const char *const level_text[] = {"error", "warning", "info", "debug"};

static bool log_wants(tr_level level)
{
    const char *least = getenv("TR_LOG");
    for (int i = 0; least && i < 4; i++)
        if (strcmp(least, level_text[i]) == 0)
            return (int)level <= i;
    return level <= TR_INFO;
}

void tr__log(const tr_config *c, tr_level level, const char *text)
{
    if (c->on_log)
        c->on_log(c->user, level, text);
    else if (log_wants(level))
        fprintf(stderr, "troupe: %s: %s\n", level_text[level], text);
}

const char *tr__fault_text(tr_fault_kind kind)
{
    switch (kind) {
    case TR_FAULT_STOPPED:
        return "message to a stopped actor";
    case TR_FAULT_NOBODY:
        return "message to nobody";
    case TR_FAULT_UNHANDLED:
        return "no row for a message";
    case TR_FAULT_OVERFLOW:
        return "mailbox is full";
    case TR_FAULT_NOMEM:
        return "out of memory";
    case TR_FAULT_REPLY:
        return "a reply nobody asked for";
    }
    return "unknown fault";
}

void tr__fault(const tr_config *c, const tr_fault *f)
{
    char text[256];
    if (c->on_fault) {
        c->on_fault(c->user, f);
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", tr__fault_text(f->kind),
             f->msg ? ": " : "", f->msg ? f->msg->name : "",
             f->cls ? " to " : "", f->cls ? f->cls->name : "",
             f->behaviour ? " in behaviour " : "",
             f->behaviour ? f->behaviour : "");
    tr__log(c, TR_WARN, text);
}

bool tr__stats_wanted(const tr_config *c)
{
    const char *env = getenv("TR_STATS");
    return c->on_stats || (env && *env && strcmp(env, "0") != 0);
}

void tr__stats(const tr_config *c, const tr_class *cls, const tr_stats *s)
{
    if (c->on_stats) {
        c->on_stats(c->user, cls, s);
        return;
    }
    if (!tr__stats_wanted(c))
        return;
    fprintf(stderr,
            "troupe: %s: spawned %" PRIu64 " stopped %" PRIu64
            " received %" PRIu64 " sent %" PRIu64 " deferred %" PRIu64
            " dead %" PRIu64 " unhandled %" PRIu64 " high-water %" PRIu64 "\n",
            cls->name, s->spawned, s->stopped, s->received, s->sent,
            s->deferred, s->dead, s->unhandled, s->high_water);
}
