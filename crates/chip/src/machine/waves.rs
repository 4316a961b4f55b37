//! Waveforms of runs in VCD.

use super::processor::{Class, Issue, Probe, RowDigits, Snapshot};
use crate::isa::{Channel, Loc};
use pairwright_sim::trace::{Signal, Vcd};

/// Signals of a channel.
#[derive(Clone, Copy, Debug)]
struct ChannelSignals {
    issue: Signal,
    write: Signal,
    bank: Signal,
    row: Signal,
    data: Signal,
}

/// A probe that dumps a run as waveforms: the state of control, the instructions that issue, and every written row with its
/// residues.
///
/// `class` is 0 dispatch, 1 fill, 2 issue, 3 inversion, 4 drain, 5 switch. `data` is the row as it is written to the bank:
/// the coefficient of `u` in the upper half, both in Montgomery form.
#[derive(Clone, Debug)]
pub struct Waves {
    vcd: Vcd,
    class: Signal,
    l1_pc: Signal,
    l2_pc: Signal,
    in_flight: Signal,
    channels: [ChannelSignals; 3],
    /// The channels that issued, and those that wrote, since the last cycle that was dumped.
    issued: [bool; 3],
    wrote: [bool; 3],
}

impl Default for Waves {
    fn default() -> Self {
        Self::new()
    }
}

impl Waves {
    /// An empty dump with its signals declared.
    pub fn new() -> Self {
        let mut vcd = Vcd::new();
        let class = vcd.signal("control", "class", 3);
        let l1_pc = vcd.signal("control", "l1_pc", 10);
        let l2_pc = vcd.signal("control", "l2_pc", 10);
        let in_flight = vcd.signal("mm", "in_flight", 7);
        let channels = ["mm", "arith", "inv"].map(|scope| ChannelSignals {
            issue: vcd.signal(scope, "issue", 1),
            write: vcd.signal(scope, "write", 1),
            bank: vcd.signal(scope, "bank", 2),
            row: vcd.signal(scope, "row", 5),
            data: vcd.signal(scope, "data", 768),
        });
        Self { vcd, class, l1_pc, l2_pc, in_flight, channels, issued: [false; 3], wrote: [false; 3] }
    }

    /// The dump so far.
    pub fn vcd(&self) -> &Vcd {
        &self.vcd
    }
}

impl Probe for Waves {
    fn issue(&mut self, issue: &Issue<'_>) {
        self.issued[issue.channel as usize] = true;
    }

    fn result(&mut self, cycle: u64, channel: Channel, to: Option<Loc>, value: &RowDigits) {
        let Some(to) = to else { return };
        let signals = self.channels[channel as usize];
        self.vcd.set_word(signals.bank, cycle, to.bank.into());
        self.vcd.set_word(signals.row, cycle, to.row.into());
        self.vcd.set(signals.data, cycle, value);
        self.wrote[channel as usize] = true;
    }

    fn cycle(&mut self, now: &Snapshot) {
        let class = match now.class {
            Class::Dispatch => 0,
            Class::Fill => 1,
            Class::Issue => 2,
            Class::Inversion => 3,
            Class::Drain => 4,
            Class::Switch => 5,
        };
        let cycle = now.cycle;
        self.vcd.set_word(self.class, cycle, class);
        self.vcd.set_word(self.l1_pc, cycle, now.l1_pc.into());
        if let Some(pc) = now.l2_pc {
            self.vcd.set_word(self.l2_pc, cycle, pc.into());
        }
        self.vcd.set_word(self.in_flight, cycle, now.in_flight.into());
        for (k, signals) in self.channels.iter().enumerate() {
            self.vcd.set_word(signals.issue, cycle, u64::from(core::mem::take(&mut self.issued[k])));
            self.vcd.set_word(signals.write, cycle, u64::from(core::mem::take(&mut self.wrote[k])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MachineSpec;
    use crate::isa::{L2, L2Op, Operand};
    use crate::machine::{Datapath, Processor, Row};
    use pairwright_curve::bls12_381::Fq;
    use pairwright_field::Field;

    #[test]
    fn a_write_shows_its_row_and_residue_in_its_cycle() {
        let src = [Some(Operand::Row(Loc::linear(0))), None];
        let to = Loc { bank: 2, row: 5 };
        let neg = L2 { op: L2Op::Neg, src, dst: Some(to), last: true, ..L2::NOP };
        let mut machine =
            Processor::<Fq>::with_instructions(&MachineSpec::paper(), Vec::new(), vec![neg]).unwrap();
        machine.write_local(Loc::linear(0), Row::ONE).unwrap();
        let mut waves = Waves::new();
        machine.call_watched(0, &mut (waves.clone(), ())).unwrap();
        machine.call_watched(0, &mut waves).unwrap();
        let mut text = Vec::new();
        waves.vcd().write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        // Cycles: 0 dispatch, 1 fill, 2 the slot, 3 write-back.
        let (_, last) = text.split_once("#3\n").expect("a change in cycle 3");
        let digits = (-Fq::ONE).digits();
        let bits: String = digits.iter().rev().map(|d| format!("{d:064b}")).collect();
        assert!(last.contains(&format!("b{} ", bits.trim_start_matches('0'))), "{text}");
        assert!(last.contains("b101 ") && last.contains("b10 ") && last.contains("b100 "), "{text}");
        let (before, _) = text.split_once("#2\n").expect("a change in cycle 2");
        assert!(before.contains("$var wire 768 ") && !before.contains(bits.trim_start_matches('0')));
    }
}
