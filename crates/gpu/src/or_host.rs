//! Operators that run on the host where the device has no room for them: nothing was computed there then, and operands
//! are as they were.

use crate::error::lacks_memory;
use pairwright_device::{Direction, Done, HashOp, NttOp, PolyOp, SumcheckOp, TreeOp, VecOp};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, Domain, Levels, SumOfProducts, View};
use std::sync::Arc;

/// An operator of the device, and the host's for the calls that do not fit into the device's memory. The account of such a
/// call names the host.
#[derive(Debug)]
pub(crate) struct OrHost<D, H: ?Sized> {
    device: D,
    host: Arc<H>,
}

impl<D, H: ?Sized> OrHost<D, H> {
    pub(crate) fn new(device: D, host: Arc<H>) -> Self {
        Self { device, host }
    }
}

/// The first result, unless the device lacked memory for it.
fn or<T>(device: Done<T>, host: impl FnOnce() -> Done<T>) -> Done<T> {
    match device {
        Err(error) if lacks_memory(&error) => host(),
        other => other,
    }
}

impl<F: PrimeField, D: NttOp<F>> NttOp<F> for OrHost<D, dyn NttOp<F>> {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        or(self.device.ntt(domain, dir, shift, data), || self.host.ntt(domain, dir, shift, data))
    }
    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        or(self.device.extend(domain, data), || self.host.extend(domain, data))
    }
}

impl<F: PrimeField, D: VecOp<F>> VecOp<F> for OrHost<D, dyn VecOp<F>> {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        or(self.device.mul(a, b.clone()), || self.host.mul(a, b))
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        or(self.device.mul_sub(a, b.clone(), c.clone()), || self.host.mul_sub(a, b, c))
    }
}

impl<F: PrimeField, D: TreeOp<F>> TreeOp<F> for OrHost<D, dyn TreeOp<F>> {
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>> {
        or(self.device.build_eq(r), || self.host.build_eq(r))
    }
    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F> {
        or(self.device.mle_eval(table.clone(), r), || self.host.mle_eval(table, r))
    }
    fn product(&self, leaves: View<'_, F>) -> Done<F> {
        or(self.device.product(leaves.clone()), || self.host.product(leaves))
    }
    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>> {
        or(self.device.product_tree(leaves.clone()), || self.host.product_tree(leaves))
    }
    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest> {
        or(self.device.sha3_root(leaves.clone()), || self.host.sha3_root(leaves))
    }
    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>> {
        or(self.device.sha3_tree(leaves.clone()), || self.host.sha3_tree(leaves))
    }
}

impl<F: PrimeField, D: HashOp<F>> HashOp<F> for OrHost<D, dyn HashOp<F>> {
    fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<F> {
        or(self.device.poseidon_root(hash, leaves.clone()), || self.host.poseidon_root(hash, leaves))
    }
    fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<Levels<F>> {
        or(self.device.poseidon_tree(hash, leaves.clone()), || self.host.poseidon_tree(hash, leaves))
    }
}

impl<F: PrimeField, D: SumcheckOp<F>> SumcheckOp<F> for OrHost<D, dyn SumcheckOp<F>> {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        or(self.device.round(sum, tables), || self.host.round(sum, tables))
    }
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()> {
        or(self.device.bind(tables, r), || self.host.bind(tables, r))
    }
}

impl<F: PrimeField, D: PolyOp<F>> PolyOp<F> for OrHost<D, dyn PolyOp<F>> {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        or(self.device.scale(a, k), || self.host.scale(a, k))
    }
    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        or(self.device.axpy(a, k, b.clone()), || self.host.axpy(a, k, b))
    }
    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        or(self.device.invert(a), || self.host.invert(a))
    }
    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        or(self.device.prefix_products(a), || self.host.prefix_products(a))
    }
    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        or(self.device.powers(first, base, n), || self.host.powers(first, base, n))
    }
    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        or(self.device.evaluate(p.clone(), x), || self.host.evaluate(p, x))
    }
    fn divide(&self, p: View<'_, F>, z: &F) -> Done<(Buf<F>, F)> {
        or(self.device.divide(p.clone(), z), || self.host.divide(p, z))
    }
}
