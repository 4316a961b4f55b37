//! Copies to a CUDA device through two pieces of pinned memory: all cores fill one piece while the device copies the
//! other. From pageable memory the driver would copy on one core. Short copies to the host go through a piece too,
//! since the driver takes longer for pageable memory than for the copy itself.

use crate::elements::Fill;
use crate::error::{Doing, GpuError};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, result};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroize;

/// Number of words that one task writes: whole elements and points of every field and curve, which have 4 to 24 words.
pub(crate) const TASK: usize = 48 << 10;

/// Number of words of a piece.
const PIECE: usize = 42 * TASK;

/// Greatest number of words of a short copy.
pub(crate) const SHORT: usize = 1 << 12;

/// The pieces that are not in use, allocated at the first copies that need them: pairs for copies to the device, single
/// ones for short copies from it. A copy takes its pieces out and holds no lock, because a thread that fills a piece
/// may wait for other tasks and meanwhile run a task that copies too.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    pairs: Mutex<Vec<[Piece; 2]>>,
    single: Mutex<Vec<Piece>>,
}

/// Takes pieces that are not in use, if there are some.
fn taken<T>(from: &Mutex<Vec<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// Returns pieces after use.
fn given<T>(to: &Mutex<Vec<T>>, pieces: T) {
    to.lock().unwrap_or_else(PoisonError::into_inner).push(pieces);
}

/// Pinned memory, with an event for the end of the device's last copy from it.
#[derive(Debug)]
struct Piece {
    words: *mut u64,
    len: usize,
    fetched: CudaEvent,
    context: Arc<CudaContext>,
}

// SAFETY: the memory belongs to the piece alone, and the driver takes its address from every thread.
unsafe impl Send for Piece {}

impl Piece {
    /// Allocates pinned memory; the context must be current.
    fn new(context: &Arc<CudaContext>, len: usize) -> Result<Self, GpuError> {
        let fetched = context.new_event(None).doing("making an event")?;
        // SAFETY: the context is current. The piece frees the memory.
        let words = unsafe { result::malloc_host(len * size_of::<u64>(), 0) }.doing("pinning memory")?;
        Ok(Self { words: words.cast(), len, fetched, context: Arc::clone(context) })
    }

    /// The first words of the piece, after the device has copied their previous content.
    fn free_words(&mut self, len: usize) -> Result<&mut [u64], GpuError> {
        self.fetched.synchronize().doing("waiting for a copy")?;
        let len = len.min(self.len);
        // SAFETY: the memory has so many words, which every pattern of bits is a value of, is borrowed with the piece, and the
        // device does not read it any more.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.words, len) })
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // If waiting fails, the context is unusable anyway.
        let _ = self.context.synchronize();
        // SAFETY: the memory has so many words, which every pattern of bits is a value of, and the device has done with it.
        // Secrets may have passed through it.
        unsafe { core::slice::from_raw_parts_mut(self.words, self.len) }.zeroize();
        // SAFETY: the memory is from `malloc_host`, and nothing reads or writes it any more.
        let _ = unsafe { result::free_host(self.words.cast()) };
    }
}

impl Staging {
    /// Copies words that `fill` produces to an address on the device, after everything that was launched before.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    ///
    /// # Safety
    /// There is room for `len` words at the address.
    pub(crate) unsafe fn fill(
        &self,
        stream: &CudaStream,
        to: u64,
        len: usize,
        fill: &Fill<'_>,
    ) -> Result<(), GpuError> {
        let context = stream.context();
        context.bind_to_thread().doing("entering the context")?;
        let mut pieces = match taken(&self.pairs) {
            Some(pieces) => pieces,
            None => [Piece::new(context, PIECE)?, Piece::new(context, PIECE)?],
        };
        for (at, first) in (0..len).step_by(PIECE).enumerate() {
            let piece = &mut pieces[at % 2];
            let room = piece.free_words(len - first)?;
            room.par_chunks_mut(TASK).enumerate().for_each(|(task, words)| fill(first + task * TASK, words));
            let to = to + (first * size_of::<u64>()) as u64;
            // SAFETY: the caller's promise; the piece is not written again before the event that follows has come.
            unsafe { result::memcpy_htod_async(to, room, stream.cu_stream()) }
                .doing("copying to the device")?;
            piece.fetched.record(stream).doing("recording an event")?;
        }
        given(&self.pairs, pieces);
        Ok(())
    }

    /// Copies at most [`SHORT`] words from an address on the device, after everything that was launched before, and
    /// waits for them.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    ///
    /// # Safety
    /// There are as many words at the address.
    pub(crate) unsafe fn read(
        &self,
        stream: &CudaStream,
        from: u64,
        words: &mut [u64],
    ) -> Result<(), GpuError> {
        let context = stream.context();
        context.bind_to_thread().doing("entering the context")?;
        let mut piece = match taken(&self.single) {
            Some(piece) => piece,
            None => Piece::new(context, SHORT)?,
        };
        let (first, rest) = words.split_at_mut(words.len().min(SHORT));
        debug_assert!(rest.is_empty(), "a copy is short");
        let room = piece.free_words(first.len())?;
        // SAFETY: the caller's promise; the piece lives until the device has written it.
        unsafe { result::memcpy_dtoh_async(room, from, stream.cu_stream()) }.doing("copying to the host")?;
        stream.synchronize().doing("waiting for a copy")?;
        first.copy_from_slice(room);
        given(&self.single, piece);
        Ok(())
    }
}
