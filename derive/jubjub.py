#!/usr/bin/env python3
"""Prints the constants of Jubjub as Rust.

    python3 derive/jubjub.py > crates/curve/src/jubjub/constants.rs
    python3 derive/jubjub.py --check

Jubjub is the twisted Edwards curve -u^2 + v^2 = 1 + d u^2 v^2 over the scalar field of BLS12-381 with
d = -(10240/10241) (Zcash protocol specification, section 5.4.9.3). The order of its prime subgroup follows from no
seed; it is written down here and proved: prime, and the only multiple of it in the Hasse interval is 8 times it. The
generator is 8 times the point of full order with the smallest v and even u.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from curves import array, limbs  # noqa: E402
from pairing_family import CURVES, smallest_non_residue, sqrt_mod  # noqa: E402

ORDER = 0x0E7DB4EA6533AFA906673B0101343B00A6682093CCC81082D0970E5ED6F72CB7
COFACTOR = 8


def is_prime(n: int) -> bool:
    """Miller-Rabin on the first forty odd bases."""
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in range(2, 82):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


class Jubjub:
    def __init__(self):
        self.q = q = CURVES["bls12_381"]().r
        self.d = -10240 * pow(10241, -1, q) % q
        self.r = ORDER
        # The addition law is complete: -1 is a square and d is none (Bernstein, Lange, eprint 2007/286).
        assert pow(q - 1, (q - 1) // 2, q) == 1 and pow(self.d, (q - 1) // 2, q) == q - 1
        assert is_prime(self.r)
        v = 0
        while True:
            v += 1
            full = self.lift(v)
            if full and self.mul(COFACTOR * self.r, full) == (0, 1) and self.mul(COFACTOR // 2 * self.r, full) != (0, 1) \
                    and self.mul(COFACTOR, full) != (0, 1):
                break
        self.g = self.mul(COFACTOR, full)
        assert self.g != (0, 1) and self.mul(self.r, self.g) == (0, 1)
        # Hasse: |order - q - 1| <= 2 sqrt(q); the order is a multiple of r.
        inside = [k for k in range(1, 20) if (k * self.r - q - 1) ** 2 <= 4 * q]
        assert inside == [COFACTOR], "the order of the curve is 8 r"

    def lift(self, v):
        q = self.q
        uu = (v * v - 1) * pow(1 + self.d * v * v, -1, q) % q
        u = sqrt_mod(uu, q)
        if u is None:
            return None
        return (u if u % 2 == 0 else q - u, v)

    def add(self, p, s):
        q, (u1, v1), (u2, v2) = self.q, p, s
        k = self.d * u1 * u2 * v1 * v2 % q
        return ((u1 * v2 + v1 * u2) * pow(1 + k, -1, q) % q, (v1 * v2 + u1 * u2) * pow(1 - k, -1, q) % q)

    def mul(self, k, p):
        out = (0, 1)
        for bit in bin(k)[2:]:
            out = self.add(out, out)
            if bit == "1":
                out = self.add(out, p)
        return out


def render() -> str:
    j = Jubjub()
    ty = "[u64; 4]"
    return "\n".join([
        "//! Constants of Jubjub, little-endian limbs, canonical (not Montgomery).\n//!\n"
        "//! Derived: `python3 derive/jubjub.py > crates/curve/src/jubjub/constants.rs`. Do not edit.\n",
        array("FR_MODULUS", f"Order of the prime subgroup, {j.r.bit_length()} bits.", ty, limbs(j.r, 4)),
        array("FR_NON_RESIDUE", "Smallest quadratic non-residue modulo the order.", "u64",
              str(smallest_non_residue(j.r))),
        array("D", "The coefficient d of the curve's equation, -(10240/10241).", ty, limbs(j.d, 4)),
        array("GENERATOR", "8 times the point of order 8 r with the smallest v and even u: u and v.", "[[u64; 4]; 2]",
              "[" + ", ".join(limbs(v, 4) for v in j.g) + "]"),
    ])


def main() -> int:
    path = pathlib.Path(__file__).resolve().parent.parent / "crates/curve/src/jubjub/constants.rs"
    if sys.argv[1:] == ["--check"]:
        if not path.exists() or path.read_text() != render():
            print("stale: crates/curve/src/jubjub/constants.rs: run the command in its header", file=sys.stderr)
            return 1
        return 0
    if sys.argv[1:]:
        print("usage: jubjub.py [--check]", file=sys.stderr)
        return 2
    sys.stdout.write(render())
    return 0


if __name__ == "__main__":
    sys.exit(main())
