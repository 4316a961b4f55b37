//! Measurements of generated kernels on operands that stay on the device: products in registers, vector arithmetic,
//! transforms, for any modulus.
//!
//! Every time is the median of [`RUNS`] launches by the device's own clock, after one warm-up launch and without launch
//! overhead, and is returned only if sampled results agree with a computation on the host. Several threads may measure
//! subjects: the host's part (operands and comparisons) runs in parallel, and the device works for one of them at a
//! time.

mod transforms;

pub use transforms::Transforms;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::family::{Family, FieldTuning, KernelTarget};
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::workshop::{Loaded, Setup};
use num_bigint::BigUint;
use pairwright_device::Transfer;
use pairwright_moma::ir::Reduction;
use pairwright_moma::print::value;
use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::interp::FieldRule;
use pairwright_moma::program::lang::Body;
use pairwright_moma::program::{ArrayKernel, Buffer, Element, ElementPlace, Ix, Launch, Reg, Role};
use rayon::prelude::*;
use serde::Serialize;
use std::time::Duration;

/// Number of measured launches, of which the median is taken.
pub const RUNS: usize = 11;
/// Number of rounds of products below which a measurement only tests the kernels: the loop is too short to measure a
/// full device, so it is run with fewer blocks.
pub(crate) const TRIAL_ROUNDS: u32 = 16;

/// Number of elements that one task writes; must be even.
const PART: u64 = 1 << 14;

/// Number of results of each kernel that are compared with the host's.
const SAMPLES: usize = 48;

/// Number of products per turn of the loop and chain, in [`products`].
pub(crate) const REPEAT: u64 = 4;

/// A modulus on a device, with the kernels of one word size and reduction.
#[derive(Debug)]
pub struct Subject {
    setup: Setup,
    tuning: FieldTuning,
    family: Family,
    rule: FieldRule,
    constants: Vec<u8>,
}

/// The result of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// Name of the kernel that was run.
    pub kernel: String,
    /// Width of the modulus in bits.
    pub bits: u32,
    /// Number of units of work per launch: products, elements or butterflies.
    pub units: u64,
    /// Nanoseconds per unit.
    pub nanoseconds: f64,
    /// Rate in units of 10^9 bytes per second: the bytes of device memory that a launch has to read and write, divided
    /// by its time; zero for work in registers.
    pub gigabytes_per_second: f64,
    /// Registers per thread, the maximum over all kernels; `None` if the machine code does not say.
    pub registers: Option<u32>,
}

/// The kernel `products(blocks, rounds, out, a, constants)`: every thread multiplies `chains` elements in registers
/// `4 rounds` times by one factor: `out[i] = a[i] f^(4 rounds)` with `f = a[0]`.
pub fn products(element: Element, chains: u32) -> ArrayKernel {
    let threads = 128;
    let mut body = Body::default();
    let factor = Reg(chains as usize);
    body.load(factor, ElementPlace::global(1, 0u64));
    let first = body.let_((Ix::Block * u64::from(threads) + Ix::Thread) * u64::from(chains));
    let at: Vec<Ix> = (0..chains).map(|i| body.let_(first.clone() + u64::from(i))).collect();
    for (i, at) in at.iter().enumerate() {
        body.load(Reg(i), ElementPlace::global(1, at.clone()));
    }
    body.for_(0u64, Ix::Scalar(1), |body, _| {
        for i in (0..REPEAT).flat_map(|_| 0..chains as usize) {
            body.call(Role::Mul, Reg(i), Reg(i), factor);
        }
    });
    for (i, at) in at.into_iter().enumerate() {
        body.store(ElementPlace::global(0, at), Reg(i));
    }
    ArrayKernel {
        name: "products".to_owned(),
        about: format!("{chains} chains of products in registers"),
        element,
        scalars: vec!["blocks", "rounds"],
        buffers: vec![Buffer::output("out"), Buffer::input("a")],
        registers: chains as usize + 1,
        launch: Some(Launch::of(threads, Ix::Scalar(0))),
        body: vec![body.phase()],
    }
}

impl Subject {
    /// Prepares kernels for a modulus with the given reduction and field functions.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] if there are no kernels for it.
    pub fn new(
        setup: Setup,
        modulus: &BigUint,
        reduction: Reduction,
        tuning: FieldTuning,
    ) -> Result<Self, GpuError> {
        let bits = u32::try_from(modulus.bits()).unwrap_or(u32::MAX);
        let family = Family::new(bits, reduction, tuning)?;
        let constants = family.constants(modulus)?;
        let rule = family.rule(modulus)?;
        Ok(Self { setup, tuning, family, rule, constants })
    }

    /// The layout of an element in memory.
    pub fn element(&self) -> Element {
        self.family.element()
    }

    /// The word size that its kernels compute with.
    pub fn target(&self) -> KernelTarget {
        self.tuning.target
    }

    pub(crate) fn family(&self) -> &Family {
        &self.family
    }

    pub(crate) fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub(crate) fn rule(&self) -> &FieldRule {
        &self.rule
    }

    /// `n` pseudo-random elements in the form of the kernels.
    pub(crate) fn random(&self, n: u64, seed: u64) -> Vec<u64> {
        self.form().random(n, self.bits(), seed)
    }

    /// The value of element `index` of some words.
    pub(crate) fn number(&self, words: &[u64], index: u64) -> BigUint {
        self.form().number(words, index)
    }

    /// The layout by which the host reads and writes elements.
    fn form(&self) -> Form {
        Form { element: self.element(), digit: self.family.digit_bits() }
    }

    /// The CUDA device in use.
    pub fn gpu(&self) -> &Gpu {
        &self.setup.gpu
    }

    /// Width of the modulus in bits.
    pub fn bits(&self) -> u32 {
        u32::try_from(self.rule.modulus.bits()).unwrap_or(u32::MAX)
    }

    fn load(&self, program: ArrayKernel) -> Result<Loaded, GpuError> {
        Loaded::new(&self.setup, &self.family, program)
    }

    fn check_memory(&self, parts: &[(&'static str, u64)]) -> Result<(), GpuError> {
        let each = self.element().bytes() as u64;
        let need = parts.iter().fold(Need::new(), |need, (part, n)| need.with_part(part, n * each));
        self.setup.gpu.check_memory(&need)
    }

    pub(crate) fn upload(&self, values: &[u64]) -> Result<Words, GpuError> {
        Words::from_host(&self.setup.gpu, values, &mut Transfer::default())
    }

    /// A buffer for elements, all of which a kernel will write.
    fn empty(&self, elements: u64) -> Result<Words, GpuError> {
        // The unused last half word is read with the others, so it must be initialised.
        if (elements * self.element().bytes() as u64).is_multiple_of(8) {
            Words::uninitialised(&self.setup.gpu, self.words(elements))
        } else {
            self.zeros(elements)
        }
    }

    /// A buffer of elements that are zero.
    pub(crate) fn zeros(&self, elements: u64) -> Result<Words, GpuError> {
        Words::zeros(&self.setup.gpu, self.words(elements))
    }

    /// The number of 64-bit words of this many elements.
    fn words(&self, elements: u64) -> usize {
        let bytes = elements * self.element().bytes() as u64;
        usize::try_from(bytes.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// Measures modular products in registers, in `chains` independent chains per thread. The multiplier's own rate
    /// ([`crate::rates`]) is a lower bound of the time.
    ///
    /// # Errors
    /// Those of the compiler and the driver; [`GpuError::Wrong`] if a sampled product is another number.
    pub fn products(&self, chains: u32, rounds: u32) -> Result<Measured, GpuError> {
        let kernel = self.load(products(self.element(), chains))?;
        let resident = kernel.resident()?.max(1);
        // Several waves of blocks.
        let waves = if rounds < TRIAL_ROUNDS { 1 } else { 4 * resident };
        let blocks = self.setup.gpu.facts().multiprocessors * waves;
        let threads = kernel.threads() * u64::from(blocks);
        let n = threads * u64::from(chains);
        let values = self.random(n, 1);
        let turn = self.setup.timing_lock();
        self.check_memory(&[("operands", n), ("results", n)])?;
        let (a, mut out) = (self.upload(&values)?, self.empty(n)?);
        let time = self.median(|| {
            let buffers = vec![Arg::Write(&mut out), Arg::Read(&a)];
            // SAFETY: the program reads and writes one element a chain of each thread, and both buffers hold them.
            unsafe { kernel.launch(&[blocks, rounds], buffers, &self.constants) }
        })?;
        let found = self.download(&out)?;
        drop((out, a, turn));
        let factor = self.number(&values, 0);
        self.check("products", n, &found, |i| {
            let start = self.number(&values, i);
            (0..u64::from(rounds) * REPEAT).fold(start, |x, _| self.rule.call(Role::Mul, &x, &factor))
        })?;
        let units = n * u64::from(rounds) * REPEAT;
        Ok(self.measured(format!("products, {chains} chains"), units, 0, time, &[kernel]))
    }

    /// Measures a vector operation on `n` elements.
    ///
    /// # Errors
    /// As [`Self::products`].
    pub fn vector(&self, op: BlasOp, n: u32, tuning: BlasTuning) -> Result<Measured, GpuError> {
        let kernel = self.load(blas::device(op, self.element(), tuning))?;
        let n64 = u64::from(n);
        let [va, vb, vs] = [(n64, 1), (n64, 2), (1, 3)].map(|(n, seed)| self.random(n, seed));
        let turn = self.setup.timing_lock();
        self.check_memory(&[("operands", 2 * n64), ("results", n64)])?;
        let (a, b, s) = (self.upload(&va)?, self.upload(&vb)?, self.upload(&vs)?);
        let mut out = self.empty(n64)?;
        let time = self.median(|| {
            let mut buffers = vec![Arg::Write(&mut out), Arg::Read(&a), Arg::Read(&b)];
            if op == BlasOp::Axpy {
                buffers.push(Arg::Read(&s));
            }
            // SAFETY: the program reads and writes elements below `n`, which the buffers hold; `s` has one.
            unsafe { kernel.launch(&[n], buffers, &self.constants) }
        })?;
        let found = self.download(&out)?;
        drop((out, a, b, s, turn));
        self.check(op.name(), n64, &found, |i| {
            let [a, b] = [&va, &vb].map(|all| self.number(all, i));
            let s = self.number(&vs, 0);
            match op {
                BlasOp::Vadd => self.rule.call(Role::Add, &a, &b),
                BlasOp::Vsub => self.rule.call(Role::Sub, &a, &b),
                BlasOp::Vmul => self.rule.call(Role::Mul, &a, &b),
                BlasOp::Axpy => self.rule.call(Role::Add, &self.rule.call(Role::Mul, &a, &s), &b),
            }
        })?;
        let bytes = (op.elements_moved() * self.element().bytes()) as u64 * n64;
        Ok(self.measured(op.name().to_owned(), n64, bytes, time, &[kernel]))
    }

    pub(crate) fn median(
        &self,
        mut launch: impl FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError> {
        let mut times = Vec::new();
        for run in 0..=RUNS {
            let ((), time) = self.setup.timed(&mut launch)?;
            if run > 0 {
                times.push(time);
            }
        }
        times.sort();
        Ok(times[RUNS / 2])
    }

    pub(crate) fn download(&self, words: &Words) -> Result<Vec<u64>, GpuError> {
        let mut read = vec![0; words.len()];
        words.read(&mut read, &mut Transfer::default())?;
        Ok(read)
    }

    /// Compares the first result, the last, and some between with the expected values.
    fn check(
        &self,
        what: &'static str,
        n: u64,
        found: &[u64],
        expected: impl Fn(u64) -> BigUint + Sync,
    ) -> Result<(), GpuError> {
        let wrong = sample(n, SAMPLES)
            .into_par_iter()
            .find_first(|index| self.number(found, *index) != expected(*index));
        wrong.map_or(Ok(()), |index| Err(GpuError::Wrong { what, index }))
    }

    fn measured(
        &self,
        kernel: String,
        units: u64,
        bytes: u64,
        time: Duration,
        kernels: &[Loaded],
    ) -> Measured {
        let nanoseconds = time.as_secs_f64() * 1e9;
        Measured {
            kernel,
            bits: self.bits(),
            units,
            nanoseconds: nanoseconds / units as f64,
            gigabytes_per_second: bytes as f64 / nanoseconds,
            registers: kernels.iter().filter_map(Loaded::registers).max(),
        }
    }
}

/// `count` positions below `n`: the first, the last, and pseudo-random ones between.
pub(crate) fn sample(n: u64, count: usize) -> Vec<u64> {
    let mut all = vec![0, n - 1];
    all.extend((2..count as u64).map(|i| mix(i) % n));
    all
}

/// A pseudo-random function of `i` (the finaliser of SplitMix64).
fn mix(i: u64) -> u64 {
    let mut x = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The layout of elements in 64-bit words of the host: a sequence of device words, each with `digit` bits of the value.
#[derive(Clone, Copy, Debug)]
struct Form {
    element: Element,
    digit: u32,
}

impl Form {
    /// `n` pseudo-random elements below `2^(bits - 1)`, hence below every modulus of this width.
    fn random(self, n: u64, bits: u32, seed: u64) -> Vec<u64> {
        let digits = self.element.words as u64;
        let words = move |i: u64| {
            (0..digits).map(move |at| {
                let kept = (bits - 1).saturating_sub(at as u32 * self.digit).min(self.digit);
                let any = mix(seed << 56 ^ i << 8 ^ at);
                if kept == 0 { 0 } else { any >> (64 - kept) }
            })
        };
        // Parts consist of whole words of the host, except for the last one.
        let parts = (0..n.div_ceil(PART)).into_par_iter();
        parts
            .flat_map_iter(|part| self.collect((part * PART..n.min((part + 1) * PART)).flat_map(words)))
            .collect()
    }

    #[cfg(test)]
    fn pack(self, numbers: &[BigUint]) -> Vec<u64> {
        let digits = |x| pairwright_moma::print::digits(x, self.digit, self.element.words);
        self.collect(numbers.iter().flat_map(digits))
    }

    /// Packs words of the device one after the other; an incomplete last word is filled with zeros.
    fn collect(self, words: impl Iterator<Item = u64>) -> Vec<u64> {
        if self.element.word_bits == 64 {
            return words.collect();
        }
        let mut all = Vec::new();
        for (at, word) in words.enumerate() {
            match all.last_mut() {
                Some(last) if at % 2 == 1 => *last |= word << 32,
                _ => all.push(word),
            }
        }
        all
    }

    /// The value of element `index` of some words.
    fn number(self, words: &[u64], index: u64) -> BigUint {
        self.number_at(words, index as usize * self.element.words)
    }

    /// The value of the element whose first device word has the index `first`.
    fn number_at(self, words: &[u64], first: usize) -> BigUint {
        let digits = first..first + self.element.words;
        value(&digits.map(|at| self.word(words, at)).collect::<Vec<_>>(), self.digit)
    }

    /// Device word `at` in some words of the host.
    fn word(self, words: &[u64], at: usize) -> u64 {
        match self.element.word_bits {
            64 => words[at],
            _ => words[at / 2] >> (32 * (at % 2)) & u64::from(u32::MAX),
        }
    }

    /// Writes the value of element `index` to limbs of 64 bits, cut to their number.
    fn limbs(self, words: &[u64], index: u64, limbs: &mut [u64]) {
        limbs.fill(0);
        let first = index as usize * self.element.words;
        for at in 0..self.element.words {
            let (digit, bit) = (self.word(words, first + at), at * self.digit as usize);
            let mut place = |at: usize, part: u64| {
                if let Some(limb) = limbs.get_mut(at) {
                    *limb |= part;
                }
            };
            place(bit / 64, digit << (bit % 64));
            place(bit / 64 + 1, if bit % 64 == 0 { 0 } else { digit >> (64 - bit % 64) });
        }
    }

    /// The device words of an element that is given in limbs of 64 bits.
    fn digits(self, limbs: &[u64]) -> impl Iterator<Item = u64> + '_ {
        let limb = move |at: usize| limbs.get(at).copied().unwrap_or(0);
        (0..self.element.words).map(move |at| {
            let bit = at * self.digit as usize;
            let both = u128::from(limb(bit / 64)) | u128::from(limb(bit / 64 + 1)) << 64;
            (both >> (bit % 64)) as u64 & (u64::MAX >> (64 - self.digit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_moma::program::interp::{Data, run};

    #[test]
    fn random_elements_are_below_every_modulus_of_the_width() {
        for (word_bits, words, digit, bits) in
            [(32, 8, 32, 255), (32, 3, 32, 96), (64, 6, 64, 381), (32, 12, 32, 377), (64, 5, 52, 255)]
        {
            let form = Form { element: Element { word_bits, words }, digit };
            let all = form.random(37, bits, 1);
            let numbers: Vec<BigUint> = (0..37).map(|i| form.number(&all, i)).collect();
            assert_eq!(form.pack(&numbers), all);
            assert!(numbers.iter().all(|x| x.bits() < u64::from(bits)));
            assert!(numbers.iter().any(|x| x.bits() == u64::from(bits) - 1), "{numbers:?}");
            let distinct: std::collections::BTreeSet<&BigUint> = numbers.iter().collect();
            assert_eq!(distinct.len(), 37);
        }
    }

    #[test]
    fn samples_have_both_ends_and_stay_inside() {
        let found = sample(1000, 48);
        assert_eq!((found[0], found[1], found.len()), (0, 999, 48));
        assert!(found.iter().all(|at| *at < 1000));
        assert_eq!(sample(1, 3), [0, 0, 0]);
    }

    #[test]
    fn products_are_what_the_check_expects() {
        let q = BigUint::from(1_000_003u32);
        let rule = FieldRule::montgomery(&q, 32).unwrap();
        let element = Element { word_bits: 32, words: 1 };
        let (blocks, rounds, chains) = (1, 3, 2u32);
        let n = 128 * chains;
        let values: Vec<BigUint> = (0..n).map(|i| BigUint::from(i * 37 + 5)).collect();
        let mut data = vec![Data::unset(n as usize), Data::of(&values)];
        run(&products(element, chains), &rule, &[blocks, rounds], &mut data).unwrap();
        let found = data[0].elements().unwrap();
        for (i, start) in values.iter().enumerate() {
            let turns = 0..rounds * REPEAT;
            let expected = turns.fold(start.clone(), |x, _| rule.call(Role::Mul, &x, &values[0]));
            assert_eq!(found[i], expected, "{i}");
        }
    }
}
