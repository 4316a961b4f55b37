//! Verification of single Groth16 proofs and of many together, compared with gnark and arkworks, and of BLS signatures, compared with
//! blst.

use pairwright_bench::Table;
use pairwright_bench::operators::{signatures, verification};
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};

fn main() {
    Table::of("verify", |options, table| {
        verification::against_gnark::<Bn254>(options, table);
        verification::against_gnark::<Bls12_381>(options, table);
        verification::against_gnark::<Bls12_377>(options, table);
        verification::against_arkworks::<Bn254, ark_bn254::Bn254>(options, table);
        verification::against_arkworks::<Bls12_381, ark_bls12_381::Bls12_381>(options, table);
        verification::against_arkworks::<Bls12_377, ark_bls12_377::Bls12_377>(options, table);
        signatures::against_blst(options, table);
    });
}
