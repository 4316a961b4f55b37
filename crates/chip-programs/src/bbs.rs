//! BBS signatures over several messages (draft-irtf-cfrg-bbs-signatures): verification of signatures and of proofs, and
//! the points of a proof.
//!
//! The loader (the host software that fills the chip's memories) computes the hashes: messages, domain and challenge
//! are given as scalars, and the points of a proof are returned to be hashed. Sums of more terms than the global bank
//! holds continue from the result of an earlier run ([`sum`](fn@sum)).

use super::control::zero;
use super::decompress::{self, Compressed, Encoded, encoded};
use super::endomorphism::{self, TABLE, digits, halves};
use super::fields::raw_one;
use super::pairing::Pair;
use super::points::{self, Group, affine_rows, at, homogeneous_rows};
use super::product;
use super::{Builder, Chain, Inputs, Label, Program, Region, Value, subgroup};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Graph, Options};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, PointError};

/// The largest number of terms of the sum in one run of a signature verification, limited by the L1 memory.
pub const MOST_TERMS: usize = 11;
/// The largest number of terms of the second sum in one run of a proof verification.
pub const MOST_PROOF_TERMS: usize = 7;
/// The largest number of terms of [`sum`](fn@sum), and one more than the largest number of messages of
/// [`proof_points`].
pub const MOST_OF_SUM: usize = 18;

/// Rows of points of the first group and of the scalars that multiply them.
struct Terms {
    points: Region,
    scalars: Region,
}

impl Terms {
    /// Allocates the regions `points` (3 rows per term, homogeneous) and `scalars` (1 row per term, [`halves`]).
    fn new(b: &mut Builder<Fq>, count: u8) -> Self {
        Self { points: b.region("points", 3 * count), scalars: b.region("scalars", count) }
    }

    fn term(&self, i: u8) -> (Region, Region) {
        (self.points.part(3 * i, 3), self.scalars.part(i, 1))
    }
}

/// Points and scalars as the input regions of [`Terms`].
fn term_rows(terms: &[(Affine<G1>, Fr)]) -> Inputs<Fq> {
    vec![
        ("points", terms.iter().flat_map(|(point, _)| homogeneous_rows(point)).collect()),
        ("scalars", terms.iter().map(|(_, scalar)| halves(scalar)).collect()),
    ]
}

fn check(found: usize, least: usize, most: usize) -> Result<u8, CompileError> {
    if (least..=most).contains(&found) {
        Ok(found as u8)
    } else {
        Err(CompileError::Count { what: "terms", found, most })
    }
}

/// Adds multiples of points of the prime-order subgroup of G1: `sum += Σ scalar_i·point_i`. Constant time.
///
/// Regions: `sum` (3 rows, homogeneous), `points` (3 rows each, homogeneous), `scalars` (1 row each, [`halves`]).
///
/// # Errors
/// No terms or more than [`MOST_OF_SUM`], or the program does not fit the machine.
pub fn sum(terms: usize, spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let count = check(terms, 1, MOST_OF_SUM)?;
    let mut b = Builder::new(endomorphism::routines(Group::G1));
    let (sum, terms) = (b.region("sum", 3), Terms::new(&mut b, count));
    let table = b.region("table", TABLE);
    let all: Vec<_> = (0..count).map(|i| terms.term(i)).collect();
    b.add_multiples_in_g1(sum, &all, table);
    Ok(b.finish(spec, options)?.into())
}

/// The input regions of [`sum`](fn@sum).
pub fn sum_inputs(start: &Affine<G1>, terms: &[(Affine<G1>, Fr)]) -> Inputs<Fq> {
    [vec![("sum", homogeneous_rows(start).to_vec())], term_rows(terms)].concat()
}

/// The routines of a program that decompresses `n` points of these groups and adds multiples in G1.
fn routines(n: u8, groups: &[Group]) -> Vec<(String, Graph)> {
    let second =
        groups.contains(&Group::G2).then(|| [points::routines(Group::G2), subgroup::routines(Group::G2)]);
    endomorphism::routines(Group::G1)
        .into_iter()
        .chain(subgroup::routines(Group::G1))
        .chain(second.into_iter().flatten().flatten())
        .chain(decompress::routines(n))
        .collect()
}

/// The regions `x`, `larger` and `infinity` of compressed points, and the scratch table that powers and sums share.
fn compressed<'a>(b: &mut Builder<Fq>, groups: &'a [Group], to: &'a [Region]) -> Compressed<'a> {
    let n = groups.len() as u8;
    Compressed {
        groups,
        x: b.region("x", n),
        larger: b.region("larger", n),
        infinity: b.region("infinity", n),
        to,
        table: b.region("table", TABLE),
    }
}

impl Builder<Fq> {
    /// Decompresses points and jumps to `reject` unless all are finite points of the subgroups.
    fn finite_members_vartime(&mut self, points: &Compressed<'_>, reject: Label) {
        self.decompress_vartime(points, reject);
        for (i, (group, point)) in (0..).zip(points.groups.iter().zip(points.to)) {
            self.choose_by(
                LoopReg::J,
                points.infinity.part(i, 1),
                |b| b.go(reject),
                |b| b.unless_member_vartime(*group, *point, reject),
            );
        }
    }

    /// Copies a finite affine point to homogeneous coordinates.
    fn lifted(&mut self, point: Region, to: Region) {
        self.bring_affine(point, at::ACC);
        self.store(to, at::ACC);
    }

    /// Converts a homogeneous point to affine coordinates.
    fn lowered(&mut self, point: Region, to: Region) {
        self.load(point, at::ACC);
        self.run("g1_affine");
        self.store(to, at::ACC);
    }

    /// Computes `to = Σ scalar_i·point_i` in homogeneous coordinates.
    fn sum_of_multiples(&mut self, to: Region, terms: &[(Region, Region)], table: Region) {
        let infinity = self.shared(&points::infinity());
        self.copy(infinity, to);
        self.add_multiples_in_g1(to, terms, table);
    }
}

/// The last program of a verification: the verdict is one if `sound` is one and the product of the two pairings is one.
fn equation(
    before: &Program<Fq>,
    (verdict, sound): (Region, Region),
    pairs: impl FnOnce(&mut Builder<Fq>) -> [Pair; 2],
    spec: &MachineSpec,
    options: &Options,
) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::after(before, product::routines());
    let pairs = pairs(&mut b);
    let (result, one) = (b.region("result", 6), b.shared(&super::pairing::ONE));
    let end = b.label();
    b.load_scan(LoopReg::J, sound, 1);
    b.scan(LoopReg::J, end);
    b.pairings_vartime(&pairs, result);
    b.unless_equal_vartime(result, one, end);
    b.accept(verdict);
    b.bind(end);
    b.finish(spec, options)
}

/// Verifies signatures (§3.5.2), `e(A, W)·e(e·A - B, G2) = 1` for `B = P1 + domain·Q_1 + Σ msg_i·H_i`, in two programs.
/// The time depends on key and signature, but not on the scalars.
///
/// Regions: `x`, `larger`, `infinity` (2 rows each, of `W` and `A`: [`Encoded`]), `exponent` (1 row, [`halves`] of
/// `e`), `sum` (3 rows, homogeneous: `-P1`, or the sum after earlier terms), `points` and `scalars` of the terms of
/// `-B` (3 rows and 1 row each); `verdict` (one or zero).
///
/// # Errors
/// No terms or more than [`MOST_TERMS`], or the program does not fit the machine.
pub fn verification_vartime(
    terms: usize,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let count = check(terms, 1, MOST_TERMS)?;
    let groups = [Group::G2, Group::G1];
    let mut b = Builder::new(routines(2, &groups));
    let to = ["w", "a"].map(|name| b.region(name, 2));
    let compressed = compressed(&mut b, &groups, &to);
    let (exponent, sum) = (b.region("exponent", 1), b.region("sum", 3));
    let terms = Terms::new(&mut b, count);
    let (lifted, right) = (b.region("lifted", 3), b.region("right", 2));
    let verdict = b.verdict();
    // The integer one if the first program has found no fault.
    let sound = b.constants("sound", &[zero()]);
    let reject = b.label();
    b.finite_members_vartime(&compressed, reject);
    let [w, a] = to;
    b.lifted(a, lifted);
    let all: Vec<_> = (0..count).map(|i| terms.term(i)).chain([(lifted, exponent)]).collect();
    b.add_multiples_in_g1(sum, &all, compressed.table);
    b.lowered(sum, right);
    let raw_one = b.shared(&[raw_one()]);
    b.copy(raw_one, sound);
    b.bind(reject);
    let first = b.finish(spec, options)?;
    let pairs = |b: &mut Builder<Fq>| {
        let generator = b.constants("generator", &affine_rows(&G2::GENERATOR));
        [Pair { p: a, q: w }, Pair { p: right, q: generator }]
    };
    let second = equation(&first, (verdict, sound), pairs, spec, options)?;
    Ok(Chain { phases: vec![first, second] })
}

/// The input regions of [`verification_vartime`]: key and `A` in the form of
/// [`pairwright_curve::encoding::ZcashCompressed`], `e`, the initial sum, and the terms of `-B` that are not in that
/// sum.
///
/// # Errors
/// The bytes are not a valid encoding.
pub fn inputs(
    key: &[u8],
    (a, e): (&[u8], &Fr),
    start: &Affine<G1>,
    terms: &[(Affine<G1>, Fr)],
) -> Result<Inputs<Fq>, PointError> {
    let points = [encoded::<G2>(key)?, encoded::<G1>(a)?];
    let rows = [encoded_rows(&points), vec![("exponent", vec![halves(e)])], sum_inputs(start, terms)];
    Ok(rows.concat())
}

fn encoded_rows(points: &[Encoded]) -> Inputs<Fq> {
    vec![
        ("x", points.iter().map(|p| p.x).collect()),
        ("larger", points.iter().map(|p| p.larger).collect()),
        ("infinity", points.iter().map(|p| p.infinity).collect()),
    ]
}

/// Verifies proofs (§3.5.4) except for the challenge's hash, in two programs: computes the points
/// `T1 = c·B̄ + e^·Ā + r1^·D` and `T2 = c·(P1 + domain·Q_1 + Σ msg_i·H_i) + r3^·D + Σ m^_j·H_j`, which the loader
/// hashes and compares, and checks the equation `e(Ā, W)·e(B̄, -G2) = 1`. The time depends on the proof, which is
/// public.
///
/// Regions: `x`, `larger`, `infinity` (3 rows each, of `Ā`, `B̄` and `D`: [`Encoded`]), `key` (2 rows, `W`, affine,
/// checked), `responses` (4 rows, [`halves`] of `e^`, `c`, `r1^` and `r3^`), `sum` (3 rows, homogeneous: infinity, or
/// the sum after earlier terms), `points` and `scalars` of the terms of `T2` except `D` (3 rows and 1 row each); `t1`
/// and `t2` (2 rows each, affine), `verdict` (one or zero; if it is zero, the points must not be used).
///
/// # Errors
/// No terms or more than [`MOST_PROOF_TERMS`], or the program does not fit the machine.
pub fn proof_verification_vartime(
    terms: usize,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let count = check(terms, 1, MOST_PROOF_TERMS)?;
    let groups = [Group::G1; 3];
    let mut b = Builder::new(routines(3, &groups));
    let to = ["a_bar", "b_bar", "d"].map(|name| b.region(name, 2));
    let compressed = compressed(&mut b, &groups, &to);
    let (key, responses, sum) = (b.region("key", 2), b.region("responses", 4), b.region("sum", 3));
    let terms = Terms::new(&mut b, count);
    let lifted = b.region("lifted", 9);
    let (first_sum, t1, t2) = (b.region("first sum", 3), b.region("t1", 2), b.region("t2", 2));
    let verdict = b.verdict();
    let sound = b.constants("sound", &[zero()]);
    let reject = b.label();
    b.finite_members_vartime(&compressed, reject);
    for (i, point) in (0..).zip(to) {
        b.lifted(point, lifted.part(3 * i, 3));
    }
    let with_response = |i: u8, point: u8| (lifted.part(3 * point, 3), responses.part(i, 1));
    let of_t1 = [with_response(0, 0), with_response(1, 1), with_response(2, 2)];
    b.sum_of_multiples(first_sum, &of_t1, compressed.table);
    b.lowered(first_sum, t1);
    let of_t2: Vec<_> = (0..count).map(|i| terms.term(i)).chain([with_response(3, 2)]).collect();
    b.add_multiples_in_g1(sum, &of_t2, compressed.table);
    b.lowered(sum, t2);
    let raw_one = b.shared(&[raw_one()]);
    b.copy(raw_one, sound);
    b.bind(reject);
    let first = b.finish(spec, options)?;
    let [a_bar, b_bar, _] = to;
    let pairs = |b: &mut Builder<Fq>| {
        let minus = b.constants("minus generator", &affine_rows(&-G2::GENERATOR));
        [Pair { p: a_bar, q: key }, Pair { p: b_bar, q: minus }]
    };
    let second = equation(&first, (verdict, sound), pairs, spec, options)?;
    Ok(Chain { phases: vec![first, second] })
}

/// The input regions of [`proof_verification_vartime`]: `Ā`, `B̄` and `D` in the form of
/// [`pairwright_curve::encoding::ZcashCompressed`], 144 bytes; the key; `e^`, `c`, `r1^` and `r3^`; the initial sum,
/// and the terms of `T2` that are not in that sum.
///
/// # Errors
/// The bytes are not valid encodings.
pub fn proof_inputs(
    points: &[u8; 144],
    key: &Affine<G2>,
    responses: &[Fr; 4],
    start: &Affine<G1>,
    terms: &[(Affine<G1>, Fr)],
) -> Result<Inputs<Fq>, PointError> {
    let points: Vec<Encoded> = points.chunks(48).map(encoded::<G1>).collect::<Result<_, _>>()?;
    let own = vec![
        ("key", affine_rows(key).to_vec()),
        ("responses", responses.iter().map(halves).collect::<Vec<Value<Fq>>>()),
    ];
    Ok([encoded_rows(&points), own, sum_inputs(start, terms)].concat())
}

/// Computes the points of a proof (§3.7.1) from the signature and secret scalars: `B = P1 + domain·Q_1 + Σ msg_i·H_i`,
/// `D = r2·B`, `Ā = r1·r2·A`, `B̄ = r1·D - e·Ā`, `T1 = e~·Ā + r1~·D` and `T2 = r3~·D + Σ m~_j·H_j`. Constant time, but
/// which rows of a table are read depends on the scalars. The loader computes the challenge and the responses.
///
/// `hidden` holds the indexes of the hidden messages among `messages`. Regions: `a` (3 rows, homogeneous), `sum` (3
/// rows, homogeneous: `P1`), `points` and `scalars` (3 rows and 1 row each: `Q_1` with the domain, `H_i` with the
/// messages), `digits` (2 rows, [`digits`] of `r2` and `r1·r2`), `secrets` (5 rows, [`halves`] of `r1`, `-e`, `e~`,
/// `r1~` and `r3~`), `blinds` (1 row each, [`halves`] of `m~_j`); `a_bar`, `b_bar`, `d`, `t1`, `t2` (2 rows each,
/// affine).
///
/// # Errors
/// [`MOST_OF_SUM`] messages or more, hidden indexes out of range, or the program does not fit the machine.
pub fn proof_points(
    messages: usize,
    hidden: &[usize],
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let count = check(messages + 1, 1, MOST_OF_SUM)?;
    if let Some(index) = hidden.iter().find(|index| **index >= messages) {
        return Err(CompileError::Count {
            what: "the index of a hidden message",
            found: *index,
            most: messages,
        });
    }
    let mut b = Builder::new(endomorphism::routines(Group::G1));
    let (a, sum, terms) = (b.region("a", 3), b.region("sum", 3), Terms::new(&mut b, count));
    let (digits, secrets) = (b.region("digits", 2), b.region("secrets", 5));
    let table = b.region("table", TABLE);
    let [a_bar, b_bar, d, t1, t2] = ["a_bar", "b_bar", "d", "t1", "t2"].map(|name| b.region(name, 2));
    let [a_bar_h, d_h, other] = ["a_bar lifted", "d lifted", "other"].map(|name| b.region(name, 3));
    let all: Vec<_> = (0..count).map(|i| terms.term(i)).collect();
    b.add_multiples_in_g1(sum, &all, table);
    for (point, i, lifted, affine) in [(sum, 0, d_h, d), (a, 1, a_bar_h, a_bar)] {
        b.mul_in_subgroup(Group::G1, point, digits.part(i, 1), table);
        b.store(lifted, at::ACC);
        b.lowered(lifted, affine);
    }
    let secret = |i: u8| secrets.part(i, 1);
    b.sum_of_multiples(other, &[(d_h, secret(0)), (a_bar_h, secret(1))], table);
    b.lowered(other, b_bar);
    b.sum_of_multiples(other, &[(a_bar_h, secret(2)), (d_h, secret(3))], table);
    b.lowered(other, t1);
    let mut of_t2 = vec![(d_h, secret(4))];
    if !hidden.is_empty() {
        let blinds = b.region("blinds", check(hidden.len(), 1, MOST_OF_SUM)?);
        // The first point is Q_1.
        of_t2.extend((0..).zip(hidden).map(|(i, index)| (terms.term(*index as u8 + 1).0, blinds.part(i, 1))));
    }
    b.sum_of_multiples(other, &of_t2, table);
    b.lowered(other, t2);
    Ok(b.finish(spec, options)?.into())
}

/// The secret inputs of [`proof_points`].
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// The signature's point.
    pub a: Affine<G1>,
    /// The signature's scalar.
    pub e: Fr,
    /// The random scalars `r1`, `r2`, `e~`, `r1~` and `r3~`, and one for each hidden message.
    pub random: &'a [Fr],
}

/// The input regions of [`proof_points`]: `P1`, the terms `Q_1` with the domain and `H_i` with the messages, and the
/// secrets; `None` if there are fewer than five random scalars.
pub fn proof_points_inputs(
    p1: &Affine<G1>,
    terms: &[(Affine<G1>, Fr)],
    secrets: &Secrets<'_>,
) -> Option<Inputs<Fq>> {
    let (&[r1, r2, e_blind, r1_blind, r3_blind], blinds) = secrets.random.split_first_chunk::<5>()?;
    let mut rows = vec![
        ("a", homogeneous_rows(&secrets.a).to_vec()),
        ("digits", [r2, r1 * r2].iter().map(|scalar| digits(Group::G1, scalar)).collect()),
        ("secrets", [r1, -secrets.e, e_blind, r1_blind, r3_blind].iter().map(halves).collect()),
    ];
    if !blinds.is_empty() {
        rows.push(("blinds", blinds.iter().map(halves).collect()));
    }
    rows.extend(sum_inputs(p1, terms));
    Some(rows)
}
