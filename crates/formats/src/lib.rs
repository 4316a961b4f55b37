//! Readers and writers for files of zero-knowledge proofs and signatures. For circom and snarkjs: `.r1cs`, `.sym`, `.wtns`,
//! `.zkey` (Groth16, Plonk, fflonk), `.ptau`, bellman's `.mpcparams`, the JSON of keys, proofs and public values, and Solidity
//! contracts that verify proofs ([`solidity`]). For BLS signatures: documents of keys and signatures ([`bls`]) and keystores
//! for secret keys ([`keystore`]). For Ethereum: calls of precompiled contracts ([`precompile`]). For timelock encryption:
//! files encrypted with age ([`AgeFile`], [`encrypt_age`]) and the documents of drand's chains ([`ChainInfo`]).
//!
//! Files are memory-mapped and read on demand: opening one reads its header and its list of sections. Every byte is untrusted:
//! a count in a header is compared with the length of the file before memory is allocated for it, and no slice is indexed
//! without a check. Errors are values of [`FormatError`], which state file, section, offset, and the expected and the found
//! contents. [`probe`] tells the kind of a file and its curve.
#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), deny(clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::expect_used))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::iter_over_hash_type, clippy::panic))]
#![cfg_attr(not(test), deny(clippy::string_slice, clippy::unreachable, clippy::unwrap_used))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod age;
#[cfg(feature = "std")]
mod atomic;
#[cfg(feature = "std")]
pub mod bls;
mod bytes;
#[cfg(feature = "std")]
mod ceremony;
#[cfg(feature = "std")]
mod container;
mod curve_id;
#[cfg(feature = "std")]
mod drand;
mod error;
pub mod fflonk;
mod hexadecimal;
#[cfg(feature = "std")]
mod inspect;
#[cfg(feature = "std")]
mod instances;
mod json;
#[cfg(feature = "std")]
pub mod keystore;
#[cfg(feature = "std")]
mod map;
mod name;
mod place;
pub mod plonk;
#[cfg(feature = "std")]
pub mod plonkish;
#[cfg(feature = "std")]
mod points;
#[cfg(feature = "std")]
pub mod precompile;
#[cfg(feature = "std")]
mod primes;
#[cfg(feature = "std")]
mod probe;
#[cfg(feature = "std")]
mod ptau;
#[cfg(feature = "std")]
mod r1cs;
mod roots;
mod sizes;
pub mod solidity;
#[cfg(feature = "std")]
mod stored;
#[cfg(feature = "std")]
mod stream;
#[cfg(feature = "std")]
mod subgroup;
#[cfg(feature = "std")]
mod sym;
#[cfg(feature = "std")]
mod trusted_setup;
#[cfg(feature = "std")]
mod window;
#[cfg(feature = "std")]
mod wtns;
#[cfg(feature = "std")]
mod zkey;

#[cfg(feature = "std")]
pub use age::{AgeError, AgeFile, AgeForm, FILE_KEY, FileKey, MOST_HEADER, Stanza, encrypt_age, file_key};
#[cfg(feature = "std")]
pub use atomic::{remove_unfinished, write_atomically, write_private};
pub use bytes::FileBytes;
#[cfg(feature = "std")]
pub use ceremony::{Beacon, BeaconError, Contributor, challenge_point_vartime};
#[cfg(feature = "std")]
pub use container::Section;
pub use curve_id::CurveId;
#[cfg(feature = "std")]
pub use drand::{ChainInfo, DrandBeacon, DrandError, DrandScheme};
pub use error::FormatError;
pub use hexadecimal::to_hex;
#[cfg(feature = "std")]
pub use hexadecimal::{from_hex, secret_from_hex, secret_to_hex};
#[cfg(feature = "std")]
pub use inspect::{Inspection, SectionInfo, inspect, inspect_bytes};
pub use json::{read_proof, read_public, read_public_of, read_unchecked_proof, read_verifying_key};
#[cfg(feature = "std")]
pub use json::{
    write_proof, write_ptau_json, write_public, write_r1cs_json, write_verifying_key, write_wtns_json,
    write_zkey_json,
};
pub use name::FileName;
pub use place::{FilePlace, Spot};
#[cfg(feature = "std")]
pub use points::PointSource;
#[cfg(feature = "std")]
pub use probe::{FileKind, Probe, probe};
#[cfg(feature = "std")]
pub use ptau::{
    Imported, PowersContribution, PowersRecord, PowersResponse, PtauFile, VerifiedPowers, VerifyPowersError,
    answer_challenge, contribute_to_powers, import_response, new_powers, power_of_challenge,
    preparation_work, prepare_ptau, read_response, truncate_ptau, verification_work, verify_powers,
    write_challenge, write_ptau,
};
#[cfg(feature = "std")]
pub use r1cs::{R1csFile, write_r1cs};
#[cfg(feature = "std")]
pub use stored::{
    ReadAt, decode_entries, decode_points, decode_value, encode_point, stored_entry_bytes, stored_point_bytes,
};
#[cfg(feature = "std")]
pub use sym::{SymFile, Symbol};
#[cfg(feature = "std")]
pub use trusted_setup::{CellPoints, TrustedSetup, read_cell_points, read_trusted_setup};
#[cfg(feature = "std")]
pub use wtns::{WtnsFile, write_wtns};
#[cfg(feature = "std")]
pub use zkey::{
    CeremonyError, CheckReport, CoefficientSource, Contributions, ImportedKey, KeyContribution,
    MpcParameters, Origin, Secrets, SectionCheck, VerifiedKey, VerifyKeyError, ZkeyFile, circuit_hash,
    contribute_to_key, contribute_to_mpc_parameters, first_key, import_mpc_parameters, setup_with_ptau,
    verify_key, verify_key_from_first, write_first_zkey, write_imported_zkey, write_local_zkey,
    write_mpc_parameters, write_with_contribution, write_zkey, written_mpc_work,
};
