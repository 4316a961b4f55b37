#!/usr/bin/env python3
"""Prints the constants of one curve as Rust, from its seed parameter.

    python3 derive/curves.py bls12_381 > crates/curve/src/bls12_381/constants.rs

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
    """A documented constant of a Rust module; the scripts of hashing and of Jubjub print with it."""
    return f"/// {doc}\npub(crate) const {name}: {ty} = {value};\n"


def render(c: Curve) -> str:
    nq, nr = c.q_limbs, c.r_limbs
    row = lambda values: "[" + ", ".join(values) + "]"  # noqa: E731
    fq = lambda a: f"Fq::constant({limbs(a, nq)})"  # noqa: E731
    fq2_limbs = lambda a: row(limbs(v, nq) for v in a)  # noqa: E731
    fq2 = lambda a: f"quad({fq2_limbs(a)})"  # noqa: E731
    fq2s = lambda values: f"quads({row(map(fq2_limbs, values))})"  # noqa: E731
    digits = lambda ds: "&" + row(map(str, ds))  # noqa: E731
    sign = lambda v: str(v < 0).lower()  # noqa: E731
    words = lambda n: f"&{limbs(n, (n.bit_length() + 63) // 64)}"  # noqa: E731
    signed = lambda v: f"(0x{abs(v):x}, {sign(v)})"  # noqa: E731
    frobenius = [[c.fq2_pow(c.xi, j * (c.q**k - 1) // 6) for j in range(6)] for k in (1, 2, 3)]
    u, v = f"MinusSmall<{-c.u2}>", f"SmallPlusRoot<{c.xi[0]}>"
    family = {"bls12": "Bls12", "bn": "Bn"}[c.family]
    xi = "u" if c.xi[0] == 0 else f"{c.xi[0]} + u"

    def modulus(name, what, p, n, non_residue):
        return f"""/// {what}, {p.bit_length()} bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct {name}Modulus;
impl Modulus<{n}> for {name}Modulus {{
    const NAME: &'static str = "{c.label} {name}";
    const P: [u64; {n}] = {limbs(p, n)};
    const NON_RESIDUE: u64 = {non_residue};
}}
"""

    return f"""//! {c.title} as data: canonical little-endian limbs (not Montgomery) as constants of its family.
//!
//! Derived: `python3 derive/curves.py {c.name} > crates/curve/src/{c.name}/constants.rs`. Do not edit.

use crate::pairing::{{self, {family}, PairingData, Tower, TwistKind, quad, quads}};
use pairwright_field::{{Cubic, Fp, MinusSmall, Modulus, Quad, Root, SmallPlusRoot}};

{modulus("Fq", "The base prime q", c.q, nq, c.q_non_residue)}
{modulus("Fr", "The group order r", c.r, nr, c.r_non_residue)}
/// The base field, in which the coordinates of G1 lie.
pub type Fq = Fp<FqModulus, {nq}>;
/// The scalar field, whose order is that of both groups.
pub type Fr = Fp<FrModulus, {nr}>;
/// The root u that Fq2 adjoins, with `u² = {c.u2}`.
pub type U = {u};
/// The root v that Fq6 adjoins, with `v³ = ξ = {xi}`.
pub type V = {v};
/// The quadratic extension `Fq[u]/(u² + {-c.u2})`.
pub type Fq2 = Quad<Fq, U>;
/// The cubic extension `Fq2[v]/(v³ - ξ)` with `ξ = {xi}`.
pub type Fq6 = Cubic<Fq2, V>;
/// The quadratic extension `Fq6[w]/(w² - v)`, in which pairings have their values.
pub type Fq12 = Quad<Fq6, Root>;
/// The optimal ate pairing of {c.label}.
pub type {c.rust_type} = {family}<Parameters>;
/// The group of order r on `y² = x³ + {c.b}` over Fq.
pub type G1 = pairing::G1<{c.rust_type}>;
/// The group of order r on the {c.twist}-type sextic twist over Fq2.
pub type G2 = pairing::G2<{c.rust_type}>;

/// The constants of {c.label}, from which its family makes the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters;
impl Tower for Parameters {{
    type Fq = Fq;
    type U = U;
    type V = V;
    const FROBENIUS: [[Fq2; 6]; 3] = {row(map(fq2s, frobenius))};
}}
impl PairingData for Parameters {{
    type Fr = Fr;
    const NAME: &'static str = "{c.label}";
    const G1_NAME: &'static str = "{c.label} G1";
    const G2_NAME: &'static str = "{c.label} G2";
    const X: u64 = 0x{abs(c.x):x};
    const X_NEGATIVE: bool = {sign(c.x)};
    const X_DIGITS: &'static [i8] = {digits(c.x_digits)};
    /// The digits of {c.loop_name} below the leading one, highest first.
    const MILLER_DIGITS: &'static [i8] = {digits(c.loop_digits)};
    const B: u64 = {c.b};
    const B_BASE: Fq = {fq(c.b)};
    const B_TWIST: Fq2 = {fq2(c.b_twist)};
    const B_TWIST_3: Fq2 = {fq2(tuple(3 * v % c.q for v in c.b_twist))};
    const TWIST: TwistKind = TwistKind::{c.twist};
    const PSI: [Fq2; 2] = {fq2s(c.psi)};
    /// {c.g1_source}
    const G1_GENERATOR: [Fq; 2] = {row(map(fq, c.g1))};
    /// {c.g2_source}
    const G2_GENERATOR: [Fq2; 2] = {fq2s(c.g2)};
    const G1_COFACTOR: &'static [u64] = {words(c.g1_cofactor)};
    const G2_COFACTOR: &'static [u64] = {words(c.g2_cofactor)};
    const G1_BETA: Fq = {fq(c.beta)};
    const G2_BETA: Fq = {fq(c.beta2)};
    const LAMBDA: [u64; 4] = {limbs(c.lam, 4)};
    const GLV_BASIS: [[(u128, bool); 2]; 2] = {row(row(map(signed, v)) for v in c.glv_basis)};
    const GLV_ROUNDING: [([u64; 4], bool); 2] = {row(f"({limbs(abs(g), 4)}, {sign(g)})" for g in c.glv_rounding)};
}}
""" + edwards(c)


def edwards(c: Curve) -> str:
    """The twisted Edwards form of G1, where the curve has one."""
    if not c.edwards:
        return ""
    d, alpha, s_inv, stretch, g = c.edwards
    constant = lambda name, doc, value: (  # noqa: E731
        f"\n/// {doc}\npub(super) const EDWARDS_{name}: Fq = Fq::constant({limbs(value, c.q_limbs)});\n")
    return "".join([
        constant("D", "The constant d of G1's twisted Edwards form -x^2 + y^2 = 1 + d x^2 y^2.", d),
        constant("ALPHA", "The first coordinate of the point of order two that the form is built on.", alpha),
        constant("S_INVERSE", "sqrt(3 alpha^2): Montgomery's u is (X - alpha) divided by it.", s_inv),
        constant("STRETCH", "sqrt(-(A + 2)/B) of the Montgomery form: what makes a = -1.", stretch),
        constant("X", "The generator of G1 in twisted Edwards form, first coordinate.", g[0]),
        constant("Y", "The generator of G1 in twisted Edwards form, second coordinate.", g[1]),
    ])


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in CURVES:
        print(f"usage: curves.py ({' | '.join(CURVES)})", file=sys.stderr)
        return 2
    sys.stdout.write(render(CURVES[sys.argv[1]]()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
