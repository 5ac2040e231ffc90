#include "base/command.h"

#include "base/arena.h"
#include "base/text.h"
#include "test.h"

TEST(words_of_a_command)
{
    static const char *const want[] = {"gcc",   "-DX=(4 + 1)", "a b", "\"q\"",
                                       "",      "it's",        "\\n", "end",
                                       "-c=x y"};
    struct arena a = {0};
    struct args w = {0};
    args_split(&w, &a,
               "  gcc '-DX=(4 + 1)'\ta\\ b \\\"q\\\" \"\" it\\'s '\\n' end\n"
               "-c=\"x y\" ");
    CHECK_EQ(w.n, sizeof want / sizeof *want);
    for (uint32_t i = 0; i < w.n && i < sizeof want / sizeof *want; i++)
        CHECK_TEXT(w.at[i], want[i]);
    args_split(&w, &a, " \n");
    CHECK_EQ(w.n, sizeof want / sizeof *want);
    vec_free(&w);
    arena_free(&a);
}

TEST(a_word_is_read_back_as_it_was)
{
    static const char *const words[] = {"plain-1.c", "a b",  "it's", "",
                                        "$HOME",     "a\nb", "\\",   "'"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct arena a = {0};
        struct args w = {0};
        struct text t = {0};
        command_add_word(&t, words[i]);
        args_split(&w, &a, text_get(&t));
        CHECK_EQ(w.n, 1);
        CHECK_TEXT(w.at[0], words[i]);
        CHECK_EQ(command_is_plain(words[i]), i == 0);
        vec_free(&w);
        text_free(&t);
        arena_free(&a);
    }
}

TEST(a_command_runs_in_a_folder_and_its_errors_are_taken)
{
    struct arena a = {0};
    struct args w = {0};
    struct text errors = {0};
    args_split(&w, &a, "sh -c 'pwd >&2; exit 3'");
    CHECK_EQ(command_run_in(&w, "/", &errors), 3);
    CHECK_TEXT(text_get(&errors), "/\n");
    vec_free(&w);
    text_free(&errors);
    arena_free(&a);
}

TEST_MAIN()
