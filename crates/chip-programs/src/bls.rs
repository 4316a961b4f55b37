//! Verification of BLS signatures (draft-irtf-cfrg-bls-signature, §2.7): public keys in either group, signatures and
//! hashed messages in the other.
//!
//! Four programs run in turn: the first decompresses and checks key and signature, two map the message's field elements
//! to a point ([`super::hash`]), and the last checks the equation `e(key, message)·e(-generator, signature) = 1`, with
//! arguments in the order of the groups.

use super::control::zero;
use super::decompress::{self, Compressed, encoded};
use super::fields::raw_one;
use super::pairing::Pair;
use super::points::{self, Group, Rows, affine_rows};
use super::product;
use super::{Builder, Chain, Inputs, hash, subgroup};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, G1, G2};
use pairwright_curve::{HashToCurve, PointError};

/// Verifies signatures under keys in the group `keys`. The time depends on key and signature, which are public, but not
/// on the message.
///
/// Regions: `x`, `larger`, `infinity` (2 rows each, of key and signature: [`decompress::Encoded`]), `elements` (2
/// rows, of the message); `verdict` (one or zero).
///
/// # Errors
/// The program does not fit the machine.
pub fn verification_vartime(
    keys: Group,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    match keys {
        Group::G1 => verification::<G1, G2>(spec, options),
        Group::G2 => verification::<G2, G1>(spec, options),
    }
}

/// The input regions of [`verification_vartime`]: key and signature in the form of
/// [`pairwright_curve::encoding::ZcashCompressed`], a message and the domain separation tag under which it is hashed.
///
/// # Errors
/// The bytes are not a valid encoding.
pub fn inputs<K: Rows, S: Rows + HashToCurve>(
    key: &[u8],
    signature: &[u8],
    message: &[u8],
    dst: &[u8],
) -> Result<Inputs<Fq>, PointError> {
    let points = [encoded::<K>(key)?, encoded::<S>(signature)?];
    Ok(vec![
        ("x", points.map(|p| p.x).to_vec()),
        ("larger", points.map(|p| p.larger).to_vec()),
        ("infinity", points.map(|p| p.infinity).to_vec()),
        ("elements", hash::element_rows::<S>(message, dst).to_vec()),
    ])
}

fn verification<K: Rows, S: Rows + HashToCurve>(
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let groups = [K::GROUP, S::GROUP];
    let of_groups = groups.into_iter().flat_map(|g| [points::routines(g), subgroup::routines(g)].concat());
    let mut b = Builder::new(of_groups.chain(decompress::routines(2)));
    let to = ["key", "signature"].map(|name| b.region(name, 2));
    let compressed = Compressed {
        groups: &groups,
        x: b.region("x", 2),
        larger: b.region("larger", 2),
        infinity: b.region("infinity", 2),
        to: &to,
        table: b.scratch("powers", Builder::pow_rows(2)),
    };
    let (elements, message) = (b.region("elements", 2), b.region("message", 2));
    let verdict = b.verdict();
    // The integer one if the first program has found no fault.
    let sound = b.constants("sound", &[zero()]);
    let reject = b.label();
    b.decompress_vartime(&compressed, reject);
    let [key, signature] = to;
    // Infinity is not a valid key; as a signature it is refused by the equation.
    b.choose_by(
        LoopReg::J,
        compressed.infinity.part(0, 1),
        |b| b.go(reject),
        |b| b.unless_member_vartime(K::GROUP, key, reject),
    );
    b.choose_by(
        LoopReg::J,
        compressed.infinity.part(1, 1),
        |_| (),
        |b| b.unless_member_vartime(S::GROUP, signature, reject),
    );
    let raw_one = b.shared(&[raw_one()]);
    b.copy(raw_one, sound);
    b.bind(reject);
    let first = b.finish(spec, options)?;

    let mapping = hash::map_builder::<S>(Some(&first));
    let [map, clear] = hash::phases::<S>(mapping, (elements, message), spec, options)?;

    let mut b = Builder::after(&clear, product::routines());
    let minus = b.constants("minus generator", &affine_rows(&-K::GENERATOR));
    let pair = |key, signature| match K::GROUP {
        Group::G1 => Pair { p: key, q: signature },
        Group::G2 => Pair { p: signature, q: key },
    };
    let (result, one) = (b.region("result", 6), b.shared(&super::pairing::ONE));
    let end = b.label();
    b.load_scan(LoopReg::J, sound, 1);
    b.scan(LoopReg::J, end);
    b.pairings_vartime(&[pair(key, message), pair(minus, signature)], result);
    b.unless_equal_vartime(result, one, end);
    b.accept(verdict);
    b.bind(end);
    let last = b.finish(spec, options)?;
    Ok(Chain { phases: vec![first, map, clear, last] })
}
