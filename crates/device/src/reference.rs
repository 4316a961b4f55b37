//! The reference board: every operator in its shortest correct form, on one thread. All other boards are tested against it.

use crate::{
    Cost, Device, DeviceError, Direction, Done, EntrySource, HashOp, MsmOp, NttOp, OpCount, PairingOp,
    PointsOp, PolyOp, SparseOp, SparseShape, SumcheckOp, Traffic, TreeOp, VecOp, log_leaves,
    ops::reference_board, same_length, sumcheck_len, table_size, timed,
};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{
    Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing, Projective, compile_for_each_curve,
};
use pairwright_field::{Field, PrimeField};
use pairwright_hash::{Compress, Digest, Poseidon, Sha3};
use pairwright_poly::{Buf, Domain, Levels, SumOfProducts, View, mle, plain};

/// The name of the machine in costs and reports.
pub const NAME: &str = "reference";

/// The reference board for the groups of a pairing.
#[inline(never)]
pub fn board<E: Pairing>() -> Device<E> {
    reference_board()
}

/// The provider of all slots of the reference board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

/// Runs work that reads and writes the given numbers of bytes, and returns its result with its cost.
fn plain<T>(read: u64, written: u64, work: impl FnOnce() -> T) -> (T, Cost) {
    timed(NAME, Traffic { read, written }, OpCount::default(), work)
}

fn bytes_of<T>(n: usize) -> u64 {
    (n * size_of::<T>()) as u64
}

impl<F: PrimeField> NttOp<F> for Reference {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        same_length("ntt", data.len(), domain.size())?;
        let shift = shift.copied().unwrap_or(F::ONE);
        if shift.is_zero() {
            return Err(DeviceError::ZeroShift);
        }
        let data = data.host_mut()?;
        Ok(plain(bytes_of::<F>(data.len()), bytes_of::<F>(data.len()), || match dir {
            Direction::Forward => plain::coset_ntt(domain, shift, data),
            Direction::Inverse => plain::coset_intt(domain, shift, data),
        }))
    }

    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        same_length("extend", data.len(), domain.size())?;
        let (shift, data) = (domain.odd_shift()?, data.host_mut()?);
        Ok(plain(bytes_of::<F>(data.len()), bytes_of::<F>(data.len()), || {
            plain::intt(domain, data);
            plain::coset_ntt(domain, shift, data);
        }))
    }
}

impl<C: Curve> MsmOp<C> for Reference {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        same_length("msm", bases.len(), scalars.len())?;
        let read = bytes_of::<Affine<C>>(bases.len()) + bytes_of::<C::Scalar>(scalars.len());
        let (bases, scalars) = (bases.host()?, scalars.host()?);
        Ok(plain(read, bytes_of::<Jacobian<C>>(1), || {
            bases.iter().zip(scalars).map(|(p, k)| naive_mul(p, k)).sum()
        }))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        let scalars = scalars.host()?;
        Ok(plain(bytes_of::<C::Scalar>(scalars.len()), bytes_of::<Affine<C>>(scalars.len()), || {
            scalars.iter().map(|k| naive_mul(base, k).to_affine()).collect()
        }))
    }
}

impl<C: Curve> PointsOp<C> for Reference {
    fn in_subgroup(&self, points: &[Affine<C>]) -> Done<Vec<bool>> {
        Ok(plain(bytes_of::<Affine<C>>(points.len()), bytes_of::<bool>(points.len()), || {
            points.iter().map(Affine::is_in_subgroup_vartime).collect()
        }))
    }

    fn all_in_subgroup(&self, points: &[Affine<C>], _: &[u8; 32]) -> Done<bool> {
        Ok(plain(bytes_of::<Affine<C>>(points.len()), bytes_of::<bool>(1), || {
            points.iter().all(Affine::is_in_subgroup_vartime)
        }))
    }

    fn scale_points(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        same_length("scale_points", points.len(), scalars.len())?;
        let written = bytes_of::<Affine<C>>(points.len());
        Ok(plain(written + bytes_of::<C::Scalar>(scalars.len()), written, || {
            points.iter().zip(scalars).map(|(p, k)| naive_mul(p, k).to_affine()).collect()
        }))
    }

    fn scale_by_secrets(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        same_length("scale_by_secrets", points.len(), scalars.len())?;
        let written = bytes_of::<Affine<C>>(points.len());
        Ok(plain(written + bytes_of::<C::Scalar>(scalars.len()), written, || {
            points.iter().zip(scalars).map(|(p, k)| Projective::from(*p).mul(k).to_affine()).collect()
        }))
    }

    fn hash_to_curve(&self, suite: &Suite<C>, messages: &[&[u8]], dst: &[u8]) -> Done<Vec<Affine<C>>> {
        let read = messages.iter().map(|message| bytes_of::<u8>(message.len())).sum();
        Ok(plain(read, bytes_of::<Affine<C>>(messages.len()), || {
            messages.iter().map(|message| suite.hash_to_curve(message, dst)).collect()
        }))
    }
}

/// `k·p` by double-and-add.
fn naive_mul<C: Curve>(p: &Affine<C>, k: &C::Scalar) -> Jacobian<C> {
    p.to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref())
}

/// Computes `a[i] ← f(a[i], b[i])` and returns the cost.
fn zip_with<F: PrimeField>(
    op: &'static str,
    a: &mut Buf<F>,
    b: View<'_, F>,
    f: impl Fn(F, F) -> F,
) -> Done<()> {
    same_length(op, a.len(), b.len())?;
    let (a, b) = (a.host_mut()?, b.host()?);
    Ok(plain(2 * bytes_of::<F>(a.len()), bytes_of::<F>(a.len()), || {
        a.iter_mut().zip(b).for_each(|(x, y)| *x = f(*x, *y));
    }))
}

impl<F: PrimeField> VecOp<F> for Reference {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        zip_with("mul", a, b, |x, y| x * y)
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        same_length("mul_sub", a.len(), b.len())?;
        same_length("mul_sub", a.len(), c.len())?;
        let (a, b, c) = (a.host_mut()?, b.host()?, c.host()?);
        Ok(plain(3 * bytes_of::<F>(a.len()), bytes_of::<F>(a.len()), || {
            for ((x, y), z) in a.iter_mut().zip(b).zip(c) {
                *x = *x * *y - *z;
            }
        }))
    }
}

impl<F: PrimeField> SparseOp<F> for Reference {
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>> {
        let x = x.host()?;
        let written = shape.matrices as u64 * bytes_of::<F>(shape.rows);
        let (out, cost) = plain(bytes_of::<F>(x.len()), written, || {
            let mut out = vec![vec![F::ZERO; shape.rows]; shape.matrices];
            let (mut bad, mut index) = (None, 0);
            entries.read(0..entries.len(), &mut |e| {
                match shape.check(index, &e, x.len()) {
                    Ok(()) => out[e.matrix as usize][e.row as usize] += e.value * x[e.column as usize],
                    Err(error) => bad = bad.take().or(Some(error)),
                }
                index += 1;
            })?;
            bad.map_or(Ok(out.into_iter().map(Buf::from).collect()), Err)
        });
        Ok((out?, cost))
    }
}

impl<F: PrimeField> PolyOp<F> for Reference {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        in_place(a, |a| a.iter_mut().for_each(|x| *x *= *k))
    }
    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        zip_with("axpy", a, b, |x, y| x + *k * y)
    }
    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        in_place(a, |a| a.iter_mut().for_each(|x| *x = x.invert().unwrap_or(F::ZERO)))
    }
    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        in_place(a, |a| a.iter_mut().fold(F::ONE, |before, x| before * core::mem::replace(x, before)))
    }
    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        let powers = core::iter::successors(Some(*first), |power| Some(*power * *base));
        Ok(plain(0, bytes_of::<F>(n), || powers.take(n).collect()))
    }
    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        let p = p.host()?;
        let value = || p.iter().rev().fold(F::ZERO, |value, c| value * *x + *c);
        Ok(plain(bytes_of::<F>(p.len()), bytes_of::<F>(1), value))
    }
    fn divide(&self, p: View<'_, F>, z: &F) -> Done<(Buf<F>, F)> {
        let p = p.host()?;
        Ok(plain(bytes_of::<F>(p.len()), bytes_of::<F>(p.len()), || {
            let mut quotient = p.to_vec();
            // Horner's rule from the top: each partial value is the next lower coefficient of the quotient, the last one is the
            // remainder.
            let remainder = quotient.iter_mut().rev().fold(F::ZERO, |above, c| {
                let value = above * *z + *c;
                *c = above;
                value
            });
            quotient.pop();
            (quotient.into(), remainder)
        }))
    }
}

/// Runs work on one vector in place and returns its result with its cost.
fn in_place<F, T>(a: &mut Buf<F>, work: impl FnOnce(&mut [F]) -> T) -> Done<T> {
    let a = a.host_mut()?;
    Ok(plain(bytes_of::<F>(a.len()), bytes_of::<F>(a.len()), || work(a)))
}

impl<E: Pairing> PairingOp<E> for Reference {
    fn multi_pairing(&self, pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Done<E::Gt> {
        let (product, cost) =
            plain(bytes_of::<(G1Affine<E>, G2Affine<E>)>(pairs.len()), bytes_of::<E::Gt>(1), || {
                E::multi_pairing(pairs)
            });
        if product.is_zero() { Err(DeviceError::ZeroMillerLoop) } else { Ok((product, cost)) }
    }
}

/// Every inner node of a tree, with the cost.
fn reduce<T: Copy>(op: &'static str, leaves: &[T], combine: impl Fn(&T, &T) -> T) -> Done<Levels<T>> {
    log_leaves(op, leaves.len())?;
    Ok(plain(bytes_of::<T>(leaves.len()), bytes_of::<T>(leaves.len() - 1), || mle::reduce(leaves, combine)))
}

/// The root of a tree, with the cost; a single leaf is its own root.
fn root<T: Copy>(op: &'static str, leaves: &[T], combine: impl Fn(&T, &T) -> T) -> Done<T> {
    let (levels, cost) = reduce(op, leaves, combine)?;
    Ok((levels.root().copied().unwrap_or(leaves[0]), cost))
}

impl<F: PrimeField> TreeOp<F> for Reference {
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>> {
        let size = table_size("build_eq", r.len())?;
        Ok(plain(bytes_of::<F>(r.len()), bytes_of::<F>(size), || mle::build_eq(r).into()))
    }
    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F> {
        same_length("mle_eval", table.len(), table_size("mle_eval", r.len())?)?;
        let table = table.host()?;
        Ok(plain(bytes_of::<F>(table.len() + r.len()), bytes_of::<F>(1), || mle::mle_eval(table, r)))
    }
    fn product(&self, leaves: View<'_, F>) -> Done<F> {
        root("product", leaves.host()?, |a, b| *a * *b)
    }
    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>> {
        reduce("product_tree", leaves.host()?, |a, b| *a * *b)
    }
    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest> {
        root("sha3_root", leaves.host()?, |a, b| Sha3.compress(a, b))
    }
    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>> {
        reduce("sha3_tree", leaves.host()?, |a, b| Sha3.compress(a, b))
    }
}

impl<F: PrimeField> HashOp<F> for Reference {
    fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<F> {
        root("poseidon_root", leaves.host()?, |a, b| hash.compress(a, b))
    }
    fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<Levels<F>> {
        reduce("poseidon_tree", leaves.host()?, |a, b| hash.compress(a, b))
    }
}

impl<F: PrimeField> SumcheckOp<F> for Reference {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let len = sumcheck_len("sumcheck_round", sum.tables(), tables)?;
        Ok(plain(bytes_of::<F>(len * tables.len()), bytes_of::<F>(sum.degree() + 1), || sum.round(tables)))
    }
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()> {
        let len = sumcheck_len("sumcheck_bind", 0, tables)?;
        let (read, written) = (len * tables.len(), len / 2 * tables.len());
        Ok(plain(bytes_of::<F>(read), bytes_of::<F>(written), || {
            for table in tables {
                let mut values = core::mem::take(table).into_vec();
                mle::bind(&mut values, *r);
                *table = values.into();
            }
        }))
    }
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E>());
}
compile_for_each_curve!(compiled);
