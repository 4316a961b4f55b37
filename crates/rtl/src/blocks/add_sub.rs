//! The modular adder and subtractor, which computes a sum or a difference in one cycle.

use super::{Modulus, any, ports, residue};
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use crate::{Block, Signal};
use num_bigint::BigUint;
use pairwright_chip::machine::Datapath;
use pairwright_moma::print::systemverilog::module;
use pairwright_sim::{Clocked, Pipe};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;

/// Cycles from operands to result.
pub const LATENCY: u32 = 1;

/// Prints the block of a field: `c = s ? a - b : a + b`, residues of the field.
///
/// # Errors
/// Errors of the kernels.
pub fn print<F: Datapath>(name: &str) -> Result<Block, RtlError> {
    let m = Modulus::of::<F>()?;
    let bits = m.steps.bits();
    let kernel = m.fixed(m.steps.add_sub());
    let inputs = signals([("rst", 1), ("en", 1), ("in_valid", 1), ("s", 1), ("a", bits), ("b", bits)]);
    let outputs = signals([("out_valid", 1), ("c", bits)]);
    let logic = format!("{name}_logic");
    let text = format!(
        "{}
module {name} (
{}
);
    wire [{top}:0] sum;
    {logic} logic_0 (.a(a), .b(b), .s(s), .c(sum));
    reg [0:0] s0_valid;
    reg [{top}:0] s0_c;
    always @(posedge clk) begin
        if (rst) s0_valid <= 1'd0;
        else if (en) s0_valid <= in_valid;
    end
    always @(posedge clk) if (en & in_valid) s0_c <= sum;
    assign out_valid = s0_valid;
    assign c = s0_c;
endmodule
",
        module(&kernel, &logic)?,
        ports(&inputs, &outputs),
        top = bits - 1,
    );
    Ok(Block {
        name: name.to_owned(),
        title: format!("Modular adder and subtractor for a prime of {bits} bits."),
        inputs,
        outputs,
        registers: vec![Signal::new("s0_valid", 1), Signal::new("s0_c", bits)],
        latency: LATENCY,
        interval: 1,
        text,
        parts: Vec::new(),
        kernels: Vec::new(),
    })
}

/// The model: the field's own sum and difference, in a pipe. Results are compared with integer arithmetic.
pub struct Adder<F: Datapath> {
    pipe: Pipe<F>,
    /// The content of the register: the last result.
    held: Option<F>,
    stalls: Stalls,
    oracle: Oracle,
}

impl<F: Datapath> Adder<F> {
    /// The model with nothing in flight.
    pub fn new() -> Self {
        Self { pipe: Pipe::new(LATENCY), held: None, stalls: Stalls::default(), oracle: Oracle::default() }
    }

    /// Writes the valid bit and the content of the result register.
    fn expect(&self, out: &mut Expected) {
        out.flag(0, self.pipe.front().is_some());
        any(self.held.map(|value| value.digits()), 1, out);
    }
}

impl<F: Datapath> Default for Adder<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Datapath> Bench for Adder<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        input.set(3, &[rng.next_u64() & 1]);
        input.set(4, &operand::<F>(rng).digits());
        input.set(5, &operand::<F>(rng).digits());
    }

    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        input.flow();
        input.set(3, &[rng.next_u64() & 1]);
        input.set(4, &F::random(rng).digits());
        input.set(5, &F::random(rng).digits());
    }

    fn outputs(&self, out: &mut Expected) {
        self.expect(out);
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if en {
            let operands = (valid && !rst).then(|| (residue::<F>(input.get(4)), residue::<F>(input.get(5))));
            let subtract = input.get(3)[0] == 1;
            let result = operands.map(|(a, b)| if subtract { a - b } else { a + b });
            if let Some(result) = result {
                let (q, a, b) = (integer(F::MODULUS.as_ref()), integer(input.get(4)), integer(input.get(5)));
                let sum = if subtract { a + &q - b } else { a + b };
                self.oracle.judge(Some(integer(&result.digits()) == sum % q));
            }
            self.held = result.or(self.held);
            self.pipe.tick(result);
        }
        if rst {
            self.pipe = Pipe::new(LATENCY);
            self.held = None;
        }
    }

    fn registers(&self, out: &mut Expected) {
        self.expect(out);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}

/// The integer with these 64-bit words, least significant first.
fn integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << 64u32) + *word)
}
