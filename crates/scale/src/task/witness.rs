//! Random access to the values of a witness in a file, through cached pages.

use crate::region::Input;
use crate::{Region, ScaleError};
use pairwright_field::PrimeField;
use pairwright_formats::{ReadAt, decode_value};
use std::sync::OnceLock;

/// Number of values of a page.
const PAGE: usize = 1 << 7;

/// The values of a witness. If all of them may be in memory, every page is kept once it has been read; otherwise each reader
/// keeps some pages.
pub(super) struct Witness<'a, F> {
    file: &'a Input,
    region: &'a Region,
    /// One slot for each page, or empty if not all pages may be kept.
    shared: Vec<OnceLock<Box<[F]>>>,
    /// Number of pages that a reader keeps.
    kept: usize,
    wires: usize,
}

impl<'a, F: PrimeField> Witness<'a, F> {
    /// The values of a region, one per wire, of which `cache` bytes may be in memory.
    pub(super) fn new(file: &'a Input, region: &'a Region, wires: usize, cache: u64) -> Self {
        let page = (PAGE * F::BYTES) as u64;
        let pages = if region.length <= cache { wires.div_ceil(PAGE) } else { 0 };
        let threads = rayon::current_num_threads() as u64;
        let kept = (cache / threads / page).max(1) as usize;
        let shared = (0..pages).map(|_| OnceLock::new()).collect();
        Self { file, region, shared, kept, wires }
    }

    /// Makes a reader for one thread.
    pub(super) fn reader(&self) -> Reader<'_, F> {
        let kept = if self.shared.is_empty() { self.kept } else { 0 };
        Reader { of: self, pages: vec![(usize::MAX, Box::default()); kept] }
    }

    fn page(&self, page: usize) -> Result<Box<[F]>, ScaleError> {
        let (first, values) = (page * PAGE, (self.wires - page * PAGE).min(PAGE));
        let mut bytes = vec![0; values * F::BYTES];
        let offset = self.region.offset + (first * F::BYTES) as u64;
        self.file.read(offset, &mut bytes)?;
        let decode = |(i, bytes): (usize, &[u8])| {
            let at = ReadAt { file: &self.file.path, offset: offset + (i * F::BYTES) as u64 };
            Ok(decode_value(bytes, at, first + i)?)
        };
        bytes.chunks_exact(F::BYTES).enumerate().map(decode).collect()
    }
}

/// A reader with a direct-mapped cache of pages.
pub(super) struct Reader<'a, F> {
    of: &'a Witness<'a, F>,
    pages: Vec<(usize, Box<[F]>)>,
}

impl<F: PrimeField> Reader<'_, F> {
    /// The value of a wire, which has to exist.
    pub(super) fn value(&mut self, wire: usize) -> Result<F, ScaleError> {
        let (page, at) = (wire / PAGE, wire % PAGE);
        if let Some(shared) = self.of.shared.get(page) {
            if let Some(values) = shared.get() {
                return Ok(values[at]);
            }
            let values = self.of.page(page)?;
            let value = values[at];
            // Another thread may have read the same page in the meantime, with the same values.
            let _ = shared.set(values);
            return Ok(value);
        }
        let slot = page % self.pages.len();
        if self.pages[slot].0 != page {
            self.pages[slot] = (page, self.of.page(page)?);
        }
        Ok(self.pages[slot].1[at])
    }
}
