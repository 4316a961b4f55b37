//! The energy of a block, computed from the transitions of its nets.
//!
//! The mapped block runs at full rate on random operands: in 64 lanes without delays, where every net changes at most
//! once a cycle, and in one lane with the library's delays, where late inputs make nets change more often. The block's
//! model checks every output of all lanes, and both runs must settle on the same values of all nets. [`Energy`] holds
//! the transitions with their energies: input pins of cells, internal energy of cells, the clock, leakage. Quantities
//! that the library does not contain are [`Parameter`]s.

mod delays;
mod events;
mod export;
mod gates;
mod lanes;
mod price;
mod report;

pub use export::Exported;
pub use pairwright_sim::cells::{
    CLOCK_TREE, Choice, FLOOR, Operation, Parameter, Pulses, WIRE, WIRE_FF_PER_UM,
};
pub use report::{Energy, Switching, energy_table};

use crate::Block;
use crate::blocks::BlockEntry;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs};
use crate::synth::{Library, Mapped};
use delays::Delays;
use events::{Events, ShortPulses};
use export::Lane;
use gates::Gates;
use lanes::Lanes;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::path::Path;
use std::time::Instant;

/// The number of parallel lanes.
const LANES: u64 = 64;
/// The simulation effort, in cells times cycles, of a run without delays and of one with delays.
const EFFORT: [u64; 2] = [16_000_000, 2_000_000];
/// The smallest and largest number of cycles of these runs.
const CYCLES: [(u64, u64); 2] = [(16, 480), (4, 240)];

/// Counts the net transitions of a mapped block and computes their energies.
///
/// With `export`, writes the netlist and the changes of one lane without delays into that folder.
///
/// # Errors
/// [`RtlError::Output`] for a block that is not completely mapped or has no path, [`RtlError::Differs`] if an output
/// differs from the model's or both runs settle on different values, [`RtlError::Unjudged`] if no result was confirmed,
/// [`RtlError::File`] for files that cannot be written.
pub fn measure(
    entry: &BlockEntry,
    block: &Block,
    mapped: &Mapped,
    library: &Library,
    export: Option<&Path>,
) -> Result<(Energy, Option<Exported>), RtlError> {
    let start = Instant::now();
    let missing = |missing: &str| RtlError::Output {
        tool: format!("Liberty, library {},", library.name),
        what: block.name.clone(),
        missing: missing.to_owned(),
    };
    let nand2_um2 = library.nand2().ok_or_else(|| missing("NAND gate of two inputs"))?;
    let path_ps = mapped.longest(library).ok_or_else(|| missing("path with delays"))?;
    let gates = Gates::of(block, &mapped.netlists, library)?;
    let delays = Delays::of(&gates, library);
    let readers = gates.readers(&gates.order);
    let cells = gates.cells.len() as u64;
    let interval = u64::from(block.interval);
    let [cycles, delayed_cycles] = [0, 1].map(|k| {
        let (least, most) = CYCLES[k];
        (EFFORT[k] / cells.max(1)).clamp(least, most).next_multiple_of(interval)
    });
    let mut stream = Stream::new(entry, block);
    let mut lanes = Lanes::new(&gates);
    // The pipeline is filled with operands before counting starts.
    let warm = 2 + u64::from(block.latency) + interval;
    for _ in 0..warm {
        let inputs = stream.cycle();
        lanes.settle(&inputs, false);
        stream.compare(&gates, &lanes)?;
        lanes.edge();
    }
    let mut delayed = [ShortPulses::Swallowed, ShortPulses::Passed]
        .map(|short| Events::new(&gates, &delays, &readers, short, |net| lanes.value(net) & 1 == 1));
    let mut lane = export.map(|_| Lane::new(&gates, path_ps));
    for cycle in 0..cycles.max(delayed_cycles) {
        let inputs = stream.cycle();
        lanes.settle(&inputs, cycle < cycles);
        stream.compare(&gates, &lanes)?;
        if let Some(lane) = lane.as_mut().filter(|_| cycle < cycles) {
            lane.cycle(&lanes);
        }
        if cycle < delayed_cycles {
            for events in &mut delayed {
                events.cycle(|net| lanes.value(net) & 1 == 1);
                let differs =
                    (0..gates.nets as u32).find(|net| events.value(*net) != (lanes.value(*net) & 1 == 1));
                if let Some(net) = differs {
                    return Err(stream.differs(
                        &format!("net {net}"),
                        "another value with delays",
                        "settled",
                    ));
                }
            }
        }
        lanes.edge();
    }
    let confirmed = stream.confirmed()?;
    let price = |toggles: &[u64], cycles| price::switching(&gates, library, &delays, toggles, cycles);
    let [swallowed, passed] = delayed.map(|events| price(&events.toggles, delayed_cycles));
    let clock_and_leakage = price::clock_and_leakage(&gates, library);
    let energy = Energy {
        block: block.name.clone(),
        library: library.name.clone(),
        volts: library.units.volts,
        cells,
        registers: gates.registers.len() as u64,
        area_um2: (0..gates.cells.len() as u32).map(|cell| gates.kind(cell).cell.area).sum(),
        nand2_um2,
        path_ps,
        interval: block.interval,
        cycles,
        delayed_cycles,
        confirmed,
        settled: price(&lanes.toggles, LANES * cycles),
        swallowed,
        passed,
        clock_pins_fj: clock_and_leakage.clock_pins_fj,
        clock_internal_fj: clock_and_leakage.clock_internal_fj,
        leakage_nw: clock_and_leakage.leakage_nw,
        seconds: start.elapsed().as_secs_f64(),
    };
    let exported = lane
        .zip(export)
        .map(|(lane, folder)| lane.finish(block, &gates, library, &delays, folder))
        .transpose()?;
    Ok((energy.rounded(), exported))
}

/// Operands at full rate in all lanes, with one model per lane for the expected results.
struct Stream<'a> {
    block: &'a Block,
    lanes: Vec<(Box<dyn Bench>, ChaCha20Rng, Expected)>,
    cycles: u64,
}

impl<'a> Stream<'a> {
    fn new(entry: &BlockEntry, block: &'a Block) -> Self {
        let lane = |lane| {
            let rng = ChaCha20Rng::seed_from_u64(lane);
            ((entry.bench)(block), rng, Expected::new(&block.outputs))
        };
        Self { block, lanes: (0..LANES).map(lane).collect(), cycles: 0 }
    }

    /// The inputs of the next cycle, one word of lanes for each bit; the models advance to the end of the cycle.
    fn cycle(&mut self) -> Vec<Vec<u64>> {
        let signals = &self.block.inputs;
        let mut all: Vec<Vec<u64>> = signals.iter().map(|signal| vec![0; signal.bits as usize]).collect();
        for (lane, (bench, rng, expected)) in self.lanes.iter_mut().enumerate() {
            let mut input = Inputs::new(signals);
            bench.stream(rng, &mut input);
            input.set(0, &[u64::from(self.cycles < 2)]);
            *expected = Expected::new(&self.block.outputs);
            // Registers are undefined before the first edge with a reset.
            if self.cycles > 0 {
                bench.outputs(expected);
            }
            bench.edge(&input);
            for (at, bits) in all.iter_mut().enumerate() {
                let words = input.get(at);
                for (bit, value) in bits.iter_mut().enumerate() {
                    *value |= (words[bit / 64] >> (bit % 64) & 1) << lane;
                }
            }
        }
        self.cycles += 1;
        all
    }

    /// Compares the block's outputs with those of the models.
    fn compare(&self, gates: &Gates<'_>, lanes: &Lanes<'_>) -> Result<(), RtlError> {
        for (at, (signal, nets)) in self.block.outputs.iter().zip(&gates.outputs).enumerate() {
            for (lane, (.., expected)) in self.lanes.iter().enumerate() {
                let Some(model) = expected.get(at) else { continue };
                let mut hardware = vec![0u64; signal.words()];
                for (bit, net) in nets.iter().enumerate() {
                    hardware[bit / 64] |= (lanes.value(*net) >> lane & 1) << (bit % 64);
                }
                if hardware != model {
                    return Err(self.differs(
                        &signal.name,
                        &format!("{hardware:x?}"),
                        &format!("{model:x?}"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn differs(&self, signal: &str, hardware: &str, model: &str) -> RtlError {
        RtlError::Differs {
            block: format!("{} as cells", self.block.name),
            cycle: self.cycles,
            signal: signal.to_owned(),
            hardware: hardware.to_owned(),
            model: model.to_owned(),
        }
    }

    /// The number of results that were confirmed in all lanes.
    fn confirmed(&self) -> Result<u64, RtlError> {
        let verdicts = self.lanes.iter().map(|(bench, ..)| bench.oracle());
        let (confirmed, refuted) =
            verdicts.fold((0, 0), |sum, oracle| (sum.0 + oracle.confirmed, sum.1 + oracle.refuted));
        match (confirmed, refuted) {
            (0, 0) => Err(RtlError::Unjudged { block: self.block.name.clone(), cycles: self.cycles }),
            (_, 0) => Ok(confirmed),
            _ => Err(self.differs(
                "results",
                &format!("{refuted} of them"),
                "refuted by the field's arithmetic",
            )),
        }
    }
}

#[cfg(test)]
mod tests;
