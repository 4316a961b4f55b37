//! The cost of an operator call: time (measured or modelled), bytes, operations, energy.

use crate::clock::clocked;
use core::time::Duration;
use serde::Serialize;

/// How closely a modelled time follows a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// Every cycle of every component is simulated.
    CycleAccurate,
    /// Arithmetic units are pipelines with an initiation interval and a latency, which were measured once on clocked components.
    /// The logic around them is simulated cycle by cycle: schedulers, queues, memory conflicts.
    RateModel,
}

/// A time, which is either measured or modelled. Measured and modelled times are never added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// Wall-clock time of this machine.
    Measured(Duration),
    /// Unknown time, for work on a computer that has no clock which this program may read.
    Unknown,
    /// Cycles of a modelled machine at a clock in hertz.
    Cycles {
        /// Number of cycles.
        n: u64,
        /// Clock of the machine in hertz.
        hz: u64,
        /// Kind of model.
        fidelity: Fidelity,
    },
}

impl Time {
    /// The time in seconds, measured or modelled; 0 where it is not known.
    pub fn seconds(&self) -> f64 {
        match *self {
            Self::Measured(d) => d.as_secs_f64(),
            Self::Unknown => 0.0,
            Self::Cycles { n, hz, .. } => n as f64 / hz as f64,
        }
    }
}

/// Bytes of operands read and results written by an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Number of bytes read.
    pub read: u64,
    /// Number of bytes written.
    pub written: u64,
}

impl Traffic {
    /// Bytes in both directions.
    pub fn total(&self) -> u64 {
        self.read + self.written
    }
}

sum_fields!(Traffic { read, written });

/// Copies between the host and a machine with a memory of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transfer {
    /// Bytes to the machine.
    pub to_machine: u64,
    /// Bytes back to the host.
    pub to_host: u64,
    /// Part of the operator's measured time that the copies took; zero for a modelled machine, whose link is not modelled.
    pub time: Duration,
}

impl Transfer {
    /// A transfer of these numbers of bytes over a link that takes no time in the model.
    pub fn untimed(to_machine: u64, to_host: u64) -> Self {
        Self { to_machine, to_host, time: Duration::ZERO }
    }
}

sum_fields!(Transfer { to_machine, to_host, time });

/// Arithmetic operations of an operator call, as far as the operator counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpCount {
    /// Field multiplications and squarings.
    pub field_mul: u64,
    /// Field additions and subtractions.
    pub field_add: u64,
    /// Point additions and doublings.
    pub point_add: u64,
}

sum_fields!(OpCount { field_mul, field_add, point_add });

impl OpCount {
    /// The operations of `n` operators, each with these counts.
    pub const fn times(self, n: usize) -> Self {
        let n = n as u64;
        Self { field_mul: n * self.field_mul, field_add: n * self.field_add, point_add: n * self.point_add }
    }
}

/// An energy in picojoules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Picojoules(pub u64);

impl Picojoules {
    /// The nearest whole number of picojoules; 0 for a negative energy.
    pub fn from_joules(joules: f64) -> Self {
        let picojoules = 1e12 * joules;
        // `f64::round` is not available without `std`.
        let whole = picojoules as u64;
        Self(whole.saturating_add(u64::from(picojoules - whole as f64 >= 0.5)))
    }
    /// The energy in joules.
    pub fn joules(&self) -> f64 {
        1e-12 * self.0 as f64
    }
}

/// Busy cycles and available cycles of a component, or their sums over several components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// Number of cycles in which the component was busy.
    pub busy: u64,
    /// Number of cycles in which it could have been busy.
    pub of: u64,
}

impl Occupancy {
    /// The utilisation, 0 to 1; 0 if there were no cycles.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.busy as f64 / self.of as f64 }
    }
}

sum_fields!(Occupancy { busy, of });

/// Bytes that a modelled machine moved to and from its DRAM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dram {
    /// Bytes that the algorithm requested.
    pub useful: Traffic,
    /// Bytes on the data pins, which move whole bursts.
    pub moved: Traffic,
}

sum_fields!(Dram { useful, moved });

/// The resource that limits the speed of an operator on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The processing elements limit it: a faster memory saves little.
    Compute,
    /// Processing elements and memory limit it by turns.
    Both,
    /// The bandwidth of the memory limits it.
    Memory,
}

impl Bound {
    /// The share of waiting for memory, 0 to 1, from which a faster memory is worthwhile ([`Bound::Both`]).
    pub const BOTH_FROM: f64 = 0.1;
    /// The share of waiting for memory, 0 to 1, from which a run counts as limited by memory ([`Bound::Memory`]).
    pub const MEMORY_FROM: f64 = 0.5;

    /// The limit of a run with this share of waiting for memory, 0 to 1. The share is twice the fraction of the time that doubling
    /// the bandwidth saves.
    pub fn of_memory_share(share: f64) -> Self {
        match share {
            share if share >= Self::MEMORY_FROM => Self::Memory,
            share if share >= Self::BOTH_FROM => Self::Both,
            _ => Self::Compute,
        }
    }

    /// The name that reports show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Both => "both",
            Self::Memory => "memory",
        }
    }
}

/// Results of a modelled machine for an operator call, besides its cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Modelled {
    /// Traffic over the pins of the DRAM.
    pub dram: Dram,
    /// Cycles of the machine's processing elements, including those that the operator does not use.
    pub elements: Occupancy,
    /// Cycles of the DRAM's data pins.
    pub memory: Occupancy,
    /// The one of the two that limited the operator, or both.
    pub bound: Bound,
}

/// The cost of one operator call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Name of the machine that ran the operator.
    pub machine: &'static str,
    /// Time that the operator took.
    pub time: Time,
    /// Bytes of operands read and of results written.
    pub bytes: Traffic,
    /// Copies between host and machine, if the machine has memory of its own. Their time is included in a measured
    /// `time`. Operands that the machine still has are not copied again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<Transfer>,
    /// Number of operations of each kind.
    pub ops: OpCount,
    /// Energy, if the machine models it.
    pub energy: Option<Picojoules>,
    /// Further results of a modelled machine; none for a real one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Modelled>,
}

impl Cost {
    /// The cost of host work that began at `start`.
    #[cfg(feature = "std")]
    pub fn measured(machine: &'static str, start: std::time::Instant, bytes: Traffic, ops: OpCount) -> Self {
        Self::of_host(machine, Time::Measured(start.elapsed()), bytes, ops)
    }

    /// The cost of host work that took the given time.
    fn of_host(machine: &'static str, time: Time, bytes: Traffic, ops: OpCount) -> Self {
        Self { machine, time, bytes, transfer: None, ops, energy: None, model: None }
    }
}

/// Runs host work and returns its result with its cost; the time is measured if there is a clock.
pub fn timed<T>(machine: &'static str, bytes: Traffic, ops: OpCount, work: impl FnOnce() -> T) -> (T, Cost) {
    let (value, time) = clocked(work);
    (value, Cost::of_host(machine, time, bytes, ops))
}
