# SPDX-License-Identifier: MIT
# Lemma 5 (SPEC B2.19): a term of the fan, of differences of at most 1 (in units of the piece's
# extents), is off by at most 8.1 h (0x8.18 is 8.094).
@b32 = float<ieee_32, ne>;
first = b32(b32(A) * b32(B));
second = b32(b32(C) * b32(D));
{ |A| <= 1 /\ |B| <= 1 /\ |C| <= 1 /\ |D| <= 1
  -> b32(first - second) - (A * B - C * D) in [-0x8.18p-24, 0x8.18p-24] }
