/* troupe_short.h - short forms.  Each takes the variable `ctx` that
 * TR_HANDLER, TR_TEST and TR_SYSTEM bring into scope.  They are function-like
 * macros: a later <sys/socket.h> would clash with send, so it comes first. */
#ifndef TR_SHORT_H
#define TR_SHORT_H
#include "troupe.h"
#if defined __has_include
#if __has_include(<sys/socket.h>)
#include <sys/socket.h>
#endif
#endif
#define send(r, ...) tr_send(ctx, r, __VA_ARGS__)
#define send_any(r, ...) tr_send_any(ctx, r, __VA_ARGS__)
#define send_after(ms, r, ...) tr_after(ctx, ms, r, __VA_ARGS__)
#define every(ms, r, ...) tr_every(ctx, ms, r, __VA_ARGS__)
#define cancel(t) tr_cancel(ctx, t)
#ifndef __cplusplus /* std::chrono's clocks have a now() */
#define now() tr_now(ctx)
#endif
#define forward(r, m) tr_forward(ctx, r, m, msg)
#define spawn(...) tr_spawn(ctx, __VA_ARGS__)
#define spawn_named(label, ...) tr_spawn_named(ctx, label, __VA_ARGS__)
#define spawn_from(c, p) tr_spawn_from(ctx, c, p)
#define ask(r, ...) tr_ask(ctx, r, __VA_ARGS__)
#define ask_within(ms, r, ...) tr_ask_within(ctx, ms, r, __VA_ARGS__)
#define reply(...) tr_reply(ctx, __VA_ARGS__)
#define await(f) tr_await(ctx, f)
#define get(f) tr_get(ctx, f)
#define await_until(cond) tr_await_until(ctx, cond)
#define watch(r, c, ...) tr_watch(ctx, r, c, __VA_ARGS__)
#define sender() tr_sender_(ctx)
#define sender_as(c) tr_sender_as(ctx, c)
#define me(c) tr_me(ctx, c)
#define become(c, b) tr_become(ctx, c, b)
#define stop() tr_stop_(ctx)
#define expose(r) tr_expose(ctx, r)
#define expose_as(r, name) tr_expose_as(ctx, r, name)
#define receptionist(c, name) tr_receptionist(ctx, c, name)
#define choose(n) tr_choose_(ctx, n)
#define param(name, otherwise) tr_param_(ctx, name, otherwise)
#define drain() tr_drain_(ctx)
#define drain_until(cond) tr_drain_until(ctx, cond)
#define deliver_one() tr_deliver_one_(ctx)
#define peek(c, r) tr_peek(ctx, c, r)
#define each(c, p) tr_each(ctx, c, p)
#define flying(m, p) tr_flying(ctx, m, p)
#endif
