//! circom's `.r1cs`: header (1), constraints (2), labels of the wires (3), and custom gates (4, 5).

use crate::container::{Container, ContainerWriter, Cursor, Format, Section, count_u32, narrow, widen};
use crate::window::Window;
use crate::{FileBytes, FormatError};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use pairwright_field::{FieldError, PrimeField};
use pairwright_poly::SourceError;
use pairwright_protocols::r1cs::{Combination, Constraint, ConstraintSource, Shape};
use std::io::Write;
use std::path::Path;

pub(crate) const FORMAT: Format = Format {
    magic: "r1cs",
    version: 1,
    sections: &[
        (1, "header"),
        (2, "constraints"),
        (3, "wire labels"),
        (4, "custom gate list"),
        (5, "custom gate uses"),
    ],
};

/// Size in bytes of the smallest constraint, which has three empty linear combinations.
const LEAST_CONSTRAINT: u64 = 12;
/// Size of a wire's label, in bytes.
const LABEL: u64 = 8;

/// An `.r1cs` file: its header is in memory, its constraints are read as they are visited.
#[derive(Debug)]
pub struct R1csFile<F> {
    shape: Shape,
    labels: u64,
    constraints: Section,
    wire_labels: Section,
    field: PhantomData<F>,
}

impl<F: PrimeField> R1csFile<F> {
    /// Maps a file and reads its header.
    ///
    /// # Errors
    /// When the container, the prime or the counts are wrong, or the circuit uses custom gates. Constraints are not
    /// looked at.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads the header of bytes.
    ///
    /// # Errors
    /// As [`R1csFile::open`].
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        let container = Container::open(file, &FORMAT)?;
        let head = container.section(1)?;
        let mut cursor = head.cursor();
        cursor.modulus::<F>()?;
        let counts = Counts::read(&mut cursor)?;
        head.expect_size(Some(widen(cursor.position())))?;
        // circom's count of private inputs includes those that its optimiser removed, so only the public values are compared
        // with the wires.
        let [wires, outputs, public, private] = counts.wires.map(u64::from);
        let inputs = outputs.saturating_add(public);
        if wires <= inputs {
            return Err(FormatError::TooFewWires { at: head.place(0), wires, inputs });
        }
        let constraints = container.section(2)?;
        let room = constraints.size() / LEAST_CONSTRAINT;
        let declared = u64::from(counts.constraints);
        if declared > room {
            let at = constraints.place(0);
            return Err(FormatError::Count { at, what: "constraints", declared, room });
        }
        // Every wire has a label, so the file's length bounds the number of wires.
        let wire_labels = container.section(3)?;
        wire_labels.expect_size(wires.checked_mul(LABEL))?;
        if let Some(uses) = container.optional(5)
            && uses.cursor().u32("the number of custom gates")? != 0
        {
            return Err(FormatError::CustomGates { at: uses.place(0) });
        }
        let shape = Shape {
            wires: narrow(wires),
            outputs: narrow(outputs),
            public_inputs: narrow(public),
            private_inputs: narrow(private),
            constraints: narrow(declared),
        };
        Ok(Self { shape, labels: counts.labels, constraints, wire_labels, field: PhantomData })
    }

    /// Number of labels, which are the signals before the compiler merged them into wires.
    pub fn labels(&self) -> u64 {
        self.labels
    }

    /// The label of a wire, under which the compiler's `.sym` file lists it.
    pub fn label(&self, wire: usize) -> Option<u64> {
        self.wire_labels.bytes().as_chunks::<8>().0.get(wire).map(|b| u64::from_le_bytes(*b))
    }

    /// The mapped bytes of the file.
    pub fn file(&self) -> &FileBytes {
        self.constraints.file()
    }

    /// Decodes every constraint and returns the error of the first malformed one.
    ///
    /// # Errors
    /// When a constraint is cut short, names a wire that does not exist, has a coefficient not below the modulus, or
    /// bytes follow the last one.
    #[inline(never)]
    pub fn check(&self) -> Result<(), FormatError> {
        self.try_visit(&mut |_, _| ControlFlow::Continue(()))
    }

    fn try_visit(
        &self,
        each: &mut dyn FnMut(usize, &Constraint<F>) -> ControlFlow<()>,
    ) -> Result<(), FormatError> {
        let (mut window, signs) = (Window::new(&self.constraints), Signs::new());
        let mut constraint = Constraint { a: Vec::new(), b: Vec::new(), c: Vec::new() };
        for j in 0..self.shape.constraints {
            for side in [&mut constraint.a, &mut constraint.b, &mut constraint.c] {
                self.combination(&mut window, &signs, j, side)?;
            }
            if each(j, &constraint).is_break() {
                return Ok(());
            }
        }
        self.constraints.expect_size(Some(widen(window.position())))
    }

    fn combination(
        &self,
        window: &mut Window<'_>,
        signs: &Signs<F>,
        j: usize,
        out: &mut Combination<F>,
    ) -> Result<(), FormatError> {
        let at = window.place();
        let (index, wires) = (widen(j), widen(self.shape.wires));
        let count = narrow(window.u32("the length of a linear combination")?.into());
        let term = F::BYTES.saturating_add(4);
        let room = window.left().checked_div(term).unwrap_or(0);
        if count > room {
            let (declared, room) = (widen(count), widen(room));
            return Err(FormatError::Count { at, what: "terms of a linear combination", declared, room });
        }
        out.clear();
        out.reserve(count);
        for _ in 0..count {
            let at = window.position();
            let wire = window.u32("a wire")?;
            if u64::from(wire) >= wires {
                return Err(FormatError::NoSuchWire { at: self.constraints.place(at), index, wire, wires });
            }
            let bytes = window.take(F::BYTES, "a coefficient")?;
            let value = signs.read(bytes).map_err(|_| FormatError::NotReduced {
                at: self.constraints.place(at),
                index,
                field: F::NAME,
            })?;
            out.push((wire, value));
        }
        Ok(())
    }
}

/// The encodings of 1 and -1, which most coefficients are equal to.
struct Signs<F>([(Vec<u8>, F); 2]);

impl<F: PrimeField> Signs<F> {
    #[allow(clippy::arithmetic_side_effects)] // Arithmetic of a field: nothing overflows.
    fn new() -> Self {
        Self([F::ONE, -F::ONE].map(|value| {
            let mut bytes = vec![0; F::BYTES];
            value.write_le(&mut bytes);
            (bytes, value)
        }))
    }

    /// Decodes a coefficient from its canonical bytes.
    fn read(&self, bytes: &[u8]) -> Result<F, FieldError> {
        let known = self.0.iter().find(|(known, _)| known == bytes);
        known.map_or_else(|| F::read_le(bytes), |(_, value)| Ok(*value))
    }
}

impl<F: PrimeField> ConstraintSource<F> for R1csFile<F> {
    fn shape(&self) -> Shape {
        self.shape
    }
    fn visit(
        &self,
        each: &mut dyn FnMut(usize, &Constraint<F>) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        self.try_visit(each).map_err(FormatError::boxed)
    }
}

/// The counts in the header after the prime.
pub(crate) struct Counts {
    /// Number of wires, outputs, public inputs and private inputs, in this order.
    pub(crate) wires: [u32; 4],
    pub(crate) labels: u64,
    pub(crate) constraints: u32,
}

impl Counts {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            wires: [
                cursor.u32("the number of wires")?,
                cursor.u32("the number of outputs")?,
                cursor.u32("the number of public inputs")?,
                cursor.u32("the number of private inputs")?,
            ],
            labels: cursor.u64("the number of labels")?,
            constraints: cursor.u32("the number of constraints")?,
        })
    }
}

/// Writes an `.r1cs` file. The label of every wire is its index. The constraints are visited twice.
///
/// # Errors
/// When the constraints cannot be read, differ between the visits or are too many, or `out` fails.
#[inline(never)]
pub fn write_r1cs<F: PrimeField>(
    out: &mut dyn Write,
    system: &dyn ConstraintSource<F>,
) -> Result<(), FormatError> {
    let shape = system.shape();
    let term = widen(F::BYTES).saturating_add(4);
    let (mut size, mut count) = (0u64, 0usize);
    system.visit(&mut |_, k| {
        let terms = [&k.a, &k.b, &k.c].map(Vec::len).into_iter().fold(0, usize::saturating_add);
        size = size.saturating_add(LEAST_CONSTRAINT).saturating_add(term.saturating_mul(widen(terms)));
        count = count.saturating_add(1);
        ControlFlow::Continue(())
    })?;
    let mut file = ContainerWriter::new(out, &FORMAT, 3)?;
    file.section(1, widen(F::BYTES).saturating_add(32))?;
    file.put_modulus::<F>()?;
    for (what, n) in [
        ("wires", shape.wires),
        ("outputs", shape.outputs),
        ("public inputs", shape.public_inputs),
        ("private inputs", shape.private_inputs),
    ] {
        file.put_u32(count_u32(what, n)?)?;
    }
    file.put(&widen(shape.wires).to_le_bytes())?;
    file.put_u32(count_u32("constraints", count)?)?;

    file.section(2, size)?;
    let (mut bytes, mut failed) = (Vec::new(), None);
    system.visit(&mut |_, k| {
        bytes.clear();
        for side in [&k.a, &k.b, &k.c] {
            bytes.extend(u32::try_from(side.len()).unwrap_or(u32::MAX).to_le_bytes());
            for (wire, value) in side {
                bytes.extend(wire.to_le_bytes());
                push_le(&mut bytes, value);
            }
        }
        match file.put(&bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(()), Err)?;

    file.section(3, LABEL.saturating_mul(widen(shape.wires)))?;
    (0..widen(shape.wires)).try_for_each(|wire| file.put(&wire.to_le_bytes()))?;
    file.finish()
}

/// Appends the canonical value of an element in little-endian order.
pub(crate) fn push_le<F: PrimeField>(out: &mut Vec<u8>, x: &F) {
    out.extend(x.to_limbs().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
}
