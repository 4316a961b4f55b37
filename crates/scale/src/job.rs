//! Tasks over regions of files, and what makes a list of them a plan. All of it is JSON.

use crate::{Digest, Layout};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::path::PathBuf;
use thiserror::Error;

/// Contiguous bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Name of the file in the plan.
    pub file: String,
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// BLAKE3 of the bytes, where it is known: whoever reads the region checks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Where it is set, the digest is not that of the bytes: it is the digest of the digests of pieces of so many bytes, one
    /// after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<NonZeroU64>,
}

/// Who makes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileOrigin {
    /// It is there before the plan begins.
    Given,
    /// Tasks write it.
    Made,
}

/// A file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path; a relative one begins in the working directory of the process that runs a task.
    pub path: PathBuf,
    /// Number of bytes that it has, or will have.
    pub length: u64,
    /// Who makes it.
    pub kind: FileOrigin,
}

/// A section of a key that is summed up with the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Section A, in the first group.
    A,
    /// Section B in the first group.
    B1,
    /// Section B in the second group.
    B2,
    /// Section C, in the first group.
    C,
}

/// What a task computes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Op {
    /// The rows of the circuit in a block of columns, as products with the witness, and their inverse transforms along
    /// columns. Reads the block's entries and the witness; writes, for each of the vectors a, b, c, a piece a block of rows.
    Columns {
        /// The block's number.
        block: usize,
        /// Bytes of the witness that may be kept in memory.
        cache: u64,
    },
    /// Coefficients of a block of rows, and the transforms along rows towards the odd coset. Reads a piece a block of columns,
    /// writes as many.
    Rows {
        /// The block's number.
        block: usize,
        /// The vector: 0 for a, 1 for b, 2 for c.
        vector: usize,
    },
    /// The last transforms along columns, `a·b - c`, and its sum with the block's points of section H. Reads, for each vector,
    /// a piece a block of rows, then the points; writes a point.
    Quotient {
        /// The block's number.
        block: usize,
    },
    /// All of the three before for a domain of one block, without files between them: the products, the three extensions to the
    /// odd coset, `a·b - c`, and its sum with section H. Reads the entries, the witness and the points; writes a point.
    Undivided {
        /// Bytes of the witness that may be kept in memory.
        cache: u64,
    },
    /// The sum of a range of a section with the witness. Reads the points and the values; writes a point.
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

/// What a worker is to do: inputs, outputs, and estimates of what that costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the task, unique in the plan.
    pub name: String,
    /// What is computed.
    #[serde(flatten)]
    pub op: Op,
    /// Regions that are read, in the order of the operation.
    pub inputs: Vec<Region>,
    /// Regions that are written, in the order of the operation.
    pub outputs: Vec<Region>,
    /// Estimated microseconds of one core, at least one.
    pub core_microseconds: u64,
    /// Estimated peak of memory in bytes, without the process itself.
    pub memory: u64,
}

impl Task {
    /// Bytes that the task reads and writes.
    pub fn bytes(&self) -> u64 {
        self.read_bytes() + self.written_bytes()
    }

    /// Bytes that the task reads. Where entries of the matrices look values of the witness up, these count once an entry, as if
    /// rows beside each other had wires beside each other.
    pub fn read_bytes(&self) -> u64 {
        match (&self.op, self.inputs.as_slice()) {
            (Op::Columns { .. } | Op::Undivided { .. }, [entries, witness, points @ ..]) => {
                let points: u64 = points.iter().map(|region| region.length).sum();
                entries.length + witness.length.min(entries.length) + points
            }
            (_, inputs) => inputs.iter().map(|region| region.length).sum(),
        }
    }

    /// Bytes that the task writes.
    pub fn written_bytes(&self) -> u64 {
        self.outputs.iter().map(|region| region.length).sum()
    }
}

/// What all tasks of a plan have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The curve's name in files, such as `bn128`.
    pub curve: String,
    /// Logarithm of the size of the domain.
    pub log_domain: u32,
    /// The blocks of the domain.
    pub layout: Layout,
    /// Number of wires, the constant one included.
    pub wires: usize,
}

/// A list of tasks in an order in which they can run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Digest of the key, the witness and the tasks: results of one plan are of no use to another.
    pub identity: Digest,
    /// What the tasks have in common.
    pub setting: Setting,
    /// The files by name.
    pub files: BTreeMap<String, FileEntry>,
    /// The tasks, each after those whose regions it reads.
    pub tasks: Vec<Task>,
}

/// A task with everything that is needed to run it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What the plan's tasks have in common.
    pub setting: Setting,
    /// The files that the task names.
    pub files: BTreeMap<String, FileEntry>,
    /// The task; regions of files that other tasks have made carry their digests.
    pub task: Task,
    /// Whether the outputs are on the disk when the task is done, and not only with the operating system.
    pub durable: bool,
}

/// Why a list of tasks is no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// Two tasks have one name.
    #[error("two tasks are called {0}")]
    Name(String),
    /// A region of a file that the plan does not have.
    #[error("task {task} names the file {file}, which the plan does not have")]
    NoFile {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
    },
    /// A region goes beyond its file.
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
    /// A region is written twice, or belongs to a file that is given.
    #[error("task {task} writes to {file} at offset {offset}, which is given or written by another task")]
    Written {
        /// The task's name.
        task: String,
        /// The file's name.
        file: String,
        /// Offset of the region.
        offset: u64,
    },
    /// A region is read that no earlier task writes as a whole.
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

/// A region without its digest, to find it by.
pub(crate) type Key = (String, u64, u64);

impl Region {
    pub(crate) fn key(&self) -> Key {
        (self.file.clone(), self.offset, self.length)
    }
}

impl Plan {
    /// Checks that every region is within its file, is written once, and is read after it was written.
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
                    if entry.kind == FileOrigin::Given || !free {
                        let (task, file) = names();
                        return Err(PlanFault::Written { task, file, offset });
                    }
                    regions.insert(offset, length);
                } else if entry.kind == FileOrigin::Made && regions.get(&offset) != Some(&length) {
                    let (task, file) = names();
                    return Err(PlanFault::Unwritten { task, file, offset });
                }
            }
        }
        Ok(())
    }

    /// For every task, the tasks that write what it reads.
    pub fn dependencies(&self) -> Vec<BTreeSet<usize>> {
        // Offsets first: most comparisons end there and read no name.
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
