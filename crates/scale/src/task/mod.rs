//! Runs one task of a plan.

mod columns;
mod msm;
mod pieces;
mod quotient;
mod rows;
mod undivided;
mod witness;

use crate::job::{FileEntry, Job, Op, Region};
use crate::region::{Input, Output};
use crate::{Digest, Outcome, ScaleError};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Device;
use pairwright_field::PrimeField;
use pairwright_formats::encode_point;
use pairwright_poly::Buf;
use std::time::Instant;

impl Job {
    /// Reads a job from its JSON.
    ///
    /// # Errors
    /// [`ScaleError::NoJob`] when the text is not a job.
    pub fn from_json(text: &str) -> Result<Self, ScaleError> {
        serde_json::from_str(text).map_err(ScaleError::NoJob)
    }
}

/// Runs a task: reads its inputs, computes on a device, and writes its outputs. The outputs of a job are the same on every
/// device and in every run.
///
/// # Errors
/// When a file cannot be read or written, a region is damaged or does not encode points, entries or values, an operator fails,
/// or the job's regions are not those of its operation.
#[inline(never)]
pub fn run_task<E: Pairing>(job: &Job, device: &Device<E>) -> Result<Outcome, ScaleError> {
    run_after(job, device, &mut Kept::default())
}

/// Data that a task keeps for the next one in a process that runs them one after the other.
pub(crate) struct Kept<E: Pairing> {
    /// The witness values of the last MSM with their region: the next section often has the same.
    values: Option<(Region, Buf<E::Fr>)>,
}

impl<E: Pairing> Default for Kept<E> {
    fn default() -> Self {
        Self { values: None }
    }
}

/// [`run_task`] with the data kept by the previous task.
pub(crate) fn run_after<E: Pairing>(
    job: &Job,
    device: &Device<E>,
    kept: &mut Kept<E>,
) -> Result<Outcome, ScaleError> {
    let start = Instant::now();
    // Data that is useless for this task is freed before more memory is allocated.
    let sums = matches!(job.task.op, Op::Msm { .. });
    let serves = |read: &Region| job.task.inputs.iter().any(|wanted| msm::covers::<E::Fr>(read, wanted));
    kept.values.take_if(|(region, _)| !sums || !serves(region));
    let task = Running { job, device };
    let outputs = match job.task.op {
        Op::Columns { block, cache } => columns::run(&task, block, cache)?,
        Op::Rows { block, .. } => rows::run(&task, block)?,
        Op::Quotient { block } => quotient::run(&task, block)?,
        Op::Undivided { cache } => undivided::run(&task, cache)?,
        Op::Msm { part } => msm::run(&task, part, &mut kept.values)?,
    };
    if job.durable {
        let mut synced: Vec<&str> = Vec::new();
        for region in &job.task.outputs {
            if !synced.contains(&region.file.as_str()) {
                synced.push(&region.file);
                task.output(region)?.sync()?;
            }
        }
    }
    Ok(Outcome { task: job.task.name.clone(), outputs, seconds: start.elapsed().as_secs_f64() })
}

/// A running task.
struct Running<'a, E: Pairing> {
    job: &'a Job,
    device: &'a Device<E>,
}

impl<E: Pairing> Running<'_, E> {
    /// The error of an invalid job.
    fn refuse(&self, why: &'static str) -> ScaleError {
        ScaleError::Job { task: self.job.task.name.clone(), why }
    }
    fn entry(&self, region: &Region) -> Result<&FileEntry, ScaleError> {
        self.job
            .files
            .get(&region.file)
            .ok_or_else(|| self.refuse("a region is in a file that the job does not have"))
    }
    fn open(&self, region: &Region) -> Result<Input, ScaleError> {
        Input::open(&self.entry(region)?.path)
    }
    /// The inputs, which are checked to have this number and these lengths.
    fn inputs(&self, lengths: &[Option<usize>]) -> Result<&[Region], ScaleError> {
        self.expect(&self.job.task.inputs, lengths)
    }
    /// The outputs, which are checked to have this number and these lengths.
    fn outputs(&self, lengths: &[Option<usize>]) -> Result<&[Region], ScaleError> {
        self.expect(&self.job.task.outputs, lengths)
    }
    fn expect<'r>(
        &self,
        regions: &'r [Region],
        lengths: &[Option<usize>],
    ) -> Result<&'r [Region], ScaleError> {
        if regions.len() != lengths.len() {
            return Err(self.refuse("the operation has another number of regions"));
        }
        let fits =
            |(region, length): (&Region, &Option<usize>)| length.is_none_or(|n| region.length == n as u64);
        if !regions.iter().zip(lengths).all(fits) {
            return Err(self.refuse("a region has another length than the operation's"));
        }
        Ok(regions)
    }
    /// Checks that a block with this index exists.
    fn block(&self, block: usize) -> Result<usize, ScaleError> {
        let setting = &self.job.setting;
        let layout = setting.layout;
        if setting.log_domain >= E::Fr::TWO_ADICITY {
            return Err(self.refuse("the field has no such domain, or no double one"));
        }
        if layout != crate::Layout::new(setting.log_domain, layout.blocks()) {
            return Err(self.refuse("the layout is not that of the domain"));
        }
        if block >= layout.blocks() { Err(self.refuse("there is no such block")) } else { Ok(block) }
    }
    /// Opens the file of an output, which has to exist: a task that ends after its proof must not leave witness values in a new
    /// file.
    fn output(&self, region: &Region) -> Result<Output, ScaleError> {
        Output::open(&self.entry(region)?.path)
    }
    /// Writes a region and returns its digest.
    fn write(&self, region: &Region, bytes: &[u8]) -> Result<Digest, ScaleError> {
        self.output(region)?.write(region.offset, bytes)?;
        Ok(Digest::of(bytes))
    }
    /// Writes a point as the only output.
    fn write_point<C: Curve>(&self, point: &Affine<C>) -> Result<Vec<Digest>, ScaleError> {
        let mut bytes = Vec::new();
        encode_point(point, &mut bytes);
        let outputs = self.outputs(&[Some(bytes.len())])?;
        Ok(vec![self.write(&outputs[0], &bytes)?])
    }
}
