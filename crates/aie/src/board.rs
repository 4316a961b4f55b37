//! The board as a device for BLS12-377: MSMs in G1 run on the AI Engines.

use crate::msm::{Job, Machine, MsmError, MsmReport};
use crate::system::System;
use pairwright_curve::bls12_377::{Bls12_377, Fq, Fr, G1};
use pairwright_curve::{Affine, Jacobian};
use pairwright_device::{
    Bound, Cost, Device, DeviceError, Done, Dram, Fidelity, Link, Modelled, MsmOp, Occupancy, OpCount, Time,
    Traffic, Transfer, once, same_length,
};
use pairwright_poly::{Buf, View};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The name of the machine in costs.
pub const NAME: &str = "aie";
/// The name of the board in reports and on the command line.
pub const BOARD: &str = "cpu+aie";

/// MSMs over BLS12-377's G1 on the board; multiples of a single base run on the host.
///
/// The time in a cost is that from the first request to DRAM to the last result, in cycles of the engines, by a rate
/// model ([`Fidelity::RateModel`]). It does not include work of the host: mapping points to the Edwards curve, writing
/// points and scalars to DRAM, mapping the sum back. The bytes written are reported as the transfer; buffers that are on
/// the board from an earlier MSM are not written again. The paper prints no energy, so costs contain none.
#[derive(Clone)]
pub struct Msm {
    system: System,
    job: Job,
    /// The machine, created at its first use, because the rates of its units require scheduling and simulation of the
    /// array.
    machine: Arc<OnceLock<Machine>>,
    /// The best window widths found so far, by the logarithm of the size.
    windows: Arc<Mutex<BTreeMap<u32, u32>>>,
    host: Arc<dyn MsmOp<G1>>,
    link: Link,
}

/// Points of a key in the board's DRAM.
struct Points;
/// Scalars as integers in the board's DRAM.
struct Integers;

impl Msm {
    /// MSMs on the board of a system. The number of points in the job is ignored; if the job has no window width, the
    /// best one for the size of each MSM, rounded up to a power of two, is used.
    pub fn new(system: &System, job: Job, host: Arc<dyn MsmOp<G1>>) -> Self {
        Self {
            system: system.clone(),
            job,
            machine: Arc::default(),
            windows: Arc::default(),
            host,
            link: Link::new(NAME),
        }
    }

    /// MSMs on a machine that exists already.
    #[cfg(test)]
    fn with_machine(machine: Machine, job: Job, host: Arc<dyn MsmOp<G1>>) -> Self {
        Self { machine: Arc::new(OnceLock::from(machine)), ..Self::new(&System::default(), job, host) }
    }

    fn machine(&self) -> Result<&Machine, MsmError> {
        once(&self.machine, || Machine::new(&self.system))
    }

    /// The job with a window width for this number of points.
    fn job(&self, machine: &Machine, points: usize) -> Result<Job, MsmError> {
        if self.job.window_bits.is_some() {
            return Ok(self.job);
        }
        let log = points.next_power_of_two().ilog2();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let bits = match windows.get(&log) {
            Some(bits) => *bits,
            None => machine.best_window(&Job { points: 1 << log, ..self.job })?,
        };
        windows.insert(log, bits);
        Ok(self.job.with_window(bits))
    }
}

impl MsmOp<G1> for Msm {
    fn msm(&self, bases: View<'_, Affine<G1>>, scalars: View<'_, Fr>) -> Done<Jacobian<G1>> {
        same_length("msm", bases.len(), scalars.len())?;
        let (points, integers) = (bases.host()?, scalars.host()?);
        let run = || {
            let machine = self.machine()?;
            let job = self.job(machine, bases.len())?;
            let (sum, report) = machine.run(&job, points, integers)?;
            Ok((sum.to_jacobian(), cost(machine, &report)))
        };
        let failed = |why: MsmError| DeviceError::Machine { machine: NAME, cause: Box::new(why) };
        let (sum, mut cost) = run().map_err(failed)?;
        let to_machine = self.link.send(&bases, Points, size_of::<[Fq; 2]>())
            + self.link.send(&scalars, Integers, size_of::<Fr>());
        let to_host = size_of::<[Fq; 2]>() as u64;
        cost.transfer = Some(Transfer::untimed(to_machine, to_host));
        Ok((sum, cost))
    }

    fn multiples(&self, base: &Affine<G1>, scalars: View<'_, Fr>) -> Done<Buf<Affine<G1>>> {
        self.host.multiples(base, scalars)
    }
}

/// The cost of an MSM as devices report it.
fn cost(machine: &Machine, report: &MsmReport) -> Cost {
    let read = |bytes| Traffic { read: bytes, written: 0 };
    // Elements are the units of bucket accumulation; their occupancy is in cycles of the engines.
    let elements = Occupancy {
        busy: (report.tasks.accumulation as f64 * machine.mixed.interval) as u64,
        of: report.cycles * u64::from(report.units),
    };
    let memory = Occupancy { busy: report.dram_cycles, of: report.pl_cycles.total() };
    Cost {
        machine: NAME,
        time: Time::Cycles { n: report.cycles, hz: machine.aie_hz, fidelity: Fidelity::RateModel },
        bytes: read(report.dram_bytes),
        transfer: None,
        ops: OpCount { field_mul: 0, field_add: 0, point_add: report.tasks.total() },
        energy: None,
        model: Some(Modelled {
            dram: Dram { useful: read(report.dram_bytes), moved: read(report.dram_moved_bytes) },
            elements,
            memory,
            bound: if report.bound == crate::msm::MsmBound::Memory { Bound::Memory } else { Bound::Compute },
        }),
    }
}

/// The host's device with the MSMs of G1 on the AI Engines.
pub fn board(system: &System, host: Device<Bls12_377>) -> Device<Bls12_377> {
    let msm = Msm::new(system, Job::default(), host.g1.clone());
    host.with_g1(Arc::new(msm)).named(BOARD)
}

#[cfg(test)]
mod tests;
