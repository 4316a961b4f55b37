//! Tiny BLS12 (a test fixture without security) as data: canonical little-endian limbs (not Montgomery) as constants of its family.
//!
//! Derived: `python3 derive/curves.py tiny_bls12 > crates/curve/src/tiny_bls12/constants.rs`. Do not edit.

use crate::pairing::{self, Bls12, PairingData, Tower, TwistKind, quad, quads};
use pairwright_field::{Cubic, Fp, MinusSmall, Modulus, Quad, Root, SmallPlusRoot};

/// The base prime q, 34 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FqModulus;
impl Modulus<1> for FqModulus {
    const NAME: &'static str = "Tiny BLS12 Fq";
    const P: [u64; 1] = [0x000000027aa1e143];
    const NON_RESIDUE: u64 = 2;
}

/// The group order r, 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrModulus;
impl Modulus<1> for FrModulus {
    const NAME: &'static str = "Tiny BLS12 Fr";
    const P: [u64; 1] = [0x00000000009603c1];
    const NON_RESIDUE: u64 = 13;
}

/// The base field, in which the coordinates of G1 lie.
pub type Fq = Fp<FqModulus, 1>;
/// The scalar field, whose order is that of both groups.
pub type Fr = Fp<FrModulus, 1>;
/// The root u that Fq2 adjoins, with `u² = -1`.
pub type U = MinusSmall<1>;
/// The root v that Fq6 adjoins, with `v³ = ξ = 1 + u`.
pub type V = SmallPlusRoot<1>;
/// The quadratic extension `Fq[u]/(u² + 1)`.
pub type Fq2 = Quad<Fq, U>;
/// The cubic extension `Fq2[v]/(v³ - ξ)` with `ξ = 1 + u`.
pub type Fq6 = Cubic<Fq2, V>;
/// The quadratic extension `Fq6[w]/(w² - v)`, in which pairings have their values.
pub type Fq12 = Quad<Fq6, Root>;
/// The optimal ate pairing of Tiny BLS12.
pub type TinyBls12 = Bls12<Parameters>;
/// The group of order r on `y² = x³ + 4` over Fq.
pub type G1 = pairing::G1<TinyBls12>;
/// The group of order r on the M-type sextic twist over Fq2.
pub type G2 = pairing::G2<TinyBls12>;

/// The constants of Tiny BLS12, from which its family makes the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters;
impl Tower for Parameters {
    type Fq = Fq;
    type U = U;
    type V = V;
    const FROBENIUS: [[Fq2; 6]; 3] = [quads([[[0x0000000000000001], [0x0000000000000000]], [[0x00000000e6bfee29], [0x0000000193e1f31a]], [[0x0000000000000000], [0x000000025804277c]], [[0x00000000242e8ce6], [0x00000000242e8ce6]], [[0x000000025804277d], [0x0000000000000000]], [[0x000000010aee7b0f], [0x000000016fb36634]]]), quads([[[0x0000000000000001], [0x0000000000000000]], [[0x00000000229db9c7], [0x0000000000000000]], [[0x00000000229db9c6], [0x0000000000000000]], [[0x000000027aa1e142], [0x0000000000000000]], [[0x000000025804277c], [0x0000000000000000]], [[0x000000025804277d], [0x0000000000000000]]]), quads([[[0x0000000000000001], [0x0000000000000000]], [[0x000000025673545d], [0x00000000242e8ce6]], [[0x0000000000000000], [0x0000000000000001]], [[0x000000025673545d], [0x000000025673545d]], [[0x000000027aa1e142], [0x0000000000000000]], [[0x00000000242e8ce6], [0x000000025673545d]]])];
}
impl PairingData for Parameters {
    type Fr = Fr;
    const NAME: &'static str = "Tiny BLS12";
    const G1_NAME: &'static str = "Tiny BLS12 G1";
    const G2_NAME: &'static str = "Tiny BLS12 G2";
    const X: u64 = 0x38;
    const X_NEGATIVE: bool = true;
    const X_DIGITS: &'static [i8] = &[1, 0, 0, -1, 0, 0, 0];
    /// The digits of |x| below the leading one, highest first.
    const MILLER_DIGITS: &'static [i8] = &[0, 0, -1, 0, 0, 0];
    const B: u64 = 4;
    const B_BASE: Fq = Fq::constant([0x0000000000000004]);
    const B_TWIST: Fq2 = quad([[0x0000000000000004], [0x0000000000000004]]);
    const B_TWIST_3: Fq2 = quad([[0x000000000000000c], [0x000000000000000c]]);
    const TWIST: TwistKind = TwistKind::M;
    const PSI: [Fq2; 2] = quads([[[0x0000000000000000], [0x000000025804277d]], [[0x000000025673545d], [0x00000000242e8ce6]]]);
    /// The point with the smallest x and the smaller y, times the cofactor.
    const G1_GENERATOR: [Fq; 2] = [Fq::constant([0x00000000433eb21b]), Fq::constant([0x000000012d35674a])];
    /// The point with the smallest x in Fq and the smaller y, times the cofactor.
    const G2_GENERATOR: [Fq2; 2] = quads([[[0x000000026f5a96e1], [0x0000000257fd89e6]], [[0x000000016f67076c], [0x0000000052caca9b]]]);
    const G1_COFACTOR: &'static [u64] = &[0x000000000000043b];
    const G2_COFACTOR: &'static [u64] = &[0x00000a7ccad30dc5];
    const G1_BETA: Fq = Fq::constant([0x000000025804277c]);
    const G2_BETA: Fq = Fq::constant([0x00000000229db9c6]);
    const LAMBDA: [u64; 4] = [0x0000000000000c3f, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000];
    const GLV_BASIS: [[(u128, bool); 2]; 2] = [[(0x1, false), (0xc40, false)], [(0xc3f, true), (0x1, false)]];
    const GLV_ROUNDING: [([u64; 4], bool); 2] = [([0x638f7ebc4d388c27, 0x6242bbf84bbd4df6, 0x8e0d10a57856c4b5, 0x000001b4dd2c7703], false), ([0x9dd082b1f4b4db21, 0xb17ea19fcefb0a43, 0x200beb0226e9adf3, 0x0014e79560b1eb8c], true)];
}
