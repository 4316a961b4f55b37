//! What a call on a device should take, without the device: for each launch the slots of the multiplier, the bytes of device
//! memory and the blocks that run at one time, and what a device does of each in a second.
//!
//! A launch takes as long as the longer of two: its products, wave by wave of blocks, with as many warps on a scheduler as the
//! registers and the shared memory of its blocks leave; and its bytes, at the rate of copies. A launch that is shorter than the
//! host takes to start one takes that time. Nothing here is fitted to the times that are predicted.

use crate::error::GpuError;
use crate::facts::Facts;
use crate::msm;
use crate::sumcheck::{LEAST, SUMMED_BY_HOST};
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device};
use pairwright_moma::program::poseidon::{self, Rounds};
use pairwright_moma::program::rounds::{self, Product};
use pairwright_moma::program::{ArrayKernel, Element, Role, tables};
use serde::{Deserialize, Serialize};

/// The devices that are known without having them.
const DEVICES: &str = include_str!("../devices.toml");

/// Warp schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;

/// Threads of a warp.
const WARP: f64 = 32.0;

/// Blocks of a multiprocessor, whatever their size.
const MOST_BLOCKS: u32 = 32;

/// Registers of a thread beside those of elements: addresses, counters, carries.
const OTHER_REGISTERS: u32 = 16;

/// Elements that a product needs registers for beside those that a program names.
const ELEMENTS_OF_PRODUCT: usize = 2;

/// A device as the model knows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDevice {
    /// What the device is.
    pub facts: Facts,
    /// The source of these facts.
    pub facts_origin: String,
    /// What it does in a clock or a second.
    pub rates: KnownRates,
    /// The source of these rates.
    pub rates_origin: String,
}

/// What a device does in a clock or a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownRates {
    /// Wide products of a multiprocessor in a clock, with 1 to 8 warps on each scheduler.
    pub wide: [f64; 8],
    /// Bytes that a copy within device memory reads and writes, in units of 10^9 a second.
    pub copy: f64,
    /// Time of a launch with the room for its result, in microseconds, where many follow each other.
    pub launch: f64,
    /// Time until the host has a few words of a result, in microseconds.
    pub back: f64,
}

/// The list in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    device: Vec<KnownDevice>,
}

/// A launch of a kernel, by what takes its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Hardware blocks of the grid.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Shared memory of a block in bytes.
    pub shared: u64,
    /// Slots of the multiplier that a thread takes: one for a product of 32 bits, two for a wide one.
    pub slots: f64,
    /// Bytes of device memory that all blocks read and write.
    pub bytes: f64,
}

/// A call of an operator: its launches one after the other, and how often the host waits for a result.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedCall {
    /// The launches of the call.
    pub passes: Vec<Pass>,
    /// Times that the host waits and reads a few words.
    pub waits: u32,
}

/// What a call takes, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Prediction {
    /// The whole call.
    pub milliseconds: f64,
    /// What the products of all launches take.
    pub multiplier: f64,
    /// What the bytes of all launches take.
    pub memory: f64,
    /// Launches that take the host's time, and waits.
    pub host: f64,
}

/// Slots of a Montgomery product by rows, for elements of so many bytes.
pub fn slots(bytes: usize) -> f64 {
    let words = bytes as f64 / 4.0;
    4.0 * words * words + words
}

impl KnownDevice {
    /// The devices that are known without having them.
    pub fn known() -> Vec<Self> {
        let known: Known = toml::from_str(DEVICES).expect("a test reads the built-in list");
        known.device
    }

    /// The known device of this name, or with this word in its name.
    pub fn named(name: &str) -> Option<Self> {
        let known = Self::known();
        let exact = known.iter().find(|machine| machine.facts.name == name);
        exact.or_else(|| known.iter().find(|machine| machine.facts.name.contains(name))).cloned()
    }

    /// The device with these facts: with the rates of the known device of its name, else with those of the first one, and
    /// copies at its share of what the memory's bus could carry.
    pub fn of(facts: &Facts) -> Option<Self> {
        let known = Self::known();
        if let Some(machine) = known.iter().find(|machine| machine.facts.name == facts.name) {
            return Some(Self { facts: facts.clone(), ..machine.clone() });
        }
        let first = known.into_iter().next()?;
        let copy = first.rates.copy * facts.bus() / first.facts.bus();
        let rates_origin =
            format!("those of {}, copies by the width and the clock of the bus", first.facts.name);
        Some(Self {
            facts: facts.clone(),
            facts_origin: "the device's driver".to_owned(),
            rates: KnownRates { copy, ..first.rates },
            rates_origin,
        })
    }

    /// Blocks of a launch that a multiprocessor runs at one time.
    fn resident(&self, pass: &Pass) -> u32 {
        let registers = pass.registers.max(1).next_multiple_of(8) * pass.threads.max(1);
        let by_registers = self.facts.registers_per_multiprocessor / registers;
        let shared = u64::from(self.facts.shared_per_multiprocessor) / pass.shared.max(1);
        let by_shared = u32::try_from(shared).unwrap_or(MOST_BLOCKS);
        let by_threads = threads_of(self.facts.capability) / pass.threads.max(1);
        by_registers.min(by_shared).min(by_threads).clamp(1, MOST_BLOCKS)
    }

    /// Slots of a multiprocessor in a clock with so many warps on each scheduler.
    fn slots_per_clock(&self, warps: f64) -> f64 {
        let rate = |warps: usize| 2.0 * self.rates.wide[warps.clamp(1, 8) - 1];
        let below = warps.floor();
        let part = warps - below;
        match below as usize {
            // Fewer warps than schedulers.
            0 => part * rate(1),
            whole => rate(whole) + part * (rate(whole + 1) - rate(whole)),
        }
    }

    /// Milliseconds of the products of a launch, and of its bytes.
    fn parts(&self, pass: &Pass) -> (f64, f64) {
        let multiprocessors = u64::from(self.facts.multiprocessors.max(1));
        let resident = self.resident(pass);
        let in_wave = u64::from(resident) * multiprocessors;
        // So many blocks on a multiprocessor at one time.
        let clocks = |blocks: u64| {
            let threads = blocks as f64 * f64::from(pass.threads);
            match blocks {
                0 => 0.0,
                _ => threads * pass.slots / self.slots_per_clock(threads / (WARP * SCHEDULERS)),
            }
        };
        let waves = (pass.blocks / in_wave) as f64;
        let rest = (pass.blocks % in_wave).div_ceil(multiprocessors);
        let clocks = waves * clocks(u64::from(resident)) + clocks(rest);
        (clocks / f64::from(self.facts.clock_khz.max(1)), pass.bytes / (1e6 * self.rates.copy))
    }

    /// What a call takes.
    pub fn predict(&self, call: &PredictedCall) -> Prediction {
        let launch = self.rates.launch / 1e3;
        let mut all = Prediction::default();
        for pass in &call.passes {
            let (multiplier, memory) = self.parts(pass);
            let busy = multiplier.max(memory);
            all.multiplier += multiplier;
            all.memory += memory;
            all.host += (launch - busy).max(0.0);
            all.milliseconds += busy.max(launch);
        }
        let waits = f64::from(call.waits) * self.rates.back / 1e3;
        Prediction { milliseconds: all.milliseconds + waits, host: all.host + waits, ..all }
    }

    /// One forward transform of `2^log_n` elements, with the given shape or the default one.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] for sizes that there are not.
    pub fn transform(
        &self,
        element: Element,
        log_n: u32,
        shape: Option<Tuning>,
    ) -> Result<PredictedCall, GpuError> {
        let shape = shape.unwrap_or_else(|| Tuning::for_latency(element, log_n));
        let plan = NttPlan::choose(element, log_n, &self.facts.fit(shape))?;
        let bytes = plan.bytes_moved();
        let count = plan.passes.len().max(1) as f64;
        let each = (bytes.data + bytes.twiddles) as f64 / count;
        let kernels = device::kernels(&plan, Kind::FORWARD);
        let passes = kernels.iter().map(|kernel| Pass::of(kernel, &[1], each)).collect();
        Ok(PredictedCall { passes, waits: 1 })
    }

    /// A vector operation on `n` elements.
    pub fn vector(&self, op: BlasOp, element: Element, n: u32) -> PredictedCall {
        let kernel = blas::device(op, element, BlasTuning::for_element(element));
        let bytes = (op.elements_moved() * element.bytes()) as f64 * f64::from(n);
        PredictedCall { passes: vec![Pass::of(&kernel, &[u64::from(n)], bytes)], waits: 1 }
    }

    /// A multiplication tree over `2^log_n` leaves.
    pub fn product_tree(&self, element: Element, log_n: u32) -> PredictedCall {
        levels(&tables::pairs(element), log_n)
    }

    /// A Merkle tree of Poseidon over `2^log_n` leaves.
    pub fn poseidon_tree(&self, element: Element, rounds: &Rounds, log_n: u32) -> PredictedCall {
        levels(&poseidon::pairs(element, rounds), log_n)
    }

    /// The rounds on the device of a sumcheck over tables of `2^log_n` values; those of the host are not among them. `None`
    /// for a sum without a program.
    pub fn sumcheck(
        &self,
        element: Element,
        tables: usize,
        terms: &[Product],
        log_n: u32,
    ) -> Option<PredictedCall> {
        let (round, step) = (rounds::round(element, tables, terms)?, rounds::step(element, tables, terms)?);
        let mut call = PredictedCall { passes: Vec::new(), waits: 0 };
        let mut pairs = (1u64 << log_n) / 2;
        while pairs >= LEAST as u64 {
            // Four values a pair come, and two go; two come where nothing is bound.
            let (round, values) = if call.waits == 0 { (&round, 2) } else { (&step, 6) };
            let mut pass = Pass::of(&round.kernel, &[pairs, 1, 1], 0.0);
            let most = u64::from(self.resident(&pass) * self.facts.multiprocessors.max(1));
            let threads = u64::from(pass.threads);
            pass.blocks = pairs.div_ceil(threads).min(most);
            pass.slots =
                (pairs.div_ceil(pass.blocks * threads) * round.products) as f64 * slots(element.bytes());
            pass.bytes = (values * pairs) as f64 * (tables * element.bytes()) as f64;
            let summed = (pass.blocks > u64::from(SUMMED_BY_HOST)).then(|| {
                let bytes = pass.blocks as f64 * element.bytes() as f64;
                Pass { slots: 0.0, bytes, ..Pass::of(&rounds::totals(element), &[pass.blocks, 1, 1], 0.0) }
            });
            call.passes.push(pass);
            call.passes.extend(summed);
            call.waits += 1;
            pairs /= 2;
        }
        Some(call)
    }

    /// A multi-scalar multiplication of `n` points without multiples of them, by the windows that the device would take: the
    /// additions of entries and buckets, each entry's point read once. Products are in a field of so many bytes, three for one
    /// in its quadratic extension. What sorts digits is left out. `None` for more points than a sum takes in one piece.
    pub fn msm(&self, bytes: usize, extension: bool, bits: u32, n: u64) -> Option<PredictedCall> {
        let (degree, products) = if extension { (2, 3.0) } else { (1, 1.0) };
        let threads = 128;
        let mut pass = Pass {
            blocks: 1,
            threads,
            registers: (4 * bytes as u32).min(255),
            shared: 0,
            slots: 0.0,
            bytes: 0.0,
        };
        let multiprocessors = self.facts.multiprocessors.max(1);
        let blocks = self.resident(&pass) * multiprocessors;
        let (entries, additions) =
            msm::additions(usize::try_from(n).ok()?, bits, multiprocessors, blocks * threads)?;
        pass.bytes = entries as f64 * (2 * degree * bytes) as f64;
        // The same number of additions for every thread that the device holds.
        pass.blocks = u64::from(blocks);
        let each = additions as f64 / (pass.blocks * u64::from(threads)) as f64;
        pass.slots = each * PRODUCTS_OF_ADDITION * products * slots(bytes);
        Some(PredictedCall { passes: vec![pass], waits: 1 })
    }
}

/// Products in the coordinates' field of an addition of an affine point to one in XYZZ coordinates.
pub const PRODUCTS_OF_ADDITION: f64 = 10.0;

/// Threads that a multiprocessor holds (CUDA's programming guide, by compute capability).
fn threads_of(capability: u32) -> u32 {
    match capability {
        0..=75 => 1024,
        86..=89 | 120.. => 1536,
        _ => 2048,
    }
}

impl Facts {
    /// What the bus of the memory could carry, in units of 10^9 bytes a second: two transfers a clock.
    fn bus(&self) -> f64 {
        2.0 * f64::from(self.memory_clock_khz) * f64::from(self.memory_bus_bits) / 8e6
    }
}

impl Pass {
    /// The launch of a program with these scalars, whose loops have constant ends.
    fn of(kernel: &ArrayKernel, scalars: &[u64], bytes: f64) -> Self {
        let element = kernel.element;
        let calls = kernel.calls_per_thread();
        let products = [Role::Mul, Role::Sqr].iter().filter_map(|role| calls.get(role)).sum::<u64>();
        let cluster = kernel.launch.as_ref().map_or(1, |launch| launch.cluster.max(1));
        let elements = (kernel.registers + ELEMENTS_OF_PRODUCT) * element.bytes() / 4;
        Self {
            blocks: kernel.grid(scalars).unwrap_or(1),
            // The threads of a program's block are those of a cluster of blocks.
            threads: kernel.launch.as_ref().map_or(1, |launch| launch.threads).div_ceil(cluster),
            registers: (u32::try_from(elements).unwrap_or(u32::MAX)).saturating_add(OTHER_REGISTERS).min(255),
            shared: kernel.shared_bytes(),
            slots: products as f64 * slots(element.bytes()),
            bytes,
        }
    }
}

/// A launch for each level of a tree.
fn levels(kernel: &ArrayKernel, log_n: u32) -> PredictedCall {
    let level = |log: u32| {
        let nodes = 1u64 << log;
        Pass::of(kernel, &[nodes], (3 * nodes) as f64 * kernel.element.bytes() as f64)
    };
    PredictedCall { passes: (0..log_n).rev().map(level).collect(), waits: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENT: Element = Element { word_bits: 32, words: 8 };

    fn h200() -> KnownDevice {
        KnownDevice::named("H200").unwrap()
    }

    #[test]
    fn known_devices_are_read() {
        let known: Known = toml::from_str(DEVICES).unwrap();
        assert_eq!(known.device.len(), KnownDevice::known().len());
        for name in ["H200", "H100", "RTX 4090"] {
            let machine = KnownDevice::named(name).unwrap();
            assert!(machine.facts.name.contains(name) && machine.facts.multiprocessors > 100);
            assert!(!machine.facts_origin.is_empty() && !machine.rates_origin.is_empty());
            assert!(machine.rates.copy < machine.facts.bus(), "{name} copies faster than its bus");
        }
        assert!(KnownDevice::named("TPU").is_none());
    }

    #[test]
    fn a_full_device_multiplies_at_its_rate() {
        let machine = h200();
        let pass =
            Pass { blocks: 132 * 8 * 100, threads: 256, registers: 32, shared: 0, slots: 1e4, bytes: 0.0 };
        let call = PredictedCall { passes: vec![pass.clone()], waits: 0 };
        let slots = pass.blocks as f64 * 256.0 * 1e4;
        let floor = slots / (2.0 * 30.82 * 132.0 * 1.98e6);
        let found = machine.predict(&call).milliseconds;
        assert!((found / floor - 1.0).abs() < 1e-9, "{found} and {floor}");
        // With blocks that fill it, one warp on each scheduler, it does two thirds of that.
        let alone = PredictedCall {
            passes: vec![Pass { threads: 128, registers: 255, shared: 200 << 10, ..pass }],
            waits: 0,
        };
        let slower = machine.predict(&alone).milliseconds / (found / 2.0);
        assert!((slower - 30.82 / 20.86).abs() < 1e-9, "{slower}");
    }

    #[test]
    fn memory_launches_and_waits_count() {
        let machine = h200();
        let copy = Pass { blocks: 132, threads: 256, registers: 32, shared: 0, slots: 0.0, bytes: 3.927e9 };
        let call = |passes, waits| machine.predict(&PredictedCall { passes, waits });
        let found = call(vec![copy.clone()], 0);
        assert!((found.milliseconds - 1.0).abs() < 1e-9 && found.host == 0.0, "{found:?}");
        let empty = Pass { bytes: 0.0, ..copy };
        let found = call(vec![empty; 10], 2);
        assert!((found.milliseconds - 0.109).abs() < 1e-9, "{found:?}");
        assert_eq!(found.milliseconds, found.host);
    }

    #[test]
    fn a_device_with_more_of_everything_is_faster() {
        let slow = h200();
        let facts = Facts {
            multiprocessors: 264,
            memory_bus_bits: 2 * slow.facts.memory_bus_bits,
            name: "x".into(),
            ..slow.facts.clone()
        };
        let fast = KnownDevice::of(&facts).unwrap();
        assert!((fast.rates.copy / slow.rates.copy - 2.0).abs() < 1e-9);
        for log_n in [12, 20, 24] {
            let time =
                |on: &KnownDevice| on.predict(&on.transform(ELEMENT, log_n, None).unwrap()).milliseconds;
            assert!(time(&fast) <= time(&slow));
            let tree = |on: &KnownDevice| on.predict(&on.product_tree(ELEMENT, log_n)).milliseconds;
            assert!(tree(&fast) <= tree(&slow));
        }
        assert!(slow.transform(ELEMENT, 0, None).is_err());
    }
}
