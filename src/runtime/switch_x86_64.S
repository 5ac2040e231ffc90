// Stack switch for x86-64, System V ABI: rbx, rbp, r12-r15, the SSE control
// word and the x87 control word belong to the callee; all else was saved by
// the compiler around the call.
#if defined __x86_64__ && !defined TR_SWITCH_UCONTEXT
    .text
    .globl tr__switch
    .hidden tr__switch
    .type tr__switch, @function
    .p2align 4
tr__switch:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq $0 // with the two bytes behind the words: equal stacks, equal bytes
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size tr__switch, . - tr__switch

// Where a prepared frame starts: fn in r12, arg in rbx.
    .globl tr__switch_start
    .hidden tr__switch_start
    .type tr__switch_start, @function
    .p2align 4
tr__switch_start:
    .cfi_startproc
    .cfi_undefined rip
    endbr64
    movq %rbx, %rdi
    callq *%r12
    ud2
    .cfi_endproc
    .size tr__switch_start, . - tr__switch_start
#endif
    .section .note.GNU-stack, "", %progbits
