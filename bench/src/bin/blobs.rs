//! Ethereum's blobs and their cells compared with c-kzg.

use pairwright_bench::Table;
use pairwright_bench::operators::blobs::against_c_kzg;

fn main() {
    Table::of("blobs", |options, table| {
        against_c_kzg(options, table);
    });
}
