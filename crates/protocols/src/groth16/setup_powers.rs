//! Setup from powers of tau, with γ = δ = 1; [`super::contribute`] multiplies δ by secret factors afterwards.

use super::powers::{Level, Points, Powers, PowersOfTau, PreparedLists};
use super::powers_check::{check_level, check_powers};
use super::wire_sums::wire_sums;
use super::{KeyPart, ProvingKey, SetupError, VerifyingKey, visit_entries};
use crate::group_ntt::products;
use crate::r1cs::{Constraint, ConstraintSource, R1csError, Shape};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{ControlFlow, Range};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{KeyEntries, Operator, PlannedCall, Session};
use pairwright_field::PrimeField;
use pairwright_poly::{Domain, DomainError, KeySection};
use rand_core::CryptoRng;

/// Limits on the data of a setup from powers of tau that are in memory at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupSteps {
    /// Number of points of G1 and of G2 that are checked at a time.
    pub points: [usize; 2],
    /// Number of wires whose points of G1 and of G2 are computed at a time. The constraints are read again for each of these parts.
    pub wires: [usize; 2],
}

impl SetupSteps {
    /// Steps without a limit on wires: the points of all wires are computed together. Points are checked 2^20 at a time.
    pub const WHOLE: Self = Self { points: [1 << 20; 2], wires: [usize::MAX; 2] };

    /// The largest steps that take at most `bytes` bytes, at least 1024 points and wires. The memory that every setup takes is not
    /// included: the process, and some thousand points per thread.
    pub fn within<E: Pairing>(bytes: u64) -> Self {
        let count = |each: usize| usize::try_from(bytes / each as u64).unwrap_or(usize::MAX).max(1 << 10);
        let scalar = size_of::<E::Fr>();
        // A point, two scalars for it, and the operator's data: magnitudes in two orders, and digits.
        let point = |point: usize| count(point + 4 * scalar + 64);
        Self {
            points: [point(size_of::<G1Affine<E>>()), point(size_of::<G2Affine<E>>())],
            wires: [count(wire_bytes::<E::G1>()), count(wire_bytes::<E::G2>())],
        }
    }
}

/// Bytes in memory per wire: the sum in Jacobian coordinates and the affine result.
const fn wire_bytes<C: Curve>() -> usize {
    size_of::<Jacobian<C>>() + size_of::<Affine<C>>()
}

/// The initial key of a circuit, with `γ = δ = 1`, from powers of tau that have passed their checks. The points of a section are
/// computed on request, so that a key can be written without ever being in memory as a whole.
pub struct PowersSetup<'a, E: Pairing> {
    /// The evaluation domain.
    pub domain: Domain<E::Fr>,
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public values, without the constant one.
    pub public: usize,
    /// Number of entries of the matrices A and B, with the rows that tie the public wires to A.
    pub entries: usize,
    /// The steps given to [`PowersSetup::new`]: a caller should request at most `steps.wires` points at a time.
    pub steps: SetupSteps,
    system: &'a dyn ConstraintSource<E::Fr>,
    level: Level<'a, E>,
    /// The points α and β of G1.
    heads: [G1Affine<E>; 2],
    beta_g2: G2Affine<E>,
}

impl<E: Pairing> fmt::Debug for PowersSetup<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.domain.size();
        write!(f, "PowersSetup({}, {} wires, {} public, domain {n})", E::NAME, self.wires, self.public)
    }
}

impl<'a, E: Pairing> PowersSetup<'a, E> {
    /// Checks the powers that the circuit's key uses (see [`super::PowersFault`]). `rng` is used only for the weights of that check,
    /// so the key depends on (circuit, powers) alone. Lagrange points of a prepared ceremony are read when they are needed; otherwise
    /// they are computed here, which takes longer, and memory for `5n` points for a domain of `n` points. As in snarkjs, the domain
    /// has at least two points, and if the ceremony's power is exactly the circuit's, the last power of the double domain counts as
    /// zero: proofs do not need it.
    ///
    /// # Errors
    /// When the constraints cannot be read, or the powers are too few, spoilt or unreadable.
    #[inline(never)]
    pub fn new(
        on: &mut Session<'_, E>,
        system: &'a dyn ConstraintSource<E::Fr>,
        powers: &'a dyn PowersOfTau<E>,
        steps: SetupSteps,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, SetupError> {
        let shape = system.shape();
        let (wires, public) = (shape.wires, shape.public());
        let domain = powers_domain::<E::Fr>(&shape)?;
        if domain.log_size() > powers.power() {
            return Err(SetupError::PowersTooFew { needed: domain.log_size(), found: powers.power() });
        }
        on.phase("circuit");
        let mut terms = [0; 3];
        let mut count = |_: usize, k: &Constraint<E::Fr>| {
            terms = [terms[0] + k.a.len(), terms[1] + k.b.len(), terms[2] + k.c.len()];
            ControlFlow::Continue(())
        };
        on.host("read_constraints", shape.constraints, || system.visit(&mut count))
            .map_err(R1csError::from)?;
        // A row for each public wire ties it to A.
        terms[0] += public + 1;
        on.plan(|| plan(domain.size(), powers.lagrange().is_some(), terms));
        on.phase("powers of tau");
        let in_use = Powers::new(powers, domain.size())?;
        let checked = check_powers(on, &in_use, steps.points, rng)?;
        let level = match powers.lagrange() {
            Some(points) => {
                let prepared = PreparedLists::new(&points, domain.size());
                check_level(on, &domain, &prepared, &checked)?;
                prepared.into_level()
            }
            None => Level::transform(on, &in_use, &domain)?,
        };
        on.phase("setup");
        let entries = terms[0] + terms[1];
        let (heads, beta_g2) = (checked.heads, powers.beta_g2());
        Ok(Self { domain, wires, public, entries, steps, system, level, heads, beta_g2 })
    }

    /// Computes the single points of the key and the verifying key; the sections of the result are empty.
    ///
    /// # Errors
    /// When the constraints or the powers cannot be read again.
    #[inline(never)]
    pub fn head(&self, on: &mut Session<'_, E>) -> Result<ProvingKey<E>, SetupError> {
        let (one_g1, one_g2) = (Affine::generator(), Affine::generator());
        let [alpha_g1, beta_g1] = self.heads;
        let ic = self.combined(on, 0..self.public + 1)?;
        let vk = VerifyingKey { alpha_g1, beta_g2: self.beta_g2, gamma_g2: one_g2, delta_g2: one_g2, ic };
        Ok(ProvingKey::without_sections(self.domain, self.wires, vk, [beta_g1, one_g1]))
    }

    /// Number of points of a section.
    pub fn section_len(&self, part: KeyPart) -> usize {
        match part {
            KeyPart::A | KeyPart::B => self.wires,
            KeyPart::C => self.wires - self.public - 1,
            KeyPart::H => self.domain.size(),
        }
    }

    /// Computes a range of points of a section in the first group. Variable time.
    ///
    /// # Errors
    /// When the constraints or the powers cannot be read again.
    ///
    /// # Panics
    /// If the range does not lie within the section.
    #[inline(never)]
    pub fn points_g1(
        &self,
        on: &mut Session<'_, E>,
        part: KeyPart,
        range: Range<usize>,
    ) -> Result<Vec<G1Affine<E>>, SetupError> {
        assert!(range.end <= self.section_len(part), "points of the section");
        let tau: Option<&Points<'_, E::G1>> = Some(&self.level.tau_g1);
        match part {
            KeyPart::A => wire_sums(on, "combine_a", self.system, [tau, None, None], range),
            KeyPart::B => wire_sums(on, "combine_b_g1", self.system, [None, tau, None], range),
            KeyPart::C => {
                let first = self.public + 1;
                self.combined(on, first + range.start..first + range.end)
            }
            KeyPart::H => self.level.odd.read(range),
        }
    }

    /// Computes a range of points of section B in the second group. Variable time.
    ///
    /// # Errors
    /// When the constraints or the powers cannot be read again.
    ///
    /// # Panics
    /// If the range does not lie within the section.
    #[inline(never)]
    pub fn points_g2(
        &self,
        on: &mut Session<'_, E>,
        range: Range<usize>,
    ) -> Result<Vec<G2Affine<E>>, SetupError> {
        assert!(range.end <= self.wires, "points of the section");
        wire_sums(on, "combine_b_g2", self.system, [None, Some(&self.level.tau_g2), None], range)
    }

    /// Computes `(β·A_i + α·B_i + C_i)(τ)` for a range of wires.
    fn combined(&self, on: &mut Session<'_, E>, wires: Range<usize>) -> Result<Vec<G1Affine<E>>, SetupError> {
        let lists = [&self.level.beta_tau_g1, &self.level.alpha_tau_g1, &self.level.tau_g1];
        wire_sums(on, "combine_c", self.system, lists.map(Some), wires)
    }
}

/// The domain of a circuit's key from powers of tau: at least two points, and one for each constraint and each public wire.
pub(super) fn powers_domain<F: PrimeField>(shape: &Shape) -> Result<Domain<F>, DomainError> {
    Domain::covering((shape.constraints + shape.public() + 1).max(2))
}

/// The planned calls of a setup that take significant time, for a domain of `n` points and matrices with `a`, `b` and `c` terms.
fn plan(n: usize, prepared: bool, [a, b, c]: [usize; 3]) -> Vec<PlannedCall> {
    use Operator::{MsmG1, MsmG2, ScalePointsG1, ScalePointsG2};
    let call = |phase, operator, size| PlannedCall { phase, operator, size };
    let powers = |operator: Operator, size| call("powers of tau", operator.name(), size);
    let level = match prepared {
        true => [powers(MsmG1, 5 * n), powers(MsmG2, n)],
        false => [
            powers(ScalePointsG1, 3 * products(n, false) + products(n, true)),
            powers(ScalePointsG2, products(n, false)),
        ],
    };
    let sums = [("combine_a", a), ("combine_b_g1", b), ("combine_b_g2", b), ("combine_c", a + b + c)];
    let sums = sums.map(|(operator, terms)| call("setup", operator, terms));
    [powers(MsmG1, 5 * n - 3), powers(MsmG2, n)].into_iter().chain(level).chain(sums).collect()
}

/// Makes the initial proving key of a circuit from powers of tau, with `γ = δ = 1`. **Proofs for that key can be
/// forged by anyone**: it needs at least one [`super::contribute`]. See [`PowersSetup::new`] for the powers and `rng`.
///
/// # Errors
/// When the constraints cannot be read, or the powers are too few, spoilt or unreadable.
#[inline(never)]
pub fn setup_from_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    powers: &dyn PowersOfTau<E>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let setup = PowersSetup::new(on, system, powers, SetupSteps::WHOLE, rng)?;
    let mut coefficients = Vec::with_capacity(setup.entries);
    visit_entries(system, &mut |entry| coefficients.push(entry)).map_err(R1csError::from)?;
    let head = setup.head(on)?;
    let mut section = |part| -> Result<_, SetupError> {
        Ok(KeySection::new(setup.points_g1(on, part, 0..setup.section_len(part))?))
    };
    Ok(ProvingKey {
        a: section(KeyPart::A)?,
        b_g1: section(KeyPart::B)?,
        c: section(KeyPart::C)?,
        h: section(KeyPart::H)?,
        b_g2: KeySection::new(setup.points_g2(on, 0..setup.wires)?),
        coefficients: KeyEntries::new(coefficients),
        ..head
    })
}
