//! Verification: of Groth16 proofs beside gnark and arkworks, of BLS signatures beside blst; one, and many together.

use pairwright_bench::operators::{signatures, verification};
use pairwright_bench::{Options, Table};
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("verify", &options);
    verification::against_gnark::<Bn254>(&options, &mut table);
    verification::against_gnark::<Bls12_381>(&options, &mut table);
    verification::against_gnark::<Bls12_377>(&options, &mut table);
    {
        use ark_bn254::{Bn254 as Ark, g1, g2};
        verification::against_arkworks::<Bn254, Ark, g1::Config, g2::Config>(&options, &mut table);
    }
    {
        use ark_bls12_381::{Bls12_381 as Ark, g1, g2};
        verification::against_arkworks::<Bls12_381, Ark, g1::Config, g2::Config>(&options, &mut table);
    }
    {
        use ark_bls12_377::{Bls12_377 as Ark, g1, g2};
        verification::against_arkworks::<Bls12_377, Ark, g1::Config, g2::Config>(&options, &mut table);
    }
    signatures::against_blst(&options, &mut table);
    table.finish(&options);
}
