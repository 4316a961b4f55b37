#!/usr/bin/env python3
"""Constants of the twisted Edwards curves inside circuits: Jubjub over BLS12-381, Baby Jubjub over BN254.

    python3 derive/edwards.py bn128 > circuits/edwards/constants_bn128.circom

A curve is a u^2 + v^2 = 1 + d u^2 v^2 over the scalar field of a pairing-friendly curve. Jubjub: see
derive/jubjub.py. Baby Jubjub (EIP-2494): a = A + 2 and d = A - 2 of the Montgomery curve with A = 168698. The order
of the prime subgroup is written down here, and `Edwards` proves it and finds the generator. Standard library only.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from jubjub import jubjub  # noqa: E402
from pairing_family import CURVES, Edwards  # noqa: E402


def baby_jubjub():
    montgomery = 168698
    order = 2736030358979909402780800718157159386076813972158567259200215660948447373041
    return Edwards(CURVES["bn254"]().r, montgomery + 2, montgomery - 2, order)


def render(name, title, e):
    return f"""// {title}: a u^2 + v^2 = 1 + d u^2 v^2, generator of the subgroup of prime order.
// Written by the command: python3 derive/edwards.py {name}
pragma circom 2.0.0;

function edwards_a_{name}() {{
    return {e.a};
}}

function edwards_d_{name}() {{
    return {e.d};
}}

// Order of the prime subgroup, {e.order.bit_length()} bits; the cofactor is {e.COFACTOR}.
function edwards_order_{name}() {{
    return {e.order};
}}

// (u, v)
function edwards_generator_{name}() {{
    return [{e.g[0]},
            {e.g[1]}];
}}
"""


FILES = {
    "bls12381": ("Jubjub, over the scalar field of BLS12-381", jubjub),
    "bn128": ("Baby Jubjub, over the scalar field of BN254", baby_jubjub),
}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in FILES:
        print(f"usage: edwards.py ({' | '.join(FILES)})", file=sys.stderr)
        return 2
    title, curve = FILES[sys.argv[1]]
    sys.stdout.write(render(sys.argv[1], title, curve()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
