/* SPDX-License-Identifier: Apache-2.0 */
/* troupe.h - typed actors for C17 and C++20.
 *
 * A class of actors is a plain struct, a message is a plain struct, a
 * behaviour is a constant table from messages to handlers.  A handler runs to
 * completion and touches only its own actor's state and its message; what it
 * wants of others it sends.  The same object code runs on threads in
 * production and under full control in tests.
 *
 * Every operation takes the context `ctx` that a handler, a test or a system
 * was given; troupe_short.h has short forms that take it from scope.
 * Functions that can fail return 0 or a negative TR_E code, and on error
 * nothing has happened.  Names that end in an underscore are what the macros
 * expand to: do not call them by hand.
 */
#ifndef TR_H
#define TR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR_VERSION_MAJOR 0
#define TR_VERSION_MINOR 1
#define TR_VERSION_PATCH 0
#define TR_VERSION "0.1.0"

#if defined __GNUC__
#define TR_API __attribute__((visibility("default")))
#else
#define TR_API
#endif

#ifdef __cplusplus
extern "C" {
#define TR_ZERO_ {}
#else
/* A wrong kind of reference is an error, as it is from GCC 14 on. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
/* So is text for a number, or a number for a pointer. */
#pragma GCC diagnostic error "-Wint-conversion"
#define TR_ZERO_
#endif

/* ---- the words ------------------------------------------------------- */

typedef struct tr_ctx tr_ctx;         /* what a handler may do; never stored */
typedef union tr_any *tr_ref;         /* any actor: copy, compare; NULL: nobody */
typedef union tr_fut_any *tr_future;  /* any future */
typedef uint64_t tr_timer;            /* 0 is no timer */
typedef uint64_t tr_time; /* a moment, in ms of the system's clock */
typedef struct tr_runtime tr_runtime; /* a running system of actors */

/* ---- constant data, read by compiler, managers and analyser alike ------ */

/* A message type.  Its address is its identity.
 *
 * A message is copied byte by byte into the mailbox.  One that owns memory
 * says so: with .copy, every send makes a deep copy (*to is a bytewise copy of
 * *from already, copy replaces what must not be shared) and the sender keeps
 * its own; with .drop alone, the send takes over what the payload owns.  .drop
 * frees what the message owns, once, after its handler or when it is lost. */
typedef struct tr_msg {
    const char *name TR_ZERO_;
    uint32_t size TR_ZERO_, align TR_ZERO_;
    const char *reply TR_ZERO_; /* name of a request's reply, else NULL */
    uint32_t reply_size TR_ZERO_;
    void (*copy)(void *to, const void *from)TR_ZERO_;
    void (*drop)(void *payload) TR_ZERO_;
} tr_msg;

/* One per message and source file, so that two structs of one name are told
 * apart at start. */
typedef struct tr_seen {
    const tr_msg *msg;
    size_t size;
    const char *file;
} tr_seen;

typedef void tr_fn(tr_ctx *, void *self, const void *msg);

typedef enum tr_policy {
    TR_RUN,     /* run the handler */
    TR_PUT_OFF, /* keep the message until a behaviour has another row for it */
    TR_DROP     /* take the message and do nothing */
} tr_policy;

typedef struct tr_handler {
    const tr_msg *msg;
    tr_policy policy;
    tr_fn *fn;
    const char *fn_name;
} tr_handler;

typedef struct tr_behaviour {
    const char *name;
    uint32_t n;
    const tr_handler *on;
} tr_behaviour;

/* A class.  init runs at spawn, after the state has its initial values; fini
 * runs when the actor stops or the system ends.  mailbox bounds how many
 * messages may wait (0: no bound). */
typedef struct tr_class {
    const char *name TR_ZERO_;
    uint32_t size TR_ZERO_, align TR_ZERO_;
    const tr_behaviour *start TR_ZERO_;
    void (*init)(tr_ctx *, void *self)TR_ZERO_;
    void (*fini)(tr_ctx *, void *self)TR_ZERO_;
    uint32_t mailbox TR_ZERO_;
} tr_class;

/* A behaviour in which no actor may rest for ever. */
typedef struct tr_hot {
    const tr_class *cls;
    const tr_behaviour *behaviour;
} tr_hot;

/* A TR_INIT or TR_FINI, so that one which no class names is told at load. */
typedef struct tr_hook {
    const tr_class *cls;
    void (*fn)(tr_ctx *, void *self);
    bool fini;
    const char *file;
    int line;
} tr_hook;

typedef struct tr_test {
    const char *name TR_ZERO_, *file TR_ZERO_;
    int line TR_ZERO_;
    void (*run)(tr_ctx *)TR_ZERO_;
    uint32_t timeout_ms TR_ZERO_;     /* of one run; 0: the runner's default */
    uint32_t max_steps TR_ZERO_;      /* receives in one run; 0: 10,000 */
    const char *tags TR_ZERO_;        /* words for --filter */
    const char *expect TR_ZERO_;      /* kind of bug the test must show */
    const char *explore TR_ZERO_;     /* delivery model to explore under */
    uint32_t max_schedules TR_ZERO_;  /* bound of that exploration */
    const char *of TR_ZERO_;          /* replays: test or system to start from */
    const char *delivery TR_ZERO_;    /* replays: delivery model */
    const char *schedule TR_ZERO_;    /* replays: "receiver message<sender; ..." */
    const char *params TR_ZERO_;      /* replays: "n=3 m=4" */
    const char *clock TR_ZERO_;       /* in exploration: "one" for all actors,
                                       * or each has its "own"; NULL: one */
    uint32_t ticks TR_ZERO_;          /* in logical time: how often a timer that
                                       * is set again and again fires; 0: 3 */
    bool strict TR_ZERO_;             /* replays: the schedule must fit */
    bool endless TR_ZERO_;            /* messages that go on for ever are no bug
                                       * by themselves */
} tr_test;

typedef struct tr_system {
    const char *name, *file;
    int line;
    void (*setup)(tr_ctx *);
} tr_system;

/* A predicate over the states of several actors and the messages in flight;
 * it holds at start and after every receive. */
typedef struct tr_invariant {
    const char *name, *file;
    int line;
    bool (*holds)(tr_ctx *);
} tr_invariant;

/* ---- errors and faults -------------------------------------------------- */

#define TR_ERRORS_(X)                                                          \
    X(TR_ENOMEM, -1, "out of memory")                                          \
    X(TR_EINVAL, -2, "invalid argument")                                       \
    X(TR_EFULL, -3, "mailbox is full")                                         \
    X(TR_ESTOPPED, -4, "the actor has stopped")                                \
    X(TR_ETIME, -5, "time limit passed")                                       \
    X(TR_ESYS, -6, "the operating system refused")                             \
    X(TR_ESHUTDOWN, -7, "the system is shutting down")                         \
    X(TR_EMISMATCH, -8, "one message name, two different structs")             \
    X(TR_ENOTFOUND, -9, "no such name")

enum {
#define TR_ERROR_(name, code, text) name = code,
    TR_ERRORS_(TR_ERROR_)
#undef TR_ERROR_
    TR_OK = 0
};

/* The text of an error code; never NULL. */
TR_API const char *tr_strerror(int error);

typedef enum tr_fault_kind {
    TR_FAULT_STOPPED,   /* a message to an actor that has stopped */
    TR_FAULT_NOBODY,    /* a message to NULL */
    TR_FAULT_UNHANDLED, /* a message without a row in the current behaviour */
    TR_FAULT_OVERFLOW,  /* a handler's send to a full mailbox */
    TR_FAULT_NOMEM,     /* a handler's send or spawn without memory */
    TR_FAULT_REPLY      /* a reply to what was no request, or a second reply */
} tr_fault_kind;

/* Handed to the fault hook; all of it is borrowed. */
typedef struct tr_fault {
    tr_fault_kind kind;
    const tr_msg *msg;
    const void *payload;
    tr_ref from, to;
    const tr_class *cls; /* of the receiver, NULL if unknown */
    const char *behaviour;
} tr_fault;

typedef enum tr_level { TR_ERROR, TR_WARN, TR_INFO, TR_DEBUG } tr_level;

typedef struct tr_stats {
    uint64_t spawned, stopped;                      /* actors */
    uint64_t received, sent, deferred, dead, unhandled; /* messages */
    uint64_t high_water; /* longest mailbox of any actor of the class */
} tr_stats;

/* ---- running a system ------------------------------------------------- */

/* Who chooses the next receive. */
typedef struct tr_manager tr_manager;
extern TR_API const tr_manager tr_threads; /* production: N threads */
extern TR_API const tr_manager tr_single;  /* one thread, oldest message first */
extern TR_API const tr_manager tr_random;  /* one thread, seeded choice */

/* All of it may be zero.  Hooks may be called from any of the runtime's
 * threads. */
typedef struct tr_config {
    const tr_manager *manager TR_ZERO_; /* NULL: tr_threads */
    uint32_t threads TR_ZERO_;          /* 0: one per core */
    uint64_t seed TR_ZERO_;             /* of tr_random and of choose() */
    uint32_t slice TR_ZERO_;            /* messages an actor runs in a row */
    const char *params TR_ZERO_;        /* "n=10 size=4" */
    void *user TR_ZERO_;                /* handed to the hooks below */
    void (*on_fault)(void *user, const tr_fault *)TR_ZERO_;
    void (*on_log)(void *user, tr_level, const char *text)TR_ZERO_;
    /* Called once per class when the system ends. */
    void (*on_stats)(void *user, const tr_class *, const tr_stats *)TR_ZERO_;
    /* All memory comes from here: p NULL allocates, size 0 frees. */
    void *(*alloc)(void *user, void *p, size_t size)TR_ZERO_;
    bool handle_signals TR_ZERO_; /* SIGINT and SIGTERM shut down */
} tr_config;

/* Start a system.  *out is the caller's, to be ended with tr_end(). */
TR_API int tr_start_(const tr_system *, const tr_config *, tr_runtime **out);
/* Block until nothing is left to deliver, or TR_ESHUTDOWN.  Timers that fire
 * again and again are something left. */
TR_API int tr_wait(tr_runtime *);
/* Ask a system to end: no handler starts after this.  Any thread, and from
 * signal handlers. */
TR_API void tr_shutdown(tr_runtime *);
/* Wait for handlers to finish, run fini of all actors, free everything. */
TR_API void tr_end(tr_runtime *);
/* tr_start_, tr_wait, tr_end. */
TR_API int tr_run_(const tr_system *, const tr_config *);

/* A context for a foreign thread, so that it can send, spawn and ask as an
 * actor can; NULL without memory.  One thread uses it at a time. */
TR_API tr_ctx *tr_enter(tr_runtime *);
TR_API void tr_leave(tr_ctx *);
/* A receptionist by the name it was exposed under, NULL if there is none; of
 * any class if that is NULL. */
TR_API tr_ref tr_receptionist_(tr_ctx *, const char *name, const tr_class *);
/* What a send from outside does when a mailbox is full: block (true) or return
 * TR_EFULL from tr_try_send (false, the default). */
TR_API void tr_block_when_full(tr_ctx *, bool block);
TR_API int tr_try_send_(tr_ctx *, tr_ref, const tr_msg *, const void *payload);

TR_API void tr_stats_of(tr_runtime *, const tr_class *, tr_stats *out);
/* Messages waiting for an actor now, and at most so far. */
TR_API int tr_mailbox_of(tr_runtime *, tr_ref, uint32_t *now, uint32_t *most);
TR_API void tr_log(tr_ctx *, tr_level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- primitives: all that a manager and the analyser must model --------- */

TR_API tr_ref tr_spawn_(tr_ctx *, const tr_class *, const void *state,
                        const char *label);
TR_API void tr_send_(tr_ctx *, tr_ref to, const tr_msg *, const void *payload);
/* within_ms 0: no time limit. */
TR_API tr_future tr_ask_(tr_ctx *, tr_ref to, const tr_msg *,
                         const void *payload, uint64_t within_ms);
TR_API void tr_reply_(tr_ctx *, const tr_msg *request, const void *payload,
                      size_t size);
/* Wait for a future: await gives the actor up meanwhile, so that its other
 * messages may run; get holds it.  The value is valid until the handler ends.
 * NULL: the time limit passed, or the asked actor stopped. */
TR_API const void *tr_await_(tr_ctx *, tr_future);
TR_API const void *tr_get_(tr_ctx *, tr_future);
/* Give the actor up until another handler of it has run. */
TR_API void tr_pause_(tr_ctx *);
TR_API tr_timer tr_after_(tr_ctx *, uint64_t ms, tr_ref to, const tr_msg *,
                          const void *payload);
/* Send this message every ms milliseconds (at least 1) until it is cancelled. */
TR_API tr_timer tr_every_(tr_ctx *, uint64_t ms, tr_ref to, const tr_msg *,
                          const void *payload);
TR_API void tr_cancel_(tr_ctx *, tr_timer);
/* The time since the system began.  It stands still while a handler runs, but
 * for sleeps and waits.  Logical in tests: only timers and sleeps move it. */
TR_API tr_time tr_now_(tr_ctx *);
TR_API void tr_become_(tr_ctx *, const tr_behaviour *);
TR_API void tr_stop_(tr_ctx *);
/* Send this message to the caller when the actor stops (at once if it has). */
TR_API void tr_watch_(tr_ctx *, tr_ref, const tr_msg *, const void *payload);
TR_API tr_ref tr_self_(tr_ctx *);
TR_API tr_ref tr_sender_(tr_ctx *);
TR_API void tr_expose_(tr_ctx *, tr_ref, const char *name);
/* A number below n: random in production, explored in tests. */
TR_API uint32_t tr_choose_(tr_ctx *, uint32_t n);
TR_API int64_t tr_param_(tr_ctx *, const char *name, int64_t otherwise);

/* Tests only.  drain runs until nothing is left to deliver, but for timers of
 * tr_every, which have made any number of ticks by then; deliver_one runs
 * one receive and tells whether there was one; peek is the state of a resting
 * actor. */
TR_API void tr_drain_(tr_ctx *);
TR_API bool tr_deliver_one_(tr_ctx *);
TR_API const void *tr_peek_(tr_ctx *, tr_ref, const tr_class *);
/* Invariants and tests: the next live actor of a class after `before` (NULL:
 * the first), the next message of a type in flight, likewise. */
TR_API const void *tr_each_(tr_ctx *, const tr_class *, const void *before);
TR_API const void *tr_flying_(tr_ctx *, const tr_msg *, const void *before);

#ifdef __cplusplus
}
namespace tr {
template <class T> struct box {
    T v;
    const T *p() const { return &v; }
};
template <class... M> struct list;
template <class M, class L> inline constexpr bool in = false;
template <class M, class... A>
inline constexpr bool in<M, list<M, A...> *> = true;
template <class M, class B, class... A>
inline constexpr bool in<M, list<B, A...> *> = in<M, list<A...> *>;
}
#if defined __GNUC__ && !defined __clang__
/* Fields left out of a message are zero; gcc takes that in C without a word. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define TR_CONST_ extern "C" inline __attribute__((visibility("default"))) const
#define TR_LIT_(T, ...) (tr::box<T>{{__VA_ARGS__}}.p())
#define TR_FN_(c, m, f)                                                        \
    reinterpret_cast<tr_fn *>(                                                 \
        static_cast<void (*)(tr_ctx *, struct c *, const struct m *)>(&f))
#define TR_SIG_(c, m, f) 0
#define TR_SAME_(T, p) (static_cast<T>(p))
#define TR_PAYLOAD_(T, p) (static_cast<const T *>(p))
#define TR_AS_(T, p) (static_cast<T>(p))
#define TR_TYPEOF_ decltype
#define TR_ALIGN_ alignof
#define TR_ASSERT_ static_assert
#define TR_EXTERN_ extern "C"
/* States and messages begin as zeros and are copied byte by byte: a container
 * lies behind a pointer, made in TR_INIT, deleted in TR_FINI or .drop. */
#define TR_PLAIN_(what, T, how)                                                \
    TR_ASSERT_(__is_trivially_copyable(struct T),                              \
               "the " what " " #T " is copied byte by byte: keep objects of "  \
               "C++ behind pointers, " how);
#define TR_DEF_ extern "C" const
/* A member whose type is the list of these messages, and whether the type of
 * such a member has m. */
#define TR_LIST_(c, ...)                                                       \
    tr::list<TR_EACH_(TR_LISTED_, c, __VA_ARGS__) void> *tr_list_;
#define TR_LISTED_(c, m) struct m,
#define TR_HAS_(p, m) (tr::in<struct m, decltype((p)->tr_list_)>)
#define TR_CLASS_HAS_(c, m) TR_HAS_((c##_ref)0, m)
#define TR_ACCEPTS_(p, said, m)                                                \
    sizeof(__extension__({                                                     \
        static_assert(TR_HAS_(p, m), said " does not accept " #m);             \
        0;                                                                     \
    }))
#else
#define TR_CONST_ __attribute__((weak, visibility("default"))) const
#define TR_LIT_(T, ...) (__extension__ & (T){__VA_ARGS__})
#define TR_FN_(c, m, f) (tr_fn *)(f)
#define TR_SIG_(c, m, f)                                                       \
    0 * sizeof(struct {                                                        \
        char ok;                                                               \
        _Static_assert(__builtin_types_compatible_p(                           \
                           __typeof__(&(f)),                                   \
                           void (*)(tr_ctx *, struct c *, const struct m *)),  \
                       #f " is not a TR_HANDLER(" #c ", " #m ")");                \
    })
#define TR_SAME_(T, p) _Generic((p), T : (p))
#define TR_PAYLOAD_(T, p) _Generic((p), const T * : (p), T * : (p))
#define TR_AS_(T, p) (*TR_LIT_(T, p)) /* p, if it converts to T by itself */
#define TR_TYPEOF_ __typeof__
#define TR_ALIGN_ _Alignof
#define TR_ASSERT_ _Static_assert
#define TR_EXTERN_ extern
#define TR_PLAIN_(what, T, how)
#define TR_DEF_ const
/* A member whose type lists these messages, filled up to 40, and whether such a
 * list has m. */
#define TR_LIST_(c, ...)                                                       \
    struct c##_accepts_ {                                                      \
        TR_LIST40_(__VA_ARGS__,                                                \
                   tr_none1_, tr_none2_, tr_none3_, tr_none4_, tr_none5_,      \
                   tr_none6_, tr_none7_, tr_none8_, tr_none9_, tr_none10_,     \
                   tr_none11_, tr_none12_, tr_none13_, tr_none14_,             \
                   tr_none15_, tr_none16_, tr_none17_, tr_none18_,             \
                   tr_none19_, tr_none20_, tr_none21_, tr_none22_,             \
                   tr_none23_, tr_none24_, tr_none25_, tr_none26_,             \
                   tr_none27_, tr_none28_, tr_none29_, tr_none30_,             \
                   tr_none31_, tr_none32_, tr_none33_, tr_none34_,             \
                   tr_none35_, tr_none36_, tr_none37_, tr_none38_,             \
                   tr_none39_, tr_none40_, )                                   \
    } *tr_list_;
#define TR_LIST40_(                                                            \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16,     \
    a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30,      \
    a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, ...)                     \
    const struct a1 *tr_1; const struct a2 *tr_2; const struct a3 *tr_3;       \
    const struct a4 *tr_4; const struct a5 *tr_5; const struct a6 *tr_6;       \
    const struct a7 *tr_7; const struct a8 *tr_8; const struct a9 *tr_9;       \
    const struct a10 *tr_10; const struct a11 *tr_11;                          \
    const struct a12 *tr_12; const struct a13 *tr_13;                          \
    const struct a14 *tr_14; const struct a15 *tr_15;                          \
    const struct a16 *tr_16; const struct a17 *tr_17;                          \
    const struct a18 *tr_18; const struct a19 *tr_19;                          \
    const struct a20 *tr_20; const struct a21 *tr_21;                          \
    const struct a22 *tr_22; const struct a23 *tr_23;                          \
    const struct a24 *tr_24; const struct a25 *tr_25;                          \
    const struct a26 *tr_26; const struct a27 *tr_27;                          \
    const struct a28 *tr_28; const struct a29 *tr_29;                          \
    const struct a30 *tr_30; const struct a31 *tr_31;                          \
    const struct a32 *tr_32; const struct a33 *tr_33;                          \
    const struct a34 *tr_34; const struct a35 *tr_35;                          \
    const struct a36 *tr_36; const struct a37 *tr_37;                          \
    const struct a38 *tr_38; const struct a39 *tr_39;                          \
    const struct a40 *tr_40;
#define TR_HAS_(l, m)                                                          \
    _Generic((const struct m *)0,                                              \
             TR_IS_(l,tr_1) TR_IS_(l,tr_2) TR_IS_(l,tr_3) TR_IS_(l,tr_4)       \
             TR_IS_(l,tr_5) TR_IS_(l,tr_6) TR_IS_(l,tr_7) TR_IS_(l,tr_8)       \
             TR_IS_(l,tr_9) TR_IS_(l,tr_10) TR_IS_(l,tr_11) TR_IS_(l,tr_12)    \
             TR_IS_(l,tr_13) TR_IS_(l,tr_14) TR_IS_(l,tr_15) TR_IS_(l,tr_16)   \
             TR_IS_(l,tr_17) TR_IS_(l,tr_18) TR_IS_(l,tr_19) TR_IS_(l,tr_20)   \
             TR_IS_(l,tr_21) TR_IS_(l,tr_22) TR_IS_(l,tr_23) TR_IS_(l,tr_24)   \
             TR_IS_(l,tr_25) TR_IS_(l,tr_26) TR_IS_(l,tr_27) TR_IS_(l,tr_28)   \
             TR_IS_(l,tr_29) TR_IS_(l,tr_30) TR_IS_(l,tr_31) TR_IS_(l,tr_32)   \
             TR_IS_(l,tr_33) TR_IS_(l,tr_34) TR_IS_(l,tr_35) TR_IS_(l,tr_36)   \
             TR_IS_(l,tr_37) TR_IS_(l,tr_38) TR_IS_(l,tr_39) TR_IS_(l,tr_40)   \
             default : 0)
#define TR_CLASS_HAS_(c, m) TR_HAS_((struct c##_accepts_ *)0, m)
#define TR_IS_(l, k) __typeof__((l)->k) : 1,
#define TR_ACCEPTS_(p, said, m)                                                \
    sizeof(__extension__({                                                     \
        __typeof__((p)->tr_list_) TR_UNUSED_ tr_l_;                            \
        _Static_assert(TR_HAS_(tr_l_, m), said " does not accept " #m);        \
        0;                                                                     \
    }))
#endif

/* Registers a pointer, never the object: gcc aligns objects to 32 and would
 * leave holes in the section. */
#define TR_IN_(sec, T, v)                                                      \
    __attribute__((used, retain, section(#sec))) static const T                \
        *const tr_at_##v = &v
#define TR_UNUSED_ __attribute__((unused))
#define TR_CAT_(a, b) TR_CAT1_(a, b)
#define TR_CAT1_(a, b) a##b
/* TR_EACH_(m, c, a, b, ...) is m(c, a) m(c, b) ..., for up to 40.  Of more the
 * compiler says that tr_at_most_40_messages_or_rows is not declared. */
#define TR_NTH_(                                                               \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,          \
    a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29,      \
    a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43,      \
    a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57,      \
    a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71,      \
    a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, n, ...) n
#define TR_EACH_(m, c, ...)                                                    \
    TR_CAT_(TR_E, TR_NTH_(__VA_ARGS__,                                         \
    41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41,    \
    41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41,    \
    41, 41, 41, 41, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28,    \
    27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,    \
    9, 8, 7, 6, 5, 4, 3, 2, 1, 0))                                             \
    (m, c, __VA_ARGS__)
#define TR_E41(m, c, ...) tr_at_most_40_messages_or_rows
/* 1 for one argument, 2 for more. */
#define TR_FEW_(...)                                                           \
    TR_NTH_(__VA_ARGS__,                                                       \
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,    \
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,    \
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,    \
    2, 2, 2, 2, 2, 2, 2, 2, 1, 0)
#define TR_E1(m, c, x) m(c, x)
#define TR_E2(m, c, x, ...) m(c, x) TR_E1(m, c, __VA_ARGS__)
#define TR_E3(m, c, x, ...) m(c, x) TR_E2(m, c, __VA_ARGS__)
#define TR_E4(m, c, x, ...) m(c, x) TR_E3(m, c, __VA_ARGS__)
#define TR_E5(m, c, x, ...) m(c, x) TR_E4(m, c, __VA_ARGS__)
#define TR_E6(m, c, x, ...) m(c, x) TR_E5(m, c, __VA_ARGS__)
#define TR_E7(m, c, x, ...) m(c, x) TR_E6(m, c, __VA_ARGS__)
#define TR_E8(m, c, x, ...) m(c, x) TR_E7(m, c, __VA_ARGS__)
#define TR_E9(m, c, x, ...) m(c, x) TR_E8(m, c, __VA_ARGS__)
#define TR_E10(m, c, x, ...) m(c, x) TR_E9(m, c, __VA_ARGS__)
#define TR_E11(m, c, x, ...) m(c, x) TR_E10(m, c, __VA_ARGS__)
#define TR_E12(m, c, x, ...) m(c, x) TR_E11(m, c, __VA_ARGS__)
#define TR_E13(m, c, x, ...) m(c, x) TR_E12(m, c, __VA_ARGS__)
#define TR_E14(m, c, x, ...) m(c, x) TR_E13(m, c, __VA_ARGS__)
#define TR_E15(m, c, x, ...) m(c, x) TR_E14(m, c, __VA_ARGS__)
#define TR_E16(m, c, x, ...) m(c, x) TR_E15(m, c, __VA_ARGS__)
#define TR_E17(m, c, x, ...) m(c, x) TR_E16(m, c, __VA_ARGS__)
#define TR_E18(m, c, x, ...) m(c, x) TR_E17(m, c, __VA_ARGS__)
#define TR_E19(m, c, x, ...) m(c, x) TR_E18(m, c, __VA_ARGS__)
#define TR_E20(m, c, x, ...) m(c, x) TR_E19(m, c, __VA_ARGS__)
#define TR_E21(m, c, x, ...) m(c, x) TR_E20(m, c, __VA_ARGS__)
#define TR_E22(m, c, x, ...) m(c, x) TR_E21(m, c, __VA_ARGS__)
#define TR_E23(m, c, x, ...) m(c, x) TR_E22(m, c, __VA_ARGS__)
#define TR_E24(m, c, x, ...) m(c, x) TR_E23(m, c, __VA_ARGS__)
#define TR_E25(m, c, x, ...) m(c, x) TR_E24(m, c, __VA_ARGS__)
#define TR_E26(m, c, x, ...) m(c, x) TR_E25(m, c, __VA_ARGS__)
#define TR_E27(m, c, x, ...) m(c, x) TR_E26(m, c, __VA_ARGS__)
#define TR_E28(m, c, x, ...) m(c, x) TR_E27(m, c, __VA_ARGS__)
#define TR_E29(m, c, x, ...) m(c, x) TR_E28(m, c, __VA_ARGS__)
#define TR_E30(m, c, x, ...) m(c, x) TR_E29(m, c, __VA_ARGS__)
#define TR_E31(m, c, x, ...) m(c, x) TR_E30(m, c, __VA_ARGS__)
#define TR_E32(m, c, x, ...) m(c, x) TR_E31(m, c, __VA_ARGS__)
#define TR_E33(m, c, x, ...) m(c, x) TR_E32(m, c, __VA_ARGS__)
#define TR_E34(m, c, x, ...) m(c, x) TR_E33(m, c, __VA_ARGS__)
#define TR_E35(m, c, x, ...) m(c, x) TR_E34(m, c, __VA_ARGS__)
#define TR_E36(m, c, x, ...) m(c, x) TR_E35(m, c, __VA_ARGS__)
#define TR_E37(m, c, x, ...) m(c, x) TR_E36(m, c, __VA_ARGS__)
#define TR_E38(m, c, x, ...) m(c, x) TR_E37(m, c, __VA_ARGS__)
#define TR_E39(m, c, x, ...) m(c, x) TR_E38(m, c, __VA_ARGS__)
#define TR_E40(m, c, x, ...) m(c, x) TR_E39(m, c, __VA_ARGS__)

/* ---- declarations ------------------------------------------------------ */

/* struct m {...}; TR_MESSAGE(m);  or  TR_MESSAGE(m, .copy = f, .drop = g); */
#define TR_MESSAGE(...) TR_MESSAGE_(__VA_ARGS__, )
/* A message without fields. */
#define TR_SIGNAL(m)                                                           \
    struct m {                                                                 \
        char none;                                                             \
    };                                                                         \
    TR_MESSAGE(m)
/* A message that is answered with a struct r (declared before). */
#define TR_REQUEST(...) TR_REQUEST_(__VA_ARGS__, )
#define TR_REQUEST_(m, r, ...)                                                 \
    TR_ASSERT_(TR_ALIGN_(struct r) <= 16,                                      \
               "what answers a request is aligned to 16 at most: struct " #r); \
    typedef struct r tr_reply_##m;                                             \
    union tr_future_##m {                                                      \
        const struct r *value;                                                 \
    };                                                                         \
    TR_MESSAGE_(m, .reply = #r, .reply_size = sizeof(struct r), __VA_ARGS__)
#define TR_FUTURE(m) union tr_future_##m *
/* 1 if m is ref, else 0. */
#define TR_IS_REF_(m) TR_SECOND1_(TR_PROBE_##m, 0, )
#define TR_PROBE_ref 0, 1
#define TR_SECOND1_(...) TR_SECOND_(__VA_ARGS__)
#define TR_SECOND_(a, b, ...) b
#define TR_MESSAGE_(m, ...)                                                    \
    TR_ASSERT_(!TR_IS_REF_(m), "a message cannot be called ref: CLASS_ref is "  \
                               "the type of references to a class");           \
    TR_PLAIN_("message", m, "deleted in .drop")                                \
    TR_CONST_ tr_msg tr_msg_##m = {.name = #m,                                 \
                                   .size = sizeof(struct m),                   \
                                   .align = TR_ALIGN_(struct m),               \
                                   __VA_ARGS__};                               \
    static const tr_seen tr_seen_##m = {&tr_msg_##m, sizeof(struct m),         \
                                        __FILE__};                             \
    TR_IN_(tr_msgs, tr_seen, tr_seen_##m)

/* What actors of a class accept.  Makes the reference type c_ref. */
#define TR_PROTOCOL(c, ...)                                                    \
    struct c;                                                                  \
    TR_EXTERN_ const tr_class c##_class;                                       \
    union c##_protocol {                                                       \
        tr_ref any;                                                            \
        TR_EACH_(TR_ACCEPT_, c, __VA_ARGS__)                                   \
        TR_LIST_(c, __VA_ARGS__)                                               \
    };                                                                         \
    typedef union c##_protocol *c##_ref
#define TR_ACCEPT_(c, m) const struct m *accepts_##m;

/* A class whose actors have no fields: TR_STATELESS(echo); */
#define TR_STATELESS(c)                                                        \
    struct c {                                                                 \
        char none;                                                             \
    }
/* TR_HANDLER(client, deposit) { ... } with ctx, self and msg in scope. */
#define TR_HANDLER(c, m) TR_HANDLER_AS(c##_##m, c, m)
#define TR_HANDLER_AS(f, c, m)                                                 \
    static void f(TR_UNUSED_ tr_ctx *ctx, TR_UNUSED_ struct c *self,           \
                  TR_UNUSED_ const struct m *msg)
/* TR_INIT(client) { ... } and TR_FINI: hooks for TR_CLASS. */
#define TR_INIT(c)                                                             \
    static void c##_init(TR_UNUSED_ tr_ctx *ctx, struct c *self);              \
    static void c##_init_(tr_ctx *ctx, void *self)                             \
    {                                                                          \
        c##_init(ctx, (struct c *)self);                                       \
    }                                                                          \
    TR_HOOK_(c, init, false);                                                  \
    static void c##_init(TR_UNUSED_ tr_ctx *ctx, TR_UNUSED_ struct c *self)
#define TR_FINI(c)                                                             \
    static void c##_fini(TR_UNUSED_ tr_ctx *ctx, struct c *self);              \
    static void c##_fini_(tr_ctx *ctx, void *self)                             \
    {                                                                          \
        c##_fini(ctx, (struct c *)self);                                       \
    }                                                                          \
    TR_HOOK_(c, fini, true);                                                   \
    static void c##_fini(TR_UNUSED_ tr_ctx *ctx, TR_UNUSED_ struct c *self)
#define TR_HOOK_(c, hook, at_end)                                              \
    static const tr_hook tr_hook_##c##_##hook = {&c##_class, c##_##hook##_,    \
                                                 at_end, __FILE__, __LINE__};  \
    TR_IN_(tr_hooks, tr_hook, tr_hook_##c##_##hook)

/* Names of behaviours, ahead of the handlers that become them. */
#define TR_STATES(c, ...) TR_EACH_(TR_STATE_, c, __VA_ARGS__) struct c
#define TR_STATE_(c, b) TR_EXTERN_ const tr_behaviour c##_##b;
/* TR_BEHAVIOUR(client, open, TR_ON(deposit), TR_DEFER(close)); without rows it
 * takes no message. */
#define TR_BEHAVIOUR(c, ...)                                                   \
    TR_CAT_(TR_BEHAVIOUR, TR_FEW_(__VA_ARGS__))(c, __VA_ARGS__)
#define TR_BEHAVIOUR1(c, b)                                                    \
    TR_DEF_ tr_behaviour c##_##b = {#b, 0, NULL}
#define TR_BEHAVIOUR2(c, b, ...)                                               \
    struct c##_##b##_has_one_row_for {                                         \
        TR_EACH_(TR_ROW_NAME_, c, __VA_ARGS__)                                 \
    };                                                                         \
    TR_EACH_(TR_ROW_ACCEPT_, c, __VA_ARGS__)                                   \
    static const tr_handler c##_##b##_on[] = {                                 \
        TR_EACH_(TR_ROW_, c, __VA_ARGS__)};                                    \
    TR_DEF_ tr_behaviour c##_##b = {                                           \
        #b, sizeof c##_##b##_on / sizeof *c##_##b##_on, c##_##b##_on}
/* Rows: run f, or the handler of this class for m, */
#define TR_ON(...) TR_CAT_(TR_ON, TR_FEW_(__VA_ARGS__))(__VA_ARGS__)
#define TR_ON1(m) (TR_ON_OWN_, m, )
#define TR_ON2(m, f) (TR_ON_, m, f)
#define TR_DEFER(m) (TR_DEFER_, m, )   /* keep m for a later behaviour, */
#define TR_IGNORE(m) (TR_IGNORE_, m, ) /* drop m; no row at all is a fault */
#define TR_ROW_(c, t) TR_ROW1_(c, TR_UNPACK_ t)
#define TR_UNPACK_(...) __VA_ARGS__
#define TR_ROW1_(...) TR_ROW2_(__VA_ARGS__)
#define TR_ROW2_(c, row, m, f) row(c, m, f)
#define TR_ROW_ACCEPT_(c, t) TR_ROW_ACCEPT1_(c, TR_UNPACK_ t)
#define TR_ROW_ACCEPT1_(...) TR_ROW_ACCEPT2_(__VA_ARGS__)
#define TR_ROW_ACCEPT2_(c, row, m, f)                                          \
    TR_ASSERT_(TR_CLASS_HAS_(c, m), #c " does not accept " #m);
#define TR_ROW_NAME_(c, t) TR_ROW_NAME1_(TR_UNPACK_ t)
#define TR_ROW_NAME1_(...) TR_ROW_NAME2_(__VA_ARGS__)
#define TR_ROW_NAME2_(row, m, f) char m;
#define TR_ON_OWN_(c, m, f) TR_ON_(c, m, c##_##m)
#define TR_ON_(c, m, f)                                                        \
    {tr_known_((c##_ref)0, m) + TR_SIG_(c, m, f), TR_RUN, TR_FN_(c, m, f),  \
     #f},
#define TR_DEFER_(c, m, f)                                                     \
    {tr_known_((c##_ref)0, m), TR_PUT_OFF, NULL, NULL},
#define TR_IGNORE_(c, m, f) {tr_known_((c##_ref)0, m), TR_DROP, NULL, NULL},

/* TR_CLASS(client, .start = &client_open, .init = client_init_); */
#define TR_CLASS(c, ...)                                                       \
    TR_PLAIN_("state", c, "made in TR_INIT, deleted in TR_FINI")               \
    TR_DEF_ tr_class c##_class = {.name = #c,                                  \
                                  .size = sizeof(struct c),                    \
                                  .align = TR_ALIGN_(struct c),                \
                                  __VA_ARGS__};                                \
    TR_IN_(tr_classes, tr_class, c##_class)
/* An actor that rests in b with nothing left to deliver is deadlocked. */
#define TR_HOT(c, b)                                                           \
    static const tr_hot tr_hot_##c##_##b = {&c##_class, &c##_##b};             \
    TR_IN_(tr_hots, tr_hot, tr_hot_##c##_##b)

/* TR_TEST(name, .timeout_ms = 500) { ... }: the body is the environment. */
#define TR_TEST(...) TR_TEST_(__VA_ARGS__, )
#define TR_TEST_(t, ...)                                                       \
    static void t##_test_(tr_ctx *);                                           \
    static const tr_test tr_test_##t = {.name = #t,                            \
                                        .file = __FILE__,                      \
                                        .line = __LINE__,                      \
                                        .run = t##_test_,                      \
                                        __VA_ARGS__};                          \
    TR_IN_(tr_tests, tr_test, tr_test_##t);                                    \
    static void t##_test_(TR_UNUSED_ tr_ctx *ctx)
/* A kept case: start from test or system `what`, run this body, and follow the
 * schedule.  The body may be empty. */
#define TR_REPLAY(t, what, model, ...)                                         \
    TR_TEST(t, .of = what, .delivery = model, .schedule = __VA_ARGS__)
/* A start configuration with its receptionists. */
#define TR_SYSTEM(s)                                                           \
    static void s##_system_(tr_ctx *);                                         \
    static const tr_system tr_system_##s = {#s, __FILE__, __LINE__,            \
                                            s##_system_};                      \
    TR_IN_(tr_systems, tr_system, tr_system_##s);                              \
    static void s##_system_(TR_UNUSED_ tr_ctx *ctx)
/* TR_INVARIANT(one_leader) { ... return leaders <= 1; } */
#define TR_INVARIANT(i)                                                        \
    static bool i##_invariant_(tr_ctx *);                                      \
    static const tr_invariant tr_invariant_##i = {#i, __FILE__, __LINE__,      \
                                                  i##_invariant_};             \
    TR_IN_(tr_invariants, tr_invariant, tr_invariant_##i);                     \
    static bool i##_invariant_(TR_UNUSED_ tr_ctx *ctx)

/* ---- operations -------------------------------------------------------- */

#define tr_known_(r, m) (&tr_msg_##m + 0 * sizeof((r)->accepts_##m))
#define tr_accepted_(r, m)                                                     \
    (0 * TR_ACCEPTS_(r, #r, m) + tr_known_(r, m))
/* Send message m with these fields: tr_send(ctx, ref, deposit, .amount = 5) */
#define tr_send(x, r, ...) TR_SEND_(x, r, __VA_ARGS__, )
#define TR_SEND_(x, r, m, ...)                                                 \
    tr_send_(x, (tr_ref)(r), tr_accepted_(r, m), TR_LIT_(struct m, __VA_ARGS__))
/* The same through a tr_ref: nobody checks that the class accepts m. */
#define tr_send_any(x, r, ...) TR_SENDANY_(x, r, __VA_ARGS__, )
#define TR_SENDANY_(x, r, m, ...)                                              \
    tr_send_(x, r, &tr_msg_##m, TR_LIT_(struct m, __VA_ARGS__))
/* From outside actors: 0, TR_EFULL, TR_ESTOPPED or TR_ENOMEM. */
#define tr_try_send(x, r, ...) TR_TRYSEND_(x, r, __VA_ARGS__, )
#define TR_TRYSEND_(x, r, m, ...)                                              \
    tr_try_send_(x, (tr_ref)(r), tr_accepted_(r, m),                           \
                 TR_LIT_(struct m, __VA_ARGS__))
/* Send a copy of *p, a struct m that was filled before. */
#define tr_send_from(x, r, m, p)                                               \
    tr_send_(x, (tr_ref)(r), tr_accepted_(r, m), TR_PAYLOAD_(struct m, p))
/* Send on the message p just received. */
#define tr_forward(x, r, m, p) tr_send_from(x, r, m, p)
/* Send m in ms milliseconds; the timer can be cancelled until then. */
#define tr_after(x, ms, r, ...) TR_AFTER_(x, ms, r, __VA_ARGS__, )
#define TR_AFTER_(x, ms, r, m, ...)                                            \
    tr_after_(x, ms, (tr_ref)(r), tr_accepted_(r, m),                          \
              TR_LIT_(struct m, __VA_ARGS__))
/* Send m every ms milliseconds until the timer is cancelled. */
#define tr_every(x, ms, r, ...) TR_EVERY_(x, ms, r, __VA_ARGS__, )
#define TR_EVERY_(x, ms, r, m, ...)                                            \
    tr_every_(x, ms, (tr_ref)(r), tr_accepted_(r, m),                          \
              TR_LIT_(struct m, __VA_ARGS__))
/* 0, a timer that has fired and one that is cancelled are left alone. */
#define tr_cancel(x, t) tr_cancel_(x, t)
/* Milliseconds since the system began. */
#define tr_now(x) tr_now_(x)
/* The actor ends when this handler does; messages to it are lost then. */
#define tr_stop(x) tr_stop_(x)
/* Who sent the message that is handled; NULL if it came from outside. */
#define tr_sender(x) tr_sender_(x)
/* A number below n: random in production, each of them in tests. */
#define tr_choose(x, n) tr_choose_(x, n)
/* The number that was given as name=..., or the last argument. */
#define tr_param(x, name, otherwise) tr_param_(x, name, otherwise)
/* In tests: run until nothing is left to deliver; run one receive. */
#define tr_drain(x) tr_drain_(x)
#define tr_deliver_one(x) tr_deliver_one_(x)
/* tr_watch(ctx, ref, client, gone, .who = 3): a client wants gone. */
#define tr_watch(x, r, c, ...) TR_WATCH_(x, r, c, __VA_ARGS__, )
#define TR_WATCH_(x, r, c, m, ...)                                             \
    tr_watch_(x, (tr_ref)(r),                                                  \
              0 * TR_ACCEPTS_((c##_ref)0, #c, m) +                             \
                  tr_known_((c##_ref)0, m),                                    \
              TR_LIT_(struct m, __VA_ARGS__))
/* Create an actor with these initial fields. */
#define tr_spawn(x, ...) TR_SPAWN_(x, NULL, __VA_ARGS__, )
/* The same with a name for reports. */
#define tr_spawn_named(x, label, ...) TR_SPAWN_(x, label, __VA_ARGS__, )
#define TR_SPAWN_(x, label, c, ...)                                            \
    ((c##_ref)tr_spawn_(x, &c##_class, TR_LIT_(struct c, __VA_ARGS__), label))
/* Create an actor whose state starts as a copy of *p, a struct c: for states
 * that are filled in a loop. */
#define tr_spawn_from(x, c, p)                                                 \
    ((c##_ref)tr_spawn_(x, &c##_class, TR_AS_(const struct c *, p), NULL))
/* Send a request; the answer comes into the future.  With a time limit it is
 * NULL once that has passed. */
#define tr_ask(x, r, ...) TR_ASK_(x, 0, r, __VA_ARGS__, )
#define tr_ask_within(x, ms, r, ...) TR_ASK_(x, ms, r, __VA_ARGS__, )
#define TR_ASK_(x, ms, r, m, ...)                                              \
    ((TR_FUTURE(m))tr_ask_(x, (tr_ref)(r),                                     \
                           tr_accepted_(r, m) + 0 * sizeof(tr_reply_##m),      \
                           TR_LIT_(struct m, __VA_ARGS__), ms))
/* Ask with a copy of *p, a struct m. */
#define tr_ask_from(x, r, m, p)                                                \
    ((TR_FUTURE(m))tr_ask_(x, (tr_ref)(r),                                     \
                           tr_accepted_(r, m) + 0 * sizeof(tr_reply_##m),      \
                           TR_PAYLOAD_(struct m, p), 0))
/* Answer the request m that this handler was given. */
#define tr_reply(x, ...) TR_REPLY_(x, __VA_ARGS__, )
#define TR_REPLY_(x, m, ...)                                                   \
    tr_reply_(x, &tr_msg_##m, TR_LIT_(tr_reply_##m, __VA_ARGS__),              \
              sizeof(tr_reply_##m))
/* Answer with a copy of *p, the struct that answers m. */
#define tr_reply_from(x, m, p)                                                 \
    tr_reply_(x, &tr_msg_##m, TR_PAYLOAD_(tr_reply_##m, p),                    \
              sizeof(tr_reply_##m))
/* The answer, NULL if none comes.  While it waits, tr_await lets other messages
 * of this actor be handled, tr_get does not. */
#define tr_await(x, f) ((TR_TYPEOF_((f)->value))tr_await_(x, (tr_future)(f)))
#define tr_get(x, f) ((TR_TYPEOF_((f)->value))tr_get_(x, (tr_future)(f)))
/* Let other messages be handled until the condition holds; it is tested again
 * after each handler of this actor. */
#define tr_await_until(x, cond)                                                \
    do {                                                                       \
        while (!(cond))                                                        \
            tr_pause_(x);                                                      \
    } while (0)
/* This actor, whose class is c. */
#define tr_me(x, c) ((c##_ref)tr_self_(x))
/* Handle the next messages by the rows of behaviour b. */
#define tr_become(x, c, b) tr_become_(x, &c##_##b)
/* The sender, said to be a c: what it has no row for is a fault. */
#define tr_sender_as(x, c) ((c##_ref)tr_sender_(x))
/* Make r a receptionist under the variable's name, or under another. */
#define tr_expose(x, r) tr_expose_(x, (tr_ref)(r), #r)
#define tr_expose_as(x, r, name) tr_expose_(x, (tr_ref)(r), name)
/* The actor that was exposed under this name, NULL if there is none. */
#define tr_receptionist(x, c, name)                                            \
    ((c##_ref)tr_receptionist_(x, name, &c##_class))
/* In tests: the state of an actor, to be read. */
#define tr_peek(x, c, r)                                                       \
    ((const struct c *)tr_peek_(x, (tr_ref)TR_SAME_(c##_ref, r), &c##_class))
/* In tests: run receives until the condition holds or none is left. */
#define tr_drain_until(x, cond)                                                \
    do {                                                                       \
    } while (!(cond) && tr_deliver_one_(x))
/* for (tr_each(ctx, node, n)) with const struct node *n: all live nodes. */
#define tr_each(x, c, p)                                                       \
    const struct c *p = (const struct c *)tr_each_(x, &c##_class, NULL);       \
    p;                                                                         \
    p = (const struct c *)tr_each_(x, &c##_class, p)
/* for (tr_flying(ctx, token, t)) with const struct token *t: all in flight. */
#define tr_flying(x, m, p)                                                     \
    const struct m *p = (const struct m *)tr_flying_(x, &tr_msg_##m, NULL);    \
    p;                                                                         \
    p = (const struct m *)tr_flying_(x, &tr_msg_##m, p)

/* tr_run(bank, .threads = 2): start, wait until quiescent, end. */
#define tr_run(...) TR_RUN_(__VA_ARGS__, )
#define TR_RUN_(s, ...)                                                        \
    tr_run_(&tr_system_##s, TR_LIT_(tr_config, __VA_ARGS__))
/* tr_start(&runtime, bank, .threads = 2) */
#define tr_start(...) TR_START_(__VA_ARGS__, )
#define TR_START_(out, s, ...)                                                 \
    tr_start_(&tr_system_##s, TR_LIT_(tr_config, __VA_ARGS__), out)

#endif
