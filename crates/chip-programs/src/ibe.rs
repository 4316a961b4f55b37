//! Identity-based encryption by Boneh and Franklin: the arithmetic of encryption and decryption. The loader computes
//! hashes and masks and compares bytes.
//!
//! Public keys are in either group, identities in the other. Scalars and decryption keys are secret: they influence
//! nothing except which rows of a table are read.

use super::control::{one, zero};
use super::decompress::{self, Compressed, encoded};
use super::endomorphism::{self, TABLE};
use super::fields::all_zero;
use super::pairing::{self, Pair};
use super::points::{self, Group, Rows, affine_rows, at, homogeneous_rows};
use super::product::UNROLL;
use super::{Builder, Chain, Inputs, Program, Region, hash, resident, subgroup};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, HashToCurve, PointError};

/// The two points of a pairing, in the order of the groups.
fn pair(keys: Group, key: Region, other: Region) -> Pair {
    match keys {
        Group::G1 => Pair { p: key, q: other },
        Group::G2 => Pair { p: other, q: key },
    }
}

/// Computes the parts of an encryption to an identity: `U = r·G` and `e(Q_id, P)^r`, the latter with the exponent moved
/// into G1. Constant time in all inputs; `r` must not be zero.
///
/// Regions: `elements` (2 rows, of the identity), `master` (2 rows, the public key `P`, affine, checked), `digits` (2 rows,
/// [`endomorphism::digits`] of `r` in the group of the keys and in the first group); `ciphertext` (2 rows, `U`,
/// affine), `result` (6 rows).
///
/// # Errors
/// The program does not fit the machine.
pub fn encryption(keys: Group, spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    match keys {
        Group::G1 => encryption_to::<G1, G2>(spec, options),
        Group::G2 => encryption_to::<G2, G1>(spec, options),
    }
}

/// The input regions of [`encryption`] for the exponent `r`.
pub fn encryption_inputs<K: Rows, S: Rows + HashToCurve>(
    master: &Affine<K>,
    identity: &[u8],
    dst: &[u8],
    r: &Fr,
) -> Inputs<Fq> {
    vec![
        ("elements", hash::element_rows::<S>(identity, dst).to_vec()),
        ("master", affine_rows(master).to_vec()),
        ("digits", vec![endomorphism::digits(K::GROUP, r), endomorphism::digits(Group::G1, r)]),
    ]
}

fn encryption_to<K: Rows, S: Rows + HashToCurve>(
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let mut b = hash::map_builder::<S>(None);
    let (elements, identity) = (b.region("elements", 2), b.region("identity", 2));
    let (master, digits) = (b.region("master", 2), b.region("digits", 2));
    let (ciphertext, result) = (b.region("ciphertext", 2), b.region("result", 6));
    let [map, clear] = hash::phases::<S>(b, (elements, identity), spec, options)?;

    let groups: &[Group] = if K::GROUP == Group::G1 { &[Group::G1] } else { &[Group::G1, Group::G2] };
    let mut b = Builder::after(&clear, groups.iter().flat_map(|g| endomorphism::routines(*g)));
    let (base, argument) = (b.region("base", 3), b.region("argument", 2));
    let table = b.region("table", TABLE);
    let generator = b.shared(&homogeneous_rows(&K::GENERATOR));
    b.mul_in_subgroup(K::GROUP, generator, digits.part(0, 1), table);
    b.run(&K::GROUP.routine("affine"));
    b.store(ciphertext, at::ACC);
    let (in_g1, in_g2) = if K::GROUP == Group::G1 { (master, identity) } else { (identity, master) };
    b.bring_affine(in_g1, at::ACC);
    b.store(base, at::ACC);
    b.mul_in_subgroup(Group::G1, base, digits.part(1, 1), table);
    b.run("g1_affine");
    b.store(argument, at::ACC);
    let multiples = b.finish(spec, options)?;

    let last = one_pairing(&multiples, Pair { p: argument, q: in_g2 }, result, spec, options)?;
    Ok(Chain { phases: vec![map, clear, multiples, last] })
}

fn one_pairing(
    before: &Program<Fq>,
    pair: Pair,
    result: Region,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::after(before, resident::routines(UNROLL));
    pairing::miller(&mut b, &[pair]);
    pairing::final_exponentiation(&mut b, result, UNROLL);
    b.finish(spec, options)
}

/// Computes the first part of a decryption: whether `U` is a point of the subgroup, and `e(D, U)` for the decryption
/// key `D`. The time depends on `U`, which is public, but not on the key.
///
/// Regions: `x`, `larger`, `infinity` (1 row each, of `U`), `secret` (2 rows, `D`, affine, checked); `ciphertext` (2
/// rows, `U`, affine), `verdict` (one if `U` is valid; otherwise zero, and the other results must not be used),
/// `result` (6 rows).
///
/// # Errors
/// The program does not fit the machine.
pub fn decryption(keys: Group, spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let routines = points::routines(keys).into_iter().chain(subgroup::routines(keys));
    let mut b = Builder::new(routines.chain(decompress::routines(1)));
    let ciphertext = b.region("ciphertext", 2);
    let compressed = Compressed {
        groups: &[keys],
        x: b.region("x", 1),
        larger: b.region("larger", 1),
        infinity: b.region("infinity", 1),
        to: &[ciphertext],
        table: b.scratch("powers", Builder::pow_rows(1)),
    };
    let (secret, result) = (b.region("secret", 2), b.region("result", 6));
    // The pairing's arguments: U and the key, or (0, 0) and the generator of G2 if U is infinity.
    let (first, second) = (b.region("first", 2), b.region("second", 2));
    let zeros = b.shared(&[zero(), zero()]);
    let generator = b.shared(&affine_rows(&G2::GENERATOR));
    let verdict = b.verdict();
    let reject = b.label();
    b.copy(zeros, first);
    b.copy(generator, second);
    b.decompress_vartime(&compressed, reject);
    let finite = |b: &mut Builder<Fq>| {
        b.unless_member_vartime(keys, ciphertext, reject);
        let Pair { p, q } = pair(keys, ciphertext, secret);
        b.copy(p, first);
        b.copy(q, second);
    };
    b.choose_by(LoopReg::J, compressed.infinity, |_| (), finite);
    b.accept(verdict);
    b.bind(reject);
    let check = b.finish(spec, options)?;
    let last = one_pairing(&check, Pair { p: first, q: second }, result, spec, options)?;
    Ok(Chain { phases: vec![check, last] })
}

/// The input regions of [`decryption`]: `U` in the form of [`pairwright_curve::encoding::ZcashCompressed`], and the key.
///
/// # Errors
/// The bytes are not a valid encoding.
pub fn decryption_inputs<K: Rows, S: Rows>(
    ciphertext: &[u8],
    secret: &Affine<S>,
) -> Result<Inputs<Fq>, PointError> {
    let u = encoded::<K>(ciphertext)?;
    Ok(vec![
        ("x", vec![u.x]),
        ("larger", vec![u.larger]),
        ("infinity", vec![u.infinity]),
        ("secret", affine_rows(secret).to_vec()),
    ])
}

/// Computes the last part of a decryption: whether `U = r·G` for the recovered exponent. Constant time.
///
/// Regions: `digits` ([`endomorphism::digits`] of `r`), `ciphertext` (2 rows, `U`, affine); `verdict` (one or zero).
///
/// # Errors
/// The program does not fit the machine.
pub fn confirmation(keys: Group, spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let differ = Trace::graph(|t| {
        let ([x, y], [u, v]) = (t.inputs("affine", at::ACC), t.inputs("other", at::POINT));
        t.outputs("zero", 0, [all_zero([x - u, y - v])]);
    });
    let not = Trace::graph(|t| {
        let [x, one] = t.inputs("x", 0);
        t.outputs("x", 0, [one - x]);
    });
    let own = [("points_differ".to_owned(), differ), ("not".to_owned(), not)];
    let mut b = Builder::new(endomorphism::routines(keys).into_iter().chain(own));
    let (digits, ciphertext) = (b.region("digits", 1), b.region("ciphertext", 2));
    let (verdict, table) = (b.region("verdict", 1), b.region("table", TABLE));
    let generator = match keys {
        Group::G1 => b.shared(&homogeneous_rows(&G1::GENERATOR)),
        Group::G2 => b.shared(&homogeneous_rows(&G2::GENERATOR)),
    };
    b.mul_in_subgroup(keys, generator, digits, table);
    b.run(&keys.routine("affine"));
    b.load(ciphertext, at::POINT);
    b.run("points_differ");
    b.store(verdict, 0);
    b.nonzero(LoopReg::I, verdict, verdict);
    let one = b.shared(&[one()]);
    b.load(verdict, 0);
    b.load(one, 1);
    b.run("not");
    b.store(verdict, 0);
    Ok(b.finish(spec, options)?.into())
}

/// The input regions of [`confirmation`].
pub fn confirmation_inputs<K: Rows>(ciphertext: &Affine<K>, r: &Fr) -> Inputs<Fq> {
    vec![
        ("digits", vec![endomorphism::digits(K::GROUP, r)]),
        ("ciphertext", affine_rows(ciphertext).to_vec()),
    ]
}
