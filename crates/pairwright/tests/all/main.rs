//! Devices by name, and boards of several.
//!
//! They stand here and not beside the code because the library's own test binary would build every operator of every
//! curve once more: it has none.

mod blobs;
mod cells;
mod examples;
mod plan;
mod registry;
mod zerocheck;
