#!/usr/bin/env python3
"""Prints the constants of Jubjub as Rust.

    python3 derive/jubjub.py > crates/curve/src/jubjub/constants.rs

Jubjub is the twisted Edwards curve -u^2 + v^2 = 1 + d u^2 v^2 over the scalar field of BLS12-381 with
d = -(10240/10241) (Zcash protocol specification, section 5.4.9.3). The order of its prime subgroup follows from no
seed; it is written down here, and `Edwards` proves it and finds the generator.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from curves import array, limbs  # noqa: E402
from pairing_family import CURVES, Edwards, smallest_non_residue  # noqa: E402

ORDER = 0x0E7DB4EA6533AFA906673B0101343B00A6682093CCC81082D0970E5ED6F72CB7


def jubjub() -> Edwards:
    q = CURVES["bls12_381"]().r
    return Edwards(q, -1, -10240 * pow(10241, -1, q), ORDER)


def render() -> str:
    j = jubjub()
    ty = "[u64; 4]"
    return "\n".join([
        "//! Constants of Jubjub, little-endian limbs, canonical (not Montgomery).\n//!\n"
        "//! Derived: `python3 derive/jubjub.py > crates/curve/src/jubjub/constants.rs`. Do not edit.\n",
        array("FR_MODULUS", f"Order of the prime subgroup, {j.order.bit_length()} bits.", ty, limbs(j.order, 4)),
        array("FR_NON_RESIDUE", "Smallest quadratic non-residue modulo the order.", "u64",
              str(smallest_non_residue(j.order))),
        array("D", "The coefficient d of the curve's equation, -(10240/10241).", ty, limbs(j.d, 4)),
        array("GENERATOR", "8 times the point of order 8 r with the smallest v and even u: u and v.", "[[u64; 4]; 2]",
              "[" + ", ".join(limbs(v, 4) for v in j.g) + "]"),
    ])


if __name__ == "__main__":
    sys.stdout.write(render())
