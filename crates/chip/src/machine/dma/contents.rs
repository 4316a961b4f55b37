//! What is in DRAM, as the host sees it.

use std::collections::BTreeMap;
use thiserror::Error;

/// A memory word of 256 bits, the lowest 64 first.
pub type Word = [u64; 4];

/// An access that the host's map of DRAM does not allow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ContentsError {
    /// No region there.
    #[error("DRAM word {address} is in no region")]
    Unmapped {
        /// Address of the word.
        address: u64,
    },
    /// Past the end of a region.
    #[error("words {offset} to {end} of region `{region}`, which has {words}")]
    Bounds {
        /// Name of the region.
        region: String,
        /// First word of the access in it.
        offset: u64,
        /// The word after the last.
        end: u64,
        /// Words it has.
        words: u64,
    },
    /// Two regions with a word in common.
    #[error("region `{region}` would overlap region `{other}`")]
    Overlap {
        /// The new one.
        region: String,
        /// The one that is there.
        other: String,
    },
    /// No region of that name.
    #[error("no region is named `{0}`")]
    NoRegion(String),
    /// A region that has no words to hand out.
    #[error("region `{0}` is blank: it stands for data that this run does not carry")]
    Blank(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Cells {
    Words(Vec<Word>),
    /// A number of words whose contents are not kept.
    Blank(u64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Region {
    name: String,
    cells: Cells,
}

impl Region {
    fn words(&self) -> u64 {
        match &self.cells {
            Cells::Words(words) => words.len() as u64,
            Cells::Blank(words) => *words,
        }
    }
}

/// Regions of DRAM by address in words. A blank region has a size and no data: reads give zeros, writes vanish; it is for
/// runs that only measure time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contents {
    regions: BTreeMap<u64, Region>,
    names: BTreeMap<String, u64>,
}

impl Contents {
    /// A DRAM without regions.
    pub fn new() -> Self {
        Self::default()
    }

    /// A region of data at a word address.
    pub fn insert(&mut self, name: &str, base: u64, words: Vec<Word>) -> Result<(), ContentsError> {
        self.place(name, base, Cells::Words(words))
    }

    /// A region of `words` words without data.
    pub fn insert_blank(&mut self, name: &str, base: u64, words: u64) -> Result<(), ContentsError> {
        self.place(name, base, Cells::Blank(words))
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

    /// Address of a region.
    pub fn base(&self, name: &str) -> Result<u64, ContentsError> {
        self.names.get(name).copied().ok_or_else(|| ContentsError::NoRegion(name.to_owned()))
    }

    /// The words of a region.
    pub fn words(&self, name: &str) -> Result<&[Word], ContentsError> {
        match &self.regions[&self.base(name)?].cells {
            Cells::Words(words) => Ok(words),
            Cells::Blank(_) => Err(ContentsError::Blank(name.to_owned())),
        }
    }

    /// Copies the words from `address` on; zeros where the region is blank.
    pub fn read(&self, address: u64, into: &mut [Word]) -> Result<(), ContentsError> {
        let (base, region) =
            self.regions.range(..=address).next_back().ok_or(ContentsError::Unmapped { address })?;
        let offset = bounds(*base, region, address, into.len())?;
        match &region.cells {
            Cells::Words(words) => into.copy_from_slice(&words[offset..offset + into.len()]),
            Cells::Blank(_) => into.fill([0; 4]),
        }
        Ok(())
    }

    /// Puts words from `address` on; nothing happens where the region is blank.
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
