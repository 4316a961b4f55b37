//! The Fp2 multiplier: four pipelined multipliers side by side, a stage that combines their products, an output register.

use super::multiplier::{self, Content, expect, stages};
use super::{Modulus, ports, residue};
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use crate::{Block, Signal};
use num_bigint::BigUint;
use pairwright_chip::machine::fp2::Multiplier;
use pairwright_chip::machine::mm::MmDesign;
use pairwright_chip::machine::{Datapath, Row};
use pairwright_chip::spec::{MmStyle, MmUnit};
use pairwright_moma::print::systemverilog::module;
use pairwright_moma::steps::fixed;
use pairwright_sim::Clocked;
use rand_chacha::ChaCha20Rng;
use std::collections::VecDeque;

/// The unit that the paper's design has: 16 stages of products, one of combination, an output register.
pub const UNIT: MmUnit = MmUnit { style: MmStyle::Pipelined, latency: 18, ii: 1 };

/// Prints the block of a field: `c0 = a0 b0 - a1 b1`, `c1 = a0 b1 + a1 b0`.
///
/// # Errors
/// Those of the kernels.
pub fn print<F: Datapath>(name: &str) -> Result<Block, RtlError> {
    let m = Modulus::of::<F>()?;
    let bits = m.steps.bits();
    let config: MmDesign = Multiplier::<F, ()>::config(&UNIT);
    let product = multiplier::print::<F>(&format!("{name}_product"), &config)?;
    let combine = |subtract: u32, name: &str| {
        let mut kernel = m.steps.add_sub();
        kernel.fix("s", &BigUint::from(subtract));
        module(&fixed(kernel, &m.q, &m.qinv), name)
    };
    let inputs: Vec<Signal> =
        [("rst", 1), ("en", 1), ("in_valid", 1), ("a0", bits), ("a1", bits), ("b0", bits), ("b1", bits)]
            .map(|(name, bits)| Signal::new(name, bits))
            .into();
    let outputs = vec![Signal::new("out_valid", 1), Signal::new("c0", bits), Signal::new("c1", bits)];
    let instance = |k: usize, a: &str, b: &str| {
        format!(
            "    wire [0:0] valid_{k};\n    wire [{top}:0] c_{k};\n    {} product_{k} (.clk(clk), .rst(rst), .en(en), \
             .in_valid(in_valid), .a({a}), .b({b}), .out_valid(valid_{k}), .c(c_{k}));\n",
            product.name,
            top = bits - 1
        )
    };
    let products = [("a0", "b0"), ("a1", "b1"), ("a0", "b1"), ("a1", "b0")]
        .iter()
        .enumerate()
        .map(|(k, (a, b))| instance(k, a, b));
    let text = format!(
        "{}
{}
{}
module {name} (
{}
);
{products}    wire [{top}:0] difference;
    wire [{top}:0] sum;
    {name}_sub sub_0 (.a(c_0), .b(c_1), .c(difference));
    {name}_add add_0 (.a(c_2), .b(c_3), .c(sum));
    reg [0:0] combined_valid, result_valid;
    reg [{top}:0] combined_c0, combined_c1, result_c0, result_c1;
    always @(posedge clk) begin
        if (rst) begin
            combined_valid <= 1'd0;
            result_valid <= 1'd0;
        end else if (en) begin
            combined_valid <= valid_0;
            result_valid <= combined_valid;
        end
    end
    always @(posedge clk) if (en) begin
        combined_c0 <= difference;
        combined_c1 <= sum;
        result_c0 <= combined_c0;
        result_c1 <= combined_c1;
    end
    assign out_valid = result_valid;
    assign c0 = result_c0;
    assign c1 = result_c1;
endmodule
",
        product.text,
        combine(1, &format!("{name}_sub"))?,
        combine(0, &format!("{name}_add"))?,
        ports(&inputs, &outputs),
        products = products.collect::<String>(),
        top = bits - 1,
    );
    // The valid bits of one product stand for those of all; simulators drop the others.
    let valid = |r: &&Signal| !r.name.ends_with("_valid");
    let of = |k: usize, r: &Signal| Signal::new(format!("product_{k}.{}", r.name), r.bits);
    let mut registers: Vec<Signal> =
        (0..4).flat_map(|k| product.registers.iter().filter(valid).map(move |r| of(k, r))).collect();
    registers.extend(product.registers.iter().filter(|r| !valid(r)).map(|r| of(0, r)));
    for stage in ["combined", "result"] {
        registers.push(Signal::new(format!("{stage}_valid"), 1));
        registers.extend(["c0", "c1"].map(|c| Signal::new(format!("{stage}_{c}"), bits)));
    }
    Ok(Block {
        name: name.to_owned(),
        title: format!("Multiplier in a quadratic extension, u² = -1, of a prime field of {bits} bits."),
        inputs,
        outputs,
        registers,
        latency: UNIT.product_latency(),
        interval: UNIT.interval(),
        text,
        parts: vec![(product.name, "mm_381")],
        kernels: Vec::new(),
    })
}

/// The model: `chip`'s multiplier in Fp2.
pub struct Fp2<F: Datapath> {
    unit: Multiplier<F, ()>,
    contents: Vec<Vec<(Content, u32)>>,
    stalls: Stalls,
    /// Products of the field that must come out, in order.
    due: VecDeque<Row<F>>,
    oracle: Oracle,
}

impl<F: Datapath> Fp2<F> {
    /// The model with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no steps, which printing its block refuses.
    pub fn new() -> Self {
        let modulus = Modulus::of::<F>().expect("a block of this field was printed");
        Self {
            unit: Multiplier::new(&UNIT),
            contents: stages(&Multiplier::<F, ()>::config(&UNIT), modulus.steps),
            stalls: Stalls::default(),
            due: VecDeque::new(),
            oracle: Oracle::default(),
        }
    }
}

impl<F: Datapath> Default for Fp2<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Datapath> Bench for Fp2<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        for at in 3..7 {
            input.set(at, &operand::<F>(rng).digits());
        }
    }

    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        input.flow();
        for at in 3..7 {
            input.set(at, &F::random(rng).digits());
        }
    }

    fn outputs(&self, out: &mut Expected) {
        value(self.unit.out().map(|((), row)| row).as_ref(), 0, out);
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if en && !rst {
            if let Some(((), row)) = self.unit.out()
                && let Some(want) = self.due.pop_front()
            {
                self.oracle.judge(Some(row == want));
            }
            let row = |at: usize| Row::new(residue::<F>(input.get(at)), residue::<F>(input.get(at + 1)));
            let operands = valid.then(|| ((), row(3), row(5)));
            self.due.extend(operands.map(|((), x, y)| x * y));
            self.unit.tick(operands);
        }
        if rst {
            self.unit = Multiplier::new(&UNIT);
            self.due.clear();
        }
    }

    fn registers(&self, out: &mut Expected) {
        let of_product: usize = self.contents.iter().map(Vec::len).sum();
        let (mut at, mut valid) = (0, 4 * of_product);
        let mut registers = self.unit.registers();
        for contents in &self.contents {
            let flight = registers.next().flatten();
            for (content, _) in contents {
                for k in 0..4 {
                    match flight {
                        Some((parts, _)) => expect(*content, &parts[k], k * of_product + at, out),
                        None => out.free(k * of_product + at),
                    }
                }
                at += 1;
            }
            out.flag(valid, flight.is_some());
            valid += 1;
        }
        for (k, flight) in registers.enumerate() {
            value(flight.map(|(_, row)| row), valid + 3 * k, out);
        }
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}

/// A valid bit and the two coefficients.
fn value<F: Datapath>(row: Option<&Row<F>>, at: usize, out: &mut Expected) {
    out.flag(at, row.is_some());
    match row {
        Some(row) => {
            out.value(at + 1, &row.c0.digits());
            out.value(at + 2, &row.c1.digits());
        }
        None => {
            out.free(at + 1);
            out.free(at + 2);
        }
    }
}
