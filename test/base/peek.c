// Memory that is there, that is not, and the border between the two.
#include "test.h"

#include "base/peek.h"

#include <sys/mman.h>
#include <unistd.h>

TEST(what_is_there_is_read_up_to_what_is_not)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char out[64] = "";
    CHECK(two != MAP_FAILED);
    memcpy(two + page - 3, "end", 3);
    CHECK(munmap(two + page, page) == 0);
    uintptr_t last = (uintptr_t)two + page - 3;
    CHECK(peek(last, out, 3) && memcmp(out, "end", 3) == 0);
    CHECK(!peek(last, out, 4));
    CHECK_EQ(peek_most(last, out, sizeof out), 3);
    CHECK_EQ(peek_most((uintptr_t)two + page, out, sizeof out), 0);
    CHECK(!peek(8, out, 1) && peek(8, out, 0));
    munmap(two, page);
}

TEST(more_than_a_page_is_read)
{
    static char from[10000], to[10000];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char)(i * 7);
    CHECK(peek((uintptr_t)from, to, sizeof to));
    CHECK(memcmp(from, to, sizeof to) == 0);
}

TEST_MAIN()
