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
    /// Elements one after the other, on the chip as in DRAM. A number of them above 2^32 that is no product of a number that a
    /// counter holds and one up to 64 gives a walk of none, which the transfer engine refuses.
    pub fn linear(access: Access, element_words: u32, elements: u64) -> Self {
        // A counter has 32 bits: more elements, the multiples of many points, take two of them.
        let outer = (1..=64).find(|k| elements.is_multiple_of(*k) && elements / k <= u64::from(u32::MAX));
        let (outer, words) = (outer.unwrap_or(1), u64::from(element_words));
        let inner = u32::try_from(elements / outer).unwrap_or(0);
        let mut dims = vec![Dim { count: inner, stride: words }];
        if outer > 1 {
            dims.push(Dim { count: outer as u32, stride: words * u64::from(inner) });
        }
        Self::of(access, element_words, dims)
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
