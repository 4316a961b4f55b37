//! The host device: NTT, MSM, vector and polynomial arithmetic, pairings, trees and sumcheck rounds on all cores.
//!
//! [`board`] fills every slot of a [`Device`]. All operators divide their work in the rayon pool they are called
//! in, so `pool.install(|| ...)` decides the number of threads. Times depend on the operands: for secret scalars
//! that means what every prover of this kind leaks to whoever shares its machine.
//!
//! Products, transforms, trees and sumchecks of the scalar fields, multi-scalar multiplications and pairings run eight
//! elements an instruction where the processor has AVX-512 IFMA, on kernels that `pairwright gen` prints, and so do hashes of
//! trees; elsewhere, and for other fields, one by one. Both give the same bits. With `PAIRWRIGHT_ISA=scalar` in the
//! environment everything goes one by one, and with `PAIRWRIGHT_ISA=portable` without the products in assembly that
//! `pairwright-field` has for processors with ADX.
//!
//! Knows no protocol and no file.

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

/// The machine's name.
pub const NAME: &str = "cpu";

/// The host device for a pairing.
#[inline(never)]
pub fn board<E: Pairing>() -> Device<E> {
    Device {
        name: NAME,
        ntt: Arc::new(Ntt::new()),
        vec: Arc::new(Vectors::default()),
        sparse: Arc::new(Sparse),
        poly: Arc::new(Vectors::default()),
        g1: Arc::new(Msm),
        g2: Arc::new(Msm),
        points_g1: Arc::new(PointOps),
        points_g2: Arc::new(PointOps),
        pairing: Arc::new(Pairings),
        tree: Arc::new(Trees::default()),
        sumcheck: Arc::new(Vectors::default()),
        hash: Arc::new(Trees::default()),
        logs: Vec::new(),
    }
}

/// Bytes of `n` values.
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
