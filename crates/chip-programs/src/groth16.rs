//! Verification of Groth16 proofs: a proof of 192 bytes is the input, a verdict the output.
//!
//! The first program decompresses the three points, checks that they are on their curves and in their subgroups, and
//! computes the linear combination `IC` of the public values. The second program checks the pairing equation
//! `e(-A, B)·e(IC, γ)·e(C, δ) = e(α, β)⁻¹`, whose right side is part of the key.

use super::control::zero;
use super::decompress::{self, Compressed, Encoded, encoded};
use super::endomorphism::{self, TABLE, halves};
use super::fields::raw_one;
use super::pairing::Pair;
use super::points::{self, Group, affine_rows, at, homogeneous_rows};
use super::product;
use super::{Builder, Chain, Inputs, Region, subgroup};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Pairing, PointError};
use thiserror::Error;

/// Rows of the global bank that are used besides those of the public values.
const ROWS: usize = 206;
/// The largest number of public values, limited by the four rows of the global bank for each.
pub const MOST: usize = (256 - ROWS) / 4;

/// The evaluation of the pairing equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// Three full pairings, multiplied in the target group, which corresponds to the energy printed in \[CP\].
    Full,
    /// Three Miller loops with shared squarings, and one final exponentiation.
    Shared,
}

/// A verifying key, with the pairing of its first two elements computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The constant `e(α, β)⁻¹`.
    pub closing: Fq12,
    /// The point `γ` of G2.
    pub gamma: Affine<G2>,
    /// The point `δ` of G2.
    pub delta: Affine<G2>,
    /// The points of the constant one and of the public wires, in this order.
    pub ic: Vec<Affine<G1>>,
}

impl Key {
    /// Makes the key from the elements of a verifying key.
    pub fn new(
        alpha: &Affine<G1>,
        beta: &Affine<G2>,
        gamma: Affine<G2>,
        delta: Affine<G2>,
        ic: Vec<Affine<G1>>,
    ) -> Self {
        let closing = Bls12_381::gt_inverse(&Bls12_381::pairing(alpha, beta));
        Self { closing, gamma, delta, ic }
    }
}

/// Why a proof cannot be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Bytes that do not encode a coordinate.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The proof is not 192 bytes long.
    #[error("a proof has 192 bytes, not {0}")]
    Length(usize),
    /// The number of public values does not match the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// The number that the key requires.
        expected: usize,
        /// The number of public values given.
        found: usize,
    },
}

/// The input regions of [`verification_vartime`]: a proof is `A`, `B`, `C` in the form of
/// [`pairwright_curve::encoding::ZcashCompressed`].
///
/// # Errors
/// The bytes are not a valid encoding, or the number of public values is wrong.
pub fn inputs(key: &Key, public: &[Fr], proof: &[u8]) -> Result<Inputs<Fq>, LoadError> {
    if proof.len() != 192 {
        return Err(LoadError::Length(proof.len()));
    }
    if public.len() + 1 != key.ic.len() {
        return Err(LoadError::PublicCount { expected: key.ic.len().saturating_sub(1), found: public.len() });
    }
    let points: [Encoded; 3] =
        [encoded::<G1>(&proof[..48])?, encoded::<G2>(&proof[48..144])?, encoded::<G1>(&proof[144..])?];
    let mut rows = vec![
        ("x", points.iter().map(|p| p.x).collect()),
        ("larger", points.iter().map(|p| p.larger).collect()),
        ("infinity", points.iter().map(|p| p.infinity).collect()),
        ("ic", key.ic.iter().flat_map(homogeneous_rows).collect()),
        ("gamma", affine_rows(&key.gamma).to_vec()),
        ("delta", affine_rows(&key.delta).to_vec()),
        ("closing", product::target_rows(&key.closing).to_vec()),
    ];
    if !public.is_empty() {
        rows.push(("public", public.iter().map(halves).collect()));
    }
    Ok(rows)
}

/// Verifies proofs with `public` public values, in two programs. The time depends on proof and values, which are
/// public.
///
/// Regions: `x`, `larger`, `infinity` (3 rows each, of `A`, `B`, `C`: [`Encoded`]), `public` (1 row each, [`halves`]), `ic`
/// (3 rows each, homogeneous), `gamma`, `delta` (2 rows each, affine), `closing` (6 rows); `verdict` (one or zero).
///
/// # Errors
/// More than [`MOST`] public values, or the program does not fit the machine.
pub fn verification_vartime(
    public: usize,
    division: Division,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    if public > MOST {
        return Err(CompileError::Count { what: "public values", found: public, most: MOST });
    }
    let routines = endomorphism::routines(Group::G1)
        .into_iter()
        .chain(points::routines(Group::G2))
        .chain(subgroup::routines(Group::G1))
        .chain(subgroup::routines(Group::G2))
        .chain(decompress::routines(3));
    let mut b = Builder::new(routines);
    let proof = ["a", "b", "c"].map(|name| b.region(name, 2));
    let groups = [Group::G1, Group::G2, Group::G1];
    let compressed = Compressed {
        groups: &groups,
        x: b.region("x", 3),
        larger: b.region("larger", 3),
        infinity: b.region("infinity", 3),
        to: &proof,
        table: b.region("table", TABLE),
    };
    let ic = b.region("ic", 3 * (public as u8 + 1));
    let terms: Vec<(Region, Region)> = match public as u8 {
        0 => Vec::new(),
        n => {
            let scalars = b.region("public", n);
            (0..n).map(|i| (ic.part(3 * i + 3, 3), scalars.part(i, 1))).collect()
        }
    };
    let commitment = b.region("commitment", 2);
    let key = Pairs {
        gamma: b.region("gamma", 2),
        delta: b.region("delta", 2),
        closing: b.region("closing", 6),
        verdict: b.verdict(),
        // The integer one if the first program has found no fault.
        sound: b.constants("sound", &[zero()]),
    };
    let reject = b.label();
    b.decompress_vartime(&compressed, reject);
    for (i, (group, point)) in (0..).zip(groups.into_iter().zip(proof)) {
        let check = |b: &mut Builder<Fq>| b.unless_member_vartime(group, point, reject);
        b.choose_by(LoopReg::J, compressed.infinity.part(i, 1), |_| (), check);
    }
    b.add_multiples_in_g1(ic.part(0, 3), &terms, compressed.table);
    b.load(ic.part(0, 3), at::ACC);
    b.run("g1_affine");
    b.store(commitment, at::ACC);
    let minus = proof[0].part(1, 1);
    b.load(minus, 0);
    b.run("negate");
    b.store(minus, 0);
    let raw_one = b.shared(&[raw_one()]);
    b.copy(raw_one, key.sound);
    b.bind(reject);
    let first = b.finish(spec, options)?;

    let mut b = Builder::after(&first, product::routines());
    let pairs = [
        Pair { p: proof[0], q: proof[1] },
        Pair { p: commitment, q: key.gamma },
        Pair { p: proof[2], q: key.delta },
    ];
    key.equation(&mut b, pairs, division);
    let second = b.finish(spec, options)?;
    Ok(Chain { phases: vec![first, second] })
}

/// The regions that the second program reads.
struct Pairs {
    gamma: Region,
    delta: Region,
    closing: Region,
    verdict: Region,
    sound: Region,
}

impl Pairs {
    fn equation(&self, b: &mut Builder<Fq>, pairs: [Pair; 3], division: Division) {
        use super::resident::at;
        let end = b.label();
        let value = b.region("result", 6);
        b.load_scan(LoopReg::J, self.sound, 1);
        b.scan(LoopReg::J, end);
        match division {
            Division::Shared => b.pairings_vartime(&pairs, value),
            Division::Full => {
                let so_far = b.scratch("so far", 6);
                for (i, pair) in pairs.into_iter().enumerate() {
                    b.pairings_vartime(&[pair], value);
                    if i > 0 {
                        // The accumulator still holds this value.
                        b.load(so_far, at::G);
                        b.run("mul");
                    }
                    b.store(if i == 2 { value } else { so_far }, at::F);
                }
            }
        }
        b.unless_equal_vartime(value, self.closing, end);
        b.accept(self.verdict);
        b.bind(end);
    }
}
