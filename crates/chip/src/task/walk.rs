//! The order in which transfers access a region of DRAM.

use crate::machine::dma::{Dim, Layout, Stream};
use pairwright_sim::Access;

/// The access pattern of an address generator, independent of where the region lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Whether the transfers read DRAM or write it.
    pub access: Access,
    /// Words of an element.
    pub element_words: u32,
    /// Nested counts, with strides in words, innermost first.
    pub dims: Vec<Dim>,
    /// The layout of the elements on the chip.
    pub layout: Layout,
    /// Whether the walk restarts at its end.
    pub cyclic: bool,
    /// Lines of the tile buffer that the walk asks for.
    pub tile_lines: u32,
}

impl Walk {
    /// Consecutive elements, in DRAM and on the chip. A number of elements above 2^32 that is no product of a 32-bit number
    /// and one up to 64 gives a walk without elements, which the transfer engine refuses.
    pub fn linear(access: Access, element_words: u32, elements: u64) -> Self {
        // A counter has 32 bits. More elements, such as the multiples of many points, take two counters.
        let outer = (1..=64).find(|k| elements.is_multiple_of(*k) && elements / k <= u64::from(u32::MAX));
        let (outer, words) = (outer.unwrap_or(1), u64::from(element_words));
        let inner = u32::try_from(elements / outer).unwrap_or(0);
        let mut dims = vec![Dim { count: inner, stride: words }];
        if outer > 1 {
            dims.push(Dim { count: outer as u32, stride: words * u64::from(inner) });
        }
        Self::of(access, element_words, dims)
    }

    /// Elements in the order of nested counts and strides, consecutive on the chip.
    pub fn of(access: Access, element_words: u32, dims: Vec<Dim>) -> Self {
        Self { access, element_words, dims, layout: Layout::linear(), cyclic: false, tile_lines: 0 }
    }

    /// Number of words that are consecutive in DRAM.
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
