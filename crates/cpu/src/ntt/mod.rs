//! Number-theoretic transforms of every power-of-two size.
//!
//! In lanes a transform visits memory twice and leaves natural order (`lanes/ntt.rs`). One element at a time, the coset
//! factors are merged into the twiddles ([CP] Algorithm 2), see [`tables`] and [`layers`]; transforms to and from natural
//! order permute once, by tiles, and [`NttOp::extend`], the step of every quotient, goes through bit-reversed coefficients
//! and does not permute at all.

mod layers;
mod reorder;
mod tables;

use crate::{NAME, in_place, lanes, same_length};
use layers::Twiddles;
use pairwright_device::{DeviceError, Direction, Done, NttOp, OpCount, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain};
use tables::Cache;

/// The transform of the host device. Keeps the twiddles of the last few domains and shifts: `N/2` elements a
/// domain, `N` more when it is extended, `N` a shift and direction.
///
/// In lanes it keeps tables as long as the root of `N`, and 40 bytes an element of memory to work in. The account of a transform
/// is that of the network one element at a time.
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
    /// The same, one element at a time on every processor: same bits, for comparison.
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

/// `log2(N)·N/2` butterflies with a product each; on the plain domain the first block of every stage needs none,
/// `N - 1` products in all.
fn forward_ops(log_n: u32, coset: bool) -> OpCount {
    let n = 1u64 << log_n;
    let k = u64::from(log_n);
    let field_mul = if coset { n / 2 * k } else { n / 2 * k - (n - 1) };
    OpCount { field_mul, field_add: n * k, point_add: 0 }
}

/// As forward; folding `1/N` into the last layer costs `N/2` products (on the plain domain its `N/2` trivial
/// butterflies become products too), and one more gives that layer's factor on a coset.
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

/// A plain network and one with the coset merged, `1/N` folded into its first layer.
fn extend_ops(log_n: u32) -> OpCount {
    let n = 1u64 << log_n;
    let k = u64::from(log_n);
    let merged = if log_n == 0 { 0 } else { n / 2 * k + n / 2 + 1 };
    let plain = forward_ops(log_n, false);
    OpCount { field_mul: plain.field_mul + merged, field_add: 2 * n * k, point_add: 0 }
}
