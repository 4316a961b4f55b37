//! The JSON documents of `pairwright fe`: keys, vectors and ciphertexts.

use super::name;
use crate::args::fe::FeScheme;
use crate::commands::documents::{Document, SchemeDocumentError, content, from_hex};
use clap::ValueEnum;
use pairwright::formats::to_hex;
use pairwright::protocols::schemes::fe::FeError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

/// A document with a dimension.
pub(super) trait Dimensioned {
    fn dimension(&self) -> usize;
}

/// Declares documents that hold a scheme, a dimension, and bytes in hexadecimal.
macro_rules! documents {
    ($($(#[$doc:meta])+ $name:ident $kind:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            #[serde(rename = "type", skip_serializing, default)]
            _kind: String,
            #[serde(rename = "version", skip_serializing, default)]
            _version: u32,
            scheme: String,
            dimension: usize,
            data: String,
        }

        impl $name {
            pub(super) fn new(scheme: FeScheme, dimension: usize, bytes: &[u8]) -> Self {
                let scheme = name(scheme).to_owned();
                Self { _kind: String::new(), _version: 0, scheme, dimension, data: to_hex(bytes) }
            }

            /// The scheme and the bytes of the value.
            pub(super) fn value(&self, path: &Path) -> Result<(FeScheme, Zeroizing<Vec<u8>>), SchemeDocumentError> {
                let known = FeScheme::value_variants().iter().copied().find(|scheme| name(*scheme) == self.scheme);
                let scheme = known.ok_or_else(|| SchemeDocumentError::Value {
                    path: path.to_owned(),
                    member: "scheme",
                    why: "no scheme that is known; there are als16 and klmmrw".to_owned(),
                })?;
                Ok((scheme, from_hex(path, "data", &self.data)?))
            }
        }

        impl Document for $name {
            const TYPE: &'static str = $kind;
        }

        impl Dimensioned for $name {
            fn dimension(&self) -> usize {
                self.dimension
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.data.zeroize();
            }
        }
    )+};
}

documents! {
    /// An authority's master key.
    MasterKey "pairwright fe master key";
    /// The public key with which anybody can encrypt.
    PublicKey "pairwright fe public key";
    /// The key of a vector.
    FunctionKey "pairwright fe function key";
    /// An encrypted vector.
    Ciphertext "pairwright fe ciphertext";
}

/// A vector of signed integers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vector {
    #[serde(rename = "type", skip_serializing, default)]
    _kind: String,
    #[serde(rename = "version", skip_serializing, default)]
    _version: u32,
    pub(super) values: Vec<i64>,
}

impl Document for Vector {
    const TYPE: &'static str = "pairwright fe vector";
}

impl Drop for Vector {
    fn drop(&mut self) {
        self.values.zeroize();
    }
}

/// The decoded value, if its dimension is the one that the document gives.
pub(super) fn open<T>(
    path: &Path,
    document: &impl Dimensioned,
    value: Result<T, FeError>,
    dimension: impl Fn(&T) -> usize,
) -> Result<T, SchemeDocumentError> {
    let value = value.map_err(|why| content(path, why))?;
    let (found, expected) = (document.dimension(), dimension(&value));
    if found == expected {
        return Ok(value);
    }
    let why = format!("{found}, where the data is of dimension {expected}");
    Err(SchemeDocumentError::Value { path: path.to_owned(), member: "dimension", why })
}
