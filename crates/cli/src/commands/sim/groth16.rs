//! `pairwright sim groth16`: a whole proof as one program of the chip.

use super::operator::{Observer, Operator, Simulated, choice, clocked, no_parameter};
use crate::args::{Groth16Parameters, Size};
use crate::failure::{ArgumentError, Failure, ModelFault};
use pairwright::Boards;
use pairwright::chip::MachineSpec;
use pairwright::chip::machine::top::{Account, Watch};
use pairwright::chip::operator::OperatorOptions;
use pairwright::chip_programs::prover::{Inputs, Quotient, task};
use pairwright::curve::{Affine, Curve};
use pairwright::device::{DeviceError, MsmOp};
use pairwright::field::Field;
use pairwright::formats::CurveId;
use pairwright::poly::{Buf, Domain};
use pairwright::protocols::groth16::ProofSizes;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// The largest number of domain points and of witness values for which a run without points computes the values of transforms.
const MOST_CARRIED: u64 = 1 << 20;

impl Groth16Parameters {
    fn sizes(&self) -> Result<ProofSizes, Failure> {
        let Size(domain) = self.size;
        if !domain.is_power_of_two() {
            return Err(ArgumentError::NoPower(domain).into());
        }
        let wires = self.wires.unwrap_or(self.size).0;
        let private = wires.checked_sub(self.public.saturating_add(1));
        private.ok_or(ArgumentError::Wires { wires, public: self.public })?;
        let [wires, public, domain] = [wires, self.public, domain].map(|size| size as usize);
        Ok(ProofSizes { wires, public, domain, entries: 0 })
    }

    fn options(&self) -> OperatorOptions {
        OperatorOptions { schedule: self.schedule.into(), method: self.method.into() }
    }

    /// Simulates the proof with all values and points, and compares the five sums with the host's.
    fn with_data<E: Boards>(&self, spec: &MachineSpec, sizes: &ProofSizes) -> Result<Simulated, Failure> {
        let mut rng = ChaCha20Rng::seed_from_u64(self.random);
        let mut values =
            |n: usize| -> Buf<E::Fr> { (0..n).map(|_| E::Fr::random(&mut rng)).collect::<Vec<_>>().into() };
        let ProofSizes { domain: n, wires, public, .. } = *sizes;
        let (a, b, witness) = (values(n), values(n), values(wires));
        let board = E::host();
        let private = wires - public - 1;
        let [a_g1, b_g1, c_g1, h_g1] = [wires, wires, private, n].map(|n| points(&*board.g1, &values(n)));
        let [a_g1, b_g1, c_g1, h_g1] = [a_g1?, b_g1?, c_g1?, h_g1?];
        let b_g2 = points(&*board.g2, &values(wires))?;
        let plan = sizes.plan();
        let inputs = Inputs::<E> {
            plan: &plan,
            a: &a,
            b: &b,
            witness: &witness,
            g1: [&a_g1, &b_g1, &c_g1, &h_g1],
            b_g2: &b_g2,
        };
        let (ran, seconds) = clocked(|| E::sums(spec, self.options(), &inputs));
        let (ran, sections) = ran?;

        let (mut h, mut b) = (a.clone(), b);
        let mut c = a;
        board.vec.mul(&mut c, b.view())?;
        let domain = Domain::new(n.ilog2()).map_err(Failure::bad)?;
        for vector in [&mut h, &mut b, &mut c] {
            board.ntt.extend(&domain, vector)?;
        }
        board.vec.mul_sub(&mut h, b.view(), c.view())?;
        let hidden = witness.slice(public + 1..);
        let theirs = [
            board.g1.msm(a_g1.view(), witness.view())?.0,
            board.g1.msm(b_g1.view(), witness.view())?.0,
            board.g1.msm(c_g1.view(), hidden)?.0,
            board.g1.msm(h_g1.view(), h.view())?.0,
        ];
        let same =
            ran.value.g1.iter().zip(&theirs).all(|(ours, theirs)| ours.to_affine() == theirs.to_affine());
        let second = board.g2.msm(b_g2.view(), witness.view())?.0;
        if !same || ran.value.b_g2.to_affine() != second.to_affine() {
            return Err(ModelFault::Differs("processor's proof").into());
        }
        Ok(Simulated::compared(ran.account, sections, seconds))
    }
}

/// The multiples of the generator by these scalars.
fn points<C: Curve>(host: &dyn MsmOp<C>, scalars: &Buf<C::Scalar>) -> Result<Buf<Affine<C>>, DeviceError> {
    Ok(host.multiples(&C::GENERATOR, scalars.view())?.0)
}

impl Operator for Groth16Parameters {
    const PARAMETERS: &'static [&'static str] = &["size", "wires", "schedule", "method", "curve"];

    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match name {
            "size" => self.size = value.parse()?,
            "wires" => self.wires = Some(value.parse()?),
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
        let wires = self.wires.unwrap_or(self.size);
        if data {
            self.size.expect_room("points of the domain", 2300)?;
            wires.expect_room("values of the witness", 2300)?;
            return self.with_data::<E>(spec, &self.sizes()?);
        }
        self.size.expect_timing("--size", "points of the domain")?;
        wires.expect_timing("--wires", "values of the witness")?;
        let plan = self.sizes()?.plan();
        let carried = self.size.0.max(wires.0) <= MOST_CARRIED;
        let quotient = if carried { Quotient::Carried } else { Quotient::Drawn };
        let random = (quotient, self.random);
        let run = |watch: Watch<'_>| E::proof_watched(spec, self.options(), &plan, random, watch);
        let (ran, seconds) = clocked(|| observer.collect(run));
        let ((account, sections), executed) = ran?;
        Ok(Simulated::timed(account, executed, sections, seconds))
    }

    fn data(&self) -> bool {
        self.data
    }

    fn listing<E: Boards>(&self, spec: &MachineSpec) -> Result<String, Failure> {
        let OperatorOptions { schedule, method } = self.options();
        let plan = self.sizes()?.plan();
        Ok(task::<E::Fr>(spec, &plan, schedule, method).map_err(Failure::bad)?.0.listing())
    }

    fn details(&self, _: &Account) -> String {
        String::new()
    }

    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        // The number of wires is the number of points, unless it is given.
        let wires = if fixed("size") { Some(self.wires.unwrap_or(self.size)) } else { self.wires };
        let size = fixed("size").then(|| format!("domain of {}", self.size));
        let wires = wires.filter(|_| fixed("wires")).map(|wires| format!("{wires} wires"));
        let schedule = fixed("schedule").then(|| self.schedule.name().to_owned());
        let method = fixed("method").then(|| self.method.name().to_owned());
        let said = [Some("Groth16 proof".to_owned()), size, wires, schedule, method];
        said.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
