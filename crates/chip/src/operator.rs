//! Operators as the chip runs them: the task is written, its operands are put into DRAM, the program runs, and the result is
//! read back.
//!
//! The work of the CPU before and after the program (writing operands and tables into DRAM, reading the result) takes no
//! cycles of the chip; L1 instructions do everything between.

use crate::MachineSpec;
use crate::isa::{Group, Image, IsaError, L1, VectorOp};
use crate::machine::layout::result_words;
use crate::machine::top::{
    self, Account, Chip, Draw, Payload, RegionContents, Task, TopError, Watch, Word, element, result, word,
};
use crate::machine::top::{ROW_WORDS, row as row_of, row_words};
use crate::machine::{Datapath, Row, Run};
use crate::task::ntt::{Method, Shape};
use crate::task::vector::VectorStep;
use crate::task::{self, Build, Schedule, TaskError, msm, ntt, vector};
use pairwright_curve::{Affine, Curve, Projective};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use thiserror::Error;

/// Why an operator did not run or gave no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// No program can be written for the operator.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The program did not run to its end.
    #[error(transparent)]
    Run(#[from] TopError),
    /// A word of a program of the pairing processor that is no instruction.
    #[error(transparent)]
    Word(#[from] IsaError),
    /// Two operands of different lengths.
    #[error("operands of {left} and {right} elements")]
    Lengths {
        /// Elements of the first.
        left: usize,
        /// Elements of the second.
        right: usize,
    },
    /// Words of DRAM that are no result: a bug of a program.
    #[error("word {at} of the result is not a field element")]
    Result {
        /// Index of the word in the result.
        at: usize,
    },
}

/// The result of an operator with the account of its run.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// The result of the operator.
    pub value: T,
    /// Cycles, traffic and counts of the run.
    pub account: Account,
}

/// Starts an iterator over the scalars of an MSM, from the first one on; every call gives the same scalars.
pub type Scalars<F> = Box<dyn Fn() -> Box<dyn Iterator<Item = F>>>;

/// Options that decide how operators run.
#[derive(Clone, Copy, Debug)]
pub struct OperatorOptions {
    /// Whether transfers overlap with computation.
    pub schedule: Schedule,
    /// The step in which the powers of a coset's shift are applied: in the twiddles, or in a pass of their own.
    pub method: Method,
}

impl Default for OperatorOptions {
    /// The faster of the paper's options: transfers hidden, cosets merged.
    fn default() -> Self {
        Self { schedule: Schedule::Hidden, method: Method::Merged }
    }
}

/// A transform as a task, with the numbers of its input and output regions.
///
/// # Errors
/// Fewer than 32 points.
pub fn ntt_task<F: PrimeField>(
    spec: &MachineSpec,
    shape: &Shape<F>,
    options: OperatorOptions,
) -> Result<(Task<F>, [usize; 2]), TaskError> {
    let log_n = shape.domain.log_size();
    let mut build = Build::new(format!(
        "{}{}NTT of 2^{log_n} points",
        if shape.shift == F::ONE { "" } else { "coset " },
        if shape.inverse { "I" } else { "" },
    ));
    let input = build.region("input", 1 << log_n);
    let output = build.region("output", 1 << log_n);
    ntt::append_by(options.method, &mut build, spec, shape, options.schedule, [input, output])?;
    Ok((build.finish(), [input, output]))
}

/// Transforms `data` in place, natural order in and out. A transform of fewer than 32 points is done as one of 32.
///
/// # Errors
/// [`OperatorError`].
pub fn ntt<F: PrimeField>(
    spec: &MachineSpec,
    shape: &Shape<F>,
    options: OperatorOptions,
    data: &mut [F],
) -> Result<Account, OperatorError> {
    same(data.len(), shape.domain.size())?;
    if let Some((wide, stride)) = widened(&shape.domain) {
        // Forward: the added coefficients are zero, and every `stride`-th value is a value on the small domain. Inverse: the
        // values at the other points are set to zero, which divides the coefficients by `stride`.
        let mut values = vec![F::ZERO; wide.size()];
        let scale = F::from(stride as u64);
        for (k, value) in data.iter().enumerate() {
            values[if shape.inverse { k * stride } else { k }] =
                if shape.inverse { *value * scale } else { *value };
        }
        let account = ntt(spec, &Shape { domain: wide, ..*shape }, options, &mut values)?;
        for (k, value) in data.iter_mut().enumerate() {
            *value = values[if shape.inverse { k } else { k * stride }];
        }
        return Ok(account);
    }
    let (task, [input, output]) = ntt_task(spec, shape, options)?;
    run(spec, &task, input, output, data)
}

/// Transforms values on a domain to values on the coset of generator `shift`, in place: an inverse and a forward transform
/// in one program.
///
/// # Errors
/// [`OperatorError`].
pub fn extend<F: PrimeField>(
    spec: &MachineSpec,
    domain: &Domain<F>,
    shift: F,
    options: OperatorOptions,
    data: &mut [F],
) -> Result<Account, OperatorError> {
    same(data.len(), domain.size())?;
    let back = Shape { domain: *domain, inverse: true, shift: F::ONE };
    let forth = Shape { domain: *domain, inverse: false, shift };
    if widened(domain).is_some() {
        let first = ntt(spec, &back, options, data)?;
        return Ok(first.then(&ntt(spec, &forth, options, data)?));
    }
    let log_n = domain.log_size();
    let mut build = Build::new(format!("INTT and coset NTT of 2^{log_n} points"));
    let [input, between, output] =
        ["values", "coefficients", "values on the coset"].map(|name| build.region(name, 1 << log_n));
    ntt::append(&mut build, spec, &back, options.schedule, [input, between])?;
    ntt::append_by(options.method, &mut build, spec, &forth, options.schedule, [between, output])?;
    run(spec, &build.finish(), input, output, data)
}

/// Runs a task with `data` as its input and reads its output back.
fn run<F: PrimeField>(
    spec: &MachineSpec,
    task: &Task<F>,
    input: usize,
    output: usize,
    data: &mut [F],
) -> Result<Account, OperatorError> {
    let contents = |region| Some(if region == input { data.iter().map(word).collect() } else { Vec::new() });
    let (account, chip) = run_task::<F, (), ()>(spec, task, contents)?;
    read(&chip, task, output, data)?;
    Ok(account)
}

/// Runs a task with these contents of its regions; returns the account and the chip.
fn run_task<F: PrimeField, P1: Payload, P2: Payload>(
    spec: &MachineSpec,
    task: &Task<F>,
    contents: impl FnMut(usize) -> Option<Vec<Word>>,
) -> Result<(Account, Chip<F, P1, P2>), OperatorError> {
    let mut chip = Chip::new(spec)?;
    chip.load(task, contents)?;
    Ok((chip.run(task)?, chip))
}

/// Simulates a transform of any size without data, in little memory. Equal sub-transforms are simulated once, and `watch` is
/// called for every instruction.
///
/// # Errors
/// [`OperatorError`].
pub fn ntt_watched<F: PrimeField>(
    spec: &MachineSpec,
    shape: &Shape<F>,
    options: OperatorOptions,
    watch: Watch<'_>,
) -> Result<Account, OperatorError> {
    let (task, _) = ntt_task(spec, shape, options)?;
    let mut chip = Chip::<F, (), ()>::new(spec)?;
    chip.without_data();
    chip.load(&task, |_| None)?;
    Ok(chip.run_watched(&task, watch)?)
}

/// Computes `a[i] <- (a[i] op b[i]) op …` in place; each operand passes memory once.
///
/// # Errors
/// [`OperatorError`].
pub fn vector<F: PrimeField>(
    spec: &MachineSpec,
    options: OperatorOptions,
    a: &mut [F],
    operands: &[(VectorOp, &[F])],
) -> Result<Account, OperatorError> {
    let entries = a.len() as u64;
    let mut build = Build::new(format!("vector operation on {entries} entries"));
    let input = build.region("input", entries);
    let steps: Vec<VectorStep> = operands
        .iter()
        .map(|(op, _)| VectorStep { op: *op, operand: build.region("operand", entries) })
        .collect();
    for (_, b) in operands {
        same(a.len(), b.len())?;
    }
    if entries > 0 {
        vector::append(&mut build, entries, options.schedule, input, &steps, input);
    }
    let task = build.finish();
    let (account, chip) = run_task::<F, (), ()>(spec, &task, |region| match region.checked_sub(input + 1) {
        None => Some(a.iter().map(word).collect()),
        Some(k) => Some(operands[k].1.iter().map(word).collect()),
    })?;
    read(&chip, &task, input, a)?;
    Ok(account)
}

fn read<F: PrimeField>(
    chip: &Chip<F, (), ()>,
    task: &Task<F>,
    region: usize,
    into: &mut [F],
) -> Result<(), OperatorError> {
    for (at, (value, word)) in into.iter_mut().zip(chip.read(task, region)?).enumerate() {
        *value = element(&word).ok_or(OperatorError::Result { at })?;
    }
    Ok(())
}

/// An MSM as a task, with the numbers of its regions: points, scalars, result.
pub fn msm_task<F: PrimeField>(
    spec: &MachineSpec,
    group: Group,
    entries: u64,
    schedule: Schedule,
) -> (Task<F>, [usize; 3]) {
    let mut build = Build::new(format!("{} MSM of {entries} points", ["G1", "G2"][group as usize]));
    let points = build.region("points", msm::bases_words(spec, (group, F::BITS), entries));
    let scalars = build.region("scalars", entries);
    let output = build.region("result", result_words(group));
    // The empty sum is the point at infinity, for which the program has no instructions.
    if entries > 0 {
        msm::append(&mut build, spec, (group, F::BITS), entries, schedule, [points, scalars, output]);
    }
    (build.finish(), [points, scalars, output])
}

/// Computes `Σ scalars[i]·bases[i]`, with every point and every addition simulated.
///
/// # Errors
/// [`OperatorError`].
pub fn msm<C: Curve>(
    spec: &MachineSpec,
    group: Group,
    options: OperatorOptions,
    bases: &[Affine<C>],
    scalars: &[C::Scalar],
) -> Result<Outcome<Projective<C>>, OperatorError> {
    same(bases.len(), scalars.len())?;
    let (task, [points, digits, output]) =
        msm_task::<C::Scalar>(spec, group, bases.len() as u64, options.schedule);
    let plan = spec.msm.plan(group, C::Scalar::BITS);
    let contents = |region: usize| {
        Some(if region == points {
            top::bases(bases, group, &plan)
        } else if region == digits {
            scalars.iter().map(scalar_word).collect()
        } else {
            Vec::new()
        })
    };
    let (account, words) = match group {
        Group::G1 => {
            let (account, chip) = run_task::<_, Projective<C>, ()>(spec, &task, contents)?;
            (account, chip.read(&task, output)?)
        }
        Group::G2 => {
            let (account, chip) = run_task::<_, (), Projective<C>>(spec, &task, contents)?;
            (account, chip.read(&task, output)?)
        }
    };
    let value = if bases.is_empty() { Some(Projective::INFINITY) } else { result(&words) };
    Ok(Outcome { value: value.ok_or(OperatorError::Result { at: 0 })?, account })
}

/// Simulates an MSM with these scalars for its time alone: the digits decide its time, the points do not and are left out.
///
/// # Errors
/// [`OperatorError`].
pub fn msm_timing<F: PrimeField>(
    spec: &MachineSpec,
    group: Group,
    options: OperatorOptions,
    scalars: &[F],
) -> Result<Account, OperatorError> {
    let mut words: Vec<Word> = scalars.iter().map(scalar_word).collect();
    let given = move || RegionContents::Words(std::mem::take(&mut words));
    msm_given::<F>(spec, (group, options), scalars.len() as u64, given, &mut |_, _| {})
}

/// Simulates an MSM of any number of points for its time alone, in little memory. `scalars` is called whenever a pass over
/// the points begins and has to give the same scalars each time; `watch` is called for every instruction.
///
/// # Errors
/// [`OperatorError`].
pub fn msm_watched<F: PrimeField>(
    spec: &MachineSpec,
    group: Group,
    options: OperatorOptions,
    entries: u64,
    scalars: Scalars<F>,
    watch: Watch<'_>,
) -> Result<Account, OperatorError> {
    let mut draw: Option<Draw> =
        Some(Box::new(move || Box::new(scalars().map(|scalar| scalar_word(&scalar)))));
    let given = move || draw.take().map_or(RegionContents::Blank, RegionContents::Drawn);
    msm_given::<F>(spec, (group, options), entries, given, watch)
}

fn msm_given<F: PrimeField>(
    spec: &MachineSpec,
    (group, options): (Group, OperatorOptions),
    entries: u64,
    mut scalars: impl FnMut() -> RegionContents,
    watch: Watch<'_>,
) -> Result<Account, OperatorError> {
    let (task, [_, digits, _]) = msm_task::<F>(spec, group, entries, options.schedule);
    let mut chip = Chip::<F, (), ()>::new(spec)?;
    chip.load_regions(&task, |region| if region == digits { scalars() } else { RegionContents::Blank })?;
    Ok(chip.run_watched(&task, watch)?)
}

/// A scalar as a canonical integer in a word of DRAM, from which the engine takes its digits.
pub fn scalar_word<F: PrimeField>(scalar: &F) -> Word {
    let limbs = scalar.to_limbs();
    let mut word = [0; 4];
    word[..limbs.as_ref().len()].copy_from_slice(limbs.as_ref());
    word
}

fn same(left: usize, right: usize) -> Result<(), OperatorError> {
    if left == right { Ok(()) } else { Err(OperatorError::Lengths { left, right }) }
}

/// The domain of 32 points that contains a smaller one, with the stride at which the smaller one's points lie in it: the
/// engine's smallest transform has 32 points. `None` if the domain is large enough already, or if its root is no power of a
/// root of order 32.
fn widened<F: PrimeField>(domain: &Domain<F>) -> Option<(Domain<F>, usize)> {
    const LEAST: u32 = 5;
    if domain.log_size() >= LEAST {
        return None;
    }
    let wide = Domain::<F>::new(LEAST).ok()?;
    let stride = wide.size() / domain.size();
    // The small domain's root is a power of one of the sixteen roots of order 32.
    let root = |k: &u64| wide.root().pow_vartime(&[*k]).pow_vartime(&[stride as u64]) == domain.root();
    let k = (1..wide.size() as u64).step_by(2).find(root)?;
    Some((Domain::with_root(LEAST, wide.root().pow_vartime(&[k])).ok()?, stride))
}

/// Runs a program of the pairing processor under the chip's sender. The first rows of the global bank are loaded from DRAM
/// before and stored there after the program; rows that were never written are loaded as zero. Returns the account of the
/// chip and the run of the pairing processor.
///
/// # Errors
/// [`OperatorError`].
pub fn routines<B: Datapath>(
    spec: &MachineSpec,
    image: &Image,
    bank: &mut [Option<Row<B>>],
) -> Result<(Account, Option<Run>), OperatorError> {
    let l1: Vec<L1> = image.l1.iter().map(|word| L1::decode(*word)).collect::<Result<_, _>>()?;
    let (task, [before, after]) = task::routines::task::<B>("pairing program", &l1, bank.len() as u64);
    let mut chip = Chip::<B, (), ()>::new(spec)?;
    chip.load_routines::<B>(image)?;
    let zero = Row::<B>::new(B::ZERO, B::ZERO);
    let words = || bank.iter().flat_map(|row| row_words(&row.unwrap_or(zero))).collect();
    chip.load(&task, |region| Some(if region == before { words() } else { Vec::new() }))?;
    let account = chip.run(&task)?;
    let rows = chip.read(&task, after)?;
    for (at, (row, words)) in bank.iter_mut().zip(rows.chunks_exact(ROW_WORDS)).enumerate() {
        let words = words.try_into().map_err(|_| OperatorError::Result { at })?;
        *row = Some(row_of(words).ok_or(OperatorError::Result { at })?);
    }
    Ok((account, chip.pairing_run()))
}
