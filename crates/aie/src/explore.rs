//! Methods times mappings: what each design gives, and which of them no other beats.

use crate::evaluate::{AieError, Design, Evaluation, evaluate};
use crate::mapping::Mapping;
use crate::method::Method;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// All designs of an exploration.
#[derive(Debug)]
pub struct Exploration {
    /// Those that run, by mapping and then by method in the orders given.
    pub points: Vec<Evaluation>,
    /// Those that do not, and why.
    pub refused: Vec<(Mapping, Method, AieError)>,
}

/// What a design is judged by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Tasks per cycle of the whole array, with stalls where there are links.
    Throughput,
    /// Cycles of one task.
    Latency,
}

/// Tasks per cycle of the whole array: clocked with stalls, or by instructions where no tile waits for another.
pub fn rate(point: &Evaluation) -> f64 {
    point.sustained_per_cycle.unwrap_or(point.throughput_per_cycle)
}

/// Evaluates every method on every mapping, on as many threads as the host has.
pub fn explore(methods: &[Method], mappings: &[Mapping]) -> Exploration {
    let designs: Vec<Design> = mappings
        .iter()
        .flat_map(|&mapping| methods.iter().map(move |&method| Design::new(mapping, method)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(design) = designs.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(((design.mapping, design.method), evaluate(design)));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(designs.len().max(1));
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        // A design must not be missing because its worker panicked.
        let result =
            |worker: thread::ScopedJoinHandle<'_, Vec<_>>| worker.join().unwrap_or_else(|p| resume_unwind(p));
        workers.into_iter().flat_map(result).collect::<Vec<_>>()
    });
    let place = |(mapping, method): (Mapping, Method)| {
        designs.iter().position(|design| (design.mapping, design.method) == (mapping, method))
    };
    done.sort_by_key(|(design, _)| place(*design));
    let mut all = Exploration { points: vec![], refused: vec![] };
    for ((mapping, method), result) in done {
        match result {
            Ok(evaluation) => all.points.push(evaluation),
            Err(error) => all.refused.push((mapping, method, error)),
        }
    }
    all
}

impl Exploration {
    /// The designs that no other one beats in one goal without being worse in the other, from the lowest latency up.
    pub fn front(&self) -> Vec<&Evaluation> {
        let mut points: Vec<_> = self.points.iter().collect();
        points.sort_by(|a, b| a.latency_cycles.cmp(&b.latency_cycles).then(rate(b).total_cmp(&rate(a))));
        let mut most = 0.0;
        points.retain(|point| {
            let better = rate(point) > most;
            most = rate(point).max(most);
            better
        });
        points
    }

    /// The best design by a goal.
    pub fn best(&self, goal: Goal) -> Option<&Evaluation> {
        match goal {
            Goal::Throughput => self.points.iter().max_by(|a, b| rate(a).total_cmp(&rate(b))),
            Goal::Latency => self.points.iter().min_by_key(|point| point.latency_cycles),
        }
    }

    /// How often better by a goal the best design is than the best one of a method: for
    /// [`Method::PAPER`], what is gained over the paper's method.
    pub fn gain(&self, goal: Goal, over: Method) -> Option<f64> {
        let base = Self {
            points: self.points.iter().filter(|point| point.method == over).cloned().collect(),
            refused: vec![],
        };
        let (best, base) = (self.best(goal)?, base.best(goal)?);
        Some(match goal {
            Goal::Throughput => rate(best) / rate(base),
            Goal::Latency => base.latency_cycles as f64 / best.latency_cycles as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Carry;
    use crate::modmul::{Multiplication, Reduction};

    #[test]
    fn the_front_is_what_no_design_beats() {
        let digits_of_28_bits =
            Method { product: Multiplication::Digits28, ..Method::new(Reduction::Barrett, Carry::Balanced) };
        let methods = [Method::PAPER, digits_of_28_bits];
        let all = explore(&methods, &[Mapping::Single, Mapping::Coarse]);
        assert!(all.refused.is_empty(), "{:?}", all.refused);
        let order: Vec<_> = all.points.iter().map(|p| (p.mapping, p.method)).collect();
        let expected = [Mapping::Single, Mapping::Coarse].map(|mapping| methods.map(|m| (mapping, m)));
        assert_eq!(order, expected.concat());
        let front = all.front();
        for point in &all.points {
            let beaten = all.points.iter().any(|other| {
                rate(other) >= rate(point)
                    && other.latency_cycles <= point.latency_cycles
                    && (rate(other), other.latency_cycles) != (rate(point), point.latency_cycles)
            });
            assert_eq!(beaten, !front.contains(&point), "{:?}", point.method);
        }
        assert_eq!(
            all.best(Goal::Throughput).map(|p| (p.mapping, p.method)),
            Some((Mapping::Single, digits_of_28_bits))
        );
        // An addition on one tile in less than a third of the paper's instructions, at the same method's in its own.
        assert!(all.gain(Goal::Throughput, Method::PAPER) > Some(3.0));
        assert!(all.gain(Goal::Latency, Method::PAPER) > Some(1.0));
        assert_eq!(all.gain(Goal::Latency, Method::new(Reduction::Montgomery, Carry::Mixed)), None);
    }
}
