# SPDX-License-Identifier: MIT
# Lemma 2 (SPEC B2.15): the way from p along D = q − p, by a computed t that is off from T by less
# than 4.01 h (crossing.g), is off by less than 6.02 h (0x6.04 is 6.016).
@b32 = float<ieee_32, ne>;
t = b32(S);
way = b32(b32(D) * t);
exact = D * T;
{ |D| in [1b-60, 1b43] /\ |T| in [1b-60, 1] /\ |t| in [1b-60, 1] /\ t -/ T in [-0x4.02p-24, 0x4.02p-24]
  -> way -/ exact in [-0x6.04p-24, 0x6.04p-24] }
