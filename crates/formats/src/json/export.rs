//! Writes constraints, witnesses, Groth16 keys and powers of tau as JSON, with the same bytes as `snarkjs … export json` except
//! for powers of tau. Entries are printed as they are read, so that a file of any size takes the memory of only a few thousand
//! entries.

use super::Coordinate;
use super::write::{coordinates, flat_coordinates};
use crate::ceremony::Beacon;
use crate::hexadecimal::to_hex;
use crate::sizes::chunks;
use crate::{FormatError, PtauFile, R1csFile, WtnsFile, ZkeyFile};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::ControlFlow;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::{Source, SourceError};
use pairwright_protocols::groth16::PowersOfTau;
use pairwright_protocols::r1cs::{Combination, ConstraintSource};
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Number of points that are in memory at a time.
const CHUNK: usize = 1 << 12;

/// Writes the constraints of a circuit with their sizes and labels, as `snarkjs r1cs export json` does, byte for byte.
///
/// # Errors
/// When a constraint is malformed or `out` fails.
#[inline(never)]
pub fn write_r1cs_json<F: PrimeField>(out: &mut dyn Write, system: &R1csFile<F>) -> Result<(), FormatError> {
    let shape = system.shape();
    let combination = |terms: &Combination<F>| -> BTreeMap<u32, String> {
        terms.iter().map(|(wire, factor)| (*wire, factor.to_decimal())).collect()
    };
    let constraints = |each: &mut Each<'_, [BTreeMap<u32, String>; 3]>| {
        system.visit(&mut |_, k| each([&k.a, &k.b, &k.c].map(combination)))
    };
    let map = |each: &mut Each<'_, u64>| {
        for label in (0..shape.wires).map_while(|wire| system.label(wire)) {
            if each(label).is_break() {
                break;
            }
        }
        Ok(())
    };
    let fault = RefCell::default();
    let document = CircuitExport {
        n8: F::BYTES,
        prime: F::modulus_decimal(),
        nVars: shape.wires,
        nOutputs: shape.outputs,
        nPubInputs: shape.public_inputs,
        nPrvInputs: shape.private_inputs,
        nLabels: system.labels(),
        nConstraints: shape.constraints,
        useCustomGates: false,
        constraints: Listed { visit: &constraints, fault: &fault },
        map: Listed { visit: &map, fault: &fault },
        customGates: [],
        customGatesUses: [],
    };
    print(out, &fault, &document)
}

/// Writes the values of a witness in decimal, as `snarkjs wtns export json` does, byte for byte.
///
/// # Errors
/// When a value is not below the modulus or `out` fails.
#[inline(never)]
pub fn write_wtns_json<F: PrimeField>(out: &mut dyn Write, wtns: &WtnsFile<F>) -> Result<(), FormatError> {
    let witness = wtns.witness()?;
    let values = |each: &mut Each<'_, String>| {
        for value in witness.iter() {
            if each(value.to_decimal()).is_break() {
                break;
            }
        }
        Ok(())
    };
    let fault = RefCell::default();
    let document = Listed { visit: &values, fault: &fault };
    print(out, &fault, &document)
}

/// Writes a Groth16 key with its points and coefficients, as `snarkjs zkey export json` does, byte for byte. The record of
/// contributions is not part of it.
///
/// # Errors
/// When a point or a coefficient is malformed or `out` fails.
#[inline(never)]
pub fn write_zkey_json<E: Pairing>(out: &mut dyn Write, zkey: &ZkeyFile<E>) -> Result<(), FormatError> {
    let key = zkey.proving_key()?;
    let coefficients = |each: &mut Each<'_, Coefficient>| {
        let mut ended = false;
        for range in chunks(key.coefficients.len(), CHUNK) {
            key.coefficients.read(range, &mut |e| {
                let value = e.value.to_decimal();
                let entry = Coefficient { matrix: e.matrix, constraint: e.row, signal: e.column, value };
                ended |= ended || each(entry).is_break();
            })?;
            if ended {
                break;
            }
        }
        Ok(())
    };
    let a = |each: &mut Each<'_, _>| in_g1::<E>(key.a.as_ref(), each);
    let b1 = |each: &mut Each<'_, _>| in_g1::<E>(key.b_g1.as_ref(), each);
    let b2 = |each: &mut Each<'_, Vec<Coordinate>>| {
        points(key.b_g2.as_ref(), &mut |point| each(coordinates(&point)))
    };
    // Public wires have no point in this section; snarkjs prints a null entry for each.
    let c = |each: &mut Each<'_, _>| {
        for _ in 0..=key.public {
            if each(None).is_break() {
                return Ok(());
            }
        }
        in_g1::<E>(key.c.as_ref(), each)
    };
    let h = |each: &mut Each<'_, _>| in_g1::<E>(key.h.as_ref(), each);
    let fault = RefCell::default();
    let document = KeyExport {
        protocol: "groth16",
        n8q: E::Fq::BYTES,
        q: E::Fq::modulus_decimal(),
        n8r: E::Fr::BYTES,
        r: E::Fr::modulus_decimal(),
        nVars: key.wires,
        nPublic: key.public,
        domainSize: key.domain.size(),
        power: key.domain.log_size(),
        vk_alpha_1: flat_coordinates(&key.vk.alpha_g1),
        vk_beta_1: flat_coordinates(&key.beta_g1),
        vk_beta_2: coordinates(&key.vk.beta_g2),
        vk_gamma_2: coordinates(&key.vk.gamma_g2),
        vk_delta_1: flat_coordinates(&key.delta_g1),
        vk_delta_2: coordinates(&key.vk.delta_g2),
        IC: key.vk.ic.iter().map(flat_coordinates).collect(),
        ccoefs: Listed { visit: &coefficients, fault: &fault },
        A: Listed { visit: &a, fault: &fault },
        B1: Listed { visit: &b1, fault: &fault },
        B2: Listed { visit: &b2, fault: &fault },
        C: Listed { visit: &c, fault: &fault },
        hExps: Listed { visit: &h, fault: &fault },
    };
    print(out, &fault, &document)
}

/// Writes powers of tau with their contributions, points by their coordinates. The members are those of `snarkjs powersoftau export
/// json`, which prints the bytes of a point as one number of the scalar field; hashes are hexadecimal here.
///
/// # Errors
/// When a point or a record is malformed or `out` fails.
#[inline(never)]
pub fn write_ptau_json<E: Pairing>(out: &mut dyn Write, ptau: &PtauFile<E>) -> Result<(), FormatError> {
    let contributions = ptau.read_contributions()?.into_iter().map(|made| ContributionExport {
        name: made.name,
        r#type: u8::from(made.beacon.is_some()),
        responseHash: to_hex(&made.hash),
        nextChallenge: to_hex(&made.next_challenge),
        beaconHash: made.beacon.as_ref().map(|beacon| to_hex(beacon.value())),
        numIterationsExp: made.beacon.as_ref().map(Beacon::log_hashes),
    });
    let fault = RefCell::default();
    let tau_g1 = |each: &mut Each<'_, _>| in_g1::<E>(ptau.tau_g1(), each);
    let tau_g2 =
        |each: &mut Each<'_, Vec<Coordinate>>| points(ptau.tau_g2(), &mut |point| each(coordinates(&point)));
    let alpha_tau_g1 = |each: &mut Each<'_, _>| in_g1::<E>(ptau.alpha_tau_g1(), each);
    let beta_tau_g1 = |each: &mut Each<'_, _>| in_g1::<E>(ptau.beta_tau_g1(), each);
    let document = PowersExport {
        q: E::Fq::modulus_decimal(),
        power: ptau.power(),
        ceremonyPower: ptau.ceremony_power(),
        contributions: contributions.collect(),
        tauG1: Listed { visit: &tau_g1, fault: &fault },
        tauG2: Listed { visit: &tau_g2, fault: &fault },
        alphaTauG1: Listed { visit: &alpha_tau_g1, fault: &fault },
        betaTauG1: Listed { visit: &beta_tau_g1, fault: &fault },
        betaG2: coordinates(&ptau.beta_g2()),
    };
    print(out, &fault, &document)
}

/// Visits the points of a list in G1, as decimal coordinates.
fn in_g1<E: Pairing>(
    source: &dyn Source<Affine<E::G1>>,
    each: &mut Each<'_, Option<Vec<String>>>,
) -> Result<(), SourceError> {
    points(source, &mut |point| each(Some(flat_coordinates(&point))))
}

/// The members of powers of tau in JSON, with the names of snarkjs.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of the file")]
struct PowersExport<'a> {
    q: String,
    power: u32,
    ceremonyPower: u32,
    contributions: Vec<ContributionExport>,
    tauG1: Listed<'a, Option<Vec<String>>>,
    tauG2: Listed<'a, Vec<Coordinate>>,
    alphaTauG1: Listed<'a, Option<Vec<String>>>,
    betaTauG1: Listed<'a, Option<Vec<String>>>,
    betaG2: Vec<Coordinate>,
}

/// The members of a contribution to powers of tau; type 1 is a beacon.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of the file")]
struct ContributionExport {
    name: String,
    r#type: u8,
    responseHash: String,
    nextChallenge: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    beaconHash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numIterationsExp: Option<u8>,
}

/// The members of a circuit in JSON, with the names of snarkjs.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of the file")]
struct CircuitExport<'a> {
    n8: usize,
    prime: String,
    nVars: usize,
    nOutputs: usize,
    nPubInputs: usize,
    nPrvInputs: usize,
    nLabels: u64,
    nConstraints: usize,
    useCustomGates: bool,
    constraints: Listed<'a, [BTreeMap<u32, String>; 3]>,
    map: Listed<'a, u64>,
    customGates: [(); 0],
    customGatesUses: [(); 0],
}

/// The members of a Groth16 key in JSON, with the names of snarkjs.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of the file")]
struct KeyExport<'a> {
    protocol: &'static str,
    n8q: usize,
    q: String,
    n8r: usize,
    r: String,
    nVars: usize,
    nPublic: usize,
    domainSize: usize,
    power: u32,
    vk_alpha_1: Vec<String>,
    vk_beta_1: Vec<String>,
    vk_beta_2: Vec<Coordinate>,
    vk_gamma_2: Vec<Coordinate>,
    vk_delta_1: Vec<String>,
    vk_delta_2: Vec<Coordinate>,
    IC: Vec<Vec<String>>,
    ccoefs: Listed<'a, Coefficient>,
    A: Listed<'a, Option<Vec<String>>>,
    B1: Listed<'a, Option<Vec<String>>>,
    B2: Listed<'a, Vec<Coordinate>>,
    C: Listed<'a, Option<Vec<String>>>,
    hExps: Listed<'a, Option<Vec<String>>>,
}

/// An entry of matrix A (0) or B (1).
#[derive(Serialize)]
struct Coefficient {
    matrix: u32,
    constraint: u32,
    signal: u32,
    value: String,
}

/// A visitor of entries; returning `Break` ends the reading.
type Each<'a, T> = dyn FnMut(T) -> ControlFlow<()> + 'a;

/// A list that is printed as its entries are read.
struct Listed<'a, T> {
    visit: &'a dyn Fn(&mut Each<'_, T>) -> Result<(), SourceError>,
    /// The error of the source that ended the reading, if there was one.
    fault: &'a RefCell<Option<SourceError>>,
}

impl<T: Serialize> Serialize for Listed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut done = Ok(());
        let read = (self.visit)(&mut |entry| {
            done = list.serialize_element(&entry);
            if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        done?;
        read.map_err(|why| {
            self.fault.replace(Some(why));
            S::Error::custom("an entry could not be read")
        })?;
        list.end()
    }
}

/// Visits each point of a source; a few thousand points are in memory at a time.
fn points<C: Curve>(
    source: &dyn Source<Affine<C>>,
    each: &mut Each<'_, Affine<C>>,
) -> Result<(), SourceError> {
    let mut chunk = Vec::new();
    for range in chunks(source.len(), CHUNK) {
        chunk.clear();
        source.read(range, &mut chunk)?;
        if chunk.iter().any(|point| each(*point).is_break()) {
            break;
        }
    }
    Ok(())
}

/// Prints a document. If an entry could not be read, that error is returned rather than the printer's.
fn print<'a, T: Serialize>(
    out: &'a mut dyn Write,
    fault: &'a RefCell<Option<SourceError>>,
    document: &T,
) -> Result<(), FormatError> {
    let mut printer = serde_json::Serializer::with_formatter(out, Spread { depth: 0 });
    let printed = document.serialize(&mut printer);
    match fault.take() {
        Some(why) => Err(why.into()),
        None => printed.map_err(|e| FormatError::Write(e.into())),
    }
}

/// A JSON formatter with an indentation of one space that puts the closing bracket of an empty list or object on a line of its
/// own.
struct Spread {
    depth: usize,
}

impl Spread {
    fn begin<W: ?Sized + Write>(&mut self, to: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.saturating_add(1);
        to.write_all(bracket)
    }
    fn end<W: ?Sized + Write>(&mut self, to: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        self.line(to, true)?;
        to.write_all(bracket)
    }
    fn line<W: ?Sized + Write>(&self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"\n" } else { b",\n" })?;
        (0..self.depth).try_for_each(|_| to.write_all(b" "))
    }
}

impl Formatter for Spread {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"[")
    }
    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"]")
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.line(to, first)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"{")
    }
    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"}")
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.line(to, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}
