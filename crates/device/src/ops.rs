//! The table of operators: everything that protocols can ask of machines.
//!
//! A slot has a trait and a name in lower case, which is also its name on the command line. A row of a trait is an
//! operator. It has the signature, the size that reports show, and after `as`, for every slot that provides the operator, the
//! variant of [`Operator`], the name in reports, and the method of [`Session`] that runs it. A row may end with a default
//! implementation, for machines that do not implement the method.

use crate::{
    Deferred, DeviceError, Direction, Done, EntrySource, FixedG2, MachineLog, OrHost, Session, SparseShape,
    reference, table_size,
};
use alloc::sync::Arc;
use alloc::vec::Vec;
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, Domain, Levels, SumOfProducts, View};

operators! {
    slots {
        /// Number-theoretic transforms over the scalar field.
        Ntt ntt with_ntt: dyn NttOp<E::Fr>;
        /// Element-wise vector arithmetic over the scalar field.
        Vec vec with_vec: dyn VecOp<E::Fr>;
        /// Products of sparse matrices with vectors over the scalar field.
        Sparse sparse with_sparse: dyn SparseOp<E::Fr>;
        /// Arithmetic of polynomials and vectors over the scalar field.
        Poly poly with_poly: dyn PolyOp<E::Fr>;
        /// Multi-scalar multiplication in the first group.
        G1 g1 with_g1: dyn MsmOp<E::G1>;
        /// Multi-scalar multiplication in the second group.
        G2 g2 with_g2: dyn MsmOp<E::G2>;
        /// Element-wise operations on many points of the first group.
        PointsG1 points_g1 with_points_g1: dyn PointsOp<E::G1>;
        /// Element-wise operations on many points of the second group.
        PointsG2 points_g2 with_points_g2: dyn PointsOp<E::G2>;
        /// Products of pairings.
        Pairing pairing with_pairing: dyn PairingOp<E>;
        /// Binary trees over the scalar field and over digests.
        Tree tree with_tree: dyn TreeOp<E::Fr>;
        /// Prover rounds of sumchecks over the scalar field.
        Sumcheck sumcheck with_sumcheck: dyn SumcheckOp<E::Fr>;
        /// Hashes of elements of the scalar field.
        Hash hash with_hash: dyn HashOp<E::Fr>;
    }

    /// Number-theoretic transforms with operands and results in natural order. Sessions run them on polynomials whose type says
    /// their basis.
    trait NttOp<F: PrimeField> {
        /// Transforms `data` in place between coefficients and values at `shift·ω^i` (`shift = 1` when `None`).
        ///
        /// # Errors
        /// When `data` has another length than the domain, or the shift is zero.
        fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> (),
            size data.len(), as Ntt "ntt" on ntt, Intt "intt" on ntt;

        /// Converts values on the domain to values on its odd coset ([`Domain::odd_shift`]) in place, as the computation of a quotient
        /// needs it. The result is that of an inverse transform and a forward coset transform, but a device need not reorder the
        /// coefficients in between.
        ///
        /// # Errors
        /// As [`NttOp::ntt`], and when the field has no double domain.
        fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> (),
            size data.len(), as Extend "extend" on ntt;
    }

    /// Element-wise vector arithmetic.
    trait VecOp<F: PrimeField> {
        /// `a[i] ← a[i]·b[i]`.
        ///
        /// # Errors
        /// When the lengths differ.
        fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> (),
            size b.len(), as VecMul "vec_mul" on vec => mul;

        /// `a[i] ← a[i]·b[i] - c[i]`, which computes the numerator of a quotient in one pass.
        ///
        /// # Errors
        /// When the lengths differ.
        fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> (),
            size b.len(), as VecMulSub "vec_mul_sub" on vec => mul_sub;
    }

    /// Sparse matrices times a vector.
    trait SparseOp<F: PrimeField> {
        /// Products of sparse matrices of one shape with the vector `x`; one result vector per matrix.
        ///
        /// # Errors
        /// When an entry lies outside its matrix or cannot be read.
        fn sparse_mul(&self, shape: SparseShape, entries: &dyn EntrySource<F>, x: View<'_, F>) -> Vec<Buf<F>>,
            size entries.len(), as SparseMul "sparse_mul" on sparse => sparse_mul;
    }

    /// Operations on polynomials and vectors for provers with polynomial commitments: linear combinations, inverses, prefix
    /// products, evaluations and quotients. A polynomial is given by its coefficients, lowest degree first.
    trait PolyOp<F: PrimeField> {
        /// `a[i] ← k·a[i]`.
        ///
        /// # Errors
        /// When the machine cannot.
        fn scale(&self, a: &mut Buf<F>, k: &F) -> (),
            size a.len(), as Scale "scale" on poly => scale;

        /// `a[i] ← a[i] + k·b[i]`.
        ///
        /// # Errors
        /// When the lengths differ.
        fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> (),
            size b.len(), as Axpy "axpy" on poly => axpy;

        /// `a[i] ← 1/a[i]`; zeros stay zero.
        ///
        /// # Errors
        /// When the machine cannot.
        fn invert(&self, a: &mut Buf<F>) -> (),
            size a.len(), as Invert "invert" on poly => invert;

        /// `a[i] ← a[0]·…·a[i-1]`, where `a[0]` becomes one; returns the product of all elements.
        ///
        /// # Errors
        /// When the machine cannot.
        fn prefix_products(&self, a: &mut Buf<F>) -> F,
            size a.len(), as PrefixProducts "prefix_products" on poly => prefix_products;

        /// `first·base^i` for `i < n`.
        ///
        /// # Errors
        /// When the machine cannot.
        fn powers(&self, first: &F, base: &F, n: usize) -> Buf<F>,
            size n, as Powers "powers" on poly => powers;

        /// The value of a polynomial at `x`; zero if it has no coefficients.
        ///
        /// # Errors
        /// When the machine cannot.
        fn evaluate(&self, p: View<'_, F>, x: &F) -> F,
            size p.len(), as Evaluate "evaluate" on poly => evaluate;

        /// The quotient of a polynomial by `X - z`, one coefficient shorter, and the remainder `p(z)`.
        ///
        /// # Errors
        /// When the machine cannot.
        fn divide(&self, p: View<'_, F>, z: &F) -> (Buf<F>, F),
            size p.len(), as Divide "divide" on poly => divide;
    }

    /// Multi-scalar multiplication in one group.
    trait MsmOp<C: Curve> {
        /// `Σ scalars[i]·bases[i]`. Bases are points of the prime-order subgroup; they may be infinity, or equal or opposite to each
        /// other. Time depends on the operands.
        ///
        /// # Errors
        /// When the lengths differ.
        fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Jacobian<C>,
            size bases.len(), as MsmG1 "msm_g1" on g1 => msm_g1, MsmG2 "msm_g2" on g2 => msm_g2;

        /// Starts [`MsmOp::msm`], for a caller who has other work for the machine before it needs the sum.
        ///
        /// # Errors
        /// As [`MsmOp::msm`].
        fn start(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Deferred<Jacobian<C>>,
            size bases.len(), as StartMsmG1 "start_msm_g1" on g1, StartMsmG2 "start_msm_g2" on g2
            { Deferred::of(self.msm(bases, scalars)) };

        /// `scalars[i]·base` for every `i`: many multiples of one base, for setups.
        ///
        /// # Errors
        /// When the machine cannot.
        fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Buf<Affine<C>>,
            size scalars.len(),
            as MultiplesG1 "multiples_g1" on g1 => multiples_g1, MultiplesG2 "multiples_g2" on g2 => multiples_g2;
    }

    /// Element-wise operations on many points of one group, for verifiers of many proofs or signatures and for contributors to
    /// ceremonies. Time depends on the operands, except in [`PointsOp::scale_by_secrets`].
    trait PointsOp<C: Curve> {
        /// Tells for each point whether it lies in the prime-order subgroup, which includes infinity. All points have to be on the
        /// curve.
        ///
        /// # Errors
        /// When the machine cannot.
        fn in_subgroup(&self, points: &[Affine<C>]) -> Vec<bool>,
            size points.len(),
            as InSubgroupG1 "in_subgroup_g1" on points_g1 => in_subgroup_g1,
            InSubgroupG2 "in_subgroup_g2" on points_g2 => in_subgroup_g2;

        /// Tells whether all points lie in the prime-order subgroup, which includes infinity. All points have to be on the curve. A
        /// board may test random sums of the points: it then misses points outside of the subgroup with probability below 2^-80
        /// over seeds that whoever chose the points could not foresee, and never rejects points of the subgroup.
        ///
        /// # Errors
        /// When the machine cannot.
        fn all_in_subgroup(&self, points: &[Affine<C>], seed: &[u8; 32]) -> bool,
            size points.len(),
            as AllInSubgroupG1 "all_in_subgroup_g1" on points_g1 => all_in_subgroup_g1,
            AllInSubgroupG2 "all_in_subgroup_g2" on points_g2 => all_in_subgroup_g2;

        /// `scalars[i]·points[i]` for every `i`. The points are of the prime-order subgroup, infinity included. Scalars whose two
        /// halves under the group's endomorphism (GLV) are short cost less than others.
        ///
        /// # Errors
        /// When the lengths differ.
        fn scale_points(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Vec<Affine<C>>,
            size points.len(),
            as ScalePointsG1 "scale_points_g1" on points_g1 => scale_points_g1,
            ScalePointsG2 "scale_points_g2" on points_g2 => scale_points_g2;

        /// `scalars[i]·points[i]` for every `i`, for secret scalars: neither branches nor addresses depend on them.
        /// The points are public and of the prime-order subgroup, infinity included.
        ///
        /// # Errors
        /// When the lengths differ.
        fn scale_by_secrets(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Vec<Affine<C>>,
            size points.len(),
            as ScaleBySecretsG1 "scale_by_secrets_g1" on points_g1 => scale_by_secrets_g1,
            ScaleBySecretsG2 "scale_by_secrets_g2" on points_g2 => scale_by_secrets_g2;

        /// [`Suite::hash_to_curve`] of each message under one domain separation tag; the results are in the prime-order subgroup. Not
        /// for secret messages: time depends on them.
        ///
        /// # Errors
        /// When the machine cannot.
        fn hash_to_curve(&self, suite: &Suite<C>, messages: &[&[u8]], dst: &[u8]) -> Vec<Affine<C>>,
            size messages.len(),
            as HashToG1 "hash_to_g1" on points_g1 => hash_to_g1,
            HashToG2 "hash_to_g2" on points_g2 => hash_to_g2;
    }

    /// Products of pairings.
    trait PairingOp<E: Pairing> {
        /// `∏ e(P_i, Q_i)`.
        ///
        /// # Errors
        /// When the machine cannot, and [`DeviceError::ZeroMillerLoop`] when an argument is no point of its group and the
        /// product of the Miller loops is zero for that.
        fn multi_pairing(&self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> E::Gt,
            size pairs.len(), as MultiPairing "multi_pairing" on pairing => multi_pairing;

        /// `∏ e(P_i, Q_i)` over pairs of points and pairs with a fixed second argument ([`FixedG2::to_point_pairs`] converts the latter to
        /// the former).
        ///
        /// # Errors
        /// When the machine cannot, and [`DeviceError::ZeroMillerLoop`] when an argument is no point of its group and the
        /// product of the Miller loops is zero for that.
        fn multi_pairing_fixed(
            &self,
            pairs: &[(G1Affine<E>, G2Affine<E>)],
            fixed: &[(G1Affine<E>, &FixedG2<E>)],
        ) -> E::Gt,
            size pairs.len() + fixed.len(),
            as MultiPairingFixed "multi_pairing" on pairing => multi_pairing_fixed
            { self.multi_pairing(&FixedG2::to_point_pairs(pairs, fixed)) };
    }

    /// Binary trees over vectors (\[MTU\]). Coordinates and levels are numbered as in [`pairwright_poly::mle`] and
    /// [`Levels`].
    trait TreeOp<F: PrimeField> {
        /// `eq(x, r)` at every corner `x` of the hypercube ("Build MLE").
        ///
        /// # Errors
        /// When the table is larger than the machine takes.
        fn build_eq(&self, r: &[F]) -> Buf<F>,
            size table_size("build_eq", r.len())?, as BuildEq "build_eq" on tree => build_eq;

        /// The value at `r` of the multilinear extension of a table.
        ///
        /// # Errors
        /// When the length of the table is not `2^r.len()`.
        fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> F,
            size table.len(), as MleEval "mle_eval" on tree => mle_eval;

        /// The product of all leaves, the root of the multiplication tree.
        ///
        /// # Errors
        /// When the number of leaves is not a power of two.
        fn product(&self, leaves: View<'_, F>) -> F,
            size leaves.len(), as Product "product" on tree => product;

        /// Every inner node of the multiplication tree ("Product MLE").
        ///
        /// # Errors
        /// As [`TreeOp::product`].
        fn product_tree(&self, leaves: View<'_, F>) -> Levels<F>,
            size leaves.len(), as ProductTree "product_tree" on tree => product_tree;

        /// The root of the Merkle tree with SHA3-256 over digests.
        ///
        /// # Errors
        /// As [`TreeOp::product`].
        fn sha3_root(&self, leaves: View<'_, Digest>) -> Digest,
            size leaves.len(), as Sha3Root "sha3_root" on tree => sha3_root;

        /// Every inner node of the Merkle tree with SHA3-256, for openings.
        ///
        /// # Errors
        /// As [`TreeOp::product`].
        fn sha3_tree(&self, leaves: View<'_, Digest>) -> Levels<Digest>,
            size leaves.len(), as Sha3Tree "sha3_tree" on tree => sha3_tree;
    }

    /// The rounds of a sumcheck's prover.
    trait SumcheckOp<F: PrimeField> {
        /// The round polynomial in the first variable, as its values at 0, 1, … up to the degree of the sum; see
        /// [`SumOfProducts::round`].
        ///
        /// # Errors
        /// When tables are missing, differ in length, or have no variable left.
        fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Vec<F>,
            size tables.first().map_or(0, |t| t.len()),
            as SumcheckRound "sumcheck_round" on sumcheck => sumcheck_round;

        /// Fixes the first variable of every table to `r` in place, which halves the number of values.
        ///
        /// # Errors
        /// When tables differ in length or have no variable left.
        fn bind(&self, tables: &mut [Buf<F>], r: &F) -> (),
            size tables.first().map_or(0, |t| t.len()),
            as SumcheckBind "sumcheck_bind" on sumcheck => sumcheck_bind;
    }

    /// Hashes of field elements that are cheap to compute inside circuits. Levels are numbered as in [`Levels`].
    trait HashOp<F: PrimeField> {
        /// The root of the Merkle tree with Poseidon over field elements.
        ///
        /// # Errors
        /// When the number of leaves is not a power of two.
        fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> F,
            size leaves.len(), as PoseidonRoot "poseidon_root" on hash => poseidon_root;

        /// Every inner node of the Merkle tree with Poseidon, for openings.
        ///
        /// # Errors
        /// As [`HashOp::poseidon_root`].
        fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Levels<F>,
            size leaves.len(), as PoseidonTree "poseidon_tree" on hash => poseidon_tree;
    }
}
