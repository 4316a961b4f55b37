//! The container format that r1cs, wtns, zkey and ptau files share: magic bytes, version, then sections in any order.

use crate::primes::{PrimeRole, fixture_of_prime, is_prime, known_prime};
use crate::sizes::chunks;
pub(crate) use crate::sizes::widen;
use crate::stream::{MAX_SECTIONS, SECTION_HEAD};
use crate::{CurveId, FileBytes, FilePlace, FormatError, Spot};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_field::PrimeField;
use pairwright_poly::Source;
use std::io::Write;

/// One of the formats that use the container.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) magic: &'static str,
    pub(crate) version: u32,
    /// The types and names of the sections.
    pub(crate) sections: &'static [(u32, &'static str)],
}

impl Format {
    fn name_of(&self, id: u32) -> &'static str {
        self.sections.iter().find(|(i, _)| *i == id).map_or("unknown", |(_, name)| name)
    }
}

/// A file with an index of its sections; the contents of the sections are not read.
#[derive(Debug)]
pub(crate) struct Container {
    file: FileBytes,
    format: &'static Format,
    sections: Vec<Section>,
}

impl Container {
    /// Reads the magic bytes, the version and the headers of all sections.
    pub(crate) fn open(file: FileBytes, format: &'static Format) -> Result<Self, FormatError> {
        let mut head = FixedParts { file: &file, at: 0 };
        let found = head.bytes::<4>("the magic")?;
        if found != format.magic.as_bytes() {
            let at = file.place(Spot::Offset(0));
            return Err(FormatError::Magic { at, expected: format.magic, found });
        }
        let found = u32::from_le_bytes(head.bytes("the version")?);
        if found != format.version {
            let at = file.place(Spot::Offset(4));
            return Err(FormatError::Version { at, expected: format.version, found });
        }
        let declared = u32::from_le_bytes(head.bytes("the number of sections")?);
        let room = (head.left() / SECTION_HEAD).min(MAX_SECTIONS);
        if u64::from(declared) > room {
            return Err(FormatError::TooManySections { at: file.place(Spot::Offset(8)), declared, room });
        }
        let mut sections: Vec<Section> = Vec::new();
        for _ in 0..declared {
            let id = u32::from_le_bytes(head.bytes("a section's type")?);
            let size = u64::from_le_bytes(head.bytes("a section's length")?);
            let name = format.name_of(id);
            let left = head.left();
            let section = Section { file: file.clone(), id, name, start: head.at, len: 0 };
            if size > left {
                return Err(FormatError::SectionPastEnd { at: section.place(0), size, left });
            }
            if let Some(first) = sections.iter().find(|s| s.id == id) {
                let first = first.offset();
                return Err(FormatError::DuplicateSection { at: section.place(0), first });
            }
            // The size was compared with the rest of the file, which is in memory, so it fits `usize`.
            let len = usize::try_from(size).unwrap_or(usize::MAX);
            head.at = head.at.saturating_add(len);
            sections.push(Section { len, ..section });
        }
        if head.left() > 0 {
            let at = file.place(Spot::Offset(widen(head.at)));
            return Err(FormatError::TrailingBytes { at, extra: head.left() });
        }
        Ok(Self { format, sections, file })
    }

    /// The section of that type; an error if there is none.
    pub(crate) fn section(&self, id: u32) -> Result<Section, FormatError> {
        self.optional(id).ok_or_else(|| FormatError::MissingSection {
            file: self.file.name().clone(),
            id,
            name: self.format.name_of(id),
        })
    }

    /// The section of that type, if there is one.
    pub(crate) fn optional(&self, id: u32) -> Option<Section> {
        self.sections.iter().find(|s| s.id == id).cloned()
    }

    /// All sections in the order of the file.
    pub(crate) fn sections(&self) -> &[Section] {
        &self.sections
    }

    pub(crate) fn file(&self) -> &FileBytes {
        &self.file
    }
}

/// A reader for the parts of a file outside of sections: the file header and the section headers.
struct FixedParts<'a> {
    file: &'a FileBytes,
    at: usize,
}

impl FixedParts<'_> {
    fn left(&self) -> u64 {
        widen(self.file.len().saturating_sub(self.at))
    }
    fn bytes<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let found = self.file.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let out = *found.ok_or_else(|| FormatError::Truncated {
            at: self.file.place(Spot::Offset(widen(self.at))),
            what,
            needed: widen(N),
            left: self.left(),
        })?;
        self.at = self.at.saturating_add(N);
        Ok(out)
    }
}

/// Bytes that [`Section::for_each`] reads at a time.
const STEP: usize = 1 << 16;

/// A section of a file: its type, name and position. Its bytes are read on demand.
#[derive(Clone, Debug)]
pub struct Section {
    file: FileBytes,
    id: u32,
    name: &'static str,
    start: usize,
    len: usize,
}

impl Section {
    /// A part of a file that has no container, with the type number and the name that errors use for it.
    pub(crate) fn of_part(file: &FileBytes, id: u32, name: &'static str, start: usize, len: usize) -> Self {
        let start = start.min(file.len());
        let len = len.min(file.len().saturating_sub(start));
        Self { file: file.clone(), id, name, start, len }
    }

    /// The section's type number.
    pub fn id(&self) -> u32 {
        self.id
    }
    /// The name of the section, as errors print it.
    pub fn name(&self) -> &'static str {
        self.name
    }
    /// Offset of the section's body, in bytes from the beginning of the file.
    pub fn offset(&self) -> u64 {
        widen(self.start)
    }
    /// Size of the section's body in bytes.
    pub fn size(&self) -> u64 {
        widen(self.len)
    }
    /// The bytes of the section, without its header.
    pub fn bytes(&self) -> &[u8] {
        // The range was found to be within the file at opening, so the default is never taken.
        self.file.get(self.start..).and_then(|rest| rest.get(..self.len)).unwrap_or_default()
    }
    /// Calls `each` with the index and the bytes of each element of a range. Elements have `size` bytes, and the first one of
    /// the section is `offset` bytes into it. The section is read in small steps, so that a mapped file takes no memory.
    pub(crate) fn for_each(
        &self,
        (offset, size, len): (usize, usize, usize),
        range: Range<usize>,
        mut each: impl FnMut(usize, &[u8]) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let outside =
            || FormatError::OutOfRange { at: self.place(offset), start: range.start, end: range.end, len };
        if range.start > range.end || range.end > len {
            return Err(outside());
        }
        let step = STEP.checked_div(size).unwrap_or(1).max(1);
        let (mut room, mut start) = (Vec::new(), range.start);
        while start < range.end {
            let count = step.min(range.end.saturating_sub(start));
            let place = start.checked_mul(size).and_then(|n| n.checked_add(offset));
            let bytes = place.zip(count.checked_mul(size)).and_then(|(place, bytes)| {
                let inside = place.checked_add(bytes).is_some_and(|end| end <= self.len);
                inside.then(|| (self.start.saturating_add(place), bytes))
            });
            let (place, bytes) = bytes.ok_or_else(outside)?;
            let bytes = self.file.part(place, bytes, &mut room)?.ok_or_else(outside)?;
            let end = start.saturating_add(count);
            for (i, element) in (start..end).zip(bytes.chunks_exact(size)) {
                each(i, element)?;
            }
            start = end;
        }
        Ok(())
    }

    /// Replaces the contents of `out` with `len` bytes of the section from `offset` on, or fewer if the section ends before.
    pub(crate) fn read_into(&self, offset: usize, len: usize, out: &mut Vec<u8>) -> Result<(), FormatError> {
        let len = len.min(self.len.saturating_sub(offset));
        self.file.read_into(self.start.saturating_add(offset), len, out)
    }

    /// The file that contains the section.
    pub fn file(&self) -> &FileBytes {
        &self.file
    }

    /// The position `offset` bytes into the section, for an error.
    pub(crate) fn place(&self, offset: usize) -> FilePlace {
        let offset = widen(self.start.saturating_add(offset));
        self.file.place(Spot::Section { id: self.id, name: self.name, offset })
    }

    /// Fails unless the section has exactly the expected number of bytes; `None` stands for a number that exceeds any file.
    pub(crate) fn expect_size(&self, expected: Option<u64>) -> Result<(), FormatError> {
        if expected == Some(self.size()) {
            return Ok(());
        }
        let expected = expected.unwrap_or(u64::MAX);
        Err(FormatError::SectionSize { at: self.place(0), expected, found: self.size() })
    }

    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { section: self, rest: self.bytes() }
    }
}

/// A reader that goes through a section from its beginning.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    section: &'a Section,
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// Number of bytes that are not read yet.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }
    /// Offset of the next byte in the section.
    pub(crate) fn position(&self) -> usize {
        self.section.len.saturating_sub(self.rest.len())
    }
    pub(crate) fn place(&self) -> FilePlace {
        self.section.place(self.position())
    }
    pub(crate) fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], FormatError> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.truncated(len, what));
        };
        self.rest = rest;
        Ok(taken)
    }
    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, FormatError> {
        self.array(what).map(u32::from_le_bytes)
    }
    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64, FormatError> {
        self.array(what).map(u64::from_le_bytes)
    }
    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.truncated(N, what));
        };
        self.rest = rest;
        Ok(*taken)
    }
    fn truncated(&self, needed: usize, what: &'static str) -> FormatError {
        let (needed, left) = (widen(needed), widen(self.rest.len()));
        FormatError::Truncated { at: self.place(), what, needed, left }
    }

    /// Reads the element width and the prime of a field and fails unless they are those of `F`.
    pub(crate) fn modulus<F: PrimeField>(&mut self) -> Result<(), FormatError> {
        let at = self.place();
        let (width, prime) = self.prime(F::NAME, F::BYTES)?;
        if is_prime(prime, F::MODULUS.as_ref()) {
            return Ok(());
        }
        let found = self.known(prime, PrimeRole::of::<F>(), at.clone());
        match found {
            Err(named @ FormatError::OtherPrime { .. }) => Err(named),
            Ok(found) => Err(FormatError::WrongCurve { at, expected: F::NAME, found }),
            Err(_) if width != widen(F::BYTES) => {
                Err(FormatError::ElementSize { at, field: F::NAME, expected: widen(F::BYTES), found: width })
            }
            Err(unknown) => Err(unknown),
        }
    }

    /// Reads the element width and the prime of a field and returns the curve that has this prime in the given role.
    pub(crate) fn curve(&mut self, role: PrimeRole) -> Result<CurveId, FormatError> {
        let at = self.place();
        let (_, prime) = self.prime("a prime field", 32)?;
        self.known(prime, role, at)
    }

    fn prime(&mut self, field: &'static str, expected: usize) -> Result<(u64, &'a [u8]), FormatError> {
        let at = self.place();
        let width = self.u32("the width of an element")?;
        if width == 0 || width > 128 || !width.is_multiple_of(8) {
            let (expected, found) = (widen(expected), u64::from(width));
            return Err(FormatError::ElementSize { at, field, expected, found });
        }
        let prime = self.take(usize::try_from(width).unwrap_or(usize::MAX), "the prime")?;
        Ok((width.into(), prime))
    }

    fn known(&self, prime: &[u8], role: PrimeRole, at: FilePlace) -> Result<CurveId, FormatError> {
        CurveId::of_prime(prime, role).ok_or_else(|| {
            if let Some(curve) = fixture_of_prime(prime) {
                return FormatError::NoSecurity { at, curve };
            }
            let digits: String = prime.iter().rev().map(|b| format!("{b:02x}")).collect();
            if let Some(name) = known_prime(digits.trim_start_matches('0'), prime, role) {
                return FormatError::OtherPrime { at, name, role: role.name() };
            }
            FormatError::UnknownPrime { at, prime: format!("0x{digits}") }
        })
    }
}

/// A writer of a container, section by section. The size of a section is announced first, and writing another number of bytes
/// is an error.
pub(crate) struct ContainerWriter<'w> {
    out: &'w mut dyn Write,
    id: u32,
    announced: u64,
    left: u64,
}

impl<'w> ContainerWriter<'w> {
    pub(crate) fn new(out: &'w mut dyn Write, format: &Format, sections: u32) -> Result<Self, FormatError> {
        out.write_all(format.magic.as_bytes())?;
        out.write_all(&format.version.to_le_bytes())?;
        out.write_all(&sections.to_le_bytes())?;
        Ok(Self { out, id: 0, announced: 0, left: 0 })
    }

    /// Ends the current section and begins one with this type and size in bytes.
    pub(crate) fn section(&mut self, id: u32, size: u64) -> Result<(), FormatError> {
        self.finish()?;
        self.out.write_all(&id.to_le_bytes())?;
        self.out.write_all(&size.to_le_bytes())?;
        (self.id, self.announced, self.left) = (id, size, size);
        Ok(())
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        let Some(left) = self.left.checked_sub(widen(bytes.len())) else {
            let left = widen(bytes.len()).saturating_sub(self.left);
            return Err(FormatError::Unsteady { id: self.id, announced: self.announced, left });
        };
        self.left = left;
        Ok(self.out.write_all(bytes)?)
    }

    pub(crate) fn put_u32(&mut self, x: u32) -> Result<(), FormatError> {
        self.put(&x.to_le_bytes())
    }

    /// Writes the elements of a source, a few thousand at a time.
    pub(crate) fn put_all<T>(
        &mut self,
        source: &dyn Source<T>,
        encode: impl Fn(&mut Vec<u8>, &T),
    ) -> Result<(), FormatError> {
        let (mut elements, mut bytes) = (Vec::new(), Vec::new());
        for range in chunks(source.len(), 1 << 12) {
            elements.clear();
            bytes.clear();
            source.read(range, &mut elements)?;
            elements.iter().for_each(|element| encode(&mut bytes, element));
            self.put(&bytes)?;
        }
        Ok(())
    }

    /// Writes the element width and the prime of a field.
    pub(crate) fn put_modulus<F: PrimeField>(&mut self) -> Result<(), FormatError> {
        self.put_u32(count_u32("bytes per element", F::BYTES)?)?;
        F::MODULUS.as_ref().iter().try_for_each(|limb| self.put(&limb.to_le_bytes()))
    }

    /// Ends the last section.
    pub(crate) fn finish(&mut self) -> Result<(), FormatError> {
        if self.left == 0 {
            return Ok(());
        }
        Err(FormatError::Unsteady { id: self.id, announced: self.announced, left: self.left })
    }
}

/// Converts a count to the `u32` that the formats use for counts.
pub(crate) fn count_u32(what: &'static str, count: usize) -> Result<u32, FormatError> {
    u32::try_from(count).map_err(|_| FormatError::TooMany { what, count })
}

/// Converts a header's count to `usize`; a count that does not fit becomes `usize::MAX`, which no actual length equals.
pub(crate) fn narrow(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
