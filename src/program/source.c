#include "program/source.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool source_line(const char *file, int line, struct text *to)
{
    FILE *f = file && line > 0 ? fopen(file, "r") : NULL;
    if (!f)
        return false;
    char buffer[1024];
    int at = 1;
    while (at <= line && fgets(buffer, sizeof buffer, f)) {
        if (at == line)
            for (const char *s = buffer; *s && *s != '\n'; s++)
                text_add(to, *s == '\t' ? "    " : (char[]){*s, '\0'});
        at += strchr(buffer, '\n') != NULL;
    }
    fclose(f);
    return at > line || to->n;
}
