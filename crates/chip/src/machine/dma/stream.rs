//! Streams: the addresses that `load` and `store` access, and the positions of the elements on the chip.

use pairwright_sim::Access;
use pairwright_sim::dram::Piece;

/// Bytes of a memory word.
pub const WORD_BYTES: u32 = 32;

/// Number of nested levels of an address generator.
pub const DIMS: usize = 4;

/// One level of an address generator: a count with a stride.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Number of steps, at least 1.
    pub count: u32,
    /// Distance of two steps in words.
    pub stride: u64,
}

/// The order of the elements within a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// In the order of the stream.
    Natural,
    /// Bit-reversed: the `log_len` bits of an element's number are reversed.
    BitReversed,
    /// A single slot, in which each transfer begins at index 0.
    Linear,
}

/// The order in which the slots of a layout are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Round robin: consecutive elements go to consecutive slots, so that a row of DRAM is spread over the columns.
    Around,
    /// One slot after the other.
    InTurn,
}

/// The layout of a stream's elements on the chip: `columns` slots of `2^log_len` elements. A slot is an operand of
/// the engine, for the polynomial engine one sub-NTT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of slots, at least 1.
    pub columns: u32,
    /// Binary logarithm of a slot's elements.
    pub log_len: u32,
    /// The order in which the slots are filled.
    pub fill: Fill,
    /// The order of the elements within a slot.
    pub order: Order,
}

impl Layout {
    /// A vector: one slot, in order.
    pub fn linear() -> Self {
        Self { columns: 1, log_len: 0, fill: Fill::InTurn, order: Order::Linear }
    }

    /// The position on the chip of the element with index `position` in the stream and `number` in its transfer.
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

/// The position of an element on the chip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ElementPlace {
    /// Number of the slot.
    pub slot: u32,
    /// The index in the slot.
    pub index: u32,
}

/// The setting of an address generator, which the CPU writes before the program runs (\[CP\] §III.A: the CPU reads the
/// memory instructions to configure the DMA). The words of L1 hold no addresses; they consume the next `length` elements.
///
/// Element `i` of a repetition begins at word `base + Σ i_k·stride_k`, where the `i_k` are the digits of `i` in the mixed
/// radix of the counts of `dims`, the innermost first; its `element_words` words are consecutive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// Its name in reports.
    pub name: String,
    /// The operator that its traffic belongs to.
    pub operator: String,
    /// The direction: from DRAM (`Read`) or to it (`Write`).
    pub access: Access,
    /// Address of the first word.
    pub base: u64,
    /// Words of an element: 1 for a scalar or a field element of 256 bits, 3 for a point of G1, 6 for a point of G2.
    pub element_words: u32,
    /// The pattern, innermost level first, at most [`DIMS`] levels.
    pub dims: Vec<Dim>,
    /// The layout of the elements on the chip.
    pub layout: Layout,
    /// Whether the pattern restarts when it is exhausted, as the points of an MSM do for each window.
    pub cyclic: bool,
    /// Lines of the tile buffer that belong to this stream, 0 for none. A line's slot is its number in the transfer, so the
    /// lines serve patterns in which each transfer is a whole column, with at least as many lines as a column touches.
    pub tile_lines: u32,
}

impl Stream {
    /// A vector: `count` consecutive elements of `element_words` words.
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

    /// Number of elements of one repetition.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| u64::from(dim.count)).product()
    }

    /// Address of the first word of the element at `position`, in any repetition.
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

/// The number of elements in a run of consecutive words of DRAM, at most `most`, and the levels above the run.
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

/// A pattern as runs of elements that are consecutive in DRAM.
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
