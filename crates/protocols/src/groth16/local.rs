//! Setup with secrets that are drawn locally. Whoever runs it could forge proofs, so it is for tests and private use.

use super::setup::Secret;
use super::{ProvingKey, SetupError, VerifyingKey};
use crate::r1cs::{ConstraintSource, R1csError};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{ControlFlow, Range};
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Entry, KeyEntries, Operator, PlannedCall, Session};
use pairwright_field::{Field, PrimeField, batch_invert_with};
use pairwright_poly::{Domain, KeySection, SourceError};
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The secrets of a setup, with the inverses of γ and δ; wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Toxic<F: Field> {
    tau: F,
    alpha: F,
    beta: F,
    gamma: F,
    gamma_inverse: F,
    delta: F,
    delta_inverse: F,
}

impl<F: PrimeField> Toxic<F> {
    /// Draws five secrets, none zero and none in the double domain: a zero, or a τ in the double domain, would give a degenerate key.
    #[inline(never)]
    fn draw(domain: &Domain<F>, rng: &mut dyn CryptoRng) -> Self {
        let mut draw = || loop {
            let x = F::random(rng);
            if let Some(inverse) = x.invert()
                && x.pow_vartime(&[2 * domain.size() as u64]) != F::ONE
            {
                return (x, inverse);
            }
        };
        let ((tau, _), (alpha, _), (beta, _)) = (draw(), draw(), draw());
        let ((gamma, gamma_inverse), (delta, delta_inverse)) = (draw(), draw());
        Self { tau, alpha, beta, gamma, gamma_inverse, delta, delta_inverse }
    }
}

/// The discrete logarithms of a key's points, computed from secrets that are drawn here and wiped. The points of a section are
/// computed from them on request, so that a key can be written without ever being in memory as a whole.
///
/// The memory used is one scalar for each wire and each of the sections A, B and C, and one for each point of the domain. These scalars
/// are functions of the secrets, and are wiped when this is dropped.
pub struct LocalSetup<E: Pairing> {
    /// The evaluation domain.
    pub domain: Domain<E::Fr>,
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public values, without the constant one.
    pub public: usize,
    /// Number of entries of the matrices A and B, with the rows that tie the public wires to A.
    pub entries: usize,
    /// The secrets α, β, γ and δ.
    head: Secret<E::Fr>,
    ic: Secret<E::Fr>,
    a: Secret<E::Fr>,
    b: Secret<E::Fr>,
    c: Secret<E::Fr>,
    h: Secret<E::Fr>,
}

impl<E: Pairing> fmt::Debug for LocalSetup<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.domain.size();
        write!(f, "LocalSetup({}, {} wires, {} public, domain {n})", E::NAME, self.wires, self.public)
    }
}

/// A section of a proving key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// Section A, one point per wire.
    A,
    /// Section B, one point per wire, in either group.
    B,
    /// Section C, one point per private wire.
    C,
    /// Section H, one point per point of the domain.
    H,
}

impl<E: Pairing> LocalSetup<E> {
    /// Draws the secrets and computes the discrete logarithms.
    ///
    /// # Errors
    /// When the constraints cannot be read or are too many for the field.
    #[inline(never)]
    pub fn draw(system: &dyn ConstraintSource<E::Fr>, rng: &mut dyn CryptoRng) -> Result<Self, SetupError> {
        let shape = system.shape();
        let (wires, public) = (shape.wires, shape.public());
        let domain = Domain::<E::Fr>::covering(shape.constraints + public + 1)?;
        let shift = domain.odd_shift()?;
        let secret = Toxic::draw(&domain, rng);
        let lagrange = Zeroizing::new(lagrange_at(&domain, E::Fr::ONE, domain.root(), secret.tau));
        let (entries, mut columns) = columns_at(system, &lagrange)?;
        drop(lagrange);
        // (β·A + α·B + C)/γ for the public wires, /δ for the private ones.
        for i in 0..wires {
            let scale = if i <= public { secret.gamma_inverse } else { secret.delta_inverse };
            let sum = secret.beta * columns.a[i] + secret.alpha * columns.b[i] + columns.c[i];
            columns.c[i] = scale * sum;
        }
        let c = Secret::new(columns.c.split_off(public + 1));
        let mut h = Secret::new(odd_lagrange_at(&domain, shift, secret.tau));
        h.0.iter_mut().for_each(|x| *x *= secret.delta_inverse);
        Ok(Self {
            domain,
            wires,
            public,
            entries,
            head: Secret::new(vec![secret.alpha, secret.beta, secret.gamma, secret.delta]),
            ic: Secret::new(core::mem::take(&mut columns.c)),
            a: Secret::new(core::mem::take(&mut columns.a)),
            b: Secret::new(core::mem::take(&mut columns.b)),
            c,
            h,
        })
    }

    /// The planned calls for the whole key, whether its points are computed in pieces or not.
    pub fn plan(&self) -> Vec<PlannedCall> {
        use KeyPart::{A, B, C, H};
        let sections: usize = [A, B, C, H].map(|section| self.section_len(section)).iter().sum();
        let call = |operator: Operator, size| PlannedCall { phase: "setup", operator: operator.name(), size };
        vec![
            call(Operator::MultiplesG1, self.head.0.len() + self.ic.0.len() + sections),
            call(Operator::MultiplesG2, self.head.0.len() - 1 + self.section_len(B)),
        ]
    }

    /// Computes the single points of the key and the verifying key; the sections of the result are empty.
    ///
    /// # Errors
    /// When an operator fails.
    pub fn head(&self, on: &mut Session<'_, E>) -> Result<ProvingKey<E>, DeviceError> {
        let (g1, g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
        let head_g1 = on.multiples_g1(&g1, self.head.0.view())?;
        let head_g2 = on.multiples_g2(&g2, self.head.0.slice(1..))?;
        let vk = VerifyingKey {
            alpha_g1: head_g1[0],
            beta_g2: head_g2[0],
            gamma_g2: head_g2[1],
            delta_g2: head_g2[2],
            ic: on.multiples_g1(&g1, self.ic.0.view())?.into_vec(),
        };
        Ok(ProvingKey::without_sections(self.domain, self.wires, vk, [head_g1[1], head_g1[3]]))
    }

    /// Number of points of a section.
    pub fn section_len(&self, section: KeyPart) -> usize {
        self.scalars(section).0.len()
    }

    fn scalars(&self, section: KeyPart) -> &Secret<E::Fr> {
        match section {
            KeyPart::A => &self.a,
            KeyPart::B => &self.b,
            KeyPart::C => &self.c,
            KeyPart::H => &self.h,
        }
    }

    /// Computes a range of points of a section in the first group. Variable time.
    ///
    /// # Errors
    /// When an operator fails.
    ///
    /// # Panics
    /// If the range does not lie within the section.
    pub fn points_g1(
        &self,
        on: &mut Session<'_, E>,
        section: KeyPart,
        range: Range<usize>,
    ) -> Result<Vec<G1Affine<E>>, DeviceError> {
        let scalars = self.scalars(section).0.slice(range);
        Ok(on.multiples_g1(&Affine::generator(), scalars)?.into_vec())
    }

    /// Computes a range of points of section B in the second group. Variable time.
    ///
    /// # Errors
    /// When an operator fails.
    ///
    /// # Panics
    /// If the range does not lie within the section.
    pub fn points_g2(
        &self,
        on: &mut Session<'_, E>,
        range: Range<usize>,
    ) -> Result<Vec<G2Affine<E>>, DeviceError> {
        Ok(on.multiples_g2(&Affine::generator(), self.b.0.slice(range))?.into_vec())
    }
}

/// Makes a proving key with secrets drawn from `rng` and wiped afterwards. **Whoever can read this process' memory
/// can forge proofs for the key**; for keys that others rely on, use powers of tau from a ceremony.
///
/// Every G1 and G2 product of the secrets runs in variable time.
///
/// # Errors
/// When the constraints cannot be read or are too many for the field.
#[inline(never)]
pub fn setup_local<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    use KeyPart::{A, B, C, H};
    on.phase("setup");
    let local = LocalSetup::draw(system, rng)?;
    on.plan(|| local.plan());
    let mut coefficients = Vec::with_capacity(local.entries);
    visit_entries(system, &mut |entry| coefficients.push(entry)).map_err(R1csError::from)?;
    let section = |on: &mut Session<'_, E>, section| -> Result<_, DeviceError> {
        Ok(KeySection::new(local.points_g1(on, section, 0..local.section_len(section))?))
    };
    Ok(ProvingKey {
        a: section(on, A)?,
        b_g1: section(on, B)?,
        b_g2: KeySection::new(local.points_g2(on, 0..local.section_len(B))?),
        c: section(on, C)?,
        h: section(on, H)?,
        coefficients: KeyEntries::new(coefficients),
        ..local.head(on)?
    })
}

/// The values at τ of the column polynomials of A, B and C, one value per wire.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Columns<F: Field> {
    a: Vec<F>,
    b: Vec<F>,
    c: Vec<F>,
}

/// Computes the number of entries of a key's matrices A and B, and the column polynomials at τ from the Lagrange polynomials' values
/// at τ.
fn columns_at<F: PrimeField>(
    system: &dyn ConstraintSource<F>,
    lagrange: &[F],
) -> Result<(usize, Columns<F>), SetupError> {
    let shape = system.shape();
    let zero = || vec![F::ZERO; shape.wires];
    let mut columns = Columns { a: zero(), b: zero(), c: zero() };
    let mut entries = shape.public() + 1;
    system
        .visit(&mut |j, k| {
            let l = lagrange[j];
            entries += k.a.len() + k.b.len();
            let sides = [(&k.a, &mut columns.a), (&k.b, &mut columns.b), (&k.c, &mut columns.c)];
            for (side, column) in sides {
                side.iter().for_each(|&(wire, value)| column[wire as usize] += value * l);
            }
            ControlFlow::Continue(())
        })
        .map_err(R1csError::from)?;
    for s in 0..=shape.public() {
        columns.a[s] += lagrange[shape.constraints + s];
    }
    Ok((entries, columns))
}

/// Calls `each` on the entries of a key's matrices A and B, in the order of keys: the entries of each constraint, then the rows that
/// tie the constant one and the public wires to A, so that a proof is not valid for other public values.
///
/// # Errors
/// When the constraints cannot be read.
pub fn visit_entries<F: PrimeField>(
    system: &dyn ConstraintSource<F>,
    each: &mut dyn FnMut(Entry<F>),
) -> Result<(), SourceError> {
    let shape = system.shape();
    system.visit(&mut |j, k| {
        for (matrix, side) in [(0, &k.a), (1, &k.b)] {
            for &(column, value) in side {
                each(Entry { matrix, row: j as u32, column, value });
            }
        }
        ControlFlow::Continue(())
    })?;
    for s in 0..=shape.public() {
        let row = (shape.constraints + s) as u32;
        each(Entry { matrix: 0, row, column: s as u32, value: F::ONE });
    }
    Ok(())
}

/// Computes `L_i(τ)` for the coset `shift·ω^i` of a domain: `(τ^n - s^n)/(n·s^n) · x_i/(τ - x_i)` at `x_i = s·ω^i`, for a
/// shift of the double domain.
fn lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, root: F, tau: F) -> Vec<F> {
    let n = domain.size();
    let points: Vec<F> = core::iter::successors(Some(shift), |x| Some(*x * root)).take(n).collect();
    let mut out: Vec<F> = points.iter().map(|x| tau - *x).collect();
    batch_invert_with(&mut out, &mut Zeroizing::new(Vec::with_capacity(n)));
    let power = |x: F| domain.power_of(x);
    let s_n = power(shift);
    // The n-th power of a point of the double domain is 1 or -1, which is its own inverse.
    let scale = (power(tau) - s_n) * domain.size_inverse() * s_n;
    out.iter_mut().zip(&points).for_each(|(l, x)| *l *= *x * scale);
    out
}

/// Computes `L_{2i+1}(τ)` of the double domain, whose odd positions are the coset by `shift`.
fn odd_lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, tau: F) -> Vec<F> {
    // On 2n points: (τ^2n - 1)/(2n) · x/(τ - x). With x^n = -1 on the odd half this is the coset's own Lagrange
    // polynomial times (τ^n - 1)/(-2).
    let mut out = lagrange_at(domain, shift, domain.root(), tau);
    let tau_n = domain.power_of(tau);
    let scale = (F::ONE - tau_n) * F::HALF;
    out.iter_mut().for_each(|l| *l *= scale);
    out
}
