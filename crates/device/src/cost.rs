//! What an operator cost: time of a stated kind, bytes, operations, energy.

use core::ops::AddAssign;
use serde::Serialize;
use std::time::{Duration, Instant};

/// How closely a modelled time follows a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// Every cycle simulated by clocked components.
    CycleAccurate,
    /// Computed from counts and rates.
    Analytic,
}

/// A time and what kind of number it is. Measured and modelled times are never added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// Wall-clock time of this machine.
    Measured(Duration),
    /// Cycles of a modelled machine at a clock in hertz.
    Cycles {
        /// Number of cycles.
        n: u64,
        /// Clock.
        hz: u64,
        /// Kind of model.
        fidelity: Fidelity,
    },
}

impl Time {
    /// The time in seconds, of either kind.
    pub fn seconds(&self) -> f64 {
        match *self {
            Self::Measured(d) => d.as_secs_f64(),
            Self::Cycles { n, hz, .. } => n as f64 / hz as f64,
        }
    }
}

/// Bytes of operands read and results written by an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, o: Self) {
        self.read += o.read;
        self.written += o.written;
    }
}

/// Copies between the host and a machine with memory of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transfer {
    /// Bytes to the machine.
    pub to_machine: u64,
    /// Bytes back to the host.
    pub to_host: u64,
    /// How much of the operator's measured time they took.
    pub time: Duration,
}

/// Arithmetic an operator did, as far as it counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpCount {
    /// Field multiplications and squarings.
    pub field_mul: u64,
    /// Field additions and subtractions.
    pub field_add: u64,
    /// Point additions and doublings.
    pub point_add: u64,
}

impl AddAssign for OpCount {
    fn add_assign(&mut self, o: Self) {
        self.field_mul += o.field_mul;
        self.field_add += o.field_add;
        self.point_add += o.point_add;
    }
}

/// Energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Picojoules(pub u64);

/// The account of one operator call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Which machine.
    pub machine: &'static str,
    /// How long.
    pub time: Time,
    /// Operand traffic.
    pub bytes: Traffic,
    /// Copies between host and machine, where the machine has memory of its own; their time is part of `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<Transfer>,
    /// Operations.
    pub ops: OpCount,
    /// Energy, where the machine models it.
    pub energy: Option<Picojoules>,
}

impl Cost {
    /// The cost of host work that began at `start`.
    pub fn measured(machine: &'static str, start: Instant, bytes: Traffic, ops: OpCount) -> Self {
        Self { machine, time: Time::Measured(start.elapsed()), bytes, transfer: None, ops, energy: None }
    }
}

/// Runs host work and gives its result with the measured cost.
pub fn timed<T>(machine: &'static str, bytes: Traffic, ops: OpCount, work: impl FnOnce() -> T) -> (T, Cost) {
    let start = Instant::now();
    let value = work();
    (value, Cost::measured(machine, start, bytes, ops))
}
