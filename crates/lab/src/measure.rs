//! Timing with checked results.

use crate::LabError;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// Something that computes the same results as often as it is asked to.
pub(crate) trait Work {
    /// Name of the series, for messages.
    fn series(&self) -> &str;
    /// Puts the inputs back and spoils the outputs; not timed.
    fn prepare(&mut self);
    /// The timed part.
    fn run(&mut self);
    /// The results as plain numbers.
    fn results(&self) -> Vec<BigUint>;
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

/// Checks the results of one run, times several, and checks the results of the last: no time of wrong results is kept.
pub(crate) fn measure(
    work: &mut dyn Work,
    expected: &[BigUint],
    what: &str,
    plan: Plan,
) -> Result<Timing, LabError> {
    work.prepare();
    work.run();
    check(work, expected, what)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < plan.least || (times.len() < plan.most && begin.elapsed() < plan.budget) {
        work.prepare();
        let start = Instant::now();
        work.run();
        times.push(start.elapsed().as_secs_f64());
    }
    check(work, expected, what)?;
    times.sort_by(f64::total_cmp);
    Ok(Timing { min: times[0], median: times[times.len() / 2], repeats: times.len() })
}

fn check(work: &dyn Work, expected: &[BigUint], what: &str) -> Result<(), LabError> {
    let results = work.results();
    let differs = results.iter().zip(expected).position(|(ours, right)| ours != right);
    match differs.or_else(|| (results.len() != expected.len()).then(|| results.len().min(expected.len()))) {
        None => Ok(()),
        Some(at) => Err(LabError::Wrong { series: work.series().to_owned(), what: what.to_owned(), at }),
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
        fn series(&self) -> &str {
            "count"
        }
        fn prepare(&mut self) {}
        fn run(&mut self) {
            self.runs += 1;
        }
        fn results(&self) -> Vec<BigUint> {
            vec![BigUint::from(u8::from(self.runs <= self.good))]
        }
    }

    #[test]
    fn no_time_of_wrong_results() {
        let right = [BigUint::from(1u8)];
        let plan = Plan { least: 3, most: 3, budget: Duration::ZERO };
        for (good, fine) in [(0, false), (3, false), (4, true)] {
            let done = measure(&mut Count { runs: 0, good }, &right, "x", plan);
            assert_eq!(done.is_ok(), fine, "{good}");
        }
        let short = measure(&mut Count { runs: 0, good: 9 }, &[], "x", plan);
        assert!(matches!(short, Err(LabError::Wrong { at: 0, .. })));
    }
}
