//! Results and contributors that the commands on ceremonies share.

use crate::args::{ByBeacon, ByName, Cli};
use crate::failure::{ArgumentError, Failure};
use crate::{output, randomness};
use pairwright::formats::{Beacon, Contributor, KeyContribution, from_hex, to_hex};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// The command's result for powers that were written.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) curve: &'static str,
    pub(super) power: u32,
    /// The hash of the contribution, which the contributor publishes; `None` for the first powers of a ceremony.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// The hash that the next contribution begins with.
    pub(super) next_challenge: String,
    pub(super) seconds: f64,
}

/// The command's result for a contribution to a key, in either form of the key.
#[derive(Serialize)]
struct Contributed {
    curve: &'static str,
    contributions: usize,
    /// The hash of the contribution, which the contributor publishes.
    hash: String,
    seconds: f64,
}

/// Prints that a key has one more contribution, its hash and the number of contributions.
pub(super) fn print_contributed(
    cli: &Cli,
    path: &Path,
    curve: &'static str,
    (contributions, made): (usize, &KeyContribution),
    start: Instant,
) -> Result<(), Failure> {
    let (hash, seconds) = (to_hex(&made.hash), start.elapsed().as_secs_f64());
    output::print_done(cli, &Contributed { curve, contributions, hash, seconds }, |d| {
        format!(
            "{}: contributed to a key on {}, in {}\ncontribution {}: {}",
            path.display(),
            d.curve,
            output::seconds(d.seconds),
            d.contributions,
            d.hash
        )
    })
}

/// A contributor without a name, whose secrets are drawn from the system's randomness and this text.
pub(super) fn nameless(entropy: &str) -> Result<Contributor, Failure> {
    Ok(Contributor::Secret { name: String::new(), seed: randomness::mixed(entropy)? })
}

impl ByName {
    pub(super) fn contributor(&self) -> Result<Contributor, Failure> {
        Ok(Contributor::Secret { name: self.name.clone(), seed: randomness::mixed(&self.entropy)? })
    }
}

impl ByBeacon {
    pub(super) fn contributor(&self) -> Result<Contributor, Failure> {
        let value = from_hex(&self.value).ok_or(ArgumentError::BeaconHex)?;
        let beacon = Beacon::new(value, self.log_hashes).map_err(Failure::bad)?;
        Ok(Contributor::Beacon { name: self.name.clone(), beacon })
    }
}
