//! Single pairings and products of pairings compared with gnark-crypto, arkworks and blst.

use pairwright_bench::Table;
use pairwright_bench::operators::pairing::{against_arkworks, against_blst, against_gnark};
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};

fn main() {
    Table::of("pairing", |options, table| {
        against_gnark::<Bn254>(options, table);
        against_gnark::<Bls12_381>(options, table);
        against_gnark::<Bls12_377>(options, table);
        against_arkworks::<Bn254, ark_bn254::Bn254>(options, table);
        against_arkworks::<Bls12_381, ark_bls12_381::Bls12_381>(options, table);
        against_arkworks::<Bls12_377, ark_bls12_377::Bls12_377>(options, table);
        against_blst(options, table);
    });
}
