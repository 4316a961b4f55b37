//! Tests of devices by name, and of boards with several devices.
//!
//! They are integration tests because the library's own test binary would compile every operator of every curve once more; the
//! library has no unit tests.

mod blobs;
mod cells;
mod examples;
mod plan;
mod registry;
mod zerocheck;
