#include "report/course.h"

#include "base/json.h"

enum { POINTS_MOST = 512 };

// Leave out each second point once there are too many.
static void thin(struct course *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->points.n; i += 2)
        c->points.at[n++] = c->points.at[i];
    c->points.n = n;
    c->every++;
}

void course_add(struct course *c, const struct course_point *p)
{
    if (c->n++ & ((1u << c->every) - 1))
        return;
    vec_push(&c->points, *p);
    if (c->points.n >= POINTS_MOST)
        thin(c);
}

void course_end(struct course *c, const struct course_point *p)
{
    vec_push(&c->points, *p);
}

void course_free(struct course *c)
{
    vec_free(&c->points);
}

static void number_or_null(struct json *j, bool known, double x)
{
    if (known)
        json_real(j, NULL, x);
    else
        json_text(j, NULL, NULL);
}

void course_json(const struct course *c, const char *key, struct json *j)
{
    json_array(j, key);
    for (uint32_t i = 0; i < c->points.n; i++) {
        const struct course_point *p = &c->points.at[i];
        json_array(j, NULL);
        json_real(j, NULL, p->seconds);
        json_number(j, NULL, (int64_t)p->schedules);
        json_number(j, NULL, (int64_t)p->receives);
        json_number(j, NULL, (int64_t)p->bugs);
        number_or_null(j, p->estimate >= 0, p->estimate);
        json_number(j, NULL, (int64_t)p->covered);
        json_number(j, NULL, (int64_t)p->possible);
        number_or_null(j, p->high > 0, p->low);
        number_or_null(j, p->high > 0, p->high);
        json_end(j);
    }
    json_end(j);
}
