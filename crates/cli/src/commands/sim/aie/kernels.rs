//! The kernels of a design: the cycles and bounds of each, and its loop.

use crate::failure::Failure;
use crate::output;
use pairwright::aie::array;
use pairwright::aie::evaluate::Design;
use pairwright::aie::mapping::{Mapping, Partition};
use pairwright::aie::tile::{Counts, Kernel, SingleTile};
use serde::Serialize;

/// A kernel with the tiles that run it.
#[derive(Serialize)]
pub(super) struct TileKernel {
    tiles: Vec<String>,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
}

impl TileKernel {
    fn new(tiles: Vec<String>, kernel: &Kernel, listing: bool) -> Self {
        Self { tiles, counts: kernel.counts(), listing: listing.then(|| kernel.listing()) }
    }
}

/// All kernels of a unit.
pub(super) fn all(design: &Design, listing: bool) -> Result<Vec<TileKernel>, Failure> {
    let Design { mapping, method, form, tile, .. } = design;
    if *mapping == Mapping::Single {
        let single = SingleTile::schedule(*method, tile).map_err(Failure::bad)?;
        let parts = [("four products, twice", single.product()), ("the sums between", single.sums())];
        return Ok(parts
            .map(|(name, kernel)| TileKernel::new(vec![name.to_owned()], kernel, listing))
            .into());
    }
    let partition = Partition::with(*mapping, *method, *form);
    let kernels = array::kernels(&partition, tile).map_err(Failure::bad)?;
    let named = |(tiles, kernel): (Vec<usize>, Kernel)| {
        let tiles = tiles.into_iter().map(|tile| mapping.label(tile)).collect();
        TileKernel::new(tiles, &kernel, listing)
    };
    Ok(kernels.into_iter().map(named).collect())
}

/// A table of the kernels, and their loops.
pub(super) fn text(kernels: &[TileKernel]) -> String {
    let head = [
        "kernel of",
        "tiles",
        "instructions",
        "bound",
        "operations",
        "MACs",
        "latency",
        "fullest slot",
        "spilled",
        "code, bytes",
    ];
    let mut rows = Vec::new();
    for k in kernels {
        let (c, [slots, recurrences]) = (&k.counts, k.counts.bounds);
        let first = k.tiles.first().cloned().unwrap_or_default();
        let (slot, full) = &c.fullest;
        rows.push(vec![
            first,
            k.tiles.len().to_string(),
            c.instructions.to_string(),
            slots.max(recurrences).to_string(),
            c.operations.to_string(),
            c.products.to_string(),
            c.latency.to_string(),
            format!("{slot} {:.0} %", 100.0 * full),
            c.spilled.to_string(),
            c.program_bytes.to_string(),
        ]);
    }
    let mut text = output::table(1, &head, rows);
    for k in kernels {
        if let Some(listing) = &k.listing {
            text += &format!("\n\n{}\n{}", k.tiles.join(", "), listing.trim_end());
        }
    }
    text
}
