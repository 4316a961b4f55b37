//! Figure 5: the shares of a proof's time on a CPU, from operation counts and from operators that `bench/` measured.

use super::chip::cpu;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use crate::row::{Kind, Row};
use pairwright_device::Operator;
use pairwright_protocols::plonk::ProofSizes;

/// Products of 64-bit words in a Montgomery product of `limbs` words.
const fn word_products(limbs: u32) -> f64 {
    (2 * limbs * limbs + limbs) as f64
}

const FR: f64 = word_products(4);
const FQ: f64 = word_products(6);
/// Products in the base field for adding a point to a bucket (affine point, extended coordinates), and for adding two
/// sums.
const INTO_BUCKET: f64 = 10.0;
const OF_SUMS: f64 = 14.0;
/// Products in Fq per product in Fq2.
const KARATSUBA: f64 = 3.0;
const SCALAR_BITS: u32 = 255;

/// The peer whose operators were measured together with ours, and the size at which all were measured in one run.
const PEER: &str = "gnark-crypto";
const MEASURED: u32 = 18;

/// The parts of a proof with a domain of 2^`log2_n`: MSM, transforms and vector operations, in a common unit.
struct Parts {
    msm: f64,
    ntt: f64,
    vectors: f64,
}

/// Products in Fq of an MSM with dense scalars in G1, by signed digits of the best width for the size.
fn dense(n: f64) -> f64 {
    (4..=20u32)
        .map(|width| {
            let windows = f64::from(SCALAR_BITS.div_ceil(width) + 1);
            windows * (n * INTO_BUCKET + f64::from(width).exp2() * OF_SUMS)
        })
        .fold(f64::INFINITY, f64::min)
}

/// The numbers of transforms and of vector products that a Plonk proof needs, in sizes of the domain. A batch inversion
/// counts as three products per element, every other vector operation as one.
fn plonk_calls(log2_n: u32) -> (f64, f64) {
    let n = 1 << log2_n;
    let plan = ProofSizes { additions: 0, gates: n, domain: n }.plan();
    let name = |operator: Operator| operator.name();
    let transforms = [Operator::Ntt, Operator::Intt].map(name);
    let vectors = [
        Operator::VecMul,
        Operator::VecMulSub,
        Operator::Axpy,
        Operator::Scale,
        Operator::Powers,
        Operator::PrefixProducts,
        Operator::Evaluate,
        Operator::Divide,
    ]
    .map(name);
    let calls = |of: &[&str]| plan.iter().filter(|call| of.contains(&call.operator)).count() as f64;
    (calls(&transforms), calls(&vectors) + 3.0 * calls(&[name(Operator::Invert)]))
}

impl Parts {
    /// A Groth16 proof by counts, with all wires private; `bits` is the share of the witness that is 0 or 1: such a
    /// scalar costs at most one addition.
    fn groth16(log2_n: u32, bits: f64) -> Self {
        let n = f64::from(log2_n).exp2();
        let witness = dense(n * (1.0 - bits)) + n * bits * INTO_BUCKET;
        // A, B, C in G1 and B in G2 over the witness; H over the quotient, which is dense for any witness.
        let msm = FQ * ((3.0 + KARATSUBA) * witness + dense(n));
        // Three vectors are transformed to the coset and back, each with N coset factors.
        let ntt = FR * (6.0 * n / 2.0 * f64::from(log2_n) + 3.0 * n);
        Self { msm, ntt, vectors: FR * 2.0 * n }
    }

    /// A Plonk proof by counts: nine commitments to coefficients, which are dense for any witness.
    fn plonk(log2_n: u32) -> Self {
        let n = f64::from(log2_n).exp2();
        let (transforms, vectors) = plonk_calls(log2_n);
        let ntt = FR * transforms * n / 2.0 * f64::from(log2_n);
        Self { msm: FQ * 9.0 * dense(n), ntt, vectors: FR * vectors * n }
    }

    /// Proofs by the measured seconds of the operators, ours and the peer's.
    fn measured() -> Option<[[Self; 2]; 2]> {
        let size = format!("2^{MEASURED}");
        let seconds = |operator| cpu::beside(PEER, operator, &size).map(|(m, _)| [m.ours_min, m.peer_min]);
        let g1 = seconds("BLS12-381 G1 msm")?;
        let g2 = seconds("BLS12-381 G2 msm")?;
        let extend = seconds("BLS12-381 Fr extend")?;
        let ntt = seconds("BLS12-381 Fr ntt")?;
        let (transforms, _) = plonk_calls(MEASURED);
        let groth16 = [0, 1].map(|k| Self { msm: 4.0 * g1[k] + g2[k], ntt: 3.0 * extend[k], vectors: 0.0 });
        let plonk = [0, 1].map(|k| Self { msm: 9.0 * g1[k], ntt: transforms * ntt[k], vectors: 0.0 });
        Some([groth16, plonk])
    }

    fn shares(&self) -> [f64; 3] {
        let sum = self.msm + self.ntt + self.vectors;
        [self.msm, self.ntt, self.vectors].map(|part| 100.0 * part / sum)
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig5", 7);
    let mut say = |protocol: &str, parts: &Parts, log2_n: u32, kind: Kind, series: &str, note: &str| {
        let series = format!("{protocol}, {series}");
        context.step(&series);
        let [msm, ntt, vectors] = parts.shares();
        outcome.answer("share of proving", "MSM", &series, msm, note);
        outcome.answer("share of proving", "NTT and inverse NTT", &series, ntt, note);
        for (operation, value) in [("MSM", msm), ("NTT", ntt), ("vector operations", vectors)] {
            // Only transforms and MSMs were measured as operators.
            if value == 0.0 {
                continue;
            }
            let place = Labels { quantity: "share of a proof", operation, unit: "%" };
            let row = place.modelled(&series, value, note);
            outcome.keep(Row { log2_n: Some(log2_n), kind, ..row });
        }
    };
    for (bits, series) in [(0.0, "counted, dense witness"), (0.9, "counted, nine wires in ten are 0 or 1")] {
        let note = "products of 64-bit words at 2^20 gates: buckets with the best windows, N/2 log N butterflies; a \
                    witness of bits takes most of the MSMs away, the quotient's is always dense";
        say("Groth16", &Parts::groth16(20, bits), 20, Kind::Modelled, series, note);
    }
    let note = "products of 64-bit words at 2^20 gates, by the calls of our prover, which works on three cosets one after \
                the other: nine MSMs of coefficients, dense whatever the witness";
    say("Plonk", &Parts::plonk(20), 20, Kind::Modelled, "counted", note);
    if let Some([groth16, plonk]) = Parts::measured() {
        let note = "four MSMs in G1, one in G2, three vectors to the coset and back, dense, of 2^18 on two cores; \
                    bench/results/2026-11-23-all.json";
        let ours = "operators of this project, measured";
        let theirs = "operators of gnark-crypto, measured";
        say("Groth16", &groth16[0], MEASURED, Kind::Estimated, ours, note);
        say("Groth16", &groth16[1], MEASURED, Kind::Estimated, theirs, note);
        let note = "nine MSMs in G1 and the transforms of our prover, of 2^18 on two cores; \
                    bench/results/2026-11-23-all.json";
        say("Plonk", &plonk[0], MEASURED, Kind::Estimated, ours, note);
        say("Plonk", &plonk[1], MEASURED, Kind::Estimated, theirs, note);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_the_share_to_the_transforms() {
        let shares = [0.0, 0.5, 0.9].map(|bits| Parts::groth16(20, bits).shares());
        assert!(shares.windows(2).all(|pair| pair[0][1] < pair[1][1]), "{shares:?}");
        assert!(shares.iter().all(|s| (s.iter().sum::<f64>() - 100.0).abs() < 1e-9 && s[0] > s[1]));
        assert!(Parts::measured().is_some());
    }

    #[test]
    fn plonk_transforms_more() {
        let [groth16, plonk] = [Parts::groth16(20, 0.0), Parts::plonk(20)].map(|parts| parts.shares());
        assert!(plonk[1] > 2.0 * groth16[1] && plonk[0] > plonk[1], "{groth16:?} {plonk:?}");
    }
}
