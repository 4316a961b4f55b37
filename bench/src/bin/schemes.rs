//! Schemes on pairings: BBS signatures of 16 messages beside zkryptium, inner products of 64 entries.

use pairwright_bench::operators::schemes;
use pairwright_bench::{Options, Table};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("schemes", &options);
    schemes::against_zkryptium(&options, &mut table);
    schemes::inner_products(&options, &mut table);
    table.finish(&options);
}
