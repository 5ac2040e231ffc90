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

enum { MOST_PICKS = 256 };

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
    return !s->sender && strcmp(s->msg, "timer") == 0;
}

bool words_is_body(const struct words_step *s)
{
    return !s->sender && strcmp(s->msg, "body") == 0;
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
                           uint32_t twin)
{
    struct words_step w = {
        .actor = arena_text(a, play_actor_name(p, step->actor)),
        .msg = "timer",
        .picks = arena_copy(a, picks, step->n_picks * sizeof *picks),
        .n_picks = step->n_picks,
    };
    if (step->msg == PLAY_NONE) {
        w.msg = "body";
    } else if (step->msg != PLAY_TIMER) {
        w.msg = arena_text(a, play_msg_name(p, step->msg));
        if (twin > 1)
            w.msg = arena_format(a, "%s:%u", w.msg, twin);
        w.sender = arena_text(a, play_actor_name(p, step->sender));
    }
    return w;
}
