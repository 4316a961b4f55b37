//! Kernels printed by `pairwright gen`; each file says its command, `cargo x gen` writes them all.
#![expect(unreachable_pub, reason = "printed for use anywhere")]

#[rustfmt::skip]
pub(crate) mod ifma_255_mulmod;
#[rustfmt::skip]
pub(crate) mod ifma_255_reduce;
#[rustfmt::skip]
pub(crate) mod ifma_400_mulmod;
#[rustfmt::skip]
pub(crate) mod ifma_400_reduce;
