//! The keys that an authority derives for sets of attributes: derivation and encoding.

use super::algebra::Matrix;
use super::attributes::{Attributes, Value};
use super::bytes::{AbeReader, put_column, put_length, put_part};
use super::error::MOST;
use super::oracle::{Points, at_values, name_points, name_scalars};
use super::sums::{Sums, column};
use super::{AbeError, EncodingFault, MasterKey};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::{Bls12_381, G1, G2};
use pairwright_curve::{Affine, Curve};
use pairwright_device::Session;
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

/// A column of four points of G1.
pub(super) type Four = [Affine<G1>; 4];

/// The key of a set of attributes, which decrypts ciphertexts whose policy the attributes satisfy. Wiped when dropped.
#[derive(Clone)]
pub struct AttributeKey {
    /// The attributes of the key, including the reserved one.
    pub(super) attributes: Attributes,
    pub(super) k1: [Affine<G2>; 3],
    pub(super) k2: Four,
    /// One column per attribute; for an attribute with every value, the part that a value multiplies.
    pub(super) k3: BTreeMap<String, Four>,
    /// One column per attribute with every value: the constant part.
    pub(super) k3_wild: BTreeMap<String, Four>,
}

impl MasterKey {
    /// Derives the key of a set of attributes. Keys of different derivations cannot be combined, whatever their attributes are.
    ///
    /// Constant time in the secrets; attributes are treated as public.
    ///
    /// # Errors
    /// When the attributes do not fit the length field of a key, or the device fails.
    pub fn derive(
        &self,
        on: &mut Session<'_, Bls12_381>,
        attributes: &Attributes,
        rng: &mut dyn CryptoRng,
    ) -> Result<AttributeKey, AbeError> {
        on.phase("abe derive");
        let attributes = attributes.with_reserved();
        attributes.to_bytes()?;
        let s = Matrix::<2, 1>::random(rng);
        let a_s = self.a.times(&s);
        let mut sums = Sums::<G2>::with_room(3);
        a_s.entries().for_each(|scalar| sums.add([(G2::GENERATOR, scalar)]));
        let k1 = column(&mut sums.compute(on)?.into_iter())?;

        let names: Vec<&str> = attributes.0.keys().map(String::as_str).collect();
        let matrices = name_points(on, &names)?;
        let held = matrices.iter().zip(attributes.0.values()).filter_map(|(u, value)| match value {
            Value::One(value) => Some((u, *value)),
            Value::Every => None,
        });
        let mut at_values = at_values(on, &held.collect::<Vec<_>>())?.into_iter();
        // Each part has four rows, each with six products of the name's points and one of the generator.
        let mut sums = Sums::<G1>::with_room(4 + names.len() * 2 * 4 * 7);
        let constant = self.wt_a.times(&s).plus(&self.k);
        constant.entries().for_each(|scalar| sums.add([(G1::GENERATOR, scalar)]));
        // B*·Uᵗ·A·s + B*₁₂·Vᵗ·A·s.
        let mut add = |u: &Points, v: &Matrix<3, 2>| {
            let tail = self.b_star_12.times(&v.transposed()).times(&a_s);
            for row in 0..4 {
                let entries = u.iter().zip(a_s.entries());
                let products = entries.flat_map(|(points, a_s)| {
                    points.iter().zip(self.b_star.0[row]).map(move |(point, b)| (*point, b * a_s))
                });
                sums.add(products.chain([(G1::GENERATOR, tail.at(row, 0))]));
            }
        };
        for ((name, value), [u0, u1]) in attributes.0.iter().zip(&matrices) {
            let [v0, v1] = name_scalars(self.prf.as_slice(), name);
            match value {
                Value::One(value) => {
                    at_values.next().iter().for_each(|u| add(u, &v0.scaled(*value).plus(&v1)));
                }
                Value::Every => {
                    add(u0, &v0);
                    add(u1, &v1);
                }
            }
        }
        let mut columns = sums.compute(on)?.into_iter();
        let k2 = column(&mut columns)?;
        let (mut k3, mut k3_wild) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in &attributes.0 {
            k3.insert(name.clone(), column(&mut columns)?);
            if *value == Value::Every {
                k3_wild.insert(name.clone(), column(&mut columns)?);
            }
        }
        Ok(AttributeKey { attributes, k1, k2, k3, k3_wild })
    }
}

impl AttributeKey {
    /// The attributes of the key, without the reserved one.
    pub fn attributes(&self) -> Attributes {
        self.attributes.without_reserved()
    }

    /// Reads the encoding of CIRCL. Points are checked to be in their subgroups. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AbeError> {
        let mut reader = AbeReader::new("attribute key", bytes);
        let attributes = Attributes::read(reader.part(2, "attributes")?)?;
        let k1 = reader.column("k1")?;
        let k2 = reader.column("k2")?;
        let k3 = read_map(&mut reader, "k3", attributes.0.keys())?;
        let wild = attributes.0.iter().filter(|(_, value)| **value == Value::Every).map(|(name, _)| name);
        let k3_wild = read_map(&mut reader, "k3 of every value", wild)?;
        reader.end("the end")?;
        Ok(Self { attributes, k1, k2, k3, k3_wild })
    }

    /// The encoding of CIRCL, which is secret.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        // The capacity is reserved for the whole key, because a vector that grows leaves copies of its contents behind.
        let names: usize =
            self.k3.keys().chain(self.k3_wild.keys()).map(|name| name.len() + 8 + 4 * 96).sum();
        let mut out = Zeroizing::new(Vec::with_capacity(MOST + names + 6 * 192));
        // The attributes fit their length field: this was checked when the key was derived or read.
        put_part(&mut out, &self.attributes.counted_bytes());
        put_column(&mut out, &self.k1);
        put_column(&mut out, &self.k2);
        for map in [&self.k3, &self.k3_wild] {
            put_length(&mut out, map.len(), 2);
            for (name, points) in map {
                put_part(&mut out, name.as_bytes());
                put_column(&mut out, points);
            }
        }
        out
    }
}

/// Reads columns of points with their names, which must be the expected ones in their order.
fn read_map<'n>(
    reader: &mut AbeReader<'_>,
    field: &'static str,
    names: impl Iterator<Item = &'n String> + Clone,
) -> Result<BTreeMap<String, Four>, AbeError> {
    let before = *reader;
    let (expected, found) = (names.clone().count(), reader.u16(field)?);
    if found != expected {
        return Err(before.fault(field, EncodingFault::Count { expected, found }));
    }
    let mut map = BTreeMap::new();
    for name in names {
        let before = *reader;
        if reader.name(field)? != name {
            return Err(before.fault(field, EncodingFault::Names));
        }
        map.insert(name.to_owned(), reader.column(field)?);
    }
    Ok(map)
}

impl Drop for AttributeKey {
    fn drop(&mut self) {
        self.k1.iter_mut().for_each(Zeroize::zeroize);
        let maps = self.k3.values_mut().chain(self.k3_wild.values_mut());
        maps.chain([&mut self.k2]).flatten().for_each(Zeroize::zeroize);
    }
}

/// Prints the names of the attributes and nothing of the key.
impl fmt::Debug for AttributeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.attributes.names().map(|(name, _)| name)).finish()
    }
}
