//! Recognises the kind of a file and its curve from its first bytes.

use crate::container::{Container, Format};
use crate::json::{Declared, curve_named, expect_at_most, member, parse};
use crate::primes::PrimeRole;
use crate::sizes::MOST_JSON;
use crate::{CurveId, FileBytes, FormatError, Spot, ptau, r1cs, wtns, zkey};
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileKind {
    /// The constraints of a circuit (`.r1cs`).
    R1cs,
    /// A witness file of circom (`.wtns`).
    Wtns,
    /// A proving key (`.zkey`).
    Zkey,
    /// Powers of tau (`.ptau`).
    Ptau,
    /// A verifying key as JSON (`verification_key.json`).
    VerifyingKey,
    /// A proof as JSON (`proof.json`).
    Proof,
    /// A list of public values as JSON (`public.json`).
    Public,
    /// The challenge of a ceremony of powers of tau, to which contributors respond.
    Challenge,
    /// The response of a contributor to a challenge.
    Response,
    /// A Groth16 key with its ceremony in bellman's form (`.mpcparams`).
    MpcParameters,
}

impl FileKind {
    /// The usual name of the kind, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::R1cs => "circuit (r1cs)",
            Self::Wtns => "witness (wtns)",
            Self::Zkey => "proving key (zkey)",
            Self::Ptau => "powers of tau (ptau)",
            Self::VerifyingKey => "verification key (JSON)",
            Self::Proof => "proof (JSON)",
            Self::Public => "public values (JSON)",
            Self::Challenge => "challenge of powers of tau",
            Self::Response => "response to a challenge of powers of tau",
            Self::MpcParameters => "proving key in bellman's form (mpcparams)",
        }
    }

    /// The kinds of files in snarkjs' container format.
    const CONTAINERS: [Self; 4] = [Self::R1cs, Self::Wtns, Self::Zkey, Self::Ptau];

    /// The container format; `None` for JSON and for files without a header.
    pub(crate) fn format(self) -> Option<&'static Format> {
        match self {
            Self::R1cs => Some(&r1cs::FORMAT),
            Self::Wtns => Some(&wtns::FORMAT),
            Self::Zkey => Some(&zkey::FORMAT),
            Self::Ptau => Some(&ptau::FORMAT),
            _ => None,
        }
    }

    /// Recognises the kind of a file by its first bytes, or by the members of a JSON document.
    fn of(file: &FileBytes) -> Result<Self, FormatError> {
        let magic = |kind: &Self| kind.format().is_some_and(|f| file.starts_with(f.magic.as_bytes()));
        if let Some(kind) = Self::CONTAINERS.into_iter().find(magic) {
            return Ok(kind);
        }
        // A file without a header begins with a hash, of which any byte may be a bracket.
        match file.iter().find(|b| !b.is_ascii_whitespace()).filter(|_| begins_as_text(file)) {
            Some(b'[') => expect_at_most(file, MOST_JSON, "JSON").map(|()| Self::Public),
            Some(b'{') => match parse(file)? {
                Members { pi_a: Some(_), .. } => Ok(Self::Proof),
                Members { vk_alpha_1: Some(_), .. } => Ok(Self::VerifyingKey),
                // The members of Plonk.
                Members { wxi: Some(_), .. } => Ok(Self::Proof),
                Members { qm: Some(_), .. } => Ok(Self::VerifyingKey),
                // The members of fflonk.
                Members { polynomials: Some(_), .. } => Ok(Self::Proof),
                Members { c0: Some(_), .. } => Ok(Self::VerifyingKey),
                Members { .. } => Err(unknown(file)),
            },
            _ => Err(unknown(file)),
        }
    }
}

/// Whether the first bytes, as many as the hash at the beginning of a challenge or a response, are text.
fn begins_as_text(file: &[u8]) -> bool {
    let mut chunks = file.first_chunk::<64>().map_or(file, <[u8; 64]>::as_slice).utf8_chunks();
    let text = chunks.next().map_or("", |chunk| chunk.valid());
    // The last character may continue behind these bytes.
    chunks.next().is_none() && text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
}

fn unknown(file: &FileBytes) -> FormatError {
    let found = file.iter().copied().take(8).collect();
    FormatError::UnknownKind { at: file.place(Spot::Offset(0)), found }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The members by which JSON documents are distinguished.
#[derive(Deserialize)]
struct Members {
    pi_a: Option<serde::de::IgnoredAny>,
    vk_alpha_1: Option<serde::de::IgnoredAny>,
    #[serde(rename = "Wxi")]
    wxi: Option<serde::de::IgnoredAny>,
    #[serde(rename = "Qm")]
    qm: Option<serde::de::IgnoredAny>,
    polynomials: Option<serde::de::IgnoredAny>,
    #[serde(rename = "C0")]
    c0: Option<serde::de::IgnoredAny>,
}

/// The kind, curve and protocol of a file.
#[derive(Clone, Debug)]
pub struct Probe {
    file: FileBytes,
    kind: FileKind,
    curve: Option<CurveId>,
    protocol: Option<String>,
}

impl Probe {
    /// The kind of the file.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// The name of the protocol, if the file is a key or a proof that states it.
    pub fn protocol(&self) -> Option<&str> {
        self.protocol.as_deref()
    }

    /// The curve that the file is for.
    ///
    /// # Errors
    /// When the file does not state its curve: public values, and proofs of some provers.
    pub fn curve(&self) -> Result<CurveId, FormatError> {
        self.curve.ok_or_else(|| FormatError::UnknownCurve {
            at: member(&self.file, "curve"),
            found: String::new(),
        })
    }
}

/// Recognises the kind of a file and its curve. Of binary files the list of sections and the prime are read; JSON is parsed.
///
/// # Errors
/// When the kind, the prime or the curve's name is not supported, or the container is malformed.
pub fn probe(file: &FileBytes) -> Result<Probe, FormatError> {
    let kind = FileKind::of(file)?;
    let mut protocol = None;
    let curve = match kind.format() {
        Some(format) => {
            let container = Container::open(file.clone(), format)?;
            if kind == FileKind::Zkey {
                protocol = Some(zkey::protocol_name(zkey::protocol(&container)?));
            }
            // In a zkey, section 1 holds the protocol and section 2 the primes.
            let head = container.section(if kind == FileKind::Zkey { 2 } else { 1 })?;
            let role = match kind {
                FileKind::Zkey | FileKind::Ptau => PrimeRole::Base,
                _ => PrimeRole::Scalar,
            };
            Some(head.cursor().curve(role)?)
        }
        None if kind == FileKind::Public => None,
        None => {
            let head: Declared = parse(file)?;
            protocol = head.protocol;
            head.curve.map(|name| curve_named(&name, member(file, "curve"))).transpose()?
        }
    };
    Ok(Probe { file: file.clone(), kind, curve, protocol })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes at the beginning of challenges and responses have any bytes.
    #[test]
    fn a_bracket_before_bytes_that_are_no_text_is_no_document() {
        for first in [b"{".as_slice(), b"[", b" [", b"\n{"] {
            for last in [0xff, 0x80, 0x00, 0x1b] {
                let bytes = [first, &[b'a'; 40], &[last; 100]].concat();
                let file = FileBytes::from_vec("response", bytes);
                assert!(matches!(FileKind::of(&file), Err(FormatError::UnknownKind { .. })), "{last:#x}");
            }
        }
        // A character that continues behind the bytes that are looked at.
        for len in 58..64 {
            let text = format!("[\"{}{}\"]", "a".repeat(len), "\u{1f511}");
            let file = FileBytes::from_vec("public", text.into_bytes());
            assert_eq!(FileKind::of(&file).unwrap(), FileKind::Public);
        }
    }

    #[test]
    fn streams_know_all_containers() {
        let magics = FileKind::CONTAINERS.map(|kind| kind.format().unwrap().magic.as_bytes());
        assert_eq!(magics, crate::stream::MAGICS);
    }
}
