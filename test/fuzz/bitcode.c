// Fuzzing the loader of LLVM's IR, as text: whatever LLVM takes for a module is
// refused, or becomes a program that keeps the invariants of ir.h.  LLVM itself
// ends the process on some damage; that is left, and its memory lost.
#include "base/diag.h"
#include "ir/ir.h"

#include <llvm-c/ErrorHandling.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static jmp_buf out;

static void leave(const char *reason)
{
    (void)reason;
    longjmp(out, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"fuzz.ll"};
    struct ir_options o = {0};
    struct diag d = {0};
    FILE *f = fopen(paths[0], "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(leave);
    if (setjmp(out))
        return 0;
    struct ir *ir = ir_load(paths, 1, &o, &d);
    if (ir && ir_check(ir, &ir->arena))
        abort();
    ir_free(ir);
    diag_free(&d);
    return 0;
}
