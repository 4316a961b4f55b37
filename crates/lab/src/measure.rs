//! Timing of computations whose results are checked.

use crate::LabError;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// A computation that can be repeated with the same results.
pub trait Work {
    /// The machine that it runs on.
    fn device(&self) -> &str {
        "host"
    }

    /// Restores the inputs and overwrites the outputs; not timed.
    ///
    /// # Errors
    /// The device failed.
    fn prepare(&mut self) -> Result<(), LabError>;

    /// The timed part. A device returns its own measurement of the time; for `None` the lab uses the host's clock.
    ///
    /// # Errors
    /// The device failed.
    fn run(&mut self) -> Result<Option<Duration>, LabError>;

    /// The results as plain numbers.
    ///
    /// # Errors
    /// The device failed.
    fn results(&self) -> Result<Vec<BigUint>, LabError>;
}

/// The number and duration of repetitions.
#[derive(Clone, Copy)]
pub(crate) struct Repeats {
    /// Turns of each series.
    pub(crate) turns: usize,
    /// The least number of runs in a turn; the first run has cold caches.
    pub(crate) least: usize,
    /// Time after which a turn starts no further run, once it has `least` runs.
    pub(crate) turn: Duration,
    /// Timed seconds of a series after which it skips its remaining turns, once it has [`FEWEST`] runs.
    pub(crate) enough: f64,
}

/// The number of runs from which on a median is given.
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

/// The times of a run in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) repeats: usize,
}

/// A computation with the name of its series.
pub(crate) struct Entry<'a> {
    pub(crate) series: String,
    pub(crate) work: Box<dyn Work + 'a>,
}

/// Measures all series at one point of a figure; returns their times and the number of results of each.
///
/// The results of a first run are checked before anything is timed, and those of the last run at the end, so no time of
/// wrong results is kept. In between the series take turns, so that other load on the machine affects all of them.
/// `right(n)` returns the first n expected results.
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
        // The first run, which is only checked, took a second; the timed ones 2, 3 and 4 by their own measurement.
        let done = measure(&mut entries(&[4, 9]), right, "x", plan).unwrap();
        for (timing, count) in done {
            assert_eq!((timing.min, timing.median, timing.repeats, count), (2.0, 3.0, 3, 1));
        }
        let short = measure(&mut entries(&[9]), |_| Vec::new(), "x", plan);
        assert!(matches!(short, Err(LabError::Wrong { at: 0, .. })));
    }
}
