//! Pairings, alone and in products, beside gnark-crypto, arkworks and blst.

use pairwright_bench::operators::pairing::{against_arkworks, against_blst, against_gnark};
use pairwright_bench::{Options, Table};
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("pairing", &options);
    use ark_bls12_377 as b377;
    use ark_bls12_381 as b381;
    use ark_bn254 as b254;
    against_gnark::<Bn254>(&options, &mut table);
    against_gnark::<Bls12_381>(&options, &mut table);
    against_gnark::<Bls12_377>(&options, &mut table);
    against_arkworks::<Bn254, b254::Bn254, b254::g1::Config, b254::g2::Config>(&options, &mut table);
    against_arkworks::<Bls12_381, b381::Bls12_381, b381::g1::Config, b381::g2::Config>(&options, &mut table);
    against_arkworks::<Bls12_377, b377::Bls12_377, b377::g1::Config, b377::g2::Config>(&options, &mut table);
    against_blst(&options, &mut table);
    table.finish(&options);
}
