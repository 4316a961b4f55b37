//! The number-theoretic transform of points: evaluates a polynomial with points as coefficients on a coset.

use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing, batch_to_affine};
use pairwright_device::{DeviceError, Session, parallel};
use pairwright_field::{Field, Ring, batch_invert};
pub(crate) use pairwright_poly::bit_reversed as reversed;

/// The operator of a session that multiplies points by scalars in variable time: [`Session::scale_points_g1`] or
/// [`Session::scale_points_g2`].
pub type ScalePoints<'d, E, C> =
    fn(&mut Session<'d, E>, &[Affine<C>], &[<C as Curve>::Scalar]) -> Result<Vec<Affine<C>>, DeviceError>;

/// Points per call of the operator that multiplies them.
const PIECE: usize = 1 << 15;
/// Butterflies that share one field inversion.
const SHARED: usize = 1 << 9;

/// The points at which a polynomial is evaluated, `shift·root^i` for every `i`, and a factor `scale` of all values. `root` is a
/// primitive root of unity whose order is the length of the transform.
#[derive(Clone, Copy)]
pub(crate) struct Coset<F> {
    pub(crate) root: F,
    pub(crate) shift: F,
    pub(crate) scale: F,
}

/// Computes `scale·Σ_j (shift·root^i)^j·row_j` for every `i`, with input and output in natural order. A row is `width` points, whose
/// columns are transformed independently. Variable time. `done` is called with counts of products of a scalar and a point, as in
/// [`transform_vartime`].
///
/// # Panics
/// If the number of rows is not a power of two.
pub(crate) fn evaluate_vartime<'d, E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'d, E>,
    scale_points: ScalePoints<'d, E, C>,
    points: &[Affine<C>],
    width: usize,
    coset: Coset<E::Fr>,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<Affine<C>>, DeviceError> {
    let n = points.len() / width;
    assert!(n.is_power_of_two(), "a transform covers its domain");
    let log_n = n.trailing_zeros();
    let rows = (0..n).map(|i| reversed(i, log_n) * width);
    let mut data: Vec<Affine<C>> = rows.flat_map(|at| &points[at..at + width]).copied().collect();
    transform_vartime(on, scale_points, &mut data, width, coset, done)?;
    Ok(data)
}

/// Number of products that [`transform_vartime`] requests from a session for `n` points, a power of two, and a scale other than one.
#[cfg(feature = "std")]
pub(crate) fn products(n: usize, shifted: bool) -> usize {
    // Without a shift the first row of each block but the first has the factor one.
    let ones = |stage| if shifted { 0 } else { (n >> (stage + 1)) - 1 };
    1 + (0..n.trailing_zeros()).map(|stage| n / 2 - ones(stage)).sum::<usize>()
}

/// [`evaluate_vartime`] in place, from bit-reversed to natural order. `done` is called with the number of products of a scalar and a
/// point since its last call, products with one included: half as many as there are points, in every stage.
///
/// Decimation in time. The coset's shift is merged into the twiddles ([CP] Algorithm 2), and so is the scale. In a butterfly
/// `a ± t·b` the scale has to reach every output exactly once, through `a` or through `t`. So only the twiddles of the first block
/// of every stage include it, and only the first row of all needs products of its own.
pub(crate) fn transform_vartime<'d, E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'d, E>,
    scale_points: ScalePoints<'d, E, C>,
    data: &mut [Affine<C>],
    width: usize,
    Coset { root, shift, scale }: Coset<E::Fr>,
    done: &mut dyn FnMut(usize),
) -> Result<(), DeviceError> {
    let n = data.len() / width;
    let first = &mut data[..width];
    if scale != E::Fr::ONE {
        let scaled = scale_points(on, first, &vec![scale; width])?;
        first.copy_from_slice(&scaled);
    }
    for stage in 0..n.trailing_zeros() {
        let half = 1usize << stage;
        // A block of m rows evaluates its polynomial at the (n/m)-th powers of the coset's points.
        let stride = (n / (2 * half)) as u64;
        let (step, first) = (root.pow_vartime(&[stride]), shift.pow_vartime(&[stride]));
        let twiddles: Vec<E::Fr> =
            core::iter::successors(Some(first), |t| Some(*t * step)).take(half).collect();
        let factor = |block: usize, row: usize| {
            if block == 0 { scale * twiddles[row] } else { twiddles[row] }
        };
        // The lower rows of every block with their factors, some of which are one.
        let lower = (0..n / 2).flat_map(|k| {
            let (block, row) = (k >> stage, k & (half - 1));
            let (at, k) = ((2 * half * block + half + row) * width, factor(block, row));
            (at..at + width).map(move |at| (at, k))
        });
        let mut lower = lower.peekable();
        while lower.peek().is_some() {
            let piece: Vec<(usize, E::Fr)> = lower.by_ref().take(PIECE).collect();
            let others = piece.iter().filter(|(_, k)| *k != E::Fr::ONE);
            let (places, factors): (Vec<usize>, Vec<E::Fr>) = others.copied().unzip();
            let points: Vec<Affine<C>> = places.iter().map(|at| data[*at]).collect();
            let products = scale_points(on, &points, &factors)?;
            places.into_iter().zip(products).for_each(|(at, product)| data[at] = product);
            done(piece.len());
        }
        on.host("point_butterflies", data.len() / 2, || butterflies(data, half * width));
    }
    Ok(())
}

/// Applies `work` to every piece of a list, on all threads where there are any.
fn each<T: Send>(list: &mut [T], size: usize, work: impl Fn(&mut [T]) + Send + Sync) {
    parallel::for_each(list.chunks_mut(size), |_, piece| work(piece));
}

/// Applies `work` to corresponding pieces of two lists, on all threads where there are any.
fn each_of_two<T: Send>(
    one: &mut [T],
    other: &mut [T],
    size: usize,
    work: impl Fn(&mut [T], &mut [T]) + Send + Sync,
) {
    parallel::for_each(one.chunks_mut(size).zip(other.chunks_mut(size)), |_, (a, b)| work(a, b));
}

/// Replaces every pair `(a, b)` of points `half` apart, in blocks of `2·half` points, by `(a + b, a - b)`.
fn butterflies<C: Curve>(data: &mut [Affine<C>], half: usize) {
    if half >= SHARED {
        each(data, 2 * half, |block| {
            let (upper, lower) = block.split_at_mut(half);
            each_of_two(upper, lower, SHARED, add_and_subtract);
        });
        return;
    }
    let blocks = SHARED / half;
    each(data, 2 * half * blocks, |chunk| {
        let (mut upper, mut lower) = (Vec::with_capacity(SHARED), Vec::with_capacity(SHARED));
        for block in chunk.chunks(2 * half) {
            let (a, b) = block.split_at(half);
            upper.extend_from_slice(a);
            lower.extend_from_slice(b);
        }
        add_and_subtract(&mut upper, &mut lower);
        for (block, (a, b)) in chunk.chunks_mut(2 * half).zip(upper.chunks(half).zip(lower.chunks(half))) {
            block[..half].copy_from_slice(a);
            block[half..].copy_from_slice(b);
        }
    });
}

/// Replaces every pair `(a, b)` by `(a + b, a - b)`. Sum and difference share the inverse of `x_b - x_a`, and all pairs one inversion.
fn add_and_subtract<C: Curve>(upper: &mut [Affine<C>], lower: &mut [Affine<C>]) {
    // The difference is zero where the points are equal or opposite.
    let mut inverses: Vec<C::Base> = upper.iter().zip(&*lower).map(|(a, b)| b.x - a.x).collect();
    batch_invert(&mut inverses);
    for ((a, b), inverse) in upper.iter_mut().zip(lower).zip(inverses) {
        if a.is_infinity() || b.is_infinity() || inverse.is_zero() {
            let (sum, difference) = (a.to_jacobian().add_mixed(b), a.to_jacobian().add_mixed(&-*b));
            let both = batch_to_affine(&[sum, difference]);
            (*a, *b) = (both[0], both[1]);
            continue;
        }
        let through = |y: C::Base| {
            let slope = (y - a.y) * inverse;
            let x = slope.square() - a.x - b.x;
            Affine { x, y: slope * (a.x - x) - a.y }
        };
        (*a, *b) = (through(b.y), through(-b.y));
    }
}

#[cfg(test)]
mod tests {
    use super::{Coset, add_and_subtract, evaluate_vartime};
    use alloc::vec::Vec;
    use pairwright_curve::bn254::{Bn254, Fr, G1};
    use pairwright_curve::{Affine, Jacobian};
    use pairwright_device::{Session, reference};
    use pairwright_field::Field;
    use pairwright_poly::Domain;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Compares every output with the sum that defines it.
    #[test]
    fn is_the_sum() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let device = reference::board::<Bn254>();
        let mut on = Session::new(&device);
        for log_n in 0..5 {
            let root = Domain::<Fr>::new(log_n).unwrap().root();
            let (shift, scale) = (Fr::random(&mut rng), Fr::random(&mut rng));
            let points: Vec<Affine<G1>> = (0..1 << log_n)
                .map(|_| Jacobian::<G1>::generator().mul_vartime(&Fr::random(&mut rng)).to_affine())
                .collect();
            for (shift, scale) in [(Fr::ONE, Fr::ONE), (Fr::ONE, scale), (shift, scale)] {
                let (coset, mut products) = (Coset { root, shift, scale }, 0);
                let scaling = Session::scale_points_g1;
                let told = &mut |more| products += more;
                let values = evaluate_vartime(&mut on, scaling, &points, 1, coset, told).unwrap();
                assert_eq!(products, (log_n as usize) << log_n >> 1);
                for (i, value) in values.iter().enumerate() {
                    let x = shift * root.pow_vartime(&[i as u64]);
                    let sum: Jacobian<G1> = points
                        .iter()
                        .enumerate()
                        .map(|(j, p)| p.to_jacobian().mul_vartime(&(scale * x.pow_vartime(&[j as u64]))))
                        .sum();
                    assert_eq!(*value, sum.to_affine(), "2^{log_n} points, output {i}");
                }
            }
        }
    }

    /// Each column is transformed as if it were alone, also in blocks with more butterflies than share an inversion.
    #[test]
    fn rows_are_independent() {
        let device = reference::board::<Bn254>();
        let mut on = Session::new(&device);
        let points: Vec<Affine<G1>> = points(1 << 8);
        let root = Domain::<Fr>::new(4).unwrap().root();
        let coset = Coset { root, shift: Fr::from(3), scale: Fr::ONE };
        let mut run = |points: &[Affine<G1>], width| {
            evaluate_vartime(&mut on, Session::scale_points_g1, points, width, coset, &mut |_| ()).unwrap()
        };
        let together = run(&points, 16);
        for column in 0..16 {
            let own: Vec<_> = points.iter().skip(column).step_by(16).copied().collect();
            let expected: Vec<_> = together.iter().skip(column).step_by(16).copied().collect();
            assert_eq!(run(&own, 1), expected);
        }
    }

    /// Successive multiples of the generator.
    fn points(n: usize) -> Vec<Affine<G1>> {
        let multiples = core::iter::successors(Some(Jacobian::<G1>::generator()), |p| {
            Some(p.add_mixed(&Affine::generator()))
        });
        multiples.take(n).map(|p| p.to_affine()).collect()
    }

    #[test]
    fn sums_and_differences_of_all_kinds_of_pairs() {
        let some = points(3);
        let all = [Affine::INFINITY, some[0], -some[0], some[1], some[2]];
        for half in [1, 2, 512, 1024] {
            let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))).cycle();
            let (mut upper, mut lower): (Vec<_>, Vec<_>) = pairs().take(2048).unzip();
            add_and_subtract(&mut upper, &mut lower);
            let mut data: Vec<Affine<G1>> = Vec::new();
            let given: (Vec<_>, Vec<_>) = pairs().take(2048).unzip();
            for (a, b) in given.0.chunks(half).zip(given.1.chunks(half)) {
                data.extend(a.iter().chain(b));
            }
            super::butterflies(&mut data, half);
            let mut at =
                pairs().zip(upper.chunks(half).zip(lower.chunks(half)).flat_map(|(a, b)| a.iter().zip(b)));
            for block in data.chunks(2 * half) {
                for (sum, difference) in block[..half].iter().zip(&block[half..]) {
                    let ((a, b), (one, two)) = at.next().unwrap();
                    let of = |b: Affine<G1>| a.to_jacobian().add_mixed(&b).to_affine();
                    assert_eq!((*sum, *difference), (of(b), of(-b)));
                    assert_eq!((one, two), (sum, difference));
                }
            }
        }
    }
}
