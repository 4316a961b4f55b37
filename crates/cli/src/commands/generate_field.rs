//! Runs `pairwright gen field`, which writes a field as a library.

use super::generate::{machine, parse_modulus};
use crate::args::{Cli, FormName, GenLibrary};
use crate::failure::Failure;
use crate::{files, output};
use pairwright::formats::write_atomically;
use pairwright::moma::library::kernels::Form;
use pairwright::moma::library::{Library, LibraryOptions};
use serde::Serialize;

#[derive(Serialize)]
struct Written {
    target: String,
    modulus_bits: u64,
    form: &'static str,
    files: Vec<String>,
}

pub(super) fn run(cli: &Cli, a: &GenLibrary) -> Result<(), Failure> {
    let modulus = parse_modulus(&a.modulus)?;
    let form = a.form.map(|form| match form {
        FormName::Montgomery => Form::Montgomery,
        FormName::Plain => Form::Plain,
        FormName::Digits => Form::Digits,
    });
    let choices = LibraryOptions { prefix: a.prefix.clone(), form, log_size: a.log_size };
    let library = Library::new(&modulus, machine(&a.target)?, choices)?;
    let files = library.files(&command(a))?;
    files::make_folder(&a.out)?;
    let mut written = Written {
        target: a.target.to_string(),
        modulus_bits: modulus.bits(),
        form: match library.form() {
            Form::Montgomery => "montgomery",
            Form::Plain => "plain",
            Form::Digits => "digits",
        },
        files: Vec::new(),
    };
    for file in files {
        let path = a.out.join(&file.name);
        write_atomically(&path, |out| Ok(out.write_all(file.text.as_bytes())?))?;
        written.files.push(path.display().to_string());
    }
    output::print_done(cli, &written, |w| {
        let form = if w.form == "digits" { "digits".to_owned() } else { format!("{} form", w.form) };
        let head = format!("a modulus of {} bits for {}, elements in {form}:", w.modulus_bits, w.target);
        std::iter::once(&head).chain(&w.files).map(String::as_str).collect::<Vec<_>>().join("\n")
    })
}

/// The command that makes the same files again, without its output folder.
fn command(a: &GenLibrary) -> String {
    let mut line = format!("pairwright gen field --modulus {} --target {}", a.modulus, &*a.target);
    if let Some(prefix) = &a.prefix {
        line += &format!(" --prefix {prefix}");
    }
    match a.form {
        None => {}
        Some(FormName::Montgomery) => line += " --form montgomery",
        Some(FormName::Plain) => line += " --form plain",
        Some(FormName::Digits) => line += " --form digits",
    }
    if let Some(log_size) = a.log_size {
        line += &format!(" --log-size {log_size}");
    }
    line
}
