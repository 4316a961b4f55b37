//! A field as one Rust module that contains its tests.

use super::vectors::vectors;
use super::{File, Library};
use crate::error::MomaError;
use crate::program::print::rust_function;

const FRAME: &str = include_str!("frame/field.rs");
const TEST: &str = include_str!("frame/test.rs");

pub(super) fn files(library: &Library, command: &str) -> Result<Vec<File>, MomaError> {
    let programs: Vec<String> = library.programs().iter().map(rust_function).collect();
    let mut text: String = library.head(command).iter().map(|line| format!("//! {line}\n")).collect();
    text += &format!(
        "#![allow(unused_assignments, unused_parens, unused_variables, clippy::all)]

/// Words of an element.
pub const WORDS: usize = {};
/// Words of an integer below the modulus.
pub const INTEGER_WORDS: usize = {};
/// Bytes of an element's integer.
pub const BYTES: usize = {};
",
        library.element().words,
        library.integer_words(),
        library.bytes(),
    );
    for (name, values) in library.constants()? {
        let about = match name {
            "pw_modulus" => "The modulus.",
            "pw_one" => "The element one.",
            "pw_r_squared" => "R^2 mod q.",
            _ => "The root, the first entry of the table, and one.",
        };
        let list: Vec<String> = values.iter().map(|v| words(v)).collect();
        let (kind, list) = match &list[..] {
            [one] if name == "pw_modulus" => ("Integer".to_owned(), one.clone()),
            [one] => ("Element".to_owned(), one.clone()),
            many => (format!("[Element; {}]", many.len()), format!("[{}]", many.join(", "))),
        };
        text += &format!("/// {about}\npub const {}: {kind} = {list};\n", name.to_uppercase());
    }
    text += FRAME;
    text += &library.functions()?;
    text.push('\n');
    text += &programs.join("\n");
    if text.contains("pw_bitrev(") {
        text += "\nfn pw_bitrev(x: usize, bits: usize) -> usize {\n    x.reverse_bits() >> (usize::BITS as usize - bits)\n}\n";
    }
    let rows: String = vectors(library)
        .iter()
        .map(|row| format!("        [{}],\n", row.each_ref().map(|v| words(&library.words(v))).join(", ")))
        .collect();
    let mut test = TEST.replace("@vectors@", &rows);
    for (part, kept) in [("inverse", library.prime), ("ntt", library.log_size > 0)] {
        test = keep(&test, part, kept);
    }
    text += &test.replace("@log@", &library.log_size.to_string());
    // Names need no prefix, since the module has it as its name.
    let text = text.replace("pw_", "").replace("PW_", "");
    Ok(vec![File { name: format!("{}.rs", library.prefix), text }])
}

/// The Rust expression of an array of words.
fn words(words: &[u64]) -> String {
    let each: Vec<String> = words.iter().map(|w| format!("{w:#x}")).collect();
    format!("[{}]", each.join(", "))
}

/// The text without the markers `// begin PART` and `// end PART`, and with the lines between them only if `kept`.
fn keep(text: &str, part: &str, kept: bool) -> String {
    let (begin, end) = (format!("// begin {part}"), format!("// end {part}"));
    let mut inside = false;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.trim() == begin {
            inside = true;
        } else if line.trim() == end {
            inside = false;
        } else if kept || !inside {
            out += line;
        }
    }
    out
}
