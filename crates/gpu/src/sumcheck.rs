//! Rounds of sumchecks on the device: tables stay there from round to round, and what comes back is a few values.

use crate::NAME;
use crate::elements::{pack, unpack, words_of};
use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::{Copies, Need, Words};
use crate::programs::Programs;
use crate::workshop::Workshop;
use pairwright_device::{DeviceError, Done, OpCount, SumcheckOp, Traffic, sumcheck_len};
use pairwright_field::PrimeField;
use pairwright_moma::program::rounds::{self, Product, Weight};
use pairwright_poly::{Buf, SumOfProducts, Term};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Blocks of a multiprocessor that a round is spread over where the device does not say how many it runs at one time.
const BLOCKS: u32 = 4;

/// Most pairs of a table: indices of a launch have 32 bits.
const MOST: usize = 1 << 30;

/// Fewest pairs of a round on the device, where a round is little more than launches and waits. The number has not been
/// searched.
const LEAST: usize = 1 << 10;

/// The rounds of a device. A sum of more tables than a kernel takes is the host's, and so are the last rounds, of few pairs.
pub struct Sumcheck<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    host: Arc<dyn SumcheckOp<F>>,
    programs: Programs,
    least: usize,
    /// The elements zero and one on the device.
    zero_and_one: OnceLock<Words>,
}

/// The sum as the kernel's program has it.
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

impl<F: PrimeField> Sumcheck<F> {
    /// The rounds on the device of a workshop, with the host's for sums of many tables and for rounds of few pairs.
    pub fn new(workshop: Arc<Workshop<F>>, host: Arc<dyn SumcheckOp<F>>) -> Self {
        Self { workshop, host, programs: Programs::default(), least: LEAST, zero_and_one: OnceLock::new() }
    }

    /// The same with another number of pairs from which on rounds run on the device.
    #[must_use]
    pub fn with_least(self, pairs: usize) -> Self {
        Self { least: pairs, ..self }
    }

    /// Room for operands that are to come and for results.
    fn room(&self, tables: &[Buf<F>], results: u64) -> Result<(), DeviceError> {
        let come: u64 = tables.iter().map(|table| self.workshop.bytes_to_come(&table.view())).sum();
        Ok(self.workshop.room(&Need::new().and("tables", come).and("results", results), &[])?)
    }

    fn zero_and_one(&self, copies: &mut Copies) -> Result<&Words, GpuError> {
        if let Some(words) = self.zero_and_one.get() {
            return Ok(words);
        }
        let words = Words::from_host(self.workshop.gpu(), &pack(&[F::ZERO, F::ONE]), copies)?;
        Ok(self.zero_and_one.get_or_init(|| words))
    }

    /// The values of a round: a sum for each block first, then one of them all.
    fn round_on_device(
        &self,
        sum: &SumOfProducts<F>,
        tables: &[Buf<F>],
        pairs: usize,
        copies: &mut Copies,
    ) -> Result<Option<(Vec<F>, OpCount)>, DeviceError> {
        let (element, terms) = (self.workshop.element(), products(sum));
        let Some(round) = rounds::round(element, tables.len(), &terms) else { return Ok(None) };
        let ops = OpCount {
            field_mul: pairs as u64 * round.products,
            field_add: pairs as u64 * round.sums,
            point_add: 0,
        };
        let name = format!("{} {terms:?}", tables.len());
        let kernel = self.programs.get(&self.workshop, &name, || round.kernel)?;
        let gpu = self.workshop.gpu();
        let resident = match kernel.resident() {
            Err(GpuError::NotCuda) => BLOCKS,
            found => found?.max(1),
        };
        let most = resident.saturating_mul(gpu.facts().multiprocessors.max(1));
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let threads = rounds::THREADS as usize;
        let blocks = number(pairs.div_ceil(threads)).min(most);
        let turns = number(pairs.div_ceil(threads * blocks as usize));
        let values = sum.degree() + 1;
        self.room(tables, ((blocks as usize + 1) * values * F::BYTES) as u64)?;

        let weighted = terms.iter().any(|term| matches!(term.weight, Weight::Coefficient(_)));
        let zero_and_one = self.zero_and_one(copies)?;
        let coefficients = if weighted {
            let coefficients = sum.terms.iter().map(|term| term.coefficient);
            let all: Vec<F> = [F::ZERO, F::ONE].into_iter().chain(coefficients).collect();
            Some(Words::from_host(gpu, &pack(&all), copies)?)
        } else {
            None
        };
        let operands = tables.iter().map(|table| self.workshop.resident(&table.view(), copies));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let mut out = Words::unset(gpu, blocks as usize * values * words_of::<F>())?;
        let mut arguments =
            vec![Arg::Write(&mut out), Arg::Read(coefficients.as_ref().unwrap_or(zero_and_one))];
        arguments.extend(operands.iter().map(|words| Arg::Read(words)));
        // SAFETY: every table has `2 pairs` values, the weights name coefficients that are there, and there is room for a sum
        // of each block at each place.
        unsafe { kernel.launch(&[number(pairs), blocks, turns], arguments, self.workshop.constants())? };
        if blocks > 1 {
            let totals = self.programs.get(&self.workshop, "totals", || rounds::totals(element))?;
            let mut all = Words::unset(gpu, values * words_of::<F>())?;
            let scalars = [blocks, number(values), blocks.div_ceil(rounds::THREADS)];
            let arguments = vec![Arg::Write(&mut all), Arg::Read(zero_and_one), Arg::Read(&out)];
            // SAFETY: there are as many sums of blocks for each value, and room for the values.
            unsafe { totals.launch(&scalars, arguments, self.workshop.constants())? };
            out = all;
        }
        let mut words = vec![0; out.len()];
        out.read(&mut words, copies)?;
        let mut totals = vec![F::ZERO; values];
        unpack(&words, &mut totals)?;
        Ok(Some((totals, ops)))
    }

    /// The tables with their first variable fixed, as many of them as a kernel takes.
    fn bind_on_device(
        &self,
        tables: &[Buf<F>],
        n: usize,
        r: &Words,
        copies: &mut Copies,
    ) -> Result<(Vec<Buf<F>>, OpCount), DeviceError> {
        let (gpu, element) = (self.workshop.gpu(), self.workshop.element());
        let name = format!("binds {}", tables.len());
        let kernel = self.programs.get(&self.workshop, &name, || rounds::binds(element, tables.len()))?;
        let from = tables.iter().map(|table| self.workshop.resident(&table.view(), copies));
        let from = from.collect::<Result<Vec<_>, _>>()?;
        let bound = tables.iter().map(|_| Words::unset(gpu, n * words_of::<F>()));
        let mut bound = bound.collect::<Result<Vec<_>, _>>()?;
        let mut arguments: Vec<Arg<'_>> = bound.iter_mut().map(Arg::Write).collect();
        arguments.extend(from.iter().map(|words| Arg::Read(words)));
        arguments.push(Arg::Read(r));
        let scalars = [u32::try_from(n).unwrap_or(u32::MAX)];
        // SAFETY: every table has two values for each that is written, and one coordinate is there.
        unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
        let bufs = bound.into_iter().map(|words| self.workshop.left_unseen(Arc::new(words), n)).collect();
        Ok((bufs, kernel.ops(&scalars)))
    }
}

impl<F: PrimeField> core::fmt::Debug for Sumcheck<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Sumcheck on {NAME}")
    }
}

impl<F: PrimeField> SumcheckOp<F> for Sumcheck<F> {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let op = "sumcheck_round";
        let len = sumcheck_len(op, sum.tables(), tables)?;
        if len / 2 > MOST {
            return Err(DeviceError::TooLarge { op, len, max: 2 * MOST });
        }
        if len / 2 < self.least {
            return self.host.round(sum, tables);
        }
        let start = Instant::now();
        let mut copies = Copies::default();
        match self.round_on_device(sum, tables, len / 2, &mut copies)? {
            None => self.host.round(sum, tables),
            Some((values, ops)) => {
                let read = (len * tables.len() * F::BYTES) as u64;
                let traffic = Traffic { read, written: (values.len() * F::BYTES) as u64 };
                Ok((values, self.workshop.cost(start, traffic, copies, ops)))
            }
        }
    }

    fn bind(&self, all: &mut [Buf<F>], r: &F) -> Done<()> {
        let op = "sumcheck_bind";
        let len = sumcheck_len(op, 0, all)?;
        if len / 2 > MOST {
            return Err(DeviceError::TooLarge { op, len, max: 2 * MOST });
        }
        if len / 2 < self.least {
            return self.host.bind(all, r);
        }
        let start = Instant::now();
        let mut copies = Copies::default();
        let half = (len / 2 * all.len() * F::BYTES) as u64;
        self.room(all, half)?;
        let coordinate = Words::from_host(self.workshop.gpu(), &pack(&[*r]), &mut copies)?;
        let mut ops = OpCount::default();
        let mut bound = Vec::with_capacity(all.len());
        for tables in all.chunks(rounds::MOST_TABLES) {
            let (bufs, count) = self.bind_on_device(tables, len / 2, &coordinate, &mut copies)?;
            bound.extend(bufs);
            ops += count;
        }
        self.workshop.gpu().wait()?;
        // All of them or none.
        all.iter_mut().zip(bound).for_each(|(table, bound)| *table = bound);
        Ok(((), self.workshop.cost(start, Traffic { read: 2 * half, written: half }, copies, ops)))
    }
}
