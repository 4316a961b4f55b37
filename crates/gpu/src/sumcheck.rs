//! Rounds of sumchecks on the device: tables stay there from round to round, and what comes back is a few values.

use crate::NAME;
use crate::elements::{pack, unpack, words_of};
use crate::launch::Arg;
use crate::memory::{Copies, Need, Words};
use crate::programs::Programs;
use crate::workshop::Workshop;
use pairwright_device::{DeviceError, Done, OpCount, SumcheckOp, Traffic, sumcheck_len};
use pairwright_field::PrimeField;
use pairwright_moma::program::tables;
use pairwright_poly::{Buf, SumOfProducts};
use std::sync::Arc;
use std::time::Instant;

/// Threads of a multiprocessor that a round is spread over.
const THREADS_PER_MULTIPROCESSOR: u32 = 1024;

/// Most pairs of a table: indices of a launch have 32 bits.
const MOST: usize = 1 << 30;

/// The rounds of a CUDA device. A sum of more tables than a kernel takes is the host's.
pub struct Sumcheck<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    host: Arc<dyn SumcheckOp<F>>,
    programs: Programs,
}

impl<F: PrimeField> Sumcheck<F> {
    /// The rounds on the device of a workshop, with the host's for sums of many tables.
    pub fn new(workshop: Arc<Workshop<F>>, host: Arc<dyn SumcheckOp<F>>) -> Self {
        Self { workshop, host, programs: Programs::default() }
    }

    /// Room for operands that are to come and for results.
    fn room(&self, tables: &[Buf<F>], results: u64) -> Result<(), DeviceError> {
        let come: u64 = tables.iter().map(|table| self.workshop.bytes_to_come(&table.view())).sum();
        Ok(self.workshop.room(&Need::new().and("tables", come).and("results", results), &[])?)
    }

    /// The values of a round: sums of each thread first, then of eight sums each, and the last few on the host.
    fn round_on_device(
        &self,
        sum: &SumOfProducts<F>,
        tables: &[Buf<F>],
        pairs: usize,
        copies: &mut Copies,
    ) -> Result<Option<(Vec<F>, OpCount)>, DeviceError> {
        let terms: Vec<Vec<usize>> = sum.terms.iter().map(|term| term.tables.clone()).collect();
        let element = self.workshop.element();
        let Some(program) = tables::round(element, tables.len(), &terms) else { return Ok(None) };
        let gpu = self.workshop.gpu();
        let threads = gpu.facts().multiprocessors.max(1) * THREADS_PER_MULTIPROCESSOR;
        let log_n = pairs.ilog2().min(threads.ilog2());
        let (mut n, turns) = (1usize << log_n, u32::try_from(pairs >> log_n).unwrap_or(u32::MAX));
        let values = sum.degree() + 1;
        self.room(tables, (2 * n * values * F::BYTES) as u64)?;

        let name = format!("{} {terms:?}", tables.len());
        let kernel = self.programs.get(&self.workshop, &name, || program)?;
        let coefficients: Vec<F> = sum.terms.iter().map(|term| term.coefficient).collect();
        let coefficients = Words::from_host(gpu, &pack(&coefficients), copies)?;
        let operands = tables.iter().map(|table| self.workshop.resident(&table.view(), copies));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let mut out = Words::unset(gpu, n * values * words_of::<F>())?;
        let mut arguments = vec![Arg::Write(&mut out), Arg::Read(&coefficients)];
        arguments.extend(operands.iter().map(|words| Arg::Read(words)));
        let scalars = [u32::try_from(n).unwrap_or(u32::MAX), log_n, turns];
        // SAFETY: every table has `2 n turns` values, there is a coefficient for each term, and room for `n` sums at each
        // place.
        unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
        let mut ops = kernel.ops(&scalars);

        let eight = tables::SUMMED as usize;
        while n >= eight {
            n /= eight;
            let fold = self.programs.get(&self.workshop, "sums", || tables::sums(element))?;
            let mut next = Words::unset(gpu, n * values * words_of::<F>())?;
            let scalars = [u32::try_from(n * values).unwrap_or(u32::MAX)];
            // SAFETY: there are eight sums for each that is written.
            unsafe {
                let arguments = vec![Arg::Write(&mut next), Arg::Read(&out)];
                fold.launch(&scalars, arguments, self.workshop.constants())?;
            }
            ops += fold.ops(&scalars);
            out = next;
        }
        let mut words = vec![0; out.len()];
        out.read(&mut words, copies)?;
        let mut parts = vec![F::ZERO; n * values];
        unpack(&words, &mut parts)?;
        let totals = parts.chunks_exact(n).map(|parts| parts.iter().fold(F::ZERO, |sum, x| sum + *x));
        Ok(Some((totals.collect(), ops)))
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
        let start = Instant::now();
        let mut copies = Copies::default();
        let gpu = self.workshop.gpu();
        let half = (len / 2 * all.len() * F::BYTES) as u64;
        self.room(all, half)?;
        let element = self.workshop.element();
        let kernel = self.programs.get(&self.workshop, "bind", || tables::bind(element))?;
        let coordinate = Words::from_host(gpu, &pack(&[*r]), &mut copies)?;
        let scalars = [u32::try_from(len / 2).unwrap_or(u32::MAX), 0];
        let mut ops = OpCount::default();
        let mut bound = Vec::with_capacity(all.len());
        for table in &*all {
            let from = self.workshop.resident(&table.view(), &mut copies)?;
            let mut out = Words::unset(gpu, len / 2 * words_of::<F>())?;
            let arguments = vec![Arg::Write(&mut out), Arg::Read(&from), Arg::Read(&coordinate)];
            // SAFETY: the table has two values for each that is written, and one coordinate is there.
            unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
            ops += kernel.ops(&scalars);
            bound.push(self.workshop.left_unseen(Arc::new(out), len / 2));
        }
        gpu.wait()?;
        // All of them or none.
        all.iter_mut().zip(bound).for_each(|(table, bound)| *table = bound);
        Ok(((), self.workshop.cost(start, Traffic { read: 2 * half, written: half }, copies, ops)))
    }
}
