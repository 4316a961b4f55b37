//! Proofs of circom circuits by whole processes, compared with snarkjs.
//!
//!     processes [--circuit FILE.r1cs]... [--save] [FILTER]
//!
//! The circuit's `.wasm` and `.input.json`, or `input.json`, are next to it. The command has to be built before:
//! `cargo build --release -p pairwright-cli`.

use pairwright_bench::operators::processes::against_snarkjs;
use pairwright_bench::{Options, Table};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("processes", &options);
    against_snarkjs(&options, &mut table);
    table.finish(&options);
}
