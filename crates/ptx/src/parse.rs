//! The parser of a PTX text. Everything that the interpreter does not support is refused here.

use crate::body::Body;
use crate::check;
use crate::error::TextError;
use crate::program::{Kernel, Module, Parameter};
use crate::reader::{Reader, type_bytes};
use crate::registers::pack;
use crate::symbols::Symbols;
use crate::text::tokens;

/// Parses a text.
///
/// # Errors
/// [`TextError`] for instructions and directives that are not supported, for registers that may be read before they are
/// written, and for carries that no instruction has written.
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

/// Parses a kernel after the word `.entry`.
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

/// Parses numbers separated by commas and returns their product.
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
                // The alignment of the memory that a pointer parameter points to.
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
