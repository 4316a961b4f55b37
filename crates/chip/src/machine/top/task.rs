//! What the CPU gives the chip to run: an L1 program with what is set up beside it.

use crate::isa::{Group, Image, L1, disassemble};
use crate::machine::dma::Stream;
use crate::machine::msm::Plan;
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
    pub values: Vec<F>,
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
    pub plans: Vec<(Group, Plan)>,
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

    /// The instruction words.
    pub fn words(&self) -> Vec<u32> {
        self.l1.iter().filter_map(|instruction| instruction.encode().ok()).collect()
    }
}
