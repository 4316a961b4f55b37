//! A board whose operators run on a device.

use crate::error::GpuError;
use crate::msm::Msm;
use crate::ntt::Ntt;
use crate::poly::Polynomials;
use crate::sparse::Sparse;
use crate::sumcheck::Sumcheck;
use crate::tree::Trees;
use crate::workshop::{Setup, Workshop};
use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_device::{Device, OrHost, Slot};
use std::sync::Arc;

/// The board `host` with the transforms, vectors, sparse products, polynomials, multi-scalar multiplications, trees,
/// hashes and rounds of sumchecks of a device, which gives the board its name. The other operators stay those of
/// `host`, and calls for which the device lacks memory run there too.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
#[inline(never)]
pub fn board<E: Pairing>(setup: Setup, host: Device<E>) -> Result<Device<E>, GpuError> {
    let name = setup.gpu.name();
    let workshop = Arc::new(Workshop::<E::Fr>::new(setup)?);
    let log = workshop.log().clone();
    let shared = || Arc::clone(&workshop);
    macro_rules! or_host {
        ($slot:ident, $at:ident, $machine:expr) => {
            Arc::new(OrHost::new($machine, Arc::clone(&host.$at), Slot::$slot, log.clone()))
        };
    }
    let ntt = or_host!(Ntt, ntt, Ntt::new(shared()));
    let vec = or_host!(Vec, vec, Polynomials::new(shared()));
    let sparse = or_host!(Sparse, sparse, Sparse::new(shared(), Arc::clone(&host.sparse)));
    let poly = or_host!(Poly, poly, Polynomials::new(shared()));
    let g1 = or_host!(G1, g1, Msm::<E::G1>::new(shared(), Arc::clone(&host.g1)));
    let g2 = or_host!(G2, g2, Msm::<E::G2>::new(shared(), Arc::clone(&host.g2)));
    let tree = or_host!(Tree, tree, Trees::new(shared()));
    let sumcheck = or_host!(Sumcheck, sumcheck, Sumcheck::new(shared(), Arc::clone(&host.sumcheck)));
    let hash = or_host!(Hash, hash, Trees::new(shared()));
    let board = host.with_ntt(ntt).with_vec(vec).with_sparse(sparse).with_poly(poly).with_g1(g1).with_g2(g2);
    Ok(board.with_tree(tree).with_sumcheck(sumcheck).with_hash(hash).with_log(log).named(name))
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E> as fn(_, _) -> _);
}
compile_for_each_curve!(compiled);
