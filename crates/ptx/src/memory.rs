//! Device memory: buffers at addresses, with a gap between any two.

use crate::access::Space;
use crate::fault::FaultKind;
use crate::region::Region;

/// The default address of the first buffer.
const FIRST: u64 = 0x7000_0000_0000;

/// Alignment of buffers in bytes, as in the driver.
const ALIGNMENT: u64 = 256;

/// Device memory: buffers in the order of their addresses.
#[derive(Clone, Debug)]
pub struct Memory {
    buffers: Vec<(u64, Region)>,
    /// The address of the next buffer; addresses are not reused.
    next: u64,
    launches: u32,
    last: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::at(FIRST)
    }
}

impl Memory {
    /// A memory without buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A memory without buffers, whose first buffer will have the address `first`, a multiple of 256 far above all
    /// shared memory.
    pub fn at(first: u64) -> Self {
        Self { buffers: Vec::new(), next: first, launches: 0, last: 0 }
    }

    /// Allocates an unwritten buffer at a multiple of 256 and returns its address.
    pub fn allocate(&mut self, bytes: usize) -> u64 {
        let address = self.next;
        self.next += (bytes as u64).next_multiple_of(ALIGNMENT) + ALIGNMENT;
        self.buffers.push((address, Region::new(bytes)));
        address
    }

    /// Allocates a buffer with these bytes and returns its address.
    pub fn upload(&mut self, bytes: &[u8]) -> u64 {
        let address = self.allocate(bytes.len());
        self.buffer(address).expect("the buffer has just been made").write(0, bytes);
        address
    }

    /// Frees the buffer that begins at an address and returns its size in bytes; `None` if there is none.
    pub fn free(&mut self, address: u64) -> Option<usize> {
        let at = self.buffers.binary_search_by_key(&address, |(start, _)| *start).ok()?;
        self.last = 0;
        Some(self.buffers.remove(at).1.len())
    }

    /// The buffer that begins at an address.
    pub fn buffer(&mut self, address: u64) -> Option<&mut Region> {
        let at = self.buffers.binary_search_by_key(&address, |(start, _)| *start).ok()?;
        Some(&mut self.buffers[at].1)
    }

    /// Number of buffers.
    pub fn count(&self) -> usize {
        self.buffers.len()
    }

    /// The buffer that contains `bytes` bytes from an address on, and their offset in it.
    ///
    /// # Errors
    /// [`FaultKind::OutOfBounds`] if no buffer contains all of them.
    pub fn find(&mut self, address: u64, bytes: usize) -> Result<(&mut Region, usize), FaultKind> {
        let holds = |(start, region): &(u64, Region)| {
            let offset = address.checked_sub(*start)?;
            let end = offset.checked_add(bytes as u64)?;
            (end <= region.len() as u64).then_some(offset as usize)
        };
        let mut offset = self.buffers.get(self.last).and_then(holds);
        if offset.is_none() {
            let at = self.buffers.partition_point(|(start, _)| *start <= address);
            self.last = at.saturating_sub(1);
            offset = self.buffers.get(self.last).and_then(holds);
        }
        let offset = offset.ok_or(FaultKind::OutOfBounds { space: Space::Global, address, bytes })?;
        Ok((&mut self.buffers[self.last].1, offset))
    }

    /// The number of the next launch, from one.
    pub(crate) fn next_launch(&mut self) -> u32 {
        self.launches += 1;
        self.launches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_found_by_what_lies_in_them() {
        let mut memory = Memory::new();
        let [a, b, c] = [100, 256, 8].map(|bytes| memory.allocate(bytes));
        assert!(a % 256 == 0 && b % 256 == 0 && c % 256 == 0);
        assert_eq!(memory.find(a + 96, 4).unwrap().1, 96);
        assert_eq!(memory.find(b, 16).unwrap().1, 0);
        assert_eq!(memory.find(a, 4).unwrap().1, 0);
        for (address, bytes) in [(a + 97, 4), (a - 4, 4), (b + 256, 1), (a + 100, 1), (0, 4), (u64::MAX, 4)] {
            let error = memory.find(address, bytes).err();
            assert_eq!(error, Some(FaultKind::OutOfBounds { space: Space::Global, address, bytes }));
        }
        assert_eq!((memory.free(b), memory.free(b), memory.free(b + 4)), (Some(256), None, None));
        assert!(memory.find(b, 4).is_err() && memory.find(c, 8).is_ok());
        assert_eq!(memory.count(), 2);
    }
}
