//! The trait [`Gates`], which gives the commands one interface to the library's functions for Plonk and for fflonk.

use pairwright::curve::Pairing;
use pairwright::device::Session;
use pairwright::formats::plonkish::{GateKey, ZkeyFile};
use pairwright::formats::solidity::{
    ContractError, fflonk_calldata, fflonk_contract, plonk_calldata, plonk_contract,
};
use pairwright::formats::{self, FileBytes, FormatError, Secrets};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{InSubgroup, PowersOfTau, SetupError};
use pairwright::protocols::plonkish::{PlonkishKey, Prepared, ProveError, ProvingKey, Weakness};
use pairwright::protocols::r1cs::ConstraintSource;
use pairwright::protocols::{fflonk, plonk};
use rand_core::CryptoRng;
use std::io::Write;

/// A proof of a protocol.
type ProofOf<G, E> = <<G as Gates>::Key<E> as PlonkishKey<E>>::Proof;
/// A proving key of a protocol.
type ProvingKeyOf<G, E> = ProvingKey<E, <G as Gates>::Key<E>>;
/// A prepared verifying key of a protocol.
pub(super) type PreparedOf<G, E> = Prepared<E, <G as Gates>::Key<E>>;

/// Defines [`Gates`] from one row per function: its doc comment, its arguments and result, and the library's functions for Plonk and
/// for fflonk.
macro_rules! gates {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $plonk:path, $fflonk:path;)+) => {
        /// A protocol that proves tables of gates: Plonk or fflonk.
        pub(super) trait Gates: Copy + Send + Sync {
            /// Verifying keys of the protocol.
            type Key<E: Pairing>: GateKey<E, Proof: Send + Sync> + Send + Sync;

            /// Opens a proving key.
            fn zkey<E: Pairing>(self, file: FileBytes) -> Result<ZkeyFile<E, Self::Key<E>>, FormatError> {
                ZkeyFile::read(file)
            }
            $($(#[$doc])* fn $name<E: Pairing>(self, $($argument: $type),*) -> $result;)+
        }

        impl Gates for Plonk {
            type Key<E: Pairing> = plonk::VerifyingKey<E>;
            $(fn $name<E: Pairing>(self, $($argument: $type),*) -> $result {
                $plonk($($argument),*)
            })+
        }

        impl Gates for Fflonk {
            type Key<E: Pairing> = fflonk::VerifyingKey<E>;
            $(fn $name<E: Pairing>(self, $($argument: $type),*) -> $result {
                $fflonk($($argument),*)
            })+
        }
    };
}

/// Plonk, whose proofs have nine points.
#[derive(Clone, Copy)]
pub(super) struct Plonk;

/// Fflonk, whose proofs have four points, and whose polynomials are nine times as long.
#[derive(Clone, Copy)]
pub(super) struct Fflonk;

gates! {
    /// Makes a proving key with powers of a ceremony.
    setup(
        on: &mut Session<'_, E>,
        system: &dyn ConstraintSource<E::Fr>,
        powers: &dyn PowersOfTau<E>,
        rng: &mut dyn CryptoRng
    ) -> Result<ProvingKeyOf<Self, E>, SetupError> = plonk::setup, fflonk::setup;

    /// Makes a proving key with powers that are drawn on this computer.
    setup_local(
        on: &mut Session<'_, E>,
        system: &dyn ConstraintSource<E::Fr>,
        rng: &mut dyn CryptoRng
    ) -> Result<ProvingKeyOf<Self, E>, SetupError> = plonk::setup_local, fflonk::setup_local;

    /// Makes a proof of a witness.
    prove(
        on: &mut Session<'_, E>,
        key: &ProvingKeyOf<Self, E>,
        witness: &Buf<E::Fr>,
        rng: &mut dyn CryptoRng
    ) -> Result<ProofOf<Self, E>, ProveError> = plonk::prove, fflonk::prove;

    /// The number of bytes of a proof with compressed points.
    proof_bytes() -> usize = plonk::Proof::<E>::compressed_bytes, fflonk::Proof::<E>::compressed_bytes;

    /// The weakness by which anybody can forge proofs under a key, if it has one.
    weakness(key: &Self::Key<E>) -> Option<Weakness>
        = plonk::VerifyingKey::weakness, fflonk::VerifyingKey::weakness;

    /// Writes a proving key.
    write_zkey(
        out: &mut dyn Write,
        on: &mut Session<'_, E>,
        key: &ProvingKeyOf<Self, E>,
        secrets: Secrets
    ) -> Result<(), FormatError> = formats::plonk::write_zkey, formats::fflonk::write_zkey;

    /// Reads a verifying key, whose points are checked.
    read_key(file: FileBytes) -> Result<InSubgroup<Self::Key<E>>, FormatError>
        = formats::plonk::read_verifying_key, formats::fflonk::read_verifying_key;

    /// Writes a verifying key.
    write_key(out: &mut dyn Write, key: &Self::Key<E>) -> Result<(), FormatError>
        = formats::plonk::write_verifying_key, formats::fflonk::write_verifying_key;

    /// Reads a proof, whose points are checked.
    read_proof(file: FileBytes) -> Result<InSubgroup<ProofOf<Self, E>>, FormatError>
        = formats::plonk::read_proof, formats::fflonk::read_proof;

    /// Reads a proof, whose points are not checked.
    read_unchecked_proof(file: FileBytes) -> Result<ProofOf<Self, E>, FormatError>
        = formats::plonk::read_unchecked_proof, formats::fflonk::read_unchecked_proof;

    /// Writes a proof to a file.
    write_proof(out: &mut dyn Write, proof: &ProofOf<Self, E>) -> Result<(), FormatError>
        = formats::plonk::write_proof, formats::fflonk::write_proof;

    /// Prints the contract that verifies proofs for a key.
    contract(key: &InSubgroup<Self::Key<E>>) -> Result<String, ContractError> = plonk_contract, fflonk_contract;

    /// Prints the arguments of a call of that contract.
    calldata(proof: &ProofOf<Self, E>, public: &[E::Fr]) -> Result<String, ContractError>
        = plonk_calldata, fflonk_calldata;
}
