# SPDX-License-Identifier: MIT
# Lemma 1 (SPEC B1.7, B1.8): a corner in cell units, where nothing is subnormal. X is x − o exactly;
# the relative error is below 2.01 h, h = 2^-24 (0x2.02 is 2.008).
@b64 = float<ieee_64, ne>;
@b32 = float<ieee_32, ne>;
u = b32(b32(b64(X)) / c);
exact = X / c;
{ |X| in [1b-80, 1b22] /\ |c| in [1b-20, 1b20] -> u -/ exact in [-0x2.02p-24, 0x2.02p-24] }
