// The run directory: what is kept, by several at once, and what damage does.
#include "scratch.h"
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/wire.h"
#include "play/case.h"
#include "report/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static scratch_path dir;

static const char *path_of(const char *name)
{
    static char path[sizeof dir + 64];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static struct store *open_store(void)
{
    struct diag d = {0};
    struct store *s = store_open(path_of("store"), &d);
    CHECK(s != NULL);
    diag_free(&d);
    return s;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f)
        fclose(f);
}

static void remove_store(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", path_of("store"));
    CHECK_EQ(system(command), 0);
}

TEST(a_folder_to_write_in)
{
    scratch_new(dir);
}

// ---- cases -----------------------------------------------------------------

static const char *find(struct arena *a, const char *id)
{
    struct diag d = {0};
    const char *found = store_find_case(path_of("store"), a, id, &d);
    CHECK(!found == (d.text != NULL));
    diag_free(&d);
    return found;
}

static struct test_case case_of(const char *test, const char *delivery,
                                uint32_t steps, const char *build)
{
    struct test_case c = {.test = test, .delivery = delivery, .build = build};
    struct words_step s = {.actor = "a#1", .msg = "go", .sender = "test"};
    for (uint32_t i = 0; i < steps; i++)
        vec_push(&c.steps, s);
    return c;
}

// Keep a case of so many steps; its path.
static const char *keep_case(struct store *s, struct arena *a, const char *id,
                             const char *delivery, uint32_t steps,
                             const char *param, const char *build)
{
    struct diag d = {0};
    struct test_case c = case_of("bank", delivery, steps, build);
    if (param)
        vec_push(&c.params, param);
    const char *path = store_case(s, a, id, &c, &d);
    CHECK(path && !d.text);
    case_release(&c);
    return path;
}

static uint32_t steps_in(struct arena *a, const char *path)
{
    struct diag d = {0};
    struct test_case c = {0};
    CHECK(path && case_read(a, path, &c, &d));
    uint32_t n = c.steps.n;
    case_release(&c);
    return n;
}

TEST(the_shortest_case_of_a_build_stays)
{
    struct arena a = {0};
    struct store *s = open_store();
    const char *path = keep_case(s, &a, "7f3a91c2", "any", 3, NULL, "b");
    keep_case(s, &a, "7f3a91c2", "any", 5, NULL, "b");
    CHECK_EQ(steps_in(&a, path), 3);
    keep_case(s, &a, "7f3a91c2", "any", 2, NULL, "b");
    CHECK_EQ(steps_in(&a, path), 2);
    keep_case(s, &a, "7f3a91c2", "any", 9, NULL, "other");
    CHECK_EQ(steps_in(&a, path), 9);
    write_file(path, "nonsense");
    keep_case(s, &a, "7f3a91c2", "any", 9, NULL, "other");
    CHECK_EQ(steps_in(&a, path), 9);
    store_close(s);
    arena_free(&a);
    remove_store();
}

TEST(models_and_parameters_have_their_own_cases)
{
    struct arena a = {0};
    struct store *s = open_store();
    const char *any = keep_case(s, &a, "7f3a91c2", "any", 2, NULL, "b");
    const char *pair = keep_case(s, &a, "7f3a91c2", "pair", 4, NULL, "b");
    const char *more = keep_case(s, &a, "7f3a91c2", "pair", 3, "n=3", "b");
    const char *odd = keep_case(s, &a, "7f3a91c2", "pair", 7, "n=/..", "b");
    CHECK(strcmp(any, pair) && strcmp(pair, more) && strcmp(more, odd));
    CHECK_TEXT(find(&a, "7f3a"), any);
    CHECK_TEXT(find(&a, "7f3a@any"), any);
    CHECK_TEXT(find(&a, "7f3a@pair"), more);
    CHECK(!find(&a, "7f3a@causal"));
    struct test_case c = case_of("bank", "any", 0, "b");
    CHECK_TEXT(store_case_name(store_dir(s), &a, "7f3a91c2", &c, any),
               "7f3a91c2");
    c.delivery = "pair";
    CHECK_TEXT(store_case_name(store_dir(s), &a, "7f3a91c2", &c, more),
               "7f3a91c2@pair");
    CHECK_TEXT(store_case_name(store_dir(s), &a, "7f3a91c2", &c, pair), pair);
    store_close(s);
    arena_free(&a);
    remove_store();
}

TEST(a_case_is_found_by_its_file_alone)
{
    struct arena a = {0};
    struct store *s = open_store();
    uint32_t run = store_begin(s, "explore", "key");
    const char *path = keep_case(s, &a, "7f3a91c2", "pair", 1, NULL, "b");
    CHECK(store_finding(s, run, "7f3a91c2", "assertion", "bank", path));
    CHECK(!store_finding(s, run, "7f3a91c2", "assertion", "bank", path));
    store_event(s, run, "{\"x\":1}");
    store_end(s, run, "{}");
    store_close(s);
    CHECK(unlink(path_of("store/troupe.db")) == 0);
    CHECK_TEXT(find(&a, "7f3a"), path);
    CHECK(!find(&a, "dead"));
    CHECK(!find(&a, ""));
    s = open_store();
    keep_case(s, &a, "7f3b0000", "pair", 1, NULL, "b");
    CHECK(!find(&a, "7f3")); // two begin so
    store_close(s);
    arena_free(&a);
    remove_store();
}

TEST(a_folder_that_cannot_be_made_is_told)
{
    struct diag d = {0};
    CHECK(!store_open("/proc/nothing/here", &d));
    CHECK(d.status == EXIT_USAGE && d.text);
    diag_free(&d);
}

// ---- bytes under a key -----------------------------------------------------

static void keep(struct store *s, const char *key, const char *value)
{
    struct text t = {0};
    store_keep_begin(s, key, &t);
    wire_put_string(&t, value);
    store_keep(s, key, &t);
    text_free(&t);
}

static enum store_state recall(struct store *s, const char *key,
                               const char *value)
{
    struct arena a = {0};
    struct wire_reader r;
    enum store_state state = store_recall(s, &a, key, &r);
    if (state == STORE_HERE) {
        CHECK_TEXT(wire_get_string(&r), value);
        CHECK(wire_done(&r));
    }
    arena_free(&a);
    return state;
}

TEST(bytes_are_kept_under_a_key)
{
    struct store *s = open_store();
    CHECK_EQ(recall(s, "k", ""), STORE_NONE);
    keep(s, "k", "one");
    keep(s, "k", "two");
    keep(s, "l", "three");
    store_close(s);
    s = open_store();
    CHECK_EQ(recall(s, "k", "two"), STORE_HERE);
    CHECK_EQ(recall(s, "l", "three"), STORE_HERE);
    store_drop(s, "k");
    CHECK_EQ(recall(s, "k", ""), STORE_NONE);
    store_close(s);
}

static void sql(const char *statement)
{
    sqlite3 *db = NULL;
    CHECK_EQ(sqlite3_open(path_of("store/troupe.db"), &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST(damaged_bytes_are_not_believed)
{
    sql("UPDATE kept SET bytes = CAST(substr(bytes, 1, 50) || x'00' || "
        "substr(bytes, 52) AS BLOB) WHERE key = 'l'");
    struct store *s = open_store();
    CHECK_EQ(recall(s, "l", ""), STORE_DAMAGED);
    keep(s, "l", "three");
    keep(s, "m", "four");
    store_close(s);
    sql("UPDATE kept SET bytes = (SELECT bytes FROM kept WHERE key = 'm')"
        " WHERE key = 'l'"); // whole, but of another key
    s = open_store();
    CHECK_EQ(recall(s, "l", ""), STORE_DAMAGED);
    store_close(s);
    sql("UPDATE kept SET bytes = x'' WHERE key = 'l'");
    s = open_store();
    CHECK_EQ(recall(s, "l", ""), STORE_DAMAGED);
    store_close(s);
}

// ---- damaged and foreign databases -----------------------------------------

TEST(a_damaged_database_is_moved_aside)
{
    struct arena a = {0};
    struct store *s = open_store();
    keep(s, "k", "one");
    keep_case(s, &a, "7f3a91c2", "pair", 1, NULL, "b");
    store_close(s);
    write_file(path_of("store/troupe.db"), "READY=1\nREADY=1\nthis is not one");
    s = open_store();
    CHECK_EQ(recall(s, "k", ""), STORE_NONE);
    keep(s, "k", "two");
    CHECK_EQ(recall(s, "k", "two"), STORE_HERE);
    store_close(s);
    CHECK_EQ(access(path_of("store/troupe.db.damaged"), F_OK), 0);
    CHECK(find(&a, "7f3a"));
    arena_free(&a);
}

TEST(any_cut_or_flipped_byte_is_survived)
{
    struct stat st;
    struct store *s = open_store();
    keep(s, "k", "one");
    store_close(s);
    CHECK_EQ(stat(path_of("store/troupe.db"), &st), 0);
    char *whole = malloc((size_t)st.st_size),
         *bytes = malloc((size_t)st.st_size);
    int fd = open(path_of("store/troupe.db"), O_RDONLY);
    CHECK_EQ(read(fd, whole, (size_t)st.st_size), st.st_size);
    close(fd);
    for (off_t i = 0; i < 60; i++) {
        memcpy(bytes, whole, (size_t)st.st_size);
        bytes[i * st.st_size / 60] ^= 0x55;
        fd = open(path_of("store/troupe.db"), O_WRONLY | O_CREAT | O_TRUNC,
                  0666);
        CHECK(write(fd, bytes,
                    (size_t)(i % 3 ? st.st_size : i * st.st_size / 60)) >= 0);
        close(fd);
        s = open_store();
        CHECK(recall(s, "k", "one") != STORE_FOREIGN);
        store_begin(s, "explore", "key");
        store_close(s);
    }
    free(whole);
    free(bytes);
    remove_store();
}

TEST(an_older_layout_is_replaced_and_a_newer_one_left_alone)
{
    struct arena a = {0};
    struct store *s = open_store();
    store_close(s);
    sql("PRAGMA user_version = 0; DROP TABLE kept;"
        "CREATE TABLE rest (key TEXT PRIMARY KEY, figures BLOB);"
        "INSERT INTO rest VALUES ('k', x'00');");
    s = open_store();
    CHECK_EQ(recall(s, "k", ""), STORE_NONE);
    keep(s, "k", "one");
    CHECK_EQ(recall(s, "k", "one"), STORE_HERE);
    store_close(s);
    sql("PRAGMA user_version = 99");
    s = open_store();
    CHECK_EQ(store_begin(s, "explore", "key"), 0);
    keep(s, "k", "two");
    CHECK_EQ(recall(s, "k", ""), STORE_NONE);
    CHECK(keep_case(s, &a, "7f3a91c2", "pair", 1, NULL, "b"));
    store_close(s);
    sql("PRAGMA user_version = 2");
    s = open_store();
    CHECK_EQ(recall(s, "k", "one"), STORE_HERE);
    store_close(s);
    arena_free(&a);
    remove_store();
}

// ---- several at once -------------------------------------------------------

enum { PROCESSES = 8, RUNS = 10 };

static void use_much(int me)
{
    for (int i = 0; i < RUNS; i++) {
        char key[32], value[32];
        struct store *s = open_store();
        uint32_t run = store_begin(s, "explore", "key");
        CHECK(run);
        snprintf(key, sizeof key, "key %d", me);
        snprintf(value, sizeof value, "value %d", i);
        CHECK(store_finding(s, run, "7f3a91c2", "assertion", "bank", "path"));
        keep(s, key, value);
        CHECK_EQ(recall(s, key, value), STORE_HERE);
        store_end(s, run, "{}");
        store_close(s);
    }
    _exit(test_failures_ > 0);
}

static int entries(const char *path)
{
    int n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        n += *e->d_name != '.';
    if (d)
        closedir(d);
    return n;
}

TEST(several_at_once_lose_nothing)
{
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0)
            use_much(i);
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        CHECK(wait(&status) > 0);
        CHECK_EQ(status, 0);
    }
    struct store *s = open_store();
    for (int i = 0; i < PROCESSES; i++) {
        char key[32];
        snprintf(key, sizeof key, "key %d", i);
        CHECK_EQ(recall(s, key, "value 9"), STORE_HERE);
    }
    store_close(s);
    CHECK_EQ(entries(path_of("store/runs")), PROCESSES * RUNS);
}

TEST(the_folder_goes_away)
{
    char command[sizeof dir + 16];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    CHECK_EQ(system(command), 0);
}

TEST_MAIN()
