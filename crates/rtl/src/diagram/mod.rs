//! Block diagrams of machines, from the hierarchy of their hardware.
//!
//! Yosys reads a block and writes its modules as JSON. Kept of it is a [`Hierarchy`]: instances in the block's top module, alike ones
//! together, what they hold, and the paths between them. It is small, stands in `results/rtl/hierarchy`, and knows the digest of the text
//! that it was read from. [`svg`] draws it without any tool.

mod json;
mod layout;
mod svg;

pub use svg::svg;

use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, read, write};
use pairwright_hash::Sha3;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The blocks that are machines, each of which has a diagram.
pub const MACHINES: [&str; 4] = ["pairing_processor", "ntt_255", "msm_381", "tree_255"];

/// Bits from which on a path carries operands and not control.
pub const WIDE: usize = 64;

/// Instances in a block's top module that differ in their number alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// Name of the instance, `#` in the place of its number.
    pub name: String,
    /// Name of its module; empty for the block's inputs, outputs and own registers.
    pub module: String,
    /// Number of instances.
    pub times: u64,
    /// Modules in it with their numbers of instances, at any depth.
    pub holds: Vec<(String, u64)>,
    /// Bits of the registers and memories in it, at any depth.
    pub bits: u64,
}

/// A path from one node to another through the block's own gates and registers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// Index of the node that it begins at.
    pub from: usize,
    /// Index of the node that it ends at.
    pub to: usize,
    /// Bits of the widest port at its end.
    pub bits: usize,
}

/// What a block's top module consists of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hierarchy {
    /// Name of the block.
    pub block: String,
    /// What it is, in a line.
    pub title: String,
    /// SHA3-256 of its text, in hexadecimal.
    pub digest: String,
    /// Its inputs, its own registers, instances by name, its outputs.
    pub nodes: Vec<Node>,
    /// Paths of operands: [`WIDE`] bits and more all the way, through any gates and registers of the block's own.
    pub data: Vec<Edge>,
    /// Paths of control: fewer bits, through gates alone.
    pub control: Vec<Edge>,
}

impl Hierarchy {
    /// Reads a block with Yosys, in a folder, which must exist.
    ///
    /// # Errors
    /// [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::File`]; [`RtlError::Output`] for a JSON file without the block.
    pub fn of(block: &Block, tools: &Tools, folder: &Path) -> Result<Self, RtlError> {
        write(&folder.join("block.sv"), &block.text)?;
        let name = &block.name;
        let script = format!(
            "read_verilog -sv block.sv; hierarchy -check -top {name}; proc; opt_clean; write_json block.json"
        );
        tools.yosys(folder, &script, name)?;
        json::hierarchy(block, &read(&folder.join("block.json"))?).ok_or_else(|| RtlError::Output {
            tool: "yosys".to_owned(),
            what: name.clone(),
            missing: format!("module {name}, with ports and cells"),
        })
    }

    /// Whether it was read from the text that the block has now.
    pub fn is_of(&self, block: &Block) -> bool {
        self.digest == digest(block)
    }
}

/// The digest of a block's text.
fn digest(block: &Block) -> String {
    Sha3::leaf(block.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;

    #[test]
    fn every_machine_has_a_hierarchy_of_its_text_and_a_diagram_of_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for name in MACHINES {
            let block = blocks::find(name).unwrap().block().unwrap();
            let kept = read(&root.join(format!("results/rtl/hierarchy/{name}.json"))).unwrap();
            let kept: Hierarchy = serde_json::from_str(&kept).unwrap();
            assert!(kept.is_of(&block), "{name}: run `cargo x rtl hierarchy --bless`, then `cargo x gen`");
            let drawn = read(&root.join(format!("docs/book/src/rooms/rtl/{name}.svg"))).unwrap();
            assert!(drawn == svg(&kept), "{name}: run `cargo x gen`");
        }
    }
}
