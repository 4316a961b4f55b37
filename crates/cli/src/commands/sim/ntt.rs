//! `pairwright sim ntt`: a transform of any size on the whole chip.

use super::operator::{Observer, Operator, Simulated, choice, clocked, no_parameter};
use crate::args::{Coset, DirectionName, NttParameters, Size};
use crate::failure::{ArgumentError, Failure, ModelFault};
use pairwright::Boards;
use pairwright::chip::MachineSpec;
use pairwright::chip::machine::top::{Account, Watch};
use pairwright::chip::operator::{OperatorOptions, ntt_task};
use pairwright::chip::task::ntt::Shape;
use pairwright::device::Direction;
use pairwright::field::{Field, PrimeField};
use pairwright::formats::CurveId;
use pairwright::poly::{Buf, Domain};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

impl NttParameters {
    fn shape<F: PrimeField>(&self) -> Result<Shape<F>, Failure> {
        let Size(points) = self.size;
        if !points.is_power_of_two() {
            return Err(ArgumentError::NoPower(points).into());
        }
        let domain = Domain::<F>::new(points.ilog2()).map_err(Failure::bad)?;
        let shift = match self.coset {
            None => F::ONE,
            Some(Coset::Odd) => domain.odd_shift().map_err(Failure::bad)?,
            Some(Coset::Number(n)) => F::from(n),
        };
        Ok(Shape { domain, inverse: self.direction == DirectionName::Inverse, shift })
    }

    fn options(&self) -> OperatorOptions {
        OperatorOptions { schedule: self.schedule.into(), method: self.method.into() }
    }
}

impl Operator for NttParameters {
    const PARAMETERS: &'static [&'static str] =
        &["size", "direction", "coset", "schedule", "method", "curve"];

    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match name {
            "size" => self.size = value.parse()?,
            "direction" => self.direction = choice(name, value)?,
            "coset" => self.coset = Some(value.parse()?),
            "schedule" => self.schedule = choice(name, value)?,
            "method" => self.method = choice(name, value)?,
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
        if !data {
            self.size.expect_timing("--size", "points")?;
            let shape = self.shape::<E::Fr>()?;
            let run = |watch: Watch<'_>| E::ntt_watched(spec, &shape, self.options(), watch);
            let (ran, seconds) = clocked(|| observer.collect(run));
            let (account, executed) = ran?;
            return Ok(Simulated::timed(account, executed, Vec::new(), seconds));
        }
        self.size.expect_room("points with data", 256)?;
        let shape = self.shape::<E::Fr>()?;
        let mut rng = ChaCha20Rng::seed_from_u64(self.random);
        let values: Vec<E::Fr> = (0..shape.domain.size()).map(|_| E::Fr::random(&mut rng)).collect();
        let mut ours = values.clone();
        let (account, seconds) = clocked(|| E::ntt(spec, &shape, self.options(), &mut ours));
        let account = account?;
        let direction = if shape.inverse { Direction::Inverse } else { Direction::Forward };
        let mut host = Buf::from(values);
        let board = E::host();
        board.ntt.ntt(&shape.domain, direction, Some(&shape.shift), &mut host)?;
        if ours != *host {
            return Err(ModelFault::Differs("processor's transform").into());
        }
        Ok(Simulated::compared(account, Vec::new(), seconds))
    }

    fn data(&self) -> bool {
        self.data
    }

    fn listing<E: Boards>(&self, spec: &MachineSpec) -> Result<String, Failure> {
        Ok(ntt_task(spec, &self.shape::<E::Fr>()?, self.options()).map_err(Failure::bad)?.0.listing())
    }

    fn details(&self, account: &Account) -> String {
        let p = &account.poly;
        format!(
            "products {}, reads of Banks_A and B {}, writes {}, reads of Banks_C {}, writes {}",
            p.products, p.reads, p.writes, p.table_reads, p.table_writes
        )
    }

    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        let coset = match self.coset {
            _ if !fixed("coset") => String::new(),
            None => String::new(),
            Some(Coset::Odd) => "coset ".to_owned(),
            Some(Coset::Number(n)) => format!("coset ({n}) "),
        };
        let kind = match self.direction {
            _ if !fixed("direction") => "NTT, forward or inverse,",
            DirectionName::Inverse => "INTT",
            DirectionName::Forward => "NTT",
        };
        let size = if fixed("size") { format!(" of {} points", self.size) } else { String::new() };
        let how = [("schedule", self.schedule.name()), ("method", self.method.name())];
        let how: String =
            how.iter().filter(|(name, _)| fixed(name)).map(|(_, words)| format!(", {words}")).collect();
        format!("{coset}{kind}{size}{how}")
    }
}
