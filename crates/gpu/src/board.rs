//! A board with what runs on a device.

use crate::error::GpuError;
use crate::msm::Msm;
use crate::ntt::Ntt;
use crate::or_host::OrHost;
use crate::poly::Polynomials;
use crate::sparse::Sparse;
use crate::sumcheck::Sumcheck;
use crate::tree::Trees;
use crate::vec::Vectors;
use crate::workshop::{Setup, Workshop};
use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_device::Device;
use std::sync::Arc;

/// The given board with the transforms, vectors, sparse products, polynomials, multi-scalar multiplications, trees, hashes and rounds of sumchecks of
/// a device, which gives the board its name. The other operators stay where they are, and what the device has no room for runs
/// there too.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
#[inline(never)]
pub fn board<E: Pairing>(setup: Setup, host: Device<E>) -> Result<Device<E>, GpuError> {
    let name = setup.gpu.name();
    let workshop = Arc::new(Workshop::<E::Fr>::new(setup)?);
    let vectors = Vectors::new(Arc::clone(&workshop));
    let g1 = Msm::<E::G1>::new(Arc::clone(&workshop), Arc::clone(&host.g1));
    let g2 = Msm::<E::G2>::new(Arc::clone(&workshop), Arc::clone(&host.g2));
    let sparse = Sparse::new(Arc::clone(&workshop), Arc::clone(&host.sparse));
    let trees = OrHost::new(Trees::new(Arc::clone(&workshop)), Arc::clone(&host.tree));
    let hashes = OrHost::new(Trees::new(Arc::clone(&workshop)), Arc::clone(&host.hash));
    let rounds = Sumcheck::new(Arc::clone(&workshop), Arc::clone(&host.sumcheck));
    let rounds = OrHost::new(rounds, Arc::clone(&host.sumcheck));
    let poly = OrHost::new(Polynomials::new(Arc::clone(&workshop)), Arc::clone(&host.poly));
    let ntt = OrHost::new(Ntt::new(workshop), Arc::clone(&host.ntt));
    let vectors = OrHost::new(vectors, Arc::clone(&host.vec));
    let board = host.with_ntt(Arc::new(ntt)).with_vec(Arc::new(vectors));
    let board = board.with_g1(Arc::new(g1)).with_g2(Arc::new(g2));
    let board = board.with_poly(Arc::new(poly)).with_sparse(Arc::new(sparse)).with_hash(Arc::new(hashes));
    Ok(board.with_tree(Arc::new(trees)).with_sumcheck(Arc::new(rounds)).named(name))
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E> as fn(_, _) -> _);
}
compile_for_each_curve!(compiled);
