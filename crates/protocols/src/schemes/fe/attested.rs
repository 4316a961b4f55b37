//! A circuit for proofs that a ciphertext of [`embedded`](super::embedded) holds a committed vector. It is over the scalar field of
//! BLS12-381, in which Jubjub's arithmetic is native.
//!
//! An attester commits to a vector of integers below 2^32 with a salt, and signs the commitment with any signature scheme. The owner of
//! the vector encrypts it, and proves with this circuit knowledge of a vector, a salt and a scalar `r` from which both the commitment
//! and all points of the ciphertext result. The commitment and the coordinates of the points are the public values. The public key
//! of the encryption is part of the circuit, and so of the verifying key.

use super::FeError;
use super::embedded::{Ciphertext, PublicKey};
use super::public::DdhGroup;
use super::vector::same;
use crate::circuit::{Builder, Circuit, CircuitError, CircuitPoint, Variable};
use alloc::format;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::Fr;
use pairwright_curve::jubjub::{self, Jubjub};
use pairwright_field::PrimeField;
use pairwright_hash::{Compress, Poseidon};
use thiserror::Error;

/// Number of bits of an entry of a vector.
pub const ENTRY_BITS: u32 = 32;
/// The largest dimension; the number of public values grows with the dimension.
pub const MOST_DIMENSION: usize = 64;

/// Why a circuit or a witness was not made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttestedError {
    /// A dimension is too large, or dimensions differ.
    #[error(transparent)]
    Vector(#[from] FeError),
    /// A constraint does not hold, or the circuit could not be built.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
}

/// The commitment to a vector: `H(… H(H(salt, n), x_1) …, x_n)` by Poseidon with two inputs. The salt is random, so that the
/// commitment hides the vector.
pub fn commitment(x: &[u32], salt: &Fr) -> Fr {
    let hash = Poseidon::<Fr>::new();
    let head = hash.compress(salt, &Fr::from(x.len() as u64));
    x.iter().fold(head, |sum, x| hash.compress(&sum, &Fr::from(u64::from(*x))))
}

/// The circuit for one public key.
#[derive(Debug)]
pub struct AttestedCircuit {
    circuit: Circuit<Fr>,
    /// The public inputs, in the order of the public values.
    shown: Vec<Variable<Fr>>,
    entries: Vec<Variable<Fr>>,
    salt: Variable<Fr>,
    r: Variable<Fr>,
}

impl AttestedCircuit {
    /// Builds the circuit for a public key.
    ///
    /// # Errors
    /// When the dimension is above [`MOST_DIMENSION`].
    pub fn new(key: &PublicKey) -> Result<Self, AttestedError> {
        let dimension = key.dimension();
        if dimension > MOST_DIMENSION {
            return Err(FeError::Dimension { found: dimension, most: MOST_DIMENSION }.into());
        }
        let hash = Poseidon::<Fr>::new();
        let mut b = Builder::<Fr>::new();
        // All public values are inputs, not outputs, so that each has an equation that an error can name.
        let committed = b.public("commitment");
        let coordinates: Vec<[Variable<Fr>; 2]> =
            (0..dimension + 2).map(|i| ["x", "y"].map(|name| b.public(&format!("{name}{i}")))).collect();
        let entries: Vec<_> = (0..dimension).map(|i| b.private(&format!("entry {i}"))).collect();
        let (salt, r) = (b.private("salt"), b.private("r"));

        let mut sum = b.poseidon(&hash, salt, Fr::from(dimension as u64));
        for x in &entries {
            sum = b.poseidon(&hash, sum, *x);
        }
        b.within("the commitment is that of the entries", |b| b.enforce_equal(sum, committed));

        let bits = b.within("r", |b| b.bits(r, jubjub::Fr::BITS))?;
        let of_r = b.windows(&bits, 4);
        let mut points = Vec::with_capacity(dimension + 2);
        for base in [Jubjub::generator(), Jubjub::second_generator()] {
            points.push(b.edwards_multiple(&base.to_extended(), &of_r));
        }
        for (x, h) in entries.iter().zip(key.points()) {
            let bits = b.within("an entry is below 2^32", |b| b.bits(*x, ENTRY_BITS))?;
            let windows = b.windows(&bits, 3);
            let of_x = b.edwards_multiple(&Jubjub::generator().to_extended(), &windows);
            let masked = b.edwards_multiple(&h.to_extended(), &of_r);
            points.push(b.edwards_add::<Jubjub>(&of_x, &masked));
        }
        for (CircuitPoint { x, y }, [u, v]) in points.into_iter().zip(&coordinates) {
            b.within("the ciphertext is that of the entries", |b| {
                b.enforce_equal(x, *u);
                b.enforce_equal(y, *v);
            });
        }
        let shown = [committed].into_iter().chain(coordinates.into_iter().flatten()).collect();
        Ok(Self { circuit: b.finish()?, shown, entries, salt, r })
    }

    /// The constraint system, for a setup.
    pub fn circuit(&self) -> &Circuit<Fr> {
        &self.circuit
    }

    /// The dimension of the vectors.
    pub fn dimension(&self) -> usize {
        self.entries.len()
    }

    /// The public values: the commitment, and both coordinates of `C`, `D` and each `E_i`.
    ///
    /// # Errors
    /// When the dimension of the ciphertext is not that of the circuit.
    pub fn public(&self, commitment: &Fr, ciphertext: &Ciphertext) -> Result<Vec<Fr>, AttestedError> {
        same("a ciphertext", ciphertext.dimension(), self.dimension())?;
        let mut public = Vec::with_capacity(2 * self.dimension() + 5);
        public.push(*commitment);
        for point in ciphertext.points() {
            let [x, y, _] = point.coordinates();
            public.extend([x, y]);
        }
        Ok(public)
    }

    /// Computes the witness for a vector and its salt, and a ciphertext that was made from the vector with `r`. Variable time.
    ///
    /// # Errors
    /// When a dimension is not that of the circuit, or the arguments do not belong together: the error names the place in the circuit
    /// where a constraint does not hold.
    pub fn witness(
        &self,
        (commitment, ciphertext): (&Fr, &Ciphertext),
        x: &[u32],
        salt: &Fr,
        r: &jubjub::Fr,
    ) -> Result<Vec<Fr>, AttestedError> {
        same("a vector", x.len(), self.dimension())?;
        let public = self.public(commitment, ciphertext)?;
        let mut bytes = zeroize::Zeroizing::new([0; 32]);
        r.write_be(bytes.as_mut());
        let r = Fr::read_be(bytes.as_ref()).expect("the order of Jubjub's subgroup is below the modulus");
        let mut inputs = Vec::with_capacity(public.len() + x.len() + 2);
        inputs.extend(self.shown.iter().copied().zip(public));
        inputs.extend(self.entries.iter().copied().zip(x.iter().map(|x| Fr::from(u64::from(*x)))));
        inputs.extend([(self.salt, *salt), (self.r, r)]);
        Ok(self.circuit.witness(&inputs)?)
    }
}
