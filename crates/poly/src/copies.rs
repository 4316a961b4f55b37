//! Copies of buffers in the memories of machines.

use crate::sync::Shared;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A memory that holds copies of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(usize);

/// Number of memories so far, the host's included.
static MEMORIES: AtomicUsize = AtomicUsize::new(1);

impl Memory {
    /// The host's, for layouts of its own.
    pub const HOST: Self = Self(0);

    /// Another memory than every one before.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "every one is another")]
    pub fn new() -> Self {
        Self(MEMORIES.fetch_add(1, Ordering::Relaxed))
    }
}

type Kept = (Memory, Arc<dyn Any + Send + Sync>);

/// The copies that machines keep of an operand, at most one of a type in a memory. Clones are the same copies.
#[derive(Clone, Default)]
pub struct Copies(Arc<Shared<Vec<Kept>>>);

impl Copies {
    /// The copy of a type in a memory.
    pub fn find<R: Send + Sync + 'static>(&self, memory: Memory) -> Option<Arc<R>> {
        let copy = |kept: &mut Vec<Kept>| {
            kept.iter().filter(|(of, _)| *of == memory).find_map(|(_, copy)| Arc::clone(copy).downcast().ok())
        };
        self.0.with(copy)
    }

    /// Keeps a copy in a memory, instead of the one of that type before.
    pub fn keep<R: Send + Sync + 'static>(&self, memory: Memory, copy: Arc<R>) {
        self.0.with(|kept| {
            kept.retain(|(of, before)| *of != memory || !before.is::<R>());
            kept.push((memory, copy));
        });
    }

    /// Whether a machine with a memory of its own has a copy.
    pub(crate) fn are_elsewhere(&self) -> bool {
        self.0.with(|kept| kept.iter().any(|(of, _)| *of != Memory::HOST))
    }

    pub(crate) fn forget(&self, memory: Memory) {
        // Dropped after the list is let go of: a copy may take its time.
        let forgotten: Vec<Kept> = self.0.with(|kept| kept.extract_if(.., |(of, _)| *of == memory).collect());
        drop(forgotten);
    }
}

impl fmt::Debug for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copies({})", self.0.with(|kept| kept.len()))
    }
}
