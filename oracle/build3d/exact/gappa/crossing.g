# SPDX-License-Identifier: MIT
# Lemma 2 (SPEC B2.15): t from distances a and b, which carry relative errors of at most h, is off by
# less than 4.01 h, h = 2^-24 (0x4.02 is 4.008).
@b32 = float<ieee_32, ne>;
a = b32(A);
b = b32(B);
t = b32(a / b32(a + b));
exact = A / (A + B);
{ A in [1b-60, 1b43] /\ B in [1b-60, 1b43] -> t -/ exact in [-0x4.02p-24, 0x4.02p-24] }
