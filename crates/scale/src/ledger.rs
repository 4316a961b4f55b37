//! The record of a plan's finished tasks: a file to which one line per task is appended.

use crate::{Digest, Plan, ScaleError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The outcome of a finished task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The task's name.
    pub task: String,
    /// The digest of each output.
    pub outputs: Vec<Digest>,
    /// Time that the task took, in seconds.
    pub seconds: f64,
}

/// The first line of the file, which identifies the plan.
#[derive(Serialize, Deserialize)]
struct Head {
    plan: Digest,
}

/// The outcomes of the finished tasks, in memory and in the file `done` of a directory. The line of a task is written after its
/// outputs.
#[derive(Debug)]
pub struct Ledger {
    file: Option<(PathBuf, File)>,
    done: BTreeMap<String, Outcome>,
}

impl Ledger {
    /// Name of the file in a directory.
    pub const FILE: &'static str = "done";

    /// Makes a ledger without a file, for a proof that will not be resumed.
    pub fn in_memory() -> Self {
        Self { file: None, done: BTreeMap::new() }
    }

    /// An empty ledger whose file cannot take another line.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn on_a_full_disk() -> Self {
        let path = PathBuf::from("/dev/full");
        let file = OpenOptions::new().write(true).open(&path).expect("Linux has it");
        Self { file: Some((path, file)), done: BTreeMap::new() }
    }

    /// Opens the ledger of a plan in a directory, which stays locked until the ledger is dropped. An incomplete last line, as
    /// after the process was killed, is ignored.
    ///
    /// # Errors
    /// When the file cannot be read or written, another process has locked it, or it belongs to another plan.
    pub fn open(directory: &Path, plan: &Plan) -> Result<Self, ScaleError> {
        let path = directory.join(Self::FILE);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(ScaleError::io(&path, "open"))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(ScaleError::InUse(directory.to_owned())),
            Err(TryLockError::Error(why)) => return Err(ScaleError::io(&path, "lock")(why)),
            Ok(()) => {}
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(ScaleError::io(&path, "read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(ScaleError::io(&path, "write"))?;
        let mut lines = text[..whole].lines();
        let mut ledger = Self { file: Some((path.clone(), file)), done: BTreeMap::new() };
        match lines.next() {
            None => ledger.append(&Head { plan: plan.identity })?,
            Some(line) => {
                let head: Head = serde_json::from_str(line).map_err(ScaleError::json(&path))?;
                if head.plan != plan.identity {
                    return Err(ScaleError::OtherProof(path));
                }
            }
        }
        for line in lines {
            let outcome: Outcome = serde_json::from_str(line).map_err(ScaleError::json(&path))?;
            ledger.done.insert(outcome.task.clone(), outcome);
        }
        Ok(ledger)
    }

    /// Records a finished task, whose outputs have to be on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn enter(&mut self, outcome: Outcome) -> Result<(), ScaleError> {
        self.append(&outcome)?;
        self.done.insert(outcome.task.clone(), outcome);
        Ok(())
    }

    /// The outcome of a task, if it is finished.
    pub fn outcome(&self, task: &str) -> Option<&Outcome> {
        self.done.get(task)
    }

    /// Whether the ledger is in a file, so that outputs have to be synced to the disk before their task is recorded.
    pub fn is_durable(&self) -> bool {
        self.file.is_some()
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), ScaleError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut text = serde_json::to_vec(line).map_err(ScaleError::json(path))?;
        text.push(b'\n');
        let written = file.write_all(&text).and_then(|()| file.sync_data());
        written.map_err(ScaleError::io(path, "write"))
    }
}
