//! Kernels of all tiles of a unit.

use super::run::{Access, Schedule};
use crate::mapping::Partition;
use crate::program::{Op, Program};
use crate::tile::{Kernel, Reads, Tile, TileError};

impl From<&Kernel> for Schedule {
    fn from(kernel: &Kernel) -> Self {
        let mut accesses = Vec::new();
        // A value of several accesses is one operation of the kernel.
        let mut operations = kernel.counts().operations;
        for t in kernel.transfers() {
            let all = t.kind.accesses(t.path);
            operations += all.len() as u64 - 1;
            accesses.extend(all.into_iter().map(|(after, words)| Access {
                cycle: u64::from(t.cycle + after),
                link: t.link,
                reads: t.receives,
                act: t.act,
                words,
            }));
        }
        accesses.sort_unstable();
        let last = accesses.last().map_or(0, |a| a.cycle + 1);
        let length = u64::from(kernel.length()).max(last);
        Self { ii: kernel.ii().into(), length, operations, accesses }
    }
}

/// The kernels of a partition, each with the tiles that run it: tiles that do the same with other operands have the
/// same. Links are numbered in the order of their first use.
///
/// # Errors
/// The errors of [`Kernel::schedule`]; [`TileError::Program`].
pub fn kernels(partition: &Partition, tile: &Tile) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    kernels_within(partition, tile, None)
}

/// [`kernels`] whose loops have received no more than so many tasks, of which they have not sent everything.
///
/// # Errors
/// The errors of [`Kernel::schedule`].
pub(crate) fn kernels_within(
    partition: &Partition,
    tile: &Tile,
    in_flight: Option<u32>,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    each(partition, |program| Kernel::schedule_within(program, tile, in_flight))
}

/// The straight-line kernels of a partition for one task, by which \[AIE\] IV.A measures latency, each with the tiles that
/// run it.
///
/// # Errors
/// The errors of [`Kernel::straight`].
pub fn straight_kernels(
    partition: &Partition,
    tile: &Tile,
    reads: Reads,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    each(partition, |program| Kernel::straight(program, tile, reads))
}

fn each(
    partition: &Partition,
    kernel: impl Fn(&Program) -> Result<Kernel, TileError>,
) -> Result<Vec<(Vec<usize>, Kernel)>, TileError> {
    let mut known: Vec<(Program, Vec<usize>)> = Vec::new();
    // A mapping may leave a tile nothing to do: Montgomery's lower product has no block for one of med-ind's.
    let busy = partition.tiles.iter().enumerate().filter(|(_, program)| !program.ops.is_empty());
    for (number, program) in busy {
        let (anonymous, _) = anonymous(program);
        match known.iter_mut().find(|(p, _)| p.ops == anonymous.ops) {
            Some((_, tiles)) => tiles.push(number),
            None => known.push((anonymous, vec![number])),
        }
    }
    let scheduled = |(program, tiles)| {
        let kernel: Kernel = kernel(&program)?;
        kernel.is_in_program_memory()?;
        Ok((tiles, kernel))
    };
    known.into_iter().map(scheduled).collect()
}

/// Schedules every tile's program, as [`kernels`] does.
#[cfg(test)]
pub(crate) fn schedules(partition: &Partition, tile: &Tile) -> Result<Vec<Schedule>, TileError> {
    Ok(of_tiles(partition, &kernels(partition, tile)?))
}

/// The schedule of every tile, given the kernels of [`kernels`] or [`straight_kernels`].
pub(crate) fn of_tiles(partition: &Partition, kernels: &[(Vec<usize>, Kernel)]) -> Vec<Schedule> {
    let idle = Schedule { ii: 0, length: 0, operations: 0, accesses: vec![] };
    let mut all = vec![idle; partition.tiles.len()];
    for (tiles, kernel) in kernels {
        let schedule = Schedule::from(kernel);
        for &number in tiles {
            let (_, links) = anonymous(&partition.tiles[number]);
            let accesses = schedule.accesses.iter().map(|a| Access { link: links[a.link], ..*a });
            all[number] = Schedule { accesses: accesses.collect(), ..schedule };
        }
    }
    all
}

/// The program with its links numbered in the order of their first use, and their numbers.
pub(super) fn anonymous(program: &Program) -> (Program, Vec<usize>) {
    let (mut program, mut links) = (program.clone(), Vec::new());
    for o in &mut program.ops {
        let (Op::Receive { link, .. } | Op::Send { link, .. }) = &mut o.op else { continue };
        let number = links.iter().position(|known| known == link).unwrap_or_else(|| {
            links.push(*link);
            links.len() - 1
        });
        *link = number;
    }
    (program, links)
}
