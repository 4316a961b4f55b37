//! One file a command.

pub mod batch_verify;
pub mod check;
pub mod demo;
pub mod devices;
pub mod inspect;
pub mod prove;
pub mod setup;
pub mod verify;
pub mod vkey;
pub mod witness;
