//! Reproduces the tables and figures of the papers and compares them with the published numbers. The crate is not part
//! of any release.
//!
//! An [`Experiment`] reproduces one figure: it has an id, the paper's claim, the published numbers that the paper
//! states in words (`published/<id>.csv`), and a function that measures or models ours. [`run`] joins the two row by
//! row, and [`ResultTable::write`] writes `results/<id>.csv`, with the provenance beside it in `<id>.meta.toml`. Every
//! row states its kind: measured here, modelled, estimated, fitted to the published number, or published only.
//! [`scorecard`] states the basis of each answer.
//!
//! Kernels are provided through the trait [`targets::Kernels`]. [`Generated`] implements it with kernels that `moma`
//! prints and `testkit` compiles and loads; [`host`] runs them. Before a time is kept, every result of the series,
//! GMP's included, is compared with a plain computation on big integers.
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
mod knobs;
mod measure;
mod modulus;
mod moma;
mod mtu;
mod plot;
mod provenance;
mod published;
mod reference;
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
