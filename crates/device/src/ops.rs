//! The operators: object-safe traits, a slot of the board each.

use crate::Done;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, Domain, Levels, SourceError, SumOfProducts, View};

/// From coefficients to values, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Coefficients to values.
    Forward,
    /// Values to coefficients.
    Inverse,
}

/// Number-theoretic transforms, natural order in and out.
pub trait NttOp<F: PrimeField>: Send + Sync {
    /// Transforms `data` in place between coefficients and values at `shift·ω^i` (`shift = 1` when `None`).
    ///
    /// # Errors
    /// When `data` has another length than the domain, or the shift is zero.
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()>;

    /// Values on the domain to values on its odd coset ([`Domain::odd_shift`]), in place: the step of every
    /// quotient. The same as an inverse and a forward coset transform; a device may spare the reordering.
    ///
    /// # Errors
    /// As [`NttOp::ntt`], and when the field has no double domain.
    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()>;
}

/// Multi-scalar multiplication in one group.
pub trait MsmOp<C: Curve>: Send + Sync {
    /// `Σ scalars[i]·bases[i]`. Bases are points of the prime-order subgroup, any of them may be infinity, equal
    /// or opposite. Time depends on the operands.
    ///
    /// # Errors
    /// When the lengths differ.
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>>;

    /// `scalars[i]·base` for every `i`: one base, many multiples, as setups need.
    ///
    /// # Errors
    /// When the machine cannot.
    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>>;
}

/// Element-wise vector arithmetic, and sparse matrices times a vector.
pub trait VecOp<F: PrimeField>: Send + Sync {
    /// `a[i] ← a[i]·b[i]`.
    ///
    /// # Errors
    /// When the lengths differ.
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()>;
    /// `a[i] ← a[i] + b[i]`.
    ///
    /// # Errors
    /// When the lengths differ.
    fn add(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()>;
    /// `a[i] ← a[i] - b[i]`.
    ///
    /// # Errors
    /// When the lengths differ.
    fn sub(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()>;
    /// `a[i] ← a[i]·b[i] - c[i]`: the quotient's numerator in one pass.
    ///
    /// # Errors
    /// When the lengths differ.
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()>;
    /// Products of sparse matrices of one shape with the vector `x`, one result vector a matrix.
    ///
    /// # Errors
    /// When an entry lies outside its matrix or cannot be read.
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>>;
}

/// How many sparse matrices, with how many rows each; the columns are the vector's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseShape {
    /// Number of matrices.
    pub matrices: usize,
    /// Rows of each.
    pub rows: usize,
}

/// One non-zero entry of one of several sparse matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<F> {
    /// Index of the matrix that the entry belongs to.
    pub matrix: u32,
    /// Row of the entry, from zero.
    pub row: u32,
    /// Column of the entry, from zero.
    pub column: u32,
    /// Value of the entry.
    pub value: F,
}

/// Sparse entries, in memory or decoded on demand, in any order; repeated positions add up.
pub trait EntrySource<F>: Send + Sync {
    /// Number of entries.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Calls `each` on the entries of `range` in order.
    ///
    /// # Errors
    /// When the bytes are not a valid entry.
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError>;
}

impl<F: PrimeField> EntrySource<F> for Vec<Entry<F>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self[range].iter().for_each(|e| each(*e));
        Ok(())
    }
}

/// A second argument of many pairings: the point, and the host's line coefficients for it. A machine takes whichever
/// serves it.
#[derive(Clone, Debug)]
pub struct FixedG2<E: Pairing> {
    point: G2Affine<E>,
    lines: E::G2Prepared,
}

impl<E: Pairing> FixedG2<E> {
    /// Computes the line coefficients of a point of the prime-order subgroup, or infinity.
    pub fn new(point: G2Affine<E>) -> Self {
        Self { point, lines: E::prepare_fixed_g2(&point) }
    }
    /// The point whose coefficients these are.
    pub fn point(&self) -> &G2Affine<E> {
        &self.point
    }
    /// Its line coefficients.
    pub fn lines(&self) -> &E::G2Prepared {
        &self.lines
    }
}

/// Products of pairings.
pub trait PairingOp<E: Pairing>: Send + Sync {
    /// `∏ e(P_i, Q_i)`.
    ///
    /// # Errors
    /// When the machine cannot, and [`DeviceError::ZeroMillerLoop`] when an argument is no point of its group and the
    /// product of the Miller loops is zero for that.
    fn multi_pairing(&self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Done<E::Gt>;

    /// `∏ e(P_i, Q_i)` over pairs of both kinds. A machine that has no use for line coefficients of the host leaves
    /// this to the points.
    ///
    /// # Errors
    /// When the machine cannot, and [`DeviceError::ZeroMillerLoop`] when an argument is no point of its group and the
    /// product of the Miller loops is zero for that.
    fn multi_pairing_fixed(
        &self,
        pairs: &[(G1Affine<E>, G2Affine<E>)],
        fixed: &[(G1Affine<E>, &FixedG2<E>)],
    ) -> Done<E::Gt> {
        let fixed = fixed.iter().map(|(p, q)| (*p, q.point));
        self.multi_pairing(&pairs.iter().copied().chain(fixed).collect::<Vec<_>>())
    }
}

/// Binary trees over vectors (\[MTU\]). Coordinates and levels are numbered as in [`pairwright_poly::mle`] and [`Levels`].
pub trait TreeOp<F: PrimeField>: Send + Sync {
    /// `eq(x, r)` at every corner `x` of the hypercube: Build MLE.
    ///
    /// # Errors
    /// When the table is larger than the machine takes.
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>>;

    /// The value at `r` of the multilinear extension of a table.
    ///
    /// # Errors
    /// When the table has not a value for each corner.
    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F>;

    /// The product of all leaves: the multiplication tree.
    ///
    /// # Errors
    /// When the number of leaves is not a power of two.
    fn product(&self, leaves: View<'_, F>) -> Done<F>;

    /// Every inner node of the multiplication tree: Product MLE.
    ///
    /// # Errors
    /// As [`TreeOp::product`].
    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>>;

    /// The root of the Merkle tree of SHA3-256 over digests.
    ///
    /// # Errors
    /// As [`TreeOp::product`].
    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest>;

    /// Every inner node of that tree, as openings need.
    ///
    /// # Errors
    /// As [`TreeOp::product`].
    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>>;

    /// The root of the Merkle tree of a Poseidon over field elements.
    ///
    /// # Errors
    /// As [`TreeOp::product`].
    fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<F>;

    /// Every inner node of that tree.
    ///
    /// # Errors
    /// As [`TreeOp::product`].
    fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<Levels<F>>;
}

/// The rounds of a sumcheck's prover.
pub trait SumcheckOp<F: PrimeField>: Send + Sync {
    /// The round polynomial in the first variable, by its values at 0, 1, …, the sum's degree; see
    /// [`SumOfProducts::round`].
    ///
    /// # Errors
    /// When tables are missing, differ in length, or have no variable left.
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>>;

    /// Fixes the first variable of every table to `r`, in place: half as many values.
    ///
    /// # Errors
    /// When tables differ in length or have no variable left.
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()>;
}
