//! Runs `pairwright disasm`, which prints an image as text.

use crate::args::{Cli, Disasm};
use crate::failure::{ArgumentError, Failure};
use crate::files::{read_text as read, write_text as write};
use crate::output;
use pairwright::chip::isa::{self, Image, L1, L2};
use serde::Serialize;

/// The command's result, as `--json` prints it.
#[derive(Serialize)]
struct Disassembled {
    file: Option<String>,
    l1_words: usize,
    l2_words: usize,
    /// Number of words that are not instructions.
    unknown: usize,
    text: String,
}

pub(crate) fn run(cli: &Cli, args: &Disasm) -> Result<(), Failure> {
    let image = Image::from_json(&read(&args.file)?)
        .map_err(|why| ArgumentError::Image { file: args.file.to_path_buf(), why })?;
    let text = isa::disassemble(&image);
    if let Some(path) = &args.out {
        write(path, &text)?;
    }
    let unknown = image.l1.iter().filter(|word| L1::decode(**word).is_err()).count()
        + image.l2.iter().filter(|word| L2::decode(**word).is_err()).count();
    let disassembled = Disassembled {
        file: args.out.as_ref().map(|path| path.display().to_string()),
        l1_words: image.l1.len(),
        l2_words: image.l2.len(),
        unknown,
        text,
    };
    output::print_unless_in(cli, args.out.as_deref(), &disassembled, |d| match &d.file {
        Some(path) => {
            format!("{path}: {} L1 words, {} L2 words, {} of them unknown", d.l1_words, d.l2_words, d.unknown)
        }
        None => d.text.trim_end().to_owned(),
    })
}
