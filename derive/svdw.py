#!/usr/bin/env python3
"""Prints the constants of hashing to BN254's first group (RFC 9380, section 6.6.1) as Rust.

    python3 derive/svdw.py > crates/curve/src/bn254/hash_constants.rs

BN254 has no suite in the RFC. The map of Shallue and van de Woestijne needs no isogeny; its Z is found as appendix H.1
says, and the other constants follow from Z and the curve (appendix F.1). The last constant turns the curve's pairing,
which carries a factor in its exponent (see `pairing/bn.rs`), into the one whose exponent is (q^12 - 1)/r.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from curves import array, limbs  # noqa: E402
from pairing_family import CURVES, sqrt_mod  # noqa: E402


def is_square(x: int, q: int) -> bool:
    return pow(x, (q - 1) // 2, q) in (0, 1)


def find_z(a: int, b: int, q: int) -> int:
    """RFC 9380, appendix H.1."""
    g = lambda x: (x**3 + a * x + b) % q  # noqa: E731
    h = lambda z: -(3 * z * z + 4 * a) * pow(4 * g(z), -1, q) % q  # noqa: E731
    counter = 1
    while True:
        for z in (counter % q, -counter % q):
            if g(z) == 0 or h(z) == 0 or not is_square(h(z), q):
                continue
            if is_square(g(z), q) or is_square(g(-z * pow(2, -1, q) % q), q):
                return z
        counter += 1


def render() -> str:
    c = CURVES["bn254"]()
    q, r, n, b, x = c.q, c.r, c.q_limbs, c.b, c.x
    z = find_z(0, b, q)
    gz = (z**3 + b) % q
    c3 = sqrt_mod(-gz * 3 * z * z % q, q)
    c3 = -c3 % q if c3 % 2 else c3
    assert c3 % 2 == 0 and c3 * c3 % q == -gz * 3 * z * z % q
    c4 = -4 * gz * pow(3 * z * z, -1, q) % q
    assert q % 4 == 3, "roots are powers"
    # One of three candidates belongs to a point, for inputs of every kind.
    for u in range(300):
        t1 = u * u * gz % q
        t2, t1 = (1 + t1) % q, (1 - t1) % q
        t3 = pow(t1 * t2, q - 2, q)
        t4 = u * t1 * t3 * c3 % q
        middle = -z * pow(2, -1, q)
        xs = [(middle - t4) % q, (middle + t4) % q, (z + c4 * (t2 * t2 * t3) ** 2) % q]
        assert any(is_square(v**3 + b, q) for v in xs)
    factor = 2 * x * (6 * x * x + 3 * x + 1)
    fq, fr = f"[u64; {n}]", "[u64; 4]"
    return "\n".join([
        "//! Constants of hashing to BN254's first group, little-endian limbs, canonical (not Montgomery), and of its\n"
        "//! pairing without a factor in the exponent.\n//!\n"
        f"//! Derived: `python3 derive/svdw.py > crates/curve/src/bn254/hash_constants.rs`. Do not edit.\n",
        array("Z", "The map's Z.", fq, limbs(z, n)),
        array("C1", "g(Z) = Z^3 + b.", fq, limbs(gz, n)),
        array("C2", "-Z/2.", fq, limbs(-z * pow(2, -1, q) % q, n)),
        array("C3", "The even root of -3 Z^2 g(Z).", fq, limbs(c3, n)),
        array("C4", "-4 g(Z)/(3 Z^2).", fq, limbs(c4, n)),
        array("ROOT_EXPONENT", "(q + 1)/4: the power that is the root of a square.", fq, limbs((q + 1) // 4, n)),
        array("INVERSE_EXPONENT", "q - 2: the power that is the inverse, and zero for zero.", fq, limbs(q - 2, n)),
        array("REDUCED", "1/(2x (6x^2 + 3x + 1)) modulo r.", fr, limbs(pow(factor, -1, r), 4)),
    ])


if __name__ == "__main__":
    sys.stdout.write(render())
