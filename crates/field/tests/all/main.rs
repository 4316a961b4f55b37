//! All integration tests in one binary, so that generic code is compiled once.

mod batch_ct_random;
mod common;
mod fp_vs_num_bigint;
mod portable;
mod small_fields;
