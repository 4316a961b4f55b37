//! Rounds of sumchecks on the device: tables stay there from round to round, and only a few values are copied back.
//!
//! A table is read once per round: binding its first variable also computes the sums of the next round, for the same
//! sum of products as in the round before. A request for that round then only waits for values that are already being
//! computed.

use crate::elements::{pack, words_of};
use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::programs::Programs;
use crate::saturating_u32;
use crate::workshop::{Loaded, Workshop};
use pairwright_device::{DeviceError, Done, OpCount, SumcheckOp, Traffic, Transfer, once, sumcheck_len};
use pairwright_field::PrimeField;
use pairwright_moma::program::rounds::{self, Product, Weight};
use pairwright_poly::{Buf, SumOfProducts, Term};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

/// Number of blocks per multiprocessor for a round, if the device does not report how many it runs at a time.
const BLOCKS: u32 = 4;

/// Greatest number of pairs of a table: indices of a launch have 32 bits.
const MOST_PAIRS: usize = 1 << 30;

/// Least number of pairs of a round on the device: with fewer, launching a round and waiting for it takes longer than
/// computing it on the host. The number is an estimate: a round and a binding take a device some 80 µs and a host core with
/// lanes 0.1 µs per pair.
pub(crate) const LEAST_PAIRS: usize = 1 << 9;

/// Greatest number of blocks whose sums the host adds up; the sums of more blocks are added up by another launch.
pub(crate) const SUMMED_BY_HOST: u32 = 128;

/// The rounds of a device. The host computes sums of more tables than a kernel supports, and the last rounds, which
/// have few pairs.
pub struct Sumcheck<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    host: Arc<dyn SumcheckOp<F>>,
    programs: Programs,
    known: Mutex<Vec<SumKernel>>,
    least: usize,
    /// The elements zero and one on the device.
    zero_and_one: OnceLock<Arc<Words>>,
    last: Mutex<Option<LastRound<F>>>,
}

/// The round that was computed last, or that a binding has computed in advance.
struct LastRound<F> {
    sum: SumOfProducts<F>,
    /// Zero, one, and the coefficients of the sum, on the device.
    coefficients: Arc<Words>,
    /// The tables of the round; only the identity of the buffers is used, and they are not kept alive.
    tables: Vec<Weak<Words>>,
    /// The sums of the round's blocks, if they have not been requested yet.
    ahead: Option<Words>,
}

impl<F> LastRound<F> {
    /// Whether the round is of these tables. A buffer is not written after it is shared, so the same buffer has the
    /// same values.
    fn is_of(&self, tables: &[Arc<Words>]) -> bool {
        let same = |(weak, table): (&Weak<Words>, &Arc<Words>)| {
            weak.upgrade().is_some_and(|known| Arc::ptr_eq(&known, table))
        };
        self.tables.len() == tables.len() && self.tables.iter().zip(tables).all(same)
    }
}

/// The sum in the form that the program of the kernel takes.
fn products<F: PrimeField>(sum: &SumOfProducts<F>) -> Vec<Product> {
    let weight = |at, coefficient: F| match coefficient {
        one if one == F::ONE => Weight::One,
        minus_one if minus_one == -F::ONE => Weight::MinusOne,
        _ => Weight::Coefficient(at),
    };
    let product = |(at, term): (usize, &Term<F>)| Product {
        weight: weight(at, term.coefficient),
        tables: term.tables.clone(),
    };
    sum.terms.iter().enumerate().map(product).collect()
}

/// The kernel of a sum of products.
#[derive(Clone)]
struct SumKernel {
    terms: Vec<Product>,
    tables: usize,
    /// Whether the kernel binds the tables first.
    bound: bool,
    kernel: Arc<Loaded>,
    /// Number of field multiplications per pair.
    products: u64,
    /// Number of field additions and subtractions per pair.
    sums: u64,
}

/// The kernel of a round with its launch on a device.
struct RoundLaunch {
    kernel: Arc<Loaded>,
    scalars: [u32; 3],
    ops: OpCount,
}

impl RoundLaunch {
    fn blocks(&self) -> u32 {
        self.scalars[1]
    }
}

impl<F: PrimeField> Sumcheck<F> {
    /// The rounds on the device of a workshop; `host` computes sums of many tables and rounds of few pairs.
    pub fn new(workshop: Arc<Workshop<F>>, host: Arc<dyn SumcheckOp<F>>) -> Self {
        let least = workshop.sumcheck_least().unwrap_or(LEAST_PAIRS);
        let (programs, known) = (Programs::default(), Mutex::default());
        Self { workshop, host, programs, known, least, zero_and_one: OnceLock::new(), last: Mutex::default() }
    }

    /// The same with another least number of pairs for rounds on the device.
    #[must_use]
    pub fn with_least(self, pairs: usize) -> Self {
        Self { least: pairs.max(1), ..self }
    }

    /// Checks the memory for operands that have to be copied and for results.
    fn make_room(&self, tables: &[Buf<F>], results: u64) -> Result<(), DeviceError> {
        let come: u64 = tables.iter().map(|table| self.workshop.bytes_to_come(&table.view())).sum();
        Ok(self
            .workshop
            .make_room(&Need::new().with_part("tables", come).with_part("results", results), &[])?)
    }

    fn last(&self) -> MutexGuard<'_, Option<LastRound<F>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn zero_and_one(&self, copies: &mut Transfer) -> Result<Arc<Words>, GpuError> {
        let make = || Words::from_host(self.workshop.gpu(), &pack(&[F::ZERO, F::ONE]), copies).map(Arc::new);
        once(&self.zero_and_one, make).cloned()
    }

    /// Zero and one on the device, followed by the coefficients unless all of them are one or minus one.
    fn coefficients(&self, sum: &SumOfProducts<F>, copies: &mut Transfer) -> Result<Arc<Words>, GpuError> {
        if let Some(last) = self.last().as_ref().filter(|last| last.sum == *sum) {
            return Ok(Arc::clone(&last.coefficients));
        }
        if sum.terms.iter().all(|term| [F::ONE, -F::ONE].contains(&term.coefficient)) {
            return self.zero_and_one(copies);
        }
        let coefficients = sum.terms.iter().map(|term| term.coefficient);
        let all: Vec<F> = [F::ZERO, F::ONE].into_iter().chain(coefficients).collect();
        Ok(Arc::new(Words::from_host(self.workshop.gpu(), &pack(&all), copies)?))
    }

    fn resident(&self, tables: &[Buf<F>], copies: &mut Transfer) -> Result<Vec<Arc<Words>>, DeviceError> {
        tables.iter().map(|table| self.workshop.resident(&table.view(), copies)).collect()
    }

    /// The kernel of a sum of products, compiled at its first use; `None` if there is no program for it.
    fn known(&self, terms: Vec<Product>, tables: usize, bound: bool) -> Result<Option<SumKernel>, GpuError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is = |known: &&SumKernel| known.bound == bound && known.tables == tables && known.terms == terms;
        if let Some(known) = known.iter().find(is) {
            return Ok(Some(known.clone()));
        }
        let program = if bound { rounds::step } else { rounds::round };
        let Some(round) = program(self.workshop.element(), tables, &terms) else { return Ok(None) };
        let (products, sums) = (round.products, round.sums);
        let kernel = Arc::new(self.workshop.load(round.kernel)?);
        let made = SumKernel { terms, tables, bound, kernel, products, sums };
        known.push(made.clone());
        Ok(Some(made))
    }

    /// The kernel and the launch of a round of `pairs` pairs, with or without binding first; `None` if there is no
    /// program for it.
    fn spread(
        &self,
        sum: &SumOfProducts<F>,
        tables: usize,
        bound: bool,
        pairs: usize,
    ) -> Result<Option<RoundLaunch>, GpuError> {
        let Some(SumKernel { kernel, products, sums, .. }) = self.known(products(sum), tables, bound)? else {
            return Ok(None);
        };
        let pairs_of = pairs as u64;
        let ops = OpCount { field_mul: pairs_of * products, field_add: pairs_of * sums, point_add: 0 };
        let resident = match kernel.resident() {
            Err(GpuError::NotCuda) => BLOCKS,
            found => found?.max(1),
        };
        let most = resident.saturating_mul(self.workshop.gpu().facts().multiprocessors.max(1));
        let threads = rounds::THREADS as usize;
        let blocks = saturating_u32(pairs.div_ceil(threads)).min(most);
        let turns = saturating_u32(pairs.div_ceil(threads * blocks as usize));
        Ok(Some(RoundLaunch { kernel, scalars: [saturating_u32(pairs), blocks, turns], ops }))
    }

    /// Launches a round on its tables; `bound` gives the bytes of the coordinate and the buffers for the bound tables,
    /// if these are bound first. Returns the sums of the blocks or, if there are many blocks, the totals;
    /// [`Self::values`] reads both.
    fn launch(
        &self,
        spread: &RoundLaunch,
        values: usize,
        coefficients: &Words,
        tables: &[Arc<Words>],
        bound: Option<(&[u8], &mut [Words])>,
    ) -> Result<Words, GpuError> {
        let (gpu, blocks) = (self.workshop.gpu(), spread.blocks());
        let words = values * words_of::<F>();
        let totals = if blocks > SUMMED_BY_HOST { words } else { 0 };
        let mut buffers = Words::together(gpu, &[blocks as usize * words, totals])?;
        let (mut all, mut out) = (buffers.swap_remove(1), buffers.swap_remove(0));
        let mut arguments = vec![Arg::Write(&mut out)];
        let (r, bound) = bound.map_or_else(Default::default, |(r, bound)| (Some(r), bound));
        arguments.extend(bound.iter_mut().map(Arg::Write));
        arguments.push(Arg::Read(coefficients));
        arguments.extend(r.map(Arg::Bytes));
        arguments.extend(tables.iter().map(|words| Arg::Read(words)));
        // SAFETY: every table has two values for each pair, or four where it is bound, for which there is room; the weights
        // name coefficients that are there, and there is room for a sum of each block at each place.
        unsafe { spread.kernel.launch(&spread.scalars, arguments, self.workshop.constants())? };
        if blocks <= SUMMED_BY_HOST {
            return Ok(out);
        }
        let element = self.workshop.element();
        let totals = self.programs.get(&self.workshop, "totals", || rounds::totals(element))?;
        let scalars = [blocks, saturating_u32(values), blocks.div_ceil(rounds::THREADS)];
        // The coefficients begin with zero.
        let arguments = vec![Arg::Write(&mut all), Arg::Read(coefficients), Arg::Read(&out)];
        // SAFETY: there are as many sums of blocks for each value, and room for the values.
        unsafe { totals.launch(&scalars, arguments, self.workshop.constants())? };
        Ok(all)
    }

    /// Reads the values of a round from its sums on the device.
    fn values(&self, sums: &Words, values: usize, copies: &mut Transfer) -> Result<Vec<F>, GpuError> {
        let of_blocks: Vec<F> = sums.fetch(copies)?;
        let each = (of_blocks.len() / values.max(1)).max(1);
        Ok(of_blocks.chunks(each).map(|sums| sums.iter().fold(F::ZERO, |all, x| all + *x)).collect())
    }

    /// The values of a round, which a binding may have computed already.
    fn round_on_device(
        &self,
        sum: &SumOfProducts<F>,
        tables: &[Buf<F>],
        pairs: usize,
        copies: &mut Transfer,
    ) -> Result<Option<(Vec<F>, OpCount)>, DeviceError> {
        let values = sum.degree() + 1;
        self.make_room(tables, 0)?;
        let words = self.resident(tables, copies)?;
        let ahead = match &mut *self.last() {
            Some(last) if last.sum == *sum && last.is_of(&words) => last.ahead.take(),
            _ => None,
        };
        if let Some(sums) = ahead {
            return Ok(Some((self.values(&sums, values, copies)?, OpCount::default())));
        }
        let Some(spread) = self.spread(sum, tables.len(), false, pairs)? else { return Ok(None) };
        let coefficients = self.coefficients(sum, copies)?;
        let sums = self.launch(&spread, values, &coefficients, &words, None)?;
        let found = self.values(&sums, values, copies)?;
        let tables = words.iter().map(Arc::downgrade).collect();
        *self.last() = Some(LastRound { sum: sum.clone(), coefficients, tables, ahead: None });
        Ok(Some((found, spread.ops)))
    }

    /// Binds tables, and computes the next round as well if the last round was of these tables and the host does not
    /// compute the next one.
    fn bind_on_device(
        &self,
        tables: &[Buf<F>],
        n: usize,
        r: &[u8],
        copies: &mut Transfer,
    ) -> Result<(Vec<Buf<F>>, OpCount), DeviceError> {
        let gpu = self.workshop.gpu();
        let from = self.resident(tables, copies)?;
        let mut bound = Words::together(gpu, &vec![n * words_of::<F>(); tables.len()])?;
        let last = self.last().take().filter(|last| last.is_of(&from) && n / 2 >= self.least);
        let next = match &last {
            Some(last) => self.spread(&last.sum, tables.len(), true, n / 2)?,
            None => None,
        };
        let left = |words: Vec<Arc<Words>>| {
            words.into_iter().map(|words| self.workshop.unchecked_result(words, n)).collect::<Vec<_>>()
        };
        let kept = |bound: Vec<Words>| bound.into_iter().map(Arc::new).collect::<Vec<_>>();
        if let (Some(last), Some(spread)) = (last, next) {
            let values = last.sum.degree() + 1;
            let sums = self.launch(&spread, values, &last.coefficients, &from, Some((r, &mut bound)))?;
            let bound = kept(bound);
            let tables = bound.iter().map(Arc::downgrade).collect();
            *self.last() = Some(LastRound { tables, ahead: Some(sums), ..last });
            return Ok((left(bound), spread.ops));
        }
        let element = self.workshop.element();
        let name = format!("binds {}", tables.len());
        let kernel = self.programs.get(&self.workshop, &name, || rounds::binds(element, tables.len()))?;
        let mut arguments: Vec<Arg<'_>> = bound.iter_mut().map(Arg::Write).collect();
        arguments.extend(from.iter().map(|words| Arg::Read(words)));
        arguments.push(Arg::Bytes(r));
        let scalars = [saturating_u32(n)];
        // SAFETY: every table has two values for each that is written, and one coordinate is there.
        unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
        Ok((left(kept(bound)), kernel.ops(&scalars)))
    }

    /// Measures the kernels of each round of a sumcheck on tables of `2^log_n` values, by events on the device; returns
    /// the number of pairs and the time of each round, without the rounds of the host. The tables hold zeros, since the
    /// time of the kernels does not depend on the values.
    ///
    /// # Errors
    /// Those of the compiler and the driver; [`DeviceError::MissingTable`] for a sum without a program.
    pub fn kernel_times(
        &self,
        sum: &SumOfProducts<F>,
        log_n: u32,
    ) -> Result<Vec<(usize, Duration)>, DeviceError> {
        let (gpu, tables, values) = (self.workshop.gpu(), sum.tables(), sum.degree() + 1);
        let copies = &mut self.workshop.call().copies;
        let n = 1usize << log_n;
        let table = |n: usize| Words::zeros(gpu, n * words_of::<F>());
        let all = (2 * tables * n * F::BYTES) as u64;
        self.workshop.make_room(&Need::new().with_part("tables", all), &[])?;
        let coefficients = self.coefficients(sum, copies)?;
        let r = vec![0; F::BYTES];
        let mut from = (0..tables).map(|_| table(n).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        let mut times = Vec::new();
        let mut pairs = n / 2;
        while pairs >= self.least.max(1) {
            let first = times.is_empty();
            let Some(spread) = self.spread(sum, tables, !first, pairs)? else {
                return Err(DeviceError::MissingTable { op: "sumcheck_round", wanted: 1, given: 0 });
            };
            let mut bound = match first {
                true => Vec::new(),
                false => (0..tables).map(|_| table(2 * pairs)).collect::<Result<Vec<_>, _>>()?,
            };
            let mut run = || {
                let step = (!first).then_some((&r[..], &mut bound[..]));
                let work = || self.launch(&spread, values, &coefficients, &from, step).map(drop);
                self.workshop.setup().timed(work)
            };
            run()?;
            times.push((pairs, run()?.1));
            if !first {
                from = bound.into_iter().map(Arc::new).collect();
            }
            pairs /= 2;
        }
        Ok(times)
    }
}

impl<F: PrimeField> SumcheckOp<F> for Sumcheck<F> {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let op = "sumcheck_round";
        let len = sumcheck_len(op, sum.tables(), tables)?;
        if len / 2 > MOST_PAIRS {
            return Err(DeviceError::TooLarge { op, len, max: 2 * MOST_PAIRS });
        }
        let has_kernel = !sum.terms.is_empty() && tables.len() <= rounds::MOST_TABLES;
        if len / 2 < self.least || !has_kernel {
            return self.host.round(sum, tables);
        }
        let mut call = self.workshop.call();
        match self.round_on_device(sum, tables, len / 2, &mut call.copies)? {
            None => self.host.round(sum, tables),
            Some((values, ops)) => {
                // The tables of values that a binding has computed were read by the binding.
                let read = if ops == OpCount::default() { 0 } else { len * tables.len() * F::BYTES };
                let traffic = Traffic { read: read as u64, written: (values.len() * F::BYTES) as u64 };
                call.ops = ops;
                Ok((values, call.cost(traffic)))
            }
        }
    }

    /// The tables stay on the device, which may still be computing them; the next call that waits for the device (a
    /// round, or a read of a table) includes that time.
    fn bind(&self, all: &mut [Buf<F>], r: &F) -> Done<()> {
        let op = "sumcheck_bind";
        let len = sumcheck_len(op, 0, all)?;
        if len / 2 > MOST_PAIRS {
            return Err(DeviceError::TooLarge { op, len, max: 2 * MOST_PAIRS });
        }
        if len / 2 < self.least {
            return self.host.bind(all, r);
        }
        let mut call = self.workshop.call();
        let half = (len / 2 * all.len() * F::BYTES) as u64;
        self.make_room(all, half)?;
        let coordinate: Vec<u8> = pack(&[*r]).iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut bound = Vec::with_capacity(all.len());
        for tables in all.chunks(rounds::MOST_TABLES) {
            let (bufs, count) = self.bind_on_device(tables, len / 2, &coordinate, &mut call.copies)?;
            bound.extend(bufs);
            call.ops += count;
        }
        // Replaced only when all of them are bound.
        all.iter_mut().zip(bound).for_each(|(table, bound)| *table = bound);
        Ok(((), call.cost(Traffic { read: 2 * half, written: half })))
    }
}
