//! The rounds of a sumcheck on all cores.

use crate::{NAME, bytes_of};
use pairwright_device::{Done, OpCount, SumcheckOp, Traffic, sumcheck_len, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SumOfProducts, mle};

/// The sumcheck rounds of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sumchecks;

impl<F: PrimeField> SumcheckOp<F> for Sumchecks {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let len = sumcheck_len("sumcheck_round", sum.tables(), tables)?;
        let bytes =
            Traffic { read: bytes_of::<F>(len * tables.len()), written: bytes_of::<F>(sum.degree() + 1) };
        Ok(timed(NAME, bytes, OpCount::default(), || sum.round(tables)))
    }
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()> {
        let len = sumcheck_len("sumcheck_bind", 0, tables)?;
        let (read, written) = (len * tables.len(), len / 2 * tables.len());
        let bytes = Traffic { read: bytes_of::<F>(read), written: bytes_of::<F>(written) };
        Ok(timed(NAME, bytes, OpCount::default(), || {
            for table in tables {
                let mut values = core::mem::take(table).into_vec();
                mle::bind(&mut values, *r);
                *table = values.into();
            }
        }))
    }
}
