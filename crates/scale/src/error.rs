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
    /// An operation of the operating system on a file or directory failed.
    #[error("{}: cannot {doing}: {source}", .path.display())]
    Io {
        /// The file or the directory concerned.
        path: PathBuf,
        /// The operation that failed, as a verb.
        doing: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file ends before a region that a task reads.
    #[error("{}: the file ends at {size}, within the {length} bytes at offset {offset} that a task reads", .path.display())]
    Truncated {
        /// The file that is too short.
        path: PathBuf,
        /// Offset of the region in bytes.
        offset: u64,
        /// Length of the region in bytes.
        length: u64,
        /// Size of the file in bytes.
        size: u64,
    },
    /// The bytes of a region do not have the recorded digest.
    #[error("{}: the {length} bytes at offset {offset} are damaged: their digest is not the one that was recorded", .path.display())]
    Damaged {
        /// The file that holds the region.
        path: PathBuf,
        /// Offset of the region in bytes.
        offset: u64,
        /// Length of the region in bytes.
        length: u64,
    },
    /// The bytes of a region do not encode points, entries or values.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A device operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The allowed memory is too small for any plan.
    #[error("{memory} bytes of memory are too few for a proof with this key: {least} are needed")]
    Memory {
        /// Allowed memory in bytes.
        memory: u64,
        /// Memory of the smallest plan in bytes.
        least: u64,
    },
    /// The regions of a job are not those of its operation.
    #[error("task {task}: {why}")]
    Job {
        /// The task's name.
        task: String,
        /// Description of the fault.
        why: &'static str,
    },
    /// A text is not the JSON of a job.
    #[error("not a job: {0}")]
    NoJob(serde_json::Error),
    /// A job is for a curve that is not supported.
    #[error("task {task}: there is no curve {curve}")]
    Curve {
        /// The task's name.
        task: String,
        /// The curve's name.
        curve: String,
    },
    /// The plan is invalid.
    #[error("the plan cannot be executed: {0}")]
    Plan(#[from] PlanFault),
    /// A JSON file does not have the expected contents.
    #[error("{}: {why}", .path.display())]
    Json {
        /// The file's path.
        path: PathBuf,
        /// Description and position of the fault.
        why: serde_json::Error,
    },
    /// A sharded key was made from another key than the given one.
    #[error("{}: made of another key than {}: {what} differs", .manifest.display(), .key.display())]
    OtherKey {
        /// The manifest of the sharded key.
        manifest: PathBuf,
        /// The key that was given.
        key: PathBuf,
        /// The first part in which they differ.
        what: &'static str,
    },
    /// A ledger belongs to another proof.
    #[error(
        "{}: of a proof with another key, witness, amount of memory or number of threads; remove the directory, or \
         name another",
        .0.display()
    )]
    OtherProof(PathBuf),
    /// Another process is working in the directory.
    #[error("{}: another process works in this directory", .0.display())]
    InUse(PathBuf),
    /// A parameter of a cluster is out of its range.
    #[error("no cluster: {0}")]
    Cluster(#[from] pairwright_sim::settings::OutOfRange),
    /// A task needs more memory than each machine of the cluster has.
    #[error("task {task} needs {needed} bytes of memory, and a machine has {memory}")]
    TooLarge {
        /// The task's name.
        task: String,
        /// Memory that the task needs, in bytes.
        needed: u64,
        /// Memory of a machine for tasks, in bytes.
        memory: u64,
    },
    /// A task of the plan is not finished.
    #[error("task {0} is not done")]
    NotDone(String),
}

impl ScaleError {
    /// Makes the error of a failed operation on a path.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), doing, source }
    }

    /// Makes the error of invalid JSON in a file.
    pub(crate) fn json(path: &Path) -> impl FnOnce(serde_json::Error) -> Self {
        move |why| Self::Json { path: path.to_owned(), why }
    }
}
