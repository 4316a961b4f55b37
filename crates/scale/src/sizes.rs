//! The sizes of a key, and the sizes of tasks that fit into memory.

use crate::{Layout, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::EntrySource;
use pairwright_field::PrimeField;
use pairwright_formats::{CurveId, ZkeyFile, stored_point_bytes};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// The sizes of a key that determine the cost of a proof with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySizes {
    /// The curve's name in files, such as `bn128`.
    pub curve: String,
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public values, without the constant one.
    pub public: usize,
    /// Base-2 logarithm of the domain size.
    pub log_domain: u32,
    /// Number of entries of the constraint matrices.
    pub entries: usize,
    /// Length of a stored G1 point in bytes.
    pub g1_bytes: u64,
    /// Length of a stored G2 point in bytes.
    pub g2_bytes: u64,
    /// Length of a scalar in bytes.
    pub scalar_bytes: u64,
}

impl KeySizes {
    /// The sizes of a key on the curve `E` with these four numbers.
    pub fn new<E: Pairing>(wires: usize, public: usize, log_domain: u32, entries: usize) -> Self {
        let g1 = stored_point_bytes::<E::G1>();
        let g2 = stored_point_bytes::<E::G2>();
        Self {
            curve: CurveId::of::<E>().map_or(E::NAME, CurveId::name).to_owned(),
            wires,
            public,
            log_domain,
            entries,
            g1_bytes: g1 as u64,
            g2_bytes: g2 as u64,
            scalar_bytes: E::Fr::BYTES as u64,
        }
    }
    /// The sizes of a key file.
    pub fn of<E: Pairing>(key: &ZkeyFile<E>) -> Self {
        let (domain, entries) = (key.domain().log_size(), key.coefficients().len());
        Self::new::<E>(key.wires(), key.public(), domain, entries)
    }
    /// Number of wires that are neither the constant one nor public.
    pub fn private(&self) -> usize {
        self.wires.saturating_sub(self.public + 1)
    }
    /// Number of points, or of witness values, whose bytes share one digest: about a thousandth of the wires, and no more than
    /// the smallest task has.
    pub fn piece(&self) -> usize {
        (self.wires >> 10).clamp(1, FEWEST)
    }
    /// Length in bytes of a piece whose elements have `element` bytes.
    pub fn piece_bytes(&self, element: u64) -> NonZeroU64 {
        NonZeroU64::new(self.piece() as u64 * element).unwrap_or(NonZeroU64::MIN)
    }
    /// Length of a matrix entry in bytes.
    pub fn entry_bytes(&self) -> u64 {
        ENTRY_HEAD as u64 + self.scalar_bytes
    }
}

/// Length in bytes of matrix, row and wire, which precede an entry's value.
const ENTRY_HEAD: usize = 12;

/// The sizes of tasks, which determine how much is in memory at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Number of blocks of the domain.
    pub blocks: usize,
    /// Largest number of G1 points in the MSM of a task.
    pub g1_points: usize,
    /// Largest number of G2 points in the MSM of a task.
    pub g2_points: usize,
    /// Largest part of the witness in bytes that the products with the circuit's matrices keep in memory.
    pub cache: u64,
}

/// Memory of the process itself in bytes: code, transform tables, working memory of each thread.
const PROCESS: u64 = 48 << 20;
/// Smallest number of points of a task; with fewer points, reading costs more than adding.
const FEWEST: usize = 1 << 12;

/// Memory in bytes per point of a multi-scalar multiplication: the point, its scalar, the scalar's magnitude in the buffer and
/// in the order of processing, and the digits of the current windows.
pub(crate) fn msm_bytes(point: u64, scalar: u64, threads: usize) -> u64 {
    point + 3 * scalar + 4 + 12 * threads as u64 + 8
}

/// Memory in bytes per element of a block of columns: three vectors, and their pieces that are being read or written.
pub(crate) fn block_bytes(scalar: u64, g1: u64, threads: usize) -> u64 {
    (6 * scalar).max(scalar + msm_bytes(g1, scalar, threads))
}

impl Sizes {
    /// Limits the sizes further, so that the work is divided into at least `parts` tasks of equal size, for that many workers.
    #[must_use]
    pub fn in_parts(self, parts: usize, key: &KeySizes) -> Self {
        let points = key.wires.div_ceil(parts.max(1)).max(1).next_multiple_of(key.piece());
        let blocks = Layout::new(key.log_domain, self.blocks.max(parts)).blocks();
        Self { blocks, g1_points: self.g1_points.min(points), g2_points: self.g2_points.min(points), ..self }
    }

    /// The largest sizes with which a process of `threads` threads stays within `memory` bytes.
    ///
    /// # Errors
    /// [`ScaleError::Memory`] when no plan fits.
    pub fn for_memory(memory: u64, key: &KeySizes, threads: usize) -> Result<Self, ScaleError> {
        let most_blocks = Layout::new(key.log_domain, usize::MAX).blocks();
        let g1 = msm_bytes(key.g1_bytes, key.scalar_bytes, threads);
        let g2 = msm_bytes(key.g2_bytes, key.scalar_bytes, threads);
        let element = block_bytes(key.scalar_bytes, key.g1_bytes, threads);
        let domain = 1u64 << key.log_domain;
        let witness = key.wires as u64 * key.scalar_bytes;
        // Every thread has a buffer of its own for entries and points.
        let process = PROCESS + threads as u64 * (4 << 20);
        let least_block = domain.div_ceil(most_blocks as u64) * 2 * element;
        let least = process + least_block.max(FEWEST as u64 * g2) + (1 << 20);
        // An eighth is reserved for memory that the allocator does not return at once.
        let room = memory.saturating_sub(memory / 8).saturating_sub(process);
        if memory < least || room < least - process {
            return Err(ScaleError::Memory { memory, least: least + least / 6 });
        }
        let cache = (room / 4).min(witness.next_multiple_of(4096)).max(1 << 20);
        let in_block = ((room - cache.min(room / 4)) / element).max(1);
        let blocks = usize::try_from(domain.div_ceil(in_block)).unwrap_or(usize::MAX).clamp(1, most_blocks);
        let points = |each: u64| usize::try_from(room / each).unwrap_or(usize::MAX).max(FEWEST);
        Ok(Self { blocks, g1_points: points(g1), g2_points: points(g2), cache })
    }
}
