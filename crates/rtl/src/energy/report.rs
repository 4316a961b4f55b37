//! The energy of a block, as a kept file and as a table.

use crate::synth::EQUAL;
use pairwright_sim::cells::{Choice, Count, Operation, SwitchingEnergy};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Net transitions in a cycle, and their energies.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Switching {
    /// Transitions of nets.
    pub toggles: f64,
    /// Transitions, each weighted by the number of pins that its net drives.
    pub driven: f64,
    /// Energy of charging input pins, in femtojoules.
    pub pins_fj: f64,
    /// Energy of charging wires with the library's lengths by fan-out, in femtojoules, if the library has them.
    pub short_wires_fj: Option<f64>,
    /// Internal energy of cells, in femtojoules, if the library has it.
    pub internal_fj: Option<f64>,
}

/// The energy of a block in a library's cells, at the library's supply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Energy {
    /// Name of the block.
    pub block: String,
    /// Name of the library.
    pub library: String,
    /// The supply in volts.
    pub volts: f64,
    /// Number of cells.
    pub cells: u64,
    /// Flip-flops among them.
    pub registers: u64,
    /// Cell area in µm², without wires.
    pub area_um2: f64,
    /// Area of the library's two-input NAND gate in µm².
    pub nand2_um2: f64,
    /// Its longest path in picoseconds, taken as the cycle time for leakage.
    pub path_ps: f64,
    /// Cycles from one operation to the next at full rate.
    pub interval: u32,
    /// Cycles of the count without delays, in each of 64 lanes.
    pub cycles: u64,
    /// Cycles of the count with delays.
    pub delayed_cycles: u64,
    /// Results that the model and an independent computation confirmed.
    pub confirmed: u64,
    /// A cycle without delays, in which every net changes at most once.
    pub settled: Switching,
    /// A cycle with delays, in which gates swallow pulses shorter than their own delay.
    pub swallowed: Switching,
    /// A cycle with delays, in which gates pass every pulse on.
    pub passed: Switching,
    /// Energy of charging the clock pins, in femtojoules per cycle.
    pub clock_pins_fj: f64,
    /// Internal energy of flip-flops whose state does not change, in femtojoules per cycle.
    pub clock_internal_fj: Option<f64>,
    /// Leakage power in nanowatts.
    pub leakage_nw: Option<f64>,
    /// Duration of the count in seconds; not compared.
    pub seconds: f64,
}

impl Energy {
    /// The energy of an operation with these parameter values; `None` if the library has no power data.
    pub fn operation(&self, choice: &Choice) -> Option<Operation> {
        Some(self.count()?.operation(choice))
    }

    /// The data that the machine models use; `None` if the library has no power data.
    fn count(&self) -> Option<Count> {
        let switched = |switching: &Switching| {
            let internal_fj = switching.internal_fj?;
            Some(SwitchingEnergy { driven: switching.driven, pins_fj: switching.pins_fj, internal_fj })
        };
        Some(Count {
            cells: self.cells,
            registers: self.registers,
            interval: self.interval,
            volts: self.volts,
            area_um2: self.area_um2,
            nand2_um2: self.nand2_um2,
            clock_pins_fj: self.clock_pins_fj,
            clock_internal_fj: self.clock_internal_fj?,
            leakage_nw: self.leakage_nw?,
            path_ps: self.path_ps,
            switched: [switched(&self.settled)?, switched(&self.swallowed)?, switched(&self.passed)?],
        })
    }

    /// Transitions with delays and swallowed short pulses, relative to those without delays.
    pub fn glitches(&self) -> f64 {
        self.swallowed.toggles / self.settled.toggles
    }

    /// A description of the first difference from a kept result, apart from the duration. Quantities without library
    /// data are not compared: the repository's library has no power data, so only transitions and charges of pins are
    /// compared with it.
    pub fn difference(&self, kept: &Self) -> Option<String> {
        let mut pairs = vec![
            ("volts", Some(self.volts), Some(kept.volts)),
            ("cells", Some(self.cells as f64), Some(kept.cells as f64)),
            ("registers", Some(self.registers as f64), Some(kept.registers as f64)),
            ("area_um2", Some(self.area_um2), Some(kept.area_um2)),
            ("nand2_um2", Some(self.nand2_um2), Some(kept.nand2_um2)),
            ("path_ps", Some(self.path_ps), Some(kept.path_ps)),
            ("interval", Some(f64::from(self.interval)), Some(f64::from(kept.interval))),
            ("cycles", Some(self.cycles as f64), Some(kept.cycles as f64)),
            ("delayed_cycles", Some(self.delayed_cycles as f64), Some(kept.delayed_cycles as f64)),
            ("confirmed", Some(self.confirmed as f64), Some(kept.confirmed as f64)),
            ("clock_pins_fj", Some(self.clock_pins_fj), Some(kept.clock_pins_fj)),
            ("clock_internal_fj", self.clock_internal_fj, kept.clock_internal_fj),
            ("leakage_nw", self.leakage_nw, kept.leakage_nw),
        ];
        for (now, kept) in
            [(&self.settled, &kept.settled), (&self.swallowed, &kept.swallowed), (&self.passed, &kept.passed)]
        {
            pairs.extend([
                ("toggles", Some(now.toggles), Some(kept.toggles)),
                ("driven", Some(now.driven), Some(kept.driven)),
                ("pins_fj", Some(now.pins_fj), Some(kept.pins_fj)),
                ("short_wires_fj", now.short_wires_fj, kept.short_wires_fj),
                ("internal_fj", now.internal_fj, kept.internal_fj),
            ]);
        }
        if (&self.block, &self.library) != (&kept.block, &kept.library) {
            return Some(format!("it is of {} in {}", kept.block, kept.library));
        }
        pairs.into_iter().find_map(|(name, now, kept)| {
            let now = now?;
            match kept {
                None => Some(format!("{name} is not there")),
                Some(kept) if (now - kept).abs() > EQUAL * kept.abs() => {
                    Some(format!("{name} was {kept} and is {now}"))
                }
                Some(_) => None,
            }
        })
    }

    /// The same result with numbers rounded to seven digits.
    pub(super) fn rounded(mut self) -> Self {
        let digits = |value: &mut f64| *value = format!("{value:.6e}").parse().unwrap_or(*value);
        for switching in [&mut self.settled, &mut self.swallowed, &mut self.passed] {
            [&mut switching.toggles, &mut switching.driven, &mut switching.pins_fj]
                .into_iter()
                .for_each(digits);
            switching.short_wires_fj.iter_mut().for_each(digits);
            switching.internal_fj.iter_mut().for_each(digits);
        }
        [&mut self.clock_pins_fj, &mut self.area_um2, &mut self.path_ps].into_iter().for_each(digits);
        self.clock_internal_fj.iter_mut().for_each(digits);
        self.leakage_nw.iter_mut().for_each(digits);
        self.seconds = (self.seconds * 10.0).round() / 10.0;
        self
    }
}

/// Energies as rows of a Markdown table: picojoules of an operation, with its range.
pub fn energy_table(energies: &[Energy]) -> String {
    let mut text = String::from(
        "| block | library | V | changes a cycle | with delays | an operation, pJ | data | clock | leakage | least to most |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for e in energies {
        let _ = write!(
            text,
            "| `{}` | {} | {} | {:.0} | {:.2} times, at most {:.2} |",
            e.block,
            e.library,
            e.volts,
            e.settled.toggles,
            e.glitches(),
            e.passed.toggles / e.settled.toggles,
        );
        let ends = [Choice::LEAST, Choice::MIDDLE, Choice::MOST].map(|choice| e.operation(&choice));
        let _ = match ends {
            [Some(least), Some(middle), Some(most)] => writeln!(
                text,
                " {} | {} | {} | {} | {} to {} |",
                pj(middle.sum_fj()),
                pj(middle.data_fj),
                pj(middle.clock_fj),
                pj(middle.leakage_fj),
                pj(least.sum_fj()),
                pj(most.sum_fj())
            ),
            _ => writeln!(text, " | | | | |"),
        };
    }
    text
}

/// Femtojoules converted to picojoules, with three digits.
fn pj(fj: f64) -> String {
    let pj = fj / 1000.0;
    let digits = if pj > 0.0 { (2 - pj.log10().floor() as i32).clamp(0, 6) } else { 0 };
    format!("{pj:.*}", digits as usize)
}
