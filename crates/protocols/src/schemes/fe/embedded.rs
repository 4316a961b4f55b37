//! The scheme with a public key in Jubjub: ciphertexts whose making a circuit over the scalar field of BLS12-381 can prove. Keys
//! and ciphertexts are those of [`public`](super::public), in another group and with other bytes: points are 32 bytes, as
//! Zcash encodes them. No device has operators for Jubjub, so that decryptions are the host's.

use super::public::{CiphertextOver, FunctionKeyOver, MasterKeyOver, PublicKeyOver};
use pairwright_curve::jubjub::Jubjub;

/// The authority's key.
pub type MasterKey = MasterKeyOver<Jubjub>;
/// The key that anybody encrypts with.
pub type PublicKey = PublicKeyOver<Jubjub>;
/// An encrypted vector.
pub type Ciphertext = CiphertextOver<Jubjub>;
/// The key of a vector.
pub type FunctionKey = FunctionKeyOver<Jubjub>;
