//! Streams: which addresses a `load` or a `store` touches, and where its elements lie on the chip.

use pairwright_sim::Access;
use pairwright_sim::dram::Piece;

/// Bytes of a memory word.
pub const WORD_BYTES: u32 = 32;

/// Levels that an address generator nests.
pub const DIMS: usize = 4;

/// A level of an address generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Steps, at least 1.
    pub count: u32,
    /// Words from one step to the next.
    pub stride: u64,
}

/// The order of the elements within a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As they come.
    Natural,
    /// The `log_len` bits of an element's number are reversed.
    BitReversed,
    /// One slot, each transfer from index 0.
    Linear,
}

/// How the slots of a layout fill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Elements go round the slots: neighbours of a row of DRAM land in neighbouring columns.
    Around,
    /// One slot after the other.
    InTurn,
}

/// The layout of a stream's elements on the chip: `columns` slots of `2^log_len` elements. A slot is an operand of
/// the engine, for the polynomial engine one sub-NTT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Slots, at least 1.
    pub columns: u32,
    /// Binary logarithm of a slot's elements.
    pub log_len: u32,
    /// How they fill.
    pub fill: Fill,
    /// The order within.
    pub order: Order,
}

impl Layout {
    /// A vector: one slot, in order.
    pub fn linear() -> Self {
        Self { columns: 1, log_len: 0, fill: Fill::InTurn, order: Order::Linear }
    }

    /// The place of the element that is `position` in the stream and `number` in its transfer.
    pub fn place(&self, position: u64, number: u32) -> ElementPlace {
        if self.order == Order::Linear {
            return ElementPlace { slot: 0, index: number };
        }
        let columns = u64::from(self.columns);
        let within = position % (columns << self.log_len);
        let (slot, index) = match self.fill {
            Fill::Around => (within % columns, within / columns),
            Fill::InTurn => (within >> self.log_len, within & ((1 << self.log_len) - 1)),
        };
        let index = match self.order {
            Order::BitReversed => index.reverse_bits() >> 1 >> (63 - self.log_len),
            _ => index,
        };
        ElementPlace { slot: slot as u32, index: index as u32 }
    }
}

/// An element's place on the chip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ElementPlace {
    /// Number of the slot.
    pub slot: u32,
    /// The index in the slot.
    pub index: u32,
}

/// The setting of an address generator, which the CPU writes before the program runs (\[CP\] §III.A: the CPU reads the
/// memory instructions to configure the DMA): the words of L1 have no addresses, they consume the next `length` elements.
///
/// Element `i` of a repetition begins at word `base + Σ i_k·stride_k`, where the `i_k` are the digits of `i` by the
/// counts of `dims`, the innermost first; its `element_words` words are neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// Its name in reports.
    pub name: String,
    /// The operator that its traffic belongs to.
    pub operator: String,
    /// From DRAM (`Read`) or to it (`Write`).
    pub access: Access,
    /// Address of the first word.
    pub base: u64,
    /// Words of an element: 1 a scalar or a field element of 256 bits, 3 a point of G1, 6 one of G2.
    pub element_words: u32,
    /// The pattern, innermost level first, at most [`DIMS`] levels.
    pub dims: Vec<Dim>,
    /// The layout of the elements on the chip.
    pub layout: Layout,
    /// Whether the pattern begins anew when it is exhausted, as points of an MSM do for each window.
    pub cyclic: bool,
    /// Lines of the tile buffer that are this stream's, 0 for none. A line's slot is its number in the transfer, so they
    /// serve patterns of which each transfer is a whole column, with at least as many lines as a column touches.
    pub tile_lines: u32,
}

impl Stream {
    /// `count` elements of `element_words` words, one after the other: a vector.
    pub fn vector(
        name: &str,
        operator: &str,
        access: Access,
        base: u64,
        element_words: u32,
        count: u32,
    ) -> Self {
        Self {
            name: name.to_owned(),
            operator: operator.to_owned(),
            access,
            base,
            element_words,
            dims: vec![Dim { count, stride: element_words.into() }],
            layout: Layout::linear(),
            cyclic: false,
            tile_lines: 0,
        }
    }

    /// Elements of one repetition.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| u64::from(dim.count)).product()
    }

    /// First word of the element at `position`, whatever the repetition.
    pub fn address(&self, position: u64) -> u64 {
        address(self.base, &self.dims, position)
    }
}

fn address(base: u64, dims: &[Dim], mut position: u64) -> u64 {
    let mut at = base;
    for dim in dims {
        at += position % u64::from(dim.count) * dim.stride;
        position /= u64::from(dim.count);
    }
    at
}

/// Elements of a run of neighbours in DRAM, at most so many, and the levels above it.
pub(super) fn merged(dims: &[Dim], element_words: u32, most: u64) -> (u64, &[Dim]) {
    let (mut run, mut inner) = (1u64, 0);
    for dim in dims {
        // A single step has no stride.
        let neighbours = dim.count == 1 || dim.stride == run * u64::from(element_words);
        let Some(longer) = run.checked_mul(dim.count.into()).filter(|run| neighbours && *run <= most) else {
            break;
        };
        run = longer;
        inner += 1;
    }
    (run, &dims[inner..])
}

/// A pattern as runs of neighbouring elements.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    base: u64,
    element_words: u32,
    /// Elements of a run.
    run: u64,
    /// The levels above the run.
    outer: Vec<Dim>,
    /// Elements of a repetition.
    elements: u64,
}

impl Runs {
    pub(super) fn new(stream: &Stream) -> Self {
        let (run, outer) = merged(&stream.dims, stream.element_words, u64::MAX);
        Self {
            base: stream.base,
            element_words: stream.element_words,
            run,
            outer: outer.to_vec(),
            elements: stream.elements(),
        }
    }

    /// The pieces of `length` elements from `position`, run by run, in the order of the elements.
    pub(super) fn pieces(&self, position: u64, length: u64) -> impl Iterator<Item = Piece> + '_ {
        // A piece's length has 32 bits.
        let most = u64::from(u32::MAX / (self.element_words * WORD_BYTES));
        let (mut at, end) = (position, position + length);
        core::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let within = at % self.elements;
            let (number, offset) = (within / self.run, within % self.run);
            let count = (self.run - offset).min(end - at).min(most);
            at += count;
            let word = address(self.base, &self.outer, number) + offset * u64::from(self.element_words);
            let bytes = count as u32 * self.element_words * WORD_BYTES;
            Some(Piece { address: word * u64::from(WORD_BYTES), bytes })
        })
    }
}
