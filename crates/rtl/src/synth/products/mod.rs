//! Products as designed networks: rows of partial products, full and half adders, and one final adder.
//!
//! The text of a block says `a * b + t`, which simulators run fast. For a synthesis, the modules that come from kernels
//! are printed again with a network in place of each product: [`rows`] makes the partial products, [`columns`] sums
//! their bits.

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

/// The construction of products from gates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Products {
    /// Yosys' default: a gate for each pair of bits, and adders built from gates.
    #[default]
    Yosys,
    /// Networks of the library's adders, with digits of two bits for variables and few digits for constants.
    Dense,
}

impl Products {
    /// Whether this is Yosys' default, which reports do not mention.
    pub(super) fn is_yosys(&self) -> bool {
        *self == Self::Yosys
    }

    /// The text of a block with its products constructed in this way.
    ///
    /// # Errors
    /// Errors of the printer; [`RtlError::Output`] if the library lacks a cell, or the text lacks an expected module.
    pub(super) fn text(self, block: &Block, library: &Library) -> Result<String, RtlError> {
        let mut text = block.text.clone();
        if self == Self::Yosys || block.kernels.is_empty() {
            return Ok(text);
        }
        let cells = Cells::of(library)?;
        for (name, kernel) in &block.kernels {
            let behavioural = module(kernel, name)?;
            // If the module were not found, it would keep its products, contrary to the report.
            if !text.contains(&behavioural) {
                let (tool, missing) = ("the printer".to_owned(), format!("module {name}"));
                return Err(RtlError::Output { tool, what: block.name.clone(), missing });
            }
            text = text.replacen(&behavioural, &printed(kernel, name, &cells)?, 1);
        }
        Ok(cells.modules(false) + &text)
    }
}

/// Prints the modules of a kernel with networks in place of its products.
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

/// The modules of a kernel with networks in place of its products, and modules with the functions of the library's
/// cells.
///
/// # Errors
/// Those of the printer; [`RtlError::Output`] if the library lacks a cell.
pub fn dense_module(kernel: &Kernel, name: &str, library: &Library) -> Result<String, RtlError> {
    let cells = Cells::of(library)?;
    Ok(cells.modules(true) + &printed(kernel, name, &cells)?)
}

/// A network for products with their addends, whose operands are the vector operands, and the nets of the sum.
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
