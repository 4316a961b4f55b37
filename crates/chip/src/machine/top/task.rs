//! Tasks: an L1 program with the settings and data that the CPU prepares for it.

use crate::isa::{Group, Image, L1, Transform, disassemble};
use crate::machine::dma::Stream;
use crate::machine::msm::DigitPlan;
use crate::machine::poly::{PolyError, twiddle};
use pairwright_field::PrimeField;

/// A region of DRAM of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DramRegion {
    /// Description of the contents, for listings and errors.
    pub name: &'static str,
    /// Address of the first word, in words of 256 bits.
    pub at: u64,
    /// Length in words.
    pub words: u64,
}

/// A geometric sequence in nested dimensions, innermost first: the row generators that `gen_tw` consumes one after the
/// other. Value `(k_0, k_1, ...)` is `first · Π step_j^{k_j}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generators<F> {
    /// The first value.
    pub first: F,
    /// Count and factor of each dimension.
    pub dims: Vec<(u64, F)>,
    /// Whether the tables are those of the inverse transform.
    pub inverse: bool,
}

impl<F: PrimeField> Generators<F> {
    /// The number of values before the sequence restarts.
    pub fn count(&self) -> u64 {
        self.dims.iter().map(|(count, _)| count).product()
    }

    /// The value at a position, counted from 0; the sequence restarts at its end.
    pub fn at(&self, position: u64) -> F {
        let mut rest = position;
        self.dims.iter().fold(self.first, |value, (count, step)| {
            let k = rest % count;
            rest /= count;
            value * step.pow_vartime(&[k])
        })
    }
}

/// An address generator with the region that it accesses.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// Number of the region in [`Task::regions`].
    pub region: usize,
    /// The setting of the address generator.
    pub stream: Stream,
}

/// The values that the CPU writes into a region before the program runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant<F> {
    /// Number of the region in [`Task::regions`].
    pub region: usize,
    /// The values, from the first word of the region on.
    pub values: Values<F>,
}

/// Values that the CPU writes, as the rule by which they are computed; a run without data computes none.
#[derive(Clone, PartialEq, Debug)]
pub enum Values<F> {
    /// Powers of a generator, beginning with the power 0.
    Powers {
        /// The generator of the powers.
        generator: F,
        /// Number of powers.
        count: u64,
    },
    /// Tables of twiddles for sub-NTTs, one for each generator of a coset.
    Twiddles {
        /// The kind of transform that the tables are for.
        kind: Transform,
        /// log2 of the points of a sub-NTT.
        log_len: u32,
        /// The root of unity of the sub-NTTs.
        root: F,
        /// The generators of the cosets.
        generators: Generators<F>,
    },
}

impl<F: PrimeField> Values<F> {
    /// Number of words.
    pub fn words(&self) -> u64 {
        match self {
            Self::Powers { count, .. } => *count,
            Self::Twiddles { log_len, generators, .. } => generators.count() << log_len,
        }
    }

    /// Computes all words.
    ///
    /// # Errors
    /// A length that the engine does not have, or a root or generator that is zero.
    pub fn make(&self) -> Result<Vec<F>, PolyError> {
        match self {
            Self::Powers { generator, count } => {
                let powers = core::iter::successors(Some(F::ONE), |power| Some(*power * *generator));
                Ok(powers.take(*count as usize).collect())
            }
            Self::Twiddles { kind, log_len, root, generators } => {
                let mut values = Vec::with_capacity(self.words() as usize);
                for k in 0..generators.count() {
                    values.extend(twiddle::table(*kind, *log_len, *root, generators.at(k))?);
                }
                Ok(values)
            }
        }
    }
}

/// A program of the whole chip.
#[derive(Clone, Debug)]
pub struct Task<F> {
    /// Description of the computation.
    pub name: String,
    /// The L1 instructions in order.
    pub l1: Vec<L1>,
    /// Address generators by number.
    pub streams: Vec<Channel>,
    /// Sequences of row generators by number.
    pub generators: Vec<Generators<F>>,
    /// Regions of DRAM.
    pub regions: Vec<DramRegion>,
    /// Tables and factors that the CPU writes before the run.
    pub constants: Vec<Constant<F>>,
    /// Operators by the address of their first instruction.
    pub sections: Vec<(u16, String)>,
    /// Groups and window plans of the MSMs in the program, in order.
    pub plans: Vec<(Group, DigitPlan)>,
}

impl<F> Task<F> {
    /// The program as text, with the CPU's settings as comments.
    pub fn listing(&self) -> String {
        let mut out = format!("; {}\n", self.name);
        for (k, channel) in self.streams.iter().enumerate() {
            let region = &self.regions[channel.region];
            let walk: Vec<String> =
                channel.stream.dims.iter().map(|d| format!("{} by {}", d.count, d.stride)).collect();
            let (name, words) = (region.name, region.words);
            out.push_str(&format!("; s{k}: {name}, {words} words at {}: {}\n", region.at, walk.join(", ")));
        }
        let image = Image { l1: self.words(), ..Image::default() };
        out + &disassemble(&image)
    }

    /// A measure of the simulation's work, for progress: the sum of [`effort`] over all executed instructions, with
    /// repetitions by loops.
    pub fn effort(&self) -> u64 {
        let mut before = Vec::with_capacity(self.l1.len());
        let mut total = 0u64;
        for instruction in &self.l1 {
            before.push(total);
            total = match *instruction {
                L1::Loop { addr, count, .. } => {
                    let body = total - before.get(usize::from(addr)).copied().unwrap_or(total);
                    total.saturating_add(body.saturating_mul(u64::from(count.saturating_sub(1))))
                }
                _ => total + effort(instruction),
            };
        }
        total
    }

    /// The instruction words.
    pub fn words(&self) -> Vec<u32> {
        self.l1.iter().filter_map(|instruction| instruction.encode().ok()).collect()
    }
}

/// The effort of an instruction, see [`Task::effort`]: the number of points for a bucket accumulation, each of which takes
/// at least a cycle, and one for every other instruction.
pub fn effort(instruction: &L1) -> u64 {
    match *instruction {
        L1::MsmOp1 { length, .. } => u64::from(length),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::LoopReg;
    use crate::task::{Build, Schedule};
    use pairwright_curve::bls12_381::Fr;

    #[test]
    fn effort_counts_what_loops_repeat() {
        let mut build = Build::<Fr>::new("loops");
        build.pieces(1024 * 131 + 5, 1024, Schedule::Hidden, |text, length, src| {
            text.push(L1::MsmOp1 { length, src, group: Group::G1 });
        });
        let mut task = build.finish();
        // The end is an instruction too.
        assert_eq!(task.effort(), 1024 * 131 + 5 + 1);
        task.l1 = vec![
            L1::MsmInitP2,
            L1::MsmInitP2,
            L1::Loop { reg: LoopReg::J, addr: 1, count: 3 },
            L1::Loop { reg: LoopReg::I, addr: 0, count: 5 },
        ];
        assert_eq!(task.effort(), 5 * (1 + 3));
    }
}
