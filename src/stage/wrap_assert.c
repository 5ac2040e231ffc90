// A failing assertion ends the task.  What it looked at is often in a register
// that a call need not keep, so those are noted before anything else runs.
#include "stage/guest.h"
#include "stage/native_inner.h"
#include "stage/verdict.h"

#include <string.h>

#define WRAP(type, name) TR_API type __wrap_##name

// The C library's own, from its ABI.
_Noreturn void __assert_fail(const char *, const char *, unsigned,
                             const char *);
_Noreturn void __assert_perror_fail(int, const char *, unsigned, const char *);

// registers: of the caller, see struct native; or NULL.
__attribute__((used)) static _Noreturn void
assertion_failed(const char *what, const char *file, unsigned line,
                 const char *function, const uint64_t *registers)
{
    if (on_stage()) {
        stage_now->registers = registers;
        bug_end(stage_now, BUG_ASSERTION, file, (int)line, function,
                "assertion '%s' failed", what);
    }
    guest_ends("assert");
    __assert_fail(what, file, line, function);
}

WRAP(_Noreturn void, __assert_fail)
(const char *, const char *, unsigned, const char *);
#if defined __x86_64__
// Register r goes to 8 * r; the return address lies above them, as number 17.
// r10 and r11 belong to the dynamic linker on the way.
__asm__("    .text\n"
        "    .globl __wrap___assert_fail\n"
        "    .type __wrap___assert_fail, @function\n"
        "__wrap___assert_fail:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    subq $136, %rsp\n"
        "    .cfi_adjust_cfa_offset 136\n"
        "    movq %rax, 0(%rsp)\n"
        "    movq %rdx, 8(%rsp)\n"
        "    movq %rcx, 16(%rsp)\n"
        "    movq %rsi, 32(%rsp)\n"
        "    movq %rdi, 40(%rsp)\n"
        "    movq %r8, 64(%rsp)\n"
        "    movq %r9, 72(%rsp)\n"
        "    movq %rsp, %r8\n"
        "    call assertion_failed\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        "    .size __wrap___assert_fail, . - __wrap___assert_fail\n");
#else
WRAP(_Noreturn void, __assert_fail)
(const char *what, const char *file, unsigned line, const char *function)
{
    assertion_failed(what, file, line, function, NULL);
}
#endif

WRAP(_Noreturn void, __assert_perror_fail)
(int, const char *, unsigned, const char *);
WRAP(_Noreturn void, __assert_perror_fail)
(int error, const char *file, unsigned line, const char *function)
{
    if (on_stage())
        bug_end(stage_now, BUG_ASSERTION, file, (int)line, function,
                "unexpected error: %s", strerror(error));
    guest_ends("assert");
    __assert_perror_fail(error, file, line, function);
}
