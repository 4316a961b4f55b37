//! Kernels of `moma`'s printers. It prints none yet, so that figures have the baseline and what was published.

use crate::targets::{Kernels, NttCase, Recipe, VectorCase};
use crate::{LabError, Work};

/// What the printers give for this machine.
pub struct Generated;

impl Kernels for Generated {
    fn device(&self) -> String {
        "host; no generated kernels".to_owned()
    }

    fn targets(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn vector<'a>(
        &'a self,
        _: &'static str,
        _: Recipe,
        _: VectorCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        Ok(None)
    }

    fn ntt<'a>(
        &'a self,
        _: &'static str,
        _: Recipe,
        _: NttCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        Ok(None)
    }
}
