//! Everything that is tested from outside, in one binary: what the files below instantiate is built once.

mod batch_ct_random;
mod common;
mod fp_vs_num_bigint;
mod portable;
mod small_fields;
