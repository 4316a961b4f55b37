//! Setup with fresh local randomness: whoever runs it could forge proofs, so it is for tests and private use.

use super::{PowersFault, ProvingKey, VerifyingKey};
use crate::r1cs::{ConstraintSource, R1csError};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::{DeviceError, Entry, Session};
use pairwright_field::{Field, PrimeField, batch_invert_with};
use pairwright_poly::{Buf, Domain, DomainError, KeySection, SourceError};
use rand_core::CryptoRng;
use thiserror::Error;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Why there is no key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The constraint system cannot be read or is not one.
    #[error(transparent)]
    R1cs(#[from] R1csError),
    /// More constraints than the field has room for.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The powers of tau are for fewer constraints.
    #[error("the circuit needs powers of tau of 2^{needed}, these are of 2^{found}")]
    PowersTooFew {
        /// Logarithm of the domain.
        needed: u32,
        /// Logarithm of what there is.
        found: u32,
    },
    /// There are fewer powers of tau than the key of a protocol has.
    #[error(
        "the key has {points} powers of tau, so that a ceremony of 2^{needed} is needed; this one is of 2^{found}"
    )]
    PointsTooFew {
        /// Number of powers of τ in G1 that the key has.
        points: usize,
        /// Logarithm of a ceremony that has so many.
        needed: u32,
        /// Logarithm of what there is.
        found: u32,
    },
    /// The powers of tau cannot be used.
    #[error("the powers of tau cannot be used: {0}")]
    Powers(#[from] PowersFault),
    /// The powers of tau could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// The secrets of a setup.
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
    /// Draws five secrets, neither zero nor in the double domain: a zero, or such a τ, would make a degenerate key.
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

/// Operands that are functions of the secrets, wiped when they are dropped: at the end of the setup, and when an
/// error ends it early.
pub(crate) struct Secret<F: Zeroize>(pub(crate) Buf<F>);

impl<F: Zeroize> Secret<F> {
    pub(crate) fn new(values: Vec<F>) -> Self {
        Self(values.into())
    }
}

impl<F: Zeroize> Drop for Secret<F> {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(Zeroize::zeroize);
    }
}

/// Makes a proving key with secrets drawn from `rng` and wiped afterwards. **Whoever can read this process' memory
/// can forge proofs for the key**; for keys that others rely on, use powers of tau from a ceremony.
///
/// Every G1 and G2 product of the secrets runs in variable time.
///
/// # Errors
/// When the constraints cannot be read or are too many for the field.
pub fn setup_local<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    on.phase("setup");
    let shape = system.shape();
    let (wires, public) = (shape.wires, shape.public());
    let domain = Domain::<E::Fr>::covering(shape.constraints + public + 1)?;
    let shift = domain.odd_shift()?;
    let secret = Toxic::draw(&domain, rng);

    let lagrange = Zeroizing::new(lagrange_at(&domain, E::Fr::ONE, domain.root(), secret.tau));
    let (coefficients, mut columns) = columns_at(system, &lagrange)?;

    // (β·A + α·B + C)/γ for the public wires, /δ for the private ones.
    for i in 0..wires {
        let scale = if i <= public { secret.gamma_inverse } else { secret.delta_inverse };
        let sum = secret.beta * columns.a[i] + secret.alpha * columns.b[i] + columns.c[i];
        columns.c[i] = scale * sum;
    }
    let private = Secret::new(columns.c.split_off(public + 1));
    let mut h = Secret::new(odd_lagrange_at(&domain, shift, secret.tau));
    h.0.iter_mut().for_each(|x| *x *= secret.delta_inverse);

    let g1 = Affine::<E::G1>::generator();
    let g2 = Affine::<E::G2>::generator();
    let head = Secret::new(vec![secret.alpha, secret.beta, secret.gamma, secret.delta]);
    let head_g1 = on.multiples_g1(&g1, head.0.view())?;
    let head_g2 = on.multiples_g2(&g2, head.0.slice(1..))?;
    let a = Secret::new(core::mem::take(&mut columns.a));
    let b = Secret::new(core::mem::take(&mut columns.b));
    let ic = Secret::new(core::mem::take(&mut columns.c));
    Ok(ProvingKey {
        domain,
        wires,
        public,
        vk: VerifyingKey {
            alpha_g1: head_g1[0],
            beta_g2: head_g2[0],
            gamma_g2: head_g2[1],
            delta_g2: head_g2[2],
            ic: on.multiples_g1(&g1, ic.0.view())?.into_vec(),
        },
        beta_g1: head_g1[1],
        delta_g1: head_g1[3],
        a: KeySection::new(on.multiples_g1(&g1, a.0.view())?.into_vec()),
        b_g1: KeySection::new(on.multiples_g1(&g1, b.0.view())?.into_vec()),
        b_g2: KeySection::new(on.multiples_g2(&g2, b.0.view())?.into_vec()),
        c: KeySection::new(on.multiples_g1(&g1, private.0.view())?.into_vec()),
        h: KeySection::new(on.multiples_g1(&g1, h.0.view())?.into_vec()),
        coefficients: Box::new(coefficients),
    })
}

/// The columns of A, B and C as polynomials at τ, one value a wire.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Columns<F: Field> {
    a: Vec<F>,
    b: Vec<F>,
    c: Vec<F>,
}

/// Entries of the key's matrices, and the column polynomials at τ from the Lagrange values there.
fn columns_at<F: PrimeField>(
    system: &dyn ConstraintSource<F>,
    lagrange: &[F],
) -> Result<(Vec<Entry<F>>, Columns<F>), SetupError> {
    let shape = system.shape();
    let zero = || vec![F::ZERO; shape.wires];
    let mut columns = Columns { a: zero(), b: zero(), c: zero() };
    let mut entries = Vec::new();
    system
        .visit(&mut |j, k| {
            let l = lagrange[j];
            for (matrix, side, column) in [(0, &k.a, &mut columns.a), (1, &k.b, &mut columns.b)] {
                for &(wire, value) in side {
                    entries.push(Entry { matrix, row: j as u32, column: wire, value });
                    column[wire as usize] += value * l;
                }
            }
            for &(wire, value) in &k.c {
                columns.c[wire as usize] += value * l;
            }
            ControlFlow::Continue(())
        })
        .map_err(R1csError::from)?;
    // Tie the constant one and the public wires to A, so that no other public values fit the same proof.
    for s in 0..=shape.public() {
        let row = shape.constraints + s;
        entries.push(Entry { matrix: 0, row: row as u32, column: s as u32, value: F::ONE });
        columns.a[s] += lagrange[row];
    }
    Ok((entries, columns))
}

/// `L_i(τ)` for the coset `shift·ω^i` of a domain: `(τ^n - s^n)/(n·s^n) · x_i/(τ - x_i)` at `x_i = s·ω^i`, for a
/// shift of the double domain.
fn lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, root: F, tau: F) -> Vec<F> {
    let n = domain.size();
    let points: Vec<F> = core::iter::successors(Some(shift), |x| Some(*x * root)).take(n).collect();
    let mut out: Vec<F> = points.iter().map(|x| tau - *x).collect();
    batch_invert_with(&mut out, &mut Zeroizing::new(Vec::with_capacity(n)));
    let power = |x: F| (0..domain.log_size()).fold(x, |y, _| y.square());
    let s_n = power(shift);
    // The n-th power of a point of the double domain is 1 or -1, which is its own inverse.
    let scale = (power(tau) - s_n) * domain.size_inverse() * s_n;
    out.iter_mut().zip(&points).for_each(|(l, x)| *l *= *x * scale);
    out
}

/// `L_{2i+1}(τ)` of the double domain: the odd positions are the coset by `shift`.
fn odd_lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, tau: F) -> Vec<F> {
    // On 2n points: (τ^2n - 1)/(2n) · x/(τ - x). With x^n = -1 on the odd half this is the coset's own Lagrange
    // polynomial times (τ^n - 1)/(-2).
    let mut out = lagrange_at(domain, shift, domain.root(), tau);
    let tau_n = (0..domain.log_size()).fold(tau, |y, _| y.square());
    let scale = (F::ONE - tau_n) * F::HALF;
    out.iter_mut().for_each(|l| *l *= scale);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// A value that counts how often it is wiped.
    struct Counted<'a>(&'a Cell<u32>);
    impl Zeroize for Counted<'_> {
        fn zeroize(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn secrets_are_wiped_when_an_error_ends_the_setup() {
        let wiped = Cell::new(0);
        let fails = || -> Result<(), DeviceError> {
            let _secret = Secret::new(vec![Counted(&wiped), Counted(&wiped)]);
            Err(DeviceError::ZeroShift)
        };
        fails().unwrap_err();
        assert_eq!(wiped.get(), 2);
    }
}
