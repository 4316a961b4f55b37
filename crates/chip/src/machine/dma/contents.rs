//! The contents of DRAM, as the host lays them out.

use core::cell::RefCell;
use std::collections::BTreeMap;
use thiserror::Error;

/// A memory word of 256 bits as four limbs, least significant first.
pub type Word = [u64; 4];

/// An access or a region that the host's map of DRAM does not allow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ContentsError {
    /// An address outside of all regions.
    #[error("DRAM word {address} is in no region")]
    Unmapped {
        /// Address of the word.
        address: u64,
    },
    /// An access that runs past the end of a region.
    #[error("words {offset} to {end} of region `{region}`, which has {words}")]
    Bounds {
        /// Name of the region.
        region: String,
        /// First word of the access, relative to the region.
        offset: u64,
        /// The word after the last one, relative to the region.
        end: u64,
        /// Words of the region.
        words: u64,
    },
    /// Two regions that overlap or have the same name.
    #[error("region `{region}` would overlap region `{other}`")]
    Overlap {
        /// The new region.
        region: String,
        /// The existing region.
        other: String,
    },
    /// No region of that name.
    #[error("no region is named `{0}`")]
    NoRegion(String),
    /// A region without data to return.
    #[error("region `{0}` is blank: it stands for data that this run does not carry")]
    Blank(String),
}

/// Starts an iterator over the words of a region, from the first one on; every call gives the same words.
pub type Draw = Box<dyn Fn() -> Box<dyn Iterator<Item = Word>>>;

/// Words that are generated as they are read. Reading in order generates them once; reading backwards generates them again
/// from the start.
struct Drawn {
    words: u64,
    draw: Draw,
    next: u64,
    left: Box<dyn Iterator<Item = Word>>,
}

impl Drawn {
    fn read(&mut self, offset: u64, into: &mut [Word]) {
        if offset < self.next {
            (self.next, self.left) = (0, (self.draw)());
        }
        while self.next < offset {
            self.next += 1;
            self.left.next();
        }
        for word in into {
            self.next += 1;
            *word = self.left.next().unwrap_or_default();
        }
    }
}

enum Cells {
    Words(Vec<Word>),
    Drawn(RefCell<Drawn>),
    /// A number of words whose contents are not kept.
    Blank(u64),
}

impl core::fmt::Debug for Cells {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Words(words) => write!(f, "{} words", words.len()),
            Self::Drawn(drawn) => write!(f, "{} drawn words", drawn.borrow().words),
            Self::Blank(words) => write!(f, "{words} blank words"),
        }
    }
}

#[derive(Debug)]
struct Region {
    name: String,
    cells: Cells,
}

impl Region {
    fn words(&self) -> u64 {
        match &self.cells {
            Cells::Words(words) => words.len() as u64,
            Cells::Drawn(drawn) => drawn.borrow().words,
            Cells::Blank(words) => *words,
        }
    }
}

/// Regions of DRAM by word address. A blank region has a size and no data: reads return zeros, writes are discarded. It is
/// for runs that only measure time.
#[derive(Default, Debug)]
pub struct Contents {
    regions: BTreeMap<u64, Region>,
    names: BTreeMap<String, u64>,
}

impl Contents {
    /// A DRAM without regions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a region with data at a word address.
    pub fn insert(&mut self, name: &str, base: u64, words: Vec<Word>) -> Result<(), ContentsError> {
        self.place(name, base, Cells::Words(words))
    }

    /// Adds a region of `words` words without data.
    pub fn insert_blank(&mut self, name: &str, base: u64, words: u64) -> Result<(), ContentsError> {
        self.place(name, base, Cells::Blank(words))
    }

    /// Adds a region of `words` words that are generated as they are read; writes are discarded.
    pub fn insert_drawn(
        &mut self,
        name: &str,
        base: u64,
        words: u64,
        draw: Draw,
    ) -> Result<(), ContentsError> {
        let left = draw();
        self.place(name, base, Cells::Drawn(RefCell::new(Drawn { words, draw, next: 0, left })))
    }

    fn place(&mut self, name: &str, base: u64, cells: Cells) -> Result<(), ContentsError> {
        let region = Region { name: name.to_owned(), cells };
        let end = base + region.words();
        let before = self.regions.range(..=base).next_back().filter(|(at, r)| *at + r.words() > base);
        let after = self.regions.range(base..end).next();
        let named = self.names.get(name).and_then(|at| self.regions.get_key_value(at));
        if let Some((_, other)) = before.or(after).or(named) {
            return Err(ContentsError::Overlap { region: name.to_owned(), other: other.name.clone() });
        }
        self.names.insert(name.to_owned(), base);
        self.regions.insert(base, region);
        Ok(())
    }

    /// Word address of a region.
    pub fn base(&self, name: &str) -> Result<u64, ContentsError> {
        self.names.get(name).copied().ok_or_else(|| ContentsError::NoRegion(name.to_owned()))
    }

    /// The words of a region.
    pub fn words(&self, name: &str) -> Result<&[Word], ContentsError> {
        match &self.regions[&self.base(name)?].cells {
            Cells::Words(words) => Ok(words),
            Cells::Drawn(_) | Cells::Blank(_) => Err(ContentsError::Blank(name.to_owned())),
        }
    }

    /// Reads the words from `address` on; zeros where the region is blank.
    pub fn read(&self, address: u64, into: &mut [Word]) -> Result<(), ContentsError> {
        let (base, region) =
            self.regions.range(..=address).next_back().ok_or(ContentsError::Unmapped { address })?;
        let offset = bounds(*base, region, address, into.len())?;
        match &region.cells {
            Cells::Words(words) => into.copy_from_slice(&words[offset..offset + into.len()]),
            Cells::Drawn(drawn) => drawn.borrow_mut().read(offset as u64, into),
            Cells::Blank(_) => into.fill([0; 4]),
        }
        Ok(())
    }

    /// Writes words from `address` on; writes to a blank or generated region are discarded.
    pub fn write(&mut self, address: u64, from: &[Word]) -> Result<(), ContentsError> {
        let (base, region) =
            self.regions.range_mut(..=address).next_back().ok_or(ContentsError::Unmapped { address })?;
        let offset = bounds(*base, region, address, from.len())?;
        if let Cells::Words(words) = &mut region.cells {
            words[offset..offset + from.len()].copy_from_slice(from);
        }
        Ok(())
    }
}

/// Offset of an access in the last region that begins at or before it.
fn bounds(base: u64, region: &Region, address: u64, words: usize) -> Result<usize, ContentsError> {
    let (offset, size) = (address - base, region.words());
    let end = offset + words as u64;
    if end > size {
        return Err(ContentsError::Bounds { region: region.name.clone(), offset, end, words: size });
    }
    Ok(offset as usize)
}
