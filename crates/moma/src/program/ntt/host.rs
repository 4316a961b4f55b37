//! The transform as one host kernel: in place, natural order in and out.
//!
//! A bit-reversal permutation, then steps of a few levels. Levels that stay within a block of the array are computed
//! block by block, the others in strips of neighbouring columns, so that both work on data in a cache.

use super::super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, Ix, Reg, Role, reverse_bits,
};
use super::{Kind, RegisterStep, Scaled};

/// The parameters of the kernel; they do not change the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTuning {
    /// log2 of the number of elements held in registers.
    pub log_held: u32,
    /// log2 of the number of elements of a block.
    pub log_block: u32,
}

impl HostTuning {
    /// The default for an element that takes `bytes` bytes in memory, all lanes together: steps of three levels, half a
    /// megabyte per block.
    pub fn for_bytes(bytes: usize) -> Self {
        let log_block = (512 * 1024 / bytes.max(1)).max(16).ilog2();
        Self { log_held: 3, log_block }
    }
}

const DATA: usize = 0;
const TABLE: usize = 1;

/// The host kernel `NAME(batch, data, twiddles, constants)`: `batch` transforms of `2^log_n` elements, stored one after
/// the other, in place; `log_n` is 1 to 30.
pub fn host(kind: Kind, element: Element, log_n: u32, tuning: HostTuning) -> ArrayKernel {
    let writer = Writer { kind, log_n, log_held: tuning.log_held.clamp(1, log_n) };
    let mut body = Body::default();
    body.for_(0u64, Ix::Scalar(0), |body, row| writer.transform(body, &row, tuning.log_block));
    ArrayKernel {
        name: kind.name().to_owned(),
        about: format!("{} of 2^{log_n} elements, in place", kind.name().replace('_', " ")),
        element,
        scalars: vec!["batch"],
        buffers: vec![Buffer::output("data"), Buffer::new("twiddles", Access::Read, BufferKind::Uniform)],
        registers: (1 << writer.log_held) + 3,
        launch: None,
        body: vec![body.phase()],
    }
}

struct Writer {
    kind: Kind,
    log_n: u32,
    log_held: u32,
}

impl Writer {
    fn place(&self, row: &Ix, at: Ix) -> ElementPlace {
        ElementPlace::Global { buffer: DATA, base: row.clone(), stride: 1 << self.log_n, at }
    }

    fn transform(&self, body: &mut Body, row: &Ix, block: u32) {
        let (log_n, log_held) = (self.log_n, self.log_held);
        self.reverse(body, row);
        // The step with fewer levels comes first, where most products are trivial.
        let odd = (log_n - 1) % log_held + 1;
        // Steps after the first that fit in a block, and the remaining ones. The very last step is outside of the loops
        // if it scales.
        let steps = (log_n - odd) / log_held;
        let inside = steps.min(block.saturating_sub(odd) / log_held);
        let chunk = odd + inside * log_held;
        let scaled = self.kind.scaled();
        let peeled = |from: u32, to: u32| if scaled && to == steps && to > from { to - 1 } else { to };

        body.for_(0u64, 1u64 << (log_n - chunk), |body, at| {
            let start = body.let_(at << u64::from(chunk));
            body.for_(0u64, 1u64 << (chunk - odd), |body, group| {
                let base = body.let_(start.clone() + (group << u64::from(odd)));
                self.step(body, row, &Ix::Const(0), &base, &Ix::Const(0), odd, true, scaled && steps == 0);
            });
            let step = |body: &mut Body, s: Ix, scaled: bool| {
                let level = body.let_(s * u64::from(log_held) + u64::from(odd));
                let groups = Ix::Const(1) << (Ix::Const(u64::from(chunk - log_held)) - level.clone());
                body.for_(0u64, groups, |body, group| {
                    let from = body.let_(start.clone() + (group << (level.clone() + u64::from(log_held))));
                    body.for_(0u64, Ix::Const(1) << level.clone(), |body, point| {
                        self.step(body, row, &level, &from, &point, log_held, false, scaled);
                    });
                });
            };
            let end = peeled(0, inside);
            body.for_(0u64, u64::from(end), |body, s| step(body, s, false));
            if end < inside {
                step(body, Ix::Const(u64::from(end)), true);
            }
        });

        // Beyond a block, all levels of the columns `p` of one strip are computed before the next strip.
        let width = chunk.min(block.saturating_sub(log_n - chunk));
        if inside < steps {
            body.for_(0u64, 1u64 << (chunk - width), |body, strip| {
                let strip = body.let_(strip << u64::from(width));
                let step = |body: &mut Body, s: Ix, scaled: bool| {
                    let level = body.let_(s * u64::from(log_held) + u64::from(odd));
                    let groups = Ix::Const(1) << (Ix::Const(u64::from(log_n - log_held)) - level.clone());
                    let turns = Ix::Const(1) << (level.clone() - u64::from(chunk));
                    body.for_(0u64, groups, |body, group| {
                        let from = body.let_(group << (level.clone() + u64::from(log_held)));
                        body.for_(0u64, turns, |body, turn| {
                            let first = body.let_((turn << u64::from(chunk)) + strip.clone());
                            body.for_(0u64, 1u64 << width, |body, column| {
                                let point = body.let_(first.clone() + column);
                                self.step(body, row, &level, &from, &point, log_held, false, scaled);
                            });
                        });
                    });
                };
                let end = peeled(inside, steps);
                body.for_(u64::from(inside), u64::from(end), |body, s| step(body, s, false));
                if end < steps {
                    step(body, Ix::Const(u64::from(end)), true);
                }
            });
        }
        if self.kind.shifted() {
            body.for_(0u64, 1u64 << log_n, |body, at| {
                body.load(Reg(0), self.place(row, at.clone()));
                body.load(Reg(1), ElementPlace::global(TABLE, at.clone() + (1u64 << log_n)));
                body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
                body.store(self.place(row, at), Reg(0));
            });
        }
    }

    /// Writes the bit-reversal permutation: exchanges elements whose indices are bit reversals of one another.
    fn reverse(&self, body: &mut Body, row: &Ix) {
        if self.log_n < 2 {
            return;
        }
        body.for_(0u64, 1u64 << self.log_n, |body, i| {
            let j = body.let_(i.clone().bit_reversed(u64::from(self.log_n)));
            body.when(i.clone(), j.clone(), |body| {
                body.load(Reg(0), self.place(row, i.clone()));
                body.load(Reg(1), self.place(row, j.clone()));
                body.store(self.place(row, j), Reg(0));
                body.store(self.place(row, i), Reg(1));
            });
        });
    }

    /// Writes `bits` levels on the elements at `base + point + j 2^level`.
    #[expect(clippy::too_many_arguments, reason = "where a step stands, and three facts about it")]
    fn step(
        &self,
        body: &mut Body,
        row: &Ix,
        level: &Ix,
        base: &Ix,
        point: &Ix,
        bits: u32,
        first: bool,
        scaled: bool,
    ) {
        let start = body.let_(base.clone() + point.clone());
        let place = |j: u64| {
            self.place(row, start.clone() + (Ix::Const(reverse_bits(j, u64::from(bits))) << level.clone()))
        };
        for j in 0..1u64 << bits {
            body.load(Reg(j as usize), place(j));
        }
        RegisterStep {
            table: TABLE,
            level: level.clone(),
            point: point.clone(),
            bits,
            first: 0,
            trivial: first && !self.kind.coset,
            scaled: if scaled { Scaled::Always } else { Scaled::Never },
            scratch: [0, 1, 2].map(|i| Reg((1 << self.log_held) + i)),
        }
        .write(body);
        for j in 0..1u64 << bits {
            body.store(place(j), Reg(j as usize));
        }
    }
}
