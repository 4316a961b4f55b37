//! Work that a run needs but the model does not count in cycles, with an estimate of its size.

use super::task::Task;
use crate::machine::dma::WORD_BYTES;
use crate::spec::MachineSpec;
use crate::spec::clock::clock_hz;
use pairwright_device::sum_fields;
use pairwright_field::PrimeField;
use serde::Serialize;

/// Bytes of an L1 instruction (\[CP\] Fig. 11).
const INSTRUCTION_BYTES: u64 = 4;

/// Counts of the work outside of the model, on which no cycles are spent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Outside {
    /// Row generators from which tables of twiddles were made, each computed as the one before times a constant.
    pub row_generators: u64,
    /// Words of buckets that were cleared in no time when an MSM began.
    pub bucket_words: u64,
    /// Instructions of the L1 program that the CPU wrote.
    pub instructions: u64,
    /// Registers of address generators that the CPU wrote: an address each, and a count and a stride for each dimension.
    pub registers: u64,
    /// Words of tables and factors that the CPU wrote to DRAM.
    pub constants: u64,
}

/// A line of [`Outside::lines`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Uncounted {
    /// Name of the work, in the plural.
    pub what: &'static str,
    /// Number of items.
    pub count: u64,
    /// Cycles that the items would take one after the other.
    pub cycles: u64,
    /// The rule by which these cycles are counted.
    pub rule: &'static str,
}

impl Outside {
    /// The work of the CPU before a task runs.
    pub(super) fn of<F: PrimeField>(task: &Task<F>) -> Self {
        Self {
            instructions: task.l1.len() as u64,
            registers: task.streams.iter().map(|channel| 1 + 2 * channel.stream.dims.len() as u64).sum(),
            constants: task.constants.iter().map(|constant| constant.values.words()).sum(),
            ..Self::default()
        }
    }

    /// The items of each kind, with the cycles that they would take on a design: estimates one after the other, though most
    /// of the work could overlap with other work.
    pub fn lines(&self, spec: &MachineSpec) -> Vec<Uncounted> {
        let a_cycle = spec.dram.peak_bytes_per_cycle(clock_hz(spec));
        let transfers = |bytes: u64| (bytes as f64 / a_cycle).ceil() as u64;
        let lines = [
            (
                "row generators",
                self.row_generators,
                self.row_generators * u64::from(spec.poly.mm),
                "a product each",
            ),
            (
                "words of buckets cleared",
                self.bucket_words,
                self.bucket_words.div_ceil(u64::from(spec.msm.bucket_banks)),
                "a word a cycle in each bank",
            ),
            (
                "L1 instructions loaded",
                self.instructions,
                transfers(INSTRUCTION_BYTES * self.instructions),
                "at the memory's bandwidth",
            ),
            ("registers of address generators set", self.registers, self.registers, "a cycle each"),
            (
                "words of constants written to DRAM",
                self.constants,
                transfers(u64::from(WORD_BYTES) * self.constants),
                "at the memory's bandwidth",
            ),
        ];
        let lines = lines.into_iter().filter(|(_, count, ..)| *count > 0);
        lines.map(|(what, count, cycles, rule)| Uncounted { what, count, cycles, rule }).collect()
    }
}

sum_fields!(Outside { row_generators, bucket_words, instructions, registers, constants });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_was_is_listed_with_its_cycles() {
        let spec = MachineSpec::paper();
        assert_eq!(Outside::default().lines(&spec), []);
        let mut outside = Outside { row_generators: 3, constants: 3, ..Outside::default() };
        outside +=
            Outside { row_generators: 1, bucket_words: 1023, instructions: 25, registers: 7, constants: 0 };
        let cycles: Vec<_> = outside.lines(&spec).iter().map(|line| (line.count, line.cycles)).collect();
        assert_eq!(cycles, [(4, 64), (1023, 1023), (25, 3), (7, 7), (3, 2)]);
        // Two channels of DDR5 give 48 bytes per cycle at 800 MHz too; one channel gives half of that, whatever the core's
        // side could accept.
        let ddr = spec.with("dram.preset", "ddr5_4800").unwrap();
        assert_eq!(outside.lines(&ddr), outside.lines(&spec));
        let narrow = ddr.with("dram.channels", "1").unwrap();
        assert_eq!(outside.lines(&narrow).last().map(|line| line.cycles), Some(4));
    }
}
