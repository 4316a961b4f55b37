//! Sums of multiples of fixed points by Straus' method: tables of multiples are computed once, and the terms of a sum share its
//! doublings. Windows are signed, and scalars are split by the endomorphism if the group has one.

use crate::{Affine, Curve, Jacobian, batch_to_affine, glv};
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_field::limbs::wnaf_vartime;

/// Width of the signed windows in bits.
const WIDTH: usize = 6;
/// Number of table entries per point: the odd multiples below `2^(WIDTH - 1)`.
const TABLE: usize = 1 << (WIDTH - 2);

/// Points with tables of their odd multiples, for many sums `Σ k_i·P_i` of the same points.
///
/// It suits up to some dozens of points: a sum costs as many doublings as half a scalar has bits, and one mixed addition per
/// seven bits of every half scalar. For more points, a multi-scalar multiplication is faster.
#[derive(Clone, Debug)]
pub struct FixedBases<C: Curve> {
    /// The odd multiples `P, 3·P, …` of each point, one point after the other.
    multiples: Vec<Affine<C>>,
    /// The images of the multiples under the endomorphism; empty if the group has none.
    images: Vec<Affine<C>>,
}

impl<C: Curve> FixedBases<C> {
    /// Computes the tables for points of the prime-order subgroup, infinity included: sixteen multiples per point, and twice as
    /// many with an endomorphism.
    #[inline(never)]
    pub fn new(points: &[Affine<C>]) -> Self {
        let mut multiples = Vec::with_capacity(TABLE * points.len());
        for p in points {
            let mut multiple = p.to_jacobian();
            let twice = multiple.double();
            for _ in 0..TABLE {
                multiples.push(multiple);
                multiple += twice;
            }
        }
        let multiples = batch_to_affine(&multiples);
        let images =
            C::GLV.map_or_else(Vec::new, |glv| multiples.iter().map(|p| glv.endomorphism(p)).collect());
        Self { multiples, images }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.multiples.len() / TABLE
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.multiples.is_empty()
    }

    /// `Σ scalars[i]·points[i]`, over as many terms as there are both scalars and points. Variable time in the
    /// scalars.
    pub fn sum_vartime<'k>(&self, scalars: impl IntoIterator<Item = &'k C::Scalar>) -> Jacobian<C> {
        let mut terms: Vec<(Vec<i8>, bool, &[Affine<C>])> = Vec::new();
        for (i, (k, multiples)) in scalars.into_iter().zip(self.multiples.chunks_exact(TABLE)).enumerate() {
            let k = k.to_limbs();
            let image = self.images.get(i * TABLE..(i + 1) * TABLE);
            if let Some((endo, image)) = C::GLV.as_ref().zip(image) {
                let halves = glv::decompose(endo, k.as_ref());
                for ((half, negative), table) in halves.into_iter().zip([multiples, image]) {
                    terms.push((wnaf_vartime(&[half as u64, (half >> 64) as u64], WIDTH), negative, table));
                }
            } else {
                terms.push((wnaf_vartime(k.as_ref(), WIDTH), false, multiples));
            }
        }
        let length = terms.iter().map(|(digits, _, _)| digits.len()).max().unwrap_or(0);
        (0..length).rev().fold(Jacobian::INFINITY, |sum, at| {
            terms.iter().fold(sum.double(), |sum, (digits, negative, table)| match digits.get(at) {
                None | Some(0) => sum,
                Some(&d) => {
                    let p = table[usize::from(d.unsigned_abs()) / 2];
                    sum.add_mixed(&if (d < 0) == *negative { p } else { -p })
                }
            })
        })
    }
}
