//! Reuse of the memory of large [`Pages`](crate::Pages): freed blocks are kept for the next arrays instead of returned to the
//! system.

use alloc::alloc::dealloc;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While a value of this type lives, blocks of 8 MiB or more that [`Pages`](crate::Pages) free are kept for later arrays. A block
/// suits an array if it is large enough and not larger than the array by more than a third, or not larger than the size given to
/// [`BlockReuse::new`]. If no kept block suits, all of them are freed before new memory is allocated. The last `BlockReuse` frees the rest.
///
/// The system clears every page that it hands out, which takes a tenth of the time of a proof that reads one section of a key
/// after the other. The two largest blocks are kept, one for points and one for scalars. New memory is allocated only when no
/// block is kept, so if one thread allocates at a time, kept and used memory together never exceed the peak of the used memory.
#[derive(Debug)]
pub struct BlockReuse(());

/// A block of memory that is not in use.
pub(crate) struct Block {
    pub(crate) start: NonNull<u8>,
    pub(crate) layout: Layout,
}

// SAFETY: the owner of a block has exclusive access to its memory.
unsafe impl Send for Block {}

impl Block {
    fn free(self) {
        // SAFETY: the memory was allocated with this layout, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// Largest number of blocks that are kept.
const MOST: usize = 2;

/// The kept blocks, the number of living [`BlockReuse`] values, and the smallest size of a new block in bytes.
struct Store {
    alive: usize,
    least: usize,
    blocks: Vec<Block>,
}

static STORE: Mutex<Store> = Mutex::new(Store { alive: 0, least: 0, blocks: Vec::new() });

fn store() -> MutexGuard<'static, Store> {
    // No code panics while it holds the lock.
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BlockReuse {
    /// Keeps memory from here on, in blocks of at least `least` bytes. Callers who know the size of the largest array that follows
    /// give it here. Pages that are not written to take no physical memory, but they count if the address space of the process is
    /// limited.
    #[must_use]
    pub fn new(least: usize) -> Self {
        let mut store = store();
        store.alive += 1;
        store.least = store.least.max(least);
        Self(())
    }
}

impl Drop for BlockReuse {
    fn drop(&mut self) {
        let mut store = store();
        store.alive -= 1;
        let mut left = Vec::new();
        if store.alive == 0 {
            store.least = 0;
            left = core::mem::take(&mut store.blocks);
        }
        drop(store);
        left.into_iter().for_each(Block::free);
    }
}

/// Takes the smallest kept block that suits. If there is none, frees all kept blocks and returns the layout of a new one.
pub(crate) fn take(layout: Layout) -> Result<Block, Layout> {
    let mut store = store();
    let (least, size) = (store.least, layout.size());
    let suits = |block: &Block| {
        let room = block.layout.size();
        room >= size && room <= least.max(size + size / 3) && block.layout.align() >= layout.align()
    };
    let fitting = store.blocks.iter().enumerate().filter(|(_, block)| suits(block));
    if let Some((i, _)) = fitting.min_by_key(|(_, block)| block.layout.size()) {
        return Ok(store.blocks.swap_remove(i));
    }
    let others = core::mem::take(&mut store.blocks);
    drop(store);
    others.into_iter().for_each(Block::free);
    Err(Layout::from_size_align(size.max(least), layout.align()).unwrap_or(layout))
}

/// Keeps a block, or frees it if there is no [`BlockReuse`]. If there are more than [`MOST`] blocks then, the smallest is freed.
pub(crate) fn give(block: Block) {
    let mut store = store();
    let mut free = None;
    if store.alive == 0 {
        free = Some(block);
    } else {
        store.blocks.push(block);
        if store.blocks.len() > MOST {
            let smallest = store.blocks.iter().enumerate().min_by_key(|(_, block)| block.layout.size());
            free = smallest.map(|(i, _)| i).map(|i| store.blocks.swap_remove(i));
        }
    }
    drop(store);
    free.into_iter().for_each(Block::free);
}

/// A lock for tests that make large arrays, since all of them share the kept blocks.
#[cfg(test)]
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LARGE, Pages};
    use alloc::vec;

    fn of(bytes: usize, value: u8) -> Pages<u8> {
        Pages::from(vec![value; bytes].as_slice())
    }

    /// Bytes of the kept blocks, in order.
    fn kept() -> Vec<usize> {
        let mut sizes: Vec<_> = store().blocks.iter().map(|block| block.layout.size()).collect();
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn freed_memory_is_used_again_while_it_is_kept() {
        let _alone = alone();
        let asked = BlockReuse::new(3 * LARGE);
        let also = BlockReuse::new(0);
        let first = of(LARGE, 1);
        let start = first.as_ptr();
        drop(first);
        // The first block has room for a larger array than the one it was made for.
        let second = of(3 * LARGE, 2);
        assert!(second.as_ptr() == start && second.iter().all(|x| *x == 2));
        let third = second.clone();
        assert!(third.as_ptr() != start && *third == *second);
        drop((second, third));
        let mut both = [of(LARGE + 5, 3), of(LARGE, 4)];
        both[0].fill(5);
        assert!(both[0].len() == LARGE + 5 && both[1].iter().all(|x| *x == 4));
        drop(both);
        assert_eq!(kept(), [3 * LARGE; 2]);
        drop(asked);
        assert_eq!(kept(), [3 * LARGE; 2]);
        drop(also);
        let store = store();
        assert!(store.blocks.is_empty() && (store.alive, store.least) == (0, 0));
    }

    #[test]
    fn only_what_suits_is_used_and_no_more_is_kept_than_was_in_use() {
        let _alone = alone();
        drop(of(LARGE, 1));
        assert!(kept().is_empty(), "nobody asks for it");
        let asked = BlockReuse::new(0);
        drop((of(LARGE, 1), of(2 * LARGE, 1)));
        assert_eq!(kept(), [LARGE, 2 * LARGE]);
        // A small array has memory of its own, and large ones take the smallest block that suits.
        drop(of(10, 1));
        let (small, large) = (of(LARGE, 2), of(2 * LARGE - LARGE / 4, 2));
        assert!(kept().is_empty());
        drop((small, large));
        assert_eq!(kept(), [LARGE, 2 * LARGE]);
        // An array that would waste a block, or does not fit one, frees all blocks.
        let other = of(LARGE + LARGE / 4, 3);
        assert!(kept().is_empty());
        // Of three blocks the smallest is freed.
        drop((of(4 * LARGE, 3), other, of(3 * LARGE, 3)));
        assert_eq!(kept(), [3 * LARGE, 4 * LARGE]);
        drop(asked);
        assert!(kept().is_empty());
    }
}
