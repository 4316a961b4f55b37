//! The arguments of a call of a verifier contract, as text.

use super::template::{hex, words_of};
use super::{ContractError, Precompiles};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_field::PrimeField;
use pairwright_protocols::{fflonk, groth16, plonk};

/// The arguments of `verifyProof` of a Groth16 contract: words in hexadecimal, in the lists that the function takes.
///
/// On BN254 the text is that of snarkjs, spaces included: `["ax", "ay"],[["bx1", "bx0"],["by1", "by0"]],["cx", "cy"],["x0","x1"]`.
/// On BLS12-381 the lists of a, b and c have 4, 8 and 4 words.
///
/// # Errors
/// When the curve has no precompiles.
#[inline(never)]
pub fn groth16_calldata<E: Pairing>(
    proof: &groth16::Proof<E>,
    public: &[E::Fr],
) -> Result<String, ContractError> {
    let precompiles = Precompiles::of::<E>()?;
    let [a, b, c] = [precompiles.hex(&proof.a), precompiles.hex(&proof.b), precompiles.hex(&proof.c)];
    let public = values(public);
    Ok(match precompiles {
        Precompiles::Bn254 => {
            let b: Vec<String> = b.chunks(2).map(|pair| list(pair, ", ")).collect();
            format!("{},[{}],{},{public}", list(&a, ", "), b.join(","), list(&c, ", "))
        }
        Precompiles::Bls12_381 => format!("{},{},{},{public}", list(&a, ","), list(&b, ","), list(&c, ",")),
    })
}

/// The arguments of `verifyProof` of a Plonk contract: words in hexadecimal, in the lists that the function takes.
///
/// On BN254 the text is that of snarkjs, which has a single space and no comma between the lists: `["w0",
/// "w1",…,"w23"]["x0","x1"]`. The words of a point at infinity are the zeros that the contract expects; snarkjs prints other
/// words. On BLS12-381 there are 42 words, and a comma between the lists.
///
/// # Errors
/// When the curve has no precompiles.
#[inline(never)]
pub fn plonk_calldata<E: Pairing>(
    proof: &plonk::Proof<E>,
    public: &[E::Fr],
) -> Result<String, ContractError> {
    let precompiles = Precompiles::of::<E>()?;
    let mut words: Vec<String> = proof.points().iter().flat_map(|p| precompiles.hex(p)).collect();
    words.extend(scalars(&proof.evaluations.to_array()));
    let public = values(public);
    Ok(match precompiles {
        Precompiles::Bn254 => format!("{}{public}", with_blank(&words)),
        Precompiles::Bls12_381 => format!("{},{public}", list(&words, ",")),
    })
}

/// The arguments of `verifyProof` of an fflonk contract, as snarkjs prints them, without quotes: `[w0, w1,w2,…,w23],[x0,x1]`.
/// The words of a point at infinity are the zeros that the contract expects; snarkjs prints other words.
///
/// # Errors
/// When the curve is not BN254.
#[inline(never)]
pub fn fflonk_calldata<E: Pairing>(
    proof: &fflonk::Proof<E>,
    public: &[E::Fr],
) -> Result<String, ContractError> {
    let precompiles = super::fflonk::expect_bn254::<E>()?;
    let mut words: Vec<String> = proof.points().iter().flat_map(|p| precompiles.hex(p)).collect();
    words.extend(scalars(&proof.evaluations.to_array()));
    words.extend(scalars(&[proof.inverse]));
    Ok(format!("{},{}", with_blank(&words), values(public)).replace('"', ""))
}

/// Formats a list of quoted words with a space after the first comma.
fn with_blank(words: &[String]) -> String {
    list(words, ",").replacen("\",\"", "\", \"", 1)
}

/// Formats a list of quoted words.
fn list(words: &[String], separator: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", quoted.join(separator))
}

/// Formats public values as a list.
fn values<F: PrimeField>(public: &[F]) -> String {
    list(&scalars(public), ",")
}

/// Formats scalars as 32-byte words in hexadecimal, one each.
fn scalars<F: PrimeField>(scalars: &[F]) -> Vec<String> {
    scalars.iter().flat_map(words_of).map(|word| hex(&word)).collect()
}
