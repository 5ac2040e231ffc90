// What troupe init writes, from examples/first.  make runs above it.
    .section .rodata
    .macro file name, path
    .globl \name
    .hidden \name
\name:
    .incbin "\path"
    .byte 0
    .endm
    file init_ini, examples/first/troupe.ini
    file init_test, examples/first/first_test.c
    file init_github, examples/first/github.yml
    file init_gitlab, examples/first/gitlab-ci.yml
    .section .note.GNU-stack, "", %progbits
