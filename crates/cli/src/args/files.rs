//! The files that a command line names, which the parser tells by the types of their arguments.

use super::bls::Given;
use super::{InputPath, OutputPath, TargetName};
use clap::{Arg, ArgMatches, ValueHint};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// The files of a command line, each with the name of its argument for messages. Of a list only the list itself is included, not the
/// files that it names.
///
/// Folders are left out, and so are the files in them, whose names the command makes: `explore --designs` checks each with
/// [`Files::check_in_folder`], and shares of a key replace no file. The outputs of
/// `powersoftau truncate` are left out too: their names are derived from the input's, so that they are other files.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Files that are read.
    pub inputs: Vec<(String, PathBuf)>,
    /// Files that are written.
    pub outputs: Vec<(String, PathBuf)>,
}

impl Files {
    /// The files of a line that `command` has parsed, those that are defaults included.
    pub(crate) fn of(mut command: &clap::Command, mut line: &ArgMatches) -> Self {
        let mut files = Self::default();
        loop {
            for argument in command.get_arguments() {
                files.inputs.extend(named::<InputPath>(argument, line, |path| Some(path)));
                files.inputs.extend(named(argument, line, Given::path));
                files.inputs.extend(named(argument, line, TargetName::path));
                files.outputs.extend(named::<OutputPath>(argument, line, |path| Some(path)));
            }
            let Some((name, below)) = line.subcommand() else { return files };
            let Some(subcommand) = command.find_subcommand(name) else { return files };
            (command, line) = (subcommand, below);
        }
    }
}

/// The files among an argument's values, with the argument's name in usage lines: none if the values are of another type than `T`.
fn named<T: Clone + Send + Sync + 'static>(
    argument: &Arg,
    line: &ArgMatches,
    path: fn(&T) -> Option<&Path>,
) -> Vec<(String, PathBuf)> {
    if argument.get_value_parser().type_id() != TypeId::of::<T>() {
        return Vec::new();
    }
    let id = argument.get_id().as_str();
    let name = match (argument.get_long(), argument.get_value_names()) {
        (None, Some([name, ..])) => format!("<{name}>"),
        (long, _) => format!("--{}", long.unwrap_or(id)),
    };
    let values = line.get_many::<T>(id).into_iter().flatten();
    values.filter_map(path).map(|path| (name.clone(), path.to_owned())).collect()
}

/// Whether the values of an argument are files: all of them, or those that are not points in hexadecimal.
fn is_file(argument: &Arg) -> bool {
    let of = argument.get_value_parser().type_id();
    [TypeId::of::<InputPath>(), TypeId::of::<OutputPath>(), TypeId::of::<Given>()]
        .iter()
        .any(|file| of == *file)
}

/// The command with hints for shells, which complete names of files where these are arguments.
pub(crate) fn with_hints(command: clap::Command) -> clap::Command {
    let hinted = |argument: Arg| {
        if is_file(&argument) { argument.value_hint(ValueHint::FilePath) } else { argument }
    };
    command.mut_args(hinted).mut_subcommands(with_hints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    /// Calls `each` with every argument of a command and of the commands below it, after the words that lead there.
    fn for_each_argument(command: &clap::Command, words: &str, each: &mut dyn FnMut(&str, &Arg)) {
        let words = format!("{words} {}", command.get_name());
        command.get_arguments().for_each(|argument| each(&words, argument));
        command.get_subcommands().for_each(|below| for_each_argument(below, &words, each));
    }

    #[test]
    fn every_argument_that_names_a_file_has_a_type_that_says_so() {
        let (mut command, mut files) = (Cli::command(), 0);
        command.build();
        for_each_argument(&command, "", &mut |words, argument| {
            let of = argument.get_value_parser().type_id();
            let (what, hint) = (format!("{words}: {argument}"), argument.get_value_hint());
            if of == TypeId::of::<PathBuf>() {
                assert!(
                    hint == ValueHint::DirPath,
                    "{what}: if it is no folder, it has to be an InputPath or OutputPath"
                );
                return;
            }
            if !is_file(argument) && of != TypeId::of::<TargetName>() {
                let name = argument.get_value_names().unwrap_or_default().join(" ").to_uppercase();
                let mut parts = name.split(|c: char| !c.is_alphabetic());
                let file = parts.any(|part| ["FILE", "DIR", "FOLDER"].contains(&part));
                assert!(hint == ValueHint::Unknown && !file, "{what}: named as a path, but of another type");
                return;
            }
            files += 1;
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default().to_lowercase();
            if of == TypeId::of::<OutputPath>() {
                let verbs = ["writ", "draw", "keep", "put the", "is made"];
                assert!(verbs.iter().any(|verb| help.contains(verb)), "{what} is not written");
            } else {
                let verbs = ["write", "file to write", "draw", "keep"];
                assert!(!verbs.iter().any(|verb| help.starts_with(verb)), "{what} is not read");
            }
        });
        assert!(files > 200, "{files}");
    }

    #[test]
    fn files_are_found_below_the_command() {
        let files = |line: &str| {
            let mut command = Cli::command();
            let line = command.try_get_matches_from_mut(line.split(' ')).unwrap();
            let Files { inputs, outputs } = Files::of(&command, &line);
            let shown = |files: Vec<(String, PathBuf)>| {
                let each = files.iter().map(|(name, path)| format!("{name} {}", path.display()));
                each.collect::<Vec<_>>().join(", ")
            };
            [shown(inputs), shown(outputs)]
        };
        for (line, inputs, outputs) in [
            ("p devices", "", ""),
            (
                "p groth16 prove k",
                "<ZKEY> k, <WITNESS> witness.wtns",
                "<PROOF> proof.json, <PUBLIC> public.json",
            ),
            ("p bls aggregate - 0xab b", "<SIGNATURE> /dev/stdin, <SIGNATURE> b", ""),
            ("p gen kernel --op vadd --target c -o -", "", "--out -"),
            ("p gen kernel --op vadd --target c.toml", "--target c.toml", ""),
            (
                "p verify --config d k v p --report r",
                "<VKEY> k, <PUBLIC> v, <PROOF> p, --spec d",
                "--report r",
            ),
            ("p zkey verify init a b c", "<FIRST> a, <PTAU> b, <ZKEY> c", ""),
            ("p shard k --blocks 4 -o folder", "<ZKEY> k", ""),
        ] {
            assert_eq!(files(line), [inputs, outputs], "{line}");
        }
    }
}
