//! A butterfly unit of the Poly-OP engine: a pipelined multiplier with an adder, a subtractor and two halvers, which
//! are placed behind it in a forward transform and before it in an inverse one.
//!
//! ```text
//! NTT    u, v·w (16)  ·  u + v, u - v (1)  ·  a register (1)
//! INTT   u + v, u - v (1)  ·  both halved (1)  ·  u, v·w (16)
//! ```
//!
//! Both directions have the same latency, so one pipeline of valid bits serves them; the direction may change only
//! while nothing is in flight.

use super::multiplier::{self, Stages};
use super::{Modulus, any, ports, residue};
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use crate::{Block, Signal};
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::mm::{Array, MmDesign, Width};
use pairwright_chip::machine::poly::PolySpec;
use pairwright_chip::spec::MmStyle;
use pairwright_moma::print::systemverilog::module;
use pairwright_sim::{Clocked, Pipe};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The multiplier of a unit.
pub(super) fn product_design<F: Datapath>(spec: &PolySpec) -> MmDesign {
    MmDesign::new(Width::of::<F>(), MmStyle::Pipelined, spec.mm)
}

/// Cycles from operands to result.
pub(super) fn latency(spec: &PolySpec) -> u32 {
    spec.mm + spec.adder + spec.halving
}

/// Prints a unit for a field.
///
/// # Errors
/// Errors of the kernels; [`RtlError::Schedule`] for adders or halvers of more than a cycle.
pub fn print<F: Datapath>(name: &str, spec: &PolySpec) -> Result<Block, RtlError> {
    if (spec.adder, spec.halving) != (1, 1) {
        return Err(RtlError::Schedule { what: "an adder and a halver of a cycle each" });
    }
    let m = Modulus::of::<F>()?;
    let (bits, all) = (m.steps.bits(), latency(spec));
    let product = multiplier::print::<F>(&format!("{name}_product"), &product_design::<F>(spec))?;
    let inputs = signals([
        ("rst", 1),
        ("en", 1),
        ("in_valid", 1),
        ("inverse", 1),
        ("u", bits),
        ("v", bits),
        ("w", bits),
    ]);
    let outputs = signals([("out_valid", 1), ("x", bits), ("y", bits)]);
    let (mut declared, mut moves) = (String::new(), String::new());
    for k in 0..spec.mm {
        let from = if k == 0 { "first".to_owned() } else { format!("line_{}", k - 1) };
        let _ = writeln!(declared, "    reg [{}:0] line_{k};", bits - 1);
        let _ = writeln!(moves, "        line_{k} <= {from};");
    }
    let text = format!(
        "{product}
{add}
{sub}
{halve}
module {name} (
{ports}
);
    reg [{top}:0] sum_0, sum_1, half_0, half_1, w_0, w_1;
    reg [{end}:0] valid;
{declared}    always @(posedge clk) begin
        if (rst) valid <= {all}'d0;
        else if (en) valid <= {{valid[{before}:0], in_valid}};
    end
    // The multiplier's operands, and what goes beside the product.
    wire [{top}:0] first = inverse ? half_0 : u;
    wire [{top}:0] second = inverse ? half_1 : v;
    wire [{top}:0] factor = inverse ? w_1 : w;
    wire [0:0] enters = inverse ? valid[1] : in_valid;
    wire [{top}:0] scaled;
    wire [0:0] there;
    {product_name} product (.clk(clk), .rst(rst), .en(en), .in_valid(enters), .a(second), .b(factor), .out_valid(there), .c(scaled));
    // The adder's operands.
    wire [{top}:0] left = inverse ? u : line_{last};
    wire [{top}:0] right = inverse ? v : scaled;
    wire [{top}:0] total, difference, total_half, difference_half;
    {name}_add add_0 (.a(left), .b(right), .c(total));
    {name}_sub sub_0 (.a(left), .b(right), .c(difference));
    {name}_halve halve_0 (.x(sum_0), .h(total_half));
    {name}_halve halve_1 (.x(sum_1), .h(difference_half));
    always @(posedge clk) if (en) begin
        sum_0 <= total;
        sum_1 <= difference;
        half_0 <= inverse ? total_half : sum_0;
        half_1 <= inverse ? difference_half : sum_1;
        w_0 <= w;
        w_1 <= w_0;
{moves}    end
    assign out_valid = valid[{end}];
    assign x = inverse ? line_{last} : half_0;
    assign y = inverse ? scaled : half_1;
endmodule
",
        product = product.text,
        add = m.combined(false, &format!("{name}_add"))?,
        sub = m.combined(true, &format!("{name}_sub"))?,
        halve = module(&m.fixed(m.steps.halve()), &format!("{name}_halve"))?,
        ports = ports(&inputs, &outputs),
        product_name = product.name,
        top = bits - 1,
        last = spec.mm - 1,
        end = all - 1,
        before = all - 2,
    );
    Ok(Block {
        name: name.to_owned(),
        title: format!("Butterfly unit for a prime of {bits} bits, in both directions."),
        inputs,
        outputs,
        registers: registers(&product, spec, bits),
        latency: all,
        interval: 1,
        text,
        parts: vec![(product.name, "mm_255")],
        kernels: Vec::new(),
    })
}

/// The registers of a unit: the multiplier's, the delay line beside it, sums, halves, factors, valid bits.
fn registers(product: &Block, spec: &PolySpec, bits: u32) -> Vec<Signal> {
    let mut registers = data_registers(product, spec, bits);
    registers.push(Signal::new("valid", latency(spec)));
    registers
}

/// The data registers: the valid bits of the multiplier are delayed copies of the unit's.
pub(super) fn data_registers(product: &Block, spec: &PolySpec, bits: u32) -> Vec<Signal> {
    let mut registers: Vec<Signal> = product.data_registers().map(|r| r.inside("product")).collect();
    registers.extend((0..spec.mm).map(|k| Signal::new(format!("line_{k}"), bits)));
    let rest = ["sum_0", "sum_1", "half_0", "half_1", "w_0", "w_1"];
    registers.extend(rest.map(|name| Signal::new(name, bits)));
    registers
}

/// The contents of a unit's registers, from the operands and results in each of its stages.
pub(super) struct Unit<F: Datapath> {
    spec: PolySpec,
    array: Array,
    stages: Stages,
    _field: core::marker::PhantomData<F>,
}

/// The values of a butterfly in one stage of a unit: the two words, and the factor.
pub(super) type Words<F> = [F; 3];

impl<F: Datapath> Unit<F> {
    /// A unit with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing its block refuses such a field.
    pub(super) fn new(spec: &PolySpec) -> Self {
        let design = product_design::<F>(spec);
        Self {
            spec: *spec,
            array: Array::new::<F>(design),
            stages: Stages::of::<F>(&design),
            _field: core::marker::PhantomData,
        }
    }

    /// The clock edge; `before` holds the values of the inputs and of each stage's registers before it.
    pub(super) fn tick(&mut self, inverse: bool, before: &[Option<Words<F>>]) {
        let enters = if inverse { 2 } else { 0 };
        let operands = before[enters].map(|[_, v, w]| (v.digits(), w.digits()));
        self.array.tick([operands, None, None, None]);
        self.stages.keep(self.array.registers(0));
    }

    /// Writes the expected data registers from index `at` on; `held` holds the values of each stage. Returns the index
    /// after the last one.
    pub(super) fn expect(
        &self,
        inverse: bool,
        held: &[Option<Words<F>>],
        mut at: usize,
        out: &mut Expected,
    ) -> usize {
        at = self.stages.expect(at, out);
        let (line, sum, half) = {
            let mm = self.spec.mm as usize;
            if inverse { (2, 0, 1) } else { (0, mm, mm + 1) }
        };
        let mut word = |at: usize, stage: usize, k: usize| {
            let digits = held[stage].map(|words| words[k].digits());
            any(digits, at, out);
        };
        for k in 0..self.spec.mm as usize {
            word(at + k, line + k, 0);
        }
        at += self.spec.mm as usize;
        for (k, (stage, of)) in [(sum, 0), (sum, 1), (half, 0), (half, 1)].into_iter().enumerate() {
            word(at + k, stage, of);
        }
        for k in 0..2 {
            if inverse {
                word(at + 4 + k, k, 2);
            }
        }
        at + 6
    }
}

/// Applies one stage of a unit to the words of a butterfly.
pub(super) fn pass<F: Datapath>(spec: &PolySpec, inverse: bool, stage: u32, [u, v, w]: &mut Words<F>) {
    let (product, sum) = if inverse { (spec.adder + spec.halving, 0) } else { (0, spec.mm) };
    if stage == product {
        *v *= *w;
    }
    if stage == sum {
        (*u, *v) = (*u + *v, *u - *v);
    }
    if inverse && stage == spec.adder {
        let half = F::from(2).invert().unwrap_or(F::ZERO);
        (*u, *v) = (*u * half, *v * half);
    }
}

/// The model of a single unit: `chip`'s multiplier, the field's sums, and the stages of the specification.
pub struct Butterfly<F: Datapath> {
    spec: PolySpec,
    unit: Unit<F>,
    pipe: Pipe<Words<F>>,
    inverse: bool,
    /// Operands whose results are due, in order.
    due: VecDeque<Words<F>>,
    stalls: Stalls,
    oracle: Oracle,
}

impl<F: Datapath> Butterfly<F> {
    /// The model with nothing in flight.
    pub fn new(spec: &PolySpec) -> Self {
        Self {
            spec: *spec,
            unit: Unit::new(spec),
            pipe: Pipe::new(latency(spec)),
            inverse: false,
            due: VecDeque::new(),
            stalls: Stalls::default(),
            oracle: Oracle::default(),
        }
    }

    fn held(&self) -> Vec<Option<Words<F>>> {
        self.pipe.registers().map(Option::<&Words<F>>::copied).collect()
    }
}

impl<F: Datapath> Bench for Butterfly<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        if self.pipe.is_empty() {
            self.inverse = rng.next_u32() & 1 == 1;
        } else if rng.next_u32().is_multiple_of(64) {
            // The stream stops occasionally until the unit is empty.
            self.stalls.pause();
        }
        input.set(3, &[u64::from(self.inverse)]);
        for at in 4..7 {
            input.set(at, &operand::<F>(rng).digits());
        }
    }

    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        // In a stream the direction stays forward.
        self.inverse = false;
        input.flow();
        for at in 4..7 {
            input.set(at, &F::random(rng).digits());
        }
    }

    fn outputs(&self, out: &mut Expected) {
        let front = self.pipe.front();
        out.flag(0, front.is_some());
        for k in 0..2 {
            any(front.map(|words| words[k].digits()), 1 + k, out);
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.unit = Unit::new(&self.spec);
            self.pipe = Pipe::new(latency(&self.spec));
            self.due.clear();
        } else if en {
            if let Some([x, y, _]) = self.pipe.front()
                && let Some([u, v, w]) = self.due.pop_front()
            {
                // Sums and differences of the results check both outputs without computing a butterfly.
                let sums = if self.inverse {
                    x.double() == u + v && y.double() == (u - v) * w
                } else {
                    *x + *y == u.double() && *x - *y == (v * w).double()
                };
                self.oracle.judge(Some(sums));
            }
            let words = valid.then(|| [4, 5, 6].map(|at| residue::<F>(input.get(at))));
            self.due.extend(words);
            let before: Vec<_> = core::iter::once(words).chain(self.held()).collect();
            self.unit.tick(self.inverse, &before);
            let (spec, inverse) = (&self.spec, self.inverse);
            self.pipe.tick_with(words, |stage, words| pass(spec, inverse, stage, words));
        }
    }

    fn registers(&self, out: &mut Expected) {
        let held = self.held();
        let at = self.unit.expect(self.inverse, &held, 0, out);
        let bits = held.iter().rev().fold(0, |bits, words| bits << 1 | u64::from(words.is_some()));
        out.value(at, &[bits]);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}
