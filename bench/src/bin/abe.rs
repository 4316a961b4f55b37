//! Attribute-based encryption beside CIRCL.

use pairwright_bench::operators::abe::against_circl;
use pairwright_bench::{Options, Table};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("abe", &options);
    against_circl(&options, &mut table);
    table.finish(&options);
}
