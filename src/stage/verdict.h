// What went wrong in a run, and where in the source.
#ifndef STAGE_VERDICT_H
#define STAGE_VERDICT_H

#include "stage/native_inner.h"

#include <signal.h>

void verdicts_open(struct native *n, uint32_t limit_ms);
void verdicts_close(struct native *n);
uint32_t verdicts_limit(const struct native *n); // ms
// Note a bug of the handler under way; its place is where the program called.
struct bug *bug_note(struct native *n, enum bug_kind kind, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
// Its place is the handler that ran last.
void bug_at_handler(struct native *n, struct bug *b);
// Note a bug and end the handler.
_Noreturn void bug_end(struct native *n, enum bug_kind kind, const char *file,
                       int line, const char *function, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
// Does the program's own code lie there, not this library's?
bool verdict_in_program(const struct native *n, uintptr_t pc);
// Where in the program's text the innermost call was made, 0 if unknown; and
// the same as an offset.  Looking up the line is left to the host: the task's
// stack is not for that.
uintptr_t verdict_pc(const struct native *n);
uint32_t verdict_place(const struct native *n);
// Where a suspended task of the actor in r made the call that waits.
uintptr_t verdict_waiting_pc(const struct native *n, const struct region *r,
                             const struct task *t);
// The handler did not come back by itself: note why, if it is not noted yet.
void verdicts_record(struct native *n, struct region *r);
// Does the stage catch this signal?  *before is what the program had said.
bool verdicts_catch(const struct native *n, int number,
                    struct sigaction *before);
// A new run starts: watch its time.
void verdicts_begin(struct native *n);
// From an operation, when n->hurry is set: end the run here.
void verdicts_hurry(struct native *n);
// Was the run ended because its time was up?
bool verdicts_timed_out(const struct native *n);
// Asked after each run: did it take too long, and is it to be made again, with
// ten times the limit?
bool verdicts_again(struct native *n);

#endif
