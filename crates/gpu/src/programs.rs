//! The kernels of an operator, compiled at their first use.

use crate::error::GpuError;
use crate::workshop::{Loaded, Workshop};
use pairwright_field::PrimeField;
use pairwright_moma::program::ArrayKernel;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Compiled kernels by name.
#[derive(Debug, Default)]
pub(crate) struct Programs(Mutex<BTreeMap<String, Arc<Loaded>>>);

impl Programs {
    /// The kernel with this name, compiled from `program` if it is not there yet.
    ///
    /// # Errors
    /// Those of the compiler and the driver.
    pub(crate) fn get<F: PrimeField>(
        &self,
        workshop: &Workshop<F>,
        name: &str,
        program: impl FnOnce() -> ArrayKernel,
    ) -> Result<Arc<Loaded>, GpuError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = known.get(name) {
            return Ok(Arc::clone(kernel));
        }
        let kernel = Arc::new(workshop.load(program())?);
        known.insert(name.to_owned(), Arc::clone(&kernel));
        Ok(kernel)
    }
}
