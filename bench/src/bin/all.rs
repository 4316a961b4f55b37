//! The table of the operators of which proofs consist, each compared with its fastest peers, with the share of the bound.

use pairwright_bench::operators::{groth16, msm, ntt, pairing, processes, signatures, verification};
use pairwright_bench::{Options, Table};
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_curve::{bls12_377, bls12_381, bn254};

fn main() {
    Table::of("all", |options, table| {
        let sizes = [16, 18, 20];
        msm::against_gnark::<bn254::G1>(options, table, &sizes);
        msm::against_gnark::<bls12_381::G1>(options, table, &sizes);
        msm::against_blst(options, table, &sizes);
        msm::against_gnark::<bls12_377::G1>(options, table, &sizes);
        msm::against_gnark::<bn254::G2>(options, table, &sizes[..2]);
        msm::against_gnark::<bls12_381::G2>(options, table, &sizes[..2]);
        msm::against_gnark::<bls12_377::G2>(options, table, &sizes[..2]);
        let sizes = [16, 18, 20, 22];
        ntt::against_gnark::<bn254::Fr, ark_bn254::Fr>(options, table, &sizes);
        ntt::against_gnark::<bls12_381::Fr, ark_bls12_381::Fr>(options, table, &sizes);
        ntt::against_gnark::<bls12_377::Fr, ark_bls12_377::Fr>(options, table, &sizes);
        pairing::against_gnark::<bn254::Bn254>(options, table);
        pairing::against_gnark::<bls12_381::Bls12_381>(options, table);
        pairing::against_blst(options, table);
        pairing::against_gnark::<bls12_377::Bls12_377>(options, table);
        signatures::against_blst(options, table);
        verification::against_gnark::<bn254::Bn254>(options, table);
        verification::against_arkworks::<bn254::Bn254, ark_bn254::Bn254>(options, table);
        verification::against_gnark::<bls12_381::Bls12_381>(options, table);
        verification::against_arkworks::<bls12_381::Bls12_381, ark_bls12_381::Bls12_381>(options, table);
        proved::<bn254::Bn254>(options, table);
        proved::<bls12_381::Bls12_381>(options, table);
        processes::against_snarkjs(options, table);
    });
}

fn proved<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if !groth16::wanted::<E>(options) {
        return;
    }
    for log in options.sizes_or(&[16, 18]) {
        groth16::Statement::<E>::new(log).against_gnark(options, table);
    }
}
