//! Keys that prove nothing: refused where they are read, unless they are asked for.

use crate::args::{Cli, KeyPolicy};
use crate::failure::{ArgumentError, Failure};
use pairwright::curve::Pairing;
use pairwright::formats::{FormatError, Origin, Secrets, ZkeyFile};
use pairwright::protocols::groth16::VerifyingKey;
use pairwright::protocols::plonk::Weakness;
use std::path::Path;

/// What is said of a key whose maker has known its secrets.
const ONE_PLACE: &str =
    "its secrets were drawn in one place, as setup --unsafe-local does: who drew them can forge proofs";

/// Warns of a key of Plonk or fflonk whose file says that τ was drawn in one place.
pub(crate) fn warn_of_secrets(cli: &Cli, path: &Path, secrets: Secrets) {
    if secrets == Secrets::OnePlace {
        cli.warnings.add(format!("{}: {ONE_PLACE}", path.display()));
    }
}

impl KeyPolicy {
    /// Refuses a key for which anybody can forge proofs, or warns of it; warns of public values that are bound to nothing.
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

    /// Refuses a key of Plonk or fflonk for which anybody can forge proofs, or warns of it.
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

    /// Warns of a verification key whose points are not what they should be, where a file is only looked at; refuses one whose points
    /// are infinite.
    ///
    /// # Errors
    /// What was wrong with such a key.
    pub(crate) fn doubt(self, cli: &Cli, why: FormatError) -> Result<(), Failure> {
        if matches!(why, FormatError::Infinity { .. }) && !self.allow_unsafe_key {
            return Err(why.into());
        }
        cli.warnings.add(why.to_string());
        Ok(())
    }

    /// [`KeyPolicy::judge`] for a proving key, whose record says where its secrets come from.
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
