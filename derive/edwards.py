#!/usr/bin/env python3
"""Constants of the twisted Edwards curves inside circuits: Jubjub over BLS12-381, Baby Jubjub over BN254.

    python3 derive/edwards.py --write     write circuits/edwards/constants_*.circom
    python3 derive/edwards.py --check     compare them with the files on disk; exit 1 when stale

A curve is a u^2 + v^2 = 1 + d u^2 v^2 over the scalar field of a pairing-friendly curve. Jubjub: see
derive/jubjub.py. Baby Jubjub (EIP-2494): a = A + 2 and d = A - 2 of the Montgomery curve with A = 168698. The order
of the prime subgroup is written down here and proved: prime, and the only multiple of it in the Hasse interval is 8
times it. The generator is 8 times the point of full order with the smallest v and even u. Standard library only.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from jubjub import ORDER as JUBJUB_ORDER  # noqa: E402
from jubjub import Jubjub, is_prime  # noqa: E402
from pairing_family import CURVES, sqrt_mod  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
COFACTOR = 8


class Edwards:
    def __init__(self, q, a, d, order):
        self.q, self.a, self.d, self.order = q, a % q, d % q, order
        # The addition law is complete: a is a square and d is none (Bernstein, Lange, eprint 2007/286).
        assert pow(self.a, (q - 1) // 2, q) == 1 and pow(self.d, (q - 1) // 2, q) == q - 1
        assert is_prime(order)
        v = 0
        while True:
            v += 1
            full = self.lift(v)
            if full and self.mul(COFACTOR * order, full) == (0, 1) \
                    and self.mul(COFACTOR // 2 * order, full) != (0, 1) and self.mul(COFACTOR, full) != (0, 1):
                break
        self.g = self.mul(COFACTOR, full)
        assert self.g != (0, 1) and self.mul(order, self.g) == (0, 1)
        # Hasse: |#E - q - 1| <= 2 sqrt(q); #E is a multiple of the order of `full`.
        inside = [k for k in range(1, 20) if (k * order - q - 1) ** 2 <= 4 * q]
        assert inside == [COFACTOR], "the curve has 8 times as many points"

    def lift(self, v):
        q = self.q
        u = sqrt_mod((1 - v * v) * pow(self.a - self.d * v * v, -1, q), q)
        if u is None:
            return None
        return (u if u % 2 == 0 else q - u, v)

    def add(self, p, s):
        q, (u1, v1), (u2, v2) = self.q, p, s
        k = self.d * u1 * u2 * v1 * v2 % q
        return ((u1 * v2 + v1 * u2) * pow(1 + k, -1, q) % q, (v1 * v2 - self.a * u1 * u2) * pow(1 - k, -1, q) % q)

    def mul(self, k, p):
        out = (0, 1)
        for bit in bin(k)[2:]:
            out = self.add(out, out)
            if bit == "1":
                out = self.add(out, p)
        return out


def jubjub():
    same = Jubjub()
    curve = Edwards(same.q, -1, same.d, JUBJUB_ORDER)
    assert curve.g == same.g
    return curve


def baby_jubjub():
    montgomery = 168698
    order = 2736030358979909402780800718157159386076813972158567259200215660948447373041
    return Edwards(CURVES["bn254"]().r, montgomery + 2, montgomery - 2, order)


def render(name, title, e):
    return f"""// {title}: a u^2 + v^2 = 1 + d u^2 v^2, generator of the subgroup of prime order.
// Written by the command: python3 derive/edwards.py --write
pragma circom 2.0.0;

function edwards_a_{name}() {{
    return {e.a};
}}

function edwards_d_{name}() {{
    return {e.d};
}}

// Order of the prime subgroup, {e.order.bit_length()} bits; the cofactor is {COFACTOR}.
function edwards_order_{name}() {{
    return {e.order};
}}

// (u, v)
function edwards_generator_{name}() {{
    return [{e.g[0]},
            {e.g[1]}];
}}
"""


def main() -> int:
    if sys.argv[1:] not in (["--write"], ["--check"]):
        print("usage: edwards.py --write | --check", file=sys.stderr)
        return 2
    stale = []
    for name, title, curve in (
        ("bls12381", "Jubjub, over the scalar field of BLS12-381", jubjub()),
        ("bn128", "Baby Jubjub, over the scalar field of BN254", baby_jubjub()),
    ):
        path = f"circuits/edwards/constants_{name}.circom"
        text = render(name, title, curve)
        if sys.argv[1] == "--write":
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text)
        elif not (ROOT / path).is_file() or (ROOT / path).read_text() != text:
            stale.append(path)
    if stale:
        print("stale: " + ", ".join(stale) + "; run python3 derive/edwards.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
