//! L1 programs with nested loops.

use crate::isa::{L1, LoopReg};

/// A loop whose body is being written.
#[derive(Debug)]
#[must_use]
pub struct OpenLoop {
    start: u16,
    counts: [u32; 2],
}

/// An L1 program under construction.
#[derive(Clone, Default, Debug)]
pub struct Text {
    l1: Vec<L1>,
    depth: usize,
}

const REGISTERS: [LoopReg; 3] = [LoopReg::I, LoopReg::J, LoopReg::K];

impl Text {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of instructions so far.
    pub fn len(&self) -> usize {
        self.l1.len()
    }

    /// Whether there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.l1.is_empty()
    }

    /// Appends an instruction.
    pub fn push(&mut self, instruction: L1) {
        self.l1.push(instruction);
    }

    /// Writes a body that runs `count` times. Loop registers are assigned by nesting depth. A count of one needs no loop,
    /// and a count of zero writes nothing.
    ///
    /// # Panics
    /// If more than three loops are nested: a programming error, found when the program is first built.
    pub fn times(&mut self, count: u64, body: impl FnOnce(&mut Self)) {
        if count > 0 {
            let open = self.open(count);
            body(self);
            self.close(open);
        }
    }

    /// Begins a body that runs `count` times, at least once.
    ///
    /// # Panics
    /// As [`Text::times`].
    pub fn open(&mut self, count: u64) -> OpenLoop {
        // A count that exceeds a counter takes two loops.
        let counts = factors(count);
        self.depth += counts.iter().filter(|c| **c > 1).count();
        assert!(self.depth <= REGISTERS.len(), "{} nested loops", self.depth);
        OpenLoop { start: self.l1.len() as u16, counts }
    }

    /// Ends the body that `open` began.
    pub fn close(&mut self, open: OpenLoop) {
        for count in open.counts.into_iter().filter(|c| *c > 1) {
            // Registers are assigned by depth: the outermost loop has the first.
            self.depth -= 1;
            self.l1.push(L1::Loop { reg: REGISTERS[self.depth], addr: open.start, count });
        }
    }

    /// Returns the program with `finish` at its end.
    pub fn finish(mut self) -> Vec<L1> {
        self.l1.push(L1::Finish);
        self.l1
    }
}

/// The largest count of a loop counter.
pub(super) const COUNT: u64 = 1 << 16;

/// `count` as a product of two factors that a loop counter can hold.
///
/// # Panics
/// If there are no such factors, which is a programming error: every count up to [`COUNT`] has them, and so has every
/// multiple of it up to its square; the counts written here are one or the other.
fn factors(count: u64) -> [u32; 2] {
    let outer = (1..=COUNT).find(|k| count.is_multiple_of(*k) && count / k <= COUNT);
    let outer = outer.unwrap_or_else(|| panic!("no two loops make {count} turns"));
    [(count / outer) as u32, outer as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_take_registers_by_depth() {
        let mut text = Text::new();
        text.times(3, |text| {
            text.push(L1::MsmInitP2);
            text.times(1, |text| text.push(L1::MsmInitP3));
            text.times(70_000, |text| text.push(L1::MsmInitP2));
        });
        let printed: Vec<String> = text.finish().iter().map(L1::to_string).collect();
        let expected = [
            "msm_initp2",
            "msm_initp3",
            "msm_initp2",
            "loop_k 2, 35000",
            "loop_j 2, 2",
            "loop_i 0, 3",
            "finish",
        ];
        assert_eq!(printed, expected);
    }

    #[test]
    fn pieces_of_any_number_fit_two_counters() {
        // 65,537 turns and 2^17 + 1 of them are no products of two that fit.
        for whole in [1, 65_535, 65_536, 65_537, (1 << 17) + 1, (1 << 20) - 1] {
            let mut build = super::super::Build::<pairwright_curve::bls12_381::Fr>::new("pieces");
            build.pieces(1024 * whole, 1024, super::super::Schedule::Unhidden, |text, _, _| {
                text.push(L1::MsmInitP2);
            });
            // Each body is followed by its loops: their counts multiply.
            let (mut turns, mut open) = (0, 0);
            for instruction in build.finish().l1 {
                match instruction {
                    L1::Loop { count, .. } => open *= u64::from(count),
                    _ => (turns, open) = (turns + open, 1),
                }
            }
            assert_eq!(turns, whole);
        }
    }
}
