//! The element of a tree: a multiplier with a subtractor before it and an adder behind it, and a Keccak permutation.
//!
//! ```text
//! build      b is not used   p = a·r (16)              ·  a - p, p (1)
//! evaluate   b - a (1)       (b - a)·r (16)            ·  a + (b - a)·r (1)
//! product                    a·b (16)
//! hash                       24 rounds over a and b, padded as SHA3-256 pads them
//! ```

use crate::block::signals;
use crate::blocks::multiplier::{self, Stages};
use crate::blocks::{Modulus, add_sub, any, digits, keccak, ports};
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use crate::{Block, Signal};
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::mm::{Array, MmDesign};
use pairwright_hash::{Compress, Sha3};
use pairwright_sim::Clocked;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The multiplier of an element.
pub(super) const PRODUCT: MmDesign = MmDesign::PIPELINED_256;
/// Width of a word in bits: a digest, or a field element.
pub(super) const WORD: u32 = 256;

/// A word as four digits of 64 bits.
pub(super) type Word = [u64; 4];

/// The operations of an element, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Build,
    Evaluate,
    Product,
    Hash,
}

impl Op {
    pub(super) const ALL: [Self; 4] = [Self::Build, Self::Evaluate, Self::Product, Self::Hash];

    /// Cycles from operands to results.
    pub(super) fn latency(self) -> u32 {
        match self {
            Self::Build => PRODUCT.latency() + add_sub::LATENCY,
            Self::Evaluate => PRODUCT.latency() + 2 * add_sub::LATENCY,
            Self::Product => PRODUCT.latency(),
            Self::Hash => keccak::ROUNDS,
        }
    }
}

/// Prints an element for a field.
///
/// # Errors
/// Errors of the kernels.
pub fn print<F: Datapath>(name: &str) -> Result<Block, RtlError> {
    let bits = Modulus::of::<F>()?.steps.bits();
    let product = multiplier::print::<F>(&format!("{name}_product"), &PRODUCT)?;
    let sum = add_sub::print::<F>(&format!("{name}_sum"))?;
    let hash = keccak::print(&format!("{name}_keccak"))?;
    let inputs =
        signals([("rst", 1), ("en", 1), ("in_valid", 1), ("op", 2), ("a", WORD), ("b", WORD), ("r", bits)]);
    let outputs = vec![Signal::new("x", WORD), Signal::new("y", bits)];
    let line = PRODUCT.latency() + 1;
    let (mut declared, mut moves) = (String::new(), String::new());
    for k in 0..line {
        let from = if k == 0 { format!("a[{}:0]", bits - 1) } else { format!("line_{}", k - 1) };
        let _ = writeln!(declared, "    reg [{}:0] line_{k};", bits - 1);
        let _ = writeln!(moves, "        line_{k} <= {from};");
    }
    let text = format!(
        "{product_text}
{sum_text}
{hash_text}
module {name} (
{ports}
);
    localparam [1:0] BUILD = 2'd0, EVALUATE = 2'd1, PRODUCT = 2'd2, HASH = 2'd3;
    wire [{top}:0] left = a[{top}:0];
    wire [{top}:0] right = b[{top}:0];
    // The difference of both children, and the challenge beside it.
    wire [{top}:0] difference, scaled, total;
    wire [0:0] difference_there, scaled_there, total_there;
    {name}_sum ahead (.clk(clk), .rst(rst), .en(en), .in_valid(in_valid & (op == EVALUATE)), .s(1'd1), .a(right), .b(left), .out_valid(difference_there), .c(difference));
    reg [{top}:0] r_0, scaled_0;
{declared}    wire [{top}:0] first = op == EVALUATE ? difference : left;
    wire [{top}:0] second = op == EVALUATE ? r_0 : op == BUILD ? r : right;
    wire [0:0] enters = op == EVALUATE ? difference_there : in_valid & (op != HASH);
    {name}_product product (.clk(clk), .rst(rst), .en(en), .in_valid(enters), .a(first), .b(second), .out_valid(scaled_there), .c(scaled));
    // What the product is added to or subtracted from waits beside it.
    wire [{top}:0] beside = op == BUILD ? line_{before} : line_{last};
    {name}_sum behind (.clk(clk), .rst(rst), .en(en), .in_valid(scaled_there & (op != PRODUCT)), .s(op == BUILD), .a(beside), .b(scaled), .out_valid(total_there), .c(total));
    always @(posedge clk) if (en) begin
        r_0 <= r;
        scaled_0 <= scaled;
{moves}    end
    wire [0:0] ready, digest_there;
    wire [1599:0] digest;
    {name}_keccak hash (.clk(clk), .rst(rst), .en(en), .in_valid(in_valid & (op == HASH)), .s({{512'd0, 1'd1, 567'd0, 8'h06, b, a}}), .in_ready(ready), .out_valid(digest_there), .r(digest));
    assign x = op == HASH ? digest[{word}:0] : {{{pad}'d0, op == PRODUCT ? scaled : total}};
    assign y = scaled_0;
endmodule
",
        product_text = product.text,
        sum_text = sum.text,
        hash_text = hash.text,
        ports = ports(&inputs, &outputs),
        top = bits - 1,
        before = line - 2,
        last = line - 1,
        word = WORD - 1,
        pad = WORD - bits,
    );
    let data = |block: &Block, instance: &str| -> Vec<Signal> {
        block.data_registers().map(|r| r.inside(instance)).collect()
    };
    let mut registers = data(&product, "product");
    registers.extend(data(&hash, "hash"));
    registers.extend((0..line).map(|k| Signal::new(format!("line_{k}"), bits)));
    registers.extend(data(&sum, "ahead"));
    registers.extend(data(&sum, "behind"));
    registers.extend(["r_0", "scaled_0"].map(|name| Signal::new(name, bits)));
    Ok(Block {
        name: name.to_owned(),
        title: format!(
            "Element of a tree unit: products and sums modulo a prime of {bits} bits, and SHA3-256."
        ),
        inputs,
        outputs,
        registers,
        latency: Op::Evaluate.latency(),
        interval: 1,
        text,
        parts: vec![(product.name, "mm_255"), (sum.name, "add_sub_255"), (hash.name, "keccak")],
        kernels: Vec::new(),
    })
}

/// The register contents of an element.
pub(super) struct Element<F: Datapath> {
    array: Array,
    stages: Stages,
    hash: keccak::Rounds,
    line: VecDeque<Option<F>>,
    before: Option<F>,
    behind: Option<F>,
    r: Option<F>,
    scaled: Option<F>,
}

/// A field element as a word.
pub(super) fn word<F: Datapath>(value: &F) -> Word {
    let digits = value.digits();
    core::array::from_fn(|k| digits[k])
}

/// A word as a field element.
fn element<F: Datapath>(word: &Word) -> F {
    F::from_digits(&digits(word)).unwrap_or(F::ZERO)
}

impl<F: Datapath> Element<F> {
    /// An element with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing its block refuses such a field.
    pub(super) fn new() -> Self {
        Self {
            array: Array::new::<F>(PRODUCT),
            stages: Stages::of::<F>(&PRODUCT),
            hash: keccak::Rounds::new(),
            line: core::iter::repeat_n(None, PRODUCT.latency() as usize + 1).collect(),
            before: None,
            behind: None,
            r: None,
            scaled: None,
        }
    }

    /// The clock edge; `operands` enter with a challenge, if there are any.
    pub(super) fn tick(&mut self, op: Op, operands: Option<([Word; 2], F)>) {
        if op == Op::Hash {
            // The contents of the arithmetic pipeline are not compared.
            let hash = core::mem::replace(&mut self.hash, keccak::Rounds::new());
            *self = Self { hash, ..Self::new() };
            self.hash.tick(operands.map(|([a, b], _)| keccak::padded_words(&a, &b)));
            return;
        }
        self.hash.tick(None);
        let product = self.array.out()[0].and_then(|digits| F::from_digits(&digits));
        let inputs = operands.map(|([a, b], r)| (element::<F>(&a), element::<F>(&b), r));
        let enters = match op {
            Op::Build => inputs.map(|(a, _, r)| (a, r)),
            Op::Evaluate => self.before.zip(self.r),
            _ => inputs.map(|(a, b, _)| (a, b)),
        };
        let last = self.line.len() - 1;
        self.behind = match op {
            Op::Build => self.line[last - 1].zip(product).map(|(a, p)| a - p),
            Op::Evaluate => self.line[last].zip(product).map(|(a, p)| a + p),
            _ => None,
        };
        self.scaled = product;
        self.array.tick([enters.map(|(a, b)| (a.digits(), b.digits())), None, None, None]);
        self.stages.keep(self.array.registers(0));
        self.line.pop_back();
        self.line.push_front(inputs.map(|(a, ..)| a));
        self.before = inputs.filter(|_| op == Op::Evaluate).map(|(a, b, _)| b - a);
        self.r = inputs.filter(|_| op == Op::Evaluate).map(|(.., r)| r);
    }

    /// Both results, where they are available.
    pub(super) fn out(&self, op: Op) -> [Option<Word>; 2] {
        match op {
            Op::Build => [self.behind, self.scaled].map(|value| value.as_ref().map(word)),
            Op::Evaluate => [self.behind.as_ref().map(word), None],
            Op::Product => [self.array.out()[0].map(|digits| core::array::from_fn(|k| digits[k])), None],
            Op::Hash => [self.hash.digest(), None],
        }
    }

    /// Writes the expected registers from index `at` on; returns the index after the last one.
    pub(super) fn expect(&self, mut at: usize, out: &mut Expected) -> usize {
        at = self.stages.expect(at, out);
        self.hash.expect(at, out);
        at += 2;
        let rest = [&self.before, &self.behind, &self.r, &self.scaled];
        for value in self.line.iter().chain(rest) {
            any(value.map(|value| value.digits()), at, out);
            at += 1;
        }
        at
    }
}

/// The model of a single element; its results are compared with the field and the hash.
pub struct SingleElement<F: Datapath> {
    element: Element<F>,
    op: Op,
    /// Cycles without input, so that the element is empty before the operation changes.
    pause: u32,
    due: VecDeque<(u32, [Word; 2])>,
    stalls: Stalls,
    oracle: Oracle,
    next: ([Word; 2], F),
    done: [u64; 4],
}

impl<F: Datapath> SingleElement<F> {
    /// The model with nothing in flight.
    pub fn new() -> Self {
        Self {
            element: Element::new(),
            op: Op::Build,
            pause: 0,
            due: VecDeque::new(),
            stalls: Stalls::default(),
            oracle: Oracle::default(),
            next: ([[0; 4]; 2], F::ZERO),
            done: [0; 4],
        }
    }

    /// The expected results of an operation.
    fn want(&self, [a, b]: [Word; 2], r: F) -> [Word; 2] {
        let (x, y) = (element::<F>(&a), element::<F>(&b));
        match self.op {
            Op::Build => [word(&(x * (F::ONE - r))), word(&(x * r))],
            Op::Evaluate => [word(&(x * (F::ONE - r) + y * r)), [0; 4]],
            Op::Product => [word(&(x * y)), [0; 4]],
            Op::Hash => [of_bytes(&Sha3.compress(&bytes(&a), &bytes(&b))), [0; 4]],
        }
    }
}

impl<F: Datapath> Default for SingleElement<F> {
    fn default() -> Self {
        Self::new()
    }
}

/// A digest as a word, lowest byte first.
pub(super) fn of_bytes(digest: &[u8; 32]) -> Word {
    core::array::from_fn(|k| (0..8).rev().fold(0, |word, j| word << 8 | u64::from(digest[8 * k + j])))
}

/// The bytes of a digest.
pub(super) fn bytes(word: &Word) -> [u8; 32] {
    core::array::from_fn(|k| (word[k / 8] >> (8 * (k % 8))) as u8)
}

impl<F: Datapath> Bench for SingleElement<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        if self.pause == 0 && rng.next_u32().is_multiple_of(128) {
            self.pause = 64;
        }
        if self.pause > 0 {
            input.set(2, &[0]);
        }
        if self.pause == 32 {
            self.op = Op::ALL[(rng.next_u32() % 4) as usize];
        }
        let any = |rng: &mut ChaCha20Rng| core::array::from_fn(|_| rng.next_u64());
        self.next = if self.op == Op::Hash {
            ([any(rng), any(rng)], F::ZERO)
        } else {
            ([word(&operand::<F>(rng)), word(&operand::<F>(rng))], operand::<F>(rng))
        };
        input.set(3, &[self.op as u64]);
        input.set(4, &self.next.0[0]);
        input.set(5, &self.next.0[1]);
        input.set(6, &self.next.1.digits());
    }

    fn outputs(&self, out: &mut Expected) {
        let results = self.element.out(self.op);
        for (at, result) in results.into_iter().enumerate() {
            any(result, at, out);
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            (self.element, self.pause) = (Element::new(), 0);
            self.due.clear();
        } else if en {
            self.pause = self.pause.saturating_sub(1);
            for due in &mut self.due {
                due.0 -= 1;
            }
            if let Some((_, want)) = self.due.pop_front_if(|(left, _)| *left == 0) {
                let [x, y] = self.element.out(self.op);
                self.done[self.op as usize] += 1;
                self.oracle.judge(Some(
                    x == Some(want[0]) && y.is_none_or(|y| y == want[1] || self.op != Op::Build),
                ));
            }
            let takes = valid && (self.op != Op::Hash || self.element.hash.is_ready());
            let operands = takes.then_some(self.next);
            if let Some((words, r)) = operands {
                self.due.push_back((self.op.latency(), self.want(words, r)));
            }
            self.element.tick(self.op, operands);
        }
    }

    fn registers(&self, out: &mut Expected) {
        self.element.expect(0, out);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }

    fn coverage(&self) -> Vec<(&'static str, u64)> {
        ["nodes built", "nodes evaluated", "products", "hashes"].into_iter().zip(self.done).collect()
    }
}
