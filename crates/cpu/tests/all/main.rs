//! All integration tests of the host device in one binary, so that generic code is compiled once.

mod conformance;
mod hash_to_curve;
mod lanes;
mod msm_degenerate;
mod msm_vs_arkworks;
mod ntt_counts;
mod pairings;
mod precomputed;
mod quotient;
mod tally;
mod trees;
