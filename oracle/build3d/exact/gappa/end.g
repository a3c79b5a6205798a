# SPDX-License-Identifier: MIT
# Lemma 2 (SPEC B2.15): the last sum of a crossing, p and the way, rounds by at most h.
@b32 = float<ieee_32, ne>;
{ |P| in [1b-60, 1b43] -> b32(P) -/ P in [-1b-24, 1b-24] }
