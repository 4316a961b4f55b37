//! A branch-and-bound search, which discards only regions that cannot contain a point of the front.
//!
//! On many axes an objective is monotonic: more elements never make a design slower, and never smaller. Where that
//! holds, the design of a box of the space that is best in one objective is at a corner that is known beforehand, and
//! its measurement bounds every other design in the box. A box whose two bounds are beaten by a known design cannot
//! contribute to the front. Otherwise it is halved. Axes whose trend is unknown are divided into their single values
//! first.
//!
//! The front is that of the whole space provided that the trends hold. The search checks them: all pairs of measured
//! points that a trend orders are compared, and the greatest contradiction is reported ([`Proof::contradiction`]).

use super::{Measured, Point, SearchResult, front, neighbours_measured};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How an objective changes from each value of an axis to the next, all else equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trend {
    /// It never grows.
    Falls,
    /// It never shrinks.
    Rises,
    /// It stays as it is.
    Stays,
    /// The trend is not known.
    Unknown,
}

/// An axis of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The number of its values.
    pub values: usize,
    /// The trends of the two objectives.
    pub trends: [Trend; 2],
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchAndBound {
    /// The most points that are measured.
    pub budget: usize,
    /// Points that are measured in one batch.
    pub batch: usize,
}

/// How far the front that was found is proved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proof {
    /// Whether every point of the space was measured or lies in a box that its bounds excluded.
    pub complete: bool,
    /// For each objective, the largest amount by which two measured points contradict its trends, as a share of the
    /// value that should be the smaller one; 0 if no pair contradicts them.
    pub contradiction: [f64; 2],
}

/// A part of the space: the lowest and the highest index on each axis.
#[derive(Clone, Debug)]
struct Region {
    low: Point,
    high: Point,
}

impl Region {
    /// The point whose objective bounds those of all others.
    fn corner(&self, axes: &[Axis], objective: usize) -> Point {
        let ends = self.low.iter().zip(&self.high);
        let end = |(axis, (low, high)): (&Axis, (&usize, &usize))| match axis.trends[objective] {
            Trend::Falls => *high,
            // Where this objective stays constant along the axis, the end that bounds the other objective is measured.
            Trend::Stays if axis.trends[1 - objective] == Trend::Falls => *high,
            Trend::Rises | Trend::Stays | Trend::Unknown => *low,
        };
        axes.iter().zip(ends).map(end).collect()
    }

    /// The axis that is divided next: one without a trend that still has several values, else the longest.
    fn longest(&self, axes: &[Axis]) -> Option<usize> {
        let length = |axis: &usize| self.high[*axis] - self.low[*axis];
        let unknown = |axis: &usize| axes[*axis].trends.contains(&Trend::Unknown);
        let open = || (0..axes.len()).filter(|axis| length(axis) > 0);
        // Of equally long axes the first is taken. Along an axis on which one objective stays, the other one is best at
        // an end of the axis, which is measured anyway.
        let moving = |axis: &usize| !axes[*axis].trends.contains(&Trend::Stays);
        let longest = || open().rev().filter(moving).max_by_key(length);
        open().find(unknown).or_else(longest).or_else(|| open().rev().max_by_key(length))
    }

    /// Whether the corners bound every point of the region.
    fn is_bounded(&self, axes: &[Axis]) -> bool {
        self.longest(axes).is_none_or(|axis| !axes[axis].trends.contains(&Trend::Unknown))
    }

    fn halves(&self, axis: usize) -> [Self; 2] {
        let middle = self.low[axis].midpoint(self.high[axis]);
        let (mut below, mut above) = (self.clone(), self.clone());
        (below.high[axis], above.low[axis]) = (middle, middle + 1);
        [below, above]
    }
}

impl BranchAndBound {
    /// Searches a space. `measure` measures a batch of points and returns their results in order.
    ///
    /// # Errors
    /// The first error of `measure`.
    pub fn run<E>(
        &self,
        axes: &[Axis],
        mut measure: impl FnMut(&[Point]) -> Result<Vec<Measured>, E>,
    ) -> Result<(SearchResult, Proof), E> {
        let mut points: BTreeMap<Point, Measured> = BTreeMap::new();
        let mut open = VecDeque::new();
        if axes.iter().all(|axis| axis.values > 0) {
            let high = axes.iter().map(|axis| axis.values - 1).collect();
            open.push_back(Region { low: vec![0; axes.len()], high });
        }
        let mut complete = true;
        while !open.is_empty() {
            // Regions without bounds are divided before any of their points is measured.
            let (mut now, mut asked) = (Vec::new(), BTreeSet::new());
            while asked.len() < self.batch.max(1)
                && let Some(region) = open.pop_front()
            {
                match region.longest(axes).filter(|_| !region.is_bounded(axes)) {
                    Some(axis) => {
                        region.halves(axis).into_iter().rev().for_each(|half| open.push_front(half))
                    }
                    None => {
                        let corners = [0, 1].map(|objective| region.corner(axes, objective));
                        asked.extend(corners.into_iter().filter(|corner| !points.contains_key(corner)));
                        now.push(region);
                    }
                }
            }
            let room = self.budget.saturating_sub(points.len());
            complete &= asked.len() <= room;
            let batch: Vec<Point> = asked.into_iter().take(room).collect();
            if !batch.is_empty() {
                let measured = measure(&batch)?;
                points.extend(batch.into_iter().zip(measured));
            }
            if !complete {
                break;
            }
            let best: Vec<Measured> = front(&points).into_iter().map(|point| points[point]).collect();
            for region in now {
                let Some(axis) = region.longest(axes) else { continue };
                let bounds =
                    [0, 1].map(|objective| points[&region.corner(axes, objective)].objectives[objective]);
                // A design that cannot be built gives no bound.
                let is_left_out = bounds.iter().all(|bound| bound.is_finite())
                    && best.iter().any(|known| known.objectives.iter().zip(&bounds).all(|(a, b)| a <= b));
                if !is_left_out {
                    open.extend(region.halves(axis));
                }
            }
        }
        let sizes: Vec<usize> = axes.iter().map(|axis| axis.values).collect();
        let whole = sizes.iter().try_fold(1usize, |n, &values| n.checked_mul(values));
        let found = SearchResult {
            exhaustive: whole == Some(points.len()),
            neighbours_measured: complete || neighbours_measured(&sizes, &points),
            points,
        };
        let contradiction = [0, 1].map(|objective| contradiction(axes, &found.points, objective));
        Ok((found, Proof { complete, contradiction }))
    }
}

/// The largest contradiction between two measured points and the trends of an objective.
fn contradiction(axes: &[Axis], points: &BTreeMap<Point, Measured>, objective: usize) -> f64 {
    // Whether the trends say that the first point is at least as good as the second on every axis.
    let better = |a: &Point, b: &Point| {
        axes.iter().zip(a.iter().zip(b)).all(|(axis, (a, b))| match axis.trends[objective] {
            Trend::Falls => a >= b,
            Trend::Rises => a <= b,
            Trend::Stays => true,
            Trend::Unknown => a == b,
        })
    };
    let finite = points.iter().map(|(point, measured)| (point, measured.objectives[objective]));
    let finite: Vec<(&Point, f64)> = finite.filter(|(_, value)| value.is_finite()).collect();
    let mut most = 0.0f64;
    for (a, small) in &finite {
        for (b, large) in &finite {
            if small > large && better(a, b) {
                most = most.max((small - large) / small.abs().max(f64::MIN_POSITIVE));
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::Evolution;
    use super::*;
    use proptest::prelude::*;

    const SIZES: [usize; 4] = [9, 7, 3, 6];
    const POINTS: usize = 1134;

    fn axes(trends: [[Trend; 2]; 4]) -> Vec<Axis> {
        SIZES.iter().zip(trends).map(|(&values, trends)| Axis { values, trends }).collect()
    }

    const TRENDS: [[Trend; 2]; 4] = [
        [Trend::Falls, Trend::Rises],
        [Trend::Rises, Trend::Falls],
        [Trend::Unknown, Trend::Unknown],
        [Trend::Falls, Trend::Rises],
    ];

    /// Elements that are faster and larger until memory is the bound, as designs of machines are.
    fn machine(at: &Point, seed: u64) -> Measured {
        let [pes, interval, kind, buffer] = [0, 1, 2, 3].map(|axis| at[axis] as f64);
        let work = 4096.0 * (1.0 + interval) / (1.0 + pes);
        let memory = (600.0 + 40.0 * (seed % 7) as f64) * (1.0 + 0.3 * kind) / (1.0 + 0.1 * buffer);
        let area = (3.0 + pes) * (1.0 + 1.0 / (1.0 + interval)) + 0.4 * buffer - 0.7 * kind;
        if kind == 1.0 && seed.is_multiple_of(3) && pes < 2.0 {
            return Measured::REFUSED;
        }
        Measured { objectives: [work.max(memory), area], violation: (area - 14.0).max(0.0) }
    }

    fn exhaustive(seed: u64) -> Vec<[f64; 2]> {
        let whole = Evolution { budget: usize::MAX, population: 64, seed: 1 };
        let all = |points: &[Point]| Ok::<_, ()>(points.iter().map(|at| machine(at, seed)).collect());
        let found = whole.run(&SIZES, all).unwrap();
        assert!(found.exhaustive && found.points.len() == POINTS);
        values(&found)
    }

    fn values(found: &SearchResult) -> Vec<[f64; 2]> {
        found.front().into_iter().map(|point| found.points[point].objectives).collect()
    }

    fn bounded(axes: &[Axis], budget: usize, seed: u64) -> (SearchResult, Proof, usize) {
        let mut asked = 0;
        let search = BranchAndBound { budget, batch: 16 };
        let found = search.run(axes, |points| {
            asked += points.len();
            Ok::<_, ()>(points.iter().map(|at| machine(at, seed)).collect())
        });
        let (found, proof) = found.unwrap();
        (found, proof, asked)
    }

    #[test]
    fn the_front_of_the_whole_space_is_found_with_fewer_points() {
        for seed in 0..12 {
            let (found, proof, asked) = bounded(&axes(TRENDS), usize::MAX, seed);
            assert_eq!(values(&found), exhaustive(seed), "{seed}");
            assert_eq!((proof.complete, proof.contradiction), (true, [0.0; 2]));
            assert_eq!(asked, found.points.len());
            println!("{seed}: {asked} of {POINTS}, {} on the front", found.front().len());
            assert!(
                asked * 3 < 2 * POINTS && !found.exhaustive && found.neighbours_measured,
                "{seed}: {asked}"
            );
        }
    }

    #[test]
    fn without_trends_every_point_is_measured() {
        let none = axes([[Trend::Unknown; 2]; 4]);
        let (found, proof, asked) = bounded(&none, usize::MAX, 5);
        assert!(found.exhaustive && proof.complete && asked == POINTS);
        assert_eq!(values(&found), exhaustive(5));
        let empty = [Axis { values: 0, trends: TRENDS[0] }];
        let (found, proof, asked) = bounded(&empty, usize::MAX, 5);
        assert!(found.points.is_empty() && found.exhaustive && proof.complete && asked == 0);
    }

    #[test]
    fn a_number_that_stays_costs_nothing() {
        let run = |second: Trend| {
            let axes =
                [Axis { values: 8, trends: TRENDS[1] }, Axis { values: 50, trends: [Trend::Falls, second] }];
            let one = |at: &Point| {
                let objectives = [100.0 + 9.0 * at[0] as f64 - at[1] as f64, 80.0 - 7.0 * at[0] as f64];
                Measured { objectives, violation: 0.0 }
            };
            let search = BranchAndBound { budget: usize::MAX, batch: 4 };
            let all = |points: &[Point]| Ok::<_, ()>(points.iter().map(one).collect());
            let (found, proof) = search.run(&axes, all).unwrap();
            assert!(proof.complete && proof.contradiction == [0.0; 2] && found.front().len() == 8);
            assert!(found.front().iter().all(|point| point[1] == 49));
            found.points.len()
        };
        let (known, unknown) = (run(Trend::Stays), run(Trend::Unknown));
        assert!(known < 40 && unknown > 4 * known, "{known} {unknown}");
    }

    #[test]
    fn a_budget_that_is_too_small_proves_nothing() {
        let (found, proof, asked) = bounded(&axes(TRENDS), 40, 1);
        assert!(!proof.complete && asked == 40 && found.points.len() == 40 && !found.exhaustive);
    }

    #[test]
    fn a_trend_that_does_not_hold_is_seen() {
        let mut wrong = TRENDS;
        wrong[0] = [Trend::Rises, Trend::Rises];
        let (_, proof, _) = bounded(&axes(wrong), usize::MAX, 1);
        assert!(proof.contradiction[0] > 0.5 && proof.contradiction[1] == 0.0, "{proof:?}");
    }

    proptest! {
        /// Any numbers that are made to follow the trends, equal ones included, limits and designs that cannot be built among
        /// them: the front is the exhaustive one.
        #[test]
        fn fronts_are_exhaustive(
            steps in prop::collection::vec((0u8..4, 0u8..4), 17),
            offset in prop::collection::vec((0u8..20, 0u8..20), 3),
            limit in 10u8..80,
            refused in any::<u8>(),
        ) {
            // Sums of steps along an axis never fall.
            let place = |axis: usize, index: usize, of: fn(&(u8, u8)) -> u8| -> f64 {
                let first = [0, 5, 10][axis];
                (0..index).map(|step| f64::from(of(&steps[first + step]))).sum()
            };
            let sizes = [6, 6, 8, 3];
            let measured = |at: &Point| {
                let time = 60.0 - place(0, at[0], |s| s.0) + place(1, at[1], |s| s.0) - place(2, at[2], |s| s.0);
                let area = place(0, at[0], |s| s.1) + 30.0 - place(1, at[1], |s| s.1) + place(2, at[2], |s| s.1);
                let (a, b) = offset[at[3]];
                if (at[0] + 3 * at[1] + 5 * at[2] + at[3]) % 11 == usize::from(refused) % 13 {
                    return Measured::REFUSED;
                }
                let objectives = [time + f64::from(a), area + f64::from(b)];
                Measured { objectives, violation: (objectives[1] - f64::from(limit)).max(0.0) }
            };
            let trends = [TRENDS[0], TRENDS[1], TRENDS[0], TRENDS[2]];
            let axes: Vec<Axis> =
                sizes.iter().zip(trends).map(|(&values, trends)| Axis { values, trends }).collect();
            let all = |points: &[Point]| Ok::<_, ()>(points.iter().map(measured).collect());
            let search = BranchAndBound { budget: usize::MAX, batch: 8 };
            let (found, proof) = search.run(&axes, all).unwrap();
            let whole = Evolution { budget: usize::MAX, population: 64, seed: 1 }.run(&sizes, all).unwrap();
            prop_assert_eq!(values(&found), values(&whole));
            prop_assert!(proof.complete && proof.contradiction == [0.0; 2]);
        }
    }
}
