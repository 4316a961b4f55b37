//! Single values of a witness in a file, by pages that are kept.

use crate::region::Input;
use crate::{Region, ScaleError};
use pairwright_field::PrimeField;
use pairwright_formats::{ReadAt, decode_value};
use std::sync::OnceLock;

/// Values of a page.
const PAGE: usize = 1 << 7;

/// The values of a witness. Where all of them may be in memory, all pages are kept once they were read; else each reader
/// keeps some.
pub(super) struct Witness<'a> {
    file: &'a Input,
    region: &'a Region,
    /// A place a page, or none.
    shared: Vec<OnceLock<Box<[u8]>>>,
    /// Pages that a reader keeps.
    kept: usize,
    value: usize,
    wires: usize,
}

impl<'a> Witness<'a> {
    /// The values of a region, one a wire, of which `cache` bytes may be in memory.
    pub(super) fn new<F: PrimeField>(file: &'a Input, region: &'a Region, wires: usize, cache: u64) -> Self {
        let page = (PAGE * F::BYTES) as u64;
        let pages = if region.length <= cache { wires.div_ceil(PAGE) } else { 0 };
        let threads = rayon::current_num_threads() as u64;
        let kept = (cache / threads / page).max(1) as usize;
        let shared = (0..pages).map(|_| OnceLock::new()).collect();
        Self { file, region, shared, kept, value: F::BYTES, wires }
    }

    /// A reader of one thread.
    pub(super) fn reader(&self) -> Reader<'_> {
        let kept = if self.shared.is_empty() { self.kept } else { 0 };
        Reader { of: self, pages: vec![(usize::MAX, Vec::new()); kept] }
    }

    fn page(&self, page: usize) -> Result<Vec<u8>, ScaleError> {
        let values = (self.wires - page * PAGE).min(PAGE);
        let mut bytes = vec![0; values * self.value];
        self.file.read(self.region.offset + (page * PAGE * self.value) as u64, &mut bytes)?;
        Ok(bytes)
    }
}

/// Reads values, and keeps the last page of each place.
pub(super) struct Reader<'a> {
    of: &'a Witness<'a>,
    pages: Vec<(usize, Vec<u8>)>,
}

impl Reader<'_> {
    /// The value of a wire, which exists.
    pub(super) fn value<F: PrimeField>(&mut self, wire: usize) -> Result<F, ScaleError> {
        let (page, at) = (wire / PAGE, wire % PAGE * F::BYTES);
        let place =
            ReadAt { file: &self.of.file.path, offset: self.of.region.offset + (wire * F::BYTES) as u64 };
        let bytes = if let Some(shared) = self.of.shared.get(page) {
            if shared.get().is_none() {
                let read = self.of.page(page)?.into_boxed_slice();
                // Another thread may have read it meanwhile: the same bytes.
                let _ = shared.set(read);
            }
            shared.get().map_or(&[][..], |bytes| bytes)
        } else {
            let slot = page % self.pages.len();
            if self.pages[slot].0 != page {
                self.pages[slot] = (page, self.of.page(page)?);
            }
            &self.pages[slot].1
        };
        Ok(decode_value(&bytes[at..at + F::BYTES], place, wire)?)
    }
}
