//! The native module of the Python package `pairwright`. Its functions take and return bytes, numbers and handles.
//!
//! The package's Python modules wrap them in the public interface; no other code should import this module. Every function that
//! computes releases the interpreter's lock and works in a thread pool of its own process ([`work`]). Failures are those of the
//! command, raised as the classes of `pairwright._errors`.
#![forbid(unsafe_code)]

mod arrays;
mod command;
mod failure;
mod keys;
mod prove;
mod scale;
mod schemes;
mod table;
mod witness;
mod work;

/// The module that the package imports as `pairwright._native`.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::arrays::{
        MerkleTree, Points, Scalars, Target, eq_table, evaluate, merkle_leaf, merkle_verify, moduli, msm,
        ntt, pairing, poseidon, poseidon_tree, product, sumcheck_prove, sumcheck_verify,
    };
    #[pymodule_export]
    use crate::command::{call, command, isa, version};
    #[pymodule_export]
    use crate::keys::{Proof, ProvingKey, VerifyingKey};
    #[pymodule_export]
    use crate::scale::{Tasks, check_calibration, prove_by, run_job};
    #[pymodule_export]
    use crate::schemes::{
        BlobSetup, BlsSecretKey, CellSetup, bls_aggregate, bls_aggregate_verify, bls_fast_aggregate_verify,
        bls_pop_verify, bls_verify, bls_verify_many, ibe_decrypt, ibe_encrypt, ibe_extract, ibe_round,
    };
    #[pymodule_export]
    use crate::table::arrow_stream;
    #[pymodule_export]
    use crate::witness::{Calculator, Witness};
    #[pymodule_export]
    use crate::work::{set_threads, threads};
}
