//! Readers and writers for the files of circom and snarkjs: `.r1cs`, `.sym`, `.wtns`, `.zkey` (Groth16), `.ptau`, and the
//! JSON of keys, proofs and public values.
//!
//! Files are mapped and read on demand: opening one costs its header and its list of sections. Every byte is
//! untrusted. Nothing is allocated on the word of a header before the file's length has been compared with it,
//! nothing is indexed unchecked, and what is wrong comes back as one [`FormatError`] that names file, section,
//! offset, what was expected and what was found. [`probe`] says what a file is and which curve it is for.
#![deny(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::iter_over_hash_type,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod atomic;
mod container;
mod curve_id;
mod error;
mod inspect;
mod json;
mod map;
mod points;
mod probe;
mod ptau;
mod r1cs;
mod stream;
mod subgroup;
mod sym;
mod wtns;
mod zkey;

pub use atomic::{remove_unfinished, write_atomically, write_private};
pub use container::Section;
pub use curve_id::CurveId;
pub use error::{FilePlace, FormatError, Spot};
pub use inspect::{Inspection, SectionInfo, inspect, inspect_bytes};
pub use json::{
    read_proof, read_public, read_public_of, read_verifying_key, write_proof, write_public,
    write_verifying_key,
};
pub use map::FileBytes;
pub use points::PointSource;
pub use probe::{FileKind, Probe, probe};
pub use ptau::{PtauFile, write_ptau};
pub use r1cs::{R1csFile, write_r1cs};
pub use sym::{SymFile, Symbol};
pub use wtns::{WtnsFile, write_wtns};
pub use zkey::{
    CeremonyError, CheckReport, CoefficientSource, Contributions, Origin, SectionCheck, ZkeyFile,
    challenge_point_vartime, circuit_hash, setup_with_ptau, write_zkey,
};
