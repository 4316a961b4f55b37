//! The search for the smallest multi-scalar multiplication that is faster with halvings of its list of points.

use super::operators::with_known_logarithms;
use super::spent::{Spent, median, of, random, same};
use crate::failure::Failure;
use pairwright::Boards;
use pairwright::curve::Jacobian;
use pairwright::device::MsmOp;
use pairwright::field::{Field, PrimeField};
use pairwright::gpu::table::MsmRow;
use pairwright::gpu::{Msm, Setup, Workshop};
use pairwright::poly::Buf;
use std::sync::Arc;

/// log2 of the numbers of scalars that are measured, from the largest on.
const SIZES: [u32; 5] = [22, 20, 18, 16, 14];

/// Number of halvings that are compared with none.
const HALVINGS: u32 = 2;

/// The least number of scalars for which a sum in the first group is faster with halvings than without, as log2: the smallest size
/// below which a measured one is not faster. `None` if the scalar field has another width.
pub(super) fn least_scalars<E: Boards>(
    setup: &Setup,
    bits: u32,
    most: u32,
) -> Result<Option<MsmRow>, Failure> {
    if <E::Fr as PrimeField>::BITS != bits {
        return Ok(None);
    }
    let host = E::host();
    let on = |halvings| -> Result<Msm<E::G1>, Failure> {
        let setup = setup.clone().with_precompute(Some(0)).with_halvings(Some(halvings));
        Ok(Msm::new(Arc::new(Workshop::new(setup)?), Arc::clone(&host.g1)))
    };
    let both = [on(0)?, on(HALVINGS)?];
    let mut found = MsmRow { bits, log_n: MsmRow::NEVER, nanoseconds: 0.0 };
    let sizes: Vec<u32> = SIZES.into_iter().filter(|log_n| *log_n <= most).collect();
    for log_n in if sizes.is_empty() { vec![most] } else { sizes } {
        let n = 1usize << log_n;
        let (bases, logs) = with_known_logarithms::<E::G1>(&host.g1, n)?;
        let scalars = random::<E::Fr>(n, 2);
        let log = scalars.iter().zip(&logs).fold(E::Fr::ZERO, |sum, (k, log)| sum + *k * *log);
        let expected = Jacobian::<E::G1>::generator().mul_vartime(&log).to_affine();
        let time = |msm: &Msm<E::G1>| -> Result<f64, Failure> {
            let spent: Spent = median(|| {
                // A used buffer would have its digits on the device already.
                let (sum, cost) = msm.msm(bases.view(), Buf::from(scalars.clone()).view())?;
                same(&sum.to_affine(), &expected)?;
                Ok(of(&[cost]))
            })?;
            Ok(1e9 * spent.whole.saturating_sub(spent.copies).as_secs_f64())
        };
        let [without, with] = [time(&both[0])?, time(&both[1])?];
        if with >= without {
            break;
        }
        found = MsmRow { bits, log_n, nanoseconds: with };
    }
    Ok(Some(found))
}
