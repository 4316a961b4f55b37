//! How a transfer goes through a region of DRAM.

use crate::machine::dma::{Dim, Layout, Stream};
use pairwright_sim::Access;

/// The walk of an address generator, wherever the region lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// From DRAM or to it.
    pub access: Access,
    /// Words of an element.
    pub element_words: u32,
    /// Nested counts and strides in words, innermost first.
    pub dims: Vec<Dim>,
    /// The layout of the elements on the chip.
    pub layout: Layout,
    /// Whether the walk begins anew at its end.
    pub cyclic: bool,
    /// Lines of the tile buffer that it would have.
    pub tile_lines: u32,
}

impl Walk {
    /// Elements one after the other, on the chip as in DRAM.
    pub fn linear(access: Access, element_words: u32, elements: u64) -> Self {
        Self::of(access, element_words, vec![Dim { count: elements as u32, stride: element_words.into() }])
    }

    /// Elements by nested counts and strides, on the chip one after the other.
    pub fn of(access: Access, element_words: u32, dims: Vec<Dim>) -> Self {
        Self { access, element_words, dims, layout: Layout::linear(), cyclic: false, tile_lines: 0 }
    }

    /// Words of a run of neighbours in DRAM.
    pub(super) fn run(&self) -> u64 {
        self.dims
            .iter()
            .filter(|dim| dim.count > 1)
            .try_fold(u64::from(self.element_words), |run, dim| {
                if dim.stride == run { Ok(run * u64::from(dim.count)) } else { Err(run) }
            })
            .unwrap_or_else(|run| run)
    }

    /// The address generator for a region that begins at word `base`.
    pub(super) fn stream(self, name: &str, operator: &str, base: u64) -> Stream {
        Stream {
            name: name.to_owned(),
            operator: operator.to_owned(),
            access: self.access,
            base,
            element_words: self.element_words,
            dims: self.dims,
            layout: self.layout,
            cyclic: self.cyclic,
            tile_lines: self.tile_lines,
        }
    }
}
