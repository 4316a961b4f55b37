//! The iterative Montgomery multiplier of \[CP\] Fig. 12: operands circulate through one digit step, one digit per
//! cycle.
//!
//! A product takes one cycle to enter, one for each digit, and one for the final subtraction. The next product enters
//! during the last round, so the interval equals the number of digits.

use super::multiplier::ExpectedProducts;
use super::{Modulus, any, digits, ports};
use crate::Block;
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, any_operands, random_operands};
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::mm::{Array, MmDesign};
use pairwright_moma::print::systemverilog::module;
use pairwright_sim::Clocked;
use rand_chacha::ChaCha20Rng;

/// Prints one of the multipliers of an iterative configuration.
///
/// # Errors
/// Errors of the kernels; [`RtlError::Rounds`] for a configuration without exactly one digit step per cycle.
pub fn print<F: Datapath>(name: &str, config: &MmDesign) -> Result<Block, RtlError> {
    let m = Modulus::of::<F>()?;
    let (steps, n) = (m.steps, m.steps.digits());
    if config.latency() != n + 2 || config.ii() != n {
        return Err(RtlError::Rounds { latency: config.latency(), digits: n });
    }
    let (bits, w) = (steps.bits(), steps.digit());
    let inputs = signals([("rst", 1), ("en", 1), ("in_valid", 1), ("a", bits), ("b", bits)]);
    let outputs = signals([("in_ready", 1), ("out_valid", 1), ("c", bits)]);
    let kernels = [
        ("prepare", steps.prepare()),
        ("multiply", steps.multiply(0)),
        ("reduce", steps.reduce()),
        ("subtract", steps.subtract()),
    ];
    let kernels = kernels.map(|(kind, kernel)| (format!("{name}_{kind}"), m.fixed(kernel)));
    let mut text = String::new();
    for (name, kernel) in &kernels {
        text += &module(kernel, name)?;
        text.push('\n');
    }
    let rest = bits - w;
    text += &format!(
        "module {name} (
{}
);
    // Cycles until operands are taken again.
    reg [2:0] busy;
    wire [0:0] take = (busy == 3'd0) & in_valid;
    // What has entered.
    reg [0:0] s0_valid;
    reg [{top}:0] s0_a, s0_b;
    reg [{digit}:0] s0_binv;
    wire [{digit}:0] binv_new;
    {name}_prepare prepare_0 (.b(b), .binv(binv_new));
    // The loop: digit steps that are done, the digits of a that are left, the running sum.
    reg [2:0] step;
    reg [{last}:0] loop_a;
    reg [{top}:0] loop_b;
    reg [{digit}:0] loop_binv;
    reg [{t}:0] loop_t;
    wire [{top}:0] now_a = s0_valid ? s0_a : {{{w}'d0, loop_a}};
    wire [{top}:0] now_b = s0_valid ? s0_b : loop_b;
    wire [{digit}:0] now_binv = s0_valid ? s0_binv : loop_binv;
    wire [{t}:0] now_t = s0_valid ? {reduced}'d0 : loop_t;
    wire [{digit}:0] m;
    wire [{sum}:0] row;
    wire [{t}:0] next_t;
    {name}_multiply multiply_0 (.a(now_a[{digit}:0]), .b(now_b), .binv(now_binv), .t(now_t), .sum(row), .m(m));
    {name}_reduce reduce_0 (.t(row), .m(m), .r(next_t));
    // The result.
    reg [0:0] out;
    reg [{top}:0] result;
    wire [{top}:0] residue;
    {name}_subtract subtract_0 (.t(loop_t), .c(residue));
    always @(posedge clk) begin
        if (rst) busy <= 3'd0;
        else if (en) busy <= take ? 3'd{wait} : busy == 3'd0 ? 3'd0 : busy - 3'd1;
    end
    always @(posedge clk) begin
        if (rst) s0_valid <= 1'd0;
        else if (en) s0_valid <= take;
    end
    always @(posedge clk) begin
        if (rst) step <= 3'd0;
        else if (en) step <= s0_valid ? 3'd1 : step == 3'd0 || step == 3'd{n} ? 3'd0 : step + 3'd1;
    end
    always @(posedge clk) begin
        if (rst) out <= 1'd0;
        else if (en) out <= step == 3'd{n};
    end
    always @(posedge clk) if (en) begin
        s0_a <= a;
        s0_b <= b;
        s0_binv <= binv_new;
        loop_a <= now_a[{top}:{w}];
        loop_b <= now_b;
        loop_binv <= now_binv;
        loop_t <= next_t;
        result <= residue;
    end
    assign in_ready = busy == 3'd0;
    assign out_valid = out;
    assign c = result;
endmodule
",
        ports(&inputs, &outputs),
        top = bits - 1,
        digit = w - 1,
        last = rest - 1,
        t = steps.reduced_bits() - 1,
        reduced = steps.reduced_bits(),
        sum = steps.sum_bits() - 1,
        wait = n - 1,
    );
    let registers = [
        ("s0_valid", 1),
        ("s0_a", bits),
        ("s0_b", bits),
        ("s0_binv", w),
        ("step", 3),
        ("loop_a", rest),
        ("loop_b", bits),
        ("loop_binv", w),
        ("loop_t", steps.reduced_bits()),
        ("out", 1),
        ("result", bits),
    ];
    Ok(Block {
        name: name.to_owned(),
        title: format!(
            "Montgomery multiplier for a prime of {bits} bits, a digit of {w} bits in each cycle."
        ),
        inputs,
        outputs,
        registers: signals(registers),
        latency: config.latency(),
        interval: config.ii(),
        text,
        parts: Vec::new(),
        kernels: kernels.into(),
    })
}

/// The model: the first multiplier of `chip`'s array in an iterative configuration.
pub struct Iterative<F: Datapath> {
    config: MmDesign,
    array: Array,
    stalls: Stalls,
    expected_products: ExpectedProducts<F>,
}

impl<F: Datapath> Iterative<F> {
    /// The model with nothing in flight.
    pub fn new(config: MmDesign) -> Self {
        let array = Array::new::<F>(config);
        Self { config, array, stalls: Stalls::default(), expected_products: ExpectedProducts::default() }
    }
}

impl<F: Datapath> Bench for Iterative<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        any_operands::<F>(rng, input);
    }

    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        random_operands::<F>(rng, input);
    }

    fn outputs(&self, out: &mut Expected) {
        let product = self.array.out()[0];
        out.flag(0, self.array.can_accept(0));
        out.flag(1, product.is_some());
        any(product, 2, out);
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.array = Array::new::<F>(self.config);
            self.expected_products.clear();
        } else if en {
            self.expected_products.leave(self.array.out()[0]);
            let taken = valid && self.array.can_accept(0);
            let operands = taken.then(|| (digits(input.get(3)), digits(input.get(4))));
            self.expected_products.enter(operands.as_ref());
            self.array.tick([operands, None, None, None]);
        }
    }

    fn registers(&self, out: &mut Expected) {
        let all: Vec<_> = self.array.registers(0).collect();
        let [entered, rounds @ .., result] = &all[..] else { return };
        out.flag(0, entered.is_some());
        any(entered.map(|product| &product.operands().0[..]), 1, out);
        any(entered.map(|product| &product.operands().1[..]), 2, out);
        any(entered.map(|product| [product.b_inverse()]), 3, out);
        let round =
            rounds.iter().zip(1u64..).find_map(|(product, step)| product.map(|product| (product, step)));
        out.value(4, &[round.map_or(0, |(_, step)| step)]);
        any(round.map(|(product, step)| &product.operands().0[step as usize..]), 5, out);
        any(round.map(|(product, _)| &product.operands().1[..]), 6, out);
        any(round.map(|(product, _)| [product.b_inverse()]), 7, out);
        any(round.map(|(product, _)| &product.sum()[..]), 8, out);
        out.flag(9, result.is_some());
        any(result.map(|product| product.result()), 10, out);
    }

    fn oracle(&self) -> Oracle {
        self.expected_products.oracle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_chip::machine::mm::Width;
    use pairwright_chip::spec::MmStyle;
    use pairwright_curve::bls12_381::Fq;

    #[test]
    fn a_loop_that_is_no_digit_step_is_refused() {
        let ideal = MmDesign::new(Width::Bits384, MmStyle::Iterative, 6);
        let error = print::<Fq>("mm", &ideal).unwrap_err().to_string();
        assert!(error.contains("6 cycles") && error.contains("6 digits"), "{error}");
        assert_eq!(print::<Fq>("mm", &MmDesign::ITERATIVE_384).unwrap().interval, 6);
    }
}
