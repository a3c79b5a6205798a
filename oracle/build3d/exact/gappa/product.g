# SPDX-License-Identifier: MIT
# Lemma 4 (SPEC B2.8, B2.12): a product of two computed differences of corners that are off by g and
# k, of extents at most 1: g + k + g·k and one rounding. Here g = k = 2^-20.
@b32 = float<ieee_32, ne>;
{ |A| <= 1 /\ |B| <= 1 /\ a - A in [-1b-20, 1b-20] /\ b - B in [-1b-20, 1b-20]
  -> b32(a * b) - A * B in [-0x21.001p-24, 0x21.001p-24] }
