//! Figure 5: what a proof's time goes to on a CPU, by counts of operations and by operators that `bench/` measured.

use super::chip::cpu;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use crate::row::{Kind, Row};

/// Products of 64-bit words in a Montgomery product of `limbs` words.
const fn word_products(limbs: u32) -> f64 {
    (2 * limbs * limbs + limbs) as f64
}

const FR: f64 = word_products(4);
const FQ: f64 = word_products(6);
/// Products in the base field of an addition into a bucket (affine point, extended coordinates), and of one of two sums.
const INTO_BUCKET: f64 = 10.0;
const OF_SUMS: f64 = 14.0;
/// Products in Fq of one in Fq2.
const KARATSUBA: f64 = 3.0;
const SCALAR_BITS: u32 = 255;

/// The parts of a Groth16 proof of a domain of 2^`log2_n`, all wires private: MSM, transforms, vector operations, in
/// whatever unit.
struct Parts {
    msm: f64,
    ntt: f64,
    vectors: f64,
}

impl Parts {
    /// By counts, `bits` being the share of the witness that is 0 or 1: such a scalar is one addition at most.
    fn counted(log2_n: u32, bits: f64) -> Self {
        let n = f64::from(log2_n).exp2();
        // Signed digits of the width that is best for the size.
        let dense = |n: f64| {
            (4..=20u32)
                .map(|width| {
                    let windows = f64::from(SCALAR_BITS.div_ceil(width) + 1);
                    windows * (n * INTO_BUCKET + f64::from(width).exp2() * OF_SUMS)
                })
                .fold(f64::INFINITY, f64::min)
        };
        let witness = dense(n * (1.0 - bits)) + n * bits * INTO_BUCKET;
        // A, B, C in G1, B in G2 over the witness; H over the quotient, which is dense whatever the witness.
        let msm = FQ * ((3.0 + KARATSUBA) * witness + dense(n));
        // Three vectors to the coset and back, each with N coset factors.
        let ntt = FR * (6.0 * n / 2.0 * f64::from(log2_n) + 3.0 * n);
        Self { msm, ntt, vectors: FR * 2.0 * n }
    }

    /// By the seconds of the operators, ours and arkworks'.
    fn measured(log2_n: u32) -> Option<[Self; 2]> {
        let size = format!("2^{log2_n}");
        let seconds = |operator| cpu::seconds(operator, &size).map(|(m, _)| [m.ours_min, m.peer_min]);
        let g1 = seconds("BLS12-381 G1")?;
        let g2 = seconds("BLS12-381 G2")?;
        let extend = seconds("BLS12-381 Fr extend")?;
        Some([0, 1].map(|k| Self { msm: 4.0 * g1[k] + g2[k], ntt: 3.0 * extend[k], vectors: 0.0 }))
    }

    fn shares(&self) -> [f64; 3] {
        let sum = self.msm + self.ntt + self.vectors;
        [self.msm, self.ntt, self.vectors].map(|part| 100.0 * part / sum)
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig5", 4);
    let mut say = |parts: &Parts, log2_n: u32, kind: Kind, series: &str, note: &str| {
        context.step(series);
        let [msm, ntt, vectors] = parts.shares();
        outcome.answer("share of proving", "MSM", series, msm, note);
        outcome.answer("share of proving", "NTT and inverse NTT", series, ntt, note);
        for (operation, value) in [("MSM", msm), ("NTT", ntt), ("vector operations", vectors)] {
            // Operators that were measured are transforms and MSMs.
            if value == 0.0 {
                continue;
            }
            let place = Labels { quantity: "share of a Groth16 proof", operation, unit: "%" };
            let row = place.modelled(series, value, note);
            outcome.keep(Row { log2_n: Some(log2_n), kind, ..row });
        }
    };
    for (bits, series) in [(0.0, "counted, dense witness"), (0.9, "counted, nine wires in ten are 0 or 1")] {
        let note = "products of 64-bit words at 2^20 gates: buckets with the best windows, N/2 log N butterflies; a \
                    witness of bits takes most of the MSMs away, the quotient's is always dense";
        say(&Parts::counted(20, bits), 20, Kind::Modelled, series, note);
    }
    if let Some([ours, arkworks]) = Parts::measured(16) {
        let note = "four MSMs in G1, one in G2, three vectors to the coset and back, dense, of 2^16 on two cores; \
                    bench/results/2026-11-20-msm.json and 2026-11-21-ntt.json, not one machine";
        say(&ours, 16, Kind::Estimated, "operators of this project, measured", note);
        say(&arkworks, 16, Kind::Estimated, "operators of arkworks, measured", note);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_the_share_to_the_transforms() {
        let shares = [0.0, 0.5, 0.9].map(|bits| Parts::counted(20, bits).shares());
        assert!(shares.windows(2).all(|pair| pair[0][1] < pair[1][1]), "{shares:?}");
        assert!(shares.iter().all(|s| (s.iter().sum::<f64>() - 100.0).abs() < 1e-9 && s[0] > s[1]));
        assert!(Parts::measured(16).is_some());
    }
}
