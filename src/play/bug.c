#include "play/bug.h"

#include "base/hash.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *id, *text;
} kinds[BUG_KINDS_N] = {
#define BUG_KIND_(name, id, text) [BUG_##name] = {id, text},
    BUG_KINDS(BUG_KIND_)
#undef BUG_KIND_
};

const char *bug_kind_id(enum bug_kind k)
{
    return kinds[k].id;
}

const char *bug_kind_text(enum bug_kind k)
{
    return kinds[k].text;
}

bool bug_kind_warns(enum bug_kind k)
{
    return k == BUG_STOPPED || k == BUG_NOBODY || k == BUG_FULL ||
           k == BUG_LEAK || k == BUG_LIMIT;
}

enum bug_kind bug_kind_of(const char *id)
{
    for (int k = 0; k < BUG_KINDS_N; k++)
        if (!strcmp(kinds[k].id, id))
            return (enum bug_kind)k;
    return BUG_NONE;
}

// ---- keys ------------------------------------------------------------------

static uint64_t join_text(uint64_t h, const char *text)
{
    return hash_join(h, text ? hash_bytes(text, strlen(text)) : 0);
}

// Without blanks: a case in text keeps each text on one line.
static uint64_t join_words(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        if (!isspace((unsigned char)*text))
            h = hash_join(h, (unsigned char)*text);
    return h;
}

// A file counts by its last part only: then the key is the same wherever the
// program lies.  A text counts only if it is an assertion's, since one line may
// hold two; other texts differ between schedules.  Of a handler that runs out
// of time no place counts: where in its loop that happens is chance.
static uint64_t key(const struct bug *b, const char *spot)
{
    const char *id = bug_kind_id(b->kind);
    const char *slash = b->file ? strrchr(b->file, '/') : NULL;
    uint64_t h = join_text(0, id);
    if (b->kind != BUG_ENDLESS) {
        h = join_text(h, slash ? slash + 1 : b->file);
        h = spot ? join_words(h, spot) : hash_join(h, (uint64_t)b->line);
    }
    h = join_text(h, b->cls);
    h = join_text(h, b->msg);
    h = join_text(h, b->thing);
    return b->kind == BUG_ASSERTION ? join_words(h, b->text) : h;
}

uint64_t bug_key(const struct bug *b)
{
    return key(b, NULL);
}

uint64_t bug_lasting_key(const struct bug *b)
{
    return key(b, b->spot);
}
