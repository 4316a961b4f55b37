//! Setup with fresh local randomness: whoever runs it could forge proofs, so it is for tests and private use.

use super::{PowersFault, ProvingKey, VerifyingKey};
use crate::r1cs::{ConstraintSource, R1csError};
use core::ops::ControlFlow;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::{DeviceError, Entry, Session};
use pairwright_field::{Field, PrimeField, batch_invert};
use pairwright_poly::{Buf, Domain, DomainError, SourceError};
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
    delta: F,
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
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<ProvingKey<E>, SetupError> {
    on.phase("setup");
    let shape = system.shape();
    let (wires, public) = (shape.wires, shape.public());
    let domain = Domain::<E::Fr>::covering(shape.constraints + public + 1)?;
    let shift = domain.odd_shift()?;
    let mut draw = || loop {
        // Zero, and tau in the double domain, would make a degenerate key.
        let x = E::Fr::random(rng);
        if x.pow_vartime(&[2 * domain.size() as u64]) != E::Fr::ONE && !x.is_zero() {
            return x;
        }
    };
    let secret = Toxic { tau: draw(), alpha: draw(), beta: draw(), gamma: draw(), delta: draw() };
    // None of these is zero.
    let gamma_inverse = secret.gamma.invert().unwrap_or(E::Fr::ONE);
    let delta_inverse = secret.delta.invert().unwrap_or(E::Fr::ONE);

    let lagrange = Zeroizing::new(lagrange_at(&domain, E::Fr::ONE, domain.root(), secret.tau));
    let (coefficients, mut columns) = columns_at(system, &lagrange)?;

    // (β·A + α·B + C)/γ for the public wires, /δ for the private ones.
    for i in 0..wires {
        let scale = if i <= public { gamma_inverse } else { delta_inverse };
        let sum = secret.beta * columns.a[i] + secret.alpha * columns.b[i] + columns.c[i];
        columns.c[i] = scale * sum;
    }
    let mut private = Buf::from(columns.c.split_off(public + 1));
    let mut h = odd_lagrange_at(&domain, shift, secret.tau);
    h.iter_mut().for_each(|x| *x *= delta_inverse);
    let mut h = Buf::from(h);

    let g1 = Affine::<E::G1>::generator();
    let g2 = Affine::<E::G2>::generator();
    let mut head = Buf::from(vec![secret.alpha, secret.beta, secret.gamma, secret.delta]);
    let head_g1 = on.multiples_g1(&g1, head.view())?;
    let head_g2 = on.multiples_g2(&g2, head.slice(1..))?;
    let mut a = Buf::from(core::mem::take(&mut columns.a));
    let mut b = Buf::from(core::mem::take(&mut columns.b));
    let mut ic = Buf::from(core::mem::take(&mut columns.c));
    let key = ProvingKey {
        domain,
        wires,
        public,
        vk: VerifyingKey {
            alpha_g1: head_g1[0],
            beta_g2: head_g2[0],
            gamma_g2: head_g2[1],
            delta_g2: head_g2[2],
            ic: on.multiples_g1(&g1, ic.view())?.into_vec(),
        },
        beta_g1: head_g1[1],
        delta_g1: head_g1[3],
        a: Box::new(on.multiples_g1(&g1, a.view())?.into_vec()),
        b_g1: Box::new(on.multiples_g1(&g1, b.view())?.into_vec()),
        b_g2: Box::new(on.multiples_g2(&g2, b.view())?.into_vec()),
        c: Box::new(on.multiples_g1(&g1, private.view())?.into_vec()),
        h: Box::new(on.multiples_g1(&g1, h.view())?.into_vec()),
        coefficients: Box::new(coefficients),
    };
    for secret in [&mut head, &mut a, &mut b, &mut ic, &mut private, &mut h] {
        secret.iter_mut().for_each(Zeroize::zeroize);
    }
    Ok(key)
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

/// `L_i(τ)` for the coset `shift·ω^i` of a domain: `(τ^n - s^n)/(n·s^n) · x_i/(τ - x_i)` at `x_i = s·ω^i`.
fn lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, root: F, tau: F) -> Vec<F> {
    let n = domain.size();
    let points: Vec<F> = core::iter::successors(Some(shift), |x| Some(*x * root)).take(n).collect();
    let mut out: Vec<F> = points.iter().map(|x| tau - *x).collect();
    batch_invert(&mut out);
    let power = |x: F| (0..domain.log_size()).fold(x, |y, _| y.square());
    let s_n = power(shift);
    // A shift is not zero.
    let scale = (power(tau) - s_n) * domain.size_inverse() * s_n.invert().unwrap_or(F::ONE);
    out.iter_mut().zip(&points).for_each(|(l, x)| *l *= *x * scale);
    out
}

/// `L_{2i+1}(τ)` of the double domain: the odd positions are the coset by `shift`.
fn odd_lagrange_at<F: PrimeField>(domain: &Domain<F>, shift: F, tau: F) -> Vec<F> {
    // On 2n points: (τ^2n - 1)/(2n) · x/(τ - x). With x^n = -1 on the odd half this is the coset's own Lagrange
    // polynomial times (τ^n - 1)/(-2).
    let mut out = lagrange_at(domain, shift, domain.root(), tau);
    let tau_n = (0..domain.log_size()).fold(tau, |y, _| y.square());
    let minus_half = -F::from(2).invert().unwrap_or(F::ONE);
    let scale = (tau_n - F::ONE) * minus_half;
    out.iter_mut().for_each(|l| *l *= scale);
    out
}
