//! Runs `pairwright asm`, which assembles programs of the crypto-processor.

use crate::args::{Asm, Cli};
use crate::failure::{ArgumentError, Failure};
use crate::files::{read_text as read, write_text as write};
use crate::output;
use pairwright::chip::isa::{self, Image};
use serde::Serialize;

/// The command's result, as `--json` prints it.
#[derive(Serialize)]
struct Assembled<'a> {
    file: Option<String>,
    l1_words: usize,
    l2_words: usize,
    labels: usize,
    image: &'a Image,
}

/// Assembles a program, or prints the reference of the instruction set.
pub(crate) fn run(cli: &Cli, args: &Asm) -> Result<(), Failure> {
    let Some(file) = args.file.as_deref().filter(|_| !args.reference) else {
        let page = isa::reference("pairwright asm --reference");
        return output::print(cli, &serde_json::json!({ "text": page }), |_| page.trim_end().to_owned());
    };
    let text = read(file)?;
    let image = isa::assemble(&text).map_err(|why| ArgumentError::Program { file: file.to_owned(), why })?;
    if let Some(path) = &args.out {
        write(path, &(image.to_json() + "\n"))?;
    }
    let assembled = Assembled {
        file: args.out.as_ref().map(|path| path.display().to_string()),
        l1_words: image.l1.len(),
        l2_words: image.l2.len(),
        labels: image.l1_labels.len() + image.l2_labels.len(),
        image: &image,
    };
    output::print_unless_in(cli, args.out.as_deref(), &assembled, |a| match &a.file {
        Some(path) => {
            format!("{path}: {} L1 words, {} L2 words, {} labels", a.l1_words, a.l2_words, a.labels)
        }
        None => image.to_json(),
    })
}
