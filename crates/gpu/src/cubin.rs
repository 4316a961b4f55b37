//! What a compiled kernel takes: read from the machine-code file itself, so that no further tool is needed.
//!
//! A cubin is an ELF file. Its section `.nv.info` has registers and stack frames by symbol, `.nv.info.<kernel>` the
//! parameters and the block size it was compiled for. Spills are not in the file; the compiler's log has them.

use std::collections::BTreeMap;
use thiserror::Error;

/// What a cubin says about one of its kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's stack frame in local memory, spills included.
    pub frame: u32,
    /// Bytes of shared memory that the kernel declares itself, without what is asked for at launch.
    pub shared: u64,
    /// Sizes of the parameters in bytes, in order.
    pub parameters: Vec<u32>,
    /// Most threads of a block that it was compiled for, where `__launch_bounds__` says so.
    pub max_threads: Option<u32>,
}

/// What the compiler moved to local memory for want of registers, in bytes of code-wise stores and loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spills {
    /// Number of bytes stored.
    pub stores: u64,
    /// Number of bytes loaded.
    pub loads: u64,
}

/// Why a cubin cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CubinError {
    /// Not a 64-bit little-endian ELF file.
    #[error("not a 64-bit ELF file")]
    NotElf,
    /// A header points outside of the file.
    #[error("the file ends inside of its {0}")]
    Short(&'static str),
}

/// Attributes of `.nv.info` that are read here, by their number.
mod attribute {
    pub(super) const MAX_THREADS: u8 = 0x05;
    pub(super) const FRAME_SIZE: u8 = 0x11;
    pub(super) const PARAMETER: u8 = 0x17;
    pub(super) const REGISTERS: u8 = 0x2f;
}

/// Symbols with this bit in `st_other` are kernels; other functions are called by them.
const ENTRY: u8 = 0x10;

/// Shared memory that the system keeps of every block since compute capability 8.0; sections count it.
const SYSTEM_SHARED: u64 = 1024;

/// The kernels of a cubin by name.
///
/// # Errors
/// [`CubinError`] for anything that is not one.
pub fn kernels(file: &[u8]) -> Result<BTreeMap<String, Resources>, CubinError> {
    let elf = Elf::read(file)?;
    let symbols = elf.symbols()?;
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    for symbol in symbols.iter().filter(|symbol| symbol.other & ENTRY != 0) {
        found.insert(symbol.name.clone(), Resources::default());
    }
    for section in &elf.sections {
        if section.name == ".nv.info" {
            for (attribute, value) in attributes(section.bytes) {
                let (Some(index), Some(number)) = (word(value, 0), word(value, 4)) else { continue };
                let symbol = symbols.get(index as usize);
                let Some(kernel) = symbol.and_then(|symbol| found.get_mut(&symbol.name)) else { continue };
                match attribute {
                    attribute::REGISTERS => kernel.registers = number,
                    attribute::FRAME_SIZE => kernel.frame = number,
                    _ => {}
                }
            }
        } else if let Some(kernel) = section.name.strip_prefix(".nv.info.").and_then(|k| found.get_mut(k)) {
            let mut parameters = BTreeMap::new();
            for (attribute, value) in attributes(section.bytes) {
                match attribute {
                    attribute::PARAMETER => {
                        if let (Some(place), Some(size)) = (word(value, 4), word(value, 8)) {
                            // The lower half is the parameter's number; sizes stand above flag bits.
                            parameters.insert(place & 0xffff, size >> 18);
                        }
                    }
                    attribute::MAX_THREADS => {
                        kernel.max_threads = (0..3)
                            .map(|i| word(value, 4 * i))
                            .try_fold(1u32, |all, n| Some(all.saturating_mul(n?)));
                    }
                    _ => {}
                }
            }
            kernel.parameters = parameters.into_values().collect();
        } else if let Some(kernel) = section.name.strip_prefix(".nv.shared.").and_then(|k| found.get_mut(k)) {
            kernel.shared = section.size.saturating_sub(SYSTEM_SHARED);
        }
    }
    Ok(found)
}

/// Spills by kernel, from the log of a compilation to machine code.
pub fn spills(log: &str) -> BTreeMap<String, Spills> {
    let mut found = BTreeMap::new();
    let mut current = None;
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Function properties for ") {
            current = Some(rest.trim().to_owned());
        } else if let Some(name) = current.take_if(|_| line.contains("bytes spill stores")) {
            let number = |what: &str| {
                let before = line.split(',').find(|part| part.contains(what))?;
                before.split_whitespace().find_map(|word| word.parse().ok())
            };
            let stores = number("bytes spill stores").unwrap_or(0);
            found.insert(name, Spills { stores, loads: number("bytes spill loads").unwrap_or(0) });
        }
    }
    found
}

/// A section of an ELF file. Sections that take no room in the file have no bytes.
struct Section<'a> {
    name: String,
    kind: u32,
    size: u64,
    link: u32,
    bytes: &'a [u8],
}

struct Symbol {
    name: String,
    other: u8,
}

struct Elf<'a> {
    sections: Vec<Section<'a>>,
}

const SYMBOL_TABLE: u32 = 2;
const NO_BITS: u32 = 8;

impl<'a> Elf<'a> {
    fn read(file: &'a [u8]) -> Result<Self, CubinError> {
        const SHORT: CubinError = CubinError::Short("section headers");
        if !file.starts_with(b"\x7fELF\x02\x01") {
            return Err(CubinError::NotElf);
        }
        let start = long(file, 0x28).ok_or(SHORT)?;
        let each = half(file, 0x3a).ok_or(SHORT)?;
        let count = half(file, 0x3c).ok_or(SHORT)?;
        let names = half(file, 0x3e).ok_or(SHORT)?;
        let header = |index: u16| -> Option<&'a [u8]> {
            let at = start.checked_add(u64::from(index) * u64::from(each))?;
            cut(file, at, u64::from(each))
        };
        let content = |header: &[u8]| -> Option<&'a [u8]> {
            if word(header, 4)? == NO_BITS {
                return Some(&[]);
            }
            cut(file, long(header, 0x18)?, long(header, 0x20)?)
        };
        let names = header(names).and_then(content).ok_or(SHORT)?;
        let section = |index: u16| -> Option<Section<'a>> {
            let header = header(index)?;
            Some(Section {
                name: text(names, word(header, 0)?),
                kind: word(header, 4)?,
                size: long(header, 0x20)?,
                link: word(header, 0x28)?,
                bytes: content(header)?,
            })
        };
        let sections = (0..count).map(section).collect::<Option<_>>().ok_or(SHORT)?;
        Ok(Self { sections })
    }

    fn symbols(&self) -> Result<Vec<Symbol>, CubinError> {
        const SHORT: CubinError = CubinError::Short("symbols");
        let Some(table) = self.sections.iter().find(|section| section.kind == SYMBOL_TABLE) else {
            return Ok(Vec::new());
        };
        let names = self.sections.get(table.link as usize).ok_or(SHORT)?;
        let symbol = |entry: &[u8]| -> Option<Symbol> {
            Some(Symbol { name: text(names.bytes, word(entry, 0)?), other: *entry.get(5)? })
        };
        table.bytes.chunks_exact(24).map(|entry| symbol(entry).ok_or(SHORT)).collect()
    }
}

/// The entries of an information section: attribute and value.
fn attributes(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    /// Format of an entry whose value follows it; the others hold it in their last two bytes.
    const FOLLOWED: u8 = 4;
    let mut list = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<4>() {
        let [format, attribute, low, high] = *head;
        let length = if format == FOLLOWED { usize::from(u16::from_le_bytes([low, high])) } else { 0 };
        let Some((value, rest)) = rest.split_at_checked(length) else { break };
        list.push((attribute, if format == FOLLOWED { value } else { &head[2..] }));
        bytes = rest;
    }
    list
}

fn cut(file: &[u8], at: u64, length: u64) -> Option<&[u8]> {
    let at = usize::try_from(at).ok()?;
    file.get(at..at.checked_add(usize::try_from(length).ok()?)?)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b))
}

/// The text that begins at an offset and ends at a zero.
fn text(names: &[u8], at: u32) -> String {
    let tail = names.get(at as usize..).unwrap_or_default();
    let end = tail.iter().position(|byte| *byte == 0).unwrap_or(tail.len());
    String::from_utf8_lossy(&tail[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused() {
        assert_eq!(kernels(b""), Err(CubinError::NotElf));
        assert_eq!(kernels(b"MZ\x90\x00"), Err(CubinError::NotElf));
        assert_eq!(kernels(b"\x7fELF\x02\x01\x01"), Err(CubinError::Short("section headers")));
        let mut far = b"\x7fELF\x02\x01\x01".to_vec();
        far.resize(64, 0xff);
        assert_eq!(kernels(&far), Err(CubinError::Short("section headers")));
    }

    #[test]
    fn spills_are_read_from_the_log() {
        let log = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'big' for 'sm_90'\n\
            ptxas info    : Function properties for big\n\
            ptxas         .     2040 bytes stack frame, 3024 bytes spill stores, 3552 bytes spill loads\n\
            ptxas info    : Used 32 registers, used 1 barriers, 2040 bytes cumulative stack size\n\
            ptxas info    : Function properties for small\n\
            ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
        let found = spills(log);
        assert_eq!(found["big"], Spills { stores: 3024, loads: 3552 });
        assert_eq!(found["small"], Spills::default());
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn entries_of_all_formats_are_stepped_over() {
        let bytes = [4, 0x2f, 8, 0, 1, 0, 0, 0, 40, 0, 0, 0, 3, 0x1b, 0xff, 0, 1, 0x35, 0, 0, 4, 9, 99, 0];
        let list = attributes(&bytes);
        assert_eq!(list.len(), 3);
        assert_eq!(list[0], (0x2f, &[1, 0, 0, 0, 40, 0, 0, 0][..]));
        assert_eq!((list[1].0, list[2].0), (0x1b, 0x35));
    }
}
