//! A performance model of a device that needs no device: for each launch it counts the slots of the multiplier, the
//! bytes of device memory and the resident blocks, and divides them by the rates of the device.
//!
//! The time of a launch is the maximum of two times: that of its products, wave by wave of blocks, with as many warps
//! per scheduler as the registers and the shared memory of its blocks allow; and that of its bytes, at the rate of
//! copies. It is at least the time that the host takes for a launch. No parameter is fitted to the times that are
//! predicted.

use crate::error::GpuError;
use crate::facts::Facts;
use crate::msm;
use crate::sumcheck::{LEAST_PAIRS, SUMMED_BY_HOST};
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device};
use pairwright_moma::program::poseidon::{self, Rounds};
use pairwright_moma::program::rounds::{self, Product};
use pairwright_moma::program::{ArrayKernel, Element, Role, tables};
use serde::{Deserialize, Serialize};

/// The built-in list of devices.
const DEVICES: &str = include_str!("../devices.toml");

/// Number of warp schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;

/// Number of threads per warp.
const WARP: f64 = 32.0;

/// Greatest number of resident blocks of a multiprocessor.
const MOST_BLOCKS: u32 = 32;

/// Registers per thread besides those of elements: addresses, counters, carries.
const OTHER_REGISTERS: u32 = 16;

/// Number of elements whose registers a product needs besides those that a program declares.
const ELEMENTS_OF_PRODUCT: usize = 2;

/// The model's data about a device.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDevice {
    /// The properties of the device.
    pub facts: Facts,
    /// The source of these facts.
    pub facts_origin: String,
    /// The rates of the device.
    pub rates: KnownRates,
    /// The source of these rates.
    pub rates_origin: String,
}

/// The rates of a device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownRates {
    /// Wide products per clock of a multiprocessor, with 1 to 8 warps per scheduler.
    pub wide: [f64; 8],
    /// Bytes that a copy within device memory reads and writes, in units of 10^9 per second.
    pub copy: f64,
    /// Time of a launch with the allocation of its result, in microseconds, in a sequence of many.
    pub launch: f64,
    /// Time until the host has read a few words of a result, in microseconds.
    pub back: f64,
}

/// The file with the list of devices.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownDevices {
    device: Vec<KnownDevice>,
}

/// The counts of a launch that determine its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Number of hardware blocks of the grid.
    pub blocks: u64,
    /// Threads per block.
    pub threads: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Shared memory of a block in bytes.
    pub shared: u64,
    /// Slots of the multiplier per thread: one for a product of 32 bits, two for a wide one.
    pub slots: f64,
    /// Bytes of device memory that all blocks read and write.
    pub bytes: f64,
}

/// A call of an operator: its launches in order, and the number of times that the host waits for a result.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedCall {
    /// The launches of the call.
    pub passes: Vec<Pass>,
    /// Number of times that the host waits for the device and reads a few words.
    pub waits: u32,
}

/// The predicted time of a call and its parts, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Prediction {
    /// The whole call.
    pub milliseconds: f64,
    /// The products of all launches.
    pub multiplier: f64,
    /// The memory traffic of all launches.
    pub memory: f64,
    /// The time by which launches are shorter than the host's launch time, and waits.
    pub host: f64,
}

/// Slots of the multiplier for a Montgomery product by rows of elements of `bytes` bytes: 4 n^2 + n for n words of 32
/// bits.
pub fn slots(bytes: usize) -> f64 {
    let words = bytes as f64 / 4.0;
    4.0 * words * words + words
}

impl KnownDevice {
    /// The built-in devices.
    pub fn known() -> Vec<Self> {
        let known: KnownDevices = toml::from_str(DEVICES).expect("a test reads the built-in list");
        known.device
    }

    /// The built-in device with this name, or the first whose name contains it.
    pub fn named(name: &str) -> Option<Self> {
        let known = Self::known();
        let exact = known.iter().find(|machine| machine.facts.name == name);
        exact.or_else(|| known.iter().find(|machine| machine.facts.name.contains(name))).cloned()
    }

    /// The model of a device with these facts: with the rates of the built-in device of its name, else with those of
    /// the first one, with copies scaled by the bandwidth of the memory bus.
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

    /// The number of blocks of a launch that a multiprocessor runs at a time.
    fn resident(&self, pass: &Pass) -> u32 {
        let registers = pass.registers.max(1).next_multiple_of(8) * pass.threads.max(1);
        let by_registers = self.facts.registers_per_multiprocessor / registers;
        let shared = u64::from(self.facts.shared_per_multiprocessor) / pass.shared.max(1);
        let by_shared = u32::try_from(shared).unwrap_or(MOST_BLOCKS);
        let by_threads = threads_of(self.facts.capability) / pass.threads.max(1);
        by_registers.min(by_shared).min(by_threads).clamp(1, MOST_BLOCKS)
    }

    /// Slots per clock of a multiprocessor with a number of warps per scheduler, interpolated.
    fn slots_per_clock(&self, warps: f64) -> f64 {
        let rate = |warps: usize| 2.0 * self.rates.wide[warps.clamp(1, 8) - 1];
        let below = warps.floor();
        let part = warps - below;
        match below as usize {
            // Some schedulers have no warp.
            0 => part * rate(1),
            whole => rate(whole) + part * (rate(whole + 1) - rate(whole)),
        }
    }

    /// The times of the products and of the bytes of a launch, in milliseconds.
    fn parts(&self, pass: &Pass) -> (f64, f64) {
        let multiprocessors = u64::from(self.facts.multiprocessors.max(1));
        let resident = self.resident(pass);
        let in_wave = u64::from(resident) * multiprocessors;
        // The clocks for this number of blocks on a multiprocessor at a time.
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

    /// Predicts the time of a call.
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
    /// [`GpuError::Kernel`] for sizes without a plan.
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

    /// A product tree over `2^log_n` leaves.
    pub fn product_tree(&self, element: Element, log_n: u32) -> PredictedCall {
        levels(&tables::pairs(element), log_n)
    }

    /// A Merkle tree of Poseidon over `2^log_n` leaves.
    pub fn poseidon_tree(&self, element: Element, rounds: &Rounds, log_n: u32) -> PredictedCall {
        levels(&poseidon::pairs(element, rounds), log_n)
    }

    /// The rounds of a sumcheck over tables of `2^log_n` values that run on the device, without the last ones, which
    /// the host computes. `None` for a sum without a program.
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
        while pairs >= LEAST_PAIRS as u64 {
            // A step reads four values per pair and writes two; a round without binding reads two.
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

    /// A multi-scalar multiplication of `n` points without precomputed multiples, with the windows that the device would
    /// use, and with the given number of halvings or the one that it would choose. A halving is three launches: the denominators, their inversion, and the sums. Then come the
    /// additions of entries and buckets, with each entry's point read once. Products are in a field of `bytes` bytes; one
    /// in its quadratic extension counts as three. The sort of the digits is left out. `None` for more points than a
    /// sum can process in one piece.
    pub fn msm(
        &self,
        bytes: usize,
        extension: bool,
        bits: u32,
        n: u64,
        halvings: Option<u32>,
    ) -> Option<PredictedCall> {
        let (degree, products) = if extension { (2, 3.0) } else { (1, 1.0) };
        let product = products * slots(bytes);
        let multiprocessors = self.facts.multiprocessors.max(1);
        // A launch whose resident threads share some work equally, with so many registers and coordinates per piece of work.
        let shared_out = |registers: usize, work: u64, products: f64, coordinates: usize| {
            let registers = u32::try_from(registers).unwrap_or(u32::MAX).min(MOST_REGISTERS);
            let bytes = work as f64 * (coordinates * degree * bytes) as f64;
            let mut pass = Pass { blocks: 1, threads: 128, registers, shared: 0, slots: 0.0, bytes };
            pass.blocks = u64::from(self.resident(&pass) * multiprocessors);
            pass.slots = work as f64 / (pass.blocks * u64::from(pass.threads)) as f64 * products * product;
            pass
        };
        let sums = |counts: &msm::SumCounts| {
            // The coordinates of an XYZZ point.
            shared_out(4 * bytes, counts.entries, PRODUCTS_OF_ADDITION, 2)
        };
        let nothing = msm::SumCounts { pairs: Vec::new(), batches: 0, entries: 0, additions: 0 };
        let own = sums(&nothing).blocks as u32 * 128;
        let counts = msm::counts(usize::try_from(n).ok()?, bits, multiprocessors, own, halvings)?;
        let mut passes = Vec::new();
        for pairs in &counts.pairs {
            // Both points and the product before, and the sum; some of the coordinates are needed at a time.
            passes.push(shared_out(2 * bytes, *pairs, 1.0, 5));
            let chain = Pass {
                blocks: u64::from(multiprocessors * SCHEDULERS as u32),
                threads: WARP as u32,
                registers: MOST_REGISTERS,
                shared: 0,
                slots: f64::from(counts.batches) * PRODUCTS_OF_INVERSION * product,
                bytes: 0.0,
            };
            passes.push(chain);
            passes.push(shared_out(8 * bytes / 3, *pairs, PRODUCTS_OF_PAIR, 7));
        }
        let mut rest = sums(&counts);
        rest.slots *= counts.additions as f64 / counts.entries.max(1) as f64;
        passes.push(rest);
        Some(PredictedCall { passes, waits: 1 })
    }
}

/// Greatest number of registers of a thread.
const MOST_REGISTERS: u32 = 255;

/// Number of products of the sum of a pair in a halving, besides that of its denominator with those before it; one of them is a
/// square.
const PRODUCTS_OF_PAIR: f64 = 5.0;

/// Number of products that take as long as an inversion by division steps, and of those of the denominators that a thread
/// inverts with it.
const PRODUCTS_OF_INVERSION: f64 = 100.0;

/// Number of products in the coordinate field of a mixed addition in XYZZ coordinates.
pub const PRODUCTS_OF_ADDITION: f64 = 10.0;

/// Greatest number of resident threads of a multiprocessor (CUDA's programming guide, by compute capability).
fn threads_of(capability: u32) -> u32 {
    match capability {
        0..=75 => 1024,
        86..=89 | 120.. => 1536,
        _ => 2048,
    }
}

impl Facts {
    /// Peak bandwidth of the memory bus in units of 10^9 bytes per second: two transfers per clock.
    fn bus(&self) -> f64 {
        2.0 * f64::from(self.memory_clock_khz) * f64::from(self.memory_bus_bits) / 8e6
    }
}

impl Pass {
    /// The launch of a program with these scalars; the loops of the program must have constant bounds.
    fn of(kernel: &ArrayKernel, scalars: &[u64], bytes: f64) -> Self {
        let element = kernel.element;
        let calls = kernel.calls_per_thread();
        let products = [Role::Mul, Role::Sqr].iter().filter_map(|role| calls.get(role)).sum::<u64>();
        let cluster = kernel.launch.as_ref().map_or(1, |launch| launch.cluster.max(1));
        let elements = (kernel.registers + ELEMENTS_OF_PRODUCT) * element.bytes() / 4;
        Self {
            blocks: kernel.grid(scalars).unwrap_or(1),
            // A block of a program with clusters is a whole cluster of hardware blocks.
            threads: kernel.launch.as_ref().map_or(1, |launch| launch.threads).div_ceil(cluster),
            registers: (u32::try_from(elements).unwrap_or(u32::MAX)).saturating_add(OTHER_REGISTERS).min(255),
            shared: kernel.shared_bytes(),
            slots: products as f64 * slots(element.bytes()),
            bytes,
        }
    }
}

/// The launches of a tree, one per level.
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
        let known: KnownDevices = toml::from_str(DEVICES).unwrap();
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
        // With resident blocks of one warp per scheduler it reaches two thirds of that.
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
