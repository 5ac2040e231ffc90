#!/usr/bin/env python3
"""A second reading of the library's semantics, and random programs to hold the
tool to it.

    second.py TOOL [FIRST_SEED [PROGRAMS]]    compare, print what differs
    second.py --show SEED                     the program of a seed, as C

A program is a small tree of statements.  It is written once as C, for the
tool, and walked here by brute force: every order of receives that a delivery
model allows, every answer to choose().  Nothing is shared with the stage: this
file follows the manual pages, tr_send(3), tr_spawn(3), tr_ask(3), and the list
of rules in doc/design.md, section 1.  Where these are silent it says so.

The bound on ticks is TICKS.  Where the stage keeps bounds on due times, this
file has every due time of a timer that is set by every(): in how many periods it
is due next is tried out.

Compared, per delivery model: the number of schedules with `exhaustive`, the
number of classes (tuples of per-actor orders) with the executions of `optimal`,
and what is left at the end: tasks that wait for ever, messages that stay
deferred.  Where the body may go on beside timers of every(), `optimal` may
refuse; then the ends are those of `reduced`, which must have the final states of
`exhaustive`.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

MODELS = ("pair", "any", "causal", "mailbox")
MOST_NODES = 1500      # of one program under one model; larger ones are skipped
MOST_SCHEDULES = 5000
BATCH = 20             # programs in one source file
TICKS = 2              # --ticks
SKIPS = 4              # due times of every() that may pass one after the other


class TooLarge(Exception):
    pass


class NeedsPick(Exception):
    def __init__(self, n):
        self.n = n


# ---- programs ---------------------------------------------------------------
#
# Statements are tuples: ("set", field, value), ("if", cond, then, else),
# ("send", ref, msg, value), ("spawn", cls, value), ("become", b), ("stop",),
# ("watch", ref, value), ("after", ms, msg, value), ("every", ms, msg, value),
# ("cancel",),
# ("ask", how, ms, ref, value), ("until", field, k), ("choose", field, n),
# ("reply", value).
# Values are ("const", k), ("v",), ("x",), ("sum",); references are "a", "b",
# "to", "me", "sender"; conditions are (field or "v", comparison, k).

MESSAGES = ("m0", "m1", "tick", "gone", "q")


class Generator:
    """The program of a seed.  Each uses a random part of the words."""

    WORDS = ("spawn", "become", "stop", "watch", "timer", "get", "await",
             "within", "until", "choose", "drain", "sender", "every", "look")

    def __init__(self, seed):
        self.r = random.Random(seed)
        share = self.r.choice((0.25, 0.4, 0.6))
        self.words = {w for w in self.WORDS if self.r.random() < share}
        self.patience = self.r.randrange(2, 7)  # rows of 12 that defer

    def some_value(self):
        const = ("const", self.r.randrange(3))
        return self.r.choice((const, const, ("v",), ("x",), ("sum",)))

    def reference(self):
        names = ["a", "a", "b", "to", "me"]
        if "sender" in self.words:
            names.append("sender")
        return self.r.choice(names)

    def condition(self):
        return (self.r.choice("xyv"), self.r.choice(("==", "!=", ">")),
                self.r.randrange(3))

    def statement(self, depth, waits):
        kinds = ["send"] * 5 + ["set"] * 4
        if depth < 2:
            kinds += ["if"] * 2
        for word, kind in (("spawn", "spawn"), ("watch", "watch"),
                           ("choose", "choose"), ("timer", "after"),
                           ("timer", "cancel"), ("every", "every"),
                           ("every", "cancel")):
            if word in self.words:
                kinds.append(kind)
        if "become" in self.words:
            kinds += ["become"] * 3
        if waits:
            kinds += [w for w in ("get", "get", "await", "await", "until")
                      if w in self.words]
        return self.make(self.r.choice(kinds), depth, waits)

    def make(self, kind, depth, waits):
        r = self.r
        if kind == "send":
            return ("send", self.reference(), r.choice(("m0", "m1")),
                    self.some_value())
        if kind == "set":
            return ("set", r.choice("xy"), self.some_value())
        if kind == "if":
            return ("if", self.condition(), self.block(depth + 1, 2, waits),
                    self.block(depth + 1, 1, waits) if r.random() < .5 else ())
        if kind == "spawn":
            return ("spawn", r.randrange(self.classes), self.some_value())
        if kind == "become":
            other = 1 - self.behaviour
            return ("become", r.choice((other, other, other, self.behaviour)))
        if kind == "watch":
            return ("watch", self.reference(), self.some_value())
        if kind == "after":
            return ("after", r.choice((0, 5, 10)), r.choice(("tick", "m0")),
                    self.some_value())
        if kind == "every":
            return ("every", r.choice((5, 10)), r.choice(("tick", "m0")),
                    self.some_value())
        if kind == "cancel":
            return ("cancel",)
        if kind == "until":
            return ("until", r.choice("xy"), r.randrange(2))
        if kind == "choose":
            return ("choose", r.choice("xy"), 2)
        within = "within" in self.words and r.random() < .5
        return ("ask", kind, 5 if within else 0,
                r.choice(("a", "b", "to", self.reference())), self.some_value())

    def idiom(self):
        """Two statements whose meeting matters: a wait beside something that
        changes what the actor takes."""
        waits = [w for w in ("get", "await", "until") if w in self.words]
        near = [w for w in ("become", "watch", "spawn") if w in self.words]
        if not waits or not near:
            return ()
        pair = [self.make(self.r.choice(near), 0, True),
                self.make(self.r.choice(waits), 0, True)]
        if self.r.random() < .3:
            pair.reverse()
        return tuple(pair)

    def block(self, depth, most, waits):
        first = self.idiom() if depth == 0 and self.r.random() < .4 else ()
        return first + tuple(self.statement(depth, waits)
                             for _ in range(self.r.randint(1, most)))

    def handler(self, msg):
        body = self.block(0, 3, True)
        if msg == "q" and self.r.random() < .85:
            body += (("reply", self.some_value()),)
        if "stop" in self.words and self.r.random() < .15:
            body += (("stop",),)
        return body

    def row(self):
        k = self.r.randrange(12)
        if k < self.patience and "become" in self.words:
            return "defer"
        return "ignore" if k == 11 else "on"

    def program(self):
        r = self.r
        self.classes = r.randint(1, 2)
        classes = []
        for _ in range(self.classes):
            behaviours = []
            for self.behaviour in range(2 if "become" in self.words else 1):
                rows = {}
                for m in MESSAGES:
                    policy = self.row() if m != "q" or r.random() < .3 else "on"
                    rows[m] = (policy, self.handler(m) if policy == "on" else ())
                behaviours.append(rows)
            classes.append(behaviours)
        # The first actor answers at once, so that most who wait go on.
        serve = (("set", "x", ("sum",)), ("reply", ("x",)))
        classes.append([{m: ("on", serve) if m == "q" else ("ignore", ())
                         for m in MESSAGES}])
        actors = [(self.classes, 0)] + [(r.randrange(self.classes), r.randrange(3))
                                        for _ in range(r.randint(1, 2))]
        parts = [self.sends(len(actors), None)]
        if "drain" in self.words:
            parts.append(self.sends(len(actors), actors))
        return {"classes": classes, "actors": actors, "parts": parts}

    def look(self, actors):
        """(actor, field, k): a send depends on what the body sees there."""
        if not actors or "look" not in self.words or self.r.random() < .4:
            return None
        return (self.r.randrange(1, len(actors)), self.r.choice("xy"),
                self.r.randrange(3))

    def sends(self, n, seen):
        r = self.r
        favourite = n - 1
        return [(favourite if r.random() < .6 else r.randrange(1, n),
                 r.choice(("m0", "m1", "m0", "m1", "q")), r.randrange(3),
                 r.randrange(n), r.randint(1, 2), self.look(seen))
                for _ in range(r.randint(2, 4))]


# ---- as C -------------------------------------------------------------------

PRELUDE = """#include <troupe_short.h>
#define ALL m0, m1, tick, gone, q
TR_PROTOCOL(peer, ALL);
#define FIELDS int v, hops; peer_ref to
#define STATE int x, y; peer_ref a, b; tr_timer t
struct answer { int v; };
struct m0 { FIELDS; }; TR_MESSAGE(m0);
struct m1 { FIELDS; }; TR_MESSAGE(m1);
struct tick { FIELDS; }; TR_MESSAGE(tick);
struct gone { FIELDS; }; TR_MESSAGE(gone);
struct q { FIELDS; }; TR_REQUEST(q, answer);
/* r, or the actor itself if r is nobody */
static inline peer_ref some(tr_ctx *ctx, peer_ref r)
{
    return r ? r : (peer_ref)tr_self_(ctx);
}
"""

C_VALUE = {"v": "msg->v", "x": "self->x", "sum": "(self->x + msg->v) % 3"}
C_REF = {"a": "some(ctx, self->a)", "b": "some(ctx, self->b)",
         "to": "some(ctx, msg->to)", "me": "(peer_ref)tr_self_(ctx)",
         "sender": "(peer_ref)sender()"}


def c_value(v):
    return str(v[1]) if v[0] == "const" else C_VALUE[v[0]]


def c_fields(v):
    return f".v = {c_value(v)}, .hops = msg->hops - 1, .to = self->a"


class Writer:
    """A program as C: the test tSEED and the classes cSEEDa, cSEEDb, ..."""

    def __init__(self, program, seed):
        self.out = []
        self.futures = 0
        self.program, self.seed = program, seed

    def cls(self, c):
        return f"c{self.seed}{'abc'[c]}"

    def line(self, depth, text):
        self.out.append("    " * depth + text + "\n")

    def statements(self, body, depth, cls):
        for s in body:
            self.statement(s, depth, cls)

    def statement(self, s, d, cls):
        kind = s[0]
        if kind == "set":
            self.line(d, f"self->{s[1]} = {c_value(s[2])};")
        elif kind == "if":
            left = "msg->v" if s[1][0] == "v" else "self->" + s[1][0]
            self.line(d, f"if ({left} {s[1][1]} {s[1][2]}) {{")
            self.statements(s[2], d + 1, cls)
            if s[3]:
                self.line(d, "} else {")
                self.statements(s[3], d + 1, cls)
            self.line(d, "}")
        elif kind == "become":
            self.line(d, f"become({self.cls(cls)}, b{s[1]});")
        elif kind == "stop":
            self.line(d, "stop();")
        elif kind == "cancel":
            self.line(d, "cancel(self->t);")
        elif kind == "until":
            self.line(d, f"await_until(self->{s[1]} > {s[2]});")
        elif kind == "choose":
            self.line(d, f"self->{s[1]} = (int)choose({s[2]});")
        elif kind == "reply":
            self.line(d, f"reply(q, .v = {c_value(s[1])});")
        else:
            self.line(d, "if (msg->hops > 0) {")
            self.bounded(s, d + 1, cls)
            self.line(d, "}")

    def bounded(self, s, d, cls):
        """Statements that need hops."""
        kind = s[0]
        if kind == "send":
            self.line(d, f"send({C_REF[s[1]]}, {s[2]}, {c_fields(s[3])});")
        elif kind == "spawn":
            self.line(d, f"self->b = (peer_ref)spawn({self.cls(s[1])}, "
                         f".x = {c_value(s[2])}, .a = self->a, .b = self->a);")
            self.line(d, f"send(self->b, m0, {c_fields(s[2])});")
        elif kind == "watch":
            self.line(d, f"watch({C_REF[s[1]]}, {self.cls(cls)}, gone, "
                         f"{c_fields(s[2])});")
        elif kind in ("after", "every"):
            call = "send_after" if kind == "after" else "every"
            self.line(d, f"self->t = {call}({s[1]}, (peer_ref)tr_self_(ctx),"
                         f" {s[2]}, {c_fields(s[3])});")
        else:
            f = f"f{self.futures}"
            self.futures += 1
            ask = f"ask_within({s[2]}, " if s[2] else "ask("
            self.line(d, f"TR_FUTURE(q) {f} = {ask}{C_REF[s[3]]}, q, "
                         f"{c_fields(s[4])});")
            self.line(d, f"const struct answer *r{f} = {s[1]}({f});")
            self.line(d, f"self->x = r{f} ? r{f}->v : 2;")

    def classes(self):
        for c in range(len(self.program["classes"])):
            name = self.cls(c)
            self.line(0, f"TR_PROTOCOL({name}, ALL);")
            self.line(0, f"struct {name} {{ STATE; }};")
            self.line(0, f"TR_STATES({name}, b0, b1);")
        for c, behaviours in enumerate(self.program["classes"]):
            for b, rows in enumerate(behaviours):
                self.behaviour(c, b, rows)
            self.line(0, f"TR_CLASS({self.cls(c)}, .start = &{self.cls(c)}_b0);")

    def behaviour(self, c, b, rows):
        name, table = self.cls(c), []
        for m, (policy, body) in rows.items():
            if policy != "on":
                table.append(f"TR_{policy.upper()}({m})")
                continue
            self.line(0, f"TR_HANDLER_AS({name}_{b}_{m}, {name}, {m})")
            self.line(0, "{")
            self.statements(body, 1, c)
            self.line(0, "}")
            table.append(f"TR_ON({m}, {name}_{b}_{m})")
        self.line(0, f"TR_BEHAVIOUR({name}, b{b}, {', '.join(table)});")

    def looks(self, i, field, k):
        c = self.cls(self.program["actors"][i][0])
        p = f"peek({c}, ({c}_ref)r{i})"
        return f"if ({p} && {p}->{field} == {k})"

    def text(self):
        self.classes()
        self.line(0, f"TR_TEST(t{self.seed})")
        self.line(0, "{")
        for i, (cls, x) in enumerate(self.program["actors"]):
            peers = f".a = r{i - 1}, .b = r0" if i else ".a = NULL"
            self.line(1, f"peer_ref r{i} = (peer_ref)spawn({self.cls(cls)}, "
                         f".x = {x}, {peers});")
        for k, part in enumerate(self.program["parts"]):
            if k:
                self.line(1, "drain();")
            for to, m, v, other, hops, look in part:
                if look:
                    self.line(1, self.looks(*look))
                self.line(2 if look else 1,
                          f"send(r{to}, {m}, .v = {v}, .hops = {hops}, "
                          f".to = r{other});")
        self.line(0, "}")
        return "".join(self.out)


# ---- the semantics, by the book -----------------------------------------------

class Message:
    """What is in flight: never changed after it was made."""

    __slots__ = ("id", "kind", "name", "sender", "to", "v", "hops", "ref",
                 "asks", "past")

    def __init__(self, id, kind, name, sender, to, v, hops, ref, asks, past):
        self.id, self.kind, self.name = id, kind, name
        self.sender, self.to = sender, to
        self.v, self.hops, self.ref = v, hops, ref
        self.asks = asks    # the future of a request, or that a reply answers
        self.past = past    # ids of messages whose sends happened before


class Task:
    """A handler run that waits: what is left to do, and for what it waits."""

    __slots__ = ("rest", "msg", "wait")

    def __init__(self, rest, msg, wait=None):
        self.rest, self.msg, self.wait = rest, msg, wait

    def clone(self):
        return Task(self.rest, self.msg, self.wait)


class Timer:
    """Never changed; ticks is when it fired, and with which others pending, if
    it is set again."""

    __slots__ = ("id", "set_at", "ms", "msg", "asks", "every", "before", "ticks")

    def __init__(self, id, set_at, ms, msg, asks, before, every=False, ticks=()):
        self.id, self.set_at, self.ms = id, set_at, ms
        self.msg, self.asks = msg, asks
        self.before = before    # others of its kind that fired, in a row
        self.every, self.ticks = every, ticks

    def rests(self):
        return self.before >= TICKS

    def again(self, now):
        return Timer(self.id, self.set_at, self.ms, self.msg, None,
                     min(self.before + 1, TICKS), True, self.ticks + (now,))


class Actor:
    def __init__(self, name, cls, x, a, b):
        self.name, self.cls, self.behaviour = name, cls, 0
        self.x, self.y, self.a, self.b, self.t = x, 0, a, b, None
        self.stopped = self.stopping = False
        self.deferred, self.held = [], []
        self.tasks, self.holder = [], None   # waiting, in order; who holds
        self.answers = {}                    # future -> value or None
        self.open = set()                    # futures without an answer
        self.asked = {}                      # future -> who was asked
        self.watchers, self.timers = [], []
        self.owed = []                       # requests without a reply
        self.history = ()                    # what was received, with picks
        self.fired = ()                      # facts about time: see next_timers
        self.counts = {}                     # kind of timer -> fired in a row
        self.born = 0
        self.known = frozenset()             # sends that happened before now

    def clone(self):
        new = object.__new__(Actor)
        new.__dict__.update(self.__dict__)
        new.deferred, new.held = list(self.deferred), list(self.held)
        new.tasks = [t.clone() for t in self.tasks]
        new.holder = (new.tasks[self.tasks.index(self.holder)]
                      if self.holder else None)
        new.answers, new.open = dict(self.answers), set(self.open)
        new.watchers, new.timers = list(self.watchers), list(self.timers)
        new.owed = list(self.owed)
        new.counts = dict(self.counts)
        return new


def feasible(edges, n):
    """Is there a solution of t[i] - t[j] <= c for all (i, j, c)?"""
    t = [0] * n
    for _ in range(n + 1):
        changed = False
        for i, j, c in edges:
            if t[j] + c < t[i]:
                t[i] = t[j] + c
                changed = True
        if not changed:
            return True
    return False


def due(t, n_ticks, periods):
    """(moment, ms): when it is due after so many ticks; periods has the length
    of each, in multiples of its ms, by (name, number of the tick)."""
    ms = t.ms
    for i in range(n_ticks):
        ms += periods[t.id, i] * t.ms
    return t.set_at, ms


def history_edges(actor, periods):
    """What is known of the moments of an actor's receives."""
    now = len(actor.history)
    edges = [(i, i + 1, 0) for i in range(now)]     # moments do not go back
    for k, t, n, rivals in actor.fired:             # what past firings told
        at, ms = due(t, n, periods)
        edges.append((at, k, -ms))
        for other, other_n, strict in rivals:
            other_at, other_ms = due(other, other_n, periods)
            edges.append((at, other_at, other_ms - ms - (1 if strict else 0)))
        if t.every:     # those that passed before are left out, no others
            p = periods[t.id, n]
            edges.append((at, k, -(ms + (p - 1) * t.ms)))
            edges.append((k, at, ms + p * t.ms - 1))
    return edges


def may_be_next(actor, i, periods):
    now, t = len(actor.history), actor.timers[i]
    edges = history_edges(actor, periods)
    at, ms = due(t, len(t.ticks), periods)
    edges.append((at, now, -ms))
    for k, other in enumerate(actor.timers):
        if k != i:
            other_at, other_ms = due(other, len(other.ticks), periods)
            edges.append((at, other_at, other_ms - ms - (1 if k < i else 0)))
    return feasible(edges, now + 1)


def next_timers(actor):
    """The timers that may be next, in the order they were set, and that do not
    rest.

    Between two receives of an actor any time may pass.  A timer never fires
    before it is due, and those of one actor fire in the order of due times, at
    equal times in the order of setting.  All moments of the actor's life are
    unknowns here; its history is a system of differences."""
    ticks = [(t.id, n) for k, t, n, rivals in actor.fired if t.every]
    if len(ticks) > 4:
        raise TooLarge
    result = []
    for i, t in enumerate(actor.timers):
        if t.rests():
            continue
        if len(actor.timers) == 1 or any(
                may_be_next(actor, i, dict(zip(ticks, p)))
                for p in itertools.product(range(1, SKIPS + 1),
                                           repeat=len(ticks))):
            result.append(t)
    return result


class Run:
    """One receive, or one part of the body, on a copy of the world."""

    def __init__(self, world, picks):
        self.world, self.picks, self.used = world, picks, 0
        self.sent = 0
        self.event = None

    def begin(self, actor, entry):
        self.actor = actor
        self.event = (actor.name, len(actor.history))
        self.entry = entry

    def finish(self):
        self.actor.history += ((self.entry, tuple(self.picks[:self.used])),)

    def choose(self, n):
        if self.used == len(self.picks):
            raise NeedsPick(n)
        self.used += 1
        return self.picks[self.used - 1]

    # -- effects

    def number(self):
        self.sent += 1
        return (self.event, self.sent)

    def post(self, kind, name, to, v, hops, ref, asks=None):
        me = self.actor
        m = Message(self.number(), kind, name, me.name, to, v, hops, ref, asks,
                    me.known)
        me.known |= {m.id}
        self.world.flying.append(m)
        return m

    def reply(self, request, value):
        self.post("reply", None, request.sender, value, 0, None, request.asks)

    # -- values

    def value(self, v, msg):
        me = self.actor
        if v[0] == "const":
            return v[1]
        if v[0] == "v":
            return msg.v
        return me.x if v[0] == "x" else (me.x + msg.v) % 3

    def reference(self, name, msg):
        me = self.actor
        to = {"a": me.a, "b": me.b, "to": msg.ref, "me": me.name,
              "sender": msg.sender}[name]
        return me.name if to is None else to

    def holds(self, cond, msg):
        left = msg.v if cond[0] == "v" else getattr(self.actor, cond[0])
        return {"==": left == cond[2], "!=": left != cond[2],
                ">": left > cond[2]}[cond[1]]

    # -- statements.  True: the task waits.

    def step(self, s, task):
        me, msg, kind = self.actor, task.msg, s[0]
        if kind == "set":
            setattr(me, s[1], self.value(s[2], msg))
        elif kind == "if":
            task.rest = (s[2] if self.holds(s[1], msg) else s[3]) + task.rest
        elif kind == "become":
            me.behaviour = s[1]
        elif kind == "stop":
            me.stopping = True
        elif kind == "cancel":
            me.timers = [t for t in me.timers if t.id != me.t or t.asks]
            me.deferred = [m for m in me.deferred if m.id != me.t]
            me.held = [m for m in me.held if m.id != me.t]
        elif kind == "choose":
            setattr(me, s[1], self.choose(s[2]))
        elif kind == "reply":
            if msg.asks is not None:
                self.reply(msg, self.value(s[1], msg))
                me.owed.remove(msg)
        elif kind == "until":
            task.wait = ("until", s[1], s[2])
            return not self.ready(task)
        elif kind == "answer":
            me.x = 2 if me.answers[s[1]] is None else me.answers[s[1]]
        elif msg.hops > 0:
            return self.bounded(s, task)
        return False

    def bounded(self, s, task):
        me, msg, kind = self.actor, task.msg, s[0]
        hops = msg.hops - 1
        if kind == "send":
            self.post("plain", s[2], self.reference(s[1], msg),
                      self.value(s[3], msg), hops, me.a)
        elif kind == "spawn":
            x = self.value(s[2], msg)
            name = (me.name, me.born)
            me.born += 1
            child = Actor(name, s[1], x, me.a, me.a)
            child.known = me.known
            self.world.actors[name] = child
            me.b = name
            self.post("plain", "m0", name, self.value(s[2], msg), hops, me.a)
        elif kind == "watch":
            self.post("watch", "gone", self.reference(s[1], msg),
                      self.value(s[2], msg), hops, me.a)
        elif kind in ("after", "every"):
            note = (s[2], self.value(s[3], msg), hops, me.a)
            t = Timer(self.number(), len(me.history), s[1], note, None,
                      me.counts.get(s[2], 0), kind == "every")
            me.timers.append(t)
            me.t = t.id
        else:
            return self.ask(s, task, hops)
        return False

    def ask(self, s, task, hops):
        me = self.actor
        future = self.number()
        me.open.add(future)
        self.post("plain", "q", self.reference(s[3], task.msg),
                  self.value(s[4], task.msg), hops, me.a, future)
        if s[2]:
            asked = self.reference(s[3], task.msg)
            me.timers.append(Timer(self.number(), len(me.history), s[2], None,
                                   future, me.counts.get(("q", asked), 0)))
            me.asked = {**me.asked, future: asked}
        task.rest = (("answer", future),) + task.rest
        task.wait = (s[1], future)
        if s[1] == "get":
            me.holder = task
        return True

    def ready(self, task):
        me = self.actor
        if task.wait[0] == "until":
            return getattr(me, task.wait[1]) > task.wait[2]
        return task.wait[1] in me.answers

    # -- tasks

    def go(self, task):
        """Run a task until it ends or waits."""
        me = self.actor
        while task.rest:
            s, task.rest = task.rest[0], task.rest[1:]
            if self.step(s, task):
                if task not in me.tasks:
                    me.tasks.append(task)
                return
        if task in me.tasks:
            me.tasks.remove(task)
        if me.stopping:
            self.stop()

    def resume(self, task):
        me = self.actor
        if me.holder is task:
            me.holder = None
        me.tasks.remove(task)   # if it waits again, it is the last to wait
        task.wait = None
        self.go(task)

    def stop(self):
        """Watchers are told; requests that nobody will answer get NULL."""
        me = self.actor
        me.stopping, me.stopped = False, True
        for w in me.watchers:
            self.post("plain", "gone", w.sender, w.v, w.hops, w.ref)
        for m in me.owed:
            self.reply(m, None)
        me.tasks, me.holder, me.timers = [], None, []
        me.deferred, me.held, me.watchers, me.owed = [], [], [], []

    # -- receiving

    def row(self, m):
        me = self.actor
        return self.world.program["classes"][me.cls][me.behaviour][m.name]

    def handle(self, m):
        policy, body = self.row(m)
        if policy == "on":
            self.go(Task(body, m))
        elif policy == "defer":
            self.actor.deferred.append(m)

    def settle(self):
        """What a receive makes possible, until nothing moves."""
        me = self.actor
        while not me.stopped and not me.holder:
            if not self.take_deferred() and not self.take_ready() and \
                    not self.take_held():
                return

    def take_deferred(self):
        me = self.actor
        for m in me.deferred:
            if self.row(m)[0] != "defer":
                me.deferred.remove(m)
                self.handle(m)
                return True
        return False

    def take_ready(self):
        me = self.actor
        for kind in (("await",), ("until",)):
            for t in me.tasks:
                if t.wait[0] in kind and self.ready(t):
                    self.resume(t)
                    return True
        return False

    def take_held(self):
        me = self.actor
        if not me.held:
            return False
        self.handle(me.held.pop(0))
        return True

    def absorb(self, m):
        """A stopped actor."""
        if m.kind == "watch":
            self.post("plain", "gone", m.sender, m.v, m.hops, m.ref)
        elif m.asks is not None and m.kind == "plain":
            self.reply(m, None)

    def arrive(self, m):
        """A message that the actor was sent, or its own timer brings."""
        me = self.actor
        if me.stopped:
            self.absorb(m)
        elif m.kind == "watch":
            me.watchers.append(m)
        elif m.kind == "reply":
            self.answer(m.asks, m.v)
        else:
            if m.asks is not None:
                me.owed.append(m)
            if me.holder:
                me.held.append(m)
            else:
                self.handle(m)
        self.settle()

    def answer(self, future, value):
        """The reply of an ask, or its limit: the first one counts."""
        me = self.actor
        if future not in me.open:
            return
        me.open.discard(future)
        me.timers = [t for t in me.timers if t.asks != future]
        me.answers[future] = value
        if me.holder and me.holder.wait[1] == future:
            self.resume(me.holder)

    def count(self, t):
        """Timers of one kind: the same message to the same actor (here: to
        itself), or limits of the same request to it."""
        counts = self.actor.counts
        kind = t.msg[0] if t.asks is None else ("q", self.actor.asked[t.asks])
        counts[kind] = max(counts.get(kind, 0), t.before + 1)

    def fire(self, t):
        me = self.actor
        now, i = len(me.history), me.timers.index(t)
        rivals = tuple((other, len(other.ticks), k < i)
                       for k, other in enumerate(me.timers) if k != i)
        me.fired += ((now, t, len(t.ticks), rivals),)
        me.timers.remove(t)
        self.count(t)
        if t.every:
            me.timers.append(t.again(now))
        if t.every and any(m.id == t.id for m in me.deferred + me.held):
            self.settle()   # one waits: this one is left out
        elif t.asks is not None:
            self.answer(t.asks, None)
            self.settle()
        else:
            name, v, hops, ref = t.msg
            self.arrive(Message(t.id, "plain", name, me.name, me.name, v, hops,
                                ref, None, me.known))


class World:
    def __init__(self, program, model):
        self.program, self.model = program, model
        self.actors = {"env": Actor("env", None, 0, None, None)}
        self.flying = []
        self.part = 0

    def clone(self):
        new = object.__new__(World)
        new.program, new.model, new.part = self.program, self.model, self.part
        new.actors = {n: a.clone() for n, a in self.actors.items()}
        new.flying = list(self.flying)
        return new

    def body(self, picks):
        env, run = self.actors["env"], Run(self, picks)
        run.begin(env, ("body", self.part))
        if self.part == 0:
            for i, (cls, x) in enumerate(self.program["actors"]):
                name = ("env", i)
                child = Actor(name, cls, x, ("env", i - 1) if i else None,
                              ("env", 0) if i else None)
                self.actors[name] = child
        for to, m, v, other, hops, look in self.program["parts"][self.part]:
            seen = look and self.actors["env", look[0]]
            if look and (seen.stopped or getattr(seen, look[1]) != look[2]):
                continue
            run.post("plain", m, ("env", to), v, hops, ("env", other))
        run.finish()
        self.part += 1

    def may_come(self, k):
        m = self.flying[k]
        for j, n in enumerate(self.flying):
            if j == k or n.to != m.to:
                continue
            if self.model == "pair" and j < k and n.sender == m.sender:
                return False
            if self.model == "mailbox" and j < k:
                return False
            if self.model == "causal" and n.id in m.past:
                return False
        return True

    def choices(self):
        out = [("msg", k) for k in range(len(self.flying)) if self.may_come(k)]
        for name, a in self.actors.items():
            out += [("timer", name, t) for t in next_timers(a)]
        if self.part < len(self.program["parts"]) and not self.flying and \
                not self.owes():
            out.append(("body",))   # it does not wait for timers of every()
        return out

    def rest(self):
        return [t for a in self.actors.values() for t in a.timers]

    def owes(self):
        """drain waits for timers that fire once, also for those that rest."""
        return any(not t.every for t in self.rest())

    def take(self, choice, picks):
        if choice[0] == "body":
            return self.body(picks)
        run = Run(self, picks)
        if choice[0] == "timer":
            a = self.actors[choice[1]]
            run.begin(a, ("timer", choice[2].id))
            run.fire(next(t for t in a.timers if t.id == choice[2].id))
        else:
            m = self.flying.pop(choice[1])
            a = self.actors[m.to]
            if a.cls is None:    # the body has no rows
                raise TooLarge
            a.known |= m.past | {m.id}
            run.begin(a, ("msg", m.id))
            run.arrive(m)
        run.finish()

    def key(self):
        """Actors' histories say everything, but for the order of queues."""
        k = tuple(sorted(((repr(n), a.history)
                          for n, a in self.actors.items()), key=lambda p: p[0]))
        if self.model != "mailbox":
            return k
        return k, tuple(sorted((repr(m.to), i, m.id) for i, m in self.ranks()))

    def ranks(self):
        count = {}
        for m in self.flying:
            count[m.to] = count.get(m.to, 0) + 1
            yield count[m.to], m

    def ends(self):
        """What a report calls it when nothing is left to receive: one kind per
        execution, the first of END_KINDS that there is.  Where timers rest one
        more tick might help some of those who wait: any of their kinds is told,
        or none."""
        kinds = set()
        for a in self.actors.values():
            for t in a.tasks:
                kinds.add("deadlock" if t.wait[0] == "until"
                          else "unanswered-ask")
            if a.deferred:
                kinds.add("deferred-for-ever")
        if self.rest():
            return [], kinds
        return [k for k in END_KINDS if k in kinds][:1], set()


def each_outcome(world, choice):
    """The worlds after a choice, one for each list of answers to choose()."""
    todo = [()]
    while todo:
        picks = todo.pop()
        after = world.clone()
        try:
            after.take(choice, picks)
        except NeedsPick as need:
            todo += [picks + (k,) for k in range(need.n)]
            continue
        yield after


def enumerate_all(program, model):
    """(schedules, classes, kinds of end, those that there may be besides)."""
    classes, kinds, perhaps, memo = set(), set(), set(), {}

    def walk(world):
        key = world.key()
        if key in memo:
            return memo[key]
        if len(memo) >= MOST_NODES:
            raise TooLarge
        choices = world.choices()
        total = 0 if choices else 1
        if not choices:
            classes.add(tuple(sorted(((repr(n), a.history)
                                      for n, a in world.actors.items()),
                                     key=lambda p: p[0])))
            surely, maybe = world.ends()
            kinds.update(surely)
            perhaps.update(maybe)
        for c in choices:
            for after in each_outcome(world, c):
                total += walk(after)
        memo[key] = total
        return total

    first = World(program, model)
    first.body(())
    return walk(first), len(classes), kinds, perhaps


# ---- comparing ----------------------------------------------------------------

END_KINDS = ("deadlock", "unanswered-ask", "deferred-for-ever")


def by_the_book(program, model):
    """What enumerate_all() says; None if the program is too large."""
    try:
        result = enumerate_all(program, model)
    except (TooLarge, RecursionError):
        return None
    return result if result[0] <= MOST_SCHEDULES else None


def explore(tool, path, folder, strategy, model, tests=()):
    """Results by test; without names, of all tests."""
    out = os.path.join(folder, f"{strategy}.json")
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run(
        [tool, "explore", path, *tests, "-q", "-k", "-j1", "--strategy=" + strategy,
         "--delivery=" + model, f"--schedules={MOST_SCHEDULES + 1}",
         f"--ticks={TICKS}",
         "--time=20s", "--json=" + out],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not os.path.exists(out):
        print(done.stdout[-2000:])
        return {}
    with open(out) as f:
        results = json.load(f)["tests"]
    return {r["test"]: r for r in results}


def differences(strategy, result, executions, kinds, perhaps):
    """executions None: not compared."""
    if not result or not result["complete"]:
        return [f"{strategy}: no complete result"]
    said = []
    if executions not in (None, result["executions"]):
        said.append(f"{strategy}: {result['executions']} executions, "
                    f"{executions} by the book")
    found = {b["kind"] for b in result["bugs"]} & set(END_KINDS)
    if not kinds <= found <= kinds | perhaps:
        said.append(f"{strategy}: ends {sorted(found)}, {sorted(kinds)} and "
                    f"perhaps {sorted(perhaps)} by the book")
    return said


def refuses(program, result):
    """A body goes on beside timers of every(): `optimal` may refuse."""
    beats = "'every'" in repr(program["classes"])
    return beats and len(program["parts"]) > 1 and result and \
        result["stopped_by"] == "refused"


def same_finals(whole, reduced):
    if whole and reduced and whole["finals_hash"] != reduced["finals_hash"]:
        return ["reduced: other final states than exhaustive"]
    return []


def compare_batch(tool, programs, folder):
    """(compared, skipped, different) of some programs, by seed."""
    path = os.path.join(folder, f"second_{min(programs)}.c")
    with open(path, "w") as f:
        f.write(PRELUDE)
        for seed, program in programs.items():
            f.write(Writer(program, seed).text())
    compared = skipped = different = 0
    for model in MODELS:
        whole, classes_of = (explore(tool, path, folder, s, model)
                             for s in ("exhaustive", "optimal"))
        refused = [f"t{seed}" for seed, program in programs.items()
                   if refuses(program, classes_of.get(f"t{seed}"))]
        reduced = explore(tool, path, folder, "reduced", model, refused) \
            if refused else {}
        for seed, program in programs.items():
            book = by_the_book(program, model)
            if book is None:
                skipped += 1
                continue
            schedules, classes, kinds, perhaps = book
            test = f"t{seed}"
            said = differences("exhaustive", whole.get(test), schedules, kinds,
                               perhaps)
            if test in refused:
                said += differences("reduced", reduced.get(test), None, kinds,
                                    perhaps)
                said += same_finals(whole.get(test), reduced.get(test))
            else:
                said += differences("optimal", classes_of.get(test), classes,
                                    kinds, perhaps)
            compared += 1
            different += bool(said)
            for s in said:
                print(f"DIFFER seed {seed} {model}: {s}", flush=True)
    return compared, skipped, different


def compare(tool, first, count):
    totals = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for start in range(first, first + count, BATCH):
            seeds = range(start, min(start + BATCH, first + count))
            programs = {s: Generator(s).program() for s in seeds}
            for i, n in enumerate(compare_batch(tool, programs, folder)):
                totals[i] += n
    print(f"{totals[0]} comparisons, {totals[1]} too large")
    return totals[0], totals[2]


def main(argv):
    sys.setrecursionlimit(100000)
    if len(argv) == 3 and argv[1] == "--show":
        seed = int(argv[2])
        print(PRELUDE + Writer(Generator(seed).program(), seed).text(), end="")
        return 0
    if len(argv) < 2:
        print(__doc__)
        return 2
    first = int(argv[2]) if len(argv) > 2 else 0
    count = int(argv[3]) if len(argv) > 3 else 100
    compared, different = compare(os.path.abspath(argv[1]), first, count)
    print(f"{compared - different} passed, {different} failed")
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
