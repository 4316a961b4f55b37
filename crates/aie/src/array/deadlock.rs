//! Deadlocks: circles of tiles that wait for one another.

use crate::mapping::{Link, Partition};
use crate::program::Path;
use core::fmt;

/// The cause of a stall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stall {
    /// The tile reads a link on which nothing has arrived, or a buffer whose lock the sender has not released.
    Empty(usize),
    /// The tile writes to a link that is full, or a buffer whose lock the receiver has not released.
    Full(usize),
}

/// The greatest number of tiles that a message names.
const NAMED: usize = 8;

/// A stalled tile and the tile that it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wait {
    pub(super) tile: usize,
    /// The tile that it waits for; `None` for the programmable logic.
    pub(super) on: Option<usize>,
    pub(super) why: Stall,
    /// The receiver whose branch of the link has no room for the next word.
    pub(super) blocked_receiver: Option<usize>,
}

/// Tiles of which each waits for the next, and the last for the first or for the programmable logic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deadlocked {
    tiles: Vec<String>,
    /// For each tile, whether it waits for room (otherwise for a value), and the kind of link that it waits on.
    whys: Vec<(bool, Path)>,
    /// The full streams to tiles in each circle, by link and receiver.
    pub(super) full: Vec<Vec<(usize, usize)>>,
    /// Whether a stream of operands from the logic is full.
    pub(crate) operands: bool,
}

impl Deadlocked {
    /// Finds the circles among the waiting tiles; the tiles of the first circle are named, and the full streams of every
    /// circle are kept.
    pub(super) fn new(partition: &Partition, all: &[Wait], operands: bool) -> Self {
        let mut waits = Self { operands, ..Self::default() };
        let mut seen: Vec<usize> = Vec::new();
        for start in all {
            let chain = circle(all, start);
            if chain.iter().any(|wait| seen.contains(&wait.tile)) {
                continue;
            }
            seen.extend(chain.iter().map(|wait| wait.tile));
            let mut full = Vec::new();
            for wait in &chain {
                let (Stall::Empty(link) | Stall::Full(link)) = wait.why;
                let Link { ref to, path, .. } = partition.links[link];
                if let Some(receiver) =
                    wait.blocked_receiver.filter(|_| !to.is_empty() && path == Path::Stream)
                {
                    full.push((link, receiver));
                }
                if seen.len() == chain.len() {
                    let room = matches!(wait.why, Stall::Full(_)) || wait.blocked_receiver.is_some();
                    waits.tiles.push(partition.mapping.label(wait.tile));
                    waits.whys.push((room, path));
                }
            }
            if let (Some(Wait { on: None, .. }), true) = (chain.last(), seen.len() == chain.len()) {
                waits.tiles.push("the programmable logic".to_owned());
            }
            waits.full.push(full);
        }
        waits
    }

    /// The names of the tiles that wait for one another.
    pub fn tiles(&self) -> &[String] {
        &self.tiles
    }
}

/// Follows the waits from a tile until a tile repeats or waits for the programmable logic; returns the circle, or the
/// whole path.
fn circle<'a>(all: &'a [Wait], start: &'a Wait) -> Vec<&'a Wait> {
    let mut chain: Vec<&Wait> = Vec::new();
    let mut next = Some(start);
    while let Some(wait) = next {
        if let Some(again) = chain.iter().position(|w| w.tile == wait.tile) {
            return chain.split_off(again);
        }
        chain.push(wait);
        next = wait.on.and_then(|tile| all.iter().find(|wait| wait.tile == tile));
    }
    chain
}

impl fmt::Display for Deadlocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (room, path)) in self.whys.iter().enumerate().take(NAMED) {
            let (what, path) = (if *room { "room" } else { "a value" }, path.name());
            let on = &self.tiles[(n + 1) % self.tiles.len()];
            let and = if n == 0 { "" } else { ", " };
            write!(f, "{and}{} for {what} on a {path} by {on}", self.tiles[n])?;
        }
        match self.whys.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}
