//! Memory of large [`Pages`](crate::Pages) that is given to the next ones instead of the system.

use alloc::alloc::dealloc;
use core::alloc::Layout;
use core::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While one of these lives, memory of 8 MiB or more that [`Pages`](crate::Pages) free goes to the next ones that it suits: it
/// is large enough, and larger by no more than a third, or no larger than was asked for. Memory that does not suit is freed
/// before other memory is taken, and what is left with the last `Kept`.
///
/// The system clears every page that it gives out, which takes a tenth of the time of a proof that reads one section of a key
/// after the other. One block is kept at a time, the largest.
#[derive(Debug)]
pub struct Kept(());

/// A block of memory that nobody uses.
pub(crate) struct Block {
    pub(crate) start: NonNull<u8>,
    pub(crate) layout: Layout,
}

// SAFETY: whoever has a block has its memory alone.
unsafe impl Send for Block {}

impl Block {
    fn free(self) {
        // SAFETY: the memory was allocated with this layout, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// The block that is kept, how many ask for it, and the least bytes of a new one.
struct Store {
    alive: usize,
    least: usize,
    block: Option<Block>,
}

static STORE: Mutex<Store> = Mutex::new(Store { alive: 0, least: 0, block: None });

fn store() -> MutexGuard<'static, Store> {
    // Nothing panics while it holds the lock.
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// Keeps memory from here on, in blocks of at least so many bytes. Who knows the largest of what follows asks for it here: what
    /// is not written to is no memory yet, though it counts where the size of a process is limited.
    #[must_use]
    pub fn new(least: usize) -> Self {
        let mut store = store();
        store.alive += 1;
        store.least = store.least.max(least);
        Self(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let mut store = store();
        store.alive -= 1;
        let mut left = None;
        if store.alive == 0 {
            store.least = 0;
            left = store.block.take();
        }
        drop(store);
        left.into_iter().for_each(Block::free);
    }
}

/// The kept block if it suits, or the layout of a new one. A block that does not suit is freed, so that both are never held at once.
pub(crate) fn take(layout: Layout) -> Result<Block, Layout> {
    let mut store = store();
    let (least, kept) = (store.least, store.block.take());
    drop(store);
    let suits = |block: &Block| {
        let (room, size) = (block.layout.size(), layout.size());
        room >= size && room <= least.max(size + size / 3) && block.layout.align() >= layout.align()
    };
    match kept {
        Some(block) if suits(&block) => Ok(block),
        other => {
            other.into_iter().for_each(Block::free);
            let larger = Layout::from_size_align(layout.size().max(least), layout.align());
            Err(larger.unwrap_or(layout))
        }
    }
}

/// Keeps a block, or frees it when a larger one is kept or nobody asks for it.
pub(crate) fn give(block: Block) {
    let mut store = store();
    let larger = |kept: &Block| kept.layout.size() >= block.layout.size();
    let free = if store.alive == 0 || store.block.as_ref().is_some_and(larger) {
        Some(block)
    } else {
        store.block.replace(block)
    };
    drop(store);
    free.into_iter().for_each(Block::free);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LARGE, Pages};
    use alloc::vec;

    /// Both tests look at the one block of the process.
    static ALONE: Mutex<()> = Mutex::new(());

    fn of(bytes: usize, value: u8) -> Pages<u8> {
        Pages::from(vec![value; bytes].as_slice())
    }

    #[test]
    fn freed_memory_is_used_again_while_it_is_kept() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = Kept::new(3 * LARGE);
        let also = Kept::new(0);
        let first = of(LARGE, 1);
        let start = first.as_ptr();
        drop(first);
        // The first block has room for what is larger than it.
        let second = of(3 * LARGE, 2);
        assert!(second.as_ptr() == start && second.iter().all(|x| *x == 2));
        let third = second.clone();
        assert!(third.as_ptr() != start && *third == *second);
        // One block is kept.
        drop((second, third));
        let mut both = [of(LARGE + 5, 3), of(LARGE, 4)];
        both[0].fill(5);
        assert!(both[0].len() == LARGE + 5 && both[1].iter().all(|x| *x == 4));
        drop(both);
        drop(kept);
        assert!(store().block.is_some());
        drop(also);
        let store = store();
        assert!(store.block.is_none() && (store.alive, store.least) == (0, 0));
    }

    #[test]
    fn nothing_is_kept_that_nobody_asks_for() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        drop(of(LARGE, 1));
        assert!(store().block.is_none());
        let kept = Kept::new(0);
        drop(of(LARGE, 1));
        // A small one has memory of its own; one that is too large frees the block, and so does one that would waste it.
        drop(of(10, 1));
        assert!(store().block.is_some());
        let large = of(2 * LARGE, 1);
        assert!(store().block.is_none());
        drop(large);
        assert!(store().block.is_some());
        let wasteful = of(LARGE, 2);
        assert!(store().block.is_none());
        drop(wasteful);
        drop(of(2 * LARGE, 3));
        assert!(store().block.as_ref().is_some_and(|block| block.layout.size() == 2 * LARGE));
        drop(kept);
    }
}
