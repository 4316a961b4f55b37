//! Parsing of the command line; an error in it is reported as text or as JSON, whichever the line asks for.

use crate::args::{Cli, Files, in_our_words};
use crate::closed;
use crate::failure::Failure;
use crate::output::{self, Envelope, SCHEMA_VERSION};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::Write;

/// Reads the command line.
///
/// # Errors
/// The exit code, after the help, the version or the error has been printed.
pub(crate) fn read(arguments: &[OsString]) -> Result<Cli, u8> {
    let arguments = &in_our_words(arguments);
    understand(arguments).map_err(|error| print_error(arguments, &error))
}

/// [`read`] for a caller in this process: nothing is printed.
///
/// # Errors
/// The parser's error, or the help or version that was asked for, as text.
pub(crate) fn parse(arguments: &[OsString]) -> Result<Cli, Failure> {
    understand(&in_our_words(arguments)).map_err(|error| Failure::bad(error.render().to_string().trim_end()))
}

fn understand(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut parser = Cli::command();
    parser.try_get_matches_from_mut(arguments).and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.files = Files::of(&parser, &matches);
        let mut words = Vec::new();
        let mut at = &matches;
        while let Some((word, below)) = at.subcommand() {
            words.push(word);
            at = below;
        }
        let (command, name) = cli.command.shortened();
        cli.command = command;
        cli.name = name.map_or_else(|| words.join(" "), str::to_owned);
        cli.words = arguments.iter().skip(1).cloned().collect();
        Ok(cli)
    })
}

/// Prints the parser's error, or the help or version that was asked for, and returns the exit code.
fn print_error(arguments: &[OsString], error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let done = closed::expect_standard_output().and_then(|()| error.print());
        let done = done.and_then(|()| std::io::stdout().flush());
        let done = done.map_err(Failure::Output).or_else(Failure::unless_reader_gone);
        return done.map_or_else(
            |failure| {
                output::eprint_line(&format!("pairwright: {failure}"));
                failure.code()
            },
            |()| 0,
        );
    }
    let code = 2;
    if arguments.iter().take_while(|word| *word != "--").any(|word| word == "--json") {
        let why = serde_json::json!({ "error": error.render().to_string().trim_end() });
        let command = command(arguments);
        let object = Envelope {
            schema_version: SCHEMA_VERSION,
            command: command.as_deref(),
            status: "bad-input",
            warnings: Vec::new(),
            result: &why,
        };
        let _ = object.print();
    } else {
        let _ = error.print();
    }
    code
}

/// The command and subcommand that a faulty line names, as far as they can be recognised.
fn command(arguments: &[OsString]) -> Option<String> {
    let root = Cli::command();
    let (mut at, mut words) = (&root, Vec::new());
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(below) = at.find_subcommand(word) {
            words.push(below.get_name().to_owned());
            at = below;
        }
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_recognised_in_lines_that_are_wrong() {
        let of = |line: &str| command(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("pairwright --json sim ntt --colour red"), Some("sim ntt".to_owned()));
        assert_eq!(of("pairwright prove --bad"), Some("prove".to_owned()));
        assert_eq!(of("pairwright frobnicate"), None);
    }
}
