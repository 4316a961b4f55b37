//! Images: the words of both instruction memories and the labels of their addresses, as an assembler or a compiler hands
//! them to the machine.
//!
//! On disk an image is JSON: `{"l1": ["0x…", …], "l2": […], "l1_labels": {"name": address, …}, "l2_labels": {…}}`,
//! every word with eight hexadecimal digits.

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Maximum number of words of an instruction memory: addresses have ten bits.
pub const MEMORY_WORDS: usize = 1024;
/// Maximum number of characters of a label.
pub const LABEL_CHARACTERS: usize = 64;
/// Maximum number of bytes of an image's text: two full memories with a longest label on every word stay below.
const TEXT_BYTES: usize = 1 << 20;

/// An L1 program and its L2 routines as encoded words, with labels.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Words of the L1 memory, from address 0.
    #[serde(serialize_with = "write_words", deserialize_with = "read_words")]
    pub l1: Vec<u32>,
    /// Words of the L2 memory, from address 0.
    #[serde(serialize_with = "write_words", deserialize_with = "read_words")]
    pub l2: Vec<u32>,
    /// Labels of L1 addresses.
    #[serde(deserialize_with = "read_labels")]
    pub l1_labels: BTreeMap<String, u16>,
    /// Labels of L2 addresses: the names of the routines.
    #[serde(deserialize_with = "read_labels")]
    pub l2_labels: BTreeMap<String, u16>,
}

/// Why a text is no valid image.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The text is longer than that of any valid image.
    #[error("image: {0} bytes, at most 1048576 are read")]
    TooLong(usize),
    /// Not JSON, or not these fields.
    #[error("image: {0}")]
    Json(#[from] serde_json::Error),
    /// More words than an instruction memory has addresses.
    #[error("image: {memory} has {words} words, at most 1024 have an address")]
    TooManyWords {
        /// `l1` or `l2`.
        memory: &'static str,
        /// Number of words in the image.
        words: usize,
    },
    /// A label whose name the assembler would not accept.
    #[error(
        "image: `{0}` is not a label: a letter or `_`, then letters, digits, `_` and `.`, 64 characters at most"
    )]
    LabelName(String),
    /// A label whose address is after the last word.
    #[error("image: {memory} label `{label}` names address {address} of {words} words")]
    LabelAddress {
        /// `l1` or `l2`.
        memory: &'static str,
        /// Name of the label.
        label: String,
        /// The address that the label names.
        address: u16,
        /// Number of words in the memory.
        words: usize,
    },
}

impl Image {
    /// Parses the JSON form and checks it by [`Image::check`]. Whether each word is an instruction is not checked.
    ///
    /// # Errors
    /// Text that is no image, or an image that [`Image::check`] refuses.
    pub fn from_json(text: &str) -> Result<Self, ImageError> {
        if text.len() > TEXT_BYTES {
            return Err(ImageError::TooLong(text.len()));
        }
        let image: Self = serde_json::from_str(text)?;
        image.check()?;
        Ok(image)
    }

    /// The image as JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings, numbers and maps with string keys serialise")
    }

    /// Checks that every word has an address, and that every label has a legal name and names a word.
    ///
    /// # Errors
    /// The first word or label that violates this.
    pub fn check(&self) -> Result<(), ImageError> {
        let memories = [("l1", &self.l1, &self.l1_labels), ("l2", &self.l2, &self.l2_labels)];
        for (memory, words, labels) in memories {
            let words = words.len();
            if words > MEMORY_WORDS {
                return Err(ImageError::TooManyWords { memory, words });
            }
            for (label, &address) in labels {
                if !is_label(label) {
                    return Err(ImageError::LabelName(label.clone()));
                }
                if usize::from(address) >= words {
                    return Err(ImageError::LabelAddress { memory, label: label.clone(), address, words });
                }
            }
        }
        Ok(())
    }
}

/// True for a name that the assembler reads as a label.
pub(super) fn is_label(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    starts && goes_on && name.len() <= LABEL_CHARACTERS && name != "_"
}

fn write_words<S: Serializer>(words: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(words.iter().map(|word| format!("{word:#010x}")))
}

fn read_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    struct Words;
    impl<'de> Visitor<'de> for Words {
        type Value = Vec<u32>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of words")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<u32>, A::Error> {
            let mut words = Vec::new();
            while let Some(text) = seq.next_element::<String>()? {
                let digits = text.strip_prefix("0x").filter(|d| d.len() == 8 && !d.starts_with('+'));
                let word = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
                words.push(word.ok_or_else(|| {
                    A::Error::custom(format_args!(
                        "`{text}` is not a word: `0x` and eight hexadecimal digits"
                    ))
                })?);
            }
            Ok(words)
        }
    }
    deserializer.deserialize_seq(Words)
}

/// Reads a map and refuses a key that occurs twice, of which `serde_json` alone would keep the last value.
fn read_labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u16>, D::Error> {
    struct Labels;
    impl<'de> Visitor<'de> for Labels {
        type Value = BTreeMap<String, u16>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map from labels to addresses")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BTreeMap<String, u16>, A::Error> {
            let mut labels = BTreeMap::new();
            while let Some((label, address)) = map.next_entry::<String, u16>()? {
                if labels.contains_key(&label) {
                    return Err(A::Error::custom(format_args!("label `{label}` stands twice")));
                }
                labels.insert(label, address);
            }
            Ok(labels)
        }
    }
    deserializer.deserialize_map(Labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Image {
        Image {
            l1: vec![0xfc00_0000, 7],
            l2: vec![0x1234_abcd],
            l1_labels: [("end".to_owned(), 1)].into(),
            l2_labels: [("mul".to_owned(), 0)].into(),
        }
    }

    #[test]
    fn json_round_trip() {
        let text = sample().to_json();
        assert!(text.contains("\"0xfc000000\"") && text.contains("\"mul\": 0"), "{text}");
        assert_eq!(Image::from_json(&text).unwrap(), sample());
    }

    #[test]
    fn what_is_no_image_is_refused() {
        let good = sample().to_json();
        let says = |text: &str| Image::from_json(text).unwrap_err().to_string();
        assert!(says("[]").contains("image: "));
        for (from, to, why) in [
            ("0xfc000000", "0xfc0000000", "is not a word"),
            ("0xfc000000", "fc000000", "is not a word"),
            ("0xfc000000", "0x+c000000", "is not a word"),
            ("\"l1_labels\"", "\"labels\"", "unknown field"),
            ("\"mul\"", "\"3mul\"", "`3mul` is not a label"),
            ("\"mul\": 0", "\"mul\": 1", "`mul` names address 1 of 1 words"),
            ("\"mul\": 0", "\"mul\": 0, \"mul\": 0", "stands twice"),
            ("\"mul\": 0", "\"mul\": -1", "invalid value"),
        ] {
            let text = good.replace(from, to);
            assert!(text != good && says(&text).contains(why), "{to}: {}", says(&text));
        }
        let mut long = sample();
        long.l2 = vec![0; 1025];
        assert!(says(&long.to_json()).contains("l2 has 1025 words"));
        assert!(matches!(Image::from_json(&" ".repeat((1 << 20) + 1)), Err(ImageError::TooLong(1_048_577))));
    }
}
