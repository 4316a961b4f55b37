//! Searches of a design space for the Pareto front in two objectives.
//!
//! A space is a list of axes, each with a number of values; a point has one value index per axis. If the space is
//! small, every point is measured. Otherwise points evolve as in Deb and others, "A fast and elitist multiobjective
//! genetic algorithm: NSGA-II", 2002: parents are chosen by front rank and crowding distance, and a point that violates
//! a constraint ranks behind every point that violates it less. At the end the neighbours of the front are measured
//! until none is better or the budget is spent. Where the trend of the objectives along the axes is known,
//! [`BranchAndBound`] finds the front of the whole space without measuring all of it.

mod bounded;

pub use bounded::{Axis, BranchAndBound, Proof, Trend};

use std::collections::BTreeMap;

/// The index of a value on each axis.
pub type Point = Vec<usize>;

/// The result of measuring a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The two objectives, both minimised.
    pub objectives: [f64; 2],
    /// By how much the point violates the constraints: 0 if it keeps them, infinity if it cannot be built.
    pub violation: f64,
}

impl Measured {
    /// A point that cannot be built.
    pub const REFUSED: Self = Self { objectives: [f64::INFINITY; 2], violation: f64::INFINITY };

    /// Whether it keeps every constraint.
    pub fn is_feasible(&self) -> bool {
        self.violation <= 0.0 && self.objectives.iter().all(|objective| objective.is_finite())
    }

    /// Whether it beats another result: less violation, or, where both keep the constraints, no worse in either
    /// objective and better in one.
    fn beats(&self, other: &Self) -> bool {
        match (self.is_feasible(), other.is_feasible()) {
            (true, true) => {
                let pairs = || self.objectives.iter().zip(&other.objectives);
                pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
            }
            (one, another) if one != another => one,
            _ => self.violation < other.violation,
        }
    }
}

/// The parameters of the evolutionary search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evolution {
    /// The most points that are measured.
    pub budget: usize,
    /// The number of points that are kept as parents of a generation.
    pub population: usize,
    /// The seed of the pseudo-random generator.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// Every point that was measured, in the order of its indices.
    pub points: BTreeMap<Point, Measured>,
    /// Whether `points` is the whole space.
    pub exhaustive: bool,
    /// Whether the neighbours of every point of the front (one axis changed by one value) were measured too.
    pub neighbours_measured: bool,
}

impl SearchResult {
    /// The points that keep the constraints and that no other beats, in the order of the first objective; of points
    /// with equal objectives only the first.
    pub fn front(&self) -> Vec<&Point> {
        front(&self.points)
    }
}

fn front(points: &BTreeMap<Point, Measured>) -> Vec<&Point> {
    let kept: Vec<(&Point, &Measured)> =
        points.iter().filter(|(_, measured)| measured.is_feasible()).collect();
    let pairs: Vec<(f64, f64)> = kept.iter().map(|(_, m)| (m.objectives[0], m.objectives[1])).collect();
    crate::pareto::front(&pairs).into_iter().map(|at| kept[at].0).collect()
}

/// Whether every neighbour of the front has been measured.
fn neighbours_measured(axes: &[usize], points: &BTreeMap<Point, Measured>) -> bool {
    let known = |point: &Point| points.contains_key(point);
    front(points).into_iter().all(|point| neighbours(axes, point).iter().all(known))
}

/// The share of the budget that is spent on evolution; the rest is for neighbours of the front.
const EVOLVING: f64 = 0.75;
/// How many children are generated in search of one that is not known, before a random point is taken instead.
const TRIES: usize = 24;

impl Evolution {
    /// Searches a space; `axes` gives the number of values of each axis. `measure` measures a batch of points and
    /// returns their results in order.
    ///
    /// # Errors
    /// The first error of `measure`.
    pub fn run<E>(
        &self,
        axes: &[usize],
        mut measure: impl FnMut(&[Point]) -> Result<Vec<Measured>, E>,
    ) -> Result<SearchResult, E> {
        let size = axes.iter().try_fold(1usize, |n, &values| n.checked_mul(values));
        let mut points = BTreeMap::new();
        if size == Some(0) {
            return Ok(SearchResult { points, exhaustive: true, neighbours_measured: true });
        }
        let mut add = |points: &mut BTreeMap<Point, Measured>, batch: Vec<Point>| -> Result<(), E> {
            let measured = measure(&batch)?;
            points.extend(batch.into_iter().zip(measured));
            Ok(())
        };
        if let Some(size) = size.filter(|size| *size <= self.budget) {
            let all: Vec<Point> = (0..size).map(|index| point(axes, index)).collect();
            for batch in all.chunks(self.population.max(1)) {
                add(&mut points, batch.to_vec())?;
            }
            return Ok(SearchResult { points, exhaustive: true, neighbours_measured: true });
        }
        let mut chance = SplitMix64(self.seed);
        let evolving = (EVOLVING * self.budget as f64) as usize;
        // Index 0 on every axis is the base design that the others differ from.
        let mut young = vec![vec![0; axes.len()]];
        while young.len() < self.population.min(self.budget) {
            match fresh(&mut chance, axes, |p| points.contains_key(p) || young.contains(p)) {
                Some(child) => young.push(child),
                None => break,
            }
        }
        let mut old: Vec<Point> = Vec::new();
        while !young.is_empty() {
            old.extend(young.iter().cloned());
            add(&mut points, young)?;
            let ranks = ranked(&mut old, &points, self.population);
            young = Vec::new();
            while young.len() < self.population && points.len() + young.len() < evolving {
                let known = |p: &Point| points.contains_key(p) || young.contains(p);
                let child = (0..TRIES).map(|_| child(&mut chance, axes, &old, &ranks)).find(|c| !known(c));
                match child.or_else(|| fresh(&mut chance, axes, known)) {
                    Some(child) => young.push(child),
                    None => break,
                }
            }
        }
        loop {
            let near: Vec<Point> = front(&points)
                .into_iter()
                .flat_map(|point| neighbours(axes, point))
                .filter(|point| !points.contains_key(point))
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect();
            let room = self.budget.saturating_sub(points.len());
            if near.is_empty() || room == 0 {
                return Ok(SearchResult { points, exhaustive: false, neighbours_measured: near.is_empty() });
            }
            add(&mut points, near.into_iter().take(room.min(self.population.max(1))).collect())?;
        }
    }
}

/// The point with a linear index; the last axis varies fastest.
fn point(axes: &[usize], mut index: usize) -> Point {
    let mut at: Point = axes
        .iter()
        .rev()
        .map(|&values| {
            let here = index % values;
            index /= values;
            here
        })
        .collect();
    at.reverse();
    at
}

/// The points that differ on one axis by one step.
fn neighbours(axes: &[usize], at: &Point) -> Vec<Point> {
    let with = |axis: usize, value: usize| {
        let mut near = at.clone();
        near[axis] = value;
        near
    };
    (0..axes.len())
        .flat_map(|axis| {
            let lower = at[axis].checked_sub(1);
            let higher = Some(at[axis] + 1).filter(|value| *value < axes[axis]);
            [lower, higher].into_iter().flatten().map(move |value| (axis, value))
        })
        .map(|(axis, value)| with(axis, value))
        .collect()
}

/// A random point that is not known; `None` if many attempts found none.
fn fresh(chance: &mut SplitMix64, axes: &[usize], known: impl Fn(&Point) -> bool) -> Option<Point> {
    (0..TRIES * TRIES).map(|_| axes.iter().map(|&n| chance.below(n)).collect()).find(|point| !known(point))
}

/// A crossover of two tournament winners, with each axis mutated with probability one over the number of axes.
fn child(chance: &mut SplitMix64, axes: &[usize], old: &[Point], ranks: &[(usize, f64)]) -> Point {
    let mut winner = || {
        let (a, b) = (chance.below(old.len()), chance.below(old.len()));
        let first = ranks[a].0 < ranks[b].0 || (ranks[a].0 == ranks[b].0 && ranks[a].1 >= ranks[b].1);
        if first { a } else { b }
    };
    let parents = [winner(), winner()];
    (0..axes.len())
        .map(|axis| {
            let value = old[parents[chance.below(2)]][axis];
            if chance.below(axes.len()) > 0 {
                return value;
            }
            match chance.below(4) {
                0 => value.saturating_sub(1),
                1 => (value + 1).min(axes[axis] - 1),
                _ => chance.below(axes[axis]),
            }
        })
        .collect()
}

/// Keeps the best points of a population and returns the front number and the crowding distance of each.
fn ranked(old: &mut Vec<Point>, points: &BTreeMap<Point, Measured>, most: usize) -> Vec<(usize, f64)> {
    let measured: Vec<Measured> = old.iter().map(|point| points[point]).collect();
    let beaten: Vec<usize> =
        measured.iter().map(|one| measured.iter().filter(|other| other.beats(one)).count()).collect();
    let mut left: Vec<usize> = beaten;
    let mut rank = vec![usize::MAX; old.len()];
    let mut number = 0;
    loop {
        let now: Vec<usize> = (0..old.len()).filter(|&i| rank[i] == usize::MAX && left[i] == 0).collect();
        if now.is_empty() {
            break;
        }
        now.iter().for_each(|&i| rank[i] = number);
        for &i in &now {
            for j in (0..old.len()).filter(|&j| rank[j] == usize::MAX && measured[i].beats(&measured[j])) {
                left[j] -= 1;
            }
        }
        number += 1;
    }
    let mut distance = vec![0.0; old.len()];
    for front in 0..number {
        let members: Vec<usize> = (0..old.len()).filter(|&i| rank[i] == front).collect();
        for objective in 0..2 {
            let value = |i: usize| measured[i].objectives[objective];
            let mut sorted = members.clone();
            sorted.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
            let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
            let span = value(last) - value(first);
            distance[first] = f64::INFINITY;
            distance[last] = f64::INFINITY;
            for three in sorted.windows(3).filter(|_| span > 0.0 && span.is_finite()) {
                distance[three[1]] += (value(three[2]) - value(three[0])) / span;
            }
        }
    }
    let mut order: Vec<usize> = (0..old.len()).collect();
    order.sort_by(|&a, &b| {
        rank[a].cmp(&rank[b]).then(distance[b].total_cmp(&distance[a])).then(old[a].cmp(&old[b]))
    });
    order.truncate(most.max(1));
    *old = order.iter().map(|&i| old[i].clone()).collect();
    order.into_iter().map(|i| (rank[i], distance[i])).collect()
}

/// A deterministic pseudo-random generator (SplitMix64), the same for the same seed on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two objectives that trade off: the sum of the indices against the remainder, with some points that cannot be
    /// built.
    fn measured(at: &Point) -> Measured {
        let [x, y, z] = [at[0] as f64, at[1] as f64, at[2] as f64];
        if at[0] == 3 && at[1] == 3 {
            return Measured::REFUSED;
        }
        let objectives = [x + 0.1 * y * y + z, 20.0 - 2.0 * x + 0.5 * (y - 4.0).abs() + z];
        Measured { objectives, violation: (x - 8.0).max(0.0) }
    }

    fn run(axes: &[usize], budget: usize, seed: u64) -> (SearchResult, usize) {
        let mut asked = 0;
        let search = Evolution { budget, population: 24, seed };
        let found = search.run(axes, |points| {
            asked += points.len();
            Ok::<_, ()>(points.iter().map(measured).collect())
        });
        (found.unwrap(), asked)
    }

    #[test]
    fn a_small_space_is_measured_whole() {
        let (found, asked) = run(&[4, 5, 3], 60, 1);
        assert!(found.exhaustive && found.neighbours_measured && asked == 60 && found.points.len() == 60);
        assert!(!found.front().is_empty());
        assert!(run(&[4, 0, 3], 60, 1).0.points.is_empty());
    }

    #[test]
    fn evolution_finds_the_front_of_the_whole_space() {
        let axes = [12, 10, 9];
        let values = |found: &SearchResult| -> Vec<[f64; 2]> {
            found.front().into_iter().map(|point| found.points[point].objectives).collect()
        };
        let whole = run(&axes, 1080, 1).0;
        for seed in 0..8 {
            let (found, asked) = run(&axes, 400, seed);
            assert!(!found.exhaustive && asked <= 400 && asked == found.points.len());
            assert_eq!((values(&found), found.neighbours_measured), (values(&whole), true), "{seed}");
            assert_eq!(found, run(&axes, 400, seed).0);
        }
        assert!(whole.front().iter().all(|point| point[0] <= 8 && point[2] == 0));
    }

    proptest! {
        #[test]
        fn no_point_of_a_front_is_beaten(axes in prop::collection::vec(1usize..9, 3), budget in 1usize..200, seed in any::<u64>()) {
            let (found, asked) = run(&axes, budget, seed);
            prop_assert!(asked <= budget.max(1) && asked == found.points.len());
            for point in found.front() {
                let one = found.points[point];
                prop_assert!(one.is_feasible());
                prop_assert!(found.points.values().all(|other| !other.beats(&one)));
            }
            for (index, at) in found.points.keys().enumerate().take(5) {
                let same = point(&axes, index);
                prop_assert!(!found.exhaustive || *at == same);
            }
        }
    }
}
