#include "play/schedule.h"

void schedule_clear(struct schedule *s)
{
    vec_clear(&s->steps);
    vec_clear(&s->picks);
}

void schedule_free(struct schedule *s)
{
    vec_free(&s->steps);
    vec_free(&s->picks);
}

void schedule_copy(struct schedule *to, const struct schedule *from)
{
    schedule_clear(to);
    for (uint32_t i = 0; i < from->steps.n; i++) {
        struct step s = from->steps.at[i];
        schedule_add(to, s, s.n_picks ? from->picks.at + s.picks : NULL);
    }
}

void schedule_add(struct schedule *s, struct step step, const uint16_t *picks)
{
    step.picks = s->picks.n;
    for (uint32_t i = 0; i < step.n_picks; i++)
        vec_push(&s->picks, picks[i]);
    vec_push(&s->steps, step);
}
