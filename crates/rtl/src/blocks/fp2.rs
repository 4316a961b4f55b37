//! The Fp2 multiplier: four pipelined multipliers in parallel, a stage that combines their products, and an output
//! register.

use super::multiplier::{self, Stages};
use super::{Modulus, ports, residue};
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use crate::{Block, Signal};
use pairwright_chip::machine::fp2::Multiplier;
use pairwright_chip::machine::mm::MmDesign;
use pairwright_chip::machine::{Datapath, Row};
use pairwright_chip::spec::{MmStyle, MmUnit};
use pairwright_sim::Clocked;
use rand_chacha::ChaCha20Rng;
use std::collections::VecDeque;

/// The unit of the paper's design: 16 stages of products, one of combination, and an output register.
pub const UNIT: MmUnit = MmUnit { style: MmStyle::Pipelined, latency: 18, ii: 1 };

/// Prints the block of a field: `c0 = a0 b0 - a1 b1`, `c1 = a0 b1 + a1 b0`.
///
/// # Errors
/// Errors of the kernels.
pub fn print<F: Datapath>(name: &str) -> Result<Block, RtlError> {
    let m = Modulus::of::<F>()?;
    let bits = m.steps.bits();
    let config: MmDesign = Multiplier::<F, ()>::config(&UNIT);
    let product = multiplier::print::<F>(&format!("{name}_product"), &config)?;
    let inputs = signals([
        ("rst", 1),
        ("en", 1),
        ("in_valid", 1),
        ("a0", bits),
        ("a1", bits),
        ("b0", bits),
        ("b1", bits),
    ]);
    let outputs = signals([("out_valid", 1), ("c0", bits), ("c1", bits)]);
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
        m.combined(true, &format!("{name}_sub"))?,
        m.combined(false, &format!("{name}_add"))?,
        ports(&inputs, &outputs),
        products = products.collect::<String>(),
        top = bits - 1,
    );
    // The valid bits of all four products are equal, so those of one represent all; simulators remove the others.
    let valid = |r: &&Signal| !r.name.ends_with("_valid");
    let of = |k: usize, r: &Signal| r.inside(&format!("product_{k}"));
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
    /// The register contents of each product, and the two rows after them.
    products: [Stages; 4],
    rows: [Option<Row<F>>; 2],
    stalls: Stalls,
    /// Products in Fp2 that are due, in order.
    due: VecDeque<Row<F>>,
    oracle: Oracle,
}

impl<F: Datapath> Fp2<F> {
    /// The model with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing its block refuses such a field.
    pub fn new() -> Self {
        let config = Multiplier::<F, ()>::config(&UNIT);
        Self {
            unit: Multiplier::new(&UNIT),
            products: core::array::from_fn(|_| Stages::of::<F>(&config)),
            rows: [None; 2],
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
        let row = self.unit.out().map(|((), row)| row);
        out.flag(0, row.is_some());
        coefficients(row.as_ref(), 1, out);
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
            let of_products = self.products[0].len();
            for (k, stages) in self.products.iter_mut().enumerate() {
                stages.keep(self.unit.registers().map(|flight| flight.map(|(parts, _)| &parts[k])));
            }
            for (held, flight) in self.rows.iter_mut().zip(self.unit.registers().skip(of_products)) {
                *held = flight.map(|(_, row)| *row).or(*held);
            }
        }
        if rst {
            self.unit = Multiplier::new(&UNIT);
            self.products.iter_mut().for_each(Stages::clear);
            self.rows = [None; 2];
            self.due.clear();
        }
    }

    fn registers(&self, out: &mut Expected) {
        let at = self.products.iter().fold(0, |at, stages| stages.expect(at, out));
        let stages = self.products[0].len();
        let rows = at + stages;
        for (k, flight) in self.unit.registers().enumerate() {
            let valid = if k < stages { at + k } else { rows + 3 * (k - stages) };
            out.flag(valid, flight.is_some());
        }
        for (k, row) in self.rows.iter().enumerate() {
            coefficients(row.as_ref(), rows + 3 * k + 1, out);
        }
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}

/// Writes the two coefficients of a row, or leaves them unconstrained if there is none.
fn coefficients<F: Datapath>(row: Option<&Row<F>>, at: usize, out: &mut Expected) {
    match row {
        Some(row) => {
            out.value(at, &row.c0.digits());
            out.value(at + 1, &row.c1.digits());
        }
        None => {
            out.unconstrained(at);
            out.unconstrained(at + 1);
        }
    }
}
