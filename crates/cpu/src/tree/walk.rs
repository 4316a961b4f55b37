//! The order in which the nodes of a tree are computed: level by level, or subtree by subtree.
//!
//! Both traversals are built from one step, which computes a piece of a level from the corresponding piece of the adjacent level.
//! Level by level (BFS), all threads compute one level before the next begins, and every level goes through memory.
//! Subtree by subtree (DFS), each thread is assigned a run of subtrees at the start, each small enough for the
//! caches, and computes all levels of one before the next. Above the subtrees there is a smaller tree,
//! which is treated in the same way. A subtree ends with [`NARROW`] nodes instead of a single root, so that a step always has
//! several nodes to compute at once.

use super::Traversal;
use pairwright_device::parallel;

/// Number of nodes with which a subtree ends.
const NARROW: usize = 8;
/// Largest number of nodes in a task of a level-by-level traversal.
const PIECE: usize = 1 << 10;

/// The computation of one level of a tree from the adjacent level. Step `level`, counted from the leaves, connects a level of
/// `2^(μ - level)` nodes with one of half as many.
pub(super) trait LevelStep<T>: Sync {
    /// Number of leaves of a subtree: a power of two, at least 16.
    const SUBTREE: usize;
    /// Writes all of `to` from all of `from`, which is twice as long (inverted tree) or half as long (forward tree).
    fn step(&self, level: usize, from: &[T], to: &mut [T]);
    /// Allocates memory for `len` nodes that will be written.
    fn zeros(len: usize) -> Vec<T>;
}

/// Number of static parts into which a tree is divided: one per thread, or a few per thread if the number of threads is not a power
/// of two.
fn parts() -> usize {
    let threads = rayon::current_num_threads();
    if threads.is_power_of_two() { threads } else { 4 * threads.next_power_of_two() }
}

/// A tree cut at some level into subtrees.
struct Cut {
    /// Number of leaves of a subtree.
    subtree: usize,
    /// Number of levels of a subtree, without that of the leaves.
    levels: usize,
    /// Number of subtrees in one static part.
    run: usize,
}

impl Cut {
    /// The lowest cut of a tree over `len` leaves; `None` if the tree is a single subtree.
    fn of<T, S: LevelStep<T>>(len: usize) -> Option<Self> {
        let subtree = S::SUBTREE.min(len / parts()).max(2 * NARROW);
        let run = (len / subtree / parts()).max(1);
        (len > subtree).then(|| Self { subtree, levels: (subtree / NARROW).ilog2() as usize, run })
    }
}

/// Computes a whole level in pieces on all threads.
fn step_in_pieces<T: Copy + Send + Sync, S: LevelStep<T>>(step: &S, level: usize, from: &[T], to: &mut [T]) {
    let narrow = from.len().min(to.len());
    let piece = (narrow / (4 * parts())).clamp(NARROW, PIECE).min(narrow);
    let (down, up) = (piece * from.len() / narrow, piece * to.len() / narrow);
    parallel::for_each(from.chunks(down).zip(to.chunks_mut(up)), |_, (from, to)| step.step(level, from, to));
}

/// Computes a narrower level of an inverted tree from a level; the levels between are written to `scratch`, which is as long as
/// `from`.
fn shrink<T>(
    step: &impl Fn(usize, &[T], &mut [T]),
    level: usize,
    from: &[T],
    to: &mut [T],
    scratch: &mut [T],
) {
    if from.len() == 2 * to.len() {
        return step(level, from, to);
    }
    let (half, rest) = scratch.split_at_mut(from.len() / 2);
    step(level, from, half);
    shrink(step, level + 1, half, to, rest);
}

/// Computes a wider level of a forward tree from a level, down to the step `level`; `scratch` is as long as `to`.
fn grow<T>(step: &impl Fn(usize, &[T], &mut [T]), level: usize, from: &[T], to: &mut [T], scratch: &mut [T]) {
    if to.len() == 2 * from.len() {
        return step(level, from, to);
    }
    let (half, rest) = scratch.split_at_mut(to.len() / 2);
    grow(step, level + 1, from, half, rest);
    step(level, half, to);
}

/// The root of the inverted tree over `leaves`, whose number is a power of two.
pub(super) fn root<T: Copy + Send + Sync, S: LevelStep<T>>(order: Traversal, step: &S, leaves: &[T]) -> T {
    let mut root = [leaves[0]];
    match order {
        _ if leaves.len() == 1 => {}
        Traversal::Bfs => {
            let whole = |level, from: &[T], to: &mut [T]| step_in_pieces(step, level, from, to);
            shrink(&whole, 0, leaves, &mut root, &mut S::zeros(leaves.len()));
        }
        Traversal::Dfs => shrink_parts(step, 0, leaves, &mut root),
    }
    root[0]
}

fn shrink_parts<T: Copy + Send + Sync, S: LevelStep<T>>(step: &S, level: usize, from: &[T], to: &mut [T]) {
    let alone = |level, from: &[T], to: &mut [T]| step.step(level, from, to);
    let Some(cut) = Cut::of::<T, S>(from.len()) else {
        return shrink(&alone, level, from, to, &mut S::zeros(from.len()));
    };
    let mut above = S::zeros(from.len() >> cut.levels);
    let runs = from.chunks(cut.run * cut.subtree).zip(above.chunks_mut(cut.run * NARROW));
    parallel::for_each(runs, |_, (from, to)| {
        let mut scratch = S::zeros(cut.subtree);
        for (from, to) in from.chunks_exact(cut.subtree).zip(to.chunks_exact_mut(NARROW)) {
            shrink(&alone, level, from, to, &mut scratch);
        }
    });
    shrink_parts(step, level + cut.levels, &above, to);
}

/// Every inner node of the inverted tree over `leaves`, whose number is a power of two, level by level in the order of
/// [`pairwright_poly::Levels`].
pub(super) fn nodes<T: Copy + Send + Sync, S: LevelStep<T>>(
    order: Traversal,
    step: &S,
    leaves: &[T],
) -> Vec<T> {
    let mut nodes = S::zeros(leaves.len() - 1);
    let (mut below, mut rest, mut level) = (leaves, &mut nodes[..], 0);
    while below.len() > 1 {
        let cut = Cut::of::<T, S>(below.len()).filter(|_| order == Traversal::Dfs);
        let levels = cut.as_ref().map_or(below.len().ilog2() as usize, |cut| cut.levels);
        let (strip, above) = rest.split_at_mut(below.len() - (below.len() >> levels));
        match cut {
            Some(cut) => fill_parts(step, level, below, strip, &cut),
            None if order == Traversal::Dfs => {
                fill(&|level, from, to| step.step(level, from, to), level, below, strip);
            }
            None => fill(&|level, from, to| step_in_pieces(step, level, from, to), level, below, strip),
        }
        below = &strip[strip.len() - (below.len() >> levels)..];
        (rest, level) = (above, level + levels);
    }
    nodes
}

/// Writes the levels above `below` to `strip`, one after the other, until it is full.
fn fill<T>(step: &impl Fn(usize, &[T], &mut [T]), level: usize, below: &[T], strip: &mut [T]) {
    if strip.is_empty() {
        return;
    }
    let (next, rest) = strip.split_at_mut(below.len() / 2);
    step(level, below, next);
    fill(step, level + 1, next, rest);
}

/// Computes the levels above `below` within the subtrees of a cut.
fn fill_parts<T: Copy + Send + Sync, S: LevelStep<T>>(
    step: &S,
    level: usize,
    below: &[T],
    strip: &mut [T],
    cut: &Cut,
) {
    // For each subtree, its pieces of all levels.
    let mut pieces: Vec<Vec<&mut [T]>> =
        (0..below.len() / cut.subtree).map(|_| Vec::with_capacity(cut.levels)).collect();
    let mut rest = strip;
    for height in 1..=cut.levels {
        let (row, above) = rest.split_at_mut(below.len() >> height);
        row.chunks_exact_mut(cut.subtree >> height).zip(&mut pieces).for_each(|(to, of)| of.push(to));
        rest = above;
    }
    let runs = below.chunks(cut.run * cut.subtree).zip(pieces.chunks_mut(cut.run));
    parallel::for_each(runs, |_, (below, pieces)| {
        for (mut from, pieces) in below.chunks_exact(cut.subtree).zip(pieces) {
            for (height, to) in pieces.iter_mut().enumerate() {
                step.step(level + height, from, to);
                from = to;
            }
        }
    });
}

/// The lowest level of the forward tree under `top`, of `2^levels` times as many nodes.
pub(super) fn leaves<T: Copy + Send + Sync, S: LevelStep<T>>(
    order: Traversal,
    step: &S,
    top: &[T],
    levels: usize,
) -> Vec<T> {
    if levels == 0 {
        return top.to_vec();
    }
    let mut leaves = S::zeros(top.len() << levels);
    match order {
        Traversal::Bfs => {
            let whole = |level, from: &[T], to: &mut [T]| step_in_pieces(step, level, from, to);
            let mut scratch = S::zeros(leaves.len());
            grow(&whole, 0, top, &mut leaves, &mut scratch);
        }
        Traversal::Dfs => grow_parts(step, 0, top, &mut leaves),
    }
    leaves
}

fn grow_parts<T: Copy + Send + Sync, S: LevelStep<T>>(step: &S, level: usize, from: &[T], to: &mut [T]) {
    let alone = |level, from: &[T], to: &mut [T]| step.step(level, from, to);
    let Some(cut) = Cut::of::<T, S>(to.len()).filter(|cut| to.len() >> cut.levels > from.len()) else {
        let mut scratch = S::zeros(to.len());
        return grow(&alone, level, from, to, &mut scratch);
    };
    let mut above = S::zeros(to.len() >> cut.levels);
    grow_parts(step, level + cut.levels, from, &mut above);
    let runs = to.chunks_mut(cut.run * cut.subtree).zip(above.chunks(cut.run * NARROW));
    parallel::for_each(runs, |_, (to, from)| {
        let mut scratch = S::zeros(cut.subtree);
        for (to, from) in to.chunks_exact_mut(cut.subtree).zip(from.chunks_exact(NARROW)) {
            grow(&alone, level, from, to, &mut scratch);
        }
    });
}
