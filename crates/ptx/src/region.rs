//! A piece of memory with what the detectors keep of it: which bytes have been written, and who accessed each word last.

use crate::fault::FaultKind;

/// Bytes to which accesses are attributed together.
const WORD: usize = 4;

/// A thread at a point between barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Number of the launch; what earlier launches did is over.
    pub launch: u32,
    /// Number of the thread in the grid.
    pub thread: u32,
    /// Number of its block in the grid.
    pub block: u32,
    /// Blocks of a cluster.
    pub cluster: u32,
    /// Barriers that the block has passed, those of the cluster included.
    pub epoch: u32,
    /// Barriers that the cluster has passed.
    pub cluster_epoch: u32,
}

/// Who accessed a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Thread(u32),
    /// Several threads of the block.
    Threads,
    /// Several blocks of the cluster of the block.
    Blocks,
    /// Blocks of several clusters.
    Clusters,
}

/// An access, or several that no barrier orders.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    who: Who,
    block: u32,
    epoch: u32,
    cluster_epoch: u32,
}

const NOBODY: Stamp = Stamp { who: Who::Nobody, block: 0, epoch: 0, cluster_epoch: 0 };

impl Stamp {
    fn of(visit: &Visit) -> Self {
        Self {
            who: Who::Thread(visit.thread),
            block: visit.block,
            epoch: visit.epoch,
            cluster_epoch: visit.cluster_epoch,
        }
    }

    /// Whether this is over before the visit: by the order of its thread, or by a barrier that both passed.
    fn before(&self, visit: &Visit) -> bool {
        let same_block = self.block == visit.block;
        let same_cluster = self.block / visit.cluster == visit.block / visit.cluster;
        let by_block = same_block && self.epoch < visit.epoch;
        let by_cluster = same_cluster && self.cluster_epoch < visit.cluster_epoch;
        match self.who {
            Who::Nobody => true,
            Who::Thread(thread) => thread == visit.thread || by_block || by_cluster,
            Who::Threads => by_block || by_cluster,
            Who::Blocks => by_cluster,
            Who::Clusters => false,
        }
    }

    /// This and the visit, neither before the other.
    fn and(&self, visit: &Visit) -> Self {
        let who = if self.block == visit.block && matches!(self.who, Who::Thread(_) | Who::Threads) {
            Who::Threads
        } else if self.block / visit.cluster == visit.block / visit.cluster && self.who != Who::Clusters {
            Who::Blocks
        } else {
            Who::Clusters
        };
        Self { who, ..Self::of(visit) }
    }
}

/// What happened to a word in a launch.
#[derive(Clone, Copy, Debug)]
struct Mark {
    launch: u32,
    written: Stamp,
    read: Stamp,
    /// Additions that no other comes between, which do not race with each other.
    added: Stamp,
}

/// Bytes, which of them are written, and the marks of their words.
#[derive(Clone, Debug)]
pub struct Region {
    bytes: Vec<u8>,
    written: Vec<u64>,
    marks: Vec<Mark>,
}

impl Region {
    /// Memory that nothing has written.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes], written: vec![0; bytes.div_ceil(64)], marks: Vec::new() }
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Makes it memory that nothing has written.
    pub fn forget(&mut self) {
        self.written.fill(0);
        self.marks.clear();
    }

    /// Bytes that the host writes; within the region.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        (at..at + bytes.len()).for_each(|at| self.written[at / 64] |= 1 << (at % 64));
    }

    /// Bytes that the host reads; within the region.
    ///
    /// # Errors
    /// The offset of the first byte that nothing has written.
    pub fn read(&self, at: usize, bytes: usize) -> Result<&[u8], usize> {
        match (at..at + bytes).find(|at| self.written[at / 64] >> (at % 64) & 1 == 0) {
            Some(at) => Err(at),
            None => Ok(&self.bytes[at..at + bytes]),
        }
    }

    /// The written bits of an access, which is aligned and of at most 16 bytes, so that they lie in one word.
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

    /// A load by a thread: an aligned piece of at most 16 bytes within the region.
    ///
    /// # Errors
    /// [`FaultKind::Unwritten`] and [`FaultKind::Race`].
    pub fn load(&mut self, at: usize, bytes: usize, visit: &Visit) -> Result<&[u8], FaultKind> {
        let (word, bits) = Self::bits(at, bytes);
        if self.written[word] & bits != bits {
            return Err(FaultKind::Unwritten { address: at as u64, bytes });
        }
        for mark in self.marks(at, bytes, visit.launch) {
            for stamp in [mark.written, mark.added] {
                if !stamp.before(visit) {
                    return Err(race(at, &stamp));
                }
            }
            mark.read = if mark.read.before(visit) { Stamp::of(visit) } else { mark.read.and(visit) };
        }
        Ok(&self.bytes[at..at + bytes])
    }

    /// A store by a thread: an aligned piece of at most 16 bytes within the region.
    ///
    /// # Errors
    /// [`FaultKind::Race`].
    pub fn store(&mut self, at: usize, value: &[u8], visit: &Visit) -> Result<(), FaultKind> {
        for mark in self.marks(at, value.len(), visit.launch) {
            for stamp in [mark.written, mark.read, mark.added] {
                if !stamp.before(visit) {
                    return Err(race(at, &stamp));
                }
            }
            mark.written = Stamp::of(visit);
        }
        let (word, bits) = Self::bits(at, value.len());
        self.written[word] |= bits;
        self.bytes[at..at + value.len()].copy_from_slice(value);
        Ok(())
    }
}

impl Region {
    /// Adds to a number of 32 bits, at a multiple of 4 within the region, and returns the one that was there.
    ///
    /// # Errors
    /// [`FaultKind::Unwritten`], and [`FaultKind::Race`] with an access of another kind.
    pub fn add(&mut self, at: usize, term: u32, visit: &Visit) -> Result<u32, FaultKind> {
        let (word, bits) = Self::bits(at, WORD);
        if self.written[word] & bits != bits {
            return Err(FaultKind::Unwritten { address: at as u64, bytes: WORD });
        }
        for mark in self.marks(at, WORD, visit.launch) {
            for stamp in [mark.written, mark.read] {
                if !stamp.before(visit) {
                    return Err(race(at, &stamp));
                }
            }
            mark.added = if mark.added.before(visit) { Stamp::of(visit) } else { mark.added.and(visit) };
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

    fn visit(thread: u32, epoch: u32, cluster_epoch: u32) -> Visit {
        // Blocks of four threads, clusters of two blocks.
        Visit { launch: 1, thread, block: thread / 4, cluster: 2, epoch, cluster_epoch }
    }

    fn is_race(result: Result<(), FaultKind>) -> bool {
        matches!(result, Err(FaultKind::Race { .. }))
    }

    #[test]
    fn bytes_that_nothing_has_written_are_found() {
        let mut region = Region::new(64);
        region.store(16, &[1; 8], &visit(0, 0, 0)).unwrap();
        assert_eq!(region.load(16, 8, &visit(0, 0, 0)).unwrap(), [1; 8]);
        let error = region.load(16, 16, &visit(0, 0, 0)).unwrap_err();
        assert_eq!(error, FaultKind::Unwritten { address: 16, bytes: 16 });
        assert_eq!(region.read(14, 4), Err(14));
        region.write(24, &[2; 8]);
        assert!(region.load(16, 16, &visit(0, 0, 0)).is_ok());
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
            // The barrier of a block orders nothing in another one of the cluster; that of the cluster does.
            (5, 1, 0, false),
            (5, 1, 1, true),
            // Nothing orders clusters.
            (9, 7, 7, false),
        ] {
            let mut region = Region::new(16);
            region.store(0, &[0; 4], &visit(0, 0, 0)).unwrap();
            let now = visit(other, epoch, cluster_epoch);
            assert_eq!(region.load(0, 4, &now).is_ok(), ordered, "load by {other} at {epoch}");
            assert_eq!(is_race(region.clone().store(0, &[0; 4], &now)), !ordered, "store by {other}");
            // The next launch comes after all of this one.
            assert!(region.store(0, &[0; 4], &Visit { launch: 2, ..now }).is_ok());
        }
    }

    #[test]
    fn additions_race_with_other_accesses_and_not_with_each_other() {
        let mut region = Region::new(16);
        assert!(matches!(region.add(4, 1, &visit(0, 0, 0)), Err(FaultKind::Unwritten { address: 4, .. })));
        region.write(0, &[0xff; 16]);
        // Threads of one block, of the other one of the cluster, of another cluster.
        let olds = [0, 1, 5, 9].map(|thread| region.add(4, 3, &visit(thread, 0, 0)).unwrap());
        assert_eq!(olds, [u32::MAX, 2, 5, 8]);
        assert_eq!(region.read(0, 12).unwrap(), [[0xff; 4], [11, 0, 0, 0], [0xff; 4]].concat());
        for thread in [0, 1, 5, 9] {
            // Even the thread's own access: the additions of the others are not before it.
            assert!(matches!(region.load(4, 4, &visit(thread, 1, 1)), Err(FaultKind::Race { .. })));
            assert!(is_race(region.store(4, &[0; 4], &visit(thread, 1, 1))));
        }
        assert!(region.load(8, 4, &visit(9, 0, 0)).is_ok());
        // In one block a barrier orders them.
        let mut region = Region::new(4);
        region.write(0, &[0; 4]);
        region.load(0, 4, &visit(0, 0, 0)).unwrap();
        assert!(matches!(region.add(0, 1, &visit(1, 0, 0)), Err(FaultKind::Race { .. })));
        for thread in [0, 1] {
            region.add(0, 1, &visit(thread, 1, 0)).unwrap();
        }
        assert!(matches!(region.load(0, 4, &visit(1, 1, 0)), Err(FaultKind::Race { .. })));
        assert_eq!(region.load(0, 4, &visit(1, 2, 0)).unwrap(), [2, 0, 0, 0]);
        region.store(0, &[0; 4], &visit(3, 3, 0)).unwrap();
        assert!(matches!(region.add(0, 1, &visit(2, 3, 0)), Err(FaultKind::Race { .. })));
        assert!(region.add(0, 1, &Visit { launch: 2, ..visit(2, 0, 0) }).is_ok());
    }

    #[test]
    fn a_write_after_reads_is_ordered_after_all_of_them() {
        let mut region = Region::new(16);
        region.write(0, &[0; 16]);
        for thread in 0..3 {
            region.load(0, 4, &visit(thread, 0, 0)).unwrap();
        }
        assert!(is_race(region.clone().store(0, &[0; 4], &visit(2, 0, 0))), "others have read it");
        assert!(region.clone().store(0, &[0; 4], &visit(2, 1, 0)).is_ok());
        // A reader of the other block is behind the barrier of the cluster alone.
        region.load(0, 4, &visit(6, 0, 0)).unwrap();
        assert!(is_race(region.clone().store(0, &[0; 4], &visit(2, 1, 0))));
        assert!(region.clone().store(0, &[0; 4], &visit(2, 2, 1)).is_ok());
        region.load(0, 4, &visit(9, 0, 0)).unwrap();
        assert!(is_race(region.store(0, &[0; 4], &visit(2, 2, 1))), "another cluster has read it");
    }
}
