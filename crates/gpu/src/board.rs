//! A board whose transforms and vector arithmetic run on a CUDA device.

use crate::NAME;
use crate::error::GpuError;
use crate::ntt::Ntt;
use crate::vec::Vectors;
use crate::workshop::{Setup, Workshop};
use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_device::Device;
use std::sync::Arc;

/// The given board with the transforms and the vector arithmetic of a CUDA device. Multi-scalar multiplications,
/// pairings and sparse products stay where they are.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
#[inline(never)]
pub fn board<E: Pairing>(setup: Setup, host: Device<E>) -> Result<Device<E>, GpuError> {
    let workshop = Arc::new(Workshop::<E::Fr>::new(setup)?);
    let vectors = Vectors::new(Arc::clone(&workshop));
    Ok(host.with_ntt(Arc::new(Ntt::new(workshop))).with_vec(Arc::new(vectors)).named(NAME))
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E> as fn(_, _) -> _);
}
compile_for_each_curve!(compiled);
