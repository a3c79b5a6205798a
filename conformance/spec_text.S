/* SPDX-License-Identifier: MIT */
/* SPEC.md inside the program, so that `voxcert explain` and reports can quote a clause. */
    .section .rodata
    .global vx_spec_text
    .global vx_spec_text_end
vx_spec_text:
    .incbin "SPEC.md"
vx_spec_text_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
