//! Attribute-based encryption compared with CIRCL.

use pairwright_bench::Table;
use pairwright_bench::operators::abe::against_circl;

fn main() {
    Table::of("abe", |options, table| {
        against_circl(options, table);
    });
}
