//! All integration tests in one binary, so that generic code is compiled once.

mod bls12_377_edwards_vs_arkworks;
mod bls12_381_vs_blst;
mod bn254_vs_halo2curves;
mod common;
mod encodings_vs_arkworks;
mod fields_vs_arkworks;
mod glv;
mod groups_vs_arkworks;
mod hash_to_curve;
mod hash_to_curve_vs_arkworks;
mod hash_to_curve_vs_blst;
mod jubjub_vs_arkworks;
mod known_answers;
mod multiples;
mod pairing_vs_arkworks;
mod subgroups;
mod tiny;
