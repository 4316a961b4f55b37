//! Copies of operands in the memories of machines.

use crate::sync::Shared;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// The identity of a memory that has copies of operands. Clones are the same memory. When the last clone is dropped, the memory
/// has ended and its copies are dropped.
#[derive(Clone, Debug)]
pub struct Memory(Option<Arc<()>>);

impl Memory {
    /// The memory of the host, for copies in layouts of its own. It never ends.
    pub const HOST: Self = Self(None);

    /// A new memory, different from all others.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "every one is another")]
    pub fn new() -> Self {
        Self(Some(Arc::new(())))
    }
}

/// A weak reference to a memory, which does not keep it alive.
struct WeakMemory(Option<Weak<()>>);

impl WeakMemory {
    fn is(&self, memory: &Memory) -> bool {
        match (&self.0, &memory.0) {
            (None, None) => true,
            (Some(of), Some(token)) => core::ptr::eq(of.as_ptr(), Arc::as_ptr(token)),
            _ => false,
        }
    }

    fn is_hosts(&self) -> bool {
        self.0.is_none()
    }

    fn has_ended(&self) -> bool {
        self.0.as_ref().is_some_and(|of| of.strong_count() == 0)
    }
}

struct KeptCopy {
    of: WeakMemory,
    /// Whether the copy contains the elements of the operand; false for notes.
    elements: bool,
    copy: Arc<dyn Any + Send + Sync>,
}

/// The copies that machines keep of an operand, and notes that they attach to it: at most one of each type per memory. Clones
/// share one set of copies. Copies in a memory that has ended are dropped when a copy is next kept or looked for.
#[derive(Clone, Default)]
pub struct Copies(Arc<Shared<Vec<KeptCopy>>>);

impl Copies {
    /// The copy or note of type `R` in a memory, if there is one.
    pub fn find<R: Send + Sync + 'static>(&self, memory: &Memory) -> Option<Arc<R>> {
        let copy = |kept: &mut Vec<KeptCopy>| {
            let of_memory = kept.iter().filter(|kept| kept.of.is(memory));
            of_memory.map(|kept| Arc::clone(&kept.copy)).find_map(|copy| copy.downcast().ok())
        };
        self.0.with(copy)
    }

    /// Keeps a copy in a memory and replaces an earlier one of that type.
    pub fn keep<R: Send + Sync + 'static>(&self, memory: &Memory, copy: Arc<R>) {
        self.put(memory, copy, true);
    }

    /// Attaches a note to the operand, which [`Copies::find`] finds again. A note does not contain the elements.
    pub fn note<R: Send + Sync + 'static>(&self, memory: &Memory, note: Arc<R>) {
        self.put(memory, note, false);
    }

    fn put<R: Send + Sync + 'static>(&self, memory: &Memory, copy: Arc<R>, elements: bool) {
        let of = WeakMemory(memory.0.as_ref().map(Arc::downgrade));
        let before: Vec<KeptCopy> = self.0.with(|kept| {
            let replaced =
                |kept: &mut KeptCopy| kept.of.has_ended() || (kept.of.is(memory) && kept.copy.is::<R>());
            let before = kept.extract_if(.., replaced).collect();
            kept.push(KeptCopy { of, elements, copy });
            before
        });
        // The old copies are dropped after the lock is released, because dropping one may take long.
        drop(before);
    }

    /// Whether a memory other than the host's has a copy of the elements.
    pub(crate) fn are_elsewhere(&self) -> bool {
        self.give_up(|kept| kept.of.has_ended());
        self.0.with(|kept| kept.iter().any(|kept| kept.elements && !kept.of.is_hosts()))
    }

    pub(crate) fn forget(&self, memory: &Memory) {
        self.give_up(|kept| kept.of.is(memory));
    }

    fn give_up(&self, which: impl Fn(&KeptCopy) -> bool) {
        let given_up: Vec<KeptCopy> = self.0.with(|kept| kept.extract_if(.., |kept| which(kept)).collect());
        drop(given_up);
    }
}

impl fmt::Debug for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copies({})", self.0.with(|kept| kept.len()))
    }
}
