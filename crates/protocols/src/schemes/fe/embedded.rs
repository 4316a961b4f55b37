//! The public-key scheme over Jubjub. A circuit over the scalar field of BLS12-381 can prove that a ciphertext was made correctly. Keys
//! and ciphertexts are those of [`public`](super::public) over another group and with another encoding: points take 32 bytes, as
//! Zcash encodes them. No device has operators for Jubjub, so the host decrypts.

use super::public::{CiphertextOver, FunctionKeyOver, MasterKeyOver, PublicKeyOver};
use pairwright_curve::jubjub::Jubjub;

/// The authority's master key over Jubjub.
pub type MasterKey = MasterKeyOver<Jubjub>;
/// The public key for encryption, over Jubjub.
pub type PublicKey = PublicKeyOver<Jubjub>;
/// An encrypted vector, as points of Jubjub.
pub type Ciphertext = CiphertextOver<Jubjub>;
/// The decryption key of a vector, over Jubjub.
pub type FunctionKey = FunctionKeyOver<Jubjub>;
