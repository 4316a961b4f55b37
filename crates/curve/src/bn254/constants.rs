//! BN254 (alt_bn128) as data: canonical little-endian limbs (not Montgomery) as constants of its family.
//!
//! Derived: `python3 derive/curves.py bn254 > crates/curve/src/bn254/constants.rs`. Do not edit.

use crate::pairing::{self, Bn, PairingData, Tower, TwistKind, quad, quads};
use pairwright_field::{Cubic, Fp, MinusSmall, Modulus, Quad, Root, SmallPlusRoot};

/// The base prime q, 254 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FqModulus;
impl Modulus<4> for FqModulus {
    const NAME: &'static str = "BN254 Fq";
    const P: [u64; 4] = [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
    const NON_RESIDUE: u64 = 3;
}

/// The group order r, 254 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrModulus;
impl Modulus<4> for FrModulus {
    const NAME: &'static str = "BN254 Fr";
    const P: [u64; 4] = [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];
    const NON_RESIDUE: u64 = 5;
}

/// The base field, in which the coordinates of G1 lie.
pub type Fq = Fp<FqModulus, 4>;
/// The scalar field, whose order is that of both groups.
pub type Fr = Fp<FrModulus, 4>;
/// The root u that Fq2 adjoins, with `u² = -1`.
pub type U = MinusSmall<1>;
/// The root v that Fq6 adjoins, with `v³ = ξ = 9 + u`.
pub type V = SmallPlusRoot<9>;
/// The quadratic extension `Fq[u]/(u² + 1)`.
pub type Fq2 = Quad<Fq, U>;
/// The cubic extension `Fq2[v]/(v³ - ξ)` with `ξ = 9 + u`.
pub type Fq6 = Cubic<Fq2, V>;
/// The quadratic extension `Fq6[w]/(w² - v)`, in which pairings have their values.
pub type Fq12 = Quad<Fq6, Root>;
/// The optimal ate pairing of BN254.
pub type Bn254 = Bn<Parameters>;
/// The group of order r on `y² = x³ + 3` over Fq.
pub type G1 = pairing::G1<Bn254>;
/// The group of order r on the D-type sextic twist over Fq2.
pub type G2 = pairing::G2<Bn254>;

/// The constants of BN254, from which its family makes the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters;
impl Tower for Parameters {
    type Fq = Fq;
    type U = U;
    type V = V;
    const FROBENIUS: [[Fq2; 6]; 3] = [quads([[[0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0xd60b35dadcc9e470, 0x5c521e08292f2176, 0xe8b99fdd76e68b60, 0x1284b71c2865a7df], [0xca5cf05f80f362ac, 0x747992778eeec7e5, 0xa6327cfe12150b8e, 0x246996f3b4fae7e6]], [[0x99e39557176f553d, 0xb78cc310c2c3330c, 0x4c0bec3cf559b143, 0x2fb347984f7911f7], [0x1665d51c640fcba2, 0x32ae2a1d0b7c9dce, 0x4ba4cc8bd75a0794, 0x16c9e55061ebae20]], [[0xdc54014671a0135a, 0xdbaae0eda9c95998, 0xdc5ec698b6e2f9b9, 0x063cf305489af5dc], [0x82d37f632623b0e3, 0x21807dc98fa25bd2, 0x0704b5a7ec796f2b, 0x07c03cbcac41049a]], [[0x848a1f55921ea762, 0xd33365f7be94ec72, 0x80f3c0b75a181e84, 0x05b54f5e64eea801], [0xc13b4711cd2b8126, 0x3685d2ea1bdec763, 0x9f3a80b03b0b1c92, 0x2c145edbe7fd8aee]], [[0x2ea2c810eab7692f, 0x425c459b55aa1bd3, 0xe93a3661a4353ff4, 0x0183c1e74f798649], [0x24c6b8ee6e0c2c4b, 0xb080cb99678e2ac0, 0xa27fb246c7729f7d, 0x12acf2ca76fd0675]]]), quads([[[0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0xe4bd44e5607cfd49, 0xc28f069fbb966e3d, 0x5e6dd9e7e0acccb0, 0x30644e72e131a029], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0xe4bd44e5607cfd48, 0xc28f069fbb966e3d, 0x5e6dd9e7e0acccb0, 0x30644e72e131a029], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0x3c208c16d87cfd46, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0x5763473177fffffe, 0xd4f263f1acdb5c4f, 0x59e26bcea0d48bac, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0x5763473177ffffff, 0xd4f263f1acdb5c4f, 0x59e26bcea0d48bac, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]]]), quads([[[0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]], [[0xe86f7d391ed4a67f, 0x894cb38dbe55d24a, 0xefe9608cd0acaa90, 0x19dc81cfcc82e4bb], [0x7694aa2bf4c0c101, 0x7f03a5e397d439ec, 0x06cbeee33576139d, 0x00abf8b60be77d73]], [[0x7b746ee87bdcfb6d, 0x805ffd3d5d6942d3, 0xbaff1c77959f25ac, 0x0856e078b755ef0a], [0x380cab2baaa586de, 0x0fdf31bf98ff2631, 0xa9f30e6dec26094f, 0x04f1de41b3d1766f]], [[0x5fcc8ad066dce9ed, 0xbbd689a3bea870f4, 0xdbf17f1dca9e5ea3, 0x2a275b6d9896aa4c], [0xb94d0cb3b2594c64, 0x7600ecc7d8cf6eba, 0xb14b900e9507e932, 0x28a411b634f09b8f]], [[0x0e1a92bc3ccbf066, 0xe633094575b06bcb, 0x19bee0f7b5b2444e, 0x0bc58c6611c08dab], [0x5fe3ed9d730c239f, 0xa44a9e08737f96e5, 0xfeb0f6ef0cd21d04, 0x23d5e999e1910a12]], [[0xebde847076261b43, 0x2ed68098967c84a5, 0x711699fa3b4d3f69, 0x13c49044952c0905], [0x1f25041384282499, 0x3e2ddaea20028021, 0x9fb1b2282a48633d, 0x16db366a59b1dd0b]]])];
}
impl PairingData for Parameters {
    type Fr = Fr;
    const NAME: &'static str = "BN254";
    const G1_NAME: &'static str = "BN254 G1";
    const G2_NAME: &'static str = "BN254 G2";
    const X: u64 = 0x44e992b44a6909f1;
    const X_NEGATIVE: bool = false;
    const X_DIGITS: &'static [i8] = &[1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, -3, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, -5, 0, 0, 0, -3, 0, 0, 0, 1, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7, 0, 0, 0, -7, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, -1, 0, 0, 0, 1];
    /// The digits of |6x + 2| below the leading one, highest first.
    const MILLER_DIGITS: &'static [i8] = &[0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 0, -1, 0, 1, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 0];
    const B: u64 = 3;
    const B_BASE: Fq = Fq::constant([0x0000000000000003, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]);
    const B_TWIST: Fq2 = quad([[0x3267e6dc24a138e5, 0xb5b4c5e559dbefa3, 0x81be18991be06ac3, 0x2b149d40ceb8aaae], [0xe4a2bd0685c315d2, 0xa74fa084e52d1852, 0xcd2cafadeed8fdf4, 0x009713b03af0fed4]]);
    const B_TWIST_3: Fq2 = quad([[0x1ef69c66bce9b021, 0xf21b7c8d3cb039cf, 0x1499be5e509e8f8f, 0x20753adca9c6bfb8], [0xade8371391494176, 0xf5eee18eaf8748f8, 0x67860f09cc8af9dd, 0x01c53b10b0d2fc7e]]);
    const TWIST: TwistKind = TwistKind::D;
    const PSI: [Fq2; 2] = quads([[[0x99e39557176f553d, 0xb78cc310c2c3330c, 0x4c0bec3cf559b143, 0x2fb347984f7911f7], [0x1665d51c640fcba2, 0x32ae2a1d0b7c9dce, 0x4ba4cc8bd75a0794, 0x16c9e55061ebae20]], [[0xdc54014671a0135a, 0xdbaae0eda9c95998, 0xdc5ec698b6e2f9b9, 0x063cf305489af5dc], [0x82d37f632623b0e3, 0x21807dc98fa25bd2, 0x0704b5a7ec796f2b, 0x07c03cbcac41049a]]]);
    /// The generator of EIP-197.
    const G1_GENERATOR: [Fq; 2] = [Fq::constant([0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]), Fq::constant([0x0000000000000002, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000])];
    /// The generator of EIP-197.
    const G2_GENERATOR: [Fq2; 2] = quads([[[0x46debd5cd992f6ed, 0x674322d4f75edadd, 0x426a00665e5c4479, 0x1800deef121f1e76], [0x97e485b7aef312c2, 0xf1aa493335a9e712, 0x7260bfb731fb5d25, 0x198e9393920d483a]], [[0x4ce6cc0166fa7daa, 0xe3d1e7690c43d37b, 0x4aab71808dcb408f, 0x12c85ea5db8c6deb], [0x55acdadcd122975b, 0xbc4b313370b38ef3, 0xec9e99ad690c3395, 0x090689d0585ff075]]]);
    const G1_COFACTOR: &'static [u64] = &[0x0000000000000001];
    const G2_COFACTOR: &'static [u64] = &[0x345f2299c0f9fa8d, 0x06ceecda572a2489, 0xb85045b68181585e, 0x30644e72e131a029];
    const G1_BETA: Fq = Fq::constant([0x5763473177fffffe, 0xd4f263f1acdb5c4f, 0x59e26bcea0d48bac, 0x0000000000000000]);
    const G2_BETA: Fq = Fq::constant([0xe4bd44e5607cfd48, 0xc28f069fbb966e3d, 0x5e6dd9e7e0acccb0, 0x30644e72e131a029]);
    const LAMBDA: [u64; 4] = [0x8b17ea66b99c90dd, 0x5bfc41088d8daaa7, 0xb3c4d79d41a91758, 0x0000000000000000];
    const GLV_BASIS: [[(u128, bool); 2]; 2] = [[(0x89d3256894d213e3, false), (0x6f4d8248eeb859fc8211bbeb7d4f1128, true)], [(0x6f4d8248eeb859fd0be4e1541221250b, false), (0x89d3256894d213e3, false)]];
    const GLV_ROUNDING: [([u64; 4], bool); 2] = [([0xd91d232ec7e0b3d7, 0x0000000000000002, 0x0000000000000000, 0x0000000000000000], false), ([0x7a7bd9d4391eb18e, 0x4ccef014a773d2cf, 0x0000000000000002, 0x0000000000000000], false)];
}
