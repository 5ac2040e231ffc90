#include "base/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"

__attribute__((format(printf, 4, 0))) static bool
set(struct diag *d, int status, struct text *t, const char *format,
    va_list args)
{
    assert(status);
    if (d->status) {
        d->later = true;
        text_free(t);
        return false;
    }
    text_vformat(t, format, args);
    d->status = status;
    d->text = text_take(t);
    return false;
}

bool diag_set(struct diag *d, int status, const char *format, ...)
{
    struct text t = {0};
    text_add(&t, "error: ");
    va_list args;
    va_start(args, format);
    set(d, status, &t, format, args);
    va_end(args);
    return false;
}

bool diag_at(struct diag *d, int status, const char *file, int line,
             const char *format, ...)
{
    struct text t = {0};
    if (file)
        text_format(&t, "%s:", file);
    if (file && line > 0)
        text_format(&t, "%d:", line);
    text_add(&t, file ? " error: " : "error: ");
    va_list args;
    va_start(args, format);
    set(d, status, &t, format, args);
    va_end(args);
    return false;
}

void diag_hint(struct diag *d, const char *format, ...)
{
    if (d->hint || d->later)
        return;
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vformat(&t, format, args);
    va_end(args);
    d->hint = text_take(&t);
}

bool diag_shown(struct diag *d, int status)
{
    if (!d->status)
        d->status = status;
    return false;
}

int diag_print(const struct diag *d, FILE *to)
{
    if (d->text)
        fprintf(to, "%s\n", d->text);
    if (d->hint)
        fprintf(to, "hint: %s\n", d->hint);
    return d->status;
}

void diag_free(struct diag *d)
{
    free(d->text);
    free(d->hint);
    *d = (struct diag){0};
}
