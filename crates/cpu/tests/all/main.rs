//! The host device from outside, in one binary, so that what the tests instantiate is built once.

mod conformance;
mod hash_to_curve;
mod lanes;
mod msm_vs_arkworks;
mod ntt_counts;
mod pairings;
mod quotient;
mod tally;
mod trees;
