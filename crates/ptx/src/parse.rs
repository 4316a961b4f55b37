//! A text of PTX to kernels. Whatever the interpreter does not know is refused here.

use crate::check;
use crate::program::{Instruction, Kernel, Module, Parameter, Preset, Reg, Special};
use crate::registers::pack;
use crate::table::{Class, Meaning, Space, meaning};
use crate::text::{Placed, tokens};
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

/// The tokens that are left.
struct Reader<'a> {
    tokens: Vec<Placed<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Placed<'a>, TextError> {
        let next = self.tokens.get(self.at).copied().ok_or(TextError::End)?;
        self.at += 1;
        Ok(next)
    }

    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |placed| placed.token)
    }

    /// Takes a token if it is this one.
    fn take(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, token: &'static str) -> Result<(), TextError> {
        let next = self.next()?;
        if next.token == token { Ok(()) } else { Err(self.unexpected(next, token)) }
    }

    fn unexpected(&self, found: Placed<'_>, wanted: &'static str) -> TextError {
        TextError::Token { line: found.line, found: found.token.to_owned(), wanted }
    }

    /// An integer, with its sign.
    fn integer(&mut self) -> Result<i64, TextError> {
        let negative = self.take("-");
        let next = self.next()?;
        let value = integer(next.token).ok_or_else(|| self.unexpected(next, "an integer"))?;
        Ok(if negative { value.wrapping_neg() } else { value })
    }

    fn size(&mut self) -> Result<usize, TextError> {
        let next = self.next()?;
        integer(next.token)
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n < 1 << 30)
            .ok_or_else(|| self.unexpected(next, "a size"))
    }
}

/// An integer without sign; decimal or with `0x`. Integers above 2^63 wrap.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_end_matches('U');
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse::<u64>().ok(),
    }
    .map(|n| n as i64)
}

/// Bytes of a type such as `.u64`.
fn type_bytes(name: &str) -> Option<usize> {
    Some(match name {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" => 2,
        ".b32" | ".u32" | ".s32" | ".f32" => 4,
        ".b64" | ".u64" | ".s64" | ".f64" => 8,
        _ => return None,
    })
}

/// Arrays in shared memory: those of a declared size in the order of the text, then the one whose size the launch gives.
#[derive(Default)]
struct Symbols {
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
    fn declared(&self) -> usize {
        self.bytes.next_multiple_of(16)
    }

    fn place(&self, name: &str) -> Option<usize> {
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

/// A declaration of registers: one name, or a stem with as many numbers.
#[derive(Clone, Copy)]
struct Declared {
    class: Class,
    first: u32,
    count: u32,
}

/// The body of a kernel as it is read.
struct Body<'a> {
    parameters: Vec<Parameter>,
    symbols: &'a Symbols,
    /// Registers by name or stem, a map for each open brace.
    scopes: Vec<BTreeMap<String, Declared>>,
    count: [u32; 3],
    presets: BTreeMap<(Class, Preset), Reg>,
    labels: BTreeMap<String, usize>,
    jumps: Vec<(usize, String, u32)>,
    instructions: Vec<Instruction>,
}

/// An operand as the text has it.
enum Operand {
    Reg(Reg),
    Value(u64),
    Pair(Reg, Reg),
}

impl<'a> Body<'a> {
    fn new(parameters: Vec<Parameter>, symbols: &'a Symbols) -> Self {
        Self {
            parameters,
            symbols,
            scopes: vec![BTreeMap::new()],
            count: [0; 3],
            presets: BTreeMap::new(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            instructions: Vec::new(),
        }
    }

    fn fresh(&mut self, class: Class, count: u32) -> u32 {
        let place = &mut self.count[class as usize];
        let first = *place;
        *place += count;
        first
    }

    /// Everything up to the brace that closes the body.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
        loop {
            let next = reader.next()?;
            match next.token {
                "{" => self.scopes.push(BTreeMap::new()),
                "}" => {
                    self.scopes.pop();
                    if self.scopes.is_empty() {
                        break;
                    }
                }
                ";" => {}
                ".reg" => self.declare(reader)?,
                ".pragma" => while reader.next()?.token != ";" {},
                "@" => {
                    let negated = reader.take("!");
                    let register = self.register(reader.next()?, Class::Bit)?;
                    let name = reader.next()?;
                    self.instruction(reader, name, Some((register, !negated)))?;
                }
                label if reader.peek() == ":" => {
                    reader.at += 1;
                    self.labels.insert(label.to_owned(), self.instructions.len());
                }
                _ => self.instruction(reader, next, None)?,
            }
        }
        for (at, label, line) in core::mem::take(&mut self.jumps) {
            let target = self.labels.get(&label).copied();
            self.instructions[at].target =
                target.ok_or(TextError::Name { line, name: label, wanted: "label" })?;
        }
        Ok(())
    }

    /// `.reg .b32 %r<10>;` or `.reg .u32 low, high;`
    fn declare(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
        let kind = reader.next()?;
        let class = match kind.token {
            ".pred" => Class::Bit,
            other => match type_bytes(other) {
                Some(4) => Class::Word,
                Some(8) => Class::Long,
                _ => return Err(reader.unexpected(kind, "a type of registers")),
            },
        };
        loop {
            let name = reader.next()?.token.to_owned();
            let mut count = 1;
            let mut key = name;
            if reader.take("<") {
                count = u32::try_from(reader.size()?).unwrap_or(u32::MAX);
                reader.expect(">")?;
                key.push('<');
            }
            let first = self.fresh(class, count);
            let scope = self.scopes.last_mut().expect("a body has a scope");
            scope.insert(key, Declared { class, first, count });
            if !reader.take(",") {
                break;
            }
        }
        reader.expect(";")
    }

    fn declared(&self, name: &str) -> Option<Reg> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: Option<u32> = name[stem.len()..].parse().ok();
        let key = format!("{stem}<");
        self.scopes.iter().rev().find_map(|scope| {
            if let Some(one) = scope.get(name) {
                return Some(Reg { class: one.class, at: one.first });
            }
            let family = scope.get(&key)?;
            let number = number.filter(|n| *n < family.count)?;
            Some(Reg { class: family.class, at: family.first + number })
        })
    }

    fn register(&self, placed: Placed<'_>, class: Class) -> Result<Reg, TextError> {
        self.declared(placed.token).filter(|reg| reg.class == class).ok_or_else(|| TextError::Name {
            line: placed.line,
            name: placed.token.to_owned(),
            wanted: match class {
                Class::Word => "32-bit register",
                Class::Long => "64-bit register",
                Class::Bit => "predicate",
            },
        })
    }

    /// The register in which a value stands from the beginning.
    fn preset(&mut self, class: Class, preset: Preset) -> Reg {
        let preset = match (class, preset) {
            (Class::Word, Preset::Constant(value)) => Preset::Constant(value & u64::from(u32::MAX)),
            _ => preset,
        };
        if let Some(reg) = self.presets.get(&(class, preset)) {
            return *reg;
        }
        let reg = Reg { class, at: self.fresh(class, 1) };
        self.presets.insert((class, preset), reg);
        reg
    }

    fn instruction(
        &mut self,
        reader: &mut Reader<'_>,
        name: Placed<'_>,
        guard: Option<(Reg, bool)>,
    ) -> Result<(), TextError> {
        let line = name.line;
        let refuse = || TextError::Instruction { line, name: name.token.to_owned() };
        let mut instruction = Instruction {
            meaning: Meaning::Fence,
            guard,
            to: Vec::new(),
            from: Vec::new(),
            offset: 0,
            target: 0,
            line,
        };
        instruction.meaning = match (name.token, special_clock(reader)) {
            ("mov.u64", true) => Meaning::Clock,
            ("mov.b64", _) if reader.peek() == "{" => Meaning::Unpack,
            ("mov.b64", _) if reader.tokens.get(reader.at + 2).is_some_and(|placed| placed.token == "{") => {
                Meaning::Pack
            }
            _ => meaning(name.token).ok_or_else(refuse)?,
        };
        match instruction.meaning {
            Meaning::Branch => {
                self.jumps.push((self.instructions.len(), reader.next()?.token.to_owned(), line));
            }
            Meaning::Barrier => {
                let next = reader.next()?;
                if next.token != "0" {
                    return Err(reader.unexpected(next, "barrier 0"));
                }
            }
            Meaning::Load(access) => {
                self.values(reader, &mut instruction, true)?;
                reader.expect(",")?;
                self.address(reader, &mut instruction, access.space)?;
            }
            Meaning::Store(access) => {
                self.address(reader, &mut instruction, access.space)?;
                reader.expect(",")?;
                self.values(reader, &mut instruction, false)?;
            }
            _ => self.operands(reader, &mut instruction)?,
        }
        reader.expect(";")?;
        self.instructions.push(instruction);
        Ok(())
    }

    /// The operands of an instruction that computes: what it writes, then what it reads.
    fn operands(&mut self, reader: &mut Reader<'_>, instruction: &mut Instruction) -> Result<(), TextError> {
        let (to, from) = instruction.meaning.shape();
        if let Meaning::Clock = instruction.meaning {
            instruction.to.push(self.register(reader.next()?, Class::Long)?);
            reader.expect(",")?;
            reader.at += 1;
            return Ok(());
        }
        let total = to.len() + from.len();
        let mut seen = 0;
        while seen < total {
            if seen > 0 {
                reader.expect(",")?;
            }
            let line = instruction.line;
            let class = if seen < to.len() { to[seen] } else { from[seen - to.len()] };
            match self.operand(reader, class)? {
                Operand::Reg(reg) if seen < to.len() => instruction.to.push(reg),
                Operand::Reg(reg) => instruction.from.push(reg),
                Operand::Value(value) if seen >= to.len() => {
                    instruction.from.push(self.preset(class, Preset::Constant(value)));
                }
                Operand::Pair(low, high) => {
                    seen += 1;
                    let list = if seen < to.len() { &mut instruction.to } else { &mut instruction.from };
                    list.extend([low, high]);
                }
                Operand::Value(value) => {
                    return Err(TextError::Name { line, name: value.to_string(), wanted: "register" });
                }
            }
            seen += 1;
        }
        Ok(())
    }

    fn operand(&mut self, reader: &mut Reader<'_>, class: Class) -> Result<Operand, TextError> {
        if reader.take("{") {
            let low = self.register(reader.next()?, Class::Word)?;
            reader.expect(",")?;
            let high = self.register(reader.next()?, Class::Word)?;
            reader.expect("}")?;
            return Ok(Operand::Pair(low, high));
        }
        let first = reader.tokens.get(reader.at).copied().ok_or(TextError::End)?;
        let token = first.token;
        if token == "-" || token.starts_with(|c: char| c.is_ascii_digit()) {
            if let Some(bits) = token.strip_prefix("0d").and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
                reader.at += 1;
                return Ok(Operand::Value(bits));
            }
            let value = reader.integer()?;
            // As a predicate, whatever is not zero is true.
            return Ok(Operand::Value(if class == Class::Bit {
                u64::from(value != 0)
            } else {
                value as u64
            }));
        }
        if class != Class::Bit {
            if let Some(special) = special(token) {
                reader.at += 1;
                return Ok(Operand::Reg(self.preset(class, Preset::Special(special))));
            }
            // The address of an array of shared memory, or of a parameter.
            let parameter = || self.parameters.iter().find(|parameter| parameter.name == token);
            if let Some(place) = self.symbols.place(token).or_else(|| parameter().map(|p| p.offset)) {
                reader.at += 1;
                return Ok(Operand::Value(place as u64));
            }
        }
        let next = reader.next()?;
        Ok(Operand::Reg(self.register(next, class)?))
    }

    /// The registers of a load or store: one, or several in braces.
    fn values(
        &mut self,
        reader: &mut Reader<'_>,
        instruction: &mut Instruction,
        load: bool,
    ) -> Result<(), TextError> {
        let (Meaning::Load(access) | Meaning::Store(access)) = instruction.meaning else { return Ok(()) };
        let class = if access.long { Class::Long } else { Class::Word };
        if access.count > 1 {
            reader.expect("{")?;
        }
        for at in 0..access.count {
            if at > 0 {
                reader.expect(",")?;
            }
            let wide = self.declared(reader.peek()).is_some_and(|reg| reg.class == Class::Long);
            let class = if access.widens && wide { Class::Long } else { class };
            match self.operand(reader, class)? {
                Operand::Reg(reg) if load => instruction.to.push(reg),
                Operand::Reg(reg) => instruction.from.push(reg),
                Operand::Value(value) if !load => {
                    instruction.from.push(self.preset(class, Preset::Constant(value)));
                }
                _ => {
                    let line = instruction.line;
                    return Err(TextError::Name { line, name: "operand".to_owned(), wanted: "register" });
                }
            }
        }
        if access.count > 1 {
            reader.expect("}")?;
        }
        Ok(())
    }

    /// `[base+offset]`: the base is a register, an array of shared memory, or a parameter.
    fn address(
        &mut self,
        reader: &mut Reader<'_>,
        instruction: &mut Instruction,
        space: Space,
    ) -> Result<(), TextError> {
        reader.expect("[")?;
        let base = reader.next()?;
        let mut offset = 0;
        if reader.take("+") {
            offset = reader.integer()?;
        }
        reader.expect("]")?;
        let unknown = |wanted| TextError::Name { line: base.line, name: base.token.to_owned(), wanted };
        let parameter = self.parameters.iter().find(|parameter| parameter.name == base.token);
        if let Some(parameter) = parameter.filter(|_| space == Space::Param) {
            offset += parameter.offset as i64;
        } else if let Some(reg) = self.declared(base.token) {
            match reg.class {
                Class::Long => instruction.from.push(reg),
                // Addresses of shared memory may have 32 bits.
                Class::Word if matches!(space, Space::Shared | Space::Cluster) => instruction.from.push(reg),
                _ => return Err(unknown("register with an address")),
            }
        } else {
            let place = self.symbols.place(base.token).ok_or_else(|| unknown("address"))?;
            instruction.from.push(self.preset(Class::Long, Preset::Constant(place as u64)));
        }
        instruction.offset = offset;
        Ok(())
    }
}

/// Whether the operand behind the first one is a clock.
fn special_clock(reader: &Reader<'_>) -> bool {
    let source = reader.tokens.get(reader.at + 2).map_or("", |placed| placed.token);
    matches!(source, "%clock64" | "%globaltimer")
}

/// A special register by its name.
fn special(name: &str) -> Option<Special> {
    let (stem, dimension) = match name.rsplit_once('.') {
        Some((stem, "x")) => (stem, 0),
        Some((stem, "y")) => (stem, 1),
        Some((stem, "z")) => (stem, 2),
        _ => (name, 0),
    };
    Some(match stem {
        "%tid" => Special::Thread(dimension),
        "%ntid" => Special::Threads(dimension),
        "%ctaid" => Special::Block(dimension),
        "%nctaid" => Special::Blocks(dimension),
        "%cluster_ctarank" => Special::Rank,
        "%cluster_nctarank" => Special::Ranks,
        "%laneid" => Special::Lane,
        _ => return None,
    })
}
