//! Proofs whose keys exceed memory: re-exports plans and tasks, and runs tasks from their JSON on this computer.

pub use pairwright_scale::*;

use pairwright_curve::for_each_curve;
use pairwright_formats::CurveId;

macro_rules! by_curve {
    (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } fixtures $fixtures:tt $job:expr) => {
        match CurveId::from_name(&$job.setting.curve) {
            $(Some(CurveId::$id) => run_task::<$pairing>(&$job, &pairwright_cpu::board()),)+
            _ => Err(ScaleError::Curve { task: $job.task.name.clone(), curve: $job.setting.curve.clone() }),
        }
    };
}

/// Runs a job, which is given as JSON, on the host device. The job states its curve.
///
/// # Errors
/// [`ScaleError::NoJob`] when the text is not a job, and the errors of [`run_task`].
pub fn run_job(text: &str) -> Result<Outcome, ScaleError> {
    let job = Job::from_json(text)?;
    for_each_curve!(by_curve job)
}
