//! Encoding of instructions to words and decoding back, by the formats of [`super::format`] and the opcodes of
//! [`super::rows`].

use super::error::IsaError;
use super::format::{
    BitField, CHANNELS, DIRECTIONS, FIELDS, GROUPS, L1Holds, L2_FORMAT, L2Holds, NOWHERE, Part, TABLES,
};
use super::inst::{Direction, Field, FwdPath, Group, L1, L2, Loc, Operand, Tables};
use super::rows::{L1Row, L2Row};

/// Number of banks that an operand can name; [`ROWS`] is the number of rows of a bank.
const BANKS: u32 = 3;
const ROWS: u32 = 32;

/// The fields of a word with their raw values, from the most significant on.
fn unpack<H>(format: &[BitField<H>], word: u32) -> impl Iterator<Item = (&BitField<H>, u32)> {
    let mut low = u32::BITS;
    format.iter().map(move |field| {
        low -= field.bits;
        (field, word >> low & ((1 << field.bits) - 1))
    })
}

/// Assembles a word from the raw values of its fields.
fn pack<H>(
    format: &[BitField<H>],
    value: impl Fn(&BitField<H>) -> Result<u32, IsaError>,
) -> Result<u32, IsaError> {
    format.iter().try_fold(0, |word, field| Ok(word << field.bits | value(field)?))
}

fn between(
    mnemonic: &'static str,
    field: &'static str,
    value: u32,
    min: u32,
    max: u32,
) -> Result<u32, IsaError> {
    if (min..=max).contains(&value) {
        Ok(value)
    } else {
        Err(IsaError::Range { mnemonic, field, value, min, max })
    }
}

fn zero(mnemonic: &'static str, field: &'static str, value: u32) -> Result<(), IsaError> {
    if value == 0 { Ok(()) } else { Err(IsaError::Reserved { mnemonic, field, value }) }
}

/// Access to a value of an instruction as a number. Only numbers in the value's range may be set.
pub(super) enum Slot<'a> {
    U8(&'a mut u8),
    U16(&'a mut u16),
    U32(&'a mut u32),
    Direction(&'a mut Direction),
    Field(&'a mut Field),
    Tables(&'a mut Tables),
    Group(&'a mut Group),
}

impl Slot<'_> {
    pub(super) fn get(&self) -> u32 {
        match self {
            Self::U8(v) => u32::from(**v),
            Self::U16(v) => u32::from(**v),
            Self::U32(v) => **v,
            Self::Direction(v) => u32::from(**v != DIRECTIONS[0].0),
            Self::Field(v) => u32::from(**v != FIELDS[0].0),
            Self::Tables(v) => u32::from(**v != TABLES[0].0),
            Self::Group(v) => u32::from(**v != GROUPS[0].0),
        }
    }
    pub(super) fn set(&mut self, value: u32) {
        match self {
            Self::U8(v) => **v = value as u8,
            Self::U16(v) => **v = value as u16,
            Self::U32(v) => **v = value,
            Self::Direction(v) => **v = DIRECTIONS[value as usize].0,
            Self::Field(v) => **v = FIELDS[value as usize].0,
            Self::Tables(v) => **v = TABLES[value as usize].0,
            Self::Group(v) => **v = GROUPS[value as usize].0,
        }
    }
}

impl L1 {
    /// Access to a part of the instruction; `None` if it does not have the part.
    pub(super) fn slot(&mut self, part: Part) -> Option<Slot<'_>> {
        Some(match (part, self) {
            (
                Part::Length,
                Self::SubNtt { length, .. }
                | Self::GenTwiddles { length, .. }
                | Self::Vector { length, .. }
                | Self::MsmOp1 { length, .. }
                | Self::Load { length, .. }
                | Self::Store { length, .. }
                | Self::Switch { rows: length, .. }
                | Self::LoadScan { bits: length, .. },
            ) => Slot::U16(length),
            (
                Part::Src,
                Self::SubNtt { src, .. }
                | Self::GenTwiddles { src, .. }
                | Self::Vector { src, .. }
                | Self::MsmOp1 { src, .. }
                | Self::Load { src, .. }
                | Self::Store { src, .. },
            ) => Slot::U8(src),
            (
                Part::Stream,
                Self::Load { stream, .. } | Self::Store { stream, .. } | Self::GenTwiddles { stream, .. },
            ) => Slot::U8(stream),
            (Part::Batch, Self::SubNtt { batch, .. } | Self::GenTwiddles { batch, .. }) => Slot::U8(batch),
            (Part::Tables, Self::SubNtt { tables, .. }) => Slot::Tables(tables),
            (Part::Group, Self::MsmOp1 { group, .. }) => Slot::Group(group),
            (Part::Direction, Self::Switch { direction, .. }) => Slot::Direction(direction),
            (Part::Global, Self::Switch { global, .. } | Self::LoadScan { global, .. }) => Slot::U8(global),
            (Part::Local, Self::Switch { local, .. }) => Slot::U8(local),
            (Part::Field, Self::SetField { field }) => Slot::Field(field),
            (Part::Routine, Self::PairOp { addr } | Self::PairRepeat { addr, .. }) => Slot::U16(addr),
            (Part::Target, Self::Jump { addr, .. } | Self::Scan { addr, .. } | Self::Loop { addr, .. }) => {
                Slot::U16(addr)
            }
            (Part::Count, Self::Loop { count, .. } | Self::PairRepeat { times: count, .. }) => {
                Slot::U32(count)
            }
            _ => return None,
        })
    }

    /// The number of a part that the row's format names.
    pub(super) fn part(&self, part: Part) -> u32 {
        let mut copy = *self;
        copy.slot(part).expect("a row's format names parts of its instruction: a test asks them all").get()
    }

    pub(super) fn set_part(&mut self, part: Part, value: u32) {
        self.slot(part)
            .expect("a row's format names parts of its instruction: a test asks them all")
            .set(value);
    }

    /// The instruction with all its parts zero.
    pub(super) fn blank(&self) -> Self {
        const ALL: [Part; 13] = [
            Part::Length,
            Part::Src,
            Part::Direction,
            Part::Global,
            Part::Local,
            Part::Field,
            Part::Target,
            Part::Routine,
            Part::Count,
            Part::Stream,
            Part::Batch,
            Part::Tables,
            Part::Group,
        ];
        let mut blank = *self;
        for part in ALL {
            if let Some(mut slot) = blank.slot(part) {
                slot.set(0);
            }
        }
        blank
    }

    /// Encodes the instruction as a 32-bit word.
    ///
    /// # Errors
    /// A value out of its field's range, or a transform whose length is no power of two.
    pub fn encode(&self) -> Result<u32, IsaError> {
        let row = L1Row::of(self);
        pack(row.format, |field| match field.holds {
            L1Holds::Opcode => Ok(row.opcode),
            L1Holds::Value { part, min, max, less } => {
                Ok(between(row.mnemonic, field.name, self.part(part), min, max)? - less)
            }
            L1Holds::Stages => self.stages(row.mnemonic),
            L1Holds::Rounds => Ok(self.rounds()),
            L1Holds::Zero => Ok(0),
        })
    }

    /// The raw value of the stages: log2 of the length.
    fn stages(&self, mnemonic: &'static str) -> Result<u32, IsaError> {
        let length = self.part(Part::Length);
        if length.is_power_of_two() {
            Ok(length.trailing_zeros())
        } else {
            Err(IsaError::PowerOfTwo { mnemonic, length })
        }
    }

    /// The raw value of the rounds: an eighth of the length, less one.
    fn rounds(&self) -> u32 {
        (self.part(Part::Length) / 8).saturating_sub(1)
    }

    /// Decodes a 32-bit word.
    ///
    /// # Errors
    /// An unknown opcode, a field out of range, padding that is not zero, or stages and rounds that contradict the
    /// length.
    pub fn decode(word: u32) -> Result<Self, IsaError> {
        let opcode = word >> 26;
        let row = L1Row::with_opcode(opcode).ok_or(IsaError::Opcode { level: "L1", opcode })?;
        let mnemonic = row.mnemonic;
        let mut instruction = row.blank;
        for (field, raw) in unpack(row.format, word) {
            let agree = |must: u32| {
                if raw == must {
                    Ok(())
                } else {
                    Err(IsaError::Contradiction { mnemonic, field: field.name, value: raw, must })
                }
            };
            match field.holds {
                L1Holds::Opcode => {}
                L1Holds::Value { part, min, max, less } => {
                    instruction.set_part(part, between(mnemonic, field.name, raw + less, min, max)?);
                }
                // The length precedes the fields that follow from it.
                L1Holds::Stages => agree(instruction.stages(mnemonic)?)?,
                L1Holds::Rounds => agree(instruction.rounds())?,
                L1Holds::Zero => zero(mnemonic, field.name, raw)?,
            }
        }
        Ok(instruction)
    }
}

impl L2 {
    /// Encodes the instruction as a 32-bit word.
    ///
    /// # Errors
    /// Operands that the operation does not take, a bank or row out of range, a forwarded operand without a path or a path
    /// without one, a destination of [`super::L2Op::Nop`], and `last` together with `with_next`.
    pub fn encode(&self) -> Result<u32, IsaError> {
        let row = self.op.row();
        let (mnemonic, takes) = (row.mnemonic, row.operands);
        if self.src.iter().enumerate().any(|(index, src)| src.is_some() != (index < takes)) {
            return Err(IsaError::Operands { mnemonic, takes });
        }
        let forwarded = self.src.map(|src| matches!(src, Some(Operand::Forward(_))));
        if self.path.is_some() != (forwarded[0] || forwarded[1]) {
            return Err(IsaError::Path { mnemonic });
        }
        self.check_marks()?;
        pack(&L2_FORMAT, |field| match field.holds {
            L2Holds::Opcode => Ok(row.opcode),
            L2Holds::Bank(index) => match self.src[index] {
                None => Ok(0),
                Some(Operand::Row(loc)) => between(mnemonic, field.name, loc.bank.into(), 0, BANKS - 1),
                Some(Operand::Forward(channel)) => Ok(channel as u32),
            },
            L2Holds::Row(index) => match self.src[index] {
                Some(Operand::Row(loc)) => between(mnemonic, field.name, loc.row.into(), 0, ROWS - 1),
                None | Some(Operand::Forward(_)) => Ok(0),
            },
            L2Holds::ToBank => self
                .dst
                .map_or(Ok(NOWHERE), |loc| between(mnemonic, field.name, loc.bank.into(), 0, BANKS - 1)),
            L2Holds::ToRow => {
                self.dst.map_or(Ok(0), |loc| between(mnemonic, field.name, loc.row.into(), 0, ROWS - 1))
            }
            L2Holds::Path => Ok(match self.path {
                None => 0,
                Some(FwdPath::One) => 1,
                Some(FwdPath::Two) => 2,
            }),
            L2Holds::Forwarded => Ok(match forwarded {
                [true, true] => 2,
                [false, true] => 1,
                _ => 0,
            }),
            L2Holds::Last => Ok(self.last.into()),
            L2Holds::WithNext => Ok(self.with_next.into()),
            L2Holds::Zero => Ok(0),
        })
    }

    /// Checks that `nop` has no destination and that `last` and `with_next` are not both set.
    fn check_marks(&self) -> Result<(), IsaError> {
        let mnemonic = self.op.mnemonic();
        if self.op.channel().is_none() && self.dst.is_some() {
            return Err(IsaError::Destination { mnemonic });
        }
        if self.with_next && self.last {
            return Err(IsaError::LastWithNext { mnemonic });
        }
        Ok(())
    }

    /// Decodes a 32-bit word.
    ///
    /// # Errors
    /// An unknown opcode, a field out of range, a field that is not zero where the operation does not use it, forwarding of
    /// an operand that does not exist, a destination of [`super::L2Op::Nop`], and `last` together with `with_next`.
    pub fn decode(word: u32) -> Result<Self, IsaError> {
        let opcode = word >> 28;
        let row = L2Row::with_opcode(opcode).ok_or(IsaError::Opcode { level: "L2", opcode })?;
        let (op, mnemonic, takes) = (row.op, row.mnemonic, row.operands);
        let get = |holds: L2Holds| {
            unpack(&L2_FORMAT, word)
                .find(|(field, _)| field.holds == holds)
                .map(|(field, raw)| (field.name, raw))
                .expect("the format has every kind of field")
        };
        let flag = |holds| get(holds).1 == 1;

        let (name, path) = get(L2Holds::Path);
        let path = match between(mnemonic, name, path, 0, 2)? {
            0 => None,
            1 => Some(FwdPath::One),
            _ => Some(FwdPath::Two),
        };
        let (name, index) = get(L2Holds::Forwarded);
        let forwarded = match (path, between(mnemonic, name, index, 0, 2)?) {
            (None, _) => {
                zero(mnemonic, name, index)?;
                [false, false]
            }
            (Some(_), 0) if takes >= 1 => [true, false],
            (Some(_), 1) if takes == 2 => [false, true],
            (Some(_), 2) if takes == 2 => [true, true],
            (Some(_), _) => return Err(IsaError::ForwardIndex { mnemonic, index, takes }),
        };

        let mut src = [None; 2];
        for (operand, slot) in src.iter_mut().enumerate() {
            let (bank_name, bank) = get(L2Holds::Bank(operand));
            let (row_name, row) = get(L2Holds::Row(operand));
            if operand >= takes {
                zero(mnemonic, bank_name, bank)?;
                zero(mnemonic, row_name, row)?;
                continue;
            }
            let bank = between(mnemonic, bank_name, bank, 0, BANKS - 1)?;
            *slot = Some(if forwarded[operand] {
                zero(mnemonic, row_name, row)?;
                Operand::Forward(CHANNELS[bank as usize].0)
            } else {
                Operand::Row(Loc { bank: bank as u8, row: row as u8 })
            });
        }
        let (_, bank) = get(L2Holds::ToBank);
        let (name, row) = get(L2Holds::ToRow);
        let dst = if bank == NOWHERE {
            zero(mnemonic, name, row)?;
            None
        } else {
            Some(Loc { bank: bank as u8, row: row as u8 })
        };
        let (name, reserved) = get(L2Holds::Zero);
        zero(mnemonic, name, reserved)?;
        let instruction =
            Self { op, src, dst, path, with_next: flag(L2Holds::WithNext), last: flag(L2Holds::Last) };
        instruction.check_marks()?;
        Ok(instruction)
    }
}
