//! Timing with checked results.

use crate::LabError;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// Something that computes the same results as often as it is asked to.
pub trait Work {
    /// Where it runs.
    fn device(&self) -> &str {
        "host"
    }

    /// Puts the inputs back and spoils the outputs; not timed.
    ///
    /// # Errors
    /// A device's.
    fn prepare(&mut self) -> Result<(), LabError>;

    /// The timed part; a device says how long it took by its own clock, otherwise the lab looks at the host's.
    ///
    /// # Errors
    /// A device's.
    fn run(&mut self) -> Result<Option<Duration>, LabError>;

    /// The results as plain numbers.
    ///
    /// # Errors
    /// A device's.
    fn results(&self) -> Result<Vec<BigUint>, LabError>;
}

/// How often to repeat.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) least: usize,
    pub(crate) most: usize,
    /// Time after which no further repeat begins, once there are `least`.
    pub(crate) budget: Duration,
}

impl Plan {
    pub(crate) fn new(quick: bool) -> Self {
        if quick {
            Self { least: 2, most: 2, budget: Duration::ZERO }
        } else {
            Self { least: 10, most: 2000, budget: Duration::from_millis(500) }
        }
    }
}

/// Seconds for one run.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) repeats: usize,
}

/// What is measured, for messages.
pub(crate) struct Name<'a> {
    pub(crate) series: &'a str,
    pub(crate) what: &'a str,
}

/// Checks the results of one run, times several, and checks the results of the last: no time of wrong results is kept.
/// What is right is asked for when it is known how much there is of it.
pub(crate) fn measure(
    work: &mut dyn Work,
    right: impl Fn(usize) -> Vec<BigUint>,
    name: &Name<'_>,
    plan: Plan,
) -> Result<Timing, LabError> {
    work.prepare()?;
    work.run()?;
    let results = work.results()?;
    let right = right(results.len());
    check(&results, &right, name)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < plan.least || (times.len() < plan.most && begin.elapsed() < plan.budget) {
        work.prepare()?;
        let start = Instant::now();
        let took = work.run()?;
        times.push(took.unwrap_or_else(|| start.elapsed()).as_secs_f64());
    }
    check(&work.results()?, &right, name)?;
    times.sort_by(f64::total_cmp);
    Ok(Timing { min: times[0], median: times[times.len() / 2], repeats: times.len() })
}

fn check(results: &[BigUint], right: &[BigUint], name: &Name<'_>) -> Result<(), LabError> {
    let differs = results.iter().zip(right).position(|(ours, right)| ours != right);
    match differs.or_else(|| (results.len() != right.len()).then(|| results.len().min(right.len()))) {
        None => Ok(()),
        Some(at) => Err(LabError::Wrong { series: name.series.to_owned(), what: name.what.to_owned(), at }),
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

    #[test]
    fn no_time_of_wrong_results() {
        let right = |count| vec![BigUint::from(1u8); count];
        let plan = Plan { least: 3, most: 3, budget: Duration::ZERO };
        let name = Name { series: "s", what: "x" };
        for good in [0, 3] {
            assert!(measure(&mut Count { runs: 0, good }, right, &name, plan).is_err(), "{good}");
        }
        // The run that is only checked took a second, the timed ones 2, 3 and 4 by their own account.
        let done = measure(&mut Count { runs: 0, good: 4 }, right, &name, plan).unwrap();
        assert_eq!((done.min, done.median, done.repeats), (2.0, 3.0, 3));
        let short = measure(&mut Count { runs: 0, good: 9 }, |_| Vec::new(), &name, plan);
        assert!(matches!(short, Err(LabError::Wrong { at: 0, .. })));
    }
}
