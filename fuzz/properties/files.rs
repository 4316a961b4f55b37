//! The property of arbitrary bytes as a file: every decoder accepts them or refuses them with an error that names the file, and none
//! panics.
#![allow(dead_code, unreachable_pub)]

use pairwright_curve::bls12_381::{self, Bls12_381};
use pairwright_curve::bn254::{self, Bn254};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::PrimeField;
use pairwright_formats::{
    FileBytes, FormatError, MpcParameters, PtauFile, R1csFile, WtnsFile, ZkeyFile, fflonk, inspect_bytes,
    plonk, probe, read_proof, read_public, read_verifying_key,
};
use pairwright_poly::{Source, SourceError};
use pairwright_protocols::groth16::PowersOfTau;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// A decoder that reads a whole file.
type Reader = fn(FileBytes) -> Result<(), FormatError>;

/// All decoders of files, on the curves that snarkjs supports.
const READERS: [Reader; 20] = [
    r1cs::<bn254::Fr>,
    r1cs::<bls12_381::Fr>,
    wtns::<bn254::Fr>,
    wtns::<bls12_381::Fr>,
    zkey::<Bn254>,
    zkey::<Bls12_381>,
    plonk_zkey::<Bn254>,
    plonk_zkey::<Bls12_381>,
    fflonk_zkey::<Bn254>,
    ptau::<Bn254>,
    ptau::<Bls12_381>,
    vk::<Bn254>,
    vk::<Bls12_381>,
    plonk_vk::<Bn254>,
    fflonk_vk::<Bn254>,
    proof::<Bn254>,
    proof::<Bls12_381>,
    plonk_proof::<Bn254>,
    fflonk_proof::<Bn254>,
    public::<bn254::Fr>,
];

/// Passes bytes to all decoders and returns the number of those that accept them.
pub fn files(data: &[u8]) -> usize {
    let file = FileBytes::from_vec("fuzz", data.to_vec());
    let named = |why: FormatError| assert!(why.to_string().contains("fuzz"), "{why}");
    let _ = probe(&file).map_err(named).map(|_| inspect_bytes(&file).map_err(named));
    READERS.iter().filter(|read| read(file.clone()).map_err(named).is_ok()).count()
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(1)
}

fn inner(error: SourceError) -> FormatError {
    *error.0.downcast::<FormatError>().expect("sources of files fail with errors of files")
}

fn points<C: Curve>(source: &dyn Source<Affine<C>>) -> Result<(), FormatError> {
    source.read(0..source.len(), &mut Vec::new()).map_err(inner)
}

pub fn r1cs<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    R1csFile::<F>::read(file)?.check()
}
pub fn wtns<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    WtnsFile::<F>::read(file)?.witness().map(drop)
}
/// The fast load of a Groth16 key, and the decoding of every element as a prover does it.
pub fn zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    let zkey = ZkeyFile::<E>::read(file)?;
    let key = zkey.proving_key()?;
    points(key.a.as_ref())?;
    points(key.b_g1.as_ref())?;
    points(key.b_g2.as_ref())?;
    points(key.c.as_ref())?;
    points(key.h.as_ref())?;
    key.coefficients.read(0..key.coefficients.len(), &mut |_| {}).map_err(inner)?;
    zkey.contributions().map(drop)
}
pub fn zkey_checked<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng()).map(drop)
}
pub fn zkey_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    ZkeyFile::<E>::read(file)?.verifying_key().map(drop)
}
pub fn ptau<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    let ptau = PtauFile::<E>::read(file)?;
    points(ptau.tau_g1())?;
    points(ptau.tau_g2())?;
    points(ptau.alpha_tau_g1())?;
    points(ptau.beta_tau_g1())?;
    let Some(lagrange) = ptau.lagrange() else { return Ok(()) };
    points(lagrange.tau_g1)?;
    points(lagrange.tau_g2)?;
    points(lagrange.alpha_tau_g1)?;
    points(lagrange.beta_tau_g1)
}
pub fn ptau_checked<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    PtauFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng()).map(drop)
}
pub fn mpc_parameters<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    MpcParameters::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng())
}
pub fn vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    read_verifying_key::<E>(file).map(drop)
}
pub fn proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    read_proof::<E>(file).map(drop)
}
/// Checks all parts of a Plonk key that a prover reads, including its points.
pub fn plonk_zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng()).map(drop)
}
pub fn plonk_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::read_verifying_key::<E>(file).map(drop)
}
pub fn plonk_proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::read_proof::<E>(file).map(drop)
}
/// Checks all parts of a fflonk key that a prover reads, including its points.
pub fn fflonk_zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng()).map(drop)
}
pub fn fflonk_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::read_verifying_key::<E>(file).map(drop)
}
pub fn fflonk_proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::read_proof::<E>(file).map(drop)
}
pub fn public<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    read_public::<F>(file).map(drop)
}
