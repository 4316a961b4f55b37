//! A text of PTX to kernels. Whatever the interpreter does not know is refused here.

use crate::body::Body;
use crate::check;
use crate::program::{Kernel, Module, Parameter};
use crate::reader::{Reader, type_bytes};
use crate::registers::pack;
use crate::text::tokens;
use std::collections::BTreeMap;
use thiserror::Error;

/// Reasons why a text is refused, with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// The interpreter does not know the instruction.
    #[error("line {line}: the instruction `{name}` is not among those that are interpreted")]
    Instruction {
        /// Line of the text.
        line: u32,
        /// Name of the instruction.
        name: String,
    },
    /// The interpreter does not know the directive.
    #[error("line {line}: the directive `{name}` is not among those that are understood")]
    Directive {
        /// Line of the text.
        line: u32,
        /// The directive.
        name: String,
    },
    /// Another token stands where a certain one is needed.
    #[error("line {line}: `{found}` stands where {wanted} is needed")]
    Token {
        /// Line of the text.
        line: u32,
        /// The token that stands there.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// A register, label or symbol is not declared, or is of another kind.
    #[error("line {line}: `{name}` is no {wanted}")]
    Name {
        /// Line of the text.
        line: u32,
        /// The name.
        name: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// A register is read on a way on which nothing has written it.
    #[error("line {line}: kernel `{kernel}` reads a register that may not have been written")]
    Unwritten {
        /// Line of the first instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// A carry is read that no instruction before has left, or one of a difference for that of a sum.
    #[error("line {line}: kernel `{kernel}` reads a carry that no matching instruction has left")]
    Carry {
        /// Line of the instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// The text has no end.
    #[error("the text ends within a statement")]
    End,
}

/// Reads a text.
///
/// # Errors
/// [`TextError`] for what is not understood, for registers that may be read before they are written, and for carries
/// that no instruction has left.
pub fn parse(text: &str) -> Result<Module, TextError> {
    let mut reader = Reader { tokens: tokens(text), at: 0 };
    let mut module = Module { target: 0, kernels: Vec::new() };
    let mut symbols = Symbols::default();
    while let Some(placed) = reader.tokens.get(reader.at).copied() {
        reader.at += 1;
        match placed.token {
            ".version" | ".address_size" => reader.at += 1,
            ".target" => {
                let name = reader.next()?;
                let number = name.token.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
                module.target = number.parse().map_err(|_| reader.unexpected(name, "an architecture"))?;
            }
            ".extern" | ".visible" | ".weak" => {}
            ".shared" => symbols.shared(&mut reader)?,
            ".entry" => module.kernels.push(kernel(&mut reader, &symbols)?),
            name => return Err(TextError::Directive { line: placed.line, name: name.to_owned() }),
        }
    }
    Ok(module)
}

/// Arrays in shared memory: those of a declared size in the order of the text, then the one whose size the launch gives.
#[derive(Default)]
pub(crate) struct Symbols {
    places: BTreeMap<String, usize>,
    /// Names of arrays without a size: they all begin behind the others.
    open: Vec<String>,
    bytes: usize,
}

impl Symbols {
    /// `.align 16 .b8 name[size];`, without its first word.
    fn shared(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
        let mut align = 1;
        if reader.take(".align") {
            align = reader.size()?.max(1);
        }
        let kind = reader.next()?;
        let each = type_bytes(kind.token).ok_or_else(|| reader.unexpected(kind, "a type"))?;
        let name = reader.next()?.token.to_owned();
        let mut count = 1;
        if reader.take("[") {
            count = if reader.peek() == "]" { 0 } else { reader.size()? };
            reader.expect("]")?;
        }
        reader.expect(";")?;
        if count == 0 {
            self.open.push(name);
            return Ok(());
        }
        self.bytes = self.bytes.next_multiple_of(align.max(each));
        self.places.insert(name, self.bytes);
        self.bytes += count * each;
        Ok(())
    }

    /// Bytes of the declared arrays, rounded up to what the widest access needs.
    pub(crate) fn declared(&self) -> usize {
        self.bytes.next_multiple_of(16)
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        let open = || self.open.iter().any(|other| other == name).then(|| self.declared());
        self.places.get(name).copied().or_else(open)
    }
}

/// A kernel behind the word `.entry`.
fn kernel(reader: &mut Reader<'_>, symbols: &Symbols) -> Result<Kernel, TextError> {
    let name = reader.next()?.token.to_owned();
    let mut body = Body::new(parameters(reader)?, symbols);
    let (mut max_threads, mut cluster) = (None, None);
    loop {
        let next = reader.next()?;
        match next.token {
            ".maxntid" => max_threads = Some(product(reader)?),
            ".reqntid" => max_threads = Some(product(reader)?),
            ".reqnctapercluster" => cluster = Some(u32::try_from(product(reader)?).unwrap_or(u32::MAX)),
            ".minnctapersm" | ".maxnreg" | ".maxclusterrank" => _ = reader.size()?,
            ".explicitcluster" => {}
            "{" => break,
            other => return Err(TextError::Directive { line: next.line, name: other.to_owned() }),
        }
    }
    body.read(reader)?;
    let mut kernel = Kernel {
        name,
        parameters: body.parameters,
        shared: body.symbols.declared(),
        max_threads,
        cluster,
        body: body.instructions,
        presets: body.presets.into_iter().map(|((_, preset), reg)| (reg, preset)).collect(),
        registers: body.count.map(|n| n as usize),
    };
    check::carries(&kernel)?;
    pack(&mut kernel)?;
    Ok(kernel)
}

/// Up to three numbers, multiplied.
fn product(reader: &mut Reader<'_>) -> Result<u64, TextError> {
    let mut all = reader.size()? as u64;
    while reader.take(",") {
        all = all.saturating_mul(reader.size()? as u64);
    }
    Ok(all)
}

fn parameters(reader: &mut Reader<'_>) -> Result<Vec<Parameter>, TextError> {
    let mut all: Vec<Parameter> = Vec::new();
    let mut end = 0usize;
    reader.expect("(")?;
    while !reader.take(")") {
        reader.expect(".param")?;
        let (mut align, mut each) = (1usize, 0usize);
        let name = loop {
            let next = reader.next()?;
            match next.token {
                ".align" if each == 0 => align = reader.size()?.max(1),
                // What the pointer points to.
                ".align" => _ = reader.size()?,
                ".ptr" | ".global" | ".const" => {}
                token if token.starts_with('.') => {
                    each = type_bytes(token).ok_or_else(|| reader.unexpected(next, "a type"))?;
                }
                token => break token.to_owned(),
            }
        };
        let mut count = 1;
        if reader.take("[") {
            count = reader.size()?;
            reader.expect("]")?;
        }
        let offset = end.next_multiple_of(align.max(each).max(1));
        end = offset + count * each;
        all.push(Parameter { name, offset, size: count * each });
        reader.take(",");
    }
    Ok(all)
}
