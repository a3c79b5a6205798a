# SPDX-License-Identifier: MIT
# Volumes (SPEC B9.4): the floor oy + Y·ch: the product is off by h' of itself, and for the largest
# numbers, |oy| of 2^21 and Y·ch of 2^36, the sum by h' of both together, 2^-16.
@b64 = float<ieee_64, ne>;
height = b64(H);
sum = b64(o + height);
{ H in [1b-20, 1b36] /\ |o| in [1b-20, 1b21] -> height -/ H in [-1b-53, 1b-53] /\
  |sum - (o + H)| <= 0x1.00002p-16 }
