//! Passwords: from a file, a descriptor or a prompt.

use super::fault::BlsFault;
use crate::args::Cli;
use crate::args::bls::PasswordFrom;
use crate::failure::Failure;
use crate::files::{MOST_SECRET, read_bytes};
use pairwright::formats::keystore::Password;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

impl PasswordFrom {
    /// Whether a file or a descriptor is named.
    pub(super) fn is_named(&self) -> bool {
        self.password_file.is_some() || self.password_fd.is_some()
    }

    /// The password of an existing keystore; at a prompt it is asked for once.
    pub(super) fn known(&self, cli: &Cli) -> Result<Password, Failure> {
        self.read(cli, false)
    }

    /// The password of a new keystore; at a prompt it is asked for twice.
    pub(super) fn chosen(&self, cli: &Cli) -> Result<Password, Failure> {
        self.read(cli, true)
    }

    fn read(&self, cli: &Cli, twice: bool) -> Result<Password, Failure> {
        let text = match (&self.password_file, self.password_fd) {
            (Some(path), _) => return password_of(path),
            (None, Some(descriptor)) => return password_of(&PathBuf::from(format!("/dev/fd/{descriptor}"))),
            (None, None) => ask(cli, "Password: ")?,
        };
        if twice && *ask(cli, "The same password again: ")? != *text {
            return Err(BlsFault::PasswordsDiffer.into());
        }
        not_empty(&text)
    }
}

fn not_empty(text: &str) -> Result<Password, Failure> {
    let password = Password::new(text);
    if password.is_empty() { Err(BlsFault::EmptyPassword.into()) } else { Ok(password) }
}

/// Reads a password from a file: its text without the end of the line.
pub(super) fn password_of(path: &Path) -> Result<Password, Failure> {
    let bytes = read_bytes(path, MOST_SECRET, "a password")?;
    let text = core::str::from_utf8(&bytes).map_err(|_| BlsFault::PasswordText(path.to_owned()))?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    not_empty(text.strip_suffix('\r').unwrap_or(text))
}

/// Asks for a password at the terminal, without showing what is typed. It fails for a caller in this process, who has no terminal.
fn ask(cli: &Cli, prompt: &str) -> Result<Zeroizing<String>, Failure> {
    if cli.answer.is_kept() {
        return Err(BlsFault::NoTerminal.into());
    }
    let typed = rpassword::prompt_password(prompt).map_err(|_| BlsFault::NoTerminal)?;
    Ok(Zeroizing::new(typed))
}
