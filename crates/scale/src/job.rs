//! Tasks on regions of files, and the plans that consist of them. All types are serialised as JSON.

use crate::{Digest, Layout};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::path::PathBuf;
use thiserror::Error;

/// A contiguous range of bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Name of the file in the plan.
    pub file: String,
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// BLAKE3 digest of the bytes, if it is known; readers of the region check it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// If set, the region is divided into pieces of this many bytes, and `digest` is the digest of the concatenated digests of
    /// the pieces instead of that of the bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<NonZeroU64>,
}

/// The origin of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileOrigin {
    /// The file exists before the plan begins.
    Given,
    /// The tasks write the file.
    Made,
}

/// A file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The path; a relative path is relative to the working directory of the process that runs a task.
    pub path: PathBuf,
    /// Final size of the file in bytes.
    pub length: u64,
    /// The origin of the file.
    #[serde(rename = "kind")]
    pub origin: FileOrigin,
}

/// A section of a key whose points are combined with the witness by a multi-scalar multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Section A, with points of G1.
    A,
    /// Section B with points of G1.
    B1,
    /// Section B with points of G2.
    B2,
    /// Section C, with points of G1.
    C,
}

/// The operation of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Op {
    /// The products of the circuit's rows in a block of columns with the witness, and their inverse transforms along columns.
    /// Reads the block's entries and the witness; writes, for each of the vectors a, b, c, one piece per block of rows.
    Columns {
        /// Index of the block.
        block: usize,
        /// Largest part of the witness that is kept in memory, in bytes.
        cache: u64,
    },
    /// The coefficients of a block of rows, and the transforms along rows towards the odd coset. Reads one piece per block of
    /// columns and writes as many.
    Rows {
        /// Index of the block.
        block: usize,
        /// Index of the vector: 0 for a, 1 for b, 2 for c.
        vector: usize,
    },
    /// The last transforms along columns, `a·b - c`, and its MSM with the block's points of section H. Reads, for each vector,
    /// one piece per block of rows, and then the points; writes a point.
    Quotient {
        /// Index of the block.
        block: usize,
    },
    /// The three preceding operations for a domain of one block, without files between them: the products, the three extensions
    /// to the odd coset, `a·b - c`, and its MSM with section H. Reads the entries, the witness and the points; writes a point.
    Undivided {
        /// Largest part of the witness that is kept in memory, in bytes.
        cache: u64,
    },
    /// The MSM of a range of a section with the witness. Reads the points and the values; writes a point.
    Msm {
        /// The section of the key.
        part: Part,
    },
}

impl Op {
    /// The operation's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Columns { .. } => "columns",
            Self::Rows { .. } => "rows",
            Self::Quotient { .. } => "quotient",
            Self::Undivided { .. } => "undivided",
            Self::Msm { .. } => "msm",
        }
    }
}

/// A unit of work for a worker: operation, inputs, outputs, and estimates of its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the task, unique in the plan.
    pub name: String,
    /// The operation that is computed.
    #[serde(flatten)]
    pub op: Op,
    /// Regions that are read, in the order that the operation defines.
    pub inputs: Vec<Region>,
    /// Regions that are written, in the order that the operation defines.
    pub outputs: Vec<Region>,
    /// Estimated time on one core in microseconds, at least 1.
    pub core_microseconds: u64,
    /// Estimated peak memory in bytes, without the process itself.
    pub memory: u64,
}

impl Task {
    /// Number of bytes that the task reads and writes.
    pub fn bytes(&self) -> u64 {
        self.read_bytes() + self.written_bytes()
    }

    /// Number of bytes that the task reads. If matrix entries look up witness values, one value is counted per entry, on the
    /// assumption that neighbouring rows use neighbouring wires.
    pub fn read_bytes(&self) -> u64 {
        match (&self.op, self.inputs.as_slice()) {
            (Op::Columns { .. } | Op::Undivided { .. }, [entries, witness, points @ ..]) => {
                let points: u64 = points.iter().map(|region| region.length).sum();
                entries.length + witness.length.min(entries.length) + points
            }
            (_, inputs) => inputs.iter().map(|region| region.length).sum(),
        }
    }

    /// Number of bytes that the task writes.
    pub fn written_bytes(&self) -> u64 {
        self.outputs.iter().map(|region| region.length).sum()
    }
}

/// The parameters that all tasks of a plan share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The curve's name in files, such as `bn128`.
    pub curve: String,
    /// Base-2 logarithm of the domain size.
    pub log_domain: u32,
    /// The division of the domain into blocks.
    pub layout: Layout,
    /// Number of wires, the constant one included.
    pub wires: usize,
}

/// A list of tasks, in an order in which they can run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Digest of the key, the witness and the tasks: results of one plan cannot be used for another.
    pub identity: Digest,
    /// The parameters that the tasks share.
    pub setting: Setting,
    /// The files by their names in regions.
    pub files: BTreeMap<String, FileEntry>,
    /// The tasks, each after the tasks whose outputs it reads.
    pub tasks: Vec<Task>,
}

/// A task with all information that is needed to run it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The parameters that the plan's tasks share.
    pub setting: Setting,
    /// The files that the task refers to.
    pub files: BTreeMap<String, FileEntry>,
    /// The task; input regions that other tasks have written carry their digests.
    pub task: Task,
    /// Whether the outputs have to be synced to the disk before the task counts as done.
    pub durable: bool,
}

/// Why a list of tasks is not a valid plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// Two tasks have the same name.
    #[error("two tasks are called {0}")]
    Name(String),
    /// A region refers to a file that the plan does not have.
    #[error("task {task} names the file {file}, which the plan does not have")]
    NoFile {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
    },
    /// A region ends beyond its file.
    #[error("task {task} goes beyond the {size} bytes of {file}: {length} at offset {offset}")]
    Beyond {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
        /// Offset of the region.
        offset: u64,
        /// Bytes of the region.
        length: u64,
        /// Bytes of the file.
        size: u64,
    },
    /// A task writes a region that another task writes too, or that belongs to a given file.
    #[error("task {task} writes to {file} at offset {offset}, which is given or written by another task")]
    Written {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
        /// Offset of the region.
        offset: u64,
    },
    /// A task reads a region that no earlier task writes as a whole.
    #[error("task {task} reads {file} at offset {offset}, which no task before it writes")]
    Unwritten {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
        /// Offset of the region.
        offset: u64,
    },
}

/// The file, offset and length of a region, as a key for look-ups.
pub(crate) type Key = (String, u64, u64);

impl Region {
    pub(crate) fn key(&self) -> Key {
        (self.file.clone(), self.offset, self.length)
    }
}

impl Plan {
    /// Checks that every region is within its file, and is written once before it is read.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), PlanFault> {
        let (mut names, mut written) = (BTreeSet::new(), BTreeMap::<&str, BTreeMap<u64, u64>>::new());
        for task in &self.tasks {
            if !names.insert(&task.name) {
                return Err(PlanFault::Name(task.name.clone()));
            }
            for (region, writes) in
                task.inputs.iter().map(|r| (r, false)).chain(task.outputs.iter().map(|r| (r, true)))
            {
                let names = || (task.name.clone(), region.file.clone());
                let Some(entry) = self.files.get(&region.file) else {
                    let (task, file) = names();
                    return Err(PlanFault::NoFile { task, file });
                };
                let (offset, length, size) = (region.offset, region.length, entry.length);
                if offset.checked_add(length).is_none_or(|end| end > size) {
                    let (task, file) = names();
                    return Err(PlanFault::Beyond { task, file, offset, length, size });
                }
                let regions = written.entry(region.file.as_str()).or_default();
                if writes {
                    let before = regions.range(..offset + length).next_back();
                    let free = before.is_none_or(|(start, length)| start + length <= offset);
                    if entry.origin == FileOrigin::Given || !free {
                        let (task, file) = names();
                        return Err(PlanFault::Written { task, file, offset });
                    }
                    regions.insert(offset, length);
                } else if entry.origin == FileOrigin::Made && regions.get(&offset) != Some(&length) {
                    let (task, file) = names();
                    return Err(PlanFault::Unwritten { task, file, offset });
                }
            }
        }
        Ok(())
    }

    /// For every task, the indices of the tasks that write its inputs.
    pub fn dependencies(&self) -> Vec<BTreeSet<usize>> {
        // Offsets come first, so that most comparisons need not compare names.
        fn key(region: &Region) -> (u64, u64, &str) {
            (region.offset, region.length, &region.file)
        }
        let writers: BTreeMap<(u64, u64, &str), usize> = (self.tasks.iter().enumerate())
            .flat_map(|(i, task)| task.outputs.iter().map(move |region| (key(region), i)))
            .collect();
        let reads = |task: &Task| task.inputs.iter().filter_map(|r| writers.get(&key(r)).copied()).collect();
        self.tasks.iter().map(reads).collect()
    }
}
