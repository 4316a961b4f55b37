#!/usr/bin/env python3
"""Prints the constants of one curve as Rust, from its seed parameter.

    python3 derive/curves.py bls12_381 > crates/curve/src/bls12_381/constants.rs
    python3 derive/curves.py --check          compares every printed file with the one on disk

Everything follows from the seed x of the family (Barreto-Lynn-Scott k = 12, Barreto-Naehrig) and the choice of tower.
Two things no formula gives are written down with their source and checked here: the generators that communities
agreed on (on the curve, in the subgroup), and which element the tower adjoins (a non-residue).
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pairing_family import CURVES, Curve  # noqa: E402


def limbs(value: int, n: int) -> str:
    return "[" + ", ".join(f"0x{value >> 64 * i & (1 << 64) - 1:016x}" for i in range(n)) + "]"


def array(name: str, doc: str, ty: str, value: str) -> str:
    return f"/// {doc}\npub(crate) const {name}: {ty} = {value};\n"


def render(c: Curve) -> str:
    nq, nr = c.q_limbs, c.r_limbs
    fq, fr = f"[u64; {nq}]", f"[u64; {nr}]"
    fq2 = lambda a: "[" + limbs(a[0], nq) + ", " + limbs(a[1], nq) + "]"  # noqa: E731
    out = [
        f"//! Constants of {c.title}, little-endian limbs, canonical (not Montgomery).\n//!\n"
        f"//! Derived: `python3 derive/curves.py {c.name} > crates/curve/src/{c.name}/constants.rs`. Do not edit.\n",
        array("X", f"The seed: |x|, with x {'negative' if c.x < 0 else 'positive'}.", "u64", f"0x{abs(c.x):x}"),
        array("X_NEGATIVE", "Sign of the seed.", "bool", str(c.x < 0).lower()),
        array("FQ_MODULUS", f"q, {c.q.bit_length()} bits.", fq, limbs(c.q, nq)),
        array("FQ_NON_RESIDUE", "Smallest quadratic non-residue modulo q.", "u64", str(c.q_non_residue)),
        array("FR_MODULUS", f"r, {c.r.bit_length()} bits.", fr, limbs(c.r, nr)),
        array("FR_NON_RESIDUE", "Smallest quadratic non-residue modulo r.", "u64", str(c.r_non_residue)),
        array("G1_B", "Constant term of the curve over Fq.", fq, limbs(c.b, nq)),
        array("G2_B", f"Constant term of the {c.twist}-type twist over Fq2.", f"[{fq}; 2]", fq2(c.b_twist)),
        array("G1_GENERATOR", f"Generator of G1, x and y. {c.g1_source}", f"[{fq}; 2]",
              "[" + ", ".join(limbs(v, nq) for v in c.g1) + "]"),
        array("G2_GENERATOR", f"Generator of G2, x and y over Fq2. {c.g2_source}", f"[[{fq}; 2]; 2]",
              "[" + ", ".join(fq2(v) for v in c.g2) + "]"),
        array("G1_BETA", "Cube root of unity in Fq with (beta x, y) = lambda (x, y) on G1.", fq, limbs(c.beta, nq)),
        array("G2_BETA", "Cube root of unity in Fq with (beta x, y) = lambda (x, y) on G2.", fq, limbs(c.beta2, nq)),
        array("G1_LAMBDA", "The eigenvalue lambda, modulo r.", "[u64; 4]", limbs(c.lam, 4)),
    ]
    signed = lambda v: f"(0x{abs(v):x}, {str(v < 0).lower()})"  # noqa: E731
    for i, v in enumerate(c.glv_basis, 1):
        out.append(array(f"GLV_V{i}", f"Short vector {i} of the lattice a + b lambda = 0 mod r, (magnitude, negative).",
                         "[(u128, bool); 2]", "[" + ", ".join(map(signed, v)) + "]"))
    for i, g in enumerate(c.glv_rounding, 1):
        out.append(array(f"GLV_G{i}", "Babai rounding multiplier, scaled by 2^256.", "([u64; 3], bool)",
                         f"({limbs(abs(g), 3)}, {str(g < 0).lower()})"))
    out.extend(extra(c, array, limbs, fq2))
    return "\n".join(out)


def extra(c: Curve, array, limbs, fq2) -> list[str]:
    """Frobenius, twist, loop and cofactor constants of the pairing."""
    nq = c.q_limbs
    out = []
    for k in (1, 2, 3):
        gamma = [c.fq2_pow(c.xi, j * (c.q**k - 1) // 6) for j in range(6)]
        out.append(array(f"FROBENIUS_{k}", f"xi^(j (q^{k} - 1)/6) for j = 0..6: Frobenius to the power {k} on w^j.",
                         f"[[[u64; {nq}]; 2]; 6]", "[" + ", ".join(fq2(g) for g in gamma) + "]"))
    out.append(array("PSI", "psi(x, y) = (PSI[0] conj(x), PSI[1] conj(y)): Frobenius of the curve read on the twist.",
                     f"[[[u64; {nq}]; 2]; 2]", "[" + ", ".join(fq2(g) for g in c.psi) + "]"))
    out.append(array("G2_3B", "Three times the constant term of the twist.", f"[[u64; {nq}]; 2]",
                     fq2(tuple(3 * v % c.q for v in c.b_twist))) if c.twist == "D" else "")
    digits = lambda ds: "&[" + ", ".join(map(str, ds)) + "]"  # noqa: E731
    out.append(array("MILLER_DIGITS", f"Signed digits of {c.loop_name}, most significant first without the leading 1.",
                     "&[i8]", digits(c.loop_digits)))
    out.append(array("X_DIGITS", "Signed digits of |x|, zero or odd, most significant first, the leading one first.",
                     "&[i8]", digits(c.x_digits)))
    n = (c.g1_cofactor.bit_length() + 63) // 64 or 1
    out.append(array("G1_COFACTOR", "Cofactor of G1.", f"[u64; {n}]", limbs(c.g1_cofactor, n)))
    n = (c.g2_cofactor.bit_length() + 63) // 64
    out.append(array("G2_COFACTOR", "Cofactor of G2.", f"[u64; {n}]", limbs(c.g2_cofactor, n)))
    if c.edwards:
        d, alpha, s_inv, stretch, g = c.edwards
        fq = f"[u64; {nq}]"
        out.append(array("EDWARDS_D", "Constant d of G1's twisted Edwards form -x^2 + y^2 = 1 + d x^2 y^2.", fq,
                         limbs(d, nq)))
        out.append(array("EDWARDS_ALPHA", "First coordinate of the point of order two that the form is built on.", fq,
                         limbs(alpha, nq)))
        out.append(array("EDWARDS_S_INVERSE", "sqrt(3 alpha^2): Montgomery's u is (X - alpha) divided by it.", fq,
                         limbs(s_inv, nq)))
        out.append(array("EDWARDS_STRETCH", "sqrt(-(A + 2)/B) of the Montgomery form: what makes a = -1.", fq,
                         limbs(stretch, nq)))
        out.append(array("EDWARDS_GENERATOR", "The generator of G1 in twisted Edwards form, x and y.", f"[{fq}; 2]",
                         "[" + ", ".join(limbs(v, nq) for v in g) + "]"))
    return [text for text in out if text]


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--check"]:
        stale = []
        for name, c in CURVES.items():
            path = root / "crates/curve/src" / name / "constants.rs"
            if not path.exists() or path.read_text() != render(c()):
                stale.append(str(path.relative_to(root)))
        for path in stale:
            print(f"stale: {path}: run the command in its header", file=sys.stderr)
        return 1 if stale else 0
    if len(sys.argv) != 2 or sys.argv[1] not in CURVES:
        print(f"usage: curves.py ({' | '.join(CURVES)} | --check)", file=sys.stderr)
        return 2
    sys.stdout.write(render(CURVES[sys.argv[1]]()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
