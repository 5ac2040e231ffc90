/* SPDX-License-Identifier: Apache-2.0 */
/* troupe_short.h - short forms.  Each takes the variable `ctx` that
 * TR_HANDLER, TR_TEST and TR_SYSTEM bring into scope.  They are function-like
 * macros: a later <sys/socket.h> would clash with send, so it comes first.  In
 * C++ the standard headers come before this one: they have get and forward, too.
 *
 * A name that is in the way is left out with TR_NO_name, defined before:
 *
 *     #define TR_NO_stop        // o->stop() is a call again; use tr_stop(ctx)
 *     #include <troupe_short.h>
 */
#ifndef TR_SHORT_H
#define TR_SHORT_H
#include "troupe.h"
#if defined __has_include
#if __has_include(<sys/socket.h>)
#include <sys/socket.h>
#endif
#endif
#ifndef TR_NO_send
#define send(r, ...) tr_send(ctx, r, __VA_ARGS__)
#endif
#ifndef TR_NO_send_from
#define send_from(r, m, p) tr_send_from(ctx, r, m, p)
#endif
#ifndef TR_NO_send_any
#define send_any(r, ...) tr_send_any(ctx, r, __VA_ARGS__)
#endif
#ifndef TR_NO_send_after
#define send_after(ms, r, ...) tr_after(ctx, ms, r, __VA_ARGS__)
#endif
#ifndef TR_NO_every
#define every(ms, r, ...) tr_every(ctx, ms, r, __VA_ARGS__)
#endif
#ifndef TR_NO_cancel
#define cancel(t) tr_cancel(ctx, t)
#endif
/* std::chrono's clocks have a now(). */
#if !defined TR_NO_now && !defined __cplusplus
#define now() tr_now(ctx)
#endif
#ifndef TR_NO_forward
#define forward(r, m) tr_forward(ctx, r, m, msg)
#endif
#ifndef TR_NO_spawn
#define spawn(...) tr_spawn(ctx, __VA_ARGS__)
#endif
#ifndef TR_NO_spawn_named
#define spawn_named(label, ...) tr_spawn_named(ctx, label, __VA_ARGS__)
#endif
#ifndef TR_NO_spawn_from
#define spawn_from(c, p) tr_spawn_from(ctx, c, p)
#endif
#ifndef TR_NO_ask
#define ask(r, ...) tr_ask(ctx, r, __VA_ARGS__)
#endif
#ifndef TR_NO_ask_within
#define ask_within(ms, r, ...) tr_ask_within(ctx, ms, r, __VA_ARGS__)
#endif
#ifndef TR_NO_ask_from
#define ask_from(r, m, p) tr_ask_from(ctx, r, m, p)
#endif
#ifndef TR_NO_reply
#define reply(...) tr_reply(ctx, __VA_ARGS__)
#endif
#ifndef TR_NO_reply_from
#define reply_from(m, p) tr_reply_from(ctx, m, p)
#endif
#ifndef TR_NO_await
#define await(f) tr_await(ctx, f)
#endif
#ifndef TR_NO_get
#define get(f) tr_get(ctx, f)
#endif
#ifndef TR_NO_await_until
#define await_until(cond) tr_await_until(ctx, cond)
#endif
#ifndef TR_NO_watch
#define watch(r, c, ...) tr_watch(ctx, r, c, __VA_ARGS__)
#endif
#ifndef TR_NO_sender
#define sender() tr_sender(ctx)
#endif
#ifndef TR_NO_sender_as
#define sender_as(c) tr_sender_as(ctx, c)
#endif
#ifndef TR_NO_me
#define me(c) tr_me(ctx, c)
#endif
#ifndef TR_NO_become
#define become(c, b) tr_become(ctx, c, b)
#endif
#ifndef TR_NO_stop
#define stop() tr_stop(ctx)
#endif
#ifndef TR_NO_expose
#define expose(r) tr_expose(ctx, r)
#endif
#ifndef TR_NO_expose_as
#define expose_as(r, name) tr_expose_as(ctx, r, name)
#endif
#ifndef TR_NO_receptionist
#define receptionist(c, name) tr_receptionist(ctx, c, name)
#endif
#ifndef TR_NO_choose
#define choose(n) tr_choose(ctx, n)
#endif
#ifndef TR_NO_param
#define param(name, otherwise) tr_param(ctx, name, otherwise)
#endif
#ifndef TR_NO_drain
#define drain() tr_drain(ctx)
#endif
#ifndef TR_NO_drain_until
#define drain_until(cond) tr_drain_until(ctx, cond)
#endif
#ifndef TR_NO_deliver_one
#define deliver_one() tr_deliver_one(ctx)
#endif
#ifndef TR_NO_peek
#define peek(c, r) tr_peek(ctx, c, r)
#endif
#ifndef TR_NO_each
#define each(c, p) tr_each(ctx, c, p)
#endif
#ifndef TR_NO_flying
#define flying(m, p) tr_flying(ctx, m, p)
#endif
#endif
