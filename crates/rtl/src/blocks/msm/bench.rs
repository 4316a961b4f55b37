//! The model of the engine: `chip`'s model, clocked cycle by cycle, on multi-scalar multiplications of all sizes.

use super::padd::{Contents, affine};
use super::{WINDOW, padd::TAG};
use crate::blocks::Cursor;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls};
use num_bigint::BigUint;
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::msm::{Group, Msm, MsmSpec, Pair, Sequence};
use pairwright_curve::{Curve, Projective};
use pairwright_field::{Field, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;

/// An item of the engine's input sequence.
#[derive(Clone, Debug)]
enum Step<C: Curve> {
    Point(u32, Projective<C>),
    Reduce(u32),
    /// The number of windows, and the expected sum.
    Aggregate(u32, Projective<C>),
}

/// The model with its jobs.
pub struct Engine<C: Curve>
where
    C::Base: Datapath,
{
    spec: MsmSpec,
    model: Msm<Projective<C>>,
    padd: Contents<C::Base>,
    run: Option<Sequence<Projective<C>>>,
    aggregates: bool,
    window: u32,
    done: bool,
    /// Whether a lane uses the word that the bucket memory delivers in this cycle.
    loaded: [bool; 2],
    /// The results of the segments for the lanes that merge them.
    values: [Option<Option<Projective<C>>>; 3],
    /// The result of the chain.
    sum: Option<Option<Projective<C>>>,
    script: VecDeque<Step<C>>,
    want: Option<Projective<C>>,
    jobs: u32,
    /// How often each of the arbiter's cases occurred before the last reset.
    cases: [u64; 5],
    stalls: Stalls,
    oracle: Oracle,
}

/// The arbiter's cases.
const CASES: [&str; 5] = [
    "a point alone",
    "a result alone",
    "both for one bucket",
    "both, a bucket empty",
    "both, no bucket empty",
];

/// The number of points of the first job.
const MANY: u32 = 1 << 8;

impl<C: Curve> Engine<C>
where
    C::Base: Datapath,
{
    /// The model in its initial state.
    ///
    /// # Panics
    /// For a design that the block was not printed for.
    pub fn new(spec: &MsmSpec) -> Self {
        Self {
            spec: *spec,
            model: Self::fresh(spec),
            padd: Contents::new(spec),
            run: None,
            aggregates: false,
            window: 0,
            done: false,
            loaded: [false; 2],
            values: [None; 3],
            sum: None,
            script: VecDeque::new(),
            want: None,
            jobs: 0,
            cases: [0; 5],
            stalls: Stalls::default(),
            oracle: Oracle::default(),
        }
    }

    fn cases(&self) -> [u64; 5] {
        let now = self.model.cases();
        core::array::from_fn(|k| self.cases[k] + now[k])
    }

    fn fresh(spec: &MsmSpec) -> Msm<Projective<C>> {
        let mut model = Msm::new(spec, Group::G1).expect("a design that was printed");
        model.begin(0, 1 << WINDOW);
        model
    }

    /// Plans an MSM: the first has 256 points with scalars of three windows, later ones are small with colliding
    /// digits; every eighth has scalars of full width.
    fn plan(&mut self, rng: &mut ChaCha20Rng) {
        let bits = self.spec.window_g1;
        let long = self.jobs % 8 == 7;
        let (points, windows) = match self.jobs {
            0 => (MANY, 3),
            7 => (MANY, C::Scalar::BITS.div_ceil(bits)),
            _ if long => (40, C::Scalar::BITS.div_ceil(bits)),
            _ => (rng.next_u32() % 40, 1 + rng.next_u32() % 3),
        };
        let alike = if self.jobs == 0 || long { 8 } else { rng.next_u32() % 8 };
        self.jobs += 1;
        let mut factor = C::Scalar::from(1 + rng.next_u64() % 1000);
        let mut point = Projective::from(C::GENERATOR.to_jacobian().mul_vartime(&factor).to_affine());
        let mut total = C::Scalar::ZERO;
        let mut all = Vec::new();
        for _ in 0..points {
            let digits: Vec<u32> = (0..windows)
                .map(|_| match alike {
                    0 => 5,
                    1 => 1 + rng.next_u32() % 2,
                    2 => [0, 3][(rng.next_u32() % 2) as usize],
                    _ => rng.next_u32() % (1 << bits),
                })
                .collect();
            let base = C::Scalar::from(1 << bits);
            let scalar = digits
                .iter()
                .rev()
                .fold(C::Scalar::ZERO, |sum, digit| sum * base + C::Scalar::from(u64::from(*digit)));
            total += factor * scalar;
            all.push((digits, point));
            // Some points are doubles of the previous one, some equal, some opposite.
            (point, factor) = match rng.next_u32() % 8 {
                0 => (point, factor),
                1 => (-point, -factor),
                2 => (point + point, factor + factor),
                _ => (point + Projective::from(C::GENERATOR), factor + C::Scalar::ONE),
            };
        }
        // The buckets are empty after reductions, and the window sums of the previous job are dropped.
        self.model.begin(self.model.now(), windows);
        for window in 0..windows {
            let of_window = all.iter().filter(|(digits, _)| digits[window as usize] > 0);
            self.script
                .extend(of_window.map(|(digits, point)| Step::Point(digits[window as usize] - 1, *point)));
            self.script.push_back(Step::Reduce(window));
        }
        self.script.push_back(Step::Aggregate(
            windows,
            Projective::from(C::GENERATOR.to_jacobian().mul_vartime(&total).to_affine()),
        ));
    }
}

/// A concatenation of values, the first in the lowest bits.
fn packed(parts: &[(&[u64], u32)]) -> Vec<u64> {
    let number = |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |n, word| (n << 64u32) + *word);
    let all = parts.iter().rev().fold(BigUint::ZERO, |sum, (words, bits)| (sum << *bits) + number(words));
    all.to_u64_digits()
}

/// The coordinates of a point in the engine's representation.
fn coordinates<C: Curve>(point: &Projective<C>) -> Vec<u64>
where
    C::Base: Datapath,
{
    let bits = C::Base::BITS;
    packed(&[(&point.x.digits(), bits), (&point.y.digits(), bits), (&point.z.digits(), bits)])
}

impl Cursor<'_> {
    /// Writes the next signal, a point.
    fn point<C: Curve>(&mut self, value: Option<&Projective<C>>)
    where
        C::Base: Datapath,
    {
        let value = value.map(coordinates);
        self.put(value);
    }
}

impl<C: Curve> Bench for Engine<C>
where
    C::Base: Datapath,
{
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        if self.jobs == 1 || self.jobs.is_multiple_of(8) {
            input.set(0, &[0]);
        }
        if self.script.is_empty() && self.run.is_none() {
            self.plan(rng);
        }
        let [_, _, valid] = input.flags();
        let idle = self.run.is_none();
        let (mut to, mut point, mut command, mut window) = (rng.next_u32() % 16, Projective::INFINITY, 0, 0);
        let mut comes = !idle && valid;
        match self.script.front().filter(|_| idle) {
            Some(Step::Point(bucket, p)) => (to, point, comes) = (*bucket, *p, valid),
            Some(Step::Reduce(w)) if valid => (command, window) = (1, *w),
            Some(Step::Aggregate(windows, _)) if valid => (command, window) = (2, *windows - 1),
            _ => {}
        }
        input.set(2, &[u64::from(comes)]);
        input.set(3, &[u64::from(to)]);
        for (at, coordinate) in (4..).zip([point.x, point.y, point.z]) {
            input.set(at, &coordinate.digits());
        }
        input.set(7, &[command]);
        input.set(8, &[u64::from(window)]);
    }

    fn outputs(&self, out: &mut Expected) {
        out.flag(0, self.run.is_none() && self.model.can_accept());
        out.flag(1, self.run.is_none());
        out.flag(2, self.done);
        let mut cursor = Cursor { at: 3, out };
        let sum = self.sum.as_ref().filter(|_| self.done);
        cursor.flag(sum.map(Option::is_some));
        cursor.point(sum.and_then(Option::as_ref));
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.cases = self.cases();
            self.model = Self::fresh(&self.spec);
            self.padd.clear();
            (self.run, self.done, self.loaded, self.sum) = (None, false, [false; 2], None);
            if !self.script.is_empty() {
                self.script.clear();
                self.jobs = self.jobs.saturating_sub(1);
            }
            self.want = None;
            return;
        }
        if !en {
            return;
        }
        self.done = false;
        // The state of the queues before and behind the adder determines its inputs.
        let pair = {
            let before = self.model.registers();
            let stuck = before.pipe.last().is_some_and(Option::is_some) && before.results.len() == 2;
            (!stuck).then(|| {
                before.queue.first().map(|Pair { to, a, b, .. }| (*to, [a.x, a.y, a.z, b.x, b.y, b.z]))
            })
        };
        if let Some(pair) = pair {
            self.padd.tick(pair);
        }
        let Some(run) = &mut self.run else {
            let taken = valid && self.model.can_accept();
            let mut point = None;
            if taken && let Some(Step::Point(to, p)) = self.script.front() {
                point = Some((*to, *p));
                self.script.pop_front();
            }
            self.model.cycle(point);
            let window = input.get(8)[0] as u32;
            self.run = match input.get(7)[0] {
                1 => Some(self.model.begin_reduction(window).expect("a window")),
                2 => Some(self.model.begin_aggregation().expect("windows that were reduced")),
                _ => None,
            };
            if self.run.is_some() {
                (self.aggregates, self.window) = (input.get(7)[0] == 2, window);
                if let Some(Step::Aggregate(_, want)) = self.script.pop_front() {
                    self.want = Some(want);
                }
            }
            return;
        };
        let none = |run: &Sequence<Projective<C>>| {
            let lanes = run.lanes().filter(|(_, merging)| !merging);
            lanes.map_or([true; 2], |(lanes, _)| [0, 1].map(|k| lanes[k].run.is_none()))
        };
        let empty = none(run);
        let first = run.lanes().is_none_or(|(_, merging)| !merging);
        let adds = run.chains().map(|chains| chains[0].steps.len());
        self.model.sequence(run);
        let now = none(run);
        self.loaded = [0, 1].map(|k| empty[k] && !now[k]);
        if let Some(values) = run.merged().filter(|_| first) {
            self.values = [Some(values[0][0]), Some(values[1][0]), Some(values[1][1])];
        }
        // A window's addition follows the doublings of the window below.
        if self.aggregates
            && let (Some(before), Some(chains)) = (adds, run.chains())
        {
            let per_window = self.spec.window_g1 as usize + 1;
            let after = chains[0].steps.len();
            if after < before && after.is_multiple_of(per_window) && after > 0 {
                self.window -= 1;
            }
        }
        if run.is_done() {
            self.done = true;
            let sum = run.chains().and_then(|chains| chains[0].sum);
            self.sum = Some(sum);
            if self.aggregates {
                let sum = sum.map(|sum| [sum.x, sum.y, sum.z]);
                let want = self.want.take().map(|want| affine([want.x, want.y, want.z]));
                self.oracle.judge(want.map(|want| sum.and_then(affine) == want));
            }
            self.run = None;
        }
    }

    fn registers(&self, out: &mut Expected) {
        let c = &mut Cursor { at: 0, out };
        let registers = self.model.registers();
        let run = self.run.as_ref();
        let lanes = run.and_then(Sequence::lanes);
        let chain = run.and_then(Sequence::chains).map(|chains| &chains[0]);
        let merging = lanes.is_some_and(|(_, merging)| merging);
        let starting = run.is_some_and(Sequence::drains);
        let phase = match run {
            None => 0,
            Some(_) if starting => {
                if self.aggregates {
                    3
                } else {
                    1
                }
            }
            Some(_) if chain.is_some() => 3,
            Some(_) => 1 + u64::from(merging),
        };
        c.number(Some(phase));
        c.flag(run.map(|_| starting));
        c.flag(run.map(|_| self.aggregates));
        c.number(run.map(|_| u64::from(self.window)));
        c.flag(Some(self.done));
        let (bits, window) = (C::Base::BITS * 3, self.spec.window_g1);
        c.number(Some(registers.fetched.len() as u64));
        for k in 0..2 {
            let entry = registers.fetched.get(k);
            c.put(entry.map(|(to, p)| packed(&[(&coordinates(p), bits), (&[u64::from(*to)], window)])));
        }
        let staged = registers.staged;
        c.flag(Some(staged.is_some()));
        c.number(staged.map(|pair| u64::from(pair.to)));
        let mem = staged.is_some_and(|pair| pair.stored);
        c.flag(staged.map(|_| mem));
        c.point(staged.map(|pair| &pair.a));
        c.point(staged.filter(|_| !mem).map(|pair| &pair.b));
        let loaded =
            lanes.and_then(|(lanes, _)| (0..2).find(|k| self.loaded[*k]).and_then(|k| lanes[k].run.as_ref()));
        c.point(staged.filter(|_| mem).map(|pair| &pair.b).or(loaded));
        c.number(Some(registers.queue.len() as u64));
        for k in 0..4 {
            let pair = registers.queue.get(k);
            let parts = pair.map(|pair| {
                packed(&[
                    (&coordinates(&pair.a), bits),
                    (&coordinates(&pair.b), bits),
                    (&[u64::from(pair.to)], TAG),
                ])
            });
            c.put(parts);
        }
        c.number(Some(registers.results.len() as u64));
        for k in 0..2 {
            let entry = registers.results.get(k);
            c.put(entry.map(|(to, p)| packed(&[(&coordinates(p), bits), (&[u64::from(*to)], TAG)])));
        }
        let flags = registers.occupied.iter().enumerate();
        let flags = flags.fold(BigUint::ZERO, |n, (k, flag)| n | BigUint::from(u32::from(*flag)) << k);
        c.put(Some(flags.to_u64_digits()));
        for k in 0..2 {
            let lane = lanes.map(|(lanes, _)| &lanes[k]);
            c.flag(lane.map(|lane| lane.run.is_some()));
            c.flag(lane.map(|_| self.loaded[k]));
            c.point(lane.filter(|_| !self.loaded[k]).and_then(|lane| lane.run.as_ref()));
            c.flag(lane.map(|lane| lane.total.is_some()));
            c.point(lane.and_then(|lane| lane.total.as_ref()));
            c.flag(lane.map(|lane| lane.run_in_flight));
            c.flag(lane.map(|lane| lane.total_in_flight));
            c.flag(lane.map(|lane| lane.owed));
            c.number(lane.map(|lane| u64::from(lane.left)));
        }
        for value in &self.values {
            let value = value.as_ref().filter(|_| merging);
            c.flag(value.map(Option::is_some));
            c.point(value.and_then(Option::as_ref));
        }
        c.flag(chain.map(|chain| chain.sum.is_some()));
        c.point(chain.and_then(|chain| chain.sum.as_ref()));
        c.flag(chain.map(|chain| chain.in_flight));
        let per_window = self.spec.window_g1 as usize + 1;
        let left = chain
            .map(|chain| if self.aggregates { chain.steps.len() % per_window } else { chain.steps.len() });
        // The addition is the last step of a window.
        let last =
            |chain: &pairwright_chip::machine::msm::BucketChain<Projective<C>>| !chain.steps.is_empty();
        let doubles = left.zip(chain).map(|(left, chain)| match left {
            0 if last(chain) => per_window as u64 - 1,
            left => (left as u64).saturating_sub(1),
        });
        c.number(doubles);
        c.flag(chain.map(last));
        let add = chain.filter(|_| !self.aggregates).and_then(|chain| match chain.steps.back()? {
            pairwright_chip::machine::msm::ReductionStep::Add(p) => Some(p),
            pairwright_chip::machine::msm::ReductionStep::Double => None,
        });
        c.flag(add.map(Option::is_some));
        c.point(add.and_then(Option::as_ref));
        let at = c.at;
        self.padd.expect(at, c.out);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }

    fn coverage(&self) -> Vec<(&'static str, u64)> {
        CASES.into_iter().zip(self.cases()).collect()
    }
}
