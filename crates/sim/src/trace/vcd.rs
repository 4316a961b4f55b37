//! Waveforms: value change dumps (IEEE 1364-2005 §18), which GTKWave and its kin open.

use std::io;

/// A value change dump under construction: signals in scopes, and their changes over cycles.
///
/// Changes may arrive in any order of signals, but their cycles must not decrease. A value equal to the last one of the
/// signal is not recorded as a change.
#[derive(Clone, Default, Debug)]
pub struct Vcd {
    /// The name of the time unit, if it is not a cycle.
    unit: Option<&'static str>,
    signals: Vec<Declared>,
    /// (cycle, signal, offset of the value's words, or [`UNKNOWN`]); a value has as many words as its signal's width
    /// needs.
    changes: Vec<(u64, u32, u32)>,
    words: Vec<u64>,
}

/// The offset that marks an unknown value.
const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Declared {
    scope: String,
    name: String,
    bits: u32,
    /// The last change: its cycle and the offset of its words.
    last: Option<(u64, usize)>,
}

impl Declared {
    fn words(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }
}

/// A signal, made by [`Vcd::signal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal(u32);

impl Vcd {
    /// A dump without signals.
    pub fn new() -> Self {
        Self::default()
    }

    /// A dump without signals whose time unit is not a cycle; the first line of the file names `unit`.
    pub fn in_units_of(unit: &'static str) -> Self {
        Self { unit: Some(unit), ..Self::default() }
    }

    /// Adds a signal of `bits` bits (at least one) to a scope; dots in the scope's name separate nested scopes. The
    /// signal is unknown until it is first set.
    pub fn signal(&mut self, scope: &str, name: &str, bits: u32) -> Signal {
        self.signals.push(Declared {
            scope: scope.to_owned(),
            name: name.to_owned(),
            bits: bits.max(1),
            last: None,
        });
        Signal(self.signals.len() as u32 - 1)
    }

    /// Sets the value of a signal from `cycle` on: little-endian words; missing words are zero, excess bits are
    /// dropped. A second value in the same cycle replaces the first.
    pub fn set(&mut self, signal: Signal, cycle: u64, value: &[u64]) {
        let declared = &mut self.signals[signal.0 as usize];
        let n = declared.words();
        let word = |i: usize| value.get(i).copied().unwrap_or(0);
        if let Some((last_cycle, at)) = declared.last {
            if (0..n).all(|i| self.words[at + i] == word(i)) {
                return;
            }
            if last_cycle == cycle {
                (0..n).for_each(|i| self.words[at + i] = word(i));
                return;
            }
        }
        let at = self.words.len();
        self.words.extend((0..n).map(word));
        declared.last = Some((cycle, at));
        self.changes.push((cycle, signal.0, at as u32));
    }

    /// Marks the value of a signal as unknown from `cycle` on.
    pub fn unknown(&mut self, signal: Signal, cycle: u64) {
        if self.signals[signal.0 as usize].last.take().is_some() {
            self.changes.push((cycle, signal.0, UNKNOWN));
        }
    }

    /// Sets the value of a signal of at most 64 bits from `cycle` on.
    pub fn set_word(&mut self, signal: Signal, cycle: u64, value: u64) {
        self.set(signal, cycle, &[value]);
    }

    /// Writes the file; a cycle is written as a nanosecond.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write(&self, mut out: impl io::Write) -> io::Result<()> {
        let unit = self.unit.unwrap_or("a cycle");
        writeln!(out, "$comment A time unit is {unit}. $end\n$timescale 1 ns $end")?;
        let path = |i: usize| self.signals[i].scope.split('.');
        let mut order: Vec<usize> = (0..self.signals.len()).collect();
        order.sort_by(|a, b| path(*a).cmp(path(*b)));
        let mut open: Vec<&str> = Vec::new();
        for i in order {
            let signal = &self.signals[i];
            let same = path(i).zip(&open).take_while(|(new, old)| new == *old).count();
            for _ in open.drain(same..) {
                writeln!(out, "$upscope $end")?;
            }
            for scope in path(i).skip(same) {
                writeln!(out, "$scope module {scope} $end")?;
                open.push(scope);
            }
            let range = if signal.bits > 1 { format!(" [{}:0]", signal.bits - 1) } else { String::new() };
            writeln!(out, "$var wire {} {} {}{range} $end", signal.bits, code(i as u32), signal.name)?;
        }
        for _ in open {
            writeln!(out, "$upscope $end")?;
        }
        writeln!(out, "$enddefinitions $end")?;
        let mut now = None;
        for &(cycle, signal, at) in &self.changes {
            if now != Some(cycle) {
                writeln!(out, "#{cycle}")?;
                now = Some(cycle);
            }
            let declared = &self.signals[signal as usize];
            if at == UNKNOWN {
                let space = if declared.bits == 1 { "x" } else { "bx " };
                writeln!(out, "{space}{}", code(signal))?;
                continue;
            }
            let value = &self.words[at as usize..at as usize + declared.words()];
            if declared.bits == 1 {
                writeln!(out, "{}{}", value[0] & 1, code(signal))?;
            } else {
                writeln!(out, "b{} {}", binary(value, declared.bits), code(signal))?;
            }
        }
        Ok(())
    }
}

/// The short identifier of a signal: printable ASCII, base 94.
fn code(mut signal: u32) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'!' + (signal % 94) as u8));
        signal /= 94;
        if signal == 0 {
            return text;
        }
        signal -= 1;
    }
}

/// The low `bits` bits without leading zeros.
fn binary(value: &[u64], bits: u32) -> String {
    let bit = |i: u32| value[(i / 64) as usize] >> (i % 64) & 1 == 1;
    let top = (1..bits).rev().find(|&i| bit(i)).unwrap_or(0);
    (0..=top).rev().map(|i| if bit(i) { '1' } else { '0' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_small_dump_is_this_text() {
        let mut vcd = Vcd::new();
        let busy = vcd.signal("core.mm", "busy", 1);
        let pc = vcd.signal("core", "pc", 10);
        let data = vcd.signal("core.mm", "data", 70);
        vcd.set_word(busy, 0, 0);
        vcd.set_word(pc, 0, 5);
        vcd.set_word(busy, 2, 1);
        vcd.set_word(pc, 2, 5);
        vcd.set(data, 2, &[1, 1]);
        vcd.set(data, 2, &[0, 2]);
        vcd.set_word(busy, 9, 0);
        vcd.unknown(data, 9);
        vcd.unknown(data, 10);
        let mut text = Vec::new();
        vcd.write(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), include_str!("golden/wave.vcd"));
    }

    #[test]
    fn short_names_are_distinct_and_printable() {
        let codes: BTreeSet<String> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
        assert!(codes.iter().all(|c| c.bytes().all(|b| b.is_ascii_graphic())));
    }
}
