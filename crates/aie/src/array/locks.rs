//! Memory modules that two tiles reach, and their locks.

use super::Fabric;
use super::place::{Site, site};
use super::run::ArrayError;
use crate::mapping::{Link, Mapping, Partition};
use crate::program::Path;
use std::collections::BTreeMap;

impl Site {
    /// The memory modules that a tile's core reaches: its own, those of its neighbours in the south and north, and of
    /// the one in the west in even rows, in the east in odd ones (AM009).
    pub(super) fn memories(self, fabric: &Fabric) -> Vec<Self> {
        let Self { column, row } = self;
        let beside = if row.is_multiple_of(2) { column.checked_sub(1) } else { Some(column + 1) };
        let below = row.checked_sub(1).map(|row| Self { column, row });
        let all = [Some(self), beside.map(|column| Self { column, row }), below];
        let all = all.into_iter().flatten().chain([Self { column, row: row + 1 }]);
        all.filter(|s| s.column < fabric.columns && s.row < fabric.rows).collect()
    }
}

/// The memory module of a unit's link that goes through memory: one that both tiles reach, the sender's own if it is
/// one. `None` if there is none.
pub(super) fn memory(mapping: Mapping, unit: usize, link: &Link, fabric: &Fabric) -> Option<Site> {
    let reached = |tile: usize| site(mapping, unit, tile, fabric).memories(fabric);
    let receivers: Vec<Vec<Site>> = link.to.iter().map(|&tile| reached(tile)).collect();
    reached(link.from?).into_iter().find(|module| receivers.iter().all(|r| r.contains(module)))
}

/// The most locks that a memory module needs: one for every buffer of every link through it. Units are alike.
///
/// # Errors
/// [`ArrayError::Locks`] for more than there are; [`ArrayError::NoMemory`].
pub(super) fn locks(partition: &Partition, fabric: &Fabric) -> Result<usize, ArrayError> {
    let mapping = partition.mapping;
    let mut needed: BTreeMap<Site, usize> = BTreeMap::new();
    for link in partition.links.iter().filter(|l| l.path == Path::Memory) {
        let module = memory(mapping, 0, link, fabric).ok_or_else(|| {
            let [from, to] = [link.from, link.to.first().copied()]
                .map(|tile| tile.map_or_else(String::new, |t| mapping.label(t)));
            ArrayError::NoMemory { from, to }
        })?;
        *needed.entry(module).or_default() += fabric.buffers;
    }
    let Some((&module, &most)) = needed.iter().max_by_key(|(_, needed)| **needed) else { return Ok(0) };
    if most <= fabric.locks {
        return Ok(most);
    }
    let owner = (0..partition.tiles.len()).find(|&tile| site(mapping, 0, tile, fabric) == module);
    let tile = owner.map_or_else(
        || format!("the tile in column {} and row {}", module.column, module.row),
        |tile| mapping.label(tile),
    );
    Err(ArrayError::Locks { tile, needed: most, locks: fabric.locks })
}
