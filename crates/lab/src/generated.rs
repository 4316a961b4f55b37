//! Kernels of `moma`'s printers. It prints none yet, so that figures have the baseline and what was published.

use crate::host::{Kernels, Loaded, Recipe};
use crate::{LabError, Modulus, VectorOp};
use num_bigint::BigUint;

/// What the printers give for this machine.
pub struct Generated;

impl Kernels for Generated {
    fn device(&self) -> String {
        "host; no generated kernels".to_owned()
    }

    fn targets(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn vector(
        &self,
        _: &'static str,
        _: Recipe,
        _: VectorOp,
        _: &BigUint,
        _: &Modulus,
    ) -> Result<Option<Loaded>, LabError> {
        Ok(None)
    }

    fn ntt(&self, _: &'static str, _: Recipe, _: &Modulus, _: u32) -> Result<Option<Loaded>, LabError> {
        Ok(None)
    }
}
