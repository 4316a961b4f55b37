//! Reproduces the tables and figures of the papers, beside what they published; never shipped.
//!
//! An [`Experiment`] is a figure: an id, the paper's claim, the published numbers that the paper states in words
//! (`published/<id>.csv`), and a function that measures ours, or asks a model. [`run`] joins the two, row by row, and [`ResultTable::write`]
//! keeps them as `results/<id>.csv` with the provenance beside it in `<id>.meta.toml`. Every row says its kind:
//! measured here, modelled, estimated, fitted to the published number, or only published. [`scorecard`] says what each answer
//! rests on.
//!
//! Kernels come through [`targets::Kernels`] from whoever makes them; [`Generated`] has them printed by `moma`, compiled
//! and loaded by `testkit`, and runs them as [`host`] says. Before a time is kept, every result of the series is compared with a plain computation on big
//! integers, and GMP's with the same.
#![forbid(unsafe_code)]

mod aie;
mod cells;
mod cp;
mod cuda;
mod device_report;
mod error;
mod evaluations;
mod experiment;
mod generated;
mod gmp;
pub mod host;
mod judge;
mod knobs;
mod measure;
mod modulus;
mod moma;
mod mtu;
mod plot;
mod provenance;
mod published;
mod registry;
mod report;
mod row;
mod scorecard;
pub mod targets;
mod toggles;

pub use cuda::Cuda;
pub use device_report::{DeviceReport, Reported};
pub use error::LabError;
pub use experiment::{Context, Experiment, Picture};
pub use generated::Generated;
pub use measure::Work;
pub use modulus::Modulus;
pub use plot::plot;
pub use provenance::{Provenance, clock_ghz, repository};
pub use registry::{all, find, of_paper};
pub use report::{ResultTable, run};
pub use row::{Kind, Row};
pub use scorecard::{Basis, Score, Scorecard, Summary, scorecard};
