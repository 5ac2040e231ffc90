// A source is ours if a line of it begins with one of our macros.  Two sources
// that define one class, or main, are of two programs.
#include "cli/init_sources.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"

struct definition {
    const char *words; // "TR_CLASS(queue", "int main("
    const char *file;
};

struct found {
    struct arena *arena;
    struct text program;
    VEC(struct definition) definitions;
    size_t column; // of the last line of program
    const char *why;
    bool tests;
};

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void define(struct found *f, const char *file, const char *line)
{
    size_t n = strcspn(line, ",)\n");
    const char *words = arena_format(f->arena, "%.*s", (int)n, line);
    for (uint32_t i = 0; i < f->definitions.n && !f->why; i++) {
        const struct definition *d = &f->definitions.at[i];
        if (strcmp(d->words, words) == 0 && strcmp(d->file, file) != 0)
            f->why = arena_format(f->arena, "%s and %s both have %s)", d->file,
                                  file, words);
    }
    vec_push(&f->definitions, ((struct definition){words, file}));
}

// A value may go on below; the lines of inih are short.
static void add_word(struct found *f, const char *file)
{
    bool below = f->column + strlen(file) > 60;
    if (f->program.n)
        text_add(&f->program, below ? "\n          " : " ");
    f->column = (below ? 0 : f->column) + strlen(file) + 1;
    command_add_word(&f->program, file);
}

static void read_source(struct found *f, const char *file)
{
    struct text t = {0};
    bool ours = false;
    if (!file_read(file, &t)) {
        text_free(&t);
        return;
    }
    const char *text = text_get(&t);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool test = begins(line, "TR_TEST(") || begins(line, "TR_REPLAY(");
        bool cls = begins(line, "TR_CLASS(") || begins(line, "TR_SYSTEM(");
        f->tests |= test;
        ours |= test || cls || begins(line, "TR_HANDLER");
    }
    for (const char *line = text; line && ours; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (begins(line, "TR_CLASS(") || begins(line, "int main("))
            define(f, file, line);
    }
    if (ours)
        add_word(f, file);
    text_free(&t);
}

static int is_c(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 2 && d->d_name[0] != '.' && strcmp(d->d_name + n - 2, ".c") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_folder(struct found *f, const char *folder)
{
    struct dirent **list = NULL;
    int n = scandir(*folder ? folder : ".", &list, is_c, by_name);
    for (int i = 0; i < n; i++) {
        read_source(f, arena_format(f->arena, "%s%s%s", folder,
                                    *folder ? "/" : "", list[i]->d_name));
        free(list[i]);
    }
    free(list);
}

const char *init_sources(struct arena *a, const char **why)
{
    static const char *const folders[] = {"", "src", "test", "tests"};
    struct found f = {.arena = a};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        read_folder(&f, folders[i]);
    const char *words =
        f.tests && !f.why ? arena_text(a, text_get(&f.program)) : NULL;
    *why = f.why;
    vec_free(&f.definitions);
    text_free(&f.program);
    return words;
}
