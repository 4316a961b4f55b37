//! Describes a file from its headers: kind, sizes, counts and sections.

use crate::container::{Container, Cursor, Section, widen};
use crate::hexadecimal::to_hex;
use crate::json::{Declared, parse};
use crate::primes::PrimeRole;
use crate::probe::{FileKind, probe};
use crate::r1cs::Counts;
use crate::{CurveId, FileBytes, FormatError, ptau, zkey};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use blake2::{Blake2b512, Digest};
use core::fmt;
use pairwright_curve::{Pairing, for_each_curve};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The description of a file. Members that a kind of file does not have are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// The file's name.
    pub file: String,
    /// The kind of file, recognised from its first bytes.
    pub kind: FileKind,
    /// Size of the file in bytes.
    pub size: u64,
    /// The BLAKE2b-512 hash of the whole file, in hexadecimal.
    pub blake2b: String,
    /// The name of the curve in circom and snarkjs.
    pub curve: Option<&'static str>,
    /// The format's version.
    pub version: Option<u32>,
    /// The proof system that a key or a proof belongs to.
    pub protocol: Option<String>,
    /// Number of constraints of a circuit.
    pub constraints: Option<u64>,
    /// Number of wires of a circuit or key, or of values of a witness.
    pub wires: Option<u64>,
    /// Number of public outputs of a circuit.
    pub outputs: Option<u64>,
    /// Number of public inputs of a circuit.
    pub public_inputs: Option<u64>,
    /// Number of private inputs of a circuit.
    pub private_inputs: Option<u64>,
    /// Number of signals of a circuit before the compiler merged them into wires.
    pub labels: Option<u64>,
    /// Number of public values, without the constant one.
    pub public: Option<u64>,
    /// Number of points of a key's evaluation domain.
    pub domain: Option<u64>,
    /// Number of entries of the constraint matrices A and B in a Groth16 key.
    pub coefficients: Option<u64>,
    /// Number of gates of a Plonk or fflonk key.
    pub gates: Option<u64>,
    /// Number of wires that a Plonk or fflonk key adds to those of its circuit.
    pub additions: Option<u64>,
    /// Hash of the circuit that a key names, in hexadecimal.
    pub circuit_hash: Option<String>,
    /// Number of contributions to a key or to powers of tau.
    pub contributions: Option<u64>,
    /// The power of powers of tau, which suffice for circuits of up to `2^power` rows.
    pub power: Option<u32>,
    /// The power of the whole ceremony of powers of tau, of which the file may be a part.
    pub ceremony_power: Option<u32>,
    /// Whether powers of tau are prepared for phase 2.
    pub prepared: Option<bool>,
    /// The sections, in the order of the file.
    pub sections: Vec<SectionInfo>,
}

/// The description of a section of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionInfo {
    /// The section's type number in its format.
    pub id: u32,
    /// The section's name.
    pub name: &'static str,
    /// Offset of the section's body, in bytes from the start of the file.
    pub offset: u64,
    /// Size of the section's body in bytes.
    pub size: u64,
}

/// Describes a file. The headers are read and the whole file is hashed; points and values are not looked at. A file without a
/// header (a challenge, a response, a key in bellman's form) is recognised by its size and its first points.
///
/// # Errors
/// When the kind is not known, or the container or a header is wrong.
pub fn inspect(path: impl AsRef<Path>) -> Result<Inspection, FormatError> {
    inspect_bytes(&FileBytes::open(path)?)
}

/// As [`inspect`], for a file that is already open or in memory.
///
/// # Errors
/// As [`inspect`].
pub fn inspect_bytes(file: &FileBytes) -> Result<Inspection, FormatError> {
    let (mut out, bare) = match probe(file) {
        Ok(probe) => {
            let curve = probe.curve().ok().map(CurveId::name);
            (Inspection { curve, ..Inspection::of(probe.kind()) }, false)
        }
        Err(unknown @ FormatError::UnknownKind { .. }) => (headless(file).ok_or(unknown)?, true),
        Err(other) => return Err(other),
    };
    out.file = file.name().to_string();
    out.size = widen(file.len());
    out.blake2b = to_hex(&Blake2b512::digest(&**file));
    match out.kind.format() {
        Some(format) => {
            let container = Container::open(file.clone(), format)?;
            out.version = Some(format.version);
            out.sections = container.sections().iter().map(SectionInfo::of).collect();
            if out.kind == FileKind::Zkey
                && let Some(names) = zkey::sections_of(zkey::protocol(&container)?)
            {
                for section in &mut out.sections {
                    section.name =
                        names.iter().find(|(id, _)| *id == section.id).map_or("unknown", |(_, n)| n);
                }
            }
            out.binary(&container)?;
        }
        None if bare => {}
        None => out.json(file)?,
    }
    Ok(out)
}

macro_rules! of_any_curve {
    (curves { $($id:ident [$pairing:ty] $($text:literal)+;)+ } fixtures $fixtures:tt) => {
        /// The description of a file without a header, if its size and first points are those of a challenge, a response or a
        /// key in bellman's form on one of the curves.
        fn headless(file: &FileBytes) -> Option<Inspection> {
            None $(.or_else(|| recognise::<$pairing>(file, CurveId::$id)))+
        }
    };
}
for_each_curve!(of_any_curve);

fn recognise<E: Pairing>(file: &FileBytes, curve: CurveId) -> Option<Inspection> {
    let bare = |kind| Inspection { curve: Some(curve.name()), ..Inspection::of(kind) };
    for (kind, is_response) in [(FileKind::Challenge, false), (FileKind::Response, true)] {
        if let Some(power) = ptau::recognised_power::<E>(file, is_response) {
            return Some(Inspection { power: Some(power), ..bare(kind) });
        }
    }
    let key = zkey::MpcParameters::<E>::read(file.clone()).ok()?;
    Some(Inspection {
        wires: Some(widen(key.wires())),
        public: Some(widen(key.public())),
        domain: Some(widen(key.domain_size())),
        contributions: Some(widen(key.contributions())),
        circuit_hash: Some(to_hex(key.circuit_hash())),
        ..bare(FileKind::MpcParameters)
    })
}

impl Inspection {
    /// A description that has only the kind of the file yet.
    fn of(kind: FileKind) -> Self {
        Self {
            file: String::new(),
            kind,
            size: 0,
            blake2b: String::new(),
            curve: None,
            version: None,
            protocol: None,
            constraints: None,
            wires: None,
            outputs: None,
            public_inputs: None,
            private_inputs: None,
            labels: None,
            public: None,
            domain: None,
            coefficients: None,
            gates: None,
            additions: None,
            circuit_hash: None,
            contributions: None,
            power: None,
            ceremony_power: None,
            prepared: None,
            sections: Vec::new(),
        }
    }

    fn binary(&mut self, container: &Container) -> Result<(), FormatError> {
        match self.kind {
            FileKind::R1cs => {
                let head = container.section(1)?;
                let mut cursor = past_prime(&head)?;
                let counts = Counts::read(&mut cursor)?;
                let [wires, outputs, public, private] = counts.wires.map(u64::from);
                self.wires = Some(wires);
                self.outputs = Some(outputs);
                self.public_inputs = Some(public);
                self.private_inputs = Some(private);
                self.public = outputs.checked_add(public);
                self.labels = Some(counts.labels);
                self.constraints = Some(counts.constraints.into());
            }
            FileKind::Wtns => {
                let head = container.section(1)?;
                self.wires = Some(past_prime(&head)?.u32("the number of values")?.into());
            }
            FileKind::Zkey => {
                let id = zkey::protocol(container)?;
                self.protocol = Some(zkey::protocol_name(id));
                // The headers of Plonk and fflonk keys begin with the same members.
                let head = zkey::ZkeyGlance::read(container)?;
                self.wires = Some(head.wires.into());
                self.public = Some(head.public.into());
                self.domain = Some(head.domain.into());
                if id == 2 || id == 10 {
                    let [additions, gates] = zkey::plonk_counts(container)?;
                    (self.additions, self.gates) = (Some(additions.into()), Some(gates.into()));
                }
                if id == 1 {
                    let coefficients = container.section(4)?;
                    self.coefficients = Some(coefficients.cursor().u32("the coefficients")?.into());
                    if let Some(section) = container.optional(10) {
                        let mut cursor = section.cursor();
                        let hash: [u8; 64] = cursor.array("the hash of the circuit")?;
                        self.circuit_hash = Some(to_hex(&hash));
                        self.contributions = Some(cursor.u32("the contributions")?.into());
                    }
                }
            }
            FileKind::Ptau => {
                let head = ptau::PtauGlance::read(container)?;
                self.power = Some(head.power);
                self.ceremony_power = Some(head.ceremony_power);
                self.prepared = Some(head.prepared);
                self.contributions = head.contributions.map(u64::from);
            }
            // Files of the other kinds are not containers.
            _ => {}
        }
        Ok(())
    }

    fn json(&mut self, file: &FileBytes) -> Result<(), FormatError> {
        if self.kind == FileKind::Public {
            let list: Vec<serde::de::IgnoredAny> = parse(file)?;
            self.public = Some(widen(list.len()));
            return Ok(());
        }
        self.protocol = parse::<Declared>(file)?.protocol;
        self.public = parse::<PublicCount>(file)?.count;
        Ok(())
    }

    /// The rows of the table that is printed: label and value.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let text = |x: &Option<u64>| x.map(|n| n.to_string());
        let prepared = self.prepared.map(|p| if p { "yes" } else { "no (raw)" }.to_owned());
        let rows = [
            ("kind", Some(self.kind.to_string())),
            ("curve", self.curve.map(str::to_owned)),
            ("protocol", self.protocol.clone()),
            ("version", self.version.map(|v| v.to_string())),
            ("size", Some(format!("{} bytes", self.size))),
            ("constraints", text(&self.constraints)),
            ("wires", text(&self.wires)),
            ("outputs", text(&self.outputs)),
            ("public inputs", text(&self.public_inputs)),
            ("private inputs", text(&self.private_inputs)),
            ("labels", text(&self.labels)),
            ("public values", text(&self.public)),
            ("domain", text(&self.domain)),
            ("coefficients", text(&self.coefficients)),
            ("gates", text(&self.gates)),
            ("additions", text(&self.additions)),
            ("power", self.power.map(|p| format!("{p} (up to 2^{p} rows)"))),
            ("ceremony power", self.ceremony_power.map(|p| p.to_string())),
            ("prepared", prepared),
            ("contributions", text(&self.contributions)),
            ("circuit hash", self.circuit_hash.clone()),
            ("blake2b", Some(self.blake2b.clone())),
        ];
        rows.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        for (name, value) in self.rows() {
            write!(f, "\n  {name:<15} {value}")?;
        }
        if !self.sections.is_empty() {
            write!(
                f,
                "\n  {:<15} {:>4}  {:<25} {:>14} {:>14}",
                "sections", "type", "name", "offset", "bytes"
            )?;
        }
        for s in &self.sections {
            write!(f, "\n  {:<15} {:>4}  {:<25} {:>14} {:>14}", "", s.id, s.name, s.offset, s.size)?;
        }
        Ok(())
    }
}

impl SectionInfo {
    fn of(section: &Section) -> Self {
        Self { id: section.id(), name: section.name(), offset: section.offset(), size: section.size() }
    }
}

/// The member of a verification key that counts its public values.
#[derive(Deserialize)]
struct PublicCount {
    #[serde(rename = "nPublic")]
    count: Option<u64>,
}

/// A cursor on a header after the scalar field's prime, which is skipped.
fn past_prime(head: &Section) -> Result<Cursor<'_>, FormatError> {
    let mut cursor = head.cursor();
    cursor.curve(PrimeRole::Scalar)?;
    Ok(cursor)
}
