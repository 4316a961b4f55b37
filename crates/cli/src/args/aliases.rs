//! snarkjs' short names of commands and its long options with one dash: a command line of snarkjs is rewritten before it is parsed.

use std::ffi::OsString;

/// The names of snarkjs 0.7.6 that are not commands here, with the commands that they stand for.
const ALIASES: &[(&[&str], &[&str])] = &[
    (&["ptn"], &["powersoftau", "new"]),
    (&["ptc"], &["powersoftau", "contribute"]),
    (&["ptec"], &["powersoftau", "export", "challenge"]),
    (&["ptcc"], &["powersoftau", "challenge", "contribute"]),
    (&["ptir"], &["powersoftau", "import", "response"]),
    (&["ptb"], &["powersoftau", "beacon"]),
    (&["pt2"], &["powersoftau", "prepare", "phase2"]),
    (&["ptcv"], &["powersoftau", "convert"]),
    (&["ptt"], &["powersoftau", "truncate"]),
    (&["ptv"], &["powersoftau", "verify"]),
    (&["ptej"], &["powersoftau", "export", "json"]),
    (&["ri"], &["r1cs", "info"]),
    (&["info"], &["r1cs", "info"]),
    (&["rp"], &["r1cs", "print"]),
    (&["print"], &["r1cs", "print"]),
    (&["rej"], &["r1cs", "export", "json"]),
    (&["wc"], &["wtns", "calculate"]),
    (&["calculatewitness"], &["wtns", "calculate"]),
    (&["wd"], &["wtns", "debug"]),
    (&["wej"], &["wtns", "export", "json"]),
    (&["wchk"], &["wtns", "check"]),
    (&["zkn"], &["groth16", "setup"]),
    (&["zkc"], &["zkey", "contribute"]),
    (&["zkeb"], &["zkey", "export", "bellman"]),
    (&["zkbc"], &["zkey", "bellman", "contribute"]),
    (&["zkib"], &["zkey", "import", "bellman"]),
    (&["zkb"], &["zkey", "beacon"]),
    (&["zkv"], &["zkey", "verify", "r1cs"]),
    (&["zkvr"], &["zkey", "verify", "r1cs"]),
    (&["zkvi"], &["zkey", "verify", "init"]),
    (&["zkev"], &["zkey", "export", "verificationkey"]),
    (&["zkej"], &["zkey", "export", "json"]),
    (&["zkesv"], &["zkey", "export", "solidityverifier"]),
    (&["generateverifier"], &["zkey", "export", "solidityverifier"]),
    (&["zkesc"], &["zkey", "export", "soliditycalldata"]),
    (&["g16s"], &["groth16", "setup"]),
    (&["g16p"], &["groth16", "prove"]),
    (&["zpw"], &["groth16", "prove"]),
    (&["zksnark", "proof"], &["groth16", "prove"]),
    (&["proof"], &["groth16", "prove"]),
    (&["g16f"], &["groth16", "fullprove"]),
    (&["g16i"], &["groth16", "fullprove"]),
    (&["g16v"], &["groth16", "verify"]),
    (&["pks"], &["plonk", "setup"]),
    (&["pkp"], &["plonk", "prove"]),
    (&["pkf"], &["plonk", "fullprove"]),
    (&["pkv"], &["plonk", "verify"]),
    (&["ffs"], &["fflonk", "setup"]),
    (&["ffp"], &["fflonk", "prove"]),
    (&["fff"], &["fflonk", "fullprove"]),
    (&["ffv"], &["fflonk", "verify"]),
    (&["fi"], &["inspect"]),
    (&["file", "info"], &["inspect"]),
];

/// The commands of snarkjs, which accepts their long options with one dash too.
const OF_SNARKJS: [&str; 7] = ["powersoftau", "r1cs", "wtns", "zkey", "groth16", "plonk", "fflonk"];

/// Their long options. With one dash the parser would read them as short options: `-name=x` as the name `ame=x`.
const LONG: [&str; 8] = ["name", "entropy", "verbose", "nopoints", "nocheck", "get", "set", "trigger"];

/// A command line with the names and options of snarkjs replaced by this command's.
pub(crate) fn in_our_words(arguments: &[OsString]) -> Vec<OsString> {
    let mut line = arguments.to_vec();
    let Some(at) = command(&line) else { return line };
    let found = ALIASES.iter().find(|(theirs, _)| {
        theirs.iter().enumerate().all(|(i, word)| {
            let said = line.get(at + i).and_then(|said| said.to_str());
            said.is_some_and(|said| said.eq_ignore_ascii_case(word))
        })
    });
    if let Some((theirs, ours)) = found {
        line.splice(at..at + theirs.len(), ours.iter().map(OsString::from));
    }
    if line.get(at).and_then(|word| word.to_str()).is_some_and(|word| OF_SNARKJS.contains(&word)) {
        line.iter_mut().skip(at).take_while(|word| *word != "--").for_each(|word| {
            if let Some(long) = behind_one_dash(word) {
                *word = long;
            }
        });
    }
    line
}

/// The index of the first word that is neither an option nor an option's value; a leading `help` is skipped.
fn command(line: &[OsString]) -> Option<usize> {
    let mut words = line.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        if word == "--threads" {
            words.next();
        } else if word == "--" {
            return None;
        } else if word != "help" && !word.to_str().is_some_and(|word| word.starts_with('-')) {
            return Some(at);
        }
    }
    None
}

/// A long option of snarkjs with one dash, rewritten with two; `None` for any other word.
fn behind_one_dash(word: &OsString) -> Option<OsString> {
    let option = word.to_str()?.strip_prefix('-')?;
    let name = option.split('=').next()?;
    LONG.contains(&name).then(|| OsString::from(format!("--{option}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    fn ours(line: &str) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        in_our_words(&words).join(std::ffi::OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn each_stands_for_a_command_and_hides_none() {
        for (theirs, ours) in ALIASES {
            let mut at = Cli::command();
            for word in *ours {
                at = at.find_subcommand(word).unwrap_or_else(|| panic!("{ours:?}")).clone();
            }
            assert!(Cli::command().find_subcommand(theirs[0]).is_none(), "{theirs:?} is a command here");
            assert_eq!(ALIASES.iter().filter(|(other, _)| other == theirs).count(), 1, "{theirs:?}");
        }
    }

    #[test]
    fn lines_are_translated() {
        for (theirs, expected) in [
            ("p g16p a b", "p groth16 prove a b"),
            ("p --json --threads 2 ZKC a b -n=x", "p --json --threads 2 zkey contribute a b -n=x"),
            ("p help zkev", "p help zkey export verificationkey"),
            ("p zksnark proof a", "p groth16 prove a"),
            ("p zksnark setup a", "p zksnark setup a"),
            ("p file info g16p", "p inspect g16p"),
            ("p verify g16p zkc ptn", "p verify g16p zkc ptn"),
            ("p zkc a b -name=x -entropy=y -v", "p zkey contribute a b --name=x --entropy=y -v"),
            ("p wtns debug a -set -get -s", "p wtns debug a --set --get -s"),
            ("p zkc a -- -name=x", "p zkey contribute a -- -name=x"),
            ("p prove a -name=x", "p prove a -name=x"),
            ("p -- g16p", "p -- g16p"),
            ("p", "p"),
        ] {
            assert_eq!(ours(theirs), expected);
        }
    }
}
