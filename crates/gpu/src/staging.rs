//! Copies to a CUDA device through two pieces of memory that the driver has pinned: all cores fill one while the device
//! fetches the other. From other memory the driver would copy by itself, on one core.

use crate::elements::Fill;
use crate::error::{Doing, GpuError};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, result};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Words that are written by one task: whole elements and points of every field and curve, which have 4 to 24 words.
pub(crate) const TASK: usize = 48 << 10;

/// Words of a piece.
const PIECE: usize = 42 * TASK;

/// The two pieces, made at the first copy that needs them.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    pieces: Mutex<Option<[Piece; 2]>>,
}

/// Pinned memory, and when the device has fetched what was in it.
#[derive(Debug)]
struct Piece {
    words: *mut u64,
    fetched: CudaEvent,
    context: Arc<CudaContext>,
}

// SAFETY: the memory belongs to the piece alone, and the driver takes its address from every thread.
unsafe impl Send for Piece {}

impl Piece {
    /// Memory pinned in a context that is current.
    fn new(context: &Arc<CudaContext>) -> Result<Self, GpuError> {
        let fetched = context.new_event(None).doing("making an event")?;
        // SAFETY: the context is current. The piece frees the memory.
        let words = unsafe { result::malloc_host(PIECE * size_of::<u64>(), 0) }.doing("pinning memory")?;
        Ok(Self { words: words.cast(), fetched, context: Arc::clone(context) })
    }

    /// The first words of the piece, once the device has fetched what was in them.
    fn room(&mut self, len: usize) -> Result<&mut [u64], GpuError> {
        self.fetched.synchronize().doing("waiting for a copy")?;
        let len = len.min(PIECE);
        // SAFETY: the memory has `PIECE` words, which every pattern of bits is a value of, is borrowed with the piece, and the
        // device does not read it any more.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.words, len) })
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // What cannot be freed is lost with the context.
        let _ = self.context.bind_to_thread();
        let _ = self.fetched.synchronize();
        // SAFETY: the memory is from `malloc_host`, and nothing reads it any more.
        let _ = unsafe { result::free_host(self.words.cast()) };
    }
}

impl Staging {
    /// Writes words for an address of the device, behind what was launched before.
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
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let pieces = match &mut *pieces {
            Some(pieces) => pieces,
            none => none.insert([Piece::new(context)?, Piece::new(context)?]),
        };
        for (at, first) in (0..len).step_by(PIECE).enumerate() {
            let piece = &mut pieces[at % 2];
            let room = piece.room(len - first)?;
            room.par_chunks_mut(TASK).enumerate().for_each(|(task, words)| fill(first + task * TASK, words));
            let to = to + (first * size_of::<u64>()) as u64;
            // SAFETY: the caller's promise; the piece is not written again before the event that follows has come.
            unsafe { result::memcpy_htod_async(to, room, stream.cu_stream()) }
                .doing("copying to the device")?;
            piece.fetched.record(stream).doing("recording an event")?;
        }
        Ok(())
    }
}
