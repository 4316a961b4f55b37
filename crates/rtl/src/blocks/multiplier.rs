//! The pipelined Montgomery multiplier of \[CP\] Fig. 12, with the same stages as the model.
//!
//! The logic of a stage consists of kernels of [`pairwright_moma::steps`]; [`MmDesign::half_steps`] determines which
//! kernels a stage has, and what the registers after it hold. A register that no later stage reads is omitted: used
//! digits of the first operand, the second operand after the last row, the quotient digit after its reduction. The
//! first registers keep their contents when no operands enter; the following ones then reload the same values, so that
//! no net behind the first registers changes without a product.

use super::{Modulus, any, digits, ports};
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, any_operands, random_operands};
use crate::{Block, Signal};
use num_bigint::BigUint;
use pairwright_chip::machine::mm::{Array, MmDesign, Product};
use pairwright_chip::machine::{Datapath, Digits};
use pairwright_moma::ir::Kernel;
use pairwright_moma::print::systemverilog::module;
use pairwright_moma::steps::Steps;
use pairwright_sim::Clocked;
use rand_chacha::ChaCha20Rng;
use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The content of a register after a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// The digits of the first operand from index `from` on.
    Digits { from: u32 },
    /// The second operand.
    Operand,
    /// The low digit of the second operand times -1/q.
    Inverse,
    /// The running sum.
    Sum,
    /// The quotient digit.
    Quotient,
    /// The reduced product of both operands.
    Product,
}

impl Content {
    fn name(self) -> &'static str {
        match self {
            Self::Digits { .. } => "a",
            Self::Operand => "b",
            Self::Inverse => "binv",
            Self::Sum => "t",
            Self::Quotient => "m",
            Self::Product => "c",
        }
    }
}

/// The registers after each stage, without the valid bits, with their widths.
fn stages(config: &MmDesign, steps: Steps) -> Vec<Vec<(Content, u32)>> {
    let (bits, w) = (steps.bits(), steps.digit());
    let stage = |k: u32| {
        if k + 1 == config.latency() {
            return vec![(Content::Product, bits)];
        }
        let done = config.half_steps(k).end;
        let from = done.div_ceil(2);
        let mut all = Vec::new();
        if from < steps.digits() {
            let rest = bits - from * w;
            all.extend([(Content::Digits { from }, rest), (Content::Operand, bits), (Content::Inverse, w)]);
        }
        if done % 2 == 1 {
            all.extend([(Content::Sum, steps.sum_bits()), (Content::Quotient, w)]);
        } else if done > 0 {
            all.push((Content::Sum, steps.reduced_bits()));
        }
        all
    };
    (0..config.latency()).map(stage).collect()
}

/// Prints a pipelined multiplier for a field's modulus.
///
/// # Errors
/// Errors of the kernels.
pub fn print<F: Datapath>(name: &str, config: &MmDesign) -> Result<Block, RtlError> {
    Printer::new(name, config, Modulus::of::<F>()?).block()
}

/// A block being printed.
struct Printer<'a> {
    name: &'a str,
    config: &'a MmDesign,
    modulus: Modulus,
    /// Texts of the step modules, by name.
    modules: BTreeMap<String, String>,
    kernels: Vec<(String, Kernel)>,
    body: String,
}

impl<'a> Printer<'a> {
    fn new(name: &'a str, config: &'a MmDesign, modulus: Modulus) -> Self {
        Self { name, config, modulus, modules: BTreeMap::new(), kernels: Vec::new(), body: String::new() }
    }

    /// Writes an instance of a step; prints its module if it is not printed yet.
    fn step(&mut self, kind: &str, instance: &str, connections: &[(&str, &str)]) -> Result<(), RtlError> {
        let steps = self.modulus.steps;
        let last = steps.digits() - 1;
        let name = format!("{}_{kind}", self.name);
        if !self.modules.contains_key(&name) {
            let mut kernel = match kind {
                "prepare" => steps.prepare(),
                "reduce" => steps.reduce(),
                "subtract" => steps.subtract(),
                "multiply_last" => steps.multiply(last),
                _ => steps.multiply(0),
            };
            if kind == "multiply_first" {
                kernel.fix("t", &BigUint::ZERO);
            }
            let kernel = self.modulus.fixed(kernel);
            self.modules.insert(name.clone(), module(&kernel, &name)?);
            self.kernels.push((name.clone(), kernel));
        }
        let ports: Vec<String> =
            connections.iter().map(|(port, value)| format!(".{port}({value})")).collect();
        let _ = writeln!(self.body, "    {name} {instance} ({});", ports.join(", "));
        Ok(())
    }

    fn wire(&mut self, name: &str, bits: u32) {
        let _ = writeln!(self.body, "    wire [{}:0] {name};", bits - 1);
    }

    fn block(mut self) -> Result<Block, RtlError> {
        let steps = self.modulus.steps;
        let (bits, w) = (steps.bits(), steps.digit());
        let all = stages(self.config, steps);
        let mut registers = Vec::new();
        // The index of the lowest digit that the first operand's register holds.
        let mut first = 0;
        let mut before = BTreeMap::from([("a", "a".to_owned()), ("b", "b".to_owned())]);
        let mut valid = "in_valid".to_owned();
        for (k, contents) in (0u32..).zip(&all) {
            let _ = writeln!(self.body, "    // Stage {k}.");
            let mut now = before.clone();
            if k == 0 {
                self.wire("w0_binv", w);
                self.step("prepare", "prepare_0", &[("b", "b"), ("binv", "w0_binv")])?;
                now.insert("binv", "w0_binv".to_owned());
            }
            for half in self.config.half_steps(k) {
                let i = half / 2;
                let sum = format!("w{k}_t{half}");
                if half % 2 == 0 {
                    let low = (i - first) * w;
                    let digit = format!("{}[{}:{low}]", now["a"], low + steps.digit_bits(i) - 1);
                    let m = format!("w{k}_m{half}");
                    self.wire(&sum, steps.sum_bits());
                    self.wire(&m, w);
                    let kind = match i {
                        0 => "multiply_first",
                        _ if i + 1 == steps.digits() => "multiply_last",
                        _ => "multiply",
                    };
                    let (b, binv) = (now["b"].clone(), now["binv"].clone());
                    let mut ports = vec![("a", digit.as_str()), ("b", &b), ("binv", &binv)];
                    let t = now.get("t").cloned().unwrap_or_default();
                    if i > 0 {
                        ports.push(("t", &t));
                    }
                    ports.extend([("sum", sum.as_str()), ("m", &m)]);
                    self.step(kind, &format!("multiply_{i}"), &ports)?;
                    now.insert("m", m);
                } else {
                    self.wire(&sum, steps.reduced_bits());
                    let (t, m) = (now["t"].clone(), now["m"].clone());
                    self.step("reduce", &format!("reduce_{i}"), &[("t", &t), ("m", &m), ("r", &sum)])?;
                }
                now.insert("t", sum);
            }
            if k + 1 == self.config.latency() {
                self.wire("w_c", bits);
                let t = now["t"].clone();
                self.step("subtract", "subtract_0", &[("t", &t), ("c", "w_c")])?;
                now.insert("c", "w_c".to_owned());
            }
            let mut after = BTreeMap::new();
            let mut moves = String::new();
            for (content, bits) in contents {
                let name = format!("s{k}_{}", content.name());
                let from = match content {
                    Content::Digits { from } => {
                        let low = (from - first) * w;
                        first = *from;
                        format!("{}[{}:{low}]", now["a"], low + bits - 1)
                    }
                    _ => now[content.name()].clone(),
                };
                let _ = writeln!(self.body, "    reg [{}:0] {name};", bits - 1);
                let _ = writeln!(moves, "        {name} <= {from};");
                after.insert(content.name(), name.clone());
                registers.push(Signal::new(name, *bits));
            }
            let moves_if = if k == 0 { "en & in_valid" } else { "en" };
            let _ = write!(
                self.body,
                "    reg [0:0] s{k}_valid;\n    always @(posedge clk) begin\n        if (rst) s{k}_valid <= 1'd0;\n        else \
                 if (en) s{k}_valid <= {valid};\n    end\n    always @(posedge clk) if ({moves_if}) begin\n{moves}    end\n"
            );
            valid = format!("s{k}_valid");
            registers.push(Signal::new(valid.clone(), 1));
            before = after;
        }
        let inputs = signals([("rst", 1), ("en", 1), ("in_valid", 1), ("a", bits), ("b", bits)]);
        let outputs = signals([("out_valid", 1), ("c", bits)]);
        let modules: Vec<String> = self.modules.into_values().collect();
        let text = format!(
            "{}\nmodule {} (\n{}\n);\n{}    assign out_valid = {valid};\n    assign c = {};\nendmodule\n",
            modules.join("\n"),
            self.name,
            ports(&inputs, &outputs),
            self.body,
            before["c"],
        );
        Ok(Block {
            name: self.name.to_owned(),
            title: format!(
                "Montgomery multiplier for a prime of {bits} bits in {} digits of {w}, pipelined.",
                steps.digits()
            ),
            inputs,
            outputs,
            registers,
            latency: self.config.latency(),
            interval: self.config.ii(),
            text,
            parts: Vec::new(),
            kernels: self.kernels,
        })
    }
}

/// The register contents of a multiplier, without the valid bits: the registers of a stage hold the last product that
/// entered it.
pub(super) struct Stages {
    contents: Vec<Vec<(Content, u32)>>,
    held: Vec<Option<Product>>,
}

impl Stages {
    /// The registers of a multiplier that no product has entered.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing a block of it refuses such a field.
    pub(super) fn of<F: Datapath>(config: &MmDesign) -> Self {
        let modulus = Modulus::of::<F>().expect("a block of this field was printed");
        let contents = stages(config, modulus.steps);
        Self { held: vec![None; contents.len()], contents }
    }

    /// Updates the stages with the products that entered them at a clock edge.
    pub(super) fn keep<'a>(&mut self, products: impl Iterator<Item = Option<&'a Product>>) {
        for (held, product) in self.held.iter_mut().zip(products) {
            if product.is_some() {
                *held = product.cloned();
            }
        }
    }

    /// Marks all registers as unknown.
    pub(super) fn clear(&mut self) {
        self.held.fill(None);
    }

    /// The number of stages.
    pub(super) fn len(&self) -> usize {
        self.contents.len()
    }

    /// Writes the expected registers of all stages from index `at` on. Returns the index after the last one.
    pub(super) fn expect(&self, at: usize, out: &mut Expected) -> usize {
        (0..self.len()).fold(at, |at, stage| self.expect_stage(stage, at, out))
    }

    /// Writes the expected registers of one stage from index `at` on. Returns the index after the last one.
    pub(super) fn expect_stage(&self, stage: usize, at: usize, out: &mut Expected) -> usize {
        for (place, (content, _)) in (at..).zip(&self.contents[stage]) {
            match &self.held[stage] {
                Some(product) => expect(*content, product, place, out),
                None => out.unconstrained(place),
            }
        }
        at + self.contents[stage].len()
    }
}

/// The model: `chip`'s array in a pipelined configuration.
pub struct Pipelined<F: Datapath> {
    config: MmDesign,
    array: Array,
    stages: Stages,
    stalls: Stalls,
    expected_products: ExpectedProducts<F>,
}

/// Expected products, computed by the field, for comparison with results.
pub(super) struct ExpectedProducts<F> {
    /// Products that are due, in order; `None` for operands that are not residues.
    due: VecDeque<Option<F>>,
    oracle: Oracle,
}

impl<F> Default for ExpectedProducts<F> {
    fn default() -> Self {
        Self { due: VecDeque::new(), oracle: Oracle::default() }
    }
}

impl<F: Datapath> ExpectedProducts<F> {
    /// Records operands that enter the multiplier.
    pub(super) fn enter(&mut self, operands: Option<&(Digits, Digits)>) {
        let product =
            |(a, b): &(Digits, Digits)| F::from_digits(a).zip(F::from_digits(b)).map(|(a, b)| a * b);
        self.due.extend(operands.map(product));
    }

    /// Checks a product that leaves it.
    pub(super) fn leave(&mut self, product: Option<Digits>) {
        if let Some(product) = product
            && let Some(want) = self.due.pop_front()
        {
            self.oracle.judge(want.map(|want| want.digits() == product));
        }
    }

    /// Drops all products in flight.
    pub(super) fn clear(&mut self) {
        self.due.clear();
    }

    /// The outcome of the comparisons so far.
    pub(super) fn oracle(&self) -> Oracle {
        self.oracle
    }
}

impl<F: Datapath> Pipelined<F> {
    /// The model with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing its block refuses such a field.
    pub fn new(config: MmDesign) -> Self {
        Self {
            array: Array::new::<F>(config),
            stages: Stages::of::<F>(&config),
            config,
            stalls: Stalls::default(),
            expected_products: ExpectedProducts::default(),
        }
    }
}

impl<F: Datapath> Bench for Pipelined<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        any_operands::<F>(rng, input);
    }

    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        random_operands::<F>(rng, input);
    }

    fn outputs(&self, out: &mut Expected) {
        let product = self.array.out()[0];
        out.flag(0, product.is_some());
        any(product, 1, out);
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.array = Array::new::<F>(self.config);
            self.stages.clear();
            self.expected_products.clear();
        } else if en {
            self.expected_products.leave(self.array.out()[0]);
            let operands = valid.then(|| (digits(input.get(3)), digits(input.get(4))));
            self.expected_products.enter(operands.as_ref());
            self.array.tick([operands, None, None, None]);
            self.stages.keep(self.array.registers(0));
        }
    }

    fn registers(&self, out: &mut Expected) {
        let mut at = 0;
        for (stage, product) in self.array.registers(0).enumerate() {
            at = self.stages.expect_stage(stage, at, out);
            out.flag(at, product.is_some());
            at += 1;
        }
    }

    fn oracle(&self) -> Oracle {
        self.expected_products.oracle()
    }
}

fn expect(content: Content, product: &Product, at: usize, out: &mut Expected) {
    let (a, b) = product.operands();
    match content {
        Content::Digits { from } => out.value(at, &a[from as usize..]),
        Content::Operand => out.value(at, b),
        Content::Inverse => out.value(at, &[product.b_inverse()]),
        Content::Sum => out.value(at, product.sum()),
        Content::Quotient => out.value(at, &[product.quotient()]),
        Content::Product => out.value(at, &product.result()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fq;

    #[test]
    fn registers_are_those_that_a_later_stage_reads() {
        let steps = Modulus::of::<Fq>().unwrap().steps;
        let all = stages(&MmDesign::PIPELINED_384, steps);
        let names =
            |k: usize| all[k].iter().map(|(content, bits)| (content.name(), *bits)).collect::<Vec<_>>();
        assert_eq!(names(0), [("a", 381), ("b", 381), ("binv", 64)]);
        assert_eq!(names(15), [("c", 381)]);
        assert_eq!(names(14), [("t", 382)]);
        // Half steps spread over fourteen stages; the second stage has none.
        let after =
            |half: u32| (0..16).position(|k| MmDesign::PIPELINED_384.half_steps(k).end == half).unwrap();
        assert_eq!(names(after(1)), [("a", 317), ("b", 381), ("binv", 64), ("t", 446), ("m", 64)]);
        assert_eq!(names(after(11)), [("t", 446), ("m", 64)]);
    }
}
