//! The Groth16 prover as one program: quotient and five multi-scalar multiplications.
//!
//! One L1 program performs the calls that a protocol's plan makes on a board. The host computes the vectors `a = A·w`
//! and `b = B·w` of the constraint matrices; the program computes `c = a∘b` and moves all three from the domain to its
//! odd coset (three INTTs, three coset NTTs). There `h = a∘b - c` is the quotient's numerator, whose MSM takes the
//! key's H points; the MSMs of the witness follow. The host does the blinding, since it uses secrets of its own.
//!
//! Scalars of an MSM are integers, values of a transform residues in Montgomery form. The host writes `a` as integers,
//! which the engine interprets as `a/R`. All later operations are linear in `a`, so `h` results as integers too, and no
//! conversion takes a cycle.

use super::ProofError;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Group, VectorOp};
use pairwright_chip::machine::layout::result_words;
use pairwright_chip::machine::top::Task;
use pairwright_chip::task::ntt::{self, Method};
use pairwright_chip::task::vector::{self, VectorStep};
use pairwright_chip::task::{Build, Schedule, TaskError, msm};
use pairwright_device::{Operator, PlannedCall};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

/// The numbers of the prover's DRAM regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DramRegions {
    /// `A·w` as integers, one word per constraint row.
    pub a: usize,
    /// `B·w` in Montgomery form.
    pub b: usize,
    /// The witness as integers.
    pub witness: usize,
    /// The private part of the witness.
    pub private: usize,
    /// Points of the key: A, B in G1, B in G2, C, H.
    pub points: [usize; 5],
    /// The quotient's values, the scalars of the last MSM.
    pub quotient: usize,
    /// The sums, in the same order.
    pub sums: [usize; 5],
}

/// The phases of a plan that end in an MSM, in the order of [`DramRegions::points`] and of the program, with the regions of
/// their points and sums.
const COMMITMENTS: [(&str, [&str; 2]); 5] = [
    ("commit A", ["A points", "sum of A"]),
    ("commit B1", ["B points in G1", "sum of B in G1"]),
    ("commit B2", ["B points in G2", "sum of B in G2"]),
    ("commit C", ["C points", "sum of C"]),
    ("commit H", ["H points", "sum of H"]),
];

/// The shape of a proof, derived from its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<F: PrimeField> {
    /// The domain of the quotient.
    pub(super) domain: Domain<F>,
    /// The group and the number of terms of each MSM, in the order of [`DramRegions::points`].
    pub(super) msms: [(Group, u64); 5],
}

impl<F: PrimeField> Shape<F> {
    pub(super) fn of(plan: &[PlannedCall]) -> Result<Self, ProofError> {
        let group = |call: &PlannedCall| match call.operator {
            name if name == Operator::MsmG1.name() => Some(Group::G1),
            name if name == Operator::MsmG2.name() => Some(Group::G2),
            _ => None,
        };
        let mut msms = [(Group::G1, 0); 5];
        for (msm, (phase, _)) in msms.iter_mut().zip(COMMITMENTS) {
            let mut of_phase = plan.iter().filter(|call| call.phase == phase);
            let found = of_phase.find_map(|call| Some((group(call)?, call.size as u64)));
            *msm = found.ok_or(ProofError::Plan { phase, operator: "an MSM" })?;
        }
        let known = |call: &&PlannedCall| COMMITMENTS.iter().any(|(phase, _)| *phase == call.phase);
        if let Some(call) = plan.iter().filter(|call| group(call).is_some()).find(|call| !known(call)) {
            return Err(ProofError::Plan { phase: call.phase, operator: call.operator });
        }
        let extended = plan.iter().find(|call| call.operator == Operator::Extend.name());
        let Some(log) = extended.and_then(|call| call.size.checked_ilog2()) else {
            return Err(TaskError::Small { points: 0 }.into());
        };
        let domain = Domain::new(log).map_err(TaskError::from)?;
        // The scalars of A and B are the witness, those of C its private part, and those of H the quotient.
        let [a, b1, b2, c, h] = msms.map(|(_, size)| size);
        let of_quotient = (4, h == domain.size() as u64);
        for (k, fits) in [(1, b1 == a), (2, b2 == a), (3, c <= a), of_quotient] {
            if !fits {
                return Err(ProofError::Plan { phase: COMMITMENTS[k].0, operator: "the size of an MSM" });
            }
        }
        Ok(Self { domain, msms })
    }
}

/// The program that makes the calls of a plan, without those that the plan leaves to the host: products with sparse
/// matrices, and reading of keys.
///
/// # Errors
/// A domain of fewer than 32 points, or a plan with other calls.
pub fn task<F: PrimeField>(
    spec: &MachineSpec,
    plan: &[PlannedCall],
    schedule: Schedule,
    method: Method,
) -> Result<(Task<F>, DramRegions), ProofError> {
    let Shape { domain, msms } = Shape::of(plan)?;
    let n = domain.size() as u64;
    let mut build = Build::new(format!("Groth16 proof, domain of 2^{}", domain.log_size()));
    let [a, b] = ["A·w", "B·w"].map(|name| build.region(name, n));
    let [(_, wires), .., (_, private), _] = msms;
    let witness = build.region("witness", wires);
    let private = build.region("private witness", private);
    let [mut points, mut sums] = [[0; 5]; 2];
    for (k, ((group, entries), (_, names))) in msms.into_iter().zip(COMMITMENTS).enumerate() {
        points[k] = build.region(names[0], msm::bases_words(spec, (group, F::BITS), entries));
        sums[k] = build.region(names[1], result_words(group));
    }
    let h = quotient(&mut build, spec, plan, (domain, schedule, method), [a, b])?;
    let scalars = [witness, witness, witness, private, h];
    for (k, ((group, entries), (phase, _))) in msms.into_iter().zip(COMMITMENTS).enumerate() {
        build.operator(phase.replace("commit", "MSM"));
        if entries > 0 {
            let regions = [points[k], scalars[k], sums[k]];
            msm::append(&mut build, spec, (group, F::BITS), entries, schedule, regions);
        }
    }
    Ok((build.finish(), DramRegions { a, b, witness, private, points, quotient: h, sums }))
}

/// Appends the plan's calls on vectors, whose operands are the oldest remaining ones: the product `c` of `a` and `b`,
/// then each of the three on the coset, then `a∘b - c`. Returns the region of the last result.
fn quotient<F: PrimeField>(
    build: &mut Build<F>,
    spec: &MachineSpec,
    plan: &[PlannedCall],
    (domain, schedule, method): (Domain<F>, Schedule, Method),
    [a, b]: [usize; 2],
) -> Result<usize, ProofError> {
    let n = domain.size() as u64;
    let shift = domain.odd_shift().map_err(TaskError::from)?;
    let mut values = vec![a, b];
    // The number of vectors that are already on the coset.
    let mut extended = 0;
    let phase =
        plan.iter().find(|call| call.operator == Operator::Extend.name()).map_or("", |call| call.phase);
    for call in plan.iter().filter(|call| call.phase == phase) {
        let differs = ProofError::Plan { phase, operator: call.operator };
        match (call.operator, &values[..]) {
            (name, _) if name == Operator::SparseMul.name() => {}
            (name, &[a, b]) if name == Operator::VecMul.name() => {
                build.operator("product");
                let c = build.region("C·w", n);
                let step = VectorStep { op: VectorOp::Mul, operand: b };
                vector::append(build, n, schedule, a, &[step], c);
                values.push(c);
            }
            (name, &[_, _, _]) if name == Operator::Extend.name() && extended < 3 => {
                let name = ["a", "b", "c"][extended];
                let coefficients = build.region("coefficients", n);
                let on_coset = build.region("values on the coset", n);
                build.operator(format!("INTT {name}"));
                let back = ntt::Shape { domain, inverse: true, shift: F::ONE };
                ntt::append(build, spec, &back, schedule, [values[extended], coefficients])?;
                build.operator(format!("coset NTT {name}"));
                let forth = ntt::Shape { domain, inverse: false, shift };
                ntt::append_by(method, build, spec, &forth, schedule, [coefficients, on_coset])?;
                values[extended] = on_coset;
                extended += 1;
            }
            (name, &[a, b, c]) if name == Operator::VecMulSub.name() && extended == 3 => {
                build.operator("quotient");
                let h = build.region("quotient", n);
                let steps = [
                    VectorStep { op: VectorOp::Mul, operand: b },
                    VectorStep { op: VectorOp::Sub, operand: c },
                ];
                vector::append(build, n, schedule, a, &steps, h);
                values = vec![h];
            }
            _ => return Err(differs),
        }
    }
    match values[..] {
        [h] => Ok(h),
        _ => Err(ProofError::Plan { phase, operator: Operator::VecMulSub.name() }),
    }
}
