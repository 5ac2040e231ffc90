// The same seven benchmarks on CAF 0.17, written as its manual suggests:
// event-based actors with behaviours of lambdas, atoms for message names, two
// scheduler threads.  usage: caf NAME SIZE... prints "NAME seconds messages".
#include <caf/all.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace caf;

using ping_atom = atom_constant<atom("ping")>;
using pong_atom = atom_constant<atom("pong")>;
using start_atom = atom_constant<atom("start")>;
using inc_atom = atom_constant<atom("inc")>;
using read_atom = atom_constant<atom("read")>;
using total_atom = atom_constant<atom("total")>;
using token_atom = atom_constant<atom("token")>;
using next_atom = atom_constant<atom("next")>;
using work_atom = atom_constant<atom("work")>;
using meet_atom = atom_constant<atom("meet")>;
using change_atom = atom_constant<atom("change")>;
using done_atom = atom_constant<atom("done")>;
using stop_atom = atom_constant<atom("stop")>;

static long arg(int argc, char **argv, int i, long otherwise)
{
    return i < argc ? std::strtol(argv[i], nullptr, 10) : otherwise;
}

// ping-pong: n round trips
struct ping_state {
    long left;
};
static behavior ponger(event_based_actor *self)
{
    return {[=](ping_atom) {
        self->send(actor_cast<actor>(self->current_sender()), pong_atom::value);
    }};
}
static behavior pinger(stateful_actor<ping_state> *self, actor pong, long n)
{
    self->state.left = n;
    return {[=](start_atom) { self->send(pong, ping_atom::value); },
            [=](pong_atom) {
                if (--self->state.left > 0) {
                    self->send(pong, ping_atom::value);
                } else {
                    self->send_exit(pong, exit_reason::user_shutdown);
                    self->quit();
                }
            }};
}
static long pingpong(actor_system &sys, long n)
{
    auto pong = sys.spawn(ponger);
    auto ping = sys.spawn(pinger, pong, n);
    anon_send(ping, start_atom::value);
    return 2 * n;
}

// counting: n increments, then the total
struct count_state {
    long n;
};
static behavior counter(stateful_actor<count_state> *self)
{
    self->state.n = 0;
    return {[=](inc_atom) { self->state.n++; },
            [=](read_atom) {
                self->send(actor_cast<actor>(self->current_sender()),
                           total_atom::value, self->state.n);
                self->quit();
            }};
}
static behavior producer(event_based_actor *self, actor counter, long n)
{
    return {[=](start_atom) {
                for (long i = 0; i < n; i++)
                    self->send(counter, inc_atom::value);
                self->send(counter, read_atom::value);
            },
            [=](total_atom, long total) {
                if (total != n)
                    std::abort();
                self->quit();
            }};
}
static long counting(actor_system &sys, long n)
{
    anon_send(sys.spawn(producer, sys.spawn(counter), n), start_atom::value);
    return n + 2;
}

// thread ring: one token, n hops around k actors
struct node_state {
    actor next;
};
static behavior node(stateful_actor<node_state> *self)
{
    return {[=](next_atom, const actor &next) { self->state.next = next; },
            [=](token_atom, long hops) {
                if (hops > 0)
                    self->send(self->state.next, token_atom::value, hops - 1);
                else
                    self->send(self->state.next, stop_atom::value);
            },
            [=](stop_atom) {
                self->send(self->state.next, stop_atom::value);
                self->quit();
            }};
}
static long threadring(actor_system &sys, long k, long n)
{
    std::vector<actor> nodes;
    for (long i = 0; i < k; i++)
        nodes.push_back(sys.spawn(node));
    for (long i = 0; i < k; i++)
        anon_send(nodes[i], next_atom::value, nodes[(i + 1) % k]);
    anon_send(nodes[0], token_atom::value, n);
    return n + 2 * k;
}

// fork-join throughput: n messages to each of k workers
struct work_state {
    long left;
    double result;
};
static behavior worker(stateful_actor<work_state> *self, long n)
{
    self->state.left = n;
    self->state.result = 37.2;
    return {[=](work_atom) {
        self->state.result = self->state.result * self->state.result / 37.2;
        if (--self->state.left == 0)
            self->quit();
    }};
}
static behavior feeder(event_based_actor *self, long k, long n)
{
    return {[=](start_atom) {
        std::vector<actor> w;
        for (long i = 0; i < k; i++)
            w.push_back(self->spawn(worker, n));
        for (long j = 0; j < n; j++)
            for (auto &a : w)
                self->send(a, work_atom::value);
        self->quit();
    }};
}
static long fjthroughput(actor_system &sys, long k, long n)
{
    anon_send(sys.spawn(feeder, k, n), start_atom::value);
    return k * n;
}

// fork-join creation: n actors, one message each
static behavior once(event_based_actor *self)
{
    return {[=](work_atom) { self->quit(); }};
}
static long fjcreate(actor_system &sys, long n)
{
    // From the main thread: spawning and sending within one handler is 20
    // times slower here, and would be unfair.
    for (long i = 0; i < n; i++)
        anon_send(sys.spawn(once), work_atom::value);
    return n;
}

// chameneos: k creatures, n meetings at one mall
struct mall_state {
    long left, stopped;
    actor waiting;
    int colour;
};
static behavior mall(stateful_actor<mall_state> *self, long k, long n)
{
    self->state.left = n;
    self->state.stopped = 0;
    return {[=](meet_atom, int colour) {
                auto &s = self->state;
                auto who = actor_cast<actor>(self->current_sender());
                if (s.left == 0) {
                    self->send(who, stop_atom::value);
                    return;
                }
                if (!s.waiting) {
                    s.waiting = who;
                    s.colour = colour;
                    return;
                }
                s.left--;
                self->send(s.waiting, change_atom::value, colour);
                self->send(who, change_atom::value, s.colour);
                s.waiting = nullptr;
            },
            [=](done_atom, long) {
                if (++self->state.stopped == k)
                    self->quit();
            }};
}
struct creature_state {
    int colour;
    long meetings;
};
static behavior creature(stateful_actor<creature_state> *self, actor m, int c)
{
    self->state.colour = c;
    self->state.meetings = 0;
    return {[=](start_atom) {
                self->send(m, meet_atom::value, self->state.colour);
            },
            [=](change_atom, int other) {
                auto &s = self->state;
                s.meetings++;
                if (s.colour != other)
                    s.colour = 3 - s.colour - other;
                self->send(m, meet_atom::value, s.colour);
            },
            [=](stop_atom) {
                self->send(m, done_atom::value, self->state.meetings);
                self->quit();
            }};
}
static long chameneos(actor_system &sys, long k, long n)
{
    auto m = sys.spawn(mall, k, n);
    for (long i = 0; i < k; i++)
        anon_send(sys.spawn(creature, m, static_cast<int>(i % 3)),
                  start_atom::value);
    return 4 * n + 3 * k;
}

// big: k actors, each sends n pings to random others and gets pongs
struct big_state {
    std::vector<actor> all;
    long left;
    uint64_t rng;
};
static behavior bigger(stateful_actor<big_state> *self, actor sink, long id,
                       long n)
{
    self->state.left = n;
    self->state.rng = static_cast<uint64_t>(id) * 7919 + 1;
    auto go = [=] {
        auto &s = self->state;
        s.rng = s.rng * 6364136223846793005u + 1442695040888963407u;
        self->send(s.all[(s.rng >> 33) % s.all.size()], ping_atom::value);
    };
    return {[=](start_atom, const std::vector<actor> &all) {
                self->state.all = all;
                go();
            },
            [=](ping_atom) {
                self->send(actor_cast<actor>(self->current_sender()),
                           pong_atom::value);
            },
            [=](pong_atom) {
                if (--self->state.left > 0)
                    go();
                else
                    self->send(sink, done_atom::value);
            },
            [=](stop_atom) {
                self->state.all.clear();
                self->quit();
            }};
}
struct sink_state {
    std::vector<actor> all;
    long left;
};
static behavior bigsink(stateful_actor<sink_state> *self, long k)
{
    self->state.left = k;
    return {[=](start_atom, const std::vector<actor> &all) {
                self->state.all = all;
            },
            [=](done_atom) {
                if (--self->state.left > 0)
                    return;
                for (auto &a : self->state.all)
                    self->send(a, stop_atom::value);
                self->state.all.clear();
                self->quit();
            }};
}
static long big(actor_system &sys, long k, long n)
{
    auto sink = sys.spawn(bigsink, k);
    std::vector<actor> all;
    for (long i = 0; i < k; i++)
        all.push_back(sys.spawn(bigger, sink, i, n));
    anon_send(sink, start_atom::value, all);
    for (auto &a : all)
        anon_send(a, start_atom::value, all);
    return 2 * k * n + 4 * k;
}

// idle: n actors that wait; prints bytes per actor instead of messages
static long idle(actor_system &sys, long n)
{
    auto rss = [] {
        long pages = 0, all = 0;
        if (FILE *f = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(f, "%ld %ld", &all, &pages) != 2)
                pages = 0;
            std::fclose(f);
        }
        return pages * 4096;
    };
    std::vector<actor> all;
    all.reserve(static_cast<size_t>(n));
    long before = rss();
    for (long i = 0; i < n; i++)
        all.push_back(sys.spawn(once));
    long after = rss();
    for (auto &a : all)
        anon_send(a, work_atom::value);
    return (after - before) / n;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    actor_system_config cfg;
    cfg.set("scheduler.max-threads", 2);
    std::string name = argv[1];
    auto begin = std::chrono::steady_clock::now();
    long messages = 0;
    {
        actor_system sys{cfg};
        long a = arg(argc, argv, 2, 1000000), b = arg(argc, argv, 3, 1000);
        if (name == "pingpong")
            messages = pingpong(sys, a);
        else if (name == "counting")
            messages = counting(sys, a);
        else if (name == "threadring")
            messages = threadring(sys, a, b);
        else if (name == "fjthroughput")
            messages = fjthroughput(sys, a, b);
        else if (name == "fjcreate")
            messages = fjcreate(sys, a);
        else if (name == "chameneos")
            messages = chameneos(sys, a, b);
        else if (name == "big")
            messages = big(sys, a, b);
        else if (name == "idle")
            messages = idle(sys, a);
        else
            return 2;
        sys.await_all_actors_done();
    }
    std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
    std::printf("%s %.6f %ld\n", name.c_str(), s.count(), messages);
    return 0;
}
