//! Counters of a launch.

use crate::lanes::WARP;
use core::ops::AddAssign;

/// Bytes per sector, the unit of transfer of device memory.
const SECTOR: u64 = 32;
/// Number of banks of shared memory, each four bytes wide.
const BANKS: usize = 32;

/// The counts of one launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions executed by warps.
    pub instructions: u64,
    /// Instructions executed by threads.
    pub thread_instructions: u64,
    /// Greatest number of instructions of a warp, from the start of its block to the end.
    pub longest_warp: u64,
    /// Number of block barriers that were passed.
    pub barriers: u64,
    /// Number of cluster barriers that were passed.
    pub cluster_barriers: u64,
    /// Bytes that threads loaded from device memory.
    pub loaded: u64,
    /// Bytes that threads stored to device memory.
    pub stored: u64,
    /// Sectors that loads of warps touch, each access counted by itself.
    pub sectors_loaded: u64,
    /// Sectors that stores of warps touch, each access counted by itself.
    pub sectors_stored: u64,
    /// Number of accesses by threads to shared memory of their own block.
    pub shared_local: u64,
    /// Number of accesses by threads to shared memory of other blocks.
    pub shared_remote: u64,
    /// Turns that the accesses to shared memory take, with bank conflicts.
    pub bank_turns: u64,
    /// Turns that they would take without bank conflicts.
    pub bank_turns_least: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.thread_instructions += other.thread_instructions;
        self.longest_warp = self.longest_warp.max(other.longest_warp);
        self.barriers += other.barriers;
        self.cluster_barriers += other.cluster_barriers;
        self.loaded += other.loaded;
        self.stored += other.stored;
        self.sectors_loaded += other.sectors_loaded;
        self.sectors_stored += other.sectors_stored;
        self.shared_local += other.shared_local;
        self.shared_remote += other.shared_remote;
        self.bank_turns += other.bank_turns;
        self.bank_turns_least += other.bank_turns_least;
    }
}

/// The number of sectors that an access of a warp touches.
pub(crate) fn sectors(addresses: &[u64], bytes: usize) -> u64 {
    let mut all: Vec<u64> = addresses.iter().map(|address| address / SECTOR).collect();
    all.sort_unstable();
    all.dedup();
    // An aligned access of at most 16 bytes lies in one sector.
    debug_assert!(bytes <= SECTOR as usize);
    all.len() as u64
}

/// The turns of an access of a warp to shared memory, and the least number of turns for as many bytes. An access is
/// served in groups of threads that together take 128 bytes; within a group, different words in the same bank of a
/// block conflict, and the same word is read once. Places are rank and offset.
pub(crate) fn bank_turns(places: &[(u32, u64)], bytes: usize) -> (u64, u64) {
    let group = WARP * 4 / bytes.max(4);
    let (mut turns, mut least) = (0, 0);
    for places in places.chunks(group) {
        let mut words: Vec<(u32, u64)> = places
            .iter()
            .flat_map(|(rank, at)| (0..bytes.div_ceil(4) as u64).map(move |word| (*rank, at / 4 + word)))
            .collect();
        words.sort_unstable();
        words.dedup();
        for words in words.chunk_by(|a, b| a.0 == b.0) {
            let mut banks = [0u64; BANKS];
            words.iter().for_each(|(_, word)| banks[*word as usize % BANKS] += 1);
            turns += banks.into_iter().max().unwrap_or(0);
        }
        least += words.len().div_ceil(BANKS) as u64;
    }
    (turns, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_pieces_of_32_bytes() {
        let at = |stride: u64| (0..32).map(|i| i * stride).collect::<Vec<_>>();
        assert_eq!(sectors(&at(4), 4), 4);
        assert_eq!(sectors(&at(16), 16), 16);
        assert_eq!(sectors(&at(32), 16), 32);
        assert_eq!(sectors(&[64; 32], 8), 1);
    }

    #[test]
    fn banks_are_taken_in_turns() {
        let at = |stride: u64| (0..32).map(|i| (0, i * stride)).collect::<Vec<_>>();
        assert_eq!(bank_turns(&at(4), 4), (1, 1));
        assert_eq!(bank_turns(&at(8), 4), (2, 1));
        assert_eq!(bank_turns(&at(128), 4), (32, 1));
        assert_eq!(bank_turns(&at(16), 16), (4, 4));
        assert_eq!(bank_turns(&at(32), 16), (8, 4));
        assert_eq!(bank_turns(&[(0, 64); 32], 4), (1, 1));
        // The shared memories of different blocks are accessed one after the other.
        assert_eq!(bank_turns(&[(0, 0), (1, 4)], 4), (2, 1));
    }
}
