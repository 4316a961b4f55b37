//! Multi-scalar multiplication compared with gnark-crypto, arkworks, blst and halo2curves, and with precomputed multiples compared with
//! the same without them.

use pairwright_bench::Table;
use pairwright_bench::operators::msm::{
    against_arkworks, against_blst, against_gnark, against_halo2curves, with_multiples,
};
use pairwright_curve::{bls12_377, bls12_381, bn254};

fn main() {
    Table::of("msm", |options, table| {
        let g1 = [8, 12, 16, 20];
        let g2 = [8, 12, 16, 18];
        against_gnark::<bn254::G1>(options, table, &g1);
        against_gnark::<bls12_381::G1>(options, table, &g1);
        against_gnark::<bls12_377::G1>(options, table, &g1);
        against_gnark::<bn254::G2>(options, table, &g2);
        against_gnark::<bls12_381::G2>(options, table, &g2);
        against_gnark::<bls12_377::G2>(options, table, &g2);
        against_arkworks::<bn254::G1, ark_bn254::g1::Config>(options, table, &g1);
        against_arkworks::<bls12_381::G1, ark_bls12_381::g1::Config>(options, table, &g1);
        against_arkworks::<bls12_377::G1, ark_bls12_377::g1::Config>(options, table, &g1);
        against_arkworks::<bn254::G2, ark_bn254::g2::Config>(options, table, &g2);
        against_arkworks::<bls12_381::G2, ark_bls12_381::g2::Config>(options, table, &g2);
        against_arkworks::<bls12_377::G2, ark_bls12_377::g2::Config>(options, table, &g2);
        against_blst(options, table, &[12, 16, 20]);
        against_halo2curves(options, table, &[12, 16, 18]);
        with_multiples::<bn254::G1>(options, table, &[12, 14, 16, 17], &[4, 16]);
        with_multiples::<bn254::G2>(options, table, &[12, 14, 16], &[4, 16]);
        with_multiples::<bls12_381::G1>(options, table, &[12, 14, 16, 17], &[4, 16]);
        with_multiples::<bls12_381::G2>(options, table, &[12, 14, 16], &[4, 16]);
    });
}
