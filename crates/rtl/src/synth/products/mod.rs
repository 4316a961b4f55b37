//! Products as a designer of hardware makes them: rows of digits, cells that add three bits and two, and one adder at the end.
//!
//! The text of a block says `a * b + t`, which simulators run fast. For a synthesis the modules that are printed of kernels are
//! printed anew, with a network in the place of each product: [`rows`] has its digits, [`columns`] what becomes of their bits.

mod adders;
mod columns;
mod network;
mod rows;

use super::Library;
use crate::Block;
use crate::error::RtlError;
use adders::Adders;
use clap::ValueEnum;
use columns::Columns;
use network::{Net, Network};
use num_bigint::BigUint;
use pairwright_moma::print::systemverilog::{Operand, Product, module, module_with};
use serde::{Deserialize, Serialize};

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
    /// Those of the printer; [`RtlError::Output`] if the library lacks a cell.
    pub(super) fn text(self, block: &Block, library: &Library) -> Result<String, RtlError> {
        let mut text = block.text.clone();
        if self == Self::Yosys || block.kernels.is_empty() {
            return Ok(text);
        }
        let adders = Adders::of(library)?;
        for (name, kernel) in &block.kernels {
            let printed = module(kernel, name)?;
            let dense = module_with(kernel, name, &|product| Some(lines(product, &adders)))?;
            text = text.replacen(&printed, &dense, 1);
        }
        Ok(adders.modules() + &text)
    }
}

/// The lines that drive the vector of a product.
fn lines(product: &Product, adders: &Adders) -> String {
    let (network, nets) = network(product);
    network.lines(&product.name, &nets, adders)
}

/// A product with what is added to it as a network, whose operands are those that are vectors, and the nets of its value.
fn network(product: &Product) -> (Network, Vec<Net>) {
    let mut network = Network::new();
    let mut operand = |operand: &Operand| match operand {
        Operand::Vector(name, bits) => Term::Nets(network.operand(name, *bits)),
        Operand::Constant(value) => Term::Constant(value.clone()),
    };
    let factors = [operand(&product.factors[0]), operand(&product.factors[1])];
    let addends: Vec<Term> = product.addends.iter().map(&mut operand).collect();
    let complements = matches!(factors, [Term::Nets(_), Term::Nets(_)]);
    let mut columns = Columns::new(product.bits, complements);
    match &factors {
        [Term::Nets(x), Term::Nets(y)] => rows::variable(&mut network, &mut columns, x, y),
        [Term::Nets(x), Term::Constant(y)] | [Term::Constant(y), Term::Nets(x)] => {
            rows::constant(&mut network, &mut columns, x, y);
        }
        [Term::Constant(x), Term::Constant(y)] => columns.plus(&(x * y)),
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
    (network, sum)
}

/// An operand in a network.
enum Term {
    Nets(Vec<Net>),
    Constant(BigUint),
}

#[cfg(test)]
mod tests;
