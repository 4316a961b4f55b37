//! The host device: NTT, MSM, vector and polynomial arithmetic, pairings, trees and sumcheck rounds on all cores.
//!
//! [`board`] fills every slot of a [`Device`]. All operators divide their work among the threads of the rayon pool in which they
//! are called, so `pool.install(|| ...)` decides the number of threads. Time depends on the operands: with secret scalars,
//! timing leaks information about them to others on the same machine, as in every prover of this kind.
//!
//! On processors with AVX-512 IFMA, products, transforms, trees and sumchecks of the scalar fields, multi-scalar multiplications,
//! pairings and the hashes of trees process eight elements per instruction, one in each lane of a vector, on kernels that
//! `pairwright gen` prints. On other processors, and for other fields, elements are processed one by one. Both give the same
//! bits. With `PAIRWRIGHT_ISA=scalar` in the environment no lanes are used, and with `PAIRWRIGHT_ISA=portable` neither are the
//! products in assembly that `pairwright-field` has for processors with ADX.
//!
//! The crate knows no protocol and no file.

#[cfg(target_arch = "x86_64")]
mod generated;
mod isa;
#[cfg_attr(not(target_arch = "x86_64"), path = "lanes/absent.rs")]
mod lanes;
mod msm;
mod ntt;
mod pairing;
mod points;
mod poly;
mod sparse;
mod subgroup;
mod sumcheck;
mod tree;
mod vec;

pub use isa::{ISA_VARIABLE, Isa, IsaError, isa};
pub use msm::{Msm, Precomputation, precompute, precompute_section};
pub use ntt::Ntt;
pub use pairing::Pairings;
pub use points::PointOps;
pub use sparse::Sparse;
pub use tree::{Traversal, Trees};
pub use vec::Vectors;

use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_device::{Device, Traffic, same_length};
use std::sync::Arc;

/// The name of the machine in costs and reports.
pub const NAME: &str = "cpu";

/// The board of the host device for the groups of a pairing.
#[inline(never)]
pub fn board<E: Pairing>() -> Device<E> {
    Device {
        name: NAME,
        ntt: Arc::new(Ntt::new()),
        vec: Arc::new(Vectors::default()),
        sparse: Arc::new(Sparse),
        poly: Arc::new(Vectors::default()),
        g1: Arc::new(Msm::default()),
        g2: Arc::new(Msm::default()),
        points_g1: Arc::new(PointOps),
        points_g2: Arc::new(PointOps),
        pairing: Arc::new(Pairings),
        tree: Arc::new(Trees::default()),
        sumcheck: Arc::new(Vectors::default()),
        hash: Arc::new(Trees::default()),
        logs: Vec::new(),
    }
}

/// Size of `n` values in bytes.
fn bytes_of<T>(n: usize) -> u64 {
    (n * size_of::<T>()) as u64
}

/// The traffic of `n` values that are read and written.
fn in_place<T>(n: usize) -> Traffic {
    Traffic { read: bytes_of::<T>(n), written: bytes_of::<T>(n) }
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E>());
}
compile_for_each_curve!(compiled);
