//! Modulo scheduling of a loop body with overlapping iterations.

use super::check::Fact;
use super::order::Rule;
use super::place::{Placement, Places};
use super::pressure::Values;
use super::problem::Problem;
use super::{Bounds, Graph, Issue, Machine, ScheduleError};
use serde::Serialize;

/// The limits of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Placements per operation before an initiation interval is given up.
    pub budget: u32,
    /// The longest initiation interval that is tried, in cycles; at most the total time of the operations one after the
    /// other.
    pub max_ii: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { budget: 32, max_ii: None }
    }
}

/// A schedule of a loop body: iteration `i` issues operation `o` in cycle `ops[o].cycle + i * ii`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Pipelined {
    /// Issue cycle and way of every operation.
    pub ops: Vec<Issue>,
    /// Initiation interval: cycles from the start of one iteration to that of the next.
    pub ii: u32,
    /// Lower bounds of `ii`.
    pub bounds: Bounds,
    /// Cycles in which one iteration issues, from cycle 0 to its last issue (or the last delay slot of its branch); at
    /// least `ii`.
    pub length: u32,
    /// Cycles from cycle 0 until the last operation has issued and the last result can be read.
    pub latency: u32,
    /// The largest number of live values in the steady state, by register file, held registers included: a lower bound
    /// for any register assignment. The scheduler requires that it fits the file.
    pub live: Vec<u32>,
    /// Copies of the kernel that a machine without rotating registers needs (modulo variable expansion).
    pub copies: u32,
    /// Registers by file if every value has registers of its own in every copy: more than `live`, but trivial to
    /// assign.
    pub expanded: Vec<u32>,
}

/// The durations of the parts of a run, in issue cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Phases {
    /// Cycles before all stages are filled.
    pub prologue: u64,
    /// Passes through the kernel, each of `ii` cycles; zero if there are fewer iterations than stages.
    pub passes: u64,
    /// Cycles of all passes together.
    pub kernel: u64,
    /// Cycles after the last pass.
    pub epilogue: u64,
}

impl Pipelined {
    /// Schedules a loop body: from the lower bounds upward, takes the smallest initiation interval at which the search
    /// finds a schedule whose values fit the register files.
    ///
    /// Every interval is searched in the order of the longest path to the end first. If there is no schedule or the
    /// values do not fit, it is searched again with units placed close to their neighbours, and units are moved to
    /// shorten lifetimes before an interval is given up. The first sixteen intervals are tried one by one; then the
    /// distance from the bound doubles until a schedule is found, and the range since the last failure is bisected.
    ///
    /// A branch that closes the loop is an operation whose class has delay slots. Cycle 0 is then chosen so that its
    /// last delay slot falls into the last row of the kernel.
    ///
    /// # Errors
    /// Whatever [`Machine::check`] and [`Graph::check`] refuse; fixed offsets that cannot be kept;
    /// [`ScheduleError::Registers`] if schedules were found but none fits; [`ScheduleError::Interval`] if none was
    /// found.
    pub fn new(machine: &Machine, graph: &Graph, options: &Options) -> Result<Self, ScheduleError> {
        let problem = Problem::new(machine, graph, true)?;
        let bounds = Bounds::new(machine, &problem);
        let values = Values::new(&problem, true);
        let sizes: Vec<u32> = machine.files.iter().map(|f| f.size).collect();
        let serial = u32::try_from(problem.serial).unwrap_or(u32::MAX);
        if let Some(op) = Placement::new(&problem, problem.unwrapped_period()).clash() {
            return Err(ScheduleError::Offsets(op));
        }
        let longest = serial.max(bounds.ii());
        let max = options.max_ii.map_or(longest, |max| max.min(longest));
        let again = Rule::ALL.map(|rule| (rule, 0));
        let mut hunt = IntervalSearch {
            problem: &problem,
            values: &values,
            sizes,
            budget: options.budget,
            again,
            least: None,
        };
        let mut failed = bounds.ii() - 1;
        while failed < max {
            let over = failed + 1 - bounds.ii();
            let ii = if over < STEPS { failed + 1 } else { (bounds.ii() + 2 * over).min(max) };
            let Some(mut found) = hunt.at(ii) else {
                failed = ii;
                continue;
            };
            let mut ii = ii;
            while failed + 1 < ii {
                let middle = failed + (ii - failed) / 2;
                match hunt.at(middle) {
                    Some(better) => (found, ii) = (better, middle),
                    None => failed = middle,
                }
            }
            return Ok(Self::finish(&problem, &values, found.0, ii, bounds, found.1));
        }
        Err(hunt.least.map_or(ScheduleError::Interval(max), |live| too_many(machine, &live)))
    }

    fn finish(
        problem: &Problem<'_>,
        values: &Values,
        places: Places,
        ii: u32,
        bounds: Bounds,
        live: Vec<u32>,
    ) -> Self {
        let period = i64::from(ii);
        let branch = problem.graph.ops.iter().enumerate().find_map(|(op, o)| {
            let slots = problem.kinds[o.class].delay_slots?;
            Some(places.starts[op] + i64::from(slots) + 1)
        });
        let first = places.starts.iter().copied().min().unwrap_or(0);
        // The kernel's last row is the last delay slot.
        let zero = branch.map_or(first, |end| first - (first - end).rem_euclid(period));
        let (copies, expanded) = values.expanded(problem, &places.starts, period, live.len());
        let (ops, length, latency) = issues(problem, &places, zero);
        let length = length.max(ii);
        Self { ops, ii, bounds, length, latency, live, copies, expanded }
    }

    /// Stages of the kernel, which is the number of iterations in flight.
    pub fn stages(&self) -> u32 {
        self.length.div_ceil(self.ii).max(1)
    }

    /// Cycles in which a run of `n` iterations issues; 0 for none.
    pub fn issue_cycles(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { (n - 1) * u64::from(self.ii) + u64::from(self.length) }
    }

    /// Cycles of a run of `n` iterations until its last result can be read; 0 for none.
    pub fn cycles(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { (n - 1) * u64::from(self.ii) + u64::from(self.latency.max(self.length)) }
    }

    /// The parts of a run of `n` iterations; together they are its [issue cycles](Self::issue_cycles).
    pub fn phases(&self, n: u64) -> Phases {
        let (ii, before) = (u64::from(self.ii), u64::from(self.stages()) - 1);
        let passes = n.saturating_sub(before);
        let prologue = before.min(n.saturating_sub(1)) * ii;
        let kernel = passes * ii;
        Phases { prologue, passes, kernel, epilogue: self.issue_cycles(n) - prologue - kernel }
    }

    /// The kernel: one pass in the steady state, `ii` cycles. The iteration of a fact is its stage, that is how many
    /// iterations have begun since its own.
    pub fn kernel(&self) -> Vec<Fact> {
        let fact = |(op, i): (usize, &Issue)| {
            let cycle = u64::from(i.cycle % self.ii);
            Fact { op, way: i.way, iteration: i.cycle / self.ii, cycle }
        };
        self.ops.iter().enumerate().map(fact).collect()
    }

    /// A run of `n` iterations as a list of issued operations, iteration by iteration.
    pub fn facts(&self, n: u32) -> Vec<Fact> {
        (0..n)
            .flat_map(|iteration| {
                let start = u64::from(iteration) * u64::from(self.ii);
                let fact = move |(op, i): (usize, &Issue)| Fact {
                    op,
                    way: i.way,
                    iteration,
                    cycle: start + u64::from(i.cycle),
                };
                self.ops.iter().enumerate().map(fact)
            })
            .collect()
    }
}

/// The number of intervals that are tried one by one.
const STEPS: u32 = 16;

/// The state of the search over intervals.
struct IntervalSearch<'a> {
    problem: &'a Problem<'a>,
    values: &'a Values,
    sizes: Vec<u32>,
    budget: u32,
    /// For each rule, the smallest interval at which it is tried again: a rule whose values exceeded a file by a factor
    /// of two waits until the interval has doubled.
    again: [(Rule, u32); 3],
    /// The register needs of the best schedule found so far that does not fit.
    least: Option<Vec<u32>>,
}

impl IntervalSearch<'_> {
    /// A schedule with this interval whose values fit.
    fn at(&mut self, ii: u32) -> Option<(Places, Vec<u32>)> {
        for (rule, from) in self.again.iter_mut().filter(|a| a.1 <= ii) {
            let tried = attempt(self.problem, self.values, &self.sizes, ii, *rule, self.budget);
            let Some((places, live)) = tried else { continue };
            let missing = excess(&live, &self.sizes);
            if missing == 0 {
                return Some((places, live));
            }
            if live.iter().zip(&self.sizes).any(|(&l, &s)| l / 2 > s) {
                *from = ii.saturating_mul(2);
            }
            if self.least.as_ref().is_none_or(|l| missing < excess(l, &self.sizes)) {
                self.least = Some(live);
            }
        }
        None
    }
}

/// A schedule with one interval and rule, and its register needs by file; `None` if none was found.
pub(super) fn attempt(
    problem: &Problem<'_>,
    values: &Values,
    sizes: &[u32],
    ii: u32,
    rule: Rule,
    budget: u32,
) -> Option<(Places, Vec<u32>)> {
    let period = i64::from(ii);
    let units = problem.units.len();
    // Small graphs get a larger budget: their search is short, and one wrong decision costs relatively more.
    let budget = (units as u64 * u64::from(budget)).max(256);
    let tries = if units <= 64 { 8 } else { 1 };
    let mut order = rule.order(problem, period);
    let mut found = None;
    for _ in 0..tries {
        let mut search = Placement::new(problem, period);
        if search.clash().is_some() {
            return None;
        }
        if search.run(&order, rule.direction(), budget) {
            found = Some(search);
            break;
        }
        order = search.harder(&order);
    }
    let mut search = found?;
    let live = values.live(problem, &search.places().starts, period, sizes.len());
    if excess(&live, sizes) == 0 {
        return Some((search.places(), live));
    }
    // A register of a small file costs more per cycle, and most if the file is exceeded.
    let weight = |(&live, &size): (&u32, &u32)| {
        1 + 256 / i64::from(size) + if live > size { 256 * i64::from(live) / i64::from(size) } else { 0 }
    };
    let weights: Vec<i64> = live.iter().zip(sizes).map(weight).collect();
    search.shorten(values, &weights);
    let places = search.places();
    let live = values.live(problem, &places.starts, period, sizes.len());
    Some((places, live))
}

/// Registers that are missing, summed over all files.
pub(super) fn excess(live: &[u32], sizes: &[u32]) -> u64 {
    live.iter().zip(sizes).map(|(&l, &s)| u64::from(l.saturating_sub(s))).sum()
}

/// The error for the first file that is too small.
pub(super) fn too_many(machine: &Machine, live: &[u32]) -> ScheduleError {
    match machine.files.iter().zip(live).find(|(f, l)| **l > f.size) {
        Some((f, &needs)) => ScheduleError::Registers { file: f.name.clone(), needs, size: f.size },
        None => ScheduleError::Empty,
    }
}

/// The operations with cycles relative to `zero`, the number of issue cycles, and the latency until all results are
/// available.
pub(super) fn issues(problem: &Problem<'_>, places: &Places, zero: i64) -> (Vec<Issue>, u32, u32) {
    let cycles = |c: i64| u32::try_from(c).unwrap_or(0);
    let starts = places.starts.iter().map(|s| s - zero);
    let ends = starts.clone().enumerate().map(|(op, s)| {
        let kind = problem.kind(op);
        let issued = s + 1 + i64::from(kind.delay_slots.unwrap_or(0));
        (issued, issued.max(s + kind.latency))
    });
    let (length, latency) = ends.fold((0, 0), |(l, r), (a, b)| (l.max(a), r.max(b)));
    let ops = starts.zip(&places.ways).map(|(s, &way)| Issue { cycle: cycles(s), way }).collect();
    (ops, cycles(length), cycles(latency))
}
