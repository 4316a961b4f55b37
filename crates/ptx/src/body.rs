//! The parser of a kernel's body: declarations of registers, labels, instructions with their operands.

use crate::access::Space;
use crate::error::TextError;
use crate::program::{Instruction, Parameter, Preset, Reg, Special};
use crate::reader::{Reader, type_bytes};
use crate::symbols::Symbols;
use crate::table::{Class, Operation, operation};
use crate::text::PlacedToken;
use std::collections::BTreeMap;

/// A declaration of registers: a name for one register, or a stem for `count` numbered ones.
#[derive(Clone, Copy)]
struct Declared {
    class: Class,
    first: u32,
    count: u32,
}

/// The body of a kernel while it is parsed.
pub(crate) struct Body<'a> {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) symbols: &'a Symbols,
    /// Registers by name or stem, one map per open brace.
    scopes: Vec<BTreeMap<String, Declared>>,
    pub(crate) count: [u32; 3],
    pub(crate) presets: BTreeMap<(Class, Preset), Reg>,
    labels: BTreeMap<String, usize>,
    jumps: Vec<(usize, String, u32)>,
    pub(crate) instructions: Vec<Instruction>,
}

/// An operand as it is written in the text.
enum Operand {
    Reg(Reg),
    Value(u64),
    Pair(Reg, Reg),
}

impl<'a> Body<'a> {
    pub(crate) fn new(parameters: Vec<Parameter>, symbols: &'a Symbols) -> Self {
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

    /// Parses everything up to the closing brace of the body.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
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

    /// Parses a declaration such as `.reg .b32 %r<10>;` or `.reg .u32 low, high;`.
    fn declare(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
        let kind = reader.next()?;
        let class = match kind.token {
            ".pred" => Class::Bit,
            other => match type_bytes(other) {
                // Values of 16 bits are held in words.
                Some(2 | 4) => Class::Word,
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

    fn register(&self, placed: PlacedToken<'_>, class: Class) -> Result<Reg, TextError> {
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

    /// The register that holds a preset value from the start.
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
        name: PlacedToken<'_>,
        guard: Option<(Reg, bool)>,
    ) -> Result<(), TextError> {
        let line = name.line;
        let refuse = || TextError::Instruction { line, name: name.token.to_owned() };
        let mut instruction = Instruction {
            operation: Operation::Fence,
            guard,
            to: Vec::new(),
            from: Vec::new(),
            offset: 0,
            target: 0,
            line,
        };
        instruction.operation = match (name.token, special_clock(reader)) {
            ("mov.u64", true) => Operation::Clock,
            ("mov.b64", _) if reader.peek() == "{" => Operation::Unpack,
            ("mov.b64", _) if reader.tokens.get(reader.at + 2).is_some_and(|placed| placed.token == "{") => {
                Operation::Pack
            }
            _ => operation(name.token).ok_or_else(refuse)?,
        };
        match instruction.operation {
            Operation::Branch => {
                self.jumps.push((self.instructions.len(), reader.next()?.token.to_owned(), line));
            }
            Operation::Barrier => {
                let next = reader.next()?;
                if next.token != "0" {
                    return Err(reader.unexpected(next, "barrier 0"));
                }
            }
            Operation::Load(access) => {
                self.values(reader, &mut instruction, true)?;
                reader.expect(",")?;
                self.address(reader, &mut instruction, access.space)?;
            }
            Operation::Store(access) => {
                self.address(reader, &mut instruction, access.space)?;
                reader.expect(",")?;
                self.values(reader, &mut instruction, false)?;
            }
            Operation::AtomicAdd(atomic) => {
                if atomic.returns {
                    instruction.to.push(self.register(reader.next()?, Class::Word)?);
                    reader.expect(",")?;
                }
                self.address(reader, &mut instruction, atomic.space)?;
                reader.expect(",")?;
                match self.operand(reader, Class::Word)? {
                    Operand::Reg(reg) => instruction.from.push(reg),
                    Operand::Value(value) => {
                        let term = self.preset(Class::Word, Preset::Constant(value));
                        instruction.from.push(term);
                    }
                    Operand::Pair(..) => return Err(refuse()),
                }
            }
            Operation::Multiply(tile) => {
                let (to, from) = instruction.operation.shape();
                let mut classes = to.into_iter().chain(from);
                for (at, count) in tile.groups().into_iter().enumerate() {
                    if at > 0 {
                        reader.expect(",")?;
                    }
                    let list = if at == 0 { &mut instruction.to } else { &mut instruction.from };
                    reader.expect("{")?;
                    for (nth, class) in classes.by_ref().take(count).enumerate() {
                        if nth > 0 {
                            reader.expect(",")?;
                        }
                        list.push(self.register(reader.next()?, class)?);
                    }
                    reader.expect("}")?;
                }
            }
            _ => self.operands(reader, &mut instruction)?,
        }
        reader.expect(";")?;
        self.instructions.push(instruction);
        Ok(())
    }

    /// Parses the operands of an arithmetic instruction: destinations, then sources.
    fn operands(&mut self, reader: &mut Reader<'_>, instruction: &mut Instruction) -> Result<(), TextError> {
        let (to, from) = instruction.operation.shape();
        if let Operation::Clock = instruction.operation {
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
            // A nonzero constant as a predicate is true.
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

    /// Parses the registers of a load or store: one, or several in braces.
    fn values(
        &mut self,
        reader: &mut Reader<'_>,
        instruction: &mut Instruction,
        load: bool,
    ) -> Result<(), TextError> {
        let (Operation::Load(access) | Operation::Store(access)) = instruction.operation else {
            return Ok(());
        };
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

    /// Parses `[base+offset]`, where the base is a register, an array in shared memory, or a parameter.
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

/// Whether the second operand is a clock register.
fn special_clock(reader: &Reader<'_>) -> bool {
    let source = reader.tokens.get(reader.at + 2).map_or("", |placed| placed.token);
    matches!(source, "%clock64" | "%globaltimer")
}

/// The special register with this name.
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
