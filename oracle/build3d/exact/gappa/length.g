# SPDX-License-Identifier: MIT
# Lemma 7 (SPEC B2.9): the length of a normal whose squares are not subnormal is off by less than
# 2.6 h (0x2.98 is 2.594).
@b32 = float<ieee_32, ne>;
x = b32(X);
y = b32(Y);
z = b32(Z);
square = b32(b32(b32(x * x) + b32(y * y)) + b32(z * z));
exact = (x * x + y * y) + z * z;
length = b32(sqrt(square));
{ |x| in [1b-60, 1b46] /\ |y| in [1b-60, 1b46] /\ |z| in [1b-60, 1b46]
  -> length -/ sqrt(exact) in [-0x2.98p-24, 0x2.98p-24] }
