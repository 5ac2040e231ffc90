// Messages: what is put comes out, and damaged bytes never do.
#include "test.h"

#include "base/wire.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { KIND = 7 };

static void fill(struct text *t)
{
    wire_begin(t, KIND);
    wire_put32(t, 12);
    wire_put64(t, 1ull << 40);
    wire_put_real(t, 0.5);
    wire_put_string(t, "word");
    wire_put_string(t, NULL);
    wire_end(t);
}

static void check_body(struct wire_reader *r)
{
    CHECK_EQ(wire_get32(r), 12u);
    CHECK_EQ(wire_get64(r), 1ull << 40);
    CHECK(wire_get_real(r) == 0.5);
    CHECK_TEXT(wire_get_string(r), "word");
    CHECK(!wire_get_string(r));
    CHECK(wire_done(r));
}

TEST(what_is_put_comes_out)
{
    struct text t = {0};
    struct wire_reader r;
    fill(&t);
    CHECK(wire_open(t.at, t.n, KIND, &r));
    check_body(&r);
    CHECK(!wire_open(t.at, t.n, KIND + 1, &r));
    text_free(&t);
}

TEST(no_damaged_byte_is_believed)
{
    struct text t = {0};
    struct wire_reader r;
    fill(&t);
    for (size_t i = 0; i < t.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            t.at[i] ^= (char)(1 << bit);
            CHECK(!wire_open(t.at, t.n, KIND, &r));
            CHECK(r.bad);
            t.at[i] ^= (char)(1 << bit);
        }
    for (size_t n = 0; n < t.n; n++)
        CHECK(!wire_open(t.at, n, KIND, &r));
    text_free(&t);
}

TEST(a_reader_gives_zeros_past_the_end)
{
    static const char bytes[] = {1, 0, 0, 0, 1};
    struct wire_reader r = {bytes, bytes + sizeof bytes, false};
    CHECK_EQ(wire_get32(&r), 1u);
    CHECK_EQ(wire_get64(&r), 0u);
    CHECK(r.bad);
    CHECK_EQ(wire_get32(&r), 0u);
    r = (struct wire_reader){bytes, bytes + sizeof bytes, false};
    CHECK(wire_has(&r, 5, 1));
    CHECK(!wire_has(&r, UINT64_MAX / 2, 8));
    r = (struct wire_reader){bytes, bytes + sizeof bytes, false};
    CHECK_EQ(wire_get_below(&r, 1), 0u);
    CHECK(r.bad);
}

TEST(a_string_ends_where_it_says)
{
    static const char longer[] = "\3\0\0\0\0\0\0\0abc",
                      early[] = "\3\0\0\0\0\0\0\0a\0";
    struct wire_reader r = {longer, longer + 11, false};
    CHECK(!wire_get_string(&r));
    CHECK(r.bad);
    r = (struct wire_reader){early, early + 11, false};
    CHECK(!wire_get_string(&r));
    CHECK(r.bad);
}

// ---- streams --------------------------------------------------------------

struct pipes {
    int from, to;
    struct wire_in in;
};

static struct pipes open_pipes(void)
{
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    return (struct pipes){.from = fds[0], .to = fds[1]};
}

static void close_pipes(struct pipes *p)
{
    close(p->from);
    close(p->to);
    wire_free(&p->in);
}

static void write_all(int fd, const void *bytes, size_t n)
{
    CHECK_EQ(write(fd, bytes, n), (ssize_t)n);
}

TEST(messages_arrive_in_parts_and_together)
{
    struct pipes p = open_pipes();
    struct wire_message m;
    struct text t = {0};
    fill(&t);
    write_all(p.to, t.at, t.n - 1);
    CHECK_EQ(wire_receive(p.from, &p.in), 1);
    CHECK_EQ(wire_next(&p.in, &m), WIRE_NONE);
    write_all(p.to, t.at + t.n - 1, 1);
    write_all(p.to, t.at, t.n);
    CHECK_EQ(wire_receive(p.from, &p.in), 1);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(wire_next(&p.in, &m), WIRE_HERE);
        CHECK_EQ(m.kind, (uint32_t)KIND);
        check_body(&m.body);
    }
    CHECK(wire_empty(&p.in));
    CHECK_EQ(wire_next(&p.in, &m), WIRE_NONE);
    text_free(&t);
    close_pipes(&p);
}

TEST(strange_bytes_make_a_stream_bad_for_good)
{
    static const unsigned char strange[] = {5, 0, 0, 0, 1, 0, 0, 0, 'x'};
    struct pipes p = open_pipes();
    struct wire_message m;
    struct text t = {0};
    fill(&t);
    write_all(p.to, strange, sizeof strange);
    CHECK_EQ(wire_receive(p.from, &p.in), 1);
    CHECK_EQ(wire_next(&p.in, &m), WIRE_BAD);
    write_all(p.to, t.at, t.n);
    CHECK_EQ(wire_receive(p.from, &p.in), 1);
    CHECK_EQ(wire_next(&p.in, &m), WIRE_BAD);
    text_free(&t);
    close_pipes(&p);
}

TEST(the_end_of_a_stream_is_told)
{
    struct pipes p = open_pipes();
    struct text t = {0};
    fill(&t);
    close(p.to);
    CHECK_EQ(wire_receive(p.from, &p.in), 0);
    CHECK(!wire_send(p.from, &t));
    text_free(&t);
    close(p.from);
    wire_free(&p.in);
}

TEST_MAIN()
