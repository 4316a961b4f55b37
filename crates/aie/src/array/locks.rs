//! Memory modules that two tiles reach, and their locks.

use super::Fabric;
use super::place::{Site, site};
use super::run::ArrayError;
use crate::mapping::{Link, Mapping, Partition};
use crate::program::Path;
use std::collections::BTreeMap;

impl Site {
    /// The memory modules that a tile's core can access: its own, those of its southern and northern neighbours, and that
    /// of the western neighbour in even rows, of the eastern one in odd rows (AM009).
    pub(super) fn memories(self, fabric: &Fabric) -> Vec<Self> {
        let Self { column, row } = self;
        let beside = if row.is_multiple_of(2) { column.checked_sub(1) } else { Some(column + 1) };
        let below = row.checked_sub(1).map(|row| Self { column, row });
        let all = [Some(self), beside.map(|column| Self { column, row }), below];
        let all = all.into_iter().flatten().chain([Self { column, row: row + 1 }]);
        all.filter(|s| s.column < fabric.columns && s.row < fabric.rows).collect()
    }
}

/// The memory module for a link through memory: one that both tiles can access, the sender's own if possible. `None` if
/// there is no such module.
pub(super) fn memory(mapping: Mapping, unit: usize, link: &Link, fabric: &Fabric) -> Option<Site> {
    let reached = |tile: usize| site(mapping, unit, tile, fabric).memories(fabric);
    let receivers: Vec<Vec<Site>> = link.to.iter().map(|&tile| reached(tile)).collect();
    reached(link.from?).into_iter().find(|module| receivers.iter().all(|r| r.contains(module)))
}

/// The greatest number of locks that a memory module needs: one for every buffer of every link through it. All units need
/// the same.
///
/// # Errors
/// [`ArrayError::Locks`] if a module has fewer locks; [`ArrayError::NoMemory`] if the tiles of a link share no module.
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
