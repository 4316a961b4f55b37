//! `pairwright sim msm`: a multi-scalar multiplication of any length on the whole chip.

use super::operator::{Observer, Operator, Simulated, choice, clocked, no_parameter};
use crate::args::{GroupName, MsmParameters, ScalarsName, Size};
use crate::failure::{ArgumentError, Failure, ModelFault};
use crate::output;
use pairwright::Boards;
use pairwright::chip::MachineSpec;
use pairwright::chip::isa::Group;
use pairwright::chip::machine::top::{Account, Watch};
use pairwright::chip::operator::{OperatorError, OperatorOptions, Outcome, Scalars, msm_task};
use pairwright::curve::{Affine, Curve, Projective};
use pairwright::device::MsmOp;
use pairwright::field::{Field, PrimeField};
use pairwright::formats::CurveId;
use pairwright::poly::Buf;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::sync::Arc;

/// The type of the functions that simulate an MSM on the chip with all its points.
type ChipMsm<C> = fn(
    &MachineSpec,
    OperatorOptions,
    &[Affine<C>],
    &[<C as Curve>::Scalar],
) -> Result<Outcome<Projective<C>>, OperatorError>;

/// The most scalars that a run without data keeps in memory: 128 MiB.
const MOST_KEPT: usize = 1 << 22;

/// An endless sequence of scalars of a kind, which is determined by the seed.
fn drawn<F: PrimeField>(kind: ScalarsName, seed: u64) -> Box<dyn Iterator<Item = F>> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let first = F::random(&mut rng);
    match kind {
        ScalarsName::Random => Box::new(core::iter::repeat_with(move || F::random(&mut rng))),
        ScalarsName::Equal => Box::new(core::iter::repeat(first)),
        ScalarsName::Sequential => Box::new((1u64..).map(F::from)),
    }
}

impl MsmParameters {
    fn group(&self) -> Group {
        match self.group {
            GroupName::G1 => Group::G1,
            GroupName::G2 => Group::G2,
        }
    }

    fn options(&self) -> OperatorOptions {
        OperatorOptions { schedule: self.schedule.into(), ..OperatorOptions::default() }
    }

    fn entries(&self) -> Result<usize, Failure> {
        let Size(points) = self.size;
        if points == 0 { Err(ArgumentError::NoPoints.into()) } else { Ok(points as usize) }
    }

    fn scalars<F: PrimeField>(&self) -> Result<Vec<F>, Failure> {
        Ok(drawn(self.scalars, self.random).take(self.entries()?).collect())
    }

    /// The scalars, which are drawn again whenever they are read. Every window reads all of them, so that up to [`MOST_KEPT`] are
    /// kept in memory.
    fn drawn<F: PrimeField>(&self) -> Result<Scalars<F>, Failure> {
        let (kind, seed) = (self.scalars, self.random);
        if self.entries()? > MOST_KEPT {
            return Ok(Box::new(move || drawn(kind, seed)));
        }
        let kept: Arc<[F]> = self.scalars()?.into();
        Ok(Box::new(move || {
            let kept = kept.clone();
            Box::new((0..kept.len()).map(move |i| kept[i]))
        }))
    }

    /// Simulates the MSM with all points, and compares the sum with the host's.
    fn with_data<C: Curve>(
        &self,
        spec: &MachineSpec,
        host: &dyn MsmOp<C>,
        msm: ChipMsm<C>,
    ) -> Result<Simulated, Failure> {
        let scalars = self.scalars::<C::Scalar>()?;
        let mut rng = ChaCha20Rng::seed_from_u64(!self.random);
        let multiples: Buf<C::Scalar> = scalars.iter().map(|_| C::Scalar::random(&mut rng)).collect();
        let (bases, _) = host.multiples(&C::GENERATOR, multiples.view())?;
        let (ran, seconds) = clocked(|| msm(spec, self.options(), &bases, &scalars));
        let ran = ran?;
        let (sum, _) = host.msm(bases.view(), Buf::from(scalars).view())?;
        if ran.value.to_affine() != sum.to_affine() {
            return Err(ModelFault::Differs("processor's sum").into());
        }
        Ok(Simulated::compared(ran.account, Vec::new(), seconds))
    }
}

impl Operator for MsmParameters {
    const PARAMETERS: &'static [&'static str] = &["size", "group", "schedule", "scalars", "curve"];

    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match name {
            "size" => self.size = value.parse()?,
            "group" => self.group = choice(name, value)?,
            "schedule" => self.schedule = choice(name, value)?,
            "scalars" => self.scalars = choice(name, value)?,
            "curve" => self.curve = choice(name, value)?,
            _ => return Err(no_parameter(name)),
        }
        Ok(())
    }

    fn curve(&self) -> CurveId {
        self.curve.0
    }

    fn simulate<E: Boards>(
        &self,
        spec: &MachineSpec,
        observer: Observer<'_>,
        data: bool,
    ) -> Result<Simulated, Failure> {
        if data {
            self.size.expect_room("points with data", 640)?;
            let board = E::host();
            return match self.group {
                GroupName::G1 => self.with_data(spec, &*board.g1, E::msm_g1),
                GroupName::G2 => self.with_data(spec, &*board.g2, E::msm_g2),
            };
        }
        self.size.expect_timing("--size", "points")?;
        let (entries, scalars) = (self.entries()? as u64, self.drawn::<E::Fr>()?);
        let run =
            |watch: Watch<'_>| E::msm_watched(spec, self.group(), self.options(), entries, scalars, watch);
        let (ran, seconds) = clocked(|| observer.collect(run));
        let (account, executed) = ran?;
        Ok(Simulated::timed(account, executed, Vec::new(), seconds))
    }

    fn data(&self) -> bool {
        self.data
    }

    fn listing<E: Boards>(&self, spec: &MachineSpec) -> Result<String, Failure> {
        let entries = self.entries()? as u64;
        Ok(msm_task::<E::Fr>(spec, self.group(), entries, self.schedule.into()).0.listing())
    }

    fn details(&self, account: &Account) -> String {
        let phases = &account.msm[self.group() as usize];
        let mut rows = Vec::new();
        for (name, work) in [
            ("bucket accumulation", &phases.accumulation),
            ("bucket reduction", &phases.reduction),
            ("group aggregation", &phases.aggregation),
        ] {
            rows.push(vec![
                name.to_owned(),
                work.cycles.to_string(),
                output::percent_of(work.cycles, account.cycles),
                work.padds.to_string(),
                output::percent(work.utilisation()),
                output::percent_of(work.drain, work.cycles),
            ]);
        }
        output::table(1, &["phase", "cycles", "of all", "PADDs", "PADD taken", "waiting"], rows)
    }

    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        let group = match self.group {
            _ if !fixed("group") => "",
            GroupName::G1 => "G1 ",
            GroupName::G2 => "G2 ",
        };
        let size = if fixed("size") { format!(" of {} points", self.size) } else { String::new() };
        let schedule = if fixed("schedule") { format!(", {}", self.schedule.name()) } else { String::new() };
        format!("{group}MSM{size}{schedule}")
    }
}
