//! The resources of a compiled kernel, read from the machine-code file itself, without any other tool.
//!
//! A cubin is an ELF file. Its section `.nv.info` lists registers and stack frames by symbol, `.nv.info.<kernel>` the
//! parameters and the block size that the kernel was compiled for. The file does not list spills; they are in the
//! compiler's log.

use object::elf::{FileHeader64, SHT_SYMTAB};
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{LittleEndian, read};
use std::collections::BTreeMap;
use thiserror::Error;

/// The resources of one kernel of a cubin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Registers per thread.
    pub registers: u32,
    /// Stack frame of a thread in local memory in bytes, including spills.
    pub frame: u32,
    /// Shared memory that the kernel declares itself in bytes, without the dynamic shared memory of a launch.
    pub shared: u64,
    /// Sizes of the parameters in bytes, in order.
    pub parameters: Vec<u32>,
    /// Greatest number of threads per block that it was compiled for, if `__launch_bounds__` states it.
    pub max_threads: Option<u32>,
}

/// The file is not a 64-bit little-endian ELF file, or a header in it points outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this is no machine code of a GPU: {0}")]
pub struct CubinError(#[from] read::Error);

/// Numbers of the attributes of `.nv.info` that are used here.
mod attribute {
    pub(super) const MAX_THREADS: u8 = 0x05;
    pub(super) const FRAME_SIZE: u8 = 0x11;
    pub(super) const PARAMETER: u8 = 0x17;
    pub(super) const REGISTERS: u8 = 0x2f;
}

/// The bit of `st_other` that marks a symbol as a kernel; other functions are called by kernels.
const ENTRY: u8 = 0x10;

/// Bytes of shared memory per block that the system reserves since compute capability 8.0; the section's size includes
/// them.
const SYSTEM_SHARED: u64 = 1024;

/// The kernels of a cubin by name.
///
/// # Errors
/// [`CubinError`] if the file is not a cubin.
pub fn kernels(file: &[u8]) -> Result<BTreeMap<String, Resources>, CubinError> {
    let header = FileHeader64::<LittleEndian>::parse(file)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, file)?;
    let table = sections.symbols(endian, file, SHT_SYMTAB)?;
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut symbols = Vec::with_capacity(table.len());
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    for symbol in table.iter() {
        let called = name(symbol.name(endian, table.strings())?);
        if symbol.st_other() & ENTRY != 0 {
            found.insert(called.clone(), Resources::default());
        }
        symbols.push(called);
    }
    for section in sections.iter() {
        let called = name(sections.section_name(endian, section)?);
        let bytes = section.data(endian, file)?;
        if called == ".nv.info" {
            for (attribute, value) in attributes(bytes) {
                let (Some(index), Some(number)) = (word(value, 0), word(value, 4)) else { continue };
                let symbol = symbols.get(index as usize);
                let Some(kernel) = symbol.and_then(|symbol| found.get_mut(symbol)) else { continue };
                match attribute {
                    attribute::REGISTERS => kernel.registers = number,
                    attribute::FRAME_SIZE => kernel.frame = number,
                    _ => {}
                }
            }
        } else if let Some(kernel) = called.strip_prefix(".nv.info.").and_then(|k| found.get_mut(k)) {
            let mut parameters = BTreeMap::new();
            for (attribute, value) in attributes(bytes) {
                match attribute {
                    attribute::PARAMETER => {
                        if let (Some(place), Some(size)) = (word(value, 4), word(value, 8)) {
                            // The lower half is the parameter's number; the size is above 18 flag bits.
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
        } else if let Some(kernel) = called.strip_prefix(".nv.shared.").and_then(|k| found.get_mut(k)) {
            kernel.shared = section.sh_size(endian).saturating_sub(SYSTEM_SHARED);
        }
    }
    Ok(found)
}

/// The entries of an information section: attribute number and value.
fn attributes(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    /// The format of an entry whose value follows it; other entries hold the value in their last two bytes.
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

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused() {
        let said = |file: &[u8]| kernels(file).unwrap_err().to_string();
        assert_eq!(said(b""), "this is no machine code of a GPU: Invalid ELF header size or alignment");
        let mut far = b"\x7fELF\x02\x01\x01".to_vec();
        assert!(kernels(&far).is_err());
        far.resize(64, 0xff);
        assert!(kernels(&far).is_err());
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
