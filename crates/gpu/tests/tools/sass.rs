//! Analysis of disassembled machine code: counts of the instructions of a kernel.
//!
//! The lower bounds that kernels are compared with count instructions of a few kinds (a wide multiply-add takes two
//! issues of its pipe, an addition one), and a compiler that breaks a carry chain is noticed here before it is noticed
//! in times. The input is the output of `nvdisasm --print-code`. A cubin does not list spills; the log of the compiler
//! does.

use pairwright_gpu::nvrtc::folder_from_environment;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Spills: bytes that the compiler stores to and loads from local memory for lack of registers, each instruction
/// counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spills {
    /// Number of bytes stored.
    pub(crate) stores: u64,
    /// Number of bytes loaded.
    pub(crate) loads: u64,
}

/// The number of occurrences of each instruction in a kernel, by full mnemonic (`IMAD.WIDE.U32.X`), without padding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts(BTreeMap<String, u64>);

/// The kinds of instructions that reports have a column for, by the beginning of the mnemonic; the first match counts.
const KINDS: [(&str, &str); 22] = [
    ("IMAD.WIDE", "IMAD.WIDE"),
    ("IMAD.HI", "IMAD.HI"),
    // Moves, shifts and additions with carry in that run on the multiplier's pipe instead of the adder's.
    ("IMAD.MOV", "IMAD.MOV"),
    ("IMAD.SHL", "IMAD.MOV"),
    ("IMAD.IADD", "IMAD.MOV"),
    ("IMAD.X", "IMAD.X"),
    ("IMAD", "IMAD"),
    ("IADD3", "IADD3"),
    ("IADD", "IADD3"),
    ("LOP3", "LOP3"),
    ("SHF", "SHF"),
    ("SEL", "SEL"),
    ("ISETP", "ISETP"),
    ("DFMA", "DFMA"),
    ("DADD", "DADD"),
    ("DMUL", "DMUL"),
    ("LDG", "LDG"),
    ("STG", "STG"),
    ("LDS", "LDS"),
    ("STS", "STS"),
    ("LDL", "LDL"),
    ("STL", "STL"),
];

impl Counts {
    /// Counts one instruction, unless it is padding.
    fn add(&mut self, mnemonic: &str) {
        if mnemonic != "NOP" {
            *self.0.entry(mnemonic.to_owned()).or_default() += 1;
        }
    }

    /// Returns the number of all instructions.
    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The number of instructions whose mnemonic has this form: `IMAD.WIDE` includes `IMAD.WIDE.U32.X`, while `IMAD`
    /// does not include `IMAD.WIDE`. Kinds without a column are counted by their first word.
    pub(crate) fn of(&self, kind: &str) -> u64 {
        self.0.iter().filter(|(mnemonic, _)| kind_of(mnemonic) == kind).map(|(_, n)| n).sum()
    }

    /// The number of instructions with exactly this mnemonic, including modifiers.
    pub(crate) fn exactly(&self, mnemonic: &str) -> u64 {
        self.0.get(mnemonic).copied().unwrap_or(0)
    }

    /// The nonzero counts by kind, in alphabetical order.
    pub(crate) fn by_kind(&self) -> BTreeMap<&str, u64> {
        let mut kinds = BTreeMap::new();
        for (mnemonic, n) in &self.0 {
            *kinds.entry(kind_of(mnemonic)).or_default() += n;
        }
        kinds
    }

    /// Issues of the integer multiplier's pipe, 64 lanes wide, if wide and high products take two: the unit of the
    /// arithmetic lower bounds. `rates` measures whether they do on Hopper.
    pub(crate) fn multiplier_slots(&self) -> u64 {
        let wide = self.of("IMAD.WIDE") + self.of("IMAD.HI");
        2 * wide + self.of("IMAD") + self.of("IMAD.MOV") + self.of("IMAD.X")
    }
}

fn kind_of(mnemonic: &str) -> &str {
    let fits = |start: &str| {
        mnemonic.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let listed = KINDS.iter().find(|(start, _)| fits(start)).map(|(_, kind)| *kind);
    listed.unwrap_or_else(|| mnemonic.split('.').next().unwrap_or(mnemonic))
}

/// The instructions of every kernel in a disassembly.
pub(crate) fn count(text: &str) -> BTreeMap<String, Counts> {
    let mut kernels: BTreeMap<String, Counts> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = section(line) {
            current = name.strip_prefix(".text.").map(str::to_owned);
        } else if let Some((kernel, mnemonic)) = current.as_ref().zip(mnemonic(line)) {
            kernels.entry(kernel.clone()).or_default().add(mnemonic);
        }
    }
    kernels
}

/// The instructions of the longest loop of a kernel that contains no other backward branch: from a label to the branch
/// that leads back to it. Empty if there is no loop.
pub(crate) fn longest_loop(text: &str, kernel: &str) -> Counts {
    let start = format!(".text.{kernel}:");
    let code = text.lines().map(str::trim).skip_while(|line| *line != start).skip(1);
    let code: Vec<&str> = code.take_while(|line| section(line).is_none()).collect();
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    let mut longest = Counts::default();
    // The earliest start of the innermost loop that is still open.
    let mut floor = 0;
    for (at, line) in code.iter().enumerate() {
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label, at);
        } else if mnemonic(line) == Some("BRA") {
            let label =
                line.split_once("`(").and_then(|(_, rest)| rest.split_once(')')).map(|(name, _)| name);
            let Some(back) = label.and_then(|name| labels.get(name)) else { continue };
            if *back >= floor {
                let mut body = Counts::default();
                code[*back..=at].iter().filter_map(|line| mnemonic(line)).for_each(|word| body.add(word));
                if body.total() > longest.total() {
                    longest = body;
                }
            }
            floor = at;
        }
    }
    longest
}

/// The name in a line such as `.section .text.kernel,"ax",@progbits`.
fn section(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let named = words.next() == Some(".section");
    words.next().filter(|_| named).and_then(|word| word.split(',').next())
}

/// The mnemonic of a line such as `/*0070*/  @!P0 IMAD.WIDE.U32 R4, R2, R3, R4 ;`.
pub(crate) fn mnemonic(line: &str) -> Option<&str> {
    let (address, rest) = line.strip_prefix("/*")?.split_once("*/")?;
    if address.is_empty() || !address.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches('{').trim_start();
    let rest = match rest.strip_prefix('@') {
        Some(predicated) => predicated.split_once(char::is_whitespace)?.1.trim_start(),
        None => rest,
    };
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')).unwrap_or(rest.len());
    let word = &rest[..end];
    word.starts_with(|c: char| c.is_ascii_uppercase()).then_some(word)
}

/// The disassembler `nvdisasm`: in the `bin` of the folder that the environment names, else in the search path.
pub(crate) fn disassembler() -> PathBuf {
    let below = folder_from_environment().map(|folder| folder.join("bin").join("nvdisasm"));
    below.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from("nvdisasm"))
}

/// Disassembles a cubin by `nvdisasm`, which reads only files. The error is that the tool cannot be run.
///
/// # Panics
/// Panics if the tool fails.
pub(crate) fn disassemble(tool: &Path, cubin: &Path) -> std::io::Result<String> {
    let output = Command::new(tool).arg("--print-code").arg(cubin).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "nvdisasm: {}: {}", output.status, said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Spills by kernel, from the log of a compilation to machine code.
pub(crate) fn spills(log: &str) -> BTreeMap<String, Spills> {
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
