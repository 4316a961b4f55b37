//! Number-theoretic transforms of every power-of-two size.
//!
//! In lanes, a transform reads and writes memory twice and produces natural order (`lanes/ntt.rs`). In scalar code, the coset
//! factors are merged into the twiddles ([CP] Algorithm 2), see [`tables`] and [`layers`]. There, transforms with operands and
//! results in natural order permute once, by tiles, and [`NttOp::extend`], which quotients need, goes through bit-reversed
//! coefficients and does not permute at all.

mod layers;
mod reorder;
mod tables;

use crate::{NAME, in_place, lanes, same_length};
use layers::Twiddles;
use pairwright_device::{DeviceError, Direction, Done, NttOp, OpCount, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain};
use tables::Cache;

/// The number-theoretic transforms of the host device. It caches the twiddles of the last few domains and shifts: `N/2` elements per
/// domain, `N` more if the domain is extended, and `N` per shift and direction.
///
/// In lanes it keeps tables of about the square root of `N` entries, and scratch memory of 40 bytes per element. Costs always count
/// the operations of the scalar network.
pub struct Ntt<F> {
    cache: Cache<F>,
    one_by_one: bool,
    scratch: lanes::ntt::NttScratch,
}

impl<F: PrimeField> Ntt<F> {
    /// A transform with an empty cache.
    pub fn new() -> Self {
        Self { cache: Cache::new(), one_by_one: false, scratch: lanes::ntt::NttScratch::default() }
    }
    /// A transform with an empty cache that uses no lanes on any processor, for comparison; results have the same bits.
    pub fn without_lanes() -> Self {
        Self { one_by_one: true, ..Self::new() }
    }
}

impl<F: PrimeField> Default for Ntt<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: PrimeField> NttOp<F> for Ntt<F> {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        same_length("ntt", data.len(), domain.size())?;
        let coset = match shift {
            Some(s) if s.is_zero() => return Err(DeviceError::ZeroShift),
            Some(s) if *s != F::ONE => Some(match dir {
                Direction::Forward => *s,
                Direction::Inverse => s.invert().ok_or(DeviceError::ZeroShift)?,
            }),
            _ => None,
        };
        let ops = match dir {
            Direction::Forward => forward_ops(domain.log_size(), coset.is_some()),
            Direction::Inverse => inverse_ops(domain.log_size(), coset.is_some()),
        };
        let data = data.host_mut()?;
        Ok(timed(NAME, in_place::<F>(data.len()), ops, || {
            let tables = self.cache.domain(domain);
            let coset = coset.map(|shift| self.cache.coset(&tables, shift));
            let inverse = matches!(dir, Direction::Inverse);
            let in_lanes = || match &coset {
                None => tables.lanes(inverse),
                Some(coset) => coset.lanes(&tables, inverse),
            };
            if let Some(plan) = (!self.one_by_one).then(in_lanes).flatten() {
                return lanes::ntt::transform(data, plan, &self.scratch);
            }
            let factors = match &coset {
                None => Twiddles::Plain(tables.plain()),
                Some(coset) => Twiddles::Coset(coset.table(&tables)),
            };
            if inverse {
                reorder::bit_reverse(data);
                layers::restore(data, factors, tables.n_inverse);
            } else {
                layers::decimate::<F, false>(data, factors);
                reorder::bit_reverse(data);
            }
        }))
    }

    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        same_length("extend", data.len(), domain.size())?;
        let (shift, data) = (domain.odd_shift()?, data.host_mut()?);
        Ok(timed(NAME, in_place::<F>(data.len()), extend_ops(domain.log_size()), || {
            let tables = self.cache.domain(domain);
            let in_lanes = || tables.scaled_lanes(shift).zip(tables.lanes(false));
            if let Some((back, forward)) = (!self.one_by_one).then(in_lanes).flatten() {
                lanes::ntt::transform(data, back, &self.scratch);
                lanes::ntt::transform(data, forward, &self.scratch);
            } else {
                layers::decimate::<F, true>(data, Twiddles::Plain(tables.plain()));
                layers::merge(data, tables.odd_natural(shift), tables.n_inverse);
            }
        }))
    }
}

/// The operations of a forward transform: `log2(N)·N/2` butterflies with a product each. On the plain domain the first block of every
/// stage, `N - 1` butterflies in all, needs no products.
fn forward_ops(log_n: u32, coset: bool) -> OpCount {
    let n = 1u64 << log_n;
    let k = u64::from(log_n);
    let field_mul = if coset { n / 2 * k } else { n / 2 * k - (n - 1) };
    OpCount { field_mul, field_add: n * k, point_add: 0 }
}

/// The operations of an inverse transform: those of a forward transform, and `N/2` products to merge `1/N` into the last layer (on the
/// plain domain its `N/2` trivial butterflies become products too); on a coset, one more product gives the factor of that layer.
fn inverse_ops(log_n: u32, coset: bool) -> OpCount {
    let n = 1u64 << log_n;
    let k = u64::from(log_n);
    let field_mul = match (log_n, coset) {
        (0, _) => 0,
        (_, true) => n / 2 * k + n / 2 + 1,
        (_, false) => n / 2 * k + 1,
    };
    OpCount { field_mul, field_add: n * k, point_add: 0 }
}

/// The operations of an extension: a plain network, and one with the coset merged and `1/N` merged into its first layer.
fn extend_ops(log_n: u32) -> OpCount {
    let n = 1u64 << log_n;
    let k = u64::from(log_n);
    let merged = if log_n == 0 { 0 } else { n / 2 * k + n / 2 + 1 };
    let plain = forward_ops(log_n, false);
    OpCount { field_mul: plain.field_mul + merged, field_add: 2 * n * k, point_add: 0 }
}
