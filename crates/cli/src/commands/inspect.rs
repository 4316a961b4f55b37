//! Runs `pairwright inspect`, which says what a file is.

use crate::args::{Cli, Inspect};
use crate::failure::Failure;
use crate::output;
use pairwright::formats::inspect;

/// Says what a file is.
pub(crate) fn run(cli: &Cli, args: &Inspect) -> Result<(), Failure> {
    let about = inspect(&args.file)?;
    output::print(cli.json, &about, ToString::to_string)
}
