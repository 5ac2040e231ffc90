#include <stdio.h>

int lines(FILE *f)
{
    int c, n = 0;
    while ((c = fgetc(f)) != EOF)
        if (c == '\n')
            n++;
    return n;
}

int first_digit(FILE *f)
{
    int c = getc(f);
    while (c == ' ')
        c = getc(f);
    if (c < '0' || c > '9') {
        ungetc(c, f);
        return -1;
    }
    return c - '0';
}

struct record {
    char mark[2];
    short n;
};

int load(FILE *f, struct record *r)
{
    if (fread(r, sizeof *r, 1, f) != 1)
        return -1;
    return r->mark[0] == 'R' && r->n == 300 ? 1 : 0;
}

int is_comment(FILE *f)
{
    char line[20];
    if (!fgets(line, sizeof line, f))
        return -1;
    return line[0] == '#' && line[1] == '\n';
}

void copy(FILE *from, FILE *to)
{
    int c;
    while ((c = getc(from)) != EOF)
        putc(c == '\t' ? ' ' : c, to);
    fclose(from);
}
