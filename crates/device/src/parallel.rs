//! Parallel work on many pieces, on the threads of the rayon pool in which it is called; without `std`, one piece after the other.
//!
//! A parallel iterator of rayon is compiled anew for every type of piece and every closure, some 10 kB each time. Here the
//! division among threads is compiled once, over the numbers of the pieces; each use adds only a loop that collects the pieces.
//! The overhead is tens of nanoseconds per piece, so a piece should be thousands of field products, not one.

use alloc::vec::Vec;
use spin::Mutex;

/// The largest number of pieces per thread at which each piece is a task of its own.
#[cfg(feature = "std")]
const MOST_TASKS_PER_THREAD: usize = 16;

/// Calls `work` with the number of each piece and the piece, in any order.
pub fn for_each<T: Send>(pieces: impl IntoIterator<Item = T>, work: impl Fn(usize, T) + Sync) {
    let pieces: Vec<_> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
    on_all_threads(pieces.len(), &|at| {
        // The lock is free, and released before the work begins.
        let piece = pieces[at].lock().take();
        if let Some(piece) = piece {
            work(at, piece);
        }
    });
}

/// Calls `work` as [`for_each`] does, with a value made by `fresh` that no two concurrent calls share: scratch memory that one
/// piece leaves to the next.
pub fn for_each_with<T: Send, S: Send>(
    pieces: impl IntoIterator<Item = T>,
    fresh: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, T) + Sync,
) {
    let spare = Mutex::new(Vec::new());
    for_each(pieces, |at, piece| {
        let left = spare.lock().pop();
        let mut own = left.unwrap_or_else(&fresh);
        work(&mut own, at, piece);
        spare.lock().push(own);
    });
}

/// The results of `work` for each piece and its number, in the order of the pieces.
pub fn map<T: Send, R: Send>(
    pieces: impl IntoIterator<Item = T>,
    work: impl Fn(usize, T) -> R + Sync,
) -> Vec<R> {
    let pieces: Vec<_> = pieces.into_iter().collect();
    let mut results: Vec<Option<R>> = pieces.iter().map(|_| None).collect();
    for_each(pieces.into_iter().zip(&mut results), |at, (piece, result)| *result = Some(work(at, piece)));
    // Every piece has a result: a panic in `work` would have been propagated before.
    results.into_iter().flatten().collect()
}

/// As [`map`], for work that can fail. All pieces are worked on even if one fails.
///
/// # Errors
/// The error of the first piece that has one.
pub fn try_map<T: Send, R: Send, E: Send>(
    pieces: impl IntoIterator<Item = T>,
    work: impl Fn(usize, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    map(pieces, work).into_iter().collect()
}

/// The index of the first item that passes the test. Items are searched in pieces of `piece` items.
pub fn first<T: Sync>(items: &[T], piece: usize, test: impl Fn(&T) -> bool + Sync) -> Option<usize> {
    let in_piece = |at, items: &[T]| Some(at * piece + items.iter().position(&test)?);
    map(items.chunks(piece), in_piece).into_iter().flatten().next()
}

fn on_all_threads(count: usize, work: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "std")]
    if count > 1 {
        use rayon::prelude::*;
        let numbers = (0..count).into_par_iter();
        // The work of few pieces may differ much, so each of them is a task that any thread can take.
        let few = count <= MOST_TASKS_PER_THREAD * rayon::current_num_threads();
        return if few { numbers.with_max_len(1).for_each(work) } else { numbers.for_each(work) };
    }
    (0..count).for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    const LENGTHS: [usize; 6] = [0, 1, 2, 7, 100, 2000];

    #[test]
    fn every_piece_is_worked_on_once_with_its_number() {
        for len in LENGTHS {
            let mut values = alloc::vec![1usize; len];
            for_each(values.chunks_mut(3), |at, piece| piece.iter_mut().for_each(|x| *x += at));
            let expected: Vec<usize> = (0..len).map(|i| 1 + i / 3).collect();
            assert_eq!(values, expected);
            assert_eq!(map(values, |at, x| (at, x)), expected.into_iter().enumerate().collect::<Vec<_>>());
            assert_eq!(
                try_map(0..len, |at, x| if x < 7 { Ok(at) } else { Err(x) }).err(),
                (len > 7).then_some(7)
            );
        }
    }

    #[test]
    fn memory_goes_from_piece_to_piece() {
        for len in LENGTHS {
            let (made, total) = (Mutex::new(0), Mutex::new(0));
            let fresh = || *made.lock() += 1;
            for_each_with(0..len, fresh, |(), _, x| *total.lock() += x);
            assert_eq!(*total.lock(), len * len.saturating_sub(1) / 2);
            assert!(*made.lock() <= len.min(rayon::current_num_threads()));
        }
    }

    #[test]
    fn the_first_is_found() {
        let items: Vec<usize> = (0..1000).collect();
        for from in [0, 1, 9, 10, 555, 999] {
            assert_eq!(first(&items, 10, |x| *x >= from), Some(from));
        }
        assert_eq!(first(&items, 10, |_| false), None);
    }

    #[test]
    fn a_panic_in_a_piece_goes_on() {
        let run = || map(0..8, |_, x| assert_ne!(x, 5));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
