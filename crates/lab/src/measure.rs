//! Timing with checked results.

use crate::LabError;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// Something that computes the same results as often as it is asked to.
pub trait Work {
    /// The machine that it runs on.
    fn device(&self) -> &str {
        "host"
    }

    /// Puts the inputs back and spoils the outputs; not timed.
    ///
    /// # Errors
    /// The device fails.
    fn prepare(&mut self) -> Result<(), LabError>;

    /// The timed part; a device says how long it took by its own clock, otherwise the lab looks at the host's.
    ///
    /// # Errors
    /// The device fails.
    fn run(&mut self) -> Result<Option<Duration>, LabError>;

    /// The results as plain numbers.
    ///
    /// # Errors
    /// The device fails.
    fn results(&self) -> Result<Vec<BigUint>, LabError>;
}

/// The number of repetitions.
#[derive(Clone, Copy)]
pub(crate) struct Repeats {
    /// Turns of each series.
    pub(crate) turns: usize,
    /// Runs of a turn, at least: the first finds cold caches.
    pub(crate) least: usize,
    /// Time after which no further run of a turn begins, once there are `least`.
    pub(crate) turn: Duration,
    /// Timed seconds of a series after which it leaves its further turns to the others, once it had [`FEWEST`] runs.
    pub(crate) enough: f64,
}

/// Runs of which a median may be given.
const FEWEST: usize = 8;

impl Repeats {
    pub(crate) fn new(quick: bool) -> Self {
        if quick {
            Self { turns: 1, least: 2, turn: Duration::ZERO, enough: 0.0 }
        } else {
            Self { turns: 12, least: 2, turn: Duration::from_millis(40), enough: 2.0 }
        }
    }
}

/// Seconds for one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) repeats: usize,
}

/// A work under the name of its series.
pub(crate) struct Entry<'a> {
    pub(crate) series: String,
    pub(crate) work: Box<dyn Work + 'a>,
}

/// The times of all series at one point of a figure, with the number of results of each.
///
/// Results of a first run are checked before anything is timed, and those of the last run at the end: no time of wrong
/// results is kept. In between the series take turns, so that what else the machine does meets all of them. `right`
/// knows so many results as it is asked for.
pub(crate) fn measure(
    entries: &mut [Entry<'_>],
    right: impl Fn(usize) -> Vec<BigUint>,
    what: &str,
    plan: Repeats,
) -> Result<Vec<(Timing, usize)>, LabError> {
    let mut counts = Vec::new();
    for entry in &mut *entries {
        entry.work.prepare()?;
        entry.work.run()?;
        counts.push(check(entry, &right, what)?);
    }
    let mut times = vec![Vec::new(); entries.len()];
    for _ in 0..plan.turns {
        for (entry, times) in entries.iter_mut().zip(&mut times) {
            if times.len() >= FEWEST && times.iter().sum::<f64>() > plan.enough {
                continue;
            }
            let begin = Instant::now();
            let mut runs = 0;
            while runs < plan.least || begin.elapsed() < plan.turn {
                entry.work.prepare()?;
                let start = Instant::now();
                let took = entry.work.run()?;
                times.push(took.unwrap_or_else(|| start.elapsed()).as_secs_f64());
                runs += 1;
            }
        }
    }
    for entry in &*entries {
        check(entry, &right, what)?;
    }
    let timings = times.into_iter().map(|mut times| {
        times.sort_by(f64::total_cmp);
        Timing { min: times[0], median: times[times.len() / 2], repeats: times.len() }
    });
    Ok(timings.zip(counts).collect())
}

/// Compares all results and returns their number.
fn check(entry: &Entry<'_>, right: impl Fn(usize) -> Vec<BigUint>, what: &str) -> Result<usize, LabError> {
    let results = entry.work.results()?;
    let right = right(results.len());
    let differs = results.iter().zip(&right).position(|(ours, right)| ours != right);
    match differs.or_else(|| (results.len() != right.len()).then(|| results.len().min(right.len()))) {
        None => Ok(results.len()),
        Some(at) => Err(LabError::Wrong { series: entry.series.clone(), what: what.to_owned(), at }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count {
        runs: usize,
        good: usize,
    }

    impl Work for Count {
        fn prepare(&mut self) -> Result<(), LabError> {
            Ok(())
        }
        fn run(&mut self) -> Result<Option<Duration>, LabError> {
            self.runs += 1;
            Ok(Some(Duration::from_secs(self.runs as u64)))
        }
        fn results(&self) -> Result<Vec<BigUint>, LabError> {
            Ok(vec![BigUint::from(u8::from(self.runs <= self.good))])
        }
    }

    fn entries(good: &[usize]) -> Vec<Entry<'static>> {
        let entry = |good: &usize| Entry {
            series: format!("good for {good}"),
            work: Box::new(Count { runs: 0, good: *good }),
        };
        good.iter().map(entry).collect()
    }

    #[test]
    fn no_time_of_wrong_results() {
        let right = |count| vec![BigUint::from(1u8); count];
        let plan = Repeats { turns: 1, least: 3, turn: Duration::ZERO, enough: 0.0 };
        for good in [0, 3] {
            let Err(LabError::Wrong { series, .. }) = measure(&mut entries(&[4, good]), right, "x", plan)
            else {
                panic!("good for {good} runs only");
            };
            assert_eq!(series, format!("good for {good}"));
        }
        // The run that is only checked took a second, the timed ones 2, 3 and 4 by their own account.
        let done = measure(&mut entries(&[4, 9]), right, "x", plan).unwrap();
        for (timing, count) in done {
            assert_eq!((timing.min, timing.median, timing.repeats, count), (2.0, 3.0, 3, 1));
        }
        let short = measure(&mut entries(&[9]), |_| Vec::new(), "x", plan);
        assert!(matches!(short, Err(LabError::Wrong { at: 0, .. })));
    }
}
