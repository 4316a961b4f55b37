//! The errors of plans, tasks and sharded keys.

use crate::PlanFault;
use pairwright_device::DeviceError;
use pairwright_formats::FormatError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a plan, a task or a sharded key fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// The operating system refused.
    #[error("{}: cannot {doing}: {source}", .path.display())]
    Io {
        /// The file or the directory concerned.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A file ends before a region of it does.
    #[error("{}: the file ends at {size}, within the {length} bytes at offset {offset} that a task reads", .path.display())]
    Truncated {
        /// The file that is too short.
        path: PathBuf,
        /// Offset of the region.
        offset: u64,
        /// Bytes of the region.
        length: u64,
        /// Bytes of the file.
        size: u64,
    },
    /// A region does not hold what was written to it.
    #[error("{}: the {length} bytes at offset {offset} are damaged: their digest is not the one that was recorded", .path.display())]
    Damaged {
        /// The file that holds the region.
        path: PathBuf,
        /// Offset of the region.
        offset: u64,
        /// Bytes of the region.
        length: u64,
    },
    /// Points, entries or values are none.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The memory that a plan may take is too little for any.
    #[error("{memory} bytes of memory are too few for a proof with this key: {least} are needed")]
    Memory {
        /// Bytes that were allowed.
        memory: u64,
        /// Bytes that the smallest plan takes.
        least: u64,
    },
    /// A job asks for regions that its operation does not have.
    #[error("task {task}: {why}")]
    Job {
        /// The task's name.
        task: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A text that is no job.
    #[error("not a job: {0}")]
    NoJob(serde_json::Error),
    /// A job for a curve that nobody here knows.
    #[error("task {task}: there is no curve {curve}")]
    Curve {
        /// The task's name.
        task: String,
        /// The curve's name.
        curve: String,
    },
    /// A plan that cannot be executed.
    #[error("the plan cannot be executed: {0}")]
    Plan(#[from] PlanFault),
    /// A file of JSON is not what it should be.
    #[error("{}: {why}", .path.display())]
    Json {
        /// The file's path.
        path: PathBuf,
        /// What is wrong, and where.
        why: serde_json::Error,
    },
    /// A sharded key was made of another key.
    #[error("{}: made of another key than {}: {what} differs", .manifest.display(), .key.display())]
    OtherKey {
        /// The manifest of the sharded key.
        manifest: PathBuf,
        /// The key that was given.
        key: PathBuf,
        /// The first part in which they differ.
        what: &'static str,
    },
    /// A ledger is of another proof.
    #[error(
        "{}: of a proof with another key, witness, amount of memory or number of threads; remove the directory, or \
         name another",
        .0.display()
    )]
    OtherProof(PathBuf),
    /// Another process works in a directory.
    #[error("{}: another process works in this directory", .0.display())]
    InUse(PathBuf),
    /// A cluster that no machine can be.
    #[error("no cluster: {0}")]
    Cluster(#[from] pairwright_sim::settings::OutOfRange),
    /// A task needs more memory than a machine of a cluster has.
    #[error("task {task} needs {needed} bytes of memory, and a machine has {memory}")]
    TooLarge {
        /// The task's name.
        task: String,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that a machine has for tasks.
        memory: u64,
    },
    /// Not all tasks of a plan are done.
    #[error("task {0} is not done")]
    NotDone(String),
}

impl ScaleError {
    /// An error of the system on a path.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), doing, source }
    }

    /// An error of the JSON in a file.
    pub(crate) fn json(path: &Path) -> impl FnOnce(serde_json::Error) -> Self {
        move |why| Self::Json { path: path.to_owned(), why }
    }
}
