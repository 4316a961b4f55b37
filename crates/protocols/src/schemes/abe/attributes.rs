//! The attributes of a key: each is a name with one value or with every value.

use super::blake::value_scalar;
use super::bytes::{AbeReader, put_length, put_part, put_scalar};
use super::error::MOST;
use super::policy::is_word;
use super::{AbeError, AttributeError, EncodingFault};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::Fr;
use pairwright_field::Field;

/// The name of the reserved attribute of the transform of Boneh and Katz. Every key has it with every value, and every policy is
/// extended to ask for it with the identity of the ciphertext as its value. A policy cannot name it, because names have no hyphens.
pub(super) const RESERVED: &str = "internal-boneh-katz-transform-attribute";

/// The text that stands for every value.
const WILD: &str = "*";

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// One value, as the scalar to which it is hashed.
    One(Fr),
    /// A wildcard: every value.
    Every,
}

impl Value {
    /// The scalar in an encoding, which is zero for [`Self::Every`].
    fn scalar(self) -> Fr {
        match self {
            Self::One(value) => value,
            Self::Every => Fr::ZERO,
        }
    }
}

/// A set of attributes, in which each name occurs once. It holds the hashes of the values and not their texts, because keys contain
/// only the hashes.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Attributes(pub(super) BTreeMap<String, Value>);

impl Attributes {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute. Its value may be any text, but a policy can only ask for values that are words.
    ///
    /// # Errors
    /// When the name is not a word of letters, digits and underscores or is already in the set, or the value is empty.
    pub fn insert(&mut self, name: &str, value: &str) -> Result<(), AttributeError> {
        if value.is_empty() {
            return Err(AttributeError::NoValue(name.to_owned()));
        }
        self.add(name, Value::One(value_scalar(value.as_bytes())))
    }

    /// Adds an attribute with every value: it satisfies both `name: value` and `not name: value`, whatever the value.
    ///
    /// # Errors
    /// When the name is not a word of letters, digits and underscores or is already in the set.
    pub fn insert_wildcard(&mut self, name: &str) -> Result<(), AttributeError> {
        self.add(name, Value::Every)
    }

    /// Adds the attribute of a text like `role: admin`: a name, a colon and a value, with optional white space around them. The value
    /// `*` stands for every value.
    ///
    /// # Errors
    /// When there is no colon, and as [`Self::insert`].
    pub fn insert_text(&mut self, text: &str) -> Result<(), AttributeError> {
        let (name, value) = text.split_once(':').ok_or_else(|| AttributeError::Text(text.to_owned()))?;
        match (name.trim(), value.trim()) {
            (name, WILD) => self.insert_wildcard(name),
            (name, value) => self.insert(name, value),
        }
    }

    fn add(&mut self, name: &str, value: Value) -> Result<(), AttributeError> {
        if name.is_empty() {
            return Err(AttributeError::NoName);
        }
        if !is_word(name) {
            return Err(AttributeError::Name(name.to_owned()));
        }
        if self.0.contains_key(name) {
            return Err(AttributeError::Twice(name.to_owned()));
        }
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// The names in ascending order, each with a flag that tells whether the attribute has every value.
    pub fn names(&self) -> impl Iterator<Item = (&str, bool)> + '_ {
        self.0.iter().map(|(name, value)| (name.as_str(), *value == Value::Every))
    }

    /// Number of attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The set with the reserved attribute, as in a key.
    pub(super) fn with_reserved(&self) -> Self {
        let mut all = self.clone();
        all.0.insert(RESERVED.to_owned(), Value::Every);
        all
    }

    /// The set without the reserved attribute.
    pub(super) fn without_reserved(&self) -> Self {
        let mut own = self.clone();
        own.0.remove(RESERVED);
        own
    }

    /// The encoding within a key: the count, then for each attribute, in ascending order of names, its name, flag and scalar.
    ///
    /// # Errors
    /// When the encoding does not fit the length field of a key.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, AttributeError> {
        // Checked first, because a name that is too long does not fit its own length field.
        let found = self.size();
        if found > MOST {
            return Err(AttributeError::TooMany { found, most: MOST });
        }
        Ok(self.counted_bytes())
    }

    /// Number of bytes of the encoding.
    fn size(&self) -> usize {
        self.0.keys().fold(2, |sum, name| sum + 2 + name.len() + 1 + super::algebra::SCALAR)
    }

    /// The encoding of attributes that are known to fit its length field, such as those of a key, which were checked when the key was
    /// derived or read.
    pub(super) fn counted_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size());
        put_length(&mut out, self.0.len(), 2);
        for (name, value) in &self.0 {
            put_part(&mut out, name.as_bytes());
            out.push(u8::from(*value == Value::Every));
            put_scalar(&mut out, &value.scalar());
        }
        out
    }

    /// Reads the attributes of a key, including the reserved one. Names need not be words: another implementation may make keys for
    /// names that cannot occur in a policy here.
    pub(super) fn read(mut part: AbeReader<'_>) -> Result<Self, AbeError> {
        const FIELD: &str = "attributes";
        let mut all = BTreeMap::new();
        let mut last = "";
        for _ in 0..part.u16(FIELD)? {
            let before = part;
            let name = part.name(FIELD)?;
            if name <= last {
                return Err(before.fault(FIELD, EncodingFault::Order));
            }
            last = name;
            let wild = part.flag(FIELD)?;
            let at = part;
            let value = match (wild, part.scalar(FIELD)?) {
                (true, value) if value.is_zero() => Value::Every,
                (true, _) => return Err(at.fault(FIELD, EncodingFault::WildValue)),
                (false, value) => Value::One(value),
            };
            all.insert(name.to_owned(), value);
        }
        part.end(FIELD)?;
        if all.get(RESERVED) != Some(&Value::Every) {
            return Err(part.fault(FIELD, EncodingFault::NoReserved));
        }
        Ok(Self(all))
    }
}
