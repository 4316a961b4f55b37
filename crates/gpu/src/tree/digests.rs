//! Merkle trees of SHA3-256 on the device, with one launch per level.

use crate::error::GpuError;
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::{Need, Words};
use crate::saturating_u32;
use crate::workshop::Setup;
use pairwright_device::{DeviceError, Transfer, once};
use pairwright_hash::Digest;
use pairwright_moma::program::print::Dialect;
use pairwright_poly::{Memory, View};
use std::sync::{Arc, OnceLock};

/// Threads per block.
const THREADS: u32 = 128;

/// Number of 64-bit words of a digest.
const WORDS: usize = 4;

/// The kernel that compresses two digests to one.
#[derive(Debug, Default)]
pub(super) struct Sha3Kernel(OnceLock<Kernel>);

/// The source text of the kernel.
pub(crate) fn text(dialect: Dialect) -> String {
    format!("{}enum {{ THREADS = {THREADS} }};\n{}", dialect.words(), include_str!("sha3.cu"))
}

fn pack(digests: &[Digest]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    digests.iter().flat_map(|digest| digest.chunks_exact(8).map(word)).collect()
}

fn unpack(words: &[u64]) -> Vec<Digest> {
    let digest = |words: &[u64]| core::array::from_fn(|at| words[at / 8].to_le_bytes()[at % 8]);
    words.chunks_exact(WORDS).map(digest).collect()
}

impl Sha3Kernel {
    fn kernel(&self, setup: &Setup) -> Result<&Kernel, GpuError> {
        once(&self.0, || setup.kernel("sha3_pairs", &text(setup.dialect())))
    }

    /// Computes all levels above the leaves, with the root last, if `all` is set, else only the root. A single leaf is
    /// its own root and has no levels above.
    pub(super) fn levels(
        &self,
        setup: &Setup,
        memory: &Memory,
        leaves: &View<'_, Digest>,
        all: bool,
        copies: &mut Transfer,
    ) -> Result<Vec<Digest>, DeviceError> {
        let gpu = &setup.gpu;
        let bytes = (leaves.len() * size_of::<Digest>()) as u64;
        gpu.check_memory(&Need::new().with_part("leaves", bytes).with_part("levels", bytes))?;
        let kernel = self.kernel(setup)?;
        let mut upload =
            |leaves: &[Digest]| Ok::<_, DeviceError>(Words::from_host(gpu, &pack(leaves), copies)?);
        let whole = leaves.len() == leaves.buf().len();
        let mut level = match whole {
            true => leaves.buf().copy_or(memory, &mut upload)?,
            false => Arc::new(upload(leaves.host()?)?),
        };
        let mut found = Vec::new();
        let mut n = leaves.len() / 2;
        while n > 0 {
            let mut next = Words::uninitialised(gpu, n * WORDS)?;
            let count = saturating_u32(n);
            let mut arguments = [Arg::U32(count), Arg::Write(&mut next), Arg::Read(&level)];
            // SAFETY: the level has two digests for each that is written, and there is room for as many.
            unsafe { kernel.launch(&Shape::flat(count.div_ceil(THREADS), THREADS), &mut arguments)? };
            level = Arc::new(next);
            if all || n == 1 {
                let mut words = vec![0; n * WORDS];
                level.read(&mut words, copies)?;
                found.extend(unpack(&words));
            }
            n /= 2;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_words_and_back() {
        let digests: [Digest; 2] = [0, 32].map(|from| core::array::from_fn(|i| from + i as u8));
        let words = pack(&digests);
        assert_eq!((words.len(), words[0]), (8, 0x0706_0504_0302_0100));
        assert_eq!(unpack(&words), digests);
    }
}
