//! The Groth16 prover as one program: quotient and five multi-scalar multiplications.
//!
//! What the prover of `pairwright-protocols` asks of a board, in one L1 program: with the vectors `a = A·w` and `b = B·w`
//! of the constraint matrices, which the host computes, `c = a∘b`; all three go from the domain to its odd coset
//! (three INTTs, three coset NTTs); `h = a∘b - c` there is the quotient's numerator, whose MSM takes the key's H points;
//! then the MSMs of the witness. Blinding is the host's: it works on secrets of its own.
//!
//! Scalars of an MSM are integers, values of a transform residues in Montgomery form. The host writes `a` as integers,
//! which is `a/R` to the engine; everything after is linear in `a`, so that `h` comes out as integers too, and no
//! conversion takes a cycle.

use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Group, VectorOp};
use pairwright_chip::machine::layout::result_words;
use pairwright_chip::machine::top::Task;
use pairwright_chip::task::ntt::{self, Method, Shape};
use pairwright_chip::task::vector::{self, VectorStep};
use pairwright_chip::task::{Build, Schedule, TaskError, msm};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

/// The sizes of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<F: PrimeField> {
    /// The constraints' domain.
    pub domain: Domain<F>,
    /// Values of the witness, the constant one and the public values included.
    pub wires: u64,
    /// Those that are not public.
    pub private: u64,
}

/// The regions of DRAM of the prover, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    /// `A·w` as integers, a word a row.
    pub a: usize,
    /// `B·w` in Montgomery form.
    pub b: usize,
    /// The witness as integers.
    pub witness: usize,
    /// The private part of it.
    pub private: usize,
    /// Points of the key: A, B in G1, B in G2, C, H.
    pub points: [usize; 5],
    /// The sums of the same.
    pub sums: [usize; 5],
}

/// The MSMs in the order of [`Places::points`]: name, group.
const MSMS: [(&str, Group); 5] =
    [("A", Group::G1), ("B1", Group::G1), ("B2", Group::G2), ("C", Group::G1), ("H", Group::G1)];

/// The prover of these sizes.
///
/// # Errors
/// A domain of fewer than 32 points.
pub fn task<F: PrimeField>(
    spec: &MachineSpec,
    sizes: &Sizes<F>,
    schedule: Schedule,
    method: Method,
) -> Result<(Task<F>, Places), TaskError> {
    let domain = sizes.domain;
    let n = domain.size() as u64;
    let mut build = Build::new(format!("Groth16 proof, domain of 2^{}", domain.log_size()));
    let [a, b] = ["A·w", "B·w"].map(|name| build.place(name, n));
    let witness = build.place("witness", sizes.wires);
    let private = build.place("private witness", sizes.private);
    let entries = [sizes.wires, sizes.wires, sizes.wires, sizes.private, n];
    let mut points = [0; 5];
    let mut sums = [0; 5];
    for (k, (_, group)) in MSMS.into_iter().enumerate() {
        points[k] = build.place(POINTS[k], msm::bases_words(spec, (group, F::BITS), entries[k]));
        sums[k] = build.place(SUMS[k], result_words(group));
    }

    build.operator("product");
    let c = build.place("C·w", n);
    vector::append(&mut build, n, schedule, a, &[VectorStep { op: VectorOp::Mul, operand: b }], c);
    let shift = domain.odd_shift()?;
    let mut extended = [0; 3];
    for (k, (values, name)) in [(a, "a"), (b, "b"), (c, "c")].into_iter().enumerate() {
        let coefficients = build.place("coefficients", n);
        extended[k] = build.place("values on the coset", n);
        build.operator(format!("INTT {name}"));
        let back = Shape { domain, inverse: true, shift: F::ONE };
        ntt::append(&mut build, spec, &back, schedule, [values, coefficients])?;
        build.operator(format!("coset NTT {name}"));
        let forth = Shape { domain, inverse: false, shift };
        let places = [coefficients, extended[k]];
        match method {
            Method::Merged => ntt::append(&mut build, spec, &forth, schedule, places)?,
            Method::Separate => ntt::append_separate(&mut build, spec, &forth, schedule, places)?,
        }
    }
    build.operator("quotient");
    let h = build.place("quotient", n);
    let steps = [
        VectorStep { op: VectorOp::Mul, operand: extended[1] },
        VectorStep { op: VectorOp::Sub, operand: extended[2] },
    ];
    vector::append(&mut build, n, schedule, extended[0], &steps, h);

    let scalars = [witness, witness, witness, private, h];
    for (k, (name, group)) in MSMS.into_iter().enumerate() {
        build.operator(format!("MSM {name}"));
        if entries[k] > 0 {
            let places = [points[k], scalars[k], sums[k]];
            msm::append(&mut build, spec, (group, F::BITS), entries[k], schedule, places);
        }
    }
    Ok((build.finish(), Places { a, b, witness, private, points, sums }))
}

const POINTS: [&str; 5] = ["A points", "B points in G1", "B points in G2", "C points", "H points"];
const SUMS: [&str; 5] = ["sum of A", "sum of B in G1", "sum of B in G2", "sum of C", "sum of H"];
