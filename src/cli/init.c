// troupe init: the first files of a project.  Nothing that is there is touched.
#include "base/command.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/init_sources.h"
#include "cli/session.h"
#include "cli/shell/command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// mk/tool.mk says where the sources of this build came from.
#ifndef TROUPE_SOURCE
#define TROUPE_SOURCE ""
#define TROUPE_COMMIT "main"
#endif

// The texts are files in examples/first: src/cli/init_files.S.
extern const char init_ini[], init_test[], init_github[], init_gitlab[];

// Where this Troupe came from, as far as a build server could get it there too.
static const char *source(const struct session *s)
{
    const char *given = option_text(s->options, OPT_source);
    return given ? given : TROUPE_SOURCE;
}

static bool put(struct session *s, const char *path, const char *text)
{
    if (access(path, F_OK) == 0) {
        printf("there    %s\n", path);
        return true;
    }
    if (!file_replace(path, text, strlen(text)))
        return diag_at(&s->diag, EXIT_USAGE, path, 0, "%s", strerror(errno));
    printf("written  %s\n", path);
    return true;
}

// The same with addresses filled in.
static bool put_ci(struct session *s, const char *path, const char *text)
{
    struct text t = {0};
    for (const char *at; (at = strchr(text, '@')); text = at) {
        bool address = strncmp(at, "@SOURCE@", 8) == 0;
        bool known = address || strncmp(at, "@COMMIT@", 8) == 0;
        text_format(&t, "%.*s", (int)(at - text), text);
        text_add(&t, address ? source(s) : known ? TROUPE_COMMIT : "@");
        at += known ? 8 : 1;
    }
    text_add(&t, text);
    bool ok = put(s, path, text_get(&t));
    text_free(&t);
    return ok;
}

// A troupe.ini for the program that is here, or for a first test.
static bool put_program(struct session *s)
{
    static const char first[] = "first_test.c";
    const char *why = NULL, *words = init_sources(&s->arena, &why);
    const char *at = strstr(init_ini, first);
    if (access("troupe.ini", F_OK) == 0)
        return put(s, "troupe.ini", init_ini);
    if (why)
        printf("%s: not one program; name yours in troupe.ini\n", why);
    if (!words)
        return put(s, "troupe.ini", init_ini) && put(s, first, init_test);
    struct text t = {0};
    text_format(&t, "%.*s%s%s", (int)(at - init_ini), init_ini, words,
                at + strlen(first));
    bool ok = put(s, "troupe.ini", text_get(&t));
    if (ok)
        printf("         for the sources with tests and actors here: look at "
               "[build] program\n");
    text_free(&t);
    return ok;
}

static bool put_github(struct session *s)
{
    mkdir(".github", 0777);
    mkdir(".github/workflows", 0777);
    return put_ci(s, ".github/workflows/troupe.yml", init_github);
}

int cmd_init(struct session *s)
{
    const char *ci = option_text(s->options, OPT_ci);
    bool both = strcmp(ci, "both") == 0;
    bool ok = put_program(s);
    if (ok && (both || strcmp(ci, "github") == 0))
        ok = put_github(s);
    if (ok && (both || strcmp(ci, "gitlab") == 0))
        ok = put_ci(s, ".gitlab-ci.yml", init_gitlab);
    if (ok && strcmp(ci, "none") != 0 && !*source(s))
        printf("set TROUPE_SOURCE in the file for the build server: where "
               "Troupe can be cloned from (or init --source=URL)\n");
    if (ok)
        printf("next: %s test\n", command_typed());
    return ok ? EXIT_GOOD : s->diag.status;
}
