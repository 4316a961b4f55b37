//! Generator of the book's reference page of the instruction set.

use super::format::{BitField, CHANNELS, L1Holds, L2_FORMAT, L2Holds, Part};
use super::image::{LABEL_CHARACTERS, MEMORY_WORDS};
use super::rows::{L1_ROWS, L1Row, L2_ROWS};

/// An example program in text form, which uses both memories, a loop and a scan register; the reference page shows it.
pub const EXAMPLE: &str = include_str!("example.pw");

/// The page in Markdown; `command` is the command line that prints it.
pub fn reference(command: &str) -> String {
    let words = MEMORY_WORDS;
    format!(
        "# The crypto-processor's instruction set

<!-- Printed by `{command}` from the table in `crates/chip/src/isa/rows.rs`. -->

Two levels of 32-bit words ([CP] Fig. 11). L1 is coarse: the top controller runs it, each word starts an engine or \
steers the program. L2 is fine: a routine of the pairing processor, one Fp2 operation a word. Each level has its own \
memory of {words} words.

The paper prints names, field widths and ranges. What it does not print is marked: **[I]** is our reading, **ours \
[I]** lies in bits it leaves free. All opcodes are [I]. Opcode 0 is no instruction at either level, so an empty memory \
does not run. Every field that an instruction does not use is zero, and a word where it is not is refused.

## L1 words

{}

A length, a number of rounds and a number of times are stored less one: 1,024 fits in ten bits, 2^16 in sixteen. Stages \
are log2 of the length and rounds an eighth of it; the assembler computes them, the decoder checks them.

{}

Loops nest: each of `i`, `j` and `k` has its own counter. `loop_i top, 63` at the end of a body runs the body 63 times. \
The scan registers give their bits from the most significant one of those that were loaded.

## L2 words

One format, from the most significant bit: {}.

{}

| field | holds |
|---|---|
{}

The channels of forwarded operands are {}. An instruction that issues in slot `s` on a channel of latency `d` has its \
result on path 2 for slot `s + d`, on path 1 for slot `s + d + 1`, and in its row for slot `s + d + 2` and later. A word \
names one path, so two forwarded operands take the same.

## Text

A line is a directive, a label, an instruction, or a label before either; `;` begins a comment.

| line | meaning |
|---|---|
| `.l1`, `.l2` | what follows goes to this memory |
| `.org N` | goes on at address N; the words between are zero |
| `.word N, …` | words as they stand |
| `name:` | a label: a letter or `_`, then letters, digits, `_` and `.`, at most {LABEL_CHARACTERS} characters; L1 and L2 have labels of their own |

Numbers are decimal or `0x` hexadecimal. The values of an L1 instruction stand in the order of its fields: lengths, sets \
of banks and times are numbers, `g40` is a row of the global bank, `b1.5` a row of Bank1, addresses are labels or \
numbers. An L2 instruction has its destination first (`_` for none), then its operands: rows, or a channel and a path \
as in `mm:2`. Then come its marks: `||` if it issues in the same slot as the next word, `last` if it ends the routine.

```text
{EXAMPLE}```

`pairwright asm` turns a text into an image, `pairwright disasm` an image into a text that gives the same image again.

## Images

An image is a JSON object with four keys: `l1` and `l2` are lists of words, each a string of `0x` and eight hexadecimal \
digits, from address 0; `l1_labels` and `l2_labels` map labels to addresses.
",
        l1_formats(),
        l1_rows(),
        L2_FORMAT.iter().map(named_width).collect::<Vec<_>>().join(", "),
        l2_rows(),
        l2_fields(),
        CHANNELS
            .iter()
            .enumerate()
            .map(|(number, (_, name))| format!("{number} `{name}`"))
            .collect::<Vec<_>>()
            .join(", "),
    )
}

fn named_width<H>(field: &BitField<H>) -> String {
    format!("{}:{}", field.name, field.bits)
}

/// A table of the L1 formats, with the instructions that have each.
fn l1_formats() -> String {
    let mut groups: Vec<(&[BitField<L1Holds>], Vec<&str>)> = Vec::new();
    for L1Row { format, mnemonic, .. } in L1_ROWS {
        match groups.iter_mut().find(|(known, _)| known == format) {
            Some((_, names)) => names.push(mnemonic),
            None => groups.push((format, vec![mnemonic])),
        }
    }
    let line = |(format, names): &(&[BitField<L1Holds>], Vec<&str>)| {
        let fields = format.iter().map(l1_field).collect::<Vec<_>>().join(" · ");
        format!("| {fields} | {} |", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" "))
    };
    let lines: Vec<String> = groups.iter().map(line).collect();
    format!("| fields, from the most significant bit | instructions |\n|---|---|\n{}", lines.join("\n"))
}

fn l1_field(field: &BitField<L1Holds>) -> String {
    let name = named_width(field);
    match field.holds {
        L1Holds::Value { part: Part::Direction, .. } => format!("{name} (0 `in`, 1 `out`)"),
        L1Holds::Value { part: Part::Field, .. } => format!("{name} (0 `fq`, 1 `fr`)"),
        L1Holds::Value { part: Part::Tables, .. } => format!("{name} (0 `shared`, 1 `own`)"),
        L1Holds::Value { part: Part::Group, .. } => format!("{name} (0 `g1`, 1 `g2`)"),
        L1Holds::Value { min, max, less, .. } => {
            format!("{name} ({min} to {max}{})", if less == 1 { ", less 1" } else { "" })
        }
        L1Holds::Stages => format!("{name} (5 to 10)"),
        L1Holds::Rounds => format!("{name} (4 to 128, less 1)"),
        L1Holds::Opcode | L1Holds::Zero => name,
    }
}

fn l1_rows() -> String {
    let line = |row: &L1Row| {
        let operands: Vec<&str> = row.values().map(|value| placeholder(value.part)).collect();
        let text = format!("{} {}", row.mnemonic, operands.join(", "));
        format!(
            "| `{}` | {:#04x} | {} | {} | {} |",
            text.trim_end(),
            row.opcode,
            row.unit.name(),
            row.origin.name(),
            row.about
        )
    };
    let lines: Vec<String> = L1_ROWS.iter().map(line).collect();
    format!("| text | Op | unit | source | meaning |\n|---|---|---|---|---|\n{}", lines.join("\n"))
}

/// The placeholder of a value in the table of instructions.
fn placeholder(part: Part) -> &'static str {
    match part {
        Part::Length => "length",
        Part::Src => "set",
        Part::Direction => "way",
        Part::Global => "g",
        Part::Local => "b",
        Part::Field => "field",
        Part::Target => "address",
        Part::Routine => "routine",
        Part::Count => "count",
        Part::Stream => "stream",
        Part::Batch => "batch",
        Part::Tables => "tables",
        Part::Group => "group",
    }
}

fn l2_rows() -> String {
    let lines = L2_ROWS.iter().map(|row| {
        let operands = ["", " to, a", " to, a, b"][if row.channel.is_some() { row.operands } else { 0 }];
        let channel = CHANNELS.iter().find(|(channel, _)| Some(*channel) == row.channel);
        format!(
            "| `{}{operands}` | {} | {:#x} | {} | {} | {} | {} |",
            row.mnemonic,
            row.printed,
            row.opcode,
            channel.map_or("", |(_, name)| name),
            row.latency.map_or(String::new(), |key| format!("`{key}`")),
            row.origin.name(),
            row.about
        )
    });
    format!(
        "| text | paper | OP | channel | latency | source | meaning |\n|---|---|---|---|---|---|---|\n{}",
        lines.collect::<Vec<_>>().join("\n")
    )
}

fn l2_fields() -> String {
    let line = |field: &BitField<L2Holds>| {
        let holds = match field.holds {
            L2Holds::Opcode => "the operation".to_owned(),
            L2Holds::Bank(index) => {
                format!("operand {index}: its bank, 0 to 2; if it is forwarded, its channel [I]")
            }
            L2Holds::Row(index) => format!("operand {index}: its row, 0 to 31; if it is forwarded, zero"),
            L2Holds::ToBank => {
                "the destination's bank, 0 to 2; 3 if the result is only forwarded [I]".to_owned()
            }
            L2Holds::ToRow => "the destination's row".to_owned(),
            L2Holds::Path => "the forwarding path, 1 or 2; 0 if no operand is forwarded".to_owned(),
            L2Holds::Forwarded => "which operand is forwarded: 0 or 1, 2 for both [I]".to_owned(),
            L2Holds::Last => "`last`: ends the routine; ours [I]".to_owned(),
            L2Holds::WithNext => "`\\|\\|`: issues in the same slot as the next word; ours [I]".to_owned(),
            L2Holds::Zero => "zero".to_owned(),
        };
        format!("| {} | {holds} |", field.name)
    };
    L2_FORMAT.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{assemble, disassemble};

    #[test]
    fn the_example_assembles() {
        let image = assemble(EXAMPLE).unwrap();
        assert_eq!((image.l1.len(), image.l2.len()), (10, 2));
        assert_eq!(assemble(&disassemble(&image)).unwrap(), image);
    }

    #[test]
    fn the_page_has_every_instruction_and_every_field() {
        let page = reference("pairwright asm --reference");
        for mnemonic in L1_ROWS.iter().map(|r| r.mnemonic).chain(L2_ROWS.iter().map(|r| r.mnemonic)) {
            assert!(page.contains(&format!("| `{mnemonic}")), "{mnemonic}");
        }
        for field in &L2_FORMAT {
            assert!(page.contains(&format!("\n| {} | ", field.name)), "{}", field.name);
        }
        assert!(page.lines().take(12).any(|line| line.contains("`pairwright asm --reference`")));
    }
}
