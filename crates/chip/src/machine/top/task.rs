//! What the CPU gives the chip to run: an L1 program with what is set up beside it.

use crate::isa::{Group, Image, L1, Transform, disassemble};
use crate::machine::dma::Stream;
use crate::machine::msm::DigitPlan;
use crate::machine::poly::{PolyError, twiddle};
use pairwright_field::PrimeField;

/// A region of DRAM of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DramRegion {
    /// What it holds, for people and errors.
    pub name: &'static str,
    /// First word of 256 bits.
    pub at: u64,
    /// Length in words.
    pub words: u64,
}

/// A geometric sequence in nested dimensions, innermost first: the row generators that `gen_tw` takes one after the
/// other. Value `(k_0, k_1, ...)` is `first · Π step_j^{k_j}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generators<F> {
    /// The first value.
    pub first: F,
    /// Counts and factors.
    pub dims: Vec<(u64, F)>,
    /// Whether the tables are those of the inverse transform.
    pub inverse: bool,
}

impl<F: PrimeField> Generators<F> {
    /// The number of values before the sequence begins anew.
    pub fn count(&self) -> u64 {
        self.dims.iter().map(|(count, _)| count).product()
    }

    /// The value at a position, counted from 0; the sequence begins anew at its end.
    pub fn at(&self, position: u64) -> F {
        let mut rest = position;
        self.dims.iter().fold(self.first, |value, (count, step)| {
            let k = rest % count;
            rest /= count;
            value * step.pow_vartime(&[k])
        })
    }
}

/// An address generator and the region that it walks through.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// Number of the region in [`Task::places`].
    pub place: usize,
    /// The address generator.
    pub stream: Stream,
}

/// What the CPU writes into a region before the program runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant<F> {
    /// Number of the region in [`Task::places`].
    pub place: usize,
    /// Its words, from the first on.
    pub values: Values<F>,
}

/// Words that the CPU writes, as the rule that makes them: a run without data makes none.
#[derive(Clone, PartialEq, Debug)]
pub enum Values<F> {
    /// Powers of a generator, from one on.
    Powers {
        /// The generator of the powers.
        generator: F,
        /// How many powers there are.
        count: u64,
    },
    /// Tables of twiddles for sub-NTTs, one for each generator of a coset.
    Twiddles {
        /// The transform that they are for.
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
    /// How many words there are.
    pub fn words(&self) -> u64 {
        match self {
            Self::Powers { count, .. } => *count,
            Self::Twiddles { log_len, generators, .. } => generators.count() << log_len,
        }
    }

    /// Makes all words.
    ///
    /// # Errors
    /// A root that is none, or a generator that is zero.
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
    /// What it computes, for people.
    pub name: String,
    /// The L1 instructions in order.
    pub l1: Vec<L1>,
    /// Address generators by number.
    pub streams: Vec<Channel>,
    /// Sequences of row generators by number.
    pub generators: Vec<Generators<F>>,
    /// Regions of DRAM.
    pub places: Vec<DramRegion>,
    /// Tables and factors.
    pub constants: Vec<Constant<F>>,
    /// Operators by the address of their first instruction.
    pub sections: Vec<(u16, String)>,
    /// Plans of the MSMs in it, in order.
    pub plans: Vec<(Group, DigitPlan)>,
}

impl<F> Task<F> {
    /// The program as text, with what the CPU sets up as comments.
    pub fn listing(&self) -> String {
        let mut out = format!("; {}\n", self.name);
        for (k, channel) in self.streams.iter().enumerate() {
            let place = &self.places[channel.place];
            let walk: Vec<String> =
                channel.stream.dims.iter().map(|d| format!("{} by {}", d.count, d.stride)).collect();
            let (name, words) = (place.name, place.words);
            out.push_str(&format!("; s{k}: {name}, {words} words at {}: {}\n", place.at, walk.join(", ")));
        }
        let image = Image { l1: self.words(), ..Image::default() };
        out + &disassemble(&image)
    }

    /// A measure of the simulation's work, for progress: [`effort`] of every instruction, as often as loops have it executed.
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

/// The part of an instruction in [`Task::effort`]: the points of a bucket accumulation, each of which is a cycle at least, and
/// one for everything else.
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
