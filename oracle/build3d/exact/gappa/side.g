# SPDX-License-Identifier: MIT
# Volumes (SPEC B9.2, B9.3): side(a, b, p) of differences of at most 1 and an exact p is off by at most
# 8.2 h', h' = 2^-53 (0x8.2 is 8.125).
@b64 = float<ieee_64, ne>;
first = b64(b64(A) * b64(B));
second = b64(b64(C) * b64(D));
{ |A| <= 1 /\ |B| <= 1 /\ |C| <= 1 /\ |D| <= 1
  -> b64(first - second) - (A * B - C * D) in [-0x8.2p-53, 0x8.2p-53] }
