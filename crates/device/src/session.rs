//! [`Session`]: what protocols hold. Runs operators on a board and keeps the account.

use crate::{
    Cost, Device, DeviceError, Direction, Done, EntrySource, FixedG2, OpCount, Record, Report, SparseShape,
    Traffic, timed,
};
use core::fmt;
use pairwright_curve::{Affine, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, Coeff, CosetEval, Eval, Levels, Poly, SumOfProducts, View};

/// Told to an observer before and after every operator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An operator is about to run.
    Start {
        /// Phase of the protocol.
        phase: &'static str,
        /// Name of the operator.
        operator: &'static str,
        /// Number of elements that it is given.
        size: usize,
    },
    /// An operator has run.
    End(&'a Record),
}

/// Who is told of events.
type Observer<'d> = Box<dyn FnMut(Event<'_>) + 'd>;

/// A run of operators on one device.
pub struct Session<'d, E: Pairing> {
    device: &'d Device<E>,
    report: Report,
    phase: &'static str,
    observer: Option<Observer<'d>>,
}

impl<'d, E: Pairing> Session<'d, E> {
    /// An empty account on a device.
    pub fn new(device: &'d Device<E>) -> Self {
        let report = Report { device: device.name, curve: E::NAME, records: Vec::new() };
        Self { device, report, phase: "", observer: None }
    }

    /// Has an observer told of every operator, for progress bars and traces.
    #[must_use]
    pub fn observed(mut self, observer: impl FnMut(Event<'_>) + 'd) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Names the phase that the following operators belong to.
    pub fn phase(&mut self, name: &'static str) {
        self.phase = name;
    }

    /// The account so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Ends the session and gives its account.
    pub fn finish(self) -> Report {
        self.report
    }

    fn run<T>(
        &mut self,
        operator: &'static str,
        size: usize,
        op: impl FnOnce(&Device<E>) -> Done<T>,
    ) -> Result<T, DeviceError> {
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
        let (value, cost) = op(self.device)?;
        self.note(operator, size, cost);
        Ok(value)
    }

    /// Enters work that is no operator of the board (reading a key, say) into the account.
    pub fn note(&mut self, operator: &'static str, size: usize, cost: Cost) {
        let record = Record { phase: self.phase, operator, size, cost };
        if let Some(observer) = &mut self.observer {
            observer(Event::End(&record));
        }
        self.report.records.push(record);
    }

    /// Runs work of the host that is no operator of the board; observer and account are told as of an operator.
    pub fn host<T>(&mut self, operator: &'static str, size: usize, work: impl FnOnce() -> T) -> T {
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
        let (value, cost) = timed("host", Traffic::default(), OpCount::default(), work);
        self.note(operator, size, cost);
        value
    }

    /// `Σ scalars[i]·bases[i]` in the first group.
    ///
    /// # Errors
    /// See [`crate::MsmOp::msm`].
    pub fn msm_g1(
        &mut self,
        bases: View<'_, G1Affine<E>>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Jacobian<E::G1>, DeviceError> {
        self.run("msm_g1", bases.len(), |d| d.g1.msm(bases, scalars))
    }

    /// `Σ scalars[i]·bases[i]` in the second group.
    ///
    /// # Errors
    /// See [`crate::MsmOp::msm`].
    pub fn msm_g2(
        &mut self,
        bases: View<'_, G2Affine<E>>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Jacobian<E::G2>, DeviceError> {
        self.run("msm_g2", bases.len(), |d| d.g2.msm(bases, scalars))
    }

    /// `scalars[i]·base` in the first group.
    ///
    /// # Errors
    /// See [`crate::MsmOp::multiples`].
    pub fn multiples_g1(
        &mut self,
        base: &Affine<E::G1>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Buf<G1Affine<E>>, DeviceError> {
        self.run("multiples_g1", scalars.len(), |d| d.g1.multiples(base, scalars))
    }

    /// `scalars[i]·base` in the second group.
    ///
    /// # Errors
    /// See [`crate::MsmOp::multiples`].
    pub fn multiples_g2(
        &mut self,
        base: &Affine<E::G2>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Buf<G2Affine<E>>, DeviceError> {
        self.run("multiples_g2", scalars.len(), |d| d.g2.multiples(base, scalars))
    }

    /// Values on the domain to coefficients.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn intt(&mut self, mut p: Poly<E::Fr, Eval>) -> Result<Poly<E::Fr, Coeff>, DeviceError> {
        let domain = *p.domain();
        self.run("intt", p.len(), |d| d.ntt.ntt(&domain, Direction::Inverse, None, p.buf_mut()))?;
        Ok(p.reinterpret())
    }

    /// Coefficients to values on the domain.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn ntt(&mut self, mut p: Poly<E::Fr, Coeff>) -> Result<Poly<E::Fr, Eval>, DeviceError> {
        let domain = *p.domain();
        self.run("ntt", p.len(), |d| d.ntt.ntt(&domain, Direction::Forward, None, p.buf_mut()))?;
        Ok(p.reinterpret())
    }

    /// Values on the domain to values on its odd coset.
    ///
    /// # Errors
    /// See [`crate::NttOp::extend`].
    pub fn extend(&mut self, mut p: Poly<E::Fr, Eval>) -> Result<Poly<E::Fr, CosetEval>, DeviceError> {
        let domain = *p.domain();
        self.run("extend", p.len(), |d| d.ntt.extend(&domain, p.buf_mut()))?;
        Ok(p.reinterpret())
    }

    /// `a[i] ← a[i]·b[i]`.
    ///
    /// # Errors
    /// See [`crate::VecOp::mul`].
    pub fn mul(&mut self, a: &mut Buf<E::Fr>, b: View<'_, E::Fr>) -> Result<(), DeviceError> {
        self.run("vec_mul", b.len(), |d| d.vec.mul(a, b))
    }

    /// `a[i] ← a[i]·b[i] - c[i]`.
    ///
    /// # Errors
    /// See [`crate::VecOp::mul_sub`].
    pub fn mul_sub(
        &mut self,
        a: &mut Buf<E::Fr>,
        b: View<'_, E::Fr>,
        c: View<'_, E::Fr>,
    ) -> Result<(), DeviceError> {
        self.run("vec_mul_sub", b.len(), |d| d.vec.mul_sub(a, b, c))
    }

    /// Products of sparse matrices of one shape with a vector.
    ///
    /// # Errors
    /// See [`crate::VecOp::sparse_mul`].
    pub fn sparse_mul(
        &mut self,
        shape: SparseShape,
        entries: &dyn EntrySource<E::Fr>,
        x: View<'_, E::Fr>,
    ) -> Result<Vec<Buf<E::Fr>>, DeviceError> {
        self.run("sparse_mul", entries.len(), |d| d.vec.sparse_mul(shape, entries, x))
    }

    /// `∏ e(P_i, Q_i)`.
    ///
    /// # Errors
    /// See [`crate::PairingOp::multi_pairing`].
    pub fn multi_pairing(&mut self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Result<E::Gt, DeviceError> {
        self.run("multi_pairing", pairs.len(), |d| d.pairing.multi_pairing(pairs))
    }

    /// `∏ e(P_i, Q_i)` over pairs of both kinds.
    ///
    /// # Errors
    /// See [`crate::PairingOp::multi_pairing_fixed`].
    pub fn multi_pairing_fixed(
        &mut self,
        pairs: &[(G1Affine<E>, G2Affine<E>)],
        fixed: &[(G1Affine<E>, &FixedG2<E>)],
    ) -> Result<E::Gt, DeviceError> {
        self.run("multi_pairing", pairs.len() + fixed.len(), |d| d.pairing.multi_pairing_fixed(pairs, fixed))
    }

    /// `eq(x, r)` at every corner `x`.
    ///
    /// # Errors
    /// See [`crate::TreeOp::build_eq`].
    pub fn build_eq(&mut self, r: &[E::Fr]) -> Result<Buf<E::Fr>, DeviceError> {
        let size = crate::table_size("build_eq", r.len())?;
        self.run("build_eq", size, |d| d.tree.build_eq(r))
    }

    /// The value at `r` of the multilinear extension of a table.
    ///
    /// # Errors
    /// See [`crate::TreeOp::mle_eval`].
    pub fn mle_eval(&mut self, table: View<'_, E::Fr>, r: &[E::Fr]) -> Result<E::Fr, DeviceError> {
        self.run("mle_eval", table.len(), |d| d.tree.mle_eval(table, r))
    }

    /// The product of all leaves.
    ///
    /// # Errors
    /// See [`crate::TreeOp::product`].
    pub fn product(&mut self, leaves: View<'_, E::Fr>) -> Result<E::Fr, DeviceError> {
        self.run("product", leaves.len(), |d| d.tree.product(leaves))
    }

    /// Every inner node of the multiplication tree.
    ///
    /// # Errors
    /// See [`crate::TreeOp::product_tree`].
    pub fn product_tree(&mut self, leaves: View<'_, E::Fr>) -> Result<Levels<E::Fr>, DeviceError> {
        self.run("product_tree", leaves.len(), |d| d.tree.product_tree(leaves))
    }

    /// The root of the Merkle tree of SHA3-256.
    ///
    /// # Errors
    /// See [`crate::TreeOp::sha3_root`].
    pub fn sha3_root(&mut self, leaves: View<'_, Digest>) -> Result<Digest, DeviceError> {
        self.run("sha3_root", leaves.len(), |d| d.tree.sha3_root(leaves))
    }

    /// Every inner node of the Merkle tree of SHA3-256.
    ///
    /// # Errors
    /// See [`crate::TreeOp::sha3_tree`].
    pub fn sha3_tree(&mut self, leaves: View<'_, Digest>) -> Result<Levels<Digest>, DeviceError> {
        self.run("sha3_tree", leaves.len(), |d| d.tree.sha3_tree(leaves))
    }

    /// The root of the Merkle tree of a Poseidon.
    ///
    /// # Errors
    /// See [`crate::TreeOp::poseidon_root`].
    pub fn poseidon_root(
        &mut self,
        hash: &Poseidon<E::Fr>,
        leaves: View<'_, E::Fr>,
    ) -> Result<E::Fr, DeviceError> {
        self.run("poseidon_root", leaves.len(), |d| d.tree.poseidon_root(hash, leaves))
    }

    /// Every inner node of the Merkle tree of a Poseidon.
    ///
    /// # Errors
    /// See [`crate::TreeOp::poseidon_tree`].
    pub fn poseidon_tree(
        &mut self,
        hash: &Poseidon<E::Fr>,
        leaves: View<'_, E::Fr>,
    ) -> Result<Levels<E::Fr>, DeviceError> {
        self.run("poseidon_tree", leaves.len(), |d| d.tree.poseidon_tree(hash, leaves))
    }

    /// The round polynomial of a sumcheck.
    ///
    /// # Errors
    /// See [`crate::SumcheckOp::round`].
    pub fn sumcheck_round(
        &mut self,
        sum: &SumOfProducts<E::Fr>,
        tables: &[Buf<E::Fr>],
    ) -> Result<Vec<E::Fr>, DeviceError> {
        let size = tables.first().map_or(0, |t| t.len());
        self.run("sumcheck_round", size, |d| d.sumcheck.round(sum, tables))
    }

    /// Fixes the first variable of every table.
    ///
    /// # Errors
    /// See [`crate::SumcheckOp::bind`].
    pub fn sumcheck_bind(&mut self, tables: &mut [Buf<E::Fr>], r: &E::Fr) -> Result<(), DeviceError> {
        let size = tables.first().map_or(0, |t| t.len());
        self.run("sumcheck_bind", size, |d| d.sumcheck.bind(tables, r))
    }
}

impl<E: Pairing> fmt::Debug for Session<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?}, {} operators)", self.device, self.report.records.len())
    }
}
