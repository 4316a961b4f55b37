//! Block diagrams of machines, drawn from the hierarchy of their hardware.
//!
//! Yosys reads a block and writes its modules as JSON, from which a [`Hierarchy`] is extracted: the instances in the
//! block's top module, with equal ones merged, their contents, and the paths between them. It is small, is kept in
//! `results/rtl/hierarchy`, and contains the digest of the text that it was read from. [`svg`] draws it without
//! external tools.

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

/// The blocks for which diagrams are drawn.
pub const MACHINES: [&str; 4] = ["pairing_processor", "ntt_255", "msm_381", "tree_255"];

/// The width in bits from which a path counts as an operand path rather than control.
pub const WIDE: usize = 64;

/// Instances in a block's top module that differ only in their number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// Name of the instance, with `#` in place of its number.
    pub name: String,
    /// Name of its module; empty for the block's inputs, outputs and own registers.
    pub module: String,
    /// Number of instances.
    pub times: u64,
    /// Modules inside it with their instance counts, at any depth.
    pub holds: Vec<(String, u64)>,
    /// Bits of the registers and memories inside it, at any depth.
    pub bits: u64,
}

/// A path from one node to another through the block's own gates and registers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// Index of the node where it begins.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// Width in bits of the widest port at its end.
    pub bits: usize,
}

/// The contents of a block's top module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hierarchy {
    /// Name of the block.
    pub block: String,
    /// The block's description in one line.
    pub title: String,
    /// SHA3-256 of its text, in hexadecimal.
    pub digest: String,
    /// The block's inputs, its own registers, the instances by name, and its outputs.
    pub nodes: Vec<Node>,
    /// Paths of operands, with at least [`WIDE`] bits over their whole length, through any of the block's own gates and
    /// registers.
    pub data: Vec<Edge>,
    /// Paths of control, with fewer bits, through gates only.
    pub control: Vec<Edge>,
}

impl Hierarchy {
    /// Reads a block with Yosys, in an existing folder.
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

    /// Whether it was read from the block's current text.
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
