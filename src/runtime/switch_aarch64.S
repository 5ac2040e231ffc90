// Stack switch for aarch64, AAPCS64: x19-x30, d8-d15 and the floating-point
// control register belong to the callee.
#if defined __aarch64__ && !defined TR_SWITCH_UCONTEXT
    .text
    .globl tr__switch
    .hidden tr__switch
    .type tr__switch, %function
    .p2align 4
tr__switch:
    .cfi_startproc
    hint #34
    sub sp, sp, #176
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x9, fpcr
    str x9, [sp, #160]
    mov x10, sp
    str x10, [x0]
    mov sp, x1
    ldr x9, [sp, #160]
    msr fpcr, x9
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #176
    ret
    .cfi_endproc
    .size tr__switch, . - tr__switch

// Where a prepared frame starts: fn in x19, arg in x20.
    .globl tr__switch_start
    .hidden tr__switch_start
    .type tr__switch_start, %function
    .p2align 4
tr__switch_start:
    .cfi_startproc
    .cfi_undefined x30
    hint #34
    mov x0, x20
    blr x19
    brk #1
    .cfi_endproc
    .size tr__switch_start, . - tr__switch_start
#endif
    .section .note.GNU-stack, "", %progbits
