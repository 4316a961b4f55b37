//! Products as a designer of hardware makes them: rows of digits, cells that add three bits and two, and one adder at the end.
//!
//! The text of a block says `a * b + t`, which simulators run fast. For a synthesis the modules that are printed of kernels are
//! printed anew, with a network in the place of each product: [`rows`] has its digits, [`columns`] what becomes of their bits.

mod cells;
mod columns;
mod network;
mod rows;
mod sums;

use super::Library;
use crate::Block;
use crate::error::RtlError;
use cells::Cells;
use clap::ValueEnum;
use columns::Columns;
use network::{Net, Network};
use num_bigint::BigUint;
use pairwright_moma::ir::Kernel;
use pairwright_moma::print::systemverilog::{self, Operand, module, module_with};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// How products become gates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Products {
    /// As Yosys makes them by default: a gate for each pair of bits, and adders of gates.
    #[default]
    Yosys,
    /// As networks of the library's adders, on digits of two bits and on few digits of constants.
    Dense,
}

impl Products {
    /// Whether this is the default of Yosys, which reports leave unsaid.
    pub(super) fn is_yosys(&self) -> bool {
        *self == Self::Yosys
    }

    /// The text of a block with its products made in this way.
    ///
    /// # Errors
    /// Those of the printer; [`RtlError::Output`] if the library lacks a cell, or the text a module that it should have.
    pub(super) fn text(self, block: &Block, library: &Library) -> Result<String, RtlError> {
        let mut text = block.text.clone();
        if self == Self::Yosys || block.kernels.is_empty() {
            return Ok(text);
        }
        let cells = Cells::of(library)?;
        for (name, kernel) in &block.kernels {
            let behavioural = module(kernel, name)?;
            // A module that is not there would keep its products, and the report would say otherwise.
            if !text.contains(&behavioural) {
                let (tool, missing) = ("the printer".to_owned(), format!("module {name}"));
                return Err(RtlError::Output { tool, what: block.name.clone(), missing });
            }
            text = text.replacen(&behavioural, &printed(kernel, name, &cells)?, 1);
        }
        Ok(cells.modules(false) + &text)
    }
}

/// The modules of a kernel with networks in the place of its products.
fn printed(kernel: &Kernel, name: &str, cells: &Cells) -> Result<String, RtlError> {
    let inner = RefCell::new(String::new());
    let lines = |products: &systemverilog::Products| {
        let (network, nets) = network(products, cells);
        let [lines, modules] = network.lines(name, &products.name, &nets);
        inner.borrow_mut().push_str(&modules);
        lines
    };
    let module = module_with(kernel, name, &lines)?;
    Ok(inner.into_inner() + &module)
}

/// The modules of a kernel with networks in the place of its products, and those of the library's cells as what they compute.
///
/// # Errors
/// Those of the printer; [`RtlError::Output`] if the library lacks a cell.
pub fn dense_module(kernel: &Kernel, name: &str, library: &Library) -> Result<String, RtlError> {
    let cells = Cells::of(library)?;
    Ok(cells.modules(true) + &printed(kernel, name, &cells)?)
}

/// Products with what is added to them as a network, whose operands are those that are vectors, and the nets of the sum.
fn network<'a>(products: &systemverilog::Products, cells: &'a Cells) -> (Network<'a>, Vec<Net>) {
    let mut network = Network::new(cells);
    let mut term = |operand: &Operand| match operand {
        Operand::Vector(name, bits) => Term::Nets(network.operand(name, *bits)),
        Operand::Constant(value) => Term::Constant(value.clone()),
    };
    let factors: Vec<[Term; 2]> =
        products.factors.iter().map(|pair| pair.each_ref().map(&mut term)).collect();
    let addends: Vec<Term> = products.addends.iter().map(term).collect();
    let complements = factors.iter().any(|pair| matches!(pair, [Term::Nets(_), Term::Nets(_)]));
    let mut columns = Columns::new(products.bits, complements);
    for pair in &factors {
        match pair {
            [Term::Nets(x), Term::Nets(y)] => rows::variable(&mut network, &mut columns, x, y),
            [Term::Nets(x), Term::Constant(y)] | [Term::Constant(y), Term::Nets(x)] => {
                rows::constant(&mut network, &mut columns, x, y);
            }
            [Term::Constant(x), Term::Constant(y)] => columns.plus(&(x * y)),
        }
    }
    for addend in &addends {
        match addend {
            Term::Nets(nets) => {
                for (net, weight) in nets.iter().zip(0u32..) {
                    columns.add(&mut network, weight, *net, false);
                }
            }
            Term::Constant(value) => columns.plus(value),
        }
    }
    let sum = columns.sum(&mut network);
    network.buffer();
    (network, sum)
}

/// An operand in a network.
enum Term {
    Nets(Vec<Net>),
    Constant(BigUint),
}

#[cfg(test)]
mod tests;
