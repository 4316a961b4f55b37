//! The bucket memory: a flag per bucket, banks with one read and one write port each, and a buffer before the write port.

use pairwright_sim::{Banks, Ports};

/// The buckets of the engine with their flags of occupancy.
///
/// The flags are registers: the arbiter sees them in the cycle in which it decides, and they change at its end. Reading a
/// bucket takes its content and clears its flag; a bucket is written only while its flag is clear.
#[derive(Clone, Debug)]
pub(super) struct Buckets<P> {
    occupied: Vec<bool>,
    cells: Banks<P>,
    /// Logarithm of the number of banks; the bank of a bucket is its lowest bits.
    banks_log: u32,
    /// A bit per bank: whether its write port is taken in this cycle.
    written: u64,
    /// Points that are accepted but not yet written, the oldest first.
    behind: Vec<(u32, P)>,
    behind_most: usize,
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) forwarded: u64,
}

impl<P: Clone> Buckets<P> {
    /// Empty buckets; `banks` is a power of two, at most 64.
    pub(super) fn new(buckets: u32, banks: u32, write_behind: u32) -> Self {
        Self {
            occupied: vec![false; buckets as usize],
            cells: Banks::new(banks, buckets.div_ceil(banks), Ports { reads: 1, writes: 1 }),
            banks_log: banks.ilog2(),
            written: 0,
            behind: Vec::with_capacity(write_behind as usize),
            behind_most: write_behind as usize,
            reads: 0,
            writes: 0,
            forwarded: 0,
        }
    }

    /// Bank and row of a bucket.
    fn place(&self, bucket: u32) -> (u32, u32) {
        (bucket & ((1 << self.banks_log) - 1), bucket >> self.banks_log)
    }

    /// Whether the write port that a bucket needs is taken.
    fn port_taken(&self, bucket: u32) -> bool {
        self.written >> self.place(bucket).0 & 1 == 1
    }

    /// Whether a bucket holds a point.
    pub(super) fn occupied(&self, bucket: u32) -> bool {
        self.occupied[bucket as usize]
    }

    /// The flags of all buckets.
    pub(super) fn flags(&self) -> &[bool] {
        &self.occupied
    }

    /// Whether the buffer before the write port is empty.
    pub(super) fn write_buffer_is_empty(&self) -> bool {
        self.behind.is_empty()
    }

    /// Takes the content of an occupied bucket: from the buffer if it is still there, otherwise through the read port.
    pub(super) fn take(&mut self, bucket: u32) -> P {
        assert!(self.occupied[bucket as usize], "bucket {bucket} is read while empty");
        self.occupied[bucket as usize] = false;
        if let Some(at) = self.behind.iter().position(|(b, _)| *b == bucket) {
            self.forwarded += 1;
            return self.behind.remove(at).1;
        }
        self.reads += 1;
        let (bank, row) = self.place(bucket);
        match self.cells.read(bank, row) {
            Ok(point) => point,
            Err(fault) => panic!("{fault}"),
        }
    }

    /// Whether an empty bucket can be written in this cycle.
    pub(super) fn accepts(&self, bucket: u32) -> bool {
        !self.port_taken(bucket) || self.behind.len() < self.behind_most
    }

    /// Writes an empty bucket: through the write port, or into the buffer if the port is taken.
    pub(super) fn put(&mut self, bucket: u32, point: P) {
        assert!(!self.occupied[bucket as usize], "bucket {bucket} is written while occupied");
        self.occupied[bucket as usize] = true;
        if self.port_taken(bucket) {
            assert!(self.behind.len() < self.behind_most, "bucket {bucket} is written without a port");
            self.behind.push((bucket, point));
        } else {
            self.write(bucket, point);
        }
    }

    /// Clears a bucket's flag.
    pub(super) fn clear(&mut self, bucket: u32) {
        self.occupied[bucket as usize] = false;
    }

    fn write(&mut self, bucket: u32, point: P) {
        let (bank, row) = self.place(bucket);
        self.written |= 1 << bank;
        self.writes += 1;
        if let Err(fault) = self.cells.write(bank, row, point) {
            panic!("{fault}");
        }
    }

    /// The clock edge: ports that were free in the cycle serve the buffer, oldest entry first.
    pub(super) fn tick(&mut self) {
        let mut at = 0;
        while at < self.behind.len() {
            if self.port_taken(self.behind[at].0) {
                at += 1;
            } else {
                let (bucket, point) = self.behind.remove(at);
                self.write(bucket, point);
            }
        }
        self.written = 0;
        self.cells.tick();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_made_up_for_by_the_buffer() {
        let mut m = Buckets::new(8, 1, 1);
        m.put(1, 'a');
        assert!(m.accepts(2));
        m.put(2, 'b');
        assert!(!m.accepts(3) && !m.write_buffer_is_empty());
        assert_eq!(m.take(2), 'b');
        assert_eq!((m.forwarded, m.reads), (1, 0));
        m.put(3, 'c');
        m.tick();
        assert_eq!(m.take(1), 'a');
        m.tick();
        assert!(m.write_buffer_is_empty());
        assert_eq!((m.take(3), m.reads, m.writes), ('c', 2, 2));
    }

    #[test]
    fn banks_have_ports_of_their_own() {
        let mut m = Buckets::new(8, 2, 0);
        m.put(4, 'a');
        assert!(m.accepts(5) && !m.accepts(6));
        m.put(5, 'b');
        m.tick();
        assert_eq!((m.take(5), m.take(4)), ('b', 'a'));
    }

    #[test]
    #[should_panic(expected = "bucket 1 is written while occupied")]
    fn a_bucket_that_would_be_overwritten_is_a_bug() {
        let mut m = Buckets::new(8, 1, 0);
        m.put(1, 'a');
        m.tick();
        m.put(1, 'b');
    }
}
