//! Schemes on pairings: BBS signatures of 16 messages compared with zkryptium, inner products of 64 entries, and timelock decryption of
//! 100 MB compared with its cipher.

use pairwright_bench::operators::{schemes, timelock};
use pairwright_bench::{Options, Table};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("schemes", &options);
    schemes::against_zkryptium(&options, &mut table);
    schemes::inner_products(&options, &mut table);
    timelock::against_its_cipher(&options, &mut table);
    table.finish(&options);
}
