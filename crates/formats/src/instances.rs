//! Instantiates the generic readers and writers for all supported curves in this crate, so that tests in other crates need not
//! compile them again.

use crate::{
    MpcParameters, PowersRecord, PtauFile, R1csFile, VerifiedKey, VerifyKeyError, WtnsFile, ZkeyFile, fflonk,
    plonk, solidity,
};
use core::hint::black_box;
use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_protocols::r1cs::ConstraintSource;
use rand_core::CryptoRng;
use std::fs::File;
use std::io::Write;

type Rng<'a> = &'a mut dyn CryptoRng;
type Done<'a> = &'a mut dyn FnMut(u64);
type Out<'a> = &'a mut dyn Write;

/// Readers and writers of circuits, witnesses and public values.
fn circuits<E: Pairing>() {
    black_box((
        R1csFile::<E::Fr>::read as fn(_) -> _,
        R1csFile::<E::Fr>::check as fn(&_) -> _,
        crate::write_r1cs::<E::Fr> as fn(Out<'_>, &dyn ConstraintSource<E::Fr>) -> _,
        crate::write_r1cs_json::<E::Fr> as fn(Out<'_>, &_) -> _,
        WtnsFile::<E::Fr>::read as fn(_) -> _,
        WtnsFile::<E::Fr>::witness as fn(&_) -> _,
        crate::write_wtns::<E::Fr> as fn(Out<'_>, &_) -> _,
        crate::write_wtns_json::<E::Fr> as fn(Out<'_>, &_) -> _,
        crate::read_public::<E::Fr> as fn(_) -> _,
        crate::read_public_of::<E::Fr> as fn(_, _) -> _,
        crate::write_public::<E::Fr> as fn(Out<'_>, &_) -> _,
    ));
}
compile_for_each_curve!(circuits);

/// Readers and writers of Groth16 keys and proofs.
fn groth16<E: Pairing>() {
    black_box((
        ZkeyFile::<E>::read as fn(_) -> _,
        ZkeyFile::<E>::check as fn(&_, &mut _, Rng<'_>) -> _,
        ZkeyFile::<E>::proving_key as fn(&_) -> _,
        ZkeyFile::<E>::verifying_key as fn(&_) -> _,
        crate::write_zkey::<E> as fn(Out<'_>, &_, &_) -> _,
        crate::write_local_zkey::<E> as fn(Out<'_>, &mut _, &dyn ConstraintSource<E::Fr>, &_) -> _,
        crate::write_zkey_json::<E> as fn(Out<'_>, &_) -> _,
        crate::read_proof::<E> as fn(_) -> _,
        crate::read_unchecked_proof::<E> as fn(_) -> _,
        crate::read_verifying_key::<E> as fn(_) -> _,
        crate::write_proof::<E> as fn(Out<'_>, &_) -> _,
        crate::write_verifying_key::<E> as fn(Out<'_>, &_) -> _,
    ));
}
compile_for_each_curve!(groth16);

/// Readers and writers of powers of tau.
fn powers<E: Pairing>() {
    black_box((
        PtauFile::<E>::read as fn(_) -> _,
        PtauFile::<E>::check as fn(&_, &mut _, Rng<'_>) -> _,
        PowersRecord::<E>::read as fn(_) -> _,
        crate::new_powers::<E> as fn(Out<'_>, _) -> _,
        crate::contribute_to_powers::<E, File> as fn(&mut _, Out<'_>, &mut _, &_, &_, Rng<'_>) -> _,
        crate::write_challenge::<E> as fn(Out<'_>, &_, Done<'_>) -> _,
        crate::answer_challenge::<E> as fn(&mut _, Out<'_>, &_, &_, Rng<'_>) -> _,
        crate::read_response::<E> as fn(&mut _, &_, &_, _, &_, Rng<'_>) -> _,
        crate::import_response::<E> as fn(Out<'_>, &_, _, Done<'_>) -> _,
        crate::prepare_ptau::<E> as fn(&mut _, Out<'_>, &_, Done<'_>) -> _,
        crate::truncate_ptau::<E> as fn(Out<'_>, &_, _) -> _,
        crate::verify_powers::<E> as fn(&mut _, &_, Rng<'_>, Done<'_>) -> _,
        crate::write_ptau_json::<E> as fn(Out<'_>, &_) -> _,
    ));
}
compile_for_each_curve!(powers);

/// Ceremonies of Groth16 keys, in the forms of snarkjs and of bellman.
fn ceremonies<E: Pairing>() {
    type Verdict = Result<VerifiedKey, VerifyKeyError>;
    black_box((
        crate::setup_with_ptau::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, &_, &_, Rng<'_>) -> _,
        crate::write_first_zkey::<E> as fn(Out<'_>, &mut _, &dyn ConstraintSource<E::Fr>, _) -> _,
        crate::write_with_contribution::<E> as fn(Out<'_>, &mut _, &_, &_, Rng<'_>) -> _,
        crate::contribute_to_key::<E> as fn(&mut _, &_, &_, Rng<'_>) -> _,
        crate::verify_key::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, &_, &_, Rng<'_>) -> Verdict,
        crate::verify_key_from_first::<E> as fn(&mut _, &_, &_, &_, Rng<'_>) -> _,
        MpcParameters::<E>::read as fn(_) -> _,
        MpcParameters::<E>::check as fn(&_, &mut _, Rng<'_>) -> _,
        crate::write_mpc_parameters::<E> as fn(&mut _, Out<'_>, &_, Rng<'_>, Done<'_>) -> _,
        crate::contribute_to_mpc_parameters::<E> as fn(&mut _, Out<'_>, &_, &_, Rng<'_>) -> _,
        crate::import_mpc_parameters::<E> as fn(&mut _, &_, &_, &_, Rng<'_>, Done<'_>) -> _,
    ));
}
compile_for_each_curve!(ceremonies);

/// Readers and writers of Plonk and fflonk keys and proofs.
fn plonkish<E: Pairing>() {
    black_box((
        plonk::ZkeyFile::<E>::read as fn(_) -> _,
        plonk::ZkeyFile::<E>::check as fn(&_, &mut _, Rng<'_>) -> _,
        plonk::ZkeyFile::<E>::verifying_key as fn(&_) -> _,
        plonk::write_zkey::<E> as fn(Out<'_>, &mut _, &_, _) -> _,
        plonk::read_proof::<E> as fn(_) -> _,
        plonk::read_verifying_key::<E> as fn(_) -> _,
        plonk::write_proof::<E> as fn(Out<'_>, &_) -> _,
        plonk::write_verifying_key::<E> as fn(Out<'_>, &_) -> _,
    ));
    black_box((
        fflonk::ZkeyFile::<E>::read as fn(_) -> _,
        fflonk::ZkeyFile::<E>::check as fn(&_, &mut _, Rng<'_>) -> _,
        fflonk::ZkeyFile::<E>::verifying_key as fn(&_) -> _,
        fflonk::write_zkey::<E> as fn(Out<'_>, &mut _, &_, _) -> _,
        fflonk::read_proof::<E> as fn(_) -> _,
        fflonk::read_verifying_key::<E> as fn(_) -> _,
        fflonk::write_proof::<E> as fn(Out<'_>, &_) -> _,
        fflonk::write_verifying_key::<E> as fn(Out<'_>, &_) -> _,
    ));
}
compile_for_each_curve!(plonkish);

/// Solidity verifier contracts and the arguments of their calls.
fn contracts<E: Pairing>() {
    black_box((
        solidity::groth16_contract::<E> as fn(&_) -> _,
        solidity::groth16_calldata::<E> as fn(&_, &_) -> _,
        solidity::plonk_contract::<E> as fn(&_) -> _,
        solidity::plonk_calldata::<E> as fn(&_, &_) -> _,
        solidity::fflonk_contract::<E> as fn(&_) -> _,
        solidity::fflonk_calldata::<E> as fn(&_, &_) -> _,
    ));
}
compile_for_each_curve!(contracts);
