//! Runs the scheduled kernels of a unit on numbers: the items that one tile sends are those that the next ones receive.

use super::schedules::anonymous;
use crate::digits::{DIGITS, Digits};
use crate::mapping::Partition;
use crate::program::{LANES, Op};
use crate::tile::{Items, Kernel, TileError};
use std::collections::BTreeMap;

/// Runs the instructions of every tile's kernel, bit by bit, for these tasks, and returns the results of each task. The
/// kernels are those of [`kernels`](super::kernels) or [`straight_kernels`](super::straight_kernels). A tile runs when
/// all items that it receives are complete, so links must not form cycles.
///
/// # Errors
/// [`TileError::Operands`]; [`TileError::LinkRunsDry`] if links form a cycle, or for kernels of another partition.
pub fn execute(
    partition: &Partition,
    kernels: &[(Vec<usize>, Kernel)],
    tasks: &[Vec<Digits>],
) -> Result<Vec<Vec<Digits>>, TileError> {
    let (whole, links) = (&partition.whole, &partition.links);
    let taken = whole.inputs().len();
    if let Some(task) = tasks.iter().find(|t| t.len() != taken) {
        return Err(TileError::Operands { given: task.len(), taken });
    }
    let mut items = Items::new();
    for (number, link) in links.iter().enumerate().filter(|(_, link)| link.from.is_none()) {
        let each = tasks.iter().flat_map(|task| link.values.iter().map(move |value| (task, value.at)));
        let operands = each.filter_map(|(task, at)| match whole.ops[at].op {
            Op::Load { number, half } => {
                Some(core::array::from_fn(|lane| task[number].0[half * LANES + lane].into()))
            }
            _ => None,
        });
        items.insert(number, operands.collect());
    }
    let mut waiting: Vec<(usize, &Kernel)> =
        kernels.iter().flat_map(|(tiles, kernel)| tiles.iter().map(move |&tile| (tile, kernel))).collect();
    while !waiting.is_empty() {
        let arrives = |tile: usize| (0..links.len()).filter(move |&l| links[l].to.contains(&tile));
        let ready = waiting.iter().position(|&(tile, _)| arrives(tile).all(|l| items.contains_key(&l)));
        let Some(ready) = ready else {
            let missing = arrives(waiting[0].0).find(|l| !items.contains_key(l));
            return Err(TileError::LinkRunsDry(missing.unwrap_or(0)));
        };
        let (tile, kernel) = waiting.swap_remove(ready);
        let (_, numbers) = anonymous(&partition.tiles[tile]);
        let received = numbers.iter().enumerate().filter_map(|(own, &link)| {
            let to_it = links[link].to.contains(&tile);
            items.get(&link).filter(|_| to_it).map(|items| (own, items.clone()))
        });
        let sent = kernel.exchange(tasks.len(), &received.collect::<BTreeMap<_, _>>())?;
        items.extend(sent.into_iter().map(|(own, given)| (numbers[own], given)));
    }
    let mut results = vec![vec![Digits([0; DIGITS]); whole.outputs()]; tasks.len()];
    for (number, link) in links.iter().enumerate().filter(|(_, link)| link.to.is_empty()) {
        let mut given = items.get(&number).into_iter().flatten();
        for task in &mut results {
            for value in &link.values {
                let (Op::Store { number, half }, Some(lanes)) = (&whole.ops[value.at].op, given.next())
                else {
                    return Err(TileError::LinkRunsDry(number));
                };
                let digits = &mut task[*number].0[half * LANES..][..LANES];
                digits.iter_mut().zip(lanes).for_each(|(digit, lane)| *digit = *lane as i32);
            }
        }
    }
    Ok(results)
}
