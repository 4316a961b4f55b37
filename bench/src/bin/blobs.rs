//! Ethereum's blobs and their cells beside c-kzg.

use pairwright_bench::operators::blobs::against_c_kzg;
use pairwright_bench::{Options, Table};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("blobs", &options);
    against_c_kzg(&options, &mut table);
    table.finish(&options);
}
