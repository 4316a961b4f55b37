//! Compares a block's area with the areas that papers print and models use.

use super::report::Synthesis;
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{
    Area as Pairing, ChipArea, ChipPart, ChipShape, PAIRING_PES, PE_MM2, PES, PairingPart,
};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::{Area as Unit, Group, TABLE_4_PES, multiplier_mm2_22, printed, sha3_gates};
use pairwright_sim::tech::{Gates, Scaling};
use std::fmt::Write as _;

/// The node to which areas are scaled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    /// The node of \[CP\].
    N28,
    /// The node of \[MTU\].
    N7,
}

/// The figures that a block is compared with.
struct ReferenceFigures {
    block: &'static str,
    node: Node,
    /// The paper's area in mm² and its source; `None` if the paper prints none.
    paper: Option<(f64, &'static str)>,
    /// The model's area in mm² and a description of its extent.
    model: (f64, &'static str),
}

const ELEMENT: &str = "[CP] V.A, 72 % of 8.3 mm² over twelve elements, each with an adder";
const TAKEN: &str = "an element of `chip`, calibrated on it";

/// One entry for each block and node, in printing order.
fn all() -> Vec<ReferenceFigures> {
    let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
    let (pairing, chip) = (Pairing::of(&spec), ChipArea::of(&spec, &shape));
    let unit = |pes: u32| Unit::of(&UnitConfig { hash_ii: 24, pes, ..UnitConfig::paper() });
    let of = |group: Group| printed(group).mm2 / f64::from(TABLE_4_PES);
    let of_model = |group: Group| unit(TABLE_4_PES).group_mm2(group) / f64::from(TABLE_4_PES);
    let (element, elements) =
        (of(Group::Modulus) + of(Group::Sha3), of_model(Group::Modulus) + of_model(Group::Sha3));
    let at_28 = |block, paper, model| ReferenceFigures { block, node: Node::N28, paper, model };
    let at_7 = |block, paper, model| ReferenceFigures { block, node: Node::N7, paper, model };
    vec![
        at_28(
            "add_sub_381",
            None,
            (pairing.mm2(PairingPart::Arithmetic) / 2.0, "half of `chip`'s arithmetic in Fp2, by gates"),
        ),
        at_28("mm_255", Some((PE_MM2, ELEMENT)), (PE_MM2, TAKEN)),
        at_7(
            "mm_255",
            Some((of(Group::Modulus), "[MTU] table 4, Modulus Ops over 32, for any prime and with adders")),
            (
                multiplier_mm2_22(255, false) * Scaling::N22_TO_N7.area,
                "a multiplier of `mtu` for any prime, printed for zkPHIRE",
            ),
        ),
        at_28("mm_381", Some((PE_MM2, ELEMENT)), (PE_MM2, TAKEN)),
        at_28(
            "fp2_381",
            Some((f64::from(PAIRING_PES) * PE_MM2, "[CP] V.A, four such elements")),
            (pairing.mm2(PairingPart::Multiplier), "four elements of `chip`, calibrated on it"),
        ),
        at_28(
            "padd_381",
            Some((f64::from(PES) * PE_MM2, "[CP] V.A, twelve such elements, without what is around them")),
            (
                chip.mm2(ChipPart::Elements) + chip.mm2(ChipPart::PointAdder),
                "twelve elements, and by gates 15 adders and registers",
            ),
        ),
        at_28("pairing_control", None, (pairing.mm2(PairingPart::Control), "`chip`'s control, by gates")),
        at_7(
            "keccak",
            Some((of(Group::Sha3), "[MTU] table 4, SHA3 over 32, with padder and buffer")),
            (sha3_gates(24, 24).range_mm2_7()[1], "34,100 gates of that core, synthesised"),
        ),
        at_7(
            "tree_element_255",
            Some((element, "[MTU] table 4, Modulus Ops and SHA3 over 32, for any prime")),
            (elements, "an element of `mtu`, calibrated on it"),
        ),
        at_7(
            "tree_255",
            Some((2.0 * element, "[MTU] table 4, two such elements without control")),
            (2.0 * elements, "two elements of `mtu`, calibrated on it"),
        ),
        at_7(
            "tree_control",
            Some((printed(Group::Misc).mm2, "[MTU] table 4, Misc of 32 elements")),
            (unit(2).group_mm2(Group::Misc), "`mtu`'s control of two elements, by gates"),
        ),
    ]
}

/// The areas of blocks at the nodes of the papers, with ranges over gate size and cell density, compared with the
/// papers' and the models' areas: a Markdown table. Empty if there is no figure to compare any of the blocks with.
pub fn beside_papers(reports: &[Synthesis]) -> String {
    let mut text = String::new();
    let table = all();
    for report in reports {
        for beside in table.iter().filter(|beside| beside.block == report.block) {
            let gates = Gates(report.nand2);
            let (node, [least, likely, most]) = match beside.node {
                Node::N28 => ("28 nm", gates.range_mm2_28()),
                Node::N7 => ("7 nm", gates.range_mm2_7()),
            };
            let (paper, over) = match beside.paper {
                Some((mm2, what)) => {
                    (format!("{}: {what}", digits(mm2)), format!("{} times", digits(likely / mm2)))
                }
                None => ("not printed".to_owned(), String::new()),
            };
            let _ = writeln!(
                text,
                "| `{}` | {} | {node} | {} | {} to {} | {paper} | {over} | {}: {} |",
                report.block,
                report.library,
                digits(likely),
                digits(least),
                digits(most),
                digits(beside.model.0),
                beside.model.1
            );
        }
    }
    if text.is_empty() { text } else { format!("{HEAD}{text}") }
}

const HEAD: &str = "| block | library | scaled to | mm² | range | the paper, mm² | here over it | the model, mm² |\n|---|---|---|--:|---|---|---|---|\n";

/// A number with three significant digits.
fn digits(value: f64) -> String {
    let before = value.abs().log10().floor() as i32;
    format!("{value:.*}", usize::try_from(2 - before).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::report::Measured;
    use super::*;

    fn report(block: &str, nand2: f64) -> Synthesis {
        Synthesis::new(block, "lib", 1.0, Vec::new(), Measured::new(0.0, "")).with_nand2(nand2)
    }

    impl Synthesis {
        fn with_nand2(self, nand2: f64) -> Self {
            Self { nand2, ..self }
        }
    }

    #[test]
    fn a_block_stands_beside_its_paper_with_its_range() {
        let text = beside_papers(&[report("mm_381", 2_062_970.0)]);
        assert!(text.ends_with(
            "| `mm_381` | lib | 28 nm | 1.58 | 1.19 to 2.17 | 0.498: [CP] V.A, 72 % of 8.3 mm² over twelve elements, each with an \
             adder | 3.16 times | 0.498: an element of `chip`, calibrated on it |\n"
        ));
        let text = beside_papers(&[report("keccak", 33_364.3)]);
        // 0.192 over 32; 33,364 gates of 0.55 µm² at 72 % density, times 0.81 over 3.6.
        assert!(text.contains("| 7 nm | 0.00573 | ") && text.contains("| 0.00600: [MTU]"), "{text}");
        assert!(text.contains("| 0.956 times |") && beside_papers(&[report("none", 1.0)]).is_empty());
        assert_eq!([0.0020, 0.498, 19.197, 1234.0].map(digits), ["0.00200", "0.498", "19.2", "1234"]);
    }

    #[test]
    fn the_book_has_the_table() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = std::fs::read_to_string(root.join("docs/book/src/rooms/rtl.md")).unwrap();
        let mut blocks: Vec<&str> = all().iter().map(|line| line.block).collect();
        blocks.dedup();
        let kept = blocks.iter().map(|block| {
            crate::blocks::find(block).unwrap();
            let file = root.join(format!("results/rtl/{block}.sky130_fd_sc_hd__tt_025C_1v80.json"));
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
        });
        let text = beside_papers(&kept.collect::<Vec<Synthesis>>());
        assert!(page.contains(&text), "{text}");
    }
}
