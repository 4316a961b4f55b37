//! Number-theoretic transforms over the three scalar fields compared with gnark-crypto and arkworks.

use pairwright_bench::Table;
use pairwright_bench::operators::ntt::{against_arkworks, against_gnark};
use pairwright_curve::{bls12_377, bls12_381, bn254};

fn main() {
    Table::of("ntt", |options, table| {
        let sizes = [12, 16, 20];
        against_gnark::<bn254::Fr, ark_bn254::Fr>(options, table, &sizes);
        against_gnark::<bls12_381::Fr, ark_bls12_381::Fr>(options, table, &sizes);
        against_gnark::<bls12_377::Fr, ark_bls12_377::Fr>(options, table, &sizes);
        against_arkworks::<bn254::Fr, ark_bn254::Fr>(options, table, &sizes);
        against_arkworks::<bls12_381::Fr, ark_bls12_381::Fr>(options, table, &sizes);
        against_arkworks::<bls12_377::Fr, ark_bls12_377::Fr>(options, table, &sizes);
    });
}
