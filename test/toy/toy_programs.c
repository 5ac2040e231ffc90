// Programs whose numbers of schedules and classes are known, and a few for
// what those lack: timers, choices, bodies in several segments, replies.
#include "toy/toy_programs.h"

#include <string.h>

#define SPAWN(r, cls, ...)                                                     \
    toy_spawn(r, cls, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)),       \
              (int[]){__VA_ARGS__})
#define SEND(r, to, type, ...)                                                 \
    toy_send(r, to, type, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)),   \
             (int[]){__VA_ARGS__})
#define TELL(r, to, type) toy_send(r, to, type, 0, NULL)

enum { GO = 1, VALUE, AGAIN, WRITE, DONE, FLUSH, NEXT, START, TAKE, PUT, JOB };
enum { ERROR = 20, CHECK_FOR_ERROR };

static void append(struct toy_run *r, int value)
{
    r->st.v[r->st.n++] = (int16_t)value;
}

// A receiver that records what it gets.
static void record(struct toy_run *r)
{
    append(r, r->in.v[0]);
}

// order1, order2: who is created first is the receiver, actor 1.
static void order_one(struct toy_run *r) // v[0]: the value sent
{
    SEND(r, 1, VALUE, r->st.v[0]);
}

static void order_two(struct toy_run *r)
{
    SEND(r, 1, VALUE, 1);
    SEND(r, 1, VALUE, 2);
}

static void order_relay(struct toy_run *r)
{
    SEND(r, 1, VALUE, 3);
    TELL(r, 2, GO);
}

static void order1_body(struct toy_run *r)
{
    toy_spawn(r, 1, 0, NULL);
    SPAWN(r, 2, 4);
    uint32_t a = toy_spawn(r, 3, 0, NULL);
    uint32_t c = toy_spawn(r, 4, 0, NULL);
    TELL(r, a, GO);
    TELL(r, c, GO);
}

static void order2_body(struct toy_run *r)
{
    toy_spawn(r, 1, 0, NULL);
    uint32_t b = SPAWN(r, 2, 4);
    uint32_t a = SPAWN(r, 2, 3);
    uint32_t c = toy_spawn(r, 4, 0, NULL);
    TELL(r, a, GO);
    TELL(r, b, GO);
    TELL(r, c, GO);
}

// newborn, alarm: between two writes of its creator a child is born; it writes
// in its init and once more, when its creator tells it to or when a timer set
// in its init fires.  Beside that, n more writes by the body.
static void newborn(struct toy_run *r, toy_handler *init, bool told)
{
    append(r, r->in.type);
    if (r->in.type != GO)
        return;
    SEND(r, 1, VALUE, 1);
    uint32_t child = toy_spawn_with(r, 3, 1, (int[]){4}, init);
    if (told)
        TELL(r, child, GO);
    SEND(r, 1, VALUE, 2);
}

static void newborn_init(struct toy_run *r)
{
    SEND(r, 1, VALUE, 3);
}

static void newborn_creator(struct toy_run *r)
{
    newborn(r, newborn_init, true);
}

static void alarm_init(struct toy_run *r)
{
    SEND(r, 1, VALUE, 3);
    toy_timer(r, GO);
}

static void alarm_creator(struct toy_run *r)
{
    newborn(r, alarm_init, false);
}

static void newborn_body(struct toy_run *r)
{
    toy_spawn(r, 1, 0, NULL);
    uint32_t creator = toy_spawn(r, 2, 0, NULL);
    TELL(r, creator, GO);
    for (int i = 0; i < r->param[0]; i++)
        TELL(r, creator, AGAIN);
    for (int i = 0; i < r->param[0]; i++)
        SEND(r, 1, VALUE, 10 + i);
}

// writers, counter, posters: a receiver and n senders.
static void fan_in_body(struct toy_run *r)
{
    toy_spawn(r, 1, 0, NULL);
    for (int i = 0; i < r->param[0]; i++)
        TELL(r, SPAWN(r, 2, i), GO);
}

static void counter_body(struct toy_run *r)
{
    SPAWN(r, 1, 0);
    for (int i = 0; i < r->param[0]; i++)
        TELL(r, SPAWN(r, 2, i), GO);
}

static void add_up(struct toy_run *r)
{
    r->st.v[0] = (int16_t)(r->st.v[0] + r->in.v[0]);
}

static void poster_receiver(struct toy_run *r)
{
    append(r, r->in.type * 100 + r->in.v[0]);
    if (r->in.type == VALUE)
        TELL(r, TOY_ACTOR(r->in.v[1]), AGAIN);
}

static void poster(struct toy_run *r)
{
    SEND(r, 1, r->in.type == GO ? VALUE : DONE, r->st.v[0], TOY_REF(r->self));
}

// gatling(n, b): the writer is 1, the terminator 2.  With b a late write is
// answered with an error, and the terminator is asked whether it knows of one.
static void gatling_body(struct toy_run *r)
{
    SPAWN(r, 1, 0);
    SPAWN(r, 2, r->param[0]);
    for (int i = 0; i < r->param[0]; i++)
        TELL(r, toy_spawn(r, 3, 0, NULL), GO);
    if (r->param[1])
        TELL(r, 2, CHECK_FOR_ERROR);
}

static void gatling_writer(struct toy_run *r) // v: written, closed
{
    if (r->in.type == WRITE && r->st.n == 1)
        r->st.v[0]++;
    else if (r->in.type == WRITE && r->param[1])
        TELL(r, 2, ERROR);
    else if (r->in.type == WRITE)
        toy_crash(r, "write after flush");
    else if (r->in.type == FLUSH) {
        append(r, 1);
        TELL(r, toy_sender(r), DONE + 10);
    }
}

static void gatling_terminator(struct toy_run *r)
{
    if (r->in.type == DONE && --r->st.v[0] == 0)
        TELL(r, 1, FLUSH);
}

static void gatling_action(struct toy_run *r)
{
    TELL(r, 1, WRITE);
    TELL(r, 2, DONE);
}

// twophase: participants are 1..n, the coordinator n + 1.
static void twophase_body(struct toy_run *r)
{
    for (int i = 0; i < r->param[0]; i++)
        SPAWN(r, 1, 0);
    TELL(r, SPAWN(r, 2, 0), GO);
}

static void participant(struct toy_run *r)
{
    r->st.v[0] = r->in.type == START ? 1 : 2;
    if (r->in.type == START)
        TELL(r, toy_sender(r), VALUE);
}

static void coordinator(struct toy_run *r)
{
    int n = r->param[0];
    if (r->in.type == GO || ++r->st.v[0] == n)
        for (int i = 1; i <= n; i++)
            TELL(r, (uint32_t)i, r->in.type == GO ? START : DONE);
}

// consensus: collectors are 1..n.
static void consensus_body(struct toy_run *r)
{
    int n = r->param[0];
    for (int i = 0; i < n; i++)
        SPAWN(r, 1, -1);
    for (int i = 0; i < n; i++)
        TELL(r, SPAWN(r, 2, i), GO);
}

static void collector(struct toy_run *r)
{
    if (r->in.v[0] > r->st.v[0])
        r->st.v[0] = r->in.v[0];
}

static void broadcaster(struct toy_run *r)
{
    for (int i = 1; i <= r->param[0]; i++)
        SEND(r, (uint32_t)i, VALUE, r->st.v[0]);
}

// ring: nodes are 1..n.
static void ring_body(struct toy_run *r)
{
    int n = r->param[0];
    for (int i = 0; i < n; i++)
        SPAWN(r, 1, i, -1, 0);
    for (int i = 0; i < n; i++)
        SEND(r, (uint32_t)i + 1, NEXT, TOY_REF((i + 1) % n + 1));
    for (int i = 0; i < n; i++)
        TELL(r, (uint32_t)i + 1, START);
}

static void ring_node(struct toy_run *r) // v: number, next, 1 = ran 2 = won
{
    int16_t *v = r->st.v;
    if (r->in.type == NEXT) {
        v[1] = r->in.v[0];
    } else if (v[1] < 0) {
        toy_crash(r, "no next");
    } else if (r->in.type == START) {
        SEND(r, TOY_ACTOR(v[1]), VALUE, v[0]);
        if (!v[2])
            v[2] = 1;
    } else if (r->in.v[0] > v[0]) {
        SEND(r, TOY_ACTOR(v[1]), VALUE, r->in.v[0]);
    } else if (r->in.v[0] == v[0]) {
        v[2] = 2;
    }
}

// phils: forks are 1..n, philosophers n+1..2n.
static void phils_body(struct toy_run *r)
{
    int n = r->param[0];
    for (int i = 0; i < n; i++)
        SPAWN(r, 1, 0);
    for (int i = 0; i < n; i++)
        TELL(r, SPAWN(r, 2, TOY_REF(i + 1), TOY_REF((i + 1) % n + 1), 0), GO);
}

static void fork_actor(struct toy_run *r) // v: held, who waits...
{
    int16_t *v = r->st.v;
    int next = -1;
    if (r->in.type == TAKE && v[0])
        append(r, r->in.v[0]);
    else if (r->in.type == TAKE)
        v[0] = 1, next = r->in.v[0];
    else if (r->st.n > 1) {
        next = v[1];
        r->st.n--;
        memmove(v + 1, v + 2, (size_t)(r->st.n - 1) * sizeof *v);
    } else
        v[0] = 0;
    if (next >= 0)
        SEND(r, TOY_ACTOR(next), VALUE, TOY_REF(r->self));
}

static void philosopher(struct toy_run *r) // v: left, right, meals
{
    int16_t *v = r->st.v;
    if (r->in.type == GO)
        SEND(r, TOY_ACTOR(v[0]), TAKE, TOY_REF(r->self));
    else if (r->in.v[0] == v[0])
        SEND(r, TOY_ACTOR(v[1]), TAKE, TOY_REF(r->self));
    else {
        TELL(r, TOY_ACTOR(v[0]), PUT);
        TELL(r, TOY_ACTOR(v[1]), PUT);
        v[2]++;
    }
}

// master: creates its workers.
static void master_body(struct toy_run *r)
{
    TELL(r, SPAWN(r, 1, 0, 0), GO);
}

static void master(struct toy_run *r)
{
    for (int i = 0; r->in.type == GO && i < r->param[0]; i++) {
        uint32_t w = toy_spawn(r, 2, 0, NULL);
        SEND(r, w, JOB, i);
        SEND(r, w, JOB, i + 10);
    }
    if (r->in.type == VALUE) {
        r->st.v[0]++;
        r->st.v[1] = (int16_t)(r->st.v[1] + r->in.v[0]);
    }
}

static void worker(struct toy_run *r)
{
    SEND(r, toy_sender(r), VALUE, r->in.v[0] * r->in.v[0]);
}

// pingpong: the actors are 1 and 2.
static void pingpong_body(struct toy_run *r)
{
    SPAWN(r, 1, 0);
    SPAWN(r, 1, 0);
    SEND(r, 1, VALUE, TOY_REF(2));
    SEND(r, 2, VALUE, TOY_REF(1));
}

static void pinger(struct toy_run *r)
{
    if (++r->st.v[0] <= r->param[0])
        SEND(r, TOY_ACTOR(r->in.v[0]), VALUE, TOY_REF(r->self));
}

// volley: pingpong without an end.
static void volleyer(struct toy_run *r)
{
    SEND(r, TOY_ACTOR(r->in.v[0]), VALUE, TOY_REF(r->self));
}

// store(f, b, c, r): back-ends are 1..b, then front-ends, then clients.
static void store_body(struct toy_run *r)
{
    int f = r->param[0], b = r->param[1], c = r->param[2];
    for (int i = 0; i < b + f + c; i++)
        SPAWN(r, i < b ? 1 : i < b + f ? 2 : 3, 0);
    for (int i = 0; i < r->param[3]; i++)
        SEND(r, (uint32_t)(1 + b + f + i % c), JOB, i);
}

static void back_end(struct toy_run *r)
{
    r->st.v[0]++;
    SEND(r, toy_sender(r), DONE, r->in.v[0]);
}

static void front_end(struct toy_run *r)
{
    int i = r->in.v[0], f = r->param[0], b = r->param[1], c = r->param[2];
    if (r->in.type == JOB)
        SEND(r, (uint32_t)(1 + (i / 2) % b), JOB, i);
    else
        SEND(r, (uint32_t)(1 + b + f + i % c), DONE, i);
}

static void client(struct toy_run *r)
{
    int i = r->in.v[0];
    if (r->in.type == JOB)
        SEND(r, (uint32_t)(1 + r->param[1] + i % r->param[0]), JOB, i);
    else
        r->st.v[0]++;
}

// timeout(n): an asker sets a timer and asks n servers; whichever comes first
// wins, later ones are counted.
static void timeout_body(struct toy_run *r)
{
    TELL(r, SPAWN(r, 1, 0, 0), GO);
    for (int i = 0; i < r->param[0]; i++)
        SPAWN(r, 2, i);
}

static void timeout_asker(struct toy_run *r)
{
    if (r->in.type == GO) {
        toy_timer(r, DONE);
        for (int i = 0; i < r->param[0]; i++)
            TELL(r, (uint32_t)i + 2, JOB);
    } else if (r->in.type == DONE) {
        if (!r->st.v[0])
            r->st.v[0] = -1;
    } else if (!r->st.v[0]) {
        r->st.v[0] = (int16_t)(r->in.v[0] + 1);
    } else {
        r->st.v[1]++;
    }
}

static void timeout_server(struct toy_run *r)
{
    SEND(r, toy_sender(r), VALUE, r->st.v[0]);
}

// votes(n): two-phase commit with free votes.
static void votes_body(struct toy_run *r)
{
    toy_spawn(r, 1, 0, NULL);
    for (int i = 0; i < r->param[0]; i++)
        TELL(r, SPAWN(r, 2, i), GO);
}

static void voter(struct toy_run *r)
{
    SEND(r, 1, VALUE, r->st.v[0] * 2 + (int)toy_choose(r, 2));
}

// rounds(n): the body sends to two relays, waits until all is quiet, and sends
// again as many as it got answers; n rounds.
static void rounds_body(struct toy_run *r)
{
    int segment = r->st.v[0];
    if (segment == 0) {
        toy_spawn(r, 1, 0, NULL);
        SPAWN(r, 2, 1);
        SPAWN(r, 2, 2);
        append(r, 2);
    }
    for (int i = 0; i < r->st.v[1] && segment <= r->param[0]; i++)
        TELL(r, (uint32_t)(2 + i % 2), GO);
    r->st.v[1] = 0;
    if (segment < r->param[0])
        toy_drain(r);
}

static void rounds_env(struct toy_run *r)
{
    r->st.v[1]++;
}

static void rounds_receiver(struct toy_run *r)
{
    append(r, r->in.v[0]);
    if (r->in.v[0] == 1)
        TELL(r, PLAY_ENV, DONE);
}

// steps(n): writers whose body goes on after each of the first receives.
static void steps_body(struct toy_run *r)
{
    if (r->st.v[0] == 0)
        fan_in_body(r);
    if (r->st.v[0] < r->param[0])
        toy_one(r);
}

static const struct toy_program programs[] = {
    {.name = "order1",
     .body = order1_body,
     .classes = {record, order_one, order_relay, order_two},
     .names = {"m", "b", "a", "c"}},
    {.name = "order2",
     .body = order2_body,
     .classes = {record, order_one, NULL, order_two},
     .names = {"m", "a", "none", "c"}},
    {.name = "writers",
     .body = fan_in_body,
     .classes = {record, order_one},
     .names = {"receiver", "writer"}},
    {.name = "counter",
     .body = counter_body,
     .classes = {add_up, order_one},
     .names = {"receiver", "writer"}},
    {.name = "posters",
     .body = fan_in_body,
     .classes = {poster_receiver, poster},
     .names = {"receiver", "poster"}},
    {.name = "gatling",
     .body = gatling_body,
     .classes = {gatling_writer, gatling_terminator, gatling_action},
     .names = {"writer", "terminator", "action"}},
    {.name = "twophase",
     .body = twophase_body,
     .classes = {participant, coordinator},
     .names = {"participant", "coordinator"}},
    {.name = "consensus",
     .body = consensus_body,
     .classes = {collector, broadcaster},
     .names = {"collector", "broadcaster"}},
    {.name = "ring",
     .body = ring_body,
     .classes = {ring_node},
     .names = {"node"}},
    {.name = "newborn",
     .body = newborn_body,
     .classes = {record, newborn_creator, order_one},
     .names = {"receiver", "creator", "child"}},
    {.name = "alarm",
     .body = newborn_body,
     .classes = {record, alarm_creator, order_one},
     .names = {"receiver", "creator", "child"}},
    {.name = "phils",
     .body = phils_body,
     .classes = {fork_actor, philosopher},
     .names = {"fork", "phil"}},
    {.name = "master",
     .body = master_body,
     .classes = {master, worker},
     .names = {"master", "worker"}},
    {.name = "pingpong",
     .body = pingpong_body,
     .classes = {pinger},
     .names = {"pinger"}},
    {.name = "volley",
     .body = pingpong_body,
     .classes = {volleyer},
     .names = {"player"}},
    {.name = "store",
     .body = store_body,
     .classes = {back_end, front_end, client},
     .names = {"back", "front", "client"}},
    {.name = "timeout",
     .body = timeout_body,
     .classes = {timeout_asker, timeout_server},
     .names = {"asker", "server"}},
    {.name = "votes",
     .body = votes_body,
     .classes = {record, voter},
     .names = {"receiver", "voter"}},
    {.name = "steps",
     .body = steps_body,
     .classes = {record, order_one},
     .names = {"receiver", "writer"}},
    {.name = "rounds",
     .body = rounds_body,
     .env = rounds_env,
     .classes = {rounds_receiver, order_one},
     .names = {"receiver", "relay"}},
};

const struct toy_program *toy_program_named(const char *name)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, name) == 0)
            return &programs[i];
    return NULL;
}
