//! Faults injected into the text of a block: a lock-step run that does not detect them proves nothing.

use crate::Block;

/// A block with one line of its text changed.
#[derive(Clone, Debug)]
pub struct Fault {
    /// A description of the fault, with the line that it is in.
    pub what: String,
    /// The block with the fault.
    pub block: Block,
}

impl Fault {
    /// The block with the first occurrence of a text replaced, given a description, the original text and the
    /// replacement.
    pub fn replaced(block: &Block, (what, from, to): &(&str, &str, &str)) -> Self {
        let text = block.text.replacen(from, to, 1);
        Self { what: (*what).to_owned(), block: Block { text, ..block.clone() } }
    }
}

/// A kind of fault: the text to be replaced in a line, and the replacement.
struct FaultKind {
    what: &'static str,
    /// Text that the line must contain for the fault to apply.
    within: &'static str,
    from: &'static str,
    to: &'static str,
}

const KINDS: [FaultKind; 11] = [
    FaultKind { what: "a register does not stall", within: "<=", from: "else if (en)", to: "else" },
    FaultKind { what: "a register is not reset", within: "<=", from: "if (rst)", to: "if (1'b0)" },
    FaultKind { what: "an exclusive or is an or", within: "wire", from: " ^ ", to: " | " },
    FaultKind { what: "a conjunction is a disjunction", within: "wire", from: " & ", to: " | " },
    FaultKind { what: "data do not stall", within: "always", from: "if (en)", to: "" },
    FaultKind { what: "operands do not stall", within: "in_valid", from: "if (en & ", to: "if (" },
    FaultKind {
        what: "operands of nothing enter",
        within: "in_valid",
        from: "if (en & ",
        to: "if (en | 1'b0 & ",
    },
    FaultKind { what: "a sum loses a term", within: " sum", from: " + ", to: " | " },
    FaultKind { what: "a product is off by one", within: " product", from: ";", to: " + 1'b1;" },
    FaultKind { what: "a selection is the other way round", within: " ? ", from: " = ", to: " = !" },
    FaultKind {
        what: "a digit is shifted by a bit",
        within: "_multiply multiply",
        from: ":0]",
        to: ":0] >> 1",
    },
];

impl FaultKind {
    /// Whether the fault applies to a line and changes what it computes: an or with zero is an exclusive or with zero.
    fn applies(&self, line: &str) -> bool {
        let operand = line.split_once(self.from).map(|(_, operand)| operand);
        line.contains(self.within) && operand.is_some_and(|operand| self.from != " ^ " || !is_zero(operand))
    }
}

/// Whether a text begins with a zero, such as `1'd0`.
fn is_zero(text: &str) -> bool {
    let width = text.trim_start_matches(|c: char| c.is_ascii_digit());
    width.strip_prefix("'d0").is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// One fault of every kind that applies to the block's text, in the middle one of the matching lines. Valid bits of
/// submodules that are blocks of their own are left out: a block with its own valid bits does not read theirs.
pub fn faults(block: &Block) -> Vec<Fault> {
    let lines: Vec<&str> = block.text.lines().collect();
    let mut part = false;
    let unseen: Vec<bool> = lines
        .iter()
        .map(|line| {
            if let Some(name) = line.strip_prefix("module ") {
                part = block.parts.iter().any(|(module, _)| name.starts_with(module.as_str()));
            }
            part && line.contains("valid")
        })
        .collect();
    let fault = |kind: &FaultKind| {
        let places: Vec<usize> =
            (0..lines.len()).filter(|k| kind.applies(lines[*k]) && !unseen[*k]).collect();
        let at = *places.get(places.len() / 2)?;
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        changed[at] = lines[at].replacen(kind.from, kind.to, 1);
        let text = changed.join("\n") + "\n";
        Some(Fault {
            what: format!("{}, line {}", kind.what, at + 1),
            block: Block { text, ..block.clone() },
        })
    };
    KINDS.iter().filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;

    #[test]
    fn an_or_with_zero_is_no_fault() {
        let kind = KINDS.iter().find(|kind| kind.from == " ^ ").unwrap();
        assert!(kind.applies("wire [1:0] a = b ^ c;") && kind.applies("wire a = b ^ 2'd01;"));
        assert!(!kind.applies("wire a = b ^ 1'd0;") && !kind.applies("wire a = {b ^ 12'd0, c};"));
    }

    #[test]
    fn a_fault_changes_one_line() {
        for entry in &blocks::ALL {
            let block = entry.block().unwrap();
            let all = faults(&block);
            assert!(all.len() >= 5, "{}: {}", entry.name, all.len());
            for fault in all {
                let lines = block.text.lines().zip(fault.block.text.lines());
                assert_eq!(lines.filter(|(right, wrong)| right != wrong).count(), 1, "{}", fault.what);
            }
        }
    }
}
