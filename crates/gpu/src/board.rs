//! A board whose transforms and vector arithmetic run on a CUDA device.

use crate::NAME;
use crate::error::GpuError;
use crate::ntt::Ntt;
use crate::vec::Vectors;
use crate::workshop::{Setup, Workshop};
use pairwright_curve::Pairing;
use pairwright_device::Device;
use std::sync::Arc;

/// The given board with the transforms and the vector arithmetic of a CUDA device. Multi-scalar multiplications,
/// pairings and sparse products stay where they are.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
pub fn board<E: Pairing>(setup: Setup, host: Device<E>) -> Result<Device<E>, GpuError> {
    let workshop = Arc::new(Workshop::<E::Fr>::new(setup)?);
    let vectors = Vectors::new(Arc::clone(&workshop));
    Ok(host.with_ntt(Arc::new(Ntt::new(workshop))).with_vec(Arc::new(vectors)).named(NAME))
}
