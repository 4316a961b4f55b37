//! The documents of drand's randomness beacons: the description of a chain (`/info`, in its old and its new form), and the
//! beacon of a round.

use crate::hexadecimal::{from_digits, to_hex};
use crate::{FileName, FilePlace, Spot};
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::vec::Vec;
use thiserror::Error;

/// Largest size of a document in bytes.
const MOST: usize = 1 << 16;
/// The name of drand's first chain; it is the only name that does not enter the chain's hash.
const DEFAULT: &str = "default";

/// Why a document of drand was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrandError {
    /// The text is not JSON, or a required member is missing.
    #[error("{file}: {source}")]
    Json {
        /// Name of the document.
        file: FileName,
        /// The error of the JSON parser.
        source: serde_json::Error,
    },
    /// The document is too long.
    #[error("{file}: more than {MOST} bytes: too large for a document of drand")]
    TooLarge {
        /// Name of the document.
        file: FileName,
    },
    /// A member does not have the form or the value that it has to have.
    #[error("{at}: expected {expected}")]
    Member {
        /// Position of the member.
        at: FilePlace,
        /// Description of the valid contents.
        expected: &'static str,
    },
    /// The chain's scheme does not allow encryption to a future round.
    #[error(
        "{at}: nothing can be encrypted to rounds of the scheme `{found}`; those that can: {}",
        SchemeNames
    )]
    Scheme {
        /// Position of the member.
        at: FilePlace,
        /// The scheme in the document.
        found: String,
    },
    /// The chain's hash does not follow from the other members.
    #[error("{at}: the hash of this document's members is {computed}: one of them was changed")]
    Hash {
        /// Position of the member.
        at: FilePlace,
        /// The hash computed from the other members, in hexadecimal.
        computed: String,
    },
}

/// Prints the names of all schemes, for error messages.
struct SchemeNames;

impl fmt::Display for SchemeNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = DrandScheme::ALL.iter().map(|scheme| scheme.name()).collect();
        f.write_str(&names.join(", "))
    }
}

/// The unchained schemes of drand: the signature of a round does not depend on earlier rounds, so that one can encrypt to a
/// future round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrandScheme {
    /// Keys in G1 of BLS12-381, signatures in G2.
    PedersenUnchained,
    /// Keys in G2, signatures in G1, hashed to the curve with the domain separation tag of G2 (the retired fastnet).
    UnchainedOnG1,
    /// Keys in G2, signatures in G1 (quicknet).
    UnchainedG1Rfc9380,
    /// Keys in G2 of BN254, signatures in G1 (evmnet).
    Bn254UnchainedOnG1,
}

impl DrandScheme {
    /// All supported schemes.
    pub const ALL: [Self; 4] =
        [Self::PedersenUnchained, Self::UnchainedOnG1, Self::UnchainedG1Rfc9380, Self::Bn254UnchainedOnG1];

    /// The name in drand's documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::PedersenUnchained => "pedersen-bls-unchained",
            Self::UnchainedOnG1 => "bls-unchained-on-g1",
            Self::UnchainedG1Rfc9380 => "bls-unchained-g1-rfc9380",
            Self::Bn254UnchainedOnG1 => "bls-bn254-unchained-on-g1",
        }
    }

    /// Length of a public key in bytes.
    pub fn key_bytes(self) -> usize {
        match self {
            Self::PedersenUnchained => 48,
            Self::UnchainedOnG1 | Self::UnchainedG1Rfc9380 => 96,
            Self::Bn254UnchainedOnG1 => 128,
        }
    }

    /// Length of a signature in bytes.
    pub fn signature_bytes(self) -> usize {
        match self {
            Self::PedersenUnchained => 96,
            Self::UnchainedOnG1 | Self::UnchainedG1Rfc9380 => 48,
            Self::Bn254UnchainedOnG1 => 64,
        }
    }
}

/// The parameters of a chain of beacons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainInfo {
    /// The signature scheme of the chain's rounds.
    pub scheme: DrandScheme,
    /// The chain's public key: encoded bytes of the scheme's length, not decoded.
    pub public_key: Vec<u8>,
    /// Seconds between rounds, at least 1.
    pub period: u32,
    /// Time at which round 1 is due, in seconds since 1970.
    pub genesis: u64,
    /// The chain's hash, by which ciphertexts refer to the chain.
    pub hash: [u8; 32],
}

/// The members of both forms of the document that are needed; other members are ignored.
#[derive(Deserialize)]
struct Info {
    public_key: String,
    period: u64,
    genesis_time: i64,
    scheme: Option<String>,
    #[serde(rename = "schemeID")]
    old_scheme: Option<String>,
    genesis_seed: Option<String>,
    #[serde(rename = "groupHash")]
    old_seed: Option<String>,
    chain_hash: Option<String>,
    #[serde(rename = "hash")]
    old_hash: Option<String>,
    beacon_id: Option<String>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    beacon_id: Option<String>,
}

/// The member of the newer form with its name, or that of the older form where the newer one is missing.
fn either<T>(new: (&'static str, Option<T>), old: (&'static str, Option<T>)) -> (&'static str, Option<T>) {
    if new.1.is_some() {
        new
    } else if old.1.is_some() {
        old
    } else {
        (new.0, None)
    }
}

impl ChainInfo {
    /// Reads the document that drand serves as `/info`, and checks that its hash follows from its other members.
    ///
    /// # Errors
    /// When the text is not such a document, the chain has an unsupported scheme, or the hash does not match.
    pub fn from_json(file: &FileName, text: &str) -> Result<Self, DrandError> {
        let info: Info = parse(file, text)?;
        let wrong = |member: &str, expected| DrandError::Member { at: place(file, member), expected };
        let (member, scheme) = either(("scheme", info.scheme), ("schemeID", info.old_scheme));
        // Old documents of drand have no scheme; they belong to chains of the chained scheme.
        let name = scheme.unwrap_or_else(|| "pedersen-bls-chained".to_owned());
        let scheme = DrandScheme::ALL.into_iter().find(|scheme| scheme.name() == name);
        let scheme = scheme.ok_or_else(|| DrandError::Scheme { at: place(file, member), found: name })?;
        let public_key = from_digits(&info.public_key)
            .filter(|key| key.len() == scheme.key_bytes())
            .ok_or_else(|| wrong("public_key", "a key of the scheme in hexadecimal"))?;
        let period = u32::try_from(info.period).ok().filter(|period| *period > 0);
        let period = period.ok_or_else(|| wrong("period", "seconds between rounds, at least 1"))?;
        let genesis = u64::try_from(info.genesis_time);
        let genesis = genesis.map_err(|_| wrong("genesis_time", "seconds since 1970"))?;
        let (member, seed) = either(("genesis_seed", info.genesis_seed), ("groupHash", info.old_seed));
        let seed = seed.as_deref().and_then(from_digits);
        let seed =
            seed.ok_or_else(|| wrong(member, "bytes in hexadecimal, without which nothing tells the chain"))?;
        let old_id = info.metadata.and_then(|metadata| metadata.beacon_id);
        let (_, id) = either(("beacon_id", info.beacon_id), ("metadata.beaconID", old_id));
        let hash = Sha256::new()
            .chain_update(period.to_be_bytes())
            .chain_update(genesis.to_be_bytes())
            .chain_update(&public_key)
            .chain_update(&seed)
            .chain_update(id.filter(|id| id != DEFAULT).unwrap_or_default());
        let hash: [u8; 32] = hash.finalize().into();
        let (member, said) = either(("chain_hash", info.chain_hash), ("hash", info.old_hash));
        if said.is_some_and(|said| from_digits(&said).is_none_or(|said| said != hash)) {
            return Err(DrandError::Hash { at: place(file, member), computed: to_hex(&hash) });
        }
        Ok(Self { scheme, public_key, period, genesis, hash })
    }

    /// The chain's hash in hexadecimal, as in the stanzas of encrypted files.
    pub fn hash_text(&self) -> String {
        to_hex(&self.hash)
    }

    /// Time at which a round is due, in seconds since 1970; `None` for round 0, which does not exist, and if the time does not
    /// fit a `u64`.
    pub fn time_of(&self, round: u64) -> Option<u64> {
        let before = round.checked_sub(1)?.checked_mul(u64::from(self.period))?;
        self.genesis.checked_add(before)
    }

    /// The first round that is due at `time` or later; `time` is in seconds since 1970.
    pub fn round_at(&self, time: u64) -> u64 {
        let after = time.saturating_sub(self.genesis);
        after.div_ceil(u64::from(self.period)).saturating_add(1)
    }
}

/// The beacon of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrandBeacon {
    /// The number of the round, if the document has it.
    pub round: Option<u64>,
    /// The signature of the round as encoded bytes, not decoded.
    pub signature: Vec<u8>,
}

#[derive(Deserialize)]
struct Round {
    round: u64,
    signature: String,
}

impl DrandBeacon {
    /// Reads the document that drand serves as `/public/ROUND`, or a text that is only a signature in hexadecimal.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn from_text(file: &FileName, text: &str) -> Result<Self, DrandError> {
        let wrong = |member: &str, expected| DrandError::Member { at: place(file, member), expected };
        if text.trim_start().starts_with('{') {
            let read: Round = parse(file, text)?;
            let signature = from_digits(&read.signature);
            let signature = signature.ok_or_else(|| wrong("signature", "a signature in hexadecimal"))?;
            return Ok(Self { round: Some(read.round), signature });
        }
        let signature = Some(text.trim()).filter(|text| !text.is_empty() && text.len() <= MOST);
        let signature = signature.and_then(from_digits).ok_or_else(|| DrandError::Member {
            at: FilePlace { file: file.clone(), spot: Spot::Whole },
            expected: "the JSON of a beacon, or its signature in hexadecimal",
        })?;
        Ok(Self { round: None, signature })
    }
}

fn parse<'a, T: Deserialize<'a>>(file: &FileName, text: &'a str) -> Result<T, DrandError> {
    if text.len() > MOST {
        return Err(DrandError::TooLarge { file: file.clone() });
    }
    serde_json::from_str(text).map_err(|source| DrandError::Json { file: file.clone(), source })
}

fn place(file: &FileName, member: &str) -> FilePlace {
    FilePlace { file: file.clone(), spot: Spot::Member(member.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn name() -> FileName {
        Path::new("info.json").into()
    }

    /// The descriptions of drand's chains as its network serves them are accepted: their hashes match.
    #[test]
    fn chains_that_exist() {
        let quicknet = r#"{"public_key":"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a","period":3,"genesis_time":1692803367,"genesis_seed":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","chain_hash":"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971","scheme":"bls-unchained-g1-rfc9380","beacon_id":"quicknet"}"#;
        let info = ChainInfo::from_json(&name(), quicknet).unwrap();
        assert_eq!(
            (info.scheme, info.period, info.genesis),
            (DrandScheme::UnchainedG1Rfc9380, 3, 1_692_803_367)
        );
        // The older form of the document.
        let old = quicknet
            .replace("genesis_seed", "groupHash")
            .replace("chain_hash", "hash")
            .replace("\"scheme\"", "\"schemeID\"")
            .replace("\"beacon_id\":\"quicknet\"", "\"metadata\":{\"beaconID\":\"quicknet\"}");
        assert_eq!(ChainInfo::from_json(&name(), &old).unwrap(), info);
        let refused = |from: &str, to: &str| {
            ChainInfo::from_json(&name(), &quicknet.replacen(from, to, 1)).unwrap_err().to_string()
        };
        for (from, to) in
            [("\"period\":3", "\"period\":4"), ("f477", "f478"), ("quicknet", "other"), ("52db", "52dc")]
        {
            let said = refused(from, to);
            assert!(said.contains("chain_hash: the hash of this document's members is "), "{said}");
        }
        for (from, to, why) in [
            ("\"period\":3", "\"period\":0", "info.json: period: expected seconds between rounds"),
            ("\"period\":3", "\"period\":4294967296", "period: expected seconds"),
            ("1692803367", "-1", "genesis_time: expected seconds since 1970"),
            ("83cf", "83", "public_key: expected a key of the scheme"),
            ("83cf", "83cg", "public_key: expected a key of the scheme"),
            ("genesis_seed", "seed", "genesis_seed: expected bytes in hexadecimal"),
            (
                "bls-unchained-g1-rfc9380",
                "pedersen-bls-chained",
                "nothing can be encrypted to rounds of the scheme",
            ),
            (
                "\"scheme\"",
                "\"theme\"",
                "scheme: nothing can be encrypted to rounds of the scheme `pedersen-bls-chained`",
            ),
            ("\"public_key\"", "\"key\"", "missing field `public_key`"),
            ("{", "[", "info.json: "),
        ] {
            let said = refused(from, to);
            assert!(said.contains(why), "{said}");
        }
        let long = format!("{quicknet}{}", " ".repeat(MOST));
        assert!(matches!(ChainInfo::from_json(&name(), &long), Err(DrandError::TooLarge { .. })));
    }

    #[test]
    fn rounds_and_times() {
        let info = ChainInfo {
            scheme: DrandScheme::PedersenUnchained,
            public_key: Vec::new(),
            period: 30,
            genesis: 1000,
            hash: [0; 32],
        };
        assert_eq!((info.time_of(0), info.time_of(1), info.time_of(3)), (None, Some(1000), Some(1060)));
        assert_eq!(info.time_of(u64::MAX), None);
        // The round is never due before the time that was asked for.
        for (time, round) in [(0, 1), (1000, 1), (1001, 2), (1030, 2), (1031, 3)] {
            assert_eq!(info.round_at(time), round);
            assert!(info.time_of(round).unwrap() >= time);
        }
        assert!(info.round_at(u64::MAX) > 0);
    }

    #[test]
    fn beacons() {
        let of = |text: &str| DrandBeacon::from_text(&name(), text);
        let beacon = of(r#"{"round":7,"randomness":"00","signature":"00ff"}"#).unwrap();
        assert_eq!(beacon, DrandBeacon { round: Some(7), signature: vec![0, 255] });
        assert_eq!(of(" 00ff\n").unwrap(), DrandBeacon { round: None, signature: vec![0, 255] });
        for text in [
            "",
            "\n",
            "00f",
            "zz",
            "{}",
            r#"{"round":-1,"signature":"00"}"#,
            r#"{"round":1,"signature":"0"}"#,
        ] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
