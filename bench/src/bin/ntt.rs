//! Transforms over the three scalar fields beside gnark-crypto and arkworks.

use pairwright_bench::operators::ntt::{against_arkworks, against_gnark};
use pairwright_bench::{Options, Table};
use pairwright_curve::{bls12_377, bls12_381, bn254};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("ntt", &options);
    let sizes = [12, 16, 20];
    against_gnark::<bn254::Fr, ark_bn254::Fr>(&options, &mut table, &sizes);
    against_gnark::<bls12_381::Fr, ark_bls12_381::Fr>(&options, &mut table, &sizes);
    against_gnark::<bls12_377::Fr, ark_bls12_377::Fr>(&options, &mut table, &sizes);
    against_arkworks::<bn254::Fr, ark_bn254::Fr>(&options, &mut table, &sizes);
    against_arkworks::<bls12_381::Fr, ark_bls12_381::Fr>(&options, &mut table, &sizes);
    against_arkworks::<bls12_377::Fr, ark_bls12_377::Fr>(&options, &mut table, &sizes);
    table.finish(&options);
}
