//! Checks of keys under which anybody can forge proofs: a key is refused when it is read, unless `--allow-unsafe-key` takes it.

use crate::args::{Cli, KeyPolicy};
use crate::failure::{ArgumentError, Failure};
use pairwright::curve::Pairing;
use pairwright::formats::{FormatError, Origin, Secrets, ZkeyFile};
use pairwright::protocols::groth16::VerifyingKey;
use pairwright::protocols::plonk::Weakness;
use std::path::Path;

/// The warning about a key whose maker has known its secrets.
const ONE_PLACE: &str =
    "its secrets were drawn in one place, as setup --unsafe-local does: who drew them can forge proofs";

/// Warns of a key of Plonk or fflonk whose file says that τ was drawn in one place.
pub(crate) fn warn_of_secrets(cli: &Cli, path: &Path, secrets: Secrets) {
    if secrets == Secrets::OnePlace {
        cli.warnings.add(format!("{}: {ONE_PLACE}", path.display()));
    }
}

impl KeyPolicy {
    /// Refuses a key for which anybody can forge proofs, or warns of it under `--allow-unsafe-key`. Warns of public values that the key
    /// does not bind to the proof.
    ///
    /// # Errors
    /// The first reason why the key is worthless.
    pub(crate) fn judge<E: Pairing>(
        self,
        cli: &Cli,
        path: &Path,
        key: &VerifyingKey<E>,
    ) -> Result<(), Failure> {
        for weakness in key.weaknesses() {
            if !self.allow_unsafe_key {
                return Err(ArgumentError::UnsafeKey { path: path.to_owned(), weakness }.into());
            }
            cli.warnings.add(format!("{}: {weakness}", path.display()));
        }
        for value in key.unbound() {
            let element = value + 1;
            cli.warnings.add(format!(
                "{}: IC[{element}] is infinity: public value {value} is bound to nothing, and a proof says nothing of it",
                path.display()
            ));
        }
        Ok(())
    }

    /// Refuses a key of Plonk or fflonk for which anybody can forge proofs, or warns of it under `--allow-unsafe-key`.
    ///
    /// # Errors
    /// The reason why the key is worthless.
    pub(crate) fn judge_gates(
        self,
        cli: &Cli,
        path: &Path,
        weakness: Option<Weakness>,
    ) -> Result<(), Failure> {
        let Some(weakness) = weakness else { return Ok(()) };
        if !self.allow_unsafe_key {
            return Err(ArgumentError::WorthlessKey { path: path.to_owned(), weakness }.into());
        }
        cli.warnings.add(format!("{}: {weakness}", path.display()));
        Ok(())
    }

    /// Warns of a verification key with invalid points, for commands that only inspect a file. A key with points at infinity is refused,
    /// unless `--allow-unsafe-key` takes it.
    ///
    /// # Errors
    /// The error `why`, if a point is at infinity.
    pub(crate) fn doubt(self, cli: &Cli, why: FormatError) -> Result<(), Failure> {
        if matches!(why, FormatError::Infinity { .. }) && !self.allow_unsafe_key {
            return Err(why.into());
        }
        cli.warnings.add(why.to_string());
        Ok(())
    }

    /// As [`KeyPolicy::judge`] for a proving key; also warns when its record of contributions shows no contribution, or when its
    /// secrets were drawn in one place.
    ///
    /// # Errors
    /// As [`KeyPolicy::judge`].
    pub(crate) fn judge_proving<E: Pairing>(
        self,
        cli: &Cli,
        path: &Path,
        file: &ZkeyFile<E>,
        key: &VerifyingKey<E>,
    ) -> Result<(), Failure> {
        self.judge(cli, path, key)?;
        let why = match file.contributions().map(|record| record.origin()) {
            Ok(Origin::Contributed(_)) => return Ok(()),
            Ok(Origin::OnePlace) => ONE_PLACE,
            Ok(Origin::Initial) => {
                "its record has no contribution: anybody can forge proofs for the key it was made with"
            }
            Err(_) => "it has no record of contributions: nobody can tell who knows its secrets",
        };
        cli.warnings.add(format!("{}: {why}", path.display()));
        Ok(())
    }
}
