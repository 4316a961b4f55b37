//! SystemVerilog: a kernel is a combinational module, a parameter a port as wide as its value, and an instruction a
//! wire of the width that the kernel declares.
//!
//! The text uses only forms that Verilator, Icarus Verilog, Yosys and slang all accept: plain vector ports, continuous
//! assignments, and operands that are extended with zeros explicitly. Only products rely on Verilog's implicit
//! extension of operands, so that a synthesiser sees factors at their own width.

use num_bigint::BigUint;
use std::collections::BTreeMap;

use super::{Language, Layout, Printer, uses};
use crate::error::MomaError;
use crate::ir::{Arg, Inst, Kernel, Op, Var};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::FieldCode;

/// The printer of SystemVerilog modules.
pub struct SystemVerilog;

impl Printer for SystemVerilog {
    fn name(&self) -> &'static str {
        "systemverilog"
    }

    fn language(&self) -> Language {
        Language::SystemVerilog
    }

    fn widest_word(&self) -> u32 {
        4096
    }

    fn head(&self, _machine: &Machine) -> String {
        String::new()
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        _machine: &Machine,
        _layout: &Layout,
    ) -> Result<String, MomaError> {
        module(kernel, name)
    }

    fn array(&self, _kernel: &ArrayKernel, _code: &FieldCode) -> Option<String> {
        None
    }
}

/// Prints a kernel of any widths as a combinational module with the given name. Inputs and then outputs are ports,
/// named as the kernel's parameters.
///
/// # Errors
/// [`MomaError::NotPrintable`] for an operation that is not a native one, such as a modular product that was not
/// lowered.
pub fn module(kernel: &Kernel, name: &str) -> Result<String, MomaError> {
    print(Body::new(kernel, None), name)
}

/// An operand of a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A vector: its name and its width in bits.
    Vector(String, u32),
    /// A constant of the text.
    Constant(BigUint),
}

/// A sum of products and addends that another printer may print, such as one that uses DSP blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Products {
    /// Name of the vector that the sum is assigned to.
    pub name: String,
    /// Width of that vector in bits; higher bits of the sum are dropped.
    pub bits: u32,
    /// The two factors of each product.
    pub factors: Vec<[Operand; 2]>,
    /// The addends besides the products.
    pub addends: Vec<Operand>,
}

/// The same module with another text for its products: `other` returns lines that declare the vector of a sum of
/// products and drive it. A sum of two low products is passed to it as one sum.
///
/// # Errors
/// Those of [`module`].
pub fn module_with(
    kernel: &Kernel,
    name: &str,
    other: &dyn Fn(&Products) -> String,
) -> Result<String, MomaError> {
    print(Body::new(kernel, Some(other)), name)
}

fn print(mut body: Body<'_>, name: &str) -> Result<String, MomaError> {
    let kernel = body.kernel;
    let input = |(name, bits)| format!("    input  wire [{}:0] {name}", bits - 1);
    let output = |(name, bits)| format!("    output wire [{}:0] {name}", bits - 1);
    let ports: Vec<String> = kernel
        .inputs
        .iter()
        .map(|p| input((&p.name, p.bits)))
        .chain(kernel.outputs.iter().map(|p| output((&p.name, p.bits))))
        .collect();
    body.text = format!("module {name} (\n{}\n);\n", ports.join(",\n"));
    body.inputs();
    for (index, inst) in kernel.body.iter().enumerate() {
        body.inst(index, inst)?;
    }
    body.outputs();
    body.text.push_str("endmodule\n");
    Ok(body.text)
}

/// A module under construction.
struct Body<'a> {
    kernel: &'a Kernel,
    names: Vec<String>,
    /// The number of reads of each variable.
    uses: Vec<u32>,
    text: String,
    /// The other printer of products, if there is one.
    other: Other<'a>,
    /// Factors of low products that are printed together with the sum that reads them.
    awaited: BTreeMap<Var, [Operand; 2]>,
}

/// Another printer of products, if there is one.
type Other<'a> = Option<&'a dyn Fn(&Products) -> String>;

impl<'a> Body<'a> {
    fn new(kernel: &'a Kernel, other: Other<'a>) -> Self {
        let mut names: Vec<String> = (0..kernel.bits.len()).map(|v| format!("v{v}")).collect();
        for p in &kernel.inputs {
            for (i, part) in p.parts.iter().enumerate() {
                if let Arg::Var(v) = part {
                    let one = p.parts.len() == 1;
                    names[v.0 as usize] = if one { p.name.clone() } else { format!("{}_{i}", p.name) };
                }
            }
        }
        Body { kernel, names, uses: uses(kernel), text: String::new(), other, awaited: BTreeMap::new() }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str("    ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn wire(&mut self, name: &str, bits: u32, value: &str) {
        self.line(&format!("wire [{}:0] {name} = {value};", bits - 1));
    }

    /// Prints the wire of a variable, unless it has no bits or nothing reads it.
    fn define(&mut self, var: Var, value: &str) {
        let v = var.0 as usize;
        if self.kernel.bits[v] > 0 && self.uses[v] > 0 {
            let name = self.names[v].clone();
            self.wire(&name, self.kernel.bits[v], value);
        }
    }

    /// Prints wires for the parts of inputs that have several.
    fn inputs(&mut self) {
        for p in self.kernel.inputs.iter().filter(|p| p.parts.len() > 1) {
            for (i, part) in p.parts.iter().enumerate() {
                if let Arg::Var(v) = part {
                    let bits = self.kernel.bits[v.0 as usize];
                    let low = i as u32 * p.stride;
                    self.define(*v, &slice(&p.name, low, bits));
                }
            }
        }
    }

    /// Prints the outputs; a concatenation lists the highest part first.
    fn outputs(&mut self) {
        for p in &self.kernel.outputs {
            let part = |(i, part): (usize, &Arg)| {
                let bits = p.stride.min(p.bits.saturating_sub(i as u32 * p.stride));
                (bits > 0).then(|| self.fitted(part, bits))
            };
            let mut parts: Vec<String> = p.parts.iter().enumerate().filter_map(part).collect();
            let covered = p.parts.len() as u32 * p.stride;
            if covered < p.bits {
                parts.push(format!("{}'d0", p.bits - covered));
            }
            parts.reverse();
            let value = if parts.len() == 1 { parts.remove(0) } else { format!("{{{}}}", parts.join(", ")) };
            self.line(&format!("assign {} = {value};", p.name));
        }
    }

    fn width(&self, arg: &Arg) -> u32 {
        self.kernel.width_of(arg).max(1)
    }

    /// The text of an operand at its own width.
    fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Var(v) if self.kernel.bits[v.0 as usize] == 0 => "1'd0".to_owned(),
            Arg::Var(v) => self.names[v.0 as usize].clone(),
            Arg::Const(c) => constant(c, self.width(arg)),
        }
    }

    /// The text of an operand at a given width: extended with zeros, or its low bits.
    fn fitted(&self, arg: &Arg, bits: u32) -> String {
        let own = self.width(arg);
        match arg {
            Arg::Const(c) => constant(&(c & crate::interp::mask(bits)), bits),
            Arg::Var(_) if own < bits => format!("{{{}'d0, {}}}", bits - own, self.arg(arg)),
            Arg::Var(_) if own > bits => slice(&self.arg(arg), 0, bits),
            Arg::Var(_) => self.arg(arg),
        }
    }

    fn inst(&mut self, index: usize, inst: &Inst) -> Result<(), MomaError> {
        let (w, last) = (inst.width, *inst.outs.last().ok_or_else(|| refuse(inst))?);
        let bits = self.kernel.bits[last.0 as usize];
        let joined = |body: &Self, bits: u32, sign: &str| {
            let terms: Vec<String> = inst.args.iter().map(|a| body.fitted(a, bits)).collect();
            terms.join(sign)
        };
        match inst.op {
            Op::Add | Op::Sub => {
                let sign = if inst.op == Op::Add { " + " } else { " - " };
                let carry = inst.outs.len() == 2 && self.uses[inst.outs[0].0 as usize] > 0;
                if !carry && self.awaited_sum(inst, last) {
                    return Ok(());
                }
                if !carry {
                    let value = joined(self, bits.max(1), sign);
                    self.define(last, &value);
                    return Ok(());
                }
                let sum = format!("sum{index}");
                let value = joined(self, w + 1, sign);
                self.wire(&sum, w + 1, &value);
                self.define(inst.outs[0], &slice(&sum, w, 1));
                self.define(last, &slice(&sum, 0, bits));
            }
            Op::Mul | Op::MulLo | Op::Mac => self.product(index, inst, last)?,
            Op::Lt | Op::Eq => {
                let wide = self.width(&inst.args[0]).max(self.width(&inst.args[1]));
                let value = joined(self, wide, if inst.op == Op::Lt { " < " } else { " == " });
                self.define(last, &value);
            }
            Op::Select => {
                let [c, a, b] = &inst.args[..] else { return Err(refuse(inst)) };
                let value = format!("{} ? {} : {}", self.arg(c), self.fitted(a, bits), self.fitted(b, bits));
                self.define(last, &value);
            }
            Op::Funnel { k } => {
                let (high, low) = (&inst.args[0], &inst.args[1]);
                let pair = format!("pair{index}");
                let value = format!("{{{}, {}}}", self.fitted(high, w), self.fitted(low, w));
                self.wire(&pair, 2 * w, &value);
                let there = bits.min(2 * w - k);
                self.define(last, &fit(&slice(&pair, k, there), there, bits));
            }
            Op::And | Op::Or | Op::Xor => {
                let sign = [" & ", " | ", " ^ "][match inst.op {
                    Op::And => 0,
                    Op::Or => 1,
                    _ => 2,
                }];
                let value = joined(self, bits.max(1), sign);
                self.define(last, &value);
            }
            _ => return Err(refuse(inst)),
        }
        Ok(())
    }

    /// Prints a product with its addends, and its high and low part.
    fn product(&mut self, index: usize, inst: &Inst, last: Var) -> Result<(), MomaError> {
        let (w, bits) = (inst.width, self.kernel.bits[last.0 as usize]);
        let [a, b, addends @ ..] = &inst.args[..] else { return Err(refuse(inst)) };
        let whole = self.width(a) + self.width(b);
        let product = format!("product{index}");
        if inst.op == Op::MulLo {
            if self.other.is_some() && self.only_in_a_sum_of_products(last) {
                self.awaited.insert(last, [self.operand(a), self.operand(b)]);
                return Ok(());
            }
            let have = whole.min(bits.max(1));
            if !self.otherwise(&product, have, a, b, &[]) {
                self.multiply(&product, have, a, b);
            }
            self.define(last, &fit(&product, have, bits.max(1)));
            return Ok(());
        }
        let high = self.kernel.bits[inst.outs[0].0 as usize];
        let total = if high > 0 { w + high } else { bits.max(1) };
        let (sum, have) = match inst.op {
            Op::Mac => (format!("sum{index}"), total),
            _ => (product.clone(), whole),
        };
        if !self.otherwise(&sum, have, a, b, addends) {
            self.multiply(&product, whole, a, b);
            if inst.op == Op::Mac {
                let addends = addends.iter().map(|a| self.fitted(a, total));
                let terms: Vec<String> =
                    std::iter::once(fit(&product, whole, total)).chain(addends).collect();
                self.wire(&sum, total, &terms.join(" + "));
            }
        }
        let part = |low: u32, bits: u32| {
            let there = bits.min(have.saturating_sub(low));
            if there == 0 {
                constant(&BigUint::ZERO, bits.max(1))
            } else {
                fit(&slice(&sum, low, there), there, bits)
            }
        };
        self.define(inst.outs[0], &part(w, high));
        self.define(last, &part(0, bits));
        Ok(())
    }

    /// Prints a product by the other printer; false if there is none.
    fn otherwise(&mut self, name: &str, bits: u32, a: &Arg, b: &Arg, addends: &[Arg]) -> bool {
        let Some(other) = self.other else { return false };
        let factors = vec![[self.operand(a), self.operand(b)]];
        let addends = addends.iter().map(|addend| self.operand(addend)).collect();
        self.text.push_str(&other(&Products { name: name.to_owned(), bits, factors, addends }));
        true
    }

    fn operand(&self, arg: &Arg) -> Operand {
        match arg {
            Arg::Var(v) if self.kernel.bits[v.0 as usize] == 0 => Operand::Constant(BigUint::ZERO),
            Arg::Var(v) => Operand::Vector(self.names[v.0 as usize].clone(), self.width(arg)),
            Arg::Const(c) => Operand::Constant(c.clone()),
        }
    }

    /// Whether a low product is read only by a sum of the same width whose other operand is also such a product.
    fn only_in_a_sum_of_products(&self, var: Var) -> bool {
        let low = |arg: &Arg| {
            let product =
                |v: &Var| self.kernel.body.iter().any(|i| i.op == Op::MulLo && i.outs.last() == Some(v));
            matches!(arg, Arg::Var(v) if self.uses[v.0 as usize] == 1 && product(v))
        };
        let sums = self.kernel.body.iter().find(|i| i.args.contains(&Arg::Var(var)));
        sums.is_some_and(|sum| {
            let bits = |v: &Var| self.kernel.bits[v.0 as usize];
            let one = sum.outs.len() == 1 || self.uses[sum.outs[0].0 as usize] == 0;
            sum.op == Op::Add
                && one
                && sum.args.iter().all(low)
                && sum.outs.last().is_some_and(|last| bits(last) == bits(&var))
        })
    }

    /// Prints a sum together with the products that were postponed for it; false if there are none.
    fn awaited_sum(&mut self, inst: &Inst, last: Var) -> bool {
        let Some(other) = self.other else { return false };
        let factors = inst.args.iter().filter_map(|arg| match arg {
            Arg::Var(v) => self.awaited.remove(v),
            Arg::Const(_) => None,
        });
        let factors: Vec<[Operand; 2]> = factors.collect();
        if factors.len() < inst.args.len() {
            return false;
        }
        let (name, bits) = (self.names[last.0 as usize].clone(), self.kernel.bits[last.0 as usize]);
        self.text.push_str(&other(&Products { name, bits, factors, addends: Vec::new() }));
        true
    }

    /// Prints a product by the operator `*`.
    fn multiply(&mut self, name: &str, bits: u32, a: &Arg, b: &Arg) {
        let value = format!("{} * {}", self.arg(a), self.arg(b));
        self.line("/* verilator lint_off WIDTH */");
        self.wire(name, bits, &value);
        self.line("/* verilator lint_on WIDTH */");
    }
}

fn refuse(inst: &Inst) -> MomaError {
    MomaError::NotPrintable { op: inst.op.mnemonic(), width: inst.width, printer: "systemverilog" }
}

/// The literal of a constant with a width in bits.
fn constant(value: &BigUint, bits: u32) -> String {
    if value.bits() < 4 { format!("{bits}'d{value}") } else { format!("{bits}'h{value:x}") }
}

/// The part select of `bits` bits of a vector from bit `low` on.
fn slice(name: &str, low: u32, bits: u32) -> String {
    format!("{name}[{}:{low}]", low + bits.max(1) - 1)
}

/// A vector of `have` bits at another width.
fn fit(name: &str, have: u32, want: u32) -> String {
    match have.cmp(&want) {
        std::cmp::Ordering::Less => format!("{{{}'d0, {name}}}", want - have),
        std::cmp::Ordering::Equal => name.to_owned(),
        std::cmp::Ordering::Greater => slice(name, 0, want),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// The products that the printer passes on for a kernel, and the text around them.
    fn printed(kernel: &Kernel) -> (Vec<Products>, String) {
        let all = RefCell::new(Vec::new());
        let other = |products: &Products| {
            all.borrow_mut().push(products.clone());
            format!("    {};\n", products.name)
        };
        let text = module_with(kernel, "m", &other).unwrap();
        (all.into_inner(), text)
    }

    fn vector(name: &str, bits: u32) -> Operand {
        Operand::Vector(name.to_owned(), bits)
    }

    #[test]
    fn products_with_their_addends_are_handed_to_another_printer() {
        let mut k = Kernel::new("m");
        let [a, b, t] = [("a", 4), ("b", 9), ("t", 12)].map(|(name, bits)| k.input(name, bits));
        let parts = k.push(Op::Mac, 12, vec![a, b, t], &[2, 12]);
        k.output("c", 12, parts[1].into());
        k.output("d", 2, parts[0].into());
        let (products, text) = printed(&k);
        let factors = vec![[vector("a", 4), vector("b", 9)]];
        let want = Products { name: "sum0".to_owned(), bits: 14, factors, addends: vec![vector("t", 12)] };
        assert_eq!(products, [want]);
        assert!(
            text.contains("    sum0;\n") && text.contains("= sum0[13:12];") && !text.contains('*'),
            "{text}"
        );
        assert!(module(&k, "m").unwrap().contains("a * b"));
    }

    #[test]
    fn a_sum_of_two_low_products_is_one_unless_one_is_needed_by_itself() {
        for alone in [false, true] {
            let mut k = Kernel::new("m");
            let [a, b] = [("a", 4), ("b", 4)].map(|(name, bits)| k.input(name, bits));
            let x = k.push(Op::MulLo, 4, vec![a.clone(), Arg::small(11)], &[4])[0];
            let y = k.push(Op::MulLo, 4, vec![a, b], &[4])[0];
            let sum = k.push(Op::Add, 4, vec![x.into(), y.into()], &[4])[0];
            k.output("c", 4, sum.into());
            if alone {
                k.output("d", 4, y.into());
            }
            let (products, text) = printed(&k);
            let constant = [vector("a", 4), Operand::Constant(BigUint::from(11u32))];
            let pairs = [vec![constant], vec![[vector("a", 4), vector("b", 4)]]];
            let factors: Vec<_> = products.iter().map(|p| p.factors.clone()).collect();
            if alone {
                assert_eq!(factors, pairs);
                assert!(text.contains(" + "), "{text}");
            } else {
                assert_eq!(factors, [pairs.concat()]);
                assert!(!text.contains(" + "), "{text}");
            }
        }
    }
}
