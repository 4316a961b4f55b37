//! The DMA, which transfers streams of elements between DRAM and the banks of the chip.
//!
//! The words `load_x` and `store_x` of L1 hold the number of elements but no address: \[CP\] §III.A leaves addresses to
//! generators that the CPU configures. Here each [`Stream`] is the setting of one such generator, with up to four nested
//! levels of counts and strides and the layout of the elements on the chip; successive instructions consume it. The patterns
//! that \[CP\] names as its second challenge (Fig. 8: rows and columns of a two-dimensional NTT) are streams, and so are the
//! points and scalars of an MSM.
//!
//! [`Dma::transfer`] determines when a transfer starts and ends, with the [`Dram`] it is given, and counts the bytes.
//! [`Dma::elements`] gives the address and the position on the chip of each element, for runs that carry data, which are
//! kept in [`Contents`]. An [`AddressGenerator`] models the hardware of a generator, clock by clock.

mod contents;
mod generator;
mod stream;
#[cfg(test)]
mod tests;
mod tile;

pub use contents::{Contents, ContentsError, Draw, Word};
pub use generator::{ADDRESS_BITS, AddressGenerator, PlacedPiece, Setting};
pub use stream::{DIMS, Dim, ElementPlace, Fill, Layout, Order, Stream, WORD_BYTES};

use crate::spec::DmaSpec;
use pairwright_device::sum_fields;
use pairwright_sim::Access;
use pairwright_sim::dram::{Dram, Piece, Transfer};
use pairwright_sim::settings::OutOfRange;
use serde::Serialize;
use std::collections::BTreeMap;
use stream::Runs;
use thiserror::Error;
use tile::Tile;

/// Why the DMA refuses a setting or an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DmaError {
    /// A parameter outside of what the model can express.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// An address generator that the design does not have, or that has no setting.
    #[error("no stream in address generator {0}")]
    NoStream(usize),
    /// A pattern without elements, with too many levels, or beyond what addresses can express.
    #[error(
        "stream `{stream}`: a pattern has 1 to {DIMS} levels of at least one step, and elements of 1 to 64 words below 2^50"
    )]
    Pattern {
        /// Name of the stream.
        stream: String,
    },
    /// A layout whose slots the pattern does not fill completely.
    #[error("stream `{stream}`: {elements} elements do not fill {columns} slots of 2^{log_len}")]
    Layout {
        /// Name of the stream.
        stream: String,
        /// Elements of a repetition.
        elements: u64,
        /// Slots of the layout.
        columns: u32,
        /// Logarithm of a slot's length.
        log_len: u32,
    },
    /// A stream that asks for more of the tile buffer than is free.
    #[error("stream `{stream}` wants {asked} words of the tile buffer, {free} are free")]
    Tile {
        /// Name of the stream.
        stream: String,
        /// Words that the stream asks for.
        asked: u64,
        /// Words that are free for it.
        free: u64,
    },
    /// A load from a stream of stores, or the reverse.
    #[error("stream `{stream}` is for {access}s")]
    Direction {
        /// Name of the stream.
        stream: String,
        /// The direction that the stream has.
        access: Access,
    },
    /// A transfer of more elements than the stream has left.
    #[error("stream `{stream}` has {left} element(s) left, the instruction wants {asked}")]
    Exhausted {
        /// Name of the stream.
        stream: String,
        /// Elements that the stream has left.
        left: u64,
        /// Elements asked for.
        asked: u32,
    },
}

/// The traffic of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct StreamTraffic {
    /// Transfers that were made.
    pub transfers: u64,
    /// Bytes of elements that came from DRAM or the tile buffer.
    pub read_bytes: u64,
    /// Bytes of elements that went to DRAM or the tile buffer.
    pub write_bytes: u64,
    /// Bytes over the pins of DRAM, whole bursts.
    pub moved_bytes: u64,
    /// Bytes that were read from the tile buffer.
    pub tile_bytes: u64,
    /// Core cycles from the start of each transfer to its end.
    pub cycles: u64,
}

impl StreamTraffic {
    /// Bytes of elements divided by bytes over the pins: above 1 where a tile buffer serves several words of one burst, 1 if
    /// nothing was moved.
    pub fn efficiency(&self) -> f64 {
        match self.moved_bytes {
            0 => 1.0,
            moved => (self.read_bytes + self.write_bytes) as f64 / moved as f64,
        }
    }
}

sum_fields! {
    StreamTraffic { transfers, read_bytes, write_bytes, moved_bytes, tile_bytes, cycles }
}

/// The elements of one transfer: `length` elements of a stream from `position` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Number of the address generator.
    pub stream: usize,
    /// Position of the first element in the stream.
    pub position: u64,
    /// Elements of this transfer.
    pub length: u32,
}

/// A transfer with its elements and times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedTransfer {
    /// The elements that it moved.
    pub block: Block,
    /// The core cycle in which the DMA started the transfer.
    pub start: u64,
    /// The core cycles of the first data, the last request and the last data.
    pub time: Transfer,
    /// Cycles that the words take to pass the ports of the banks.
    pub ports: u64,
}

#[derive(Clone, Debug)]
struct Generator {
    stream: Stream,
    runs: Runs,
    tile: Option<Tile>,
    position: u64,
}

/// The DMA with its address generators.
#[derive(Clone, Debug)]
pub struct Dma {
    config: DmaSpec,
    generators: Vec<Option<Generator>>,
    last: Option<Transfer>,
    traffic: BTreeMap<(String, String), StreamTraffic>,
    pieces: Vec<Piece>,
}

impl Dma {
    /// A DMA without any configured stream.
    pub fn new(config: &DmaSpec) -> Result<Self, DmaError> {
        config.check()?;
        let mut generators = Vec::new();
        generators.resize_with(config.streams as usize, || None);
        Ok(Self { config: *config, generators, last: None, traffic: BTreeMap::new(), pieces: Vec::new() })
    }

    /// Configures address generator `at`, starting with the first element of the stream. Data that the tile buffer held for
    /// it are lost: writes must be complete or [flushed](Dma::flush).
    pub fn configure(&mut self, at: usize, stream: Stream) -> Result<(), DmaError> {
        let name = || stream.name.clone();
        let counts = stream.dims.iter().try_fold(1u64, |all, dim| all.checked_mul(dim.count.into()));
        let end = stream.dims.iter().try_fold(stream.base, |end, dim| {
            end.checked_add(dim.stride.checked_mul(u64::from(dim.count.saturating_sub(1)))?)
        });
        let elements = counts.filter(|&n| n > 0 && n < 1 << 50);
        let shape = (1..=DIMS).contains(&stream.dims.len()) && (1..=64).contains(&stream.element_words);
        let (Some(elements), true, true) = (elements, shape, end.is_some_and(|end| end < 1 << 50)) else {
            return Err(DmaError::Pattern { stream: name() });
        };
        let Layout { columns, log_len, order, .. } = stream.layout;
        let fills = columns > 0 && log_len < 32 && elements % (u64::from(columns) << log_len) == 0;
        if order != Order::Linear && !fills {
            return Err(DmaError::Layout { stream: name(), elements, columns, log_len });
        }
        let words = |lines: u32| u64::from(lines) * u64::from(self.config.line_words);
        let others = self.generators.iter().enumerate().filter(|(i, _)| *i != at);
        let taken: u64 = others.filter_map(|(_, g)| g.as_ref()).map(|g| words(g.stream.tile_lines)).sum();
        let (asked, free) =
            (words(stream.tile_lines), u64::from(self.config.tile_words).saturating_sub(taken));
        if asked > free {
            return Err(DmaError::Tile { stream: name(), asked, free });
        }
        let tile = (stream.tile_lines > 0).then(|| Tile::new(stream.tile_lines, self.config.line_words));
        let runs = Runs::new(&stream);
        let generator = self.generators.get_mut(at).ok_or(DmaError::NoStream(at))?;
        *generator = Some(Generator { stream, runs, tile, position: 0 });
        Ok(())
    }

    /// The stream in an address generator.
    pub fn stream(&self, at: usize) -> Result<&Stream, DmaError> {
        self.generators.get(at).and_then(Option::as_ref).map(|g| &g.stream).ok_or(DmaError::NoStream(at))
    }

    /// The first core cycle in which the DMA can start another transfer.
    pub fn ready(&self) -> u64 {
        match (self.last, self.config.outstanding) {
            (None, _) => 0,
            (Some(last), 1) => last.done,
            (Some(last), _) => last.issued.saturating_sub(self.config.setup.into()),
        }
    }

    /// Moves the next `length` elements of a stream: `load` for `Access::Read`, `store` for `Access::Write`. It begins at
    /// cycle `now` or when the DMA is [ready](Dma::ready).
    pub fn transfer(
        &mut self,
        now: u64,
        at: usize,
        access: Access,
        length: u32,
        dram: &mut Dram,
    ) -> Result<TimedTransfer, DmaError> {
        let start = now.max(self.ready());
        let generator = self.generators.get_mut(at).and_then(Option::as_mut).ok_or(DmaError::NoStream(at))?;
        let Generator { stream, runs, tile, position } = generator;
        if stream.access != access {
            return Err(DmaError::Direction { stream: stream.name.clone(), access: stream.access });
        }
        let left = stream.elements() - (*position).min(stream.elements());
        if !stream.cyclic && u64::from(length) > left {
            return Err(DmaError::Exhausted { stream: stream.name.clone(), left, asked: length });
        }
        let block = Block { stream: at, position: *position, length };
        *position += u64::from(length);
        let moved_before = dram.stats().moved_bytes;
        let begin = start + u64::from(self.config.setup);
        let write = access == Access::Write;
        let pieces = runs.pieces(block.position, length.into());
        let mut tile_bytes = 0;
        let mut time = match tile {
            None => dram.transfer(begin, write, pieces),
            Some(tile) => {
                self.pieces.clear();
                if write {
                    tile.gather(pieces, &mut self.pieces);
                    // At the end of the pattern the gathered writes are sent.
                    if *position % stream.elements() == 0 {
                        tile.flush(&mut self.pieces);
                    }
                } else {
                    tile_bytes = tile.fetch(pieces, &mut self.pieces);
                }
                dram.transfer(begin, write, self.pieces.iter().copied())
            }
        };
        let words = u64::from(length) * u64::from(stream.element_words);
        let ports = words.div_ceil(u64::from(self.config.words_per_cycle));
        time.done = time.done.max(begin + ports);
        let bytes = words * u64::from(WORD_BYTES);
        let one = StreamTraffic {
            transfers: 1,
            read_bytes: if write { 0 } else { bytes },
            write_bytes: if write { bytes } else { 0 },
            moved_bytes: dram.stats().moved_bytes - moved_before,
            tile_bytes,
            cycles: time.done - start,
        };
        let key = (stream.operator.clone(), stream.name.clone());
        *self.traffic.entry(key).or_default() += one;
        self.last = Some(time);
        Ok(TimedTransfer { block, start, time, ports })
    }

    /// Writes the data that the tile buffer has gathered for a stream whose pattern is not at its end.
    pub fn flush(&mut self, now: u64, at: usize, dram: &mut Dram) -> Result<Transfer, DmaError> {
        let start = now.max(self.ready());
        let generator = self.generators.get_mut(at).and_then(Option::as_mut).ok_or(DmaError::NoStream(at))?;
        let stream = &generator.stream;
        self.pieces.clear();
        if let (Some(tile), Access::Write) = (&mut generator.tile, stream.access) {
            tile.flush(&mut self.pieces);
        }
        if self.pieces.is_empty() {
            return Ok(Transfer { first: start, issued: start, done: start });
        }
        let moved_before = dram.stats().moved_bytes;
        let time = dram.transfer(start, true, self.pieces.iter().copied());
        let moved_bytes = dram.stats().moved_bytes - moved_before;
        let one = StreamTraffic { moved_bytes, cycles: time.done - start, ..StreamTraffic::default() };
        let key = (stream.operator.clone(), stream.name.clone());
        *self.traffic.entry(key).or_default() += one;
        self.last = Some(time);
        Ok(time)
    }

    /// The elements of a transfer in order: the address of the first word of each, and its position on the chip.
    pub fn elements(&self, block: Block) -> Result<impl Iterator<Item = (u64, ElementPlace)> + '_, DmaError> {
        let stream = self.stream(block.stream)?;
        let all = stream.elements();
        Ok((0..block.length).map(move |number| {
            let position = (block.position + u64::from(number)) % all;
            (stream.address(position), stream.layout.place(position, number))
        }))
    }

    /// The traffic of each stream as operator, stream and counts, in the order of the names.
    pub fn traffic(&self) -> impl Iterator<Item = (&str, &str, &StreamTraffic)> {
        self.traffic.iter().map(|((operator, stream), t)| (operator.as_str(), stream.as_str(), t))
    }

    /// The traffic of all streams of each operator.
    pub fn by_operator(&self) -> BTreeMap<&str, StreamTraffic> {
        let mut sums: BTreeMap<&str, StreamTraffic> = BTreeMap::new();
        for (operator, _, traffic) in self.traffic() {
            *sums.entry(operator).or_default() += *traffic;
        }
        sums
    }
}
