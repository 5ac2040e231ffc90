// The page, as tools/page made it from the files beside this one.
    .section .rodata
    .globl report_page_html, report_page_end
    .hidden report_page_html, report_page_end
report_page_html:
    .incbin "page.html"
report_page_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
