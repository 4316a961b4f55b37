//! Runs the commands of the demonstration's roles, each in a process of its own.

use crate::Caller;
use crate::args::Cli;
use crate::failure::Failure;
use crate::signals;
use crate::stop::Stop;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The options for the documents and the identity that the roles agree on.
pub(super) const TERMS: &str = "--ledger @ledger.json --payers @payers.json --authority @authority-public.json \
                                --period regulator/2026-11";

/// The refusal of a command by a role.
pub(super) struct Refused {
    /// The short name of the cause, if there is one.
    pub(super) reason: String,
    pub(super) said: String,
}

/// Runs roles on the files of a folder.
pub(super) struct Roles<'a> {
    cli: &'a Cli,
    folder: &'a Path,
    /// The path of this program; `None` if it is not the command but a program that calls the library, so that there is nothing to start.
    program: Option<PathBuf>,
}

impl<'a> Roles<'a> {
    pub(super) fn new(cli: &'a Cli, folder: &'a Path) -> Result<Self, Failure> {
        let program = if cli.answer.is_kept() {
            None
        } else {
            Some(std::env::current_exe().map_err(|why| Failure::Internal(why.into()))?)
        };
        Ok(Self { cli, folder, program })
    }

    /// Whether roles are processes of their own.
    pub(super) fn are_processes(&self) -> bool {
        self.program.is_some()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Splits a command line into words; a word that begins with `@` names a file of the folder.
    pub(super) fn words(&self, line: &str) -> Vec<OsString> {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.path(name).into(),
            None => word.into(),
        };
        line.split_whitespace().map(word).collect()
    }

    /// Runs a command line that has to succeed, and returns the object that it prints.
    pub(super) fn ok(&self, line: &str) -> Result<Value, Failure> {
        self.ask(line)?.map_err(|why| Failure::Internal(format!("{line}: {}", why.said).into()))
    }

    /// Runs a command line, and returns the object that it prints, or the refusal.
    pub(super) fn ask(&self, line: &str) -> Result<Result<Value, Refused>, Failure> {
        let words = self.words(line);
        let Some(program) = &self.program else {
            return match crate::call(&words, Caller { stop: Stop::current(), ..Caller::default() }) {
                Ok(text) => serde_json::from_str(&text).map(Ok).map_err(|why| Failure::Internal(why.into())),
                Err(why) => Ok(Err(Refused {
                    reason: why.reason().unwrap_or_default().to_owned(),
                    said: why.to_string(),
                })),
            };
        };
        let failed = |why: std::io::Error| Failure::Internal(why.into());
        let mut command = Command::new(program);
        command.args(["--json", "--quiet"]).args(words);
        if let Some(threads) = self.cli.threads {
            command.arg("--threads").arg(threads.to_string());
        }
        let Output { status, stdout, .. } = signals::output(&mut command, &[]).map_err(failed)?;
        let object: Value = serde_json::from_slice(&stdout)
            .map_err(|_| Failure::Internal(format!("{line}: {status}, without an answer").into()))?;
        let member = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
        if status.success() {
            return Ok(Ok(object));
        }
        Ok(Err(Refused { reason: member("reason"), said: member("error") }))
    }
}
