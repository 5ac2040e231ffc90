#include "play/words.h"

#include "base/arena.h"
#include "base/text.h"
#include "play/play.h"
#include "play/schedule.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- reading --------------------------------------------------------------

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
    return s;
}

enum { MOST_PICKS = 4096 };

static bool parse_picks(struct arena *a, char *text, struct words_step *s)
{
    uint16_t picks[MOST_PICKS];
    for (char *end; *text; text = trim(end)) {
        unsigned long n = strtoul(text, &end, 10);
        if (!isdigit((unsigned char)*text) ||
            (*end && !isspace((unsigned char)*end)) || n > UINT16_MAX ||
            s->n_picks == MOST_PICKS)
            return false;
        picks[s->n_picks++] = (uint16_t)n;
    }
    s->picks = arena_copy(a, picks, s->n_picks * sizeof *picks);
    return true;
}

const char *words_parse(struct arena *a, const char *text, struct words_step *s)
{
    static const char wrong[] = "not 'receiver message<sender'";
    char *copy = trim(arena_text(a, text));
    char *pick = strstr(copy, " pick ");
    *s = (struct words_step){.actor = copy};
    if (pick) {
        *pick = '\0';
        if (!parse_picks(a, trim(pick + 6), s))
            return "picks are small numbers";
    }
    char *msg = strpbrk(copy, " \t\n");
    if (!msg)
        return wrong;
    *msg++ = '\0';
    char *sender = strchr(msg, '<');
    if (sender)
        *sender++ = '\0';
    s->msg = trim(msg);
    s->sender = sender ? trim(sender) : NULL;
    return sender || words_is_timer(s) || words_is_body(s) ? NULL : wrong;
}

bool words_times(char *text, uint32_t *times)
{
    char *word = NULL, *end;
    for (char *p = text; (p = strstr(p, " times ")); p++)
        word = p;
    *times = 1;
    if (!word || strpbrk(word, "}\""))
        return true;
    unsigned long n = strtoul(word + 7, &end, 10);
    if (!isdigit((unsigned char)word[7]) || *end || !n || n > WORDS_TIMES)
        return false;
    *word = '\0';
    *times = (uint32_t)n;
    return true;
}

uint32_t words_again(const char *text)
{
    char *end;
    if (strncmp(text, "again ", 6) != 0 || !isdigit((unsigned char)text[6]))
        return 0;
    unsigned long n = strtoul(text + 6, &end, 10);
    return *end || n > WORDS_TIMES ? 0 : (uint32_t)n;
}

uint32_t words_twin(const char *msg, size_t *length)
{
    const char *colon = strrchr(msg, ':');
    char *end = NULL;
    unsigned long k = colon ? strtoul(colon + 1, &end, 10) : 0;
    bool number = colon && end != colon + 1 && !*end && k;
    *length = number ? (size_t)(colon - msg) : strlen(msg);
    return number ? (uint32_t)k : 1;
}

bool words_is_timer(const struct words_step *s)
{
    return !s->sender && strncmp(s->msg, "timer", 5) == 0 &&
           (!s->msg[5] || s->msg[5] == ' ');
}

bool words_is_body(const struct words_step *s)
{
    return !s->sender && (strcmp(s->msg, "body") == 0 || words_is_early(s));
}

bool words_is_early(const struct words_step *s)
{
    return !s->sender && strcmp(s->msg, WORDS_EARLY) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool words_same(const struct words_step *a, const struct words_step *b)
{
    return same_text(a->actor, b->actor) && same_text(a->msg, b->msg) &&
           same_text(a->sender, b->sender) && a->n_picks == b->n_picks &&
           (!a->n_picks ||
            memcmp(a->picks, b->picks, a->n_picks * sizeof *a->picks) == 0);
}

// ---- writing --------------------------------------------------------------

void words_print(const struct words_step *s, struct text *to)
{
    text_format(to, "%s %s", s->actor, s->msg);
    if (s->sender)
        text_format(to, "<%s", s->sender);
    for (uint32_t i = 0; i < s->n_picks; i++)
        text_format(to, "%s%u", i ? " " : " pick ", s->picks[i]);
}

struct words_step words_of(struct arena *a, struct play *p,
                           const struct step *step, const uint16_t *picks,
                           uint32_t twin, const char *timer)
{
    struct words_step w = {
        .actor = arena_text(a, play_actor_name(p, step->actor)),
        .msg = timer ? arena_text(a, timer) : "timer",
        .picks = arena_copy(a, picks, step->n_picks * sizeof *picks),
        .n_picks = step->n_picks,
    };
    if (step->msg == PLAY_NONE) {
        w.msg = timer ? w.msg : "body";
    } else if (!play_is_timer(step->msg)) {
        w.msg = arena_text(a, play_msg_name(p, step->msg));
        if (twin > 1)
            w.msg = arena_format(a, "%s:%u", w.msg, twin);
        w.sender = arena_text(a, play_actor_name(p, step->sender));
    }
    return w;
}

// ---- timers ---------------------------------------------------------------

const char *words_timer(struct arena *a, struct play *p, uint32_t state,
                        uint32_t k)
{
    struct play_pending t = play_timer_of(p, state, k);
    uint32_t twin = 1;
    if (t.first)
        return "timer";
    for (uint32_t i = 0; i < k; i++)
        twin += strcmp(play_timer_of(p, state, i).of, t.of) == 0;
    return twin > 1 ? arena_format(a, "timer %s:%u", t.of, twin)
                    : arena_format(a, "timer %s", t.of);
}

bool words_mean_timer(const struct words_step *s, const char *of, bool soonest)
{
    size_t length;
    if (!words_is_timer(s) || !s->msg[5])
        return words_is_timer(s) && soonest;
    const char *name = s->msg + 6 + strspn(s->msg + 6, " \t\n");
    words_twin(name, &length);
    return strlen(of) == length && memcmp(name, of, length) == 0;
}

uint32_t words_find_timer(struct play *p, uint32_t state, uint32_t n,
                          const struct words_step *s)
{
    size_t length;
    uint32_t twin = words_twin(s->msg, &length), k = 0;
    for (; k < n; k++) {
        struct play_pending t = play_timer_of(p, state, k);
        if (words_mean_timer(s, t.of, t.first) && --twin == 0)
            break;
    }
    return k;
}
