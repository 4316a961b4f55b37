//! A piece of memory with the records of the detectors: which bytes have been written, and which threads accessed each
//! word last.

use crate::fault::FaultKind;

/// Bytes per word, the unit in which accesses are recorded.
const WORD: usize = 4;

/// A thread's position between barriers, at which it accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessPoint {
    /// Number of the launch; all accesses of earlier launches come before it.
    pub launch: u32,
    /// Number of the thread in the grid.
    pub thread: u32,
    /// Number of its block in the grid.
    pub block: u32,
    /// Number of blocks per cluster.
    pub cluster: u32,
    /// Number of barriers that the block has passed, including those of the cluster.
    pub epoch: u32,
    /// Number of barriers that the cluster has passed.
    pub cluster_epoch: u32,
}

/// The threads that accessed a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Thread(u32),
    /// Several threads of the block.
    Threads,
    /// Several blocks of one cluster.
    Blocks,
    /// Blocks of several clusters.
    Clusters,
}

/// An access, or several accesses that no barrier orders.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    who: Who,
    block: u32,
    epoch: u32,
    cluster_epoch: u32,
}

const NOBODY: Stamp = Stamp { who: Who::Nobody, block: 0, epoch: 0, cluster_epoch: 0 };

impl Stamp {
    fn of(point: &AccessPoint) -> Self {
        Self {
            who: Who::Thread(point.thread),
            block: point.block,
            epoch: point.epoch,
            cluster_epoch: point.cluster_epoch,
        }
    }

    /// Whether this access happened before the access point: in the same thread, or ordered by a barrier that both passed.
    fn before(&self, point: &AccessPoint) -> bool {
        let same_block = self.block == point.block;
        let same_cluster = self.block / point.cluster == point.block / point.cluster;
        let by_block = same_block && self.epoch < point.epoch;
        let by_cluster = same_cluster && self.cluster_epoch < point.cluster_epoch;
        match self.who {
            Who::Nobody => true,
            Who::Thread(thread) => thread == point.thread || by_block || by_cluster,
            Who::Threads => by_block || by_cluster,
            Who::Blocks => by_cluster,
            Who::Clusters => false,
        }
    }

    /// Combines this access and an access at the point, which are not ordered.
    fn and(&self, point: &AccessPoint) -> Self {
        let who = if self.block == point.block && matches!(self.who, Who::Thread(_) | Who::Threads) {
            Who::Threads
        } else if self.block / point.cluster == point.block / point.cluster && self.who != Who::Clusters {
            Who::Blocks
        } else {
            Who::Clusters
        };
        Self { who, ..Self::of(point) }
    }
}

/// The accesses to a word in a launch.
#[derive(Clone, Copy, Debug)]
struct Mark {
    launch: u32,
    written: Stamp,
    read: Stamp,
    /// Atomic additions, which do not race with each other.
    added: Stamp,
}

/// Bytes, the set of those that are written, and the marks of their words.
#[derive(Clone, Debug)]
pub struct Region {
    bytes: Vec<u8>,
    written: Vec<u64>,
    marks: Vec<Mark>,
}

impl Region {
    /// Unwritten memory of this number of bytes.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes], written: vec![0; bytes.div_ceil(64)], marks: Vec::new() }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the region has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Makes all bytes unwritten again.
    pub fn forget(&mut self) {
        self.written.fill(0);
        self.marks.clear();
    }

    /// A write by the host, which must be within the region.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        (at..at + bytes.len()).for_each(|at| self.written[at / 64] |= 1 << (at % 64));
    }

    /// A read by the host, which must be within the region.
    ///
    /// # Errors
    /// The offset of the first byte that nothing has written.
    pub fn read(&self, at: usize, bytes: usize) -> Result<&[u8], usize> {
        match (at..at + bytes).find(|at| self.written[at / 64] >> (at % 64) & 1 == 0) {
            Some(at) => Err(at),
            None => Ok(&self.bytes[at..at + bytes]),
        }
    }

    /// The index and the mask of an access in the bit set of written bytes; the access is aligned and of at most 16
    /// bytes, so that its bits lie in one word.
    fn bits(at: usize, bytes: usize) -> (usize, u64) {
        (at / 64, ((1 << bytes) - 1) << (at % 64))
    }

    fn marks(&mut self, at: usize, bytes: usize, launch: u32) -> &mut [Mark] {
        if self.marks.is_empty() {
            let fresh = Mark { launch: 0, written: NOBODY, read: NOBODY, added: NOBODY };
            self.marks = vec![fresh; self.bytes.len().div_ceil(WORD)];
        }
        let marks = &mut self.marks[at / WORD..(at + bytes).div_ceil(WORD)];
        for mark in marks.iter_mut().filter(|mark| mark.launch != launch) {
            *mark = Mark { launch, written: NOBODY, read: NOBODY, added: NOBODY };
        }
        marks
    }

    /// A load by a thread: aligned, of at most 16 bytes, within the region.
    ///
    /// # Errors
    /// [`FaultKind::Unwritten`] and [`FaultKind::Race`].
    pub fn load(&mut self, at: usize, bytes: usize, point: &AccessPoint) -> Result<&[u8], FaultKind> {
        let (word, bits) = Self::bits(at, bytes);
        if self.written[word] & bits != bits {
            return Err(FaultKind::Unwritten { address: at as u64, bytes });
        }
        for mark in self.marks(at, bytes, point.launch) {
            for stamp in [mark.written, mark.added] {
                if !stamp.before(point) {
                    return Err(race(at, &stamp));
                }
            }
            mark.read = if mark.read.before(point) { Stamp::of(point) } else { mark.read.and(point) };
        }
        Ok(&self.bytes[at..at + bytes])
    }

    /// A store by a thread: aligned, of at most 16 bytes, within the region.
    ///
    /// # Errors
    /// [`FaultKind::Race`].
    pub fn store(&mut self, at: usize, value: &[u8], point: &AccessPoint) -> Result<(), FaultKind> {
        for mark in self.marks(at, value.len(), point.launch) {
            for stamp in [mark.written, mark.read, mark.added] {
                if !stamp.before(point) {
                    return Err(race(at, &stamp));
                }
            }
            mark.written = Stamp::of(point);
        }
        let (word, bits) = Self::bits(at, value.len());
        self.written[word] |= bits;
        self.bytes[at..at + value.len()].copy_from_slice(value);
        Ok(())
    }
}

impl Region {
    /// An atomic addition to a number of 32 bits, at a multiple of 4 within the region; returns the old value.
    ///
    /// # Errors
    /// [`FaultKind::Unwritten`], and [`FaultKind::Race`] with an access of another kind.
    pub fn add(&mut self, at: usize, term: u32, point: &AccessPoint) -> Result<u32, FaultKind> {
        let (word, bits) = Self::bits(at, WORD);
        if self.written[word] & bits != bits {
            return Err(FaultKind::Unwritten { address: at as u64, bytes: WORD });
        }
        for mark in self.marks(at, WORD, point.launch) {
            for stamp in [mark.written, mark.read] {
                if !stamp.before(point) {
                    return Err(race(at, &stamp));
                }
            }
            mark.added = if mark.added.before(point) { Stamp::of(point) } else { mark.added.and(point) };
        }
        let place = &mut self.bytes[at..at + WORD];
        let old = place.iter().rev().fold(0, |old, byte| old << 8 | u32::from(*byte));
        place.copy_from_slice(&old.wrapping_add(term).to_le_bytes());
        Ok(old)
    }
}

fn race(at: usize, stamp: &Stamp) -> FaultKind {
    let thread = if let Who::Thread(thread) = stamp.who { Some(thread) } else { None };
    FaultKind::Race { address: at as u64, thread, block: stamp.block }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(thread: u32, epoch: u32, cluster_epoch: u32) -> AccessPoint {
        // Blocks of four threads, clusters of two blocks.
        AccessPoint { launch: 1, thread, block: thread / 4, cluster: 2, epoch, cluster_epoch }
    }

    fn is_race(result: Result<(), FaultKind>) -> bool {
        matches!(result, Err(FaultKind::Race { .. }))
    }

    #[test]
    fn bytes_that_nothing_has_written_are_found() {
        let mut region = Region::new(64);
        region.store(16, &[1; 8], &point(0, 0, 0)).unwrap();
        assert_eq!(region.load(16, 8, &point(0, 0, 0)).unwrap(), [1; 8]);
        let error = region.load(16, 16, &point(0, 0, 0)).unwrap_err();
        assert_eq!(error, FaultKind::Unwritten { address: 16, bytes: 16 });
        assert_eq!(region.read(14, 4), Err(14));
        region.write(24, &[2; 8]);
        assert!(region.load(16, 16, &point(0, 0, 0)).is_ok());
        region.forget();
        assert_eq!(region.read(16, 1), Err(16));
    }

    #[test]
    fn accesses_are_ordered_by_thread_and_by_barriers() {
        // First a write by thread 0, then an access by each of the others.
        for (other, epoch, cluster_epoch, ordered) in [
            (0, 0, 0, true),
            (1, 0, 0, false),
            (1, 1, 0, true),
            // A barrier of a block does not order accesses of another block of the cluster; a barrier of the cluster
            // does.
            (5, 1, 0, false),
            (5, 1, 1, true),
            // Accesses of different clusters are never ordered.
            (9, 7, 7, false),
        ] {
            let mut region = Region::new(16);
            region.store(0, &[0; 4], &point(0, 0, 0)).unwrap();
            let now = point(other, epoch, cluster_epoch);
            assert_eq!(region.load(0, 4, &now).is_ok(), ordered, "load by {other} at {epoch}");
            assert_eq!(is_race(region.clone().store(0, &[0; 4], &now)), !ordered, "store by {other}");
            // The next launch comes after all of this one.
            assert!(region.store(0, &[0; 4], &AccessPoint { launch: 2, ..now }).is_ok());
        }
    }

    #[test]
    fn additions_race_with_other_accesses_and_not_with_each_other() {
        let mut region = Region::new(16);
        assert!(matches!(region.add(4, 1, &point(0, 0, 0)), Err(FaultKind::Unwritten { address: 4, .. })));
        region.write(0, &[0xff; 16]);
        // Threads of one block, of the other one of the cluster, of another cluster.
        let olds = [0, 1, 5, 9].map(|thread| region.add(4, 3, &point(thread, 0, 0)).unwrap());
        assert_eq!(olds, [u32::MAX, 2, 5, 8]);
        assert_eq!(region.read(0, 12).unwrap(), [[0xff; 4], [11, 0, 0, 0], [0xff; 4]].concat());
        for thread in [0, 1, 5, 9] {
            // Even the thread's own access races, since the additions of other threads are not ordered before it.
            assert!(matches!(region.load(4, 4, &point(thread, 1, 1)), Err(FaultKind::Race { .. })));
            assert!(is_race(region.store(4, &[0; 4], &point(thread, 1, 1))));
        }
        assert!(region.load(8, 4, &point(9, 0, 0)).is_ok());
        // In one block a barrier orders them.
        let mut region = Region::new(4);
        region.write(0, &[0; 4]);
        region.load(0, 4, &point(0, 0, 0)).unwrap();
        assert!(matches!(region.add(0, 1, &point(1, 0, 0)), Err(FaultKind::Race { .. })));
        for thread in [0, 1] {
            region.add(0, 1, &point(thread, 1, 0)).unwrap();
        }
        assert!(matches!(region.load(0, 4, &point(1, 1, 0)), Err(FaultKind::Race { .. })));
        assert_eq!(region.load(0, 4, &point(1, 2, 0)).unwrap(), [2, 0, 0, 0]);
        region.store(0, &[0; 4], &point(3, 3, 0)).unwrap();
        assert!(matches!(region.add(0, 1, &point(2, 3, 0)), Err(FaultKind::Race { .. })));
        assert!(region.add(0, 1, &AccessPoint { launch: 2, ..point(2, 0, 0) }).is_ok());
    }

    #[test]
    fn a_write_after_reads_is_ordered_after_all_of_them() {
        let mut region = Region::new(16);
        region.write(0, &[0; 16]);
        for thread in 0..3 {
            region.load(0, 4, &point(thread, 0, 0)).unwrap();
        }
        assert!(is_race(region.clone().store(0, &[0; 4], &point(2, 0, 0))), "others have read it");
        assert!(region.clone().store(0, &[0; 4], &point(2, 1, 0)).is_ok());
        // A reader in the other block is ordered only by the barrier of the cluster.
        region.load(0, 4, &point(6, 0, 0)).unwrap();
        assert!(is_race(region.clone().store(0, &[0; 4], &point(2, 1, 0))));
        assert!(region.clone().store(0, &[0; 4], &point(2, 2, 1)).is_ok());
        region.load(0, 4, &point(9, 0, 0)).unwrap();
        assert!(is_race(region.store(0, &[0; 4], &point(2, 2, 1))), "another cluster has read it");
    }
}
