//! The assembler, which turns a text with two sections into an image.
//!
//! A line is empty, a directive, a label, an instruction, or a label followed by an instruction or a directive; `;` begins a
//! comment. `.l1` and `.l2` choose the memory, `.org N` continues at address N, and `.word N, …` places words as they stand.
//! The two memories have separate labels: `pair_op` refers to labels of L2, the branches to labels of L1.

use super::error::{AsmError, IsaError};
use super::format::{CHANNELS, DIRECTIONS, FIELDS, GROUPS, L2_FORMAT, L2Holds, Part, TABLES};
use super::image::{Image, MEMORY_WORDS, is_label};
use super::inst::{Channel, FwdPath, L1, L2, Loc, Operand};
use super::lex::{Line, Token, number};
use super::rows::{L1Row, L2Row, Value};
use super::spell;
use std::collections::BTreeMap;

/// Assembles a program.
///
/// # Errors
/// The first error, with its line and column.
pub fn assemble(text: &str) -> Result<Image, AsmError> {
    let mut assembler = Assembler::default();
    for (index, line) in text.lines().enumerate() {
        assembler.line(&mut Line::cut(index + 1, line)?)?;
    }
    assembler.link()
}

/// The contents of a memory while it is being filled.
struct Section {
    level: &'static str,
    words: Vec<u32>,
    /// Address of each label, with the line and column of its definition.
    labels: BTreeMap<String, (u16, usize, usize)>,
}

impl Section {
    fn labels(self) -> BTreeMap<String, u16> {
        self.labels.into_iter().map(|(label, (address, ..))| (label, address)).collect()
    }
}

/// An L1 word that waits for the address of a label.
struct Fixup {
    word: usize,
    instruction: L1,
    part: Part,
    label: String,
    line: usize,
    column: usize,
}

struct Assembler {
    l1: Section,
    l2: Section,
    /// Whether instructions go to the L2 section; `None` before the first section.
    into_l2: Option<bool>,
    fixups: Vec<Fixup>,
}

impl Default for Assembler {
    fn default() -> Self {
        let section = |level| Section { level, words: Vec::new(), labels: BTreeMap::new() };
        Self { l1: section("L1"), l2: section("L2"), into_l2: None, fixups: Vec::new() }
    }
}

impl Assembler {
    fn line(&mut self, line: &mut Line<'_>) -> Result<(), AsmError> {
        if let (Some(Token::Name(label)), Some(Token::Colon)) = (line.peek(0), line.peek(1)) {
            self.label(line, label)?;
        }
        let column = line.column();
        match line.peek(0) {
            None => Ok(()),
            Some(Token::Name(name)) if name.starts_with('.') => self.directive(line),
            _ => {
                let name = line.name("an instruction, a label or a directive")?;
                let word = if self.is_l2(line, column)? {
                    l2(line, column, name)?
                } else {
                    self.l1(line, column, name)?
                };
                line.finish()?;
                self.push(line, column, word)
            }
        }
    }

    fn is_l2(&self, line: &Line<'_>, column: usize) -> Result<bool, AsmError> {
        self.into_l2.map_or_else(|| line.at(column, IsaError::NoSection), Ok)
    }

    fn section(&mut self, line: &Line<'_>, column: usize) -> Result<&mut Section, AsmError> {
        Ok(if self.is_l2(line, column)? { &mut self.l2 } else { &mut self.l1 })
    }

    fn push(&mut self, line: &Line<'_>, column: usize, word: u32) -> Result<(), AsmError> {
        let section = self.section(line, column)?;
        if section.words.len() == MEMORY_WORDS {
            return line.at(column, IsaError::Full { level: section.level });
        }
        section.words.push(word);
        Ok(())
    }

    fn label(&mut self, line: &mut Line<'_>, label: &str) -> Result<(), AsmError> {
        let (number, column) = (line.number(), line.column());
        let section = self.section(line, column)?;
        if !is_label(label) {
            return line.at(column, IsaError::LabelName(label.to_owned()));
        }
        if let Some((_, first, _)) = section.labels.get(label) {
            return line.at(column, IsaError::LabelTwice { label: label.to_owned(), line: *first });
        }
        // The address is at most 1,024, which names no word and is refused at the end.
        let address = section.words.len() as u16;
        section.labels.insert(label.to_owned(), (address, number, column));
        line.eat(Token::Name(label));
        line.eat(Token::Colon);
        Ok(())
    }

    fn directive(&mut self, line: &mut Line<'_>) -> Result<(), AsmError> {
        let column = line.column();
        match line.name("a directive")? {
            ".l1" => self.into_l2 = Some(false),
            ".l2" => self.into_l2 = Some(true),
            ".org" => {
                let section = self.section(line, column)?;
                let column = line.column();
                let to = line.value("an address")?;
                let at = section.words.len();
                match usize::try_from(to) {
                    Ok(to) if to > MEMORY_WORDS => {
                        return line.at(column, IsaError::Full { level: section.level });
                    }
                    Ok(to) if to >= at => section.words.resize(to, 0),
                    _ => return line.at(column, IsaError::Origin { to, at }),
                }
            }
            ".word" => loop {
                let column = line.column();
                let word = line.value("a word")?;
                self.push(line, column, word)?;
                if !line.eat(Token::Comma) {
                    break;
                }
            },
            other => return line.at(column, IsaError::Directive(other.to_owned())),
        }
        line.finish()
    }

    /// Reads an L1 instruction after its mnemonic. Labels are known only after the last line: until then an instruction that
    /// names a label holds address 0.
    fn l1(&mut self, line: &mut Line<'_>, column: usize, name: &str) -> Result<u32, AsmError> {
        let Some(row) = L1Row::named(name) else {
            return line.at(column, IsaError::Mnemonic { level: "L1", name: name.to_owned() });
        };
        let mut instruction = row.blank;
        let mut waits = None;
        for (index, Value { field, part, min, max }) in row.values().enumerate() {
            if index > 0 {
                line.comma()?;
            }
            let column = line.column();
            let is_address = matches!(part, Part::Target | Part::Routine);
            if let (true, Some(Token::Name(label))) = (is_address, line.peek(0)) {
                line.eat(Token::Name(label));
                waits = Some((part, label, column));
                continue;
            }
            let value = part_value(line, part)?;
            if !(min..=max).contains(&value) {
                return line.at(column, IsaError::Range { mnemonic: row.mnemonic, field, value, min, max });
            }
            instruction.set_part(part, value);
        }
        if let Some((part, label, column)) = waits {
            let (word, label, line) = (self.l1.words.len(), label.to_owned(), line.number());
            self.fixups.push(Fixup { word, instruction, part, label, line, column });
        }
        instruction.encode().or_else(|why| line.at(column, why))
    }

    /// Fills in the addresses of labels and builds the image.
    fn link(mut self) -> Result<Image, AsmError> {
        for fixup in self.fixups {
            let Fixup { word, mut instruction, part, label, line, column } = fixup;
            let fail = |why| AsmError { line, column, why };
            let section = if part == Part::Routine { &self.l2 } else { &self.l1 };
            let Some((address, ..)) = section.labels.get(&label) else {
                return Err(fail(IsaError::LabelMissing { level: section.level, label }));
            };
            instruction.set_part(part, (*address).into());
            self.l1.words[word] = instruction.encode().map_err(fail)?;
        }
        for section in [&self.l1, &self.l2] {
            for (label, &(address, line, column)) in &section.labels {
                if usize::from(address) >= section.words.len() {
                    return Err(AsmError { line, column, why: IsaError::LabelEnd(label.clone()) });
                }
            }
        }
        let (l1, l2) = (std::mem::take(&mut self.l1.words), std::mem::take(&mut self.l2.words));
        Ok(Image { l1, l2, l1_labels: self.l1.labels(), l2_labels: self.l2.labels() })
    }
}

/// Reads a value of an L1 instruction, as the number that its field encodes.
fn part_value(line: &mut Line<'_>, part: Part) -> Result<u32, AsmError> {
    let named = |line: &mut Line<'_>, names: &[&str], what| {
        let index = match line.peek(0) {
            Some(Token::Name(name)) => names.iter().position(|known| *known == name),
            _ => None,
        };
        match index {
            Some(index) => line.name(what).map(|_| index as u32),
            None => line.expected(what),
        }
    };
    let numbered = |line: &mut Line<'_>, letter: char, what| {
        let value = match line.peek(0) {
            Some(Token::Name(name)) => name.strip_prefix(letter).and_then(decimal),
            _ => None,
        };
        match value {
            Some(value) => line.name(what).map(|_| value),
            None => line.expected(what),
        }
    };
    match part {
        Part::Length => line.value("a length"),
        Part::Src => line.value("a set of banks, 0 or 1"),
        Part::Count => line.value("a number of times"),
        Part::Target | Part::Routine => line.value("a label or an address"),
        Part::Direction => named(line, &DIRECTIONS.map(|(_, name)| name), "`in` or `out`"),
        Part::Field => named(line, &FIELDS.map(|(_, name)| name), "`fq` or `fr`"),
        Part::Tables => named(line, &TABLES.map(|(_, name)| name), "`shared` or `own`"),
        Part::Group => named(line, &GROUPS.map(|(_, name)| name), "`g1` or `g2`"),
        Part::Global => numbered(line, 'g', "a row of the global bank, `g0` to `g255`"),
        Part::Stream => numbered(line, 's', "a stream, `s0` to `s255`"),
        Part::Batch => {
            const WHAT: &str = "a batch, `x1`, `x2`, `x4` up to `x32`";
            let batch = match line.peek(0) {
                Some(Token::Name(name)) => name.strip_prefix('x').and_then(decimal),
                _ => None,
            };
            match batch.filter(|batch| batch.is_power_of_two()) {
                Some(batch) => line.name(WHAT).map(|_| batch.trailing_zeros()),
                None => line.expected(WHAT),
            }
        }
        Part::Local => location(line, "a row of a bank, `b0.0` to `b2.31`").map(|loc| loc.address().into()),
    }
}

/// Parses a number of decimal digits, without a sign or a prefix.
fn decimal(text: &str) -> Option<u32> {
    number(text).filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a row of a bank, spelled as in `b1.5`.
fn location(line: &mut Line<'_>, what: &'static str) -> Result<Loc, AsmError> {
    let read = |name: &str| {
        let (bank, row) = name.strip_prefix('b')?.split_once('.')?;
        let (bank, row) = (decimal(bank)?, decimal(row)?);
        (bank < 3 && row < 32).then_some(Loc { bank: bank as u8, row: row as u8 })
    };
    let loc = match line.peek(0) {
        Some(Token::Name(name)) => read(name),
        _ => None,
    };
    match loc {
        Some(loc) => line.name(what).map(|_| loc),
        None => line.expected(what),
    }
}

/// Reads an L2 instruction after its mnemonic.
fn l2(line: &mut Line<'_>, column: usize, name: &str) -> Result<u32, AsmError> {
    let Some(row) = L2Row::named(name) else {
        return line.at(column, IsaError::Mnemonic { level: "L2", name: name.to_owned() });
    };
    let mut instruction = L2 { op: row.op, ..L2::NOP };
    if row.channel.is_some() && !line.eat(Token::Name(spell::NOWHERE)) {
        instruction.dst = Some(location(line, "a destination, `b0.0` to `b2.31` or `_`")?);
    }
    for slot in instruction.src.iter_mut().take(row.operands) {
        line.comma()?;
        let column = line.column();
        let Some(channel) = forwarding(line) else {
            *slot =
                Some(Operand::Row(location(line, "an operand: `b0.0` to `b2.31`, or `mm:1`, `arith:2`, …")?));
            continue;
        };
        let path = path(line, row.mnemonic)?;
        if instruction.path.is_some_and(|other| other != path) {
            return line.at(column, IsaError::TwoPaths { mnemonic: row.mnemonic });
        }
        instruction.path = Some(path);
        *slot = Some(Operand::Forward(channel));
    }
    instruction.with_next = line.eat(Token::Bars);
    instruction.last = line.eat(Token::Name(spell::LAST));
    if line.peek(0).is_some() {
        return line.expected("`||`, `last` or the end of the line");
    }
    instruction.encode().or_else(|why| line.at(column, why))
}

/// Reads `mm:`, `arith:` or `inv:`, if the line continues with it.
fn forwarding(line: &mut Line<'_>) -> Option<Channel> {
    let (Some(Token::Name(name)), Some(Token::Colon)) = (line.peek(0), line.peek(1)) else { return None };
    let (channel, name) = CHANNELS.into_iter().find(|(_, known)| *known == name)?;
    line.eat(Token::Name(name));
    line.eat(Token::Colon);
    Some(channel)
}

/// Reads the number of a forwarding path.
fn path(line: &mut Line<'_>, mnemonic: &'static str) -> Result<FwdPath, AsmError> {
    let column = line.column();
    match line.value("a forwarding path, 1 or 2")? {
        1 => Ok(FwdPath::One),
        2 => Ok(FwdPath::Two),
        value => {
            let field = L2_FORMAT.iter().find(|f| f.holds == L2Holds::Path).map_or("", |f| f.name);
            line.at(column, IsaError::Range { mnemonic, field, value, min: 1, max: 2 })
        }
    }
}
