//! One file a command.

pub(crate) mod asm;
pub(crate) mod batch_verify;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod demo;
pub(crate) mod design;
pub(crate) mod devices;
pub(crate) mod disasm;
pub(crate) mod generate;
mod generate_field;
pub(crate) mod gpu;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod names;
mod native;
pub(crate) mod plonk;
mod plonk_batch;
pub(crate) mod powersoftau;
mod proof_list;
pub(crate) mod prove;
mod proving;
pub(crate) mod setup;
pub(crate) mod sim;
mod verdict;
pub(crate) mod verify;
pub(crate) mod vkey;
pub(crate) mod witness;
