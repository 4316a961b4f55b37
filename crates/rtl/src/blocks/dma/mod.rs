//! The address generator of the DMA, in lock-step with `chip::machine::dma::AddressGenerator`.
//!
//! The control is written by hand: registers that the CPU writes, counters for four levels, and one address addition
//! per piece.

use super::ports;
use crate::block::signals;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls};
use crate::prove::Theorem;
use crate::{Block, Signal};
use pairwright_chip::machine::dma::{
    AddressGenerator, Dim, Fill, Layout, Order, PlacedPiece, Setting, Stream,
};
use pairwright_sim::Access;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;

/// The registers and their update logic.
const GENERATOR: &str = include_str!("generator.sv.txt");

fn inputs() -> Vec<Signal> {
    signals([
        ("rst", 1),
        ("en", 1),
        ("in_valid", 1),
        ("in_write", 1),
        ("in_register", 4),
        ("in_data", 50),
        ("out_ready", 1),
    ])
}

fn outputs() -> Vec<Signal> {
    signals([
        ("in_ready", 1),
        ("out_valid", 1),
        ("out_address", 50),
        ("out_count", 16),
        ("out_slot", 16),
        ("out_index", 16),
        ("out_last", 1),
    ])
}

fn registers() -> Vec<Signal> {
    signals([
        ("address", 50),
        ("run_left", 32),
        ("digit_0", 32),
        ("digit_1", 32),
        ("digit_2", 32),
        ("digit_3", 32),
        ("offset", 17),
        ("group_left", 17),
        ("number", 17),
        ("left", 16),
        ("base", 50),
        ("shape", 13),
        ("run", 32),
        ("group", 17),
        ("groups", 17),
        ("count_0", 32),
        ("count_1", 32),
        ("count_2", 32),
        ("count_3", 32),
        ("jump_0", 50),
        ("jump_1", 50),
        ("jump_2", 50),
        ("jump_3", 50),
    ])
}

/// Prints the block. A transfer is accepted when `in_ready` is high, and its pieces leave one per cycle.
pub fn print(name: &str) -> Block {
    let (inputs, outputs) = (inputs(), outputs());
    Block {
        name: name.to_owned(),
        title: "Address generator of the DMA: four levels of counts and strides, and places on the chip."
            .to_owned(),
        text: format!("module {name} (\n{}\n);\n{GENERATOR}endmodule\n", ports(&inputs, &outputs)),
        inputs,
        outputs,
        registers: registers(),
        latency: 1,
        interval: 1,
        parts: Vec::new(),
        kernels: Vec::new(),
    }
}

/// The invariants of the generator, proved by induction over time. The CPU is assumed to write no run, group or count
/// of zero.
pub fn theorem() -> Theorem {
    let text = "
    wire [0:0] no_zero = (in_register == 4'd2 && in_data[31:0] == 32'd0)
        || (in_register == 4'd4 && in_data[16:0] == 17'd0)
        || (in_register[3:2] == 2'd2 && in_data[31:0] == 32'd0);
    always @* if (!rst) begin
        assume (!(in_valid && in_write && no_zero));
        // The walk is within its run, its group, its layout and its levels.
        assert (run_left != 32'd0 && run_left <= run && number < groups);
        assert (whole || (group_left != 17'd0 && group_left <= group && offset == group - group_left));
        assert (digit_0 < count_0 && digit_1 < count_1 && digit_2 < count_2 && digit_3 < count_3);
        // A piece has an element, and none that lies beyond the transfer, the run or the group.
        if (out_valid) assert (out_count != 16'd0);
        assert (out_count <= left && {16'd0, out_count} <= run_left);
        assert (whole || {1'd0, out_count} <= group_left);
        assert (out_last == (left == out_count) && in_ready != out_valid);
    end
";
    Theorem {
        title: "a piece of an address generator is within its transfer, its run and its group, and no walk leaves its levels".to_owned(),
        text: format!("module theorem (\n{}\n);\n{GENERATOR}{text}endmodule\n", ports(&inputs(), &outputs())),
        clocked: true,
    }
}

/// The register writes of a setting: register numbers and values.
fn written(setting: &Setting) -> Vec<(u64, u64)> {
    let shape =
        u64::from(setting.element_words) | u64::from(setting.reversed) << 7 | u64::from(setting.around) << 12;
    let mut all = vec![
        (0, setting.base),
        (1, shape),
        (2, setting.run.into()),
        (3, setting.group.into()),
        (4, setting.groups.into()),
    ];
    all.extend((8..).zip(setting.counts.map(u64::from)));
    all.extend((12..).zip(setting.jumps));
    all
}

/// The setting after the CPU has written one register.
fn with(mut setting: Setting, register: u64, data: u64) -> Setting {
    match register {
        0 => setting.base = data,
        1 => {
            setting.element_words = data as u32 & 0x7f;
            setting.reversed = (data >> 7) as u32 & 0x1f;
            setting.around = data >> 12 & 1 == 1;
        }
        2 => setting.run = data as u32,
        3 => setting.group = data as u32 & 0x1_ffff,
        4 => setting.groups = data as u32 & 0x1_ffff,
        8..=11 => setting.counts[register as usize - 8] = data as u32,
        12..=15 => setting.jumps[register as usize - 12] = data,
        _ => {}
    }
    setting
}

/// The walks of a run, with the pattern that determines the pieces.
struct Walk {
    stream: Stream,
    /// Elements given so far.
    position: u64,
    /// Elements of the current transfer given so far.
    number: u32,
}

/// The model, with the pending register writes of the CPU.
#[derive(Default)]
pub struct Generator {
    model: AddressGenerator,
    stalls: Stalls,
    /// Registers that are still to be written.
    settings: VecDeque<(u64, u64)>,
    /// Remaining transfers of the walk.
    transfers: u32,
    next: Option<Stream>,
    walk: Option<Walk>,
    oracle: Oracle,
    /// Counts of pieces that end a run of DRAM, a group on the chip or a transfer, of walks that restart, and of empty
    /// transfers.
    seen: [u64; 5],
}

impl Generator {
    /// Draws a walk: vectors, columns and rows of matrices, points; often with layouts over slots.
    fn draw(rng: &mut ChaCha20Rng) -> Stream {
        let mut pick = |of: &[u32]| of[rng.next_u32() as usize % of.len()];
        let element_words = pick(&[1, 1, 3, 6, 64]);
        let (columns, log_len) = (pick(&[1, 2, 4, 8]), pick(&[0, 2, 5]));
        let fill = [Fill::Around, Fill::InTurn][pick(&[0, 1]) as usize];
        let order = [Order::Natural, Order::BitReversed, Order::Linear][pick(&[0, 1, 2]) as usize];
        let unit = u64::from(element_words);
        let mut dims =
            vec![Dim { count: pick(&[1, 4, 8, 13, 70_000]), stride: unit * u64::from(pick(&[1, 1, 1, 9])) }];
        for _ in 0..pick(&[0, 1, 2]) {
            let behind = dims.last().map_or(0, |inner| inner.stride * u64::from(inner.count));
            dims.push(Dim {
                count: pick(&[1, 2, 3]),
                stride: [behind, behind + 5, 2, 1 << 30][pick(&[0, 1, 2, 3]) as usize],
            });
        }
        dims.push(Dim { count: columns << log_len, stride: 1 << 41 });
        let base = u64::from(pick(&[0, 1, 1 << 20, u32::MAX])) << pick(&[0, 3, 16]);
        let stream = Stream::vector("walk", "test", Access::Read, base, element_words, 1);
        Stream { dims, layout: Layout { columns, log_len, fill, order }, ..stream }
    }

    /// Checks a piece against the pattern: every element's address, and the on-chip location of the first.
    fn judge(&mut self, piece: &PlacedPiece) {
        let Some(walk) = &mut self.walk else { return };
        let Stream { element_words, layout, .. } = walk.stream;
        let elements = walk.stream.elements();
        let first = layout.place(walk.position % elements, walk.number);
        let right = (0..piece.count).all(|k| {
            let at = (walk.position + u64::from(k)) % elements;
            piece.address + u64::from(k) * u64::from(element_words) == walk.stream.address(at)
        });
        self.oracle.judge(Some(right && first == piece.place));
        walk.position += u64::from(piece.count);
        walk.number += piece.count;
        self.seen[3] += u64::from(walk.position == elements);
    }
}

impl Bench for Generator {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        input.set(6, &[u64::from(!rng.next_u32().is_multiple_of(4))]);
        if self.settings.is_empty() && self.transfers == 0 && self.model.is_ready() {
            let stream = Self::draw(rng);
            if let Some(setting) = Setting::of(&stream) {
                self.settings = written(&setting).into();
                self.transfers = 1 + rng.next_u32() % 8;
                self.next = Some(stream);
            }
        }
        let mut set = |values: [u64; 3]| (3..).zip(values).for_each(|(at, value)| input.set(at, &[value]));
        match self.settings.front() {
            Some((register, data)) => set([1, *register, *data]),
            // Rarely a write to a register that does not exist, and an empty transfer.
            None if rng.next_u32().is_multiple_of(64) => {
                set([1, 5 + u64::from(rng.next_u32() % 3), rng.next_u64() >> 14])
            }
            None => {
                let length = [0, 1, 3, 8, 40, 200, 1_000, 65_535][(rng.next_u32() % 8) as usize];
                set([
                    0,
                    u64::from(rng.next_u32() % 16),
                    length.min(if rng.next_u32().is_multiple_of(8) { length } else { 200 }),
                ]);
            }
        }
    }

    fn outputs(&self, out: &mut Expected) {
        let piece = self.model.piece();
        out.flag(0, self.model.is_ready());
        out.flag(1, piece.is_some());
        let Some(piece) = piece else { return };
        let values = [piece.address, piece.count.into(), piece.place.slot.into(), piece.place.index.into()];
        (2..).zip(values).for_each(|(at, value)| out.value(at, &[value]));
        out.flag(6, piece.count == self.model.left);
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            *self = Self { stalls: self.stalls, oracle: self.oracle, seen: self.seen, ..Self::default() };
            return;
        }
        if !en {
            return;
        }
        let [write, register, data, ready] = [3, 4, 5, 6].map(|at| input.get(at)[0]);
        if let Some(piece) = self.model.piece() {
            if ready == 1 {
                let before = self.model;
                self.model.advance();
                self.judge(&piece);
                let ends = [
                    self.model.run_left == self.model.setting().run,
                    self.model.number != before.number,
                    self.model.left == 0,
                ];
                ends.into_iter().zip(&mut self.seen).for_each(|(ends, seen)| *seen += u64::from(ends));
            }
        } else if valid && write == 1 {
            self.model = AddressGenerator::new(with(*self.model.setting(), register, data));
            if self.settings.front() == Some(&(register, data)) {
                self.settings.pop_front();
            }
            self.walk = match (self.settings.is_empty(), self.next.take()) {
                (true, Some(stream)) => Some(Walk { stream, position: 0, number: 0 }),
                (false, next) => {
                    self.next = next;
                    None
                }
                // A write to an unused register number resets the walk to its start.
                (true, None) => self.walk.take().map(|walk| Walk { position: 0, number: 0, ..walk }),
            };
        } else if valid {
            self.model.begin(data as u16);
            self.walk.iter_mut().for_each(|walk| walk.number = 0);
            self.seen[4] += u64::from(data == 0);
            self.transfers = self.transfers.saturating_sub(1);
        }
    }

    fn registers(&self, out: &mut Expected) {
        let model = &self.model;
        let mut values = vec![model.address, model.run_left.into()];
        values.extend(model.digits.map(u64::from));
        values.extend([model.offset, model.group_left, model.number, model.left].map(u64::from));
        values.extend(written(model.setting()).into_iter().map(|(_, value)| value));
        (0..).zip(values).for_each(|(at, value)| out.value(at, &[value]));
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }

    fn coverage(&self) -> Vec<(&'static str, u64)> {
        let cases = [
            "the end of a run",
            "the end of a group",
            "the end of a transfer",
            "the end of a walk",
            "a transfer of nothing",
        ];
        cases.into_iter().zip(self.seen).collect()
    }
}
