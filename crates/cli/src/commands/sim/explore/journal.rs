//! The journal of a search: one line for every simulated design, which a later search with the same workload reuses.

use crate::failure::{ArgumentError, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest size of a journal in bytes, some hundred thousand designs.
const MOST: u64 = 256 << 20;

/// The outcome of a design's simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Entry {
    /// The cells of its results.
    Cells(Vec<String>),
    /// The reason why the design was refused.
    Refused(String),
}

/// The first line, which identifies the search that all entries belong to.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    pairwright: String,
    /// The command that simulates a design.
    command: String,
    /// The design that all others differ from.
    base: String,
    columns: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    at: Key,
    #[serde(flatten)]
    entry: Entry,
}

/// Parameters with their values.
type Key = BTreeMap<String, String>;

fn key(settings: &[(&str, &str)]) -> Key {
    settings.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
}

struct State {
    entries: BTreeMap<Key, Entry>,
    file: Option<File>,
}

pub(super) struct Journal {
    state: Mutex<State>,
    path: PathBuf,
}

impl Journal {
    /// Opens a journal or begins a new one; without a file, entries are kept only for the duration of the search.
    pub(super) fn open(
        path: Option<&Path>,
        command: &str,
        base: &str,
        columns: &[&str],
    ) -> Result<Self, Failure> {
        let mut state = State { entries: BTreeMap::new(), file: None };
        let Some(path) = path else {
            return Ok(Self { state: Mutex::new(state), path: PathBuf::new() });
        };
        let failed = |why| Failure::File { path: path.to_owned(), why };
        let header = Header {
            pairwright: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            base: base.to_owned(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(failed)?;
        let wrong =
            |line, why: &str| ArgumentError::Journal { path: path.to_owned(), line, why: why.to_owned() };
        let known = file.metadata().map_err(failed)?;
        // Lines cannot be appended to a device or a pipe.
        if !known.is_file() || known.len() > MOST {
            return Err(wrong(1, "it is no file of a search, or larger than any").into());
        }
        let mut text = String::new();
        (&mut file).take(MOST).read_to_string(&mut text).map_err(failed)?;
        // An incomplete last line, which a killed search has left, is written again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 && !text.is_empty() && !text.starts_with("{\"pairwright\"") {
            return Err(wrong(1, "it is no journal of a search").into());
        }
        for (number, line) in (1..).zip(text[..whole].lines()) {
            if number == 1 {
                let found: Header =
                    serde_json::from_str(line).map_err(|_| wrong(1, "it is no journal of a search"))?;
                if found != header {
                    let why = "it is of another design, another work or another version of the command";
                    return Err(wrong(1, why).into());
                }
            } else {
                let line: Line = serde_json::from_str(line).map_err(|why| wrong(number, &why.to_string()))?;
                let fits = match &line.entry {
                    Entry::Cells(cells) => cells.len() == columns.len(),
                    Entry::Refused(_) => true,
                };
                if !fits {
                    return Err(wrong(number, "it has not a cell for each result").into());
                }
                state.entries.insert(line.at, line.entry);
            }
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            let line = serde_json::to_string(&header).map_err(|why| Failure::Internal(why.into()))?;
            writeln!(file, "{line}").map_err(failed)?;
        }
        state.file = Some(file);
        Ok(Self { state: Mutex::new(state), path: path.to_owned() })
    }

    /// The entry of a design, if it has been simulated.
    pub(super) fn known(&self, settings: &[(&str, &str)]) -> Option<Entry> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.entries.get(&key(settings)).cloned()
    }

    /// Adds the entry of a design to the journal, and returns it.
    pub(super) fn add(&self, settings: &[(&str, &str)], entry: Entry) -> Result<Entry, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let line = Line { at: key(settings), entry };
        if let Some(file) = &mut state.file {
            let text = serde_json::to_string(&line).map_err(|why| Failure::Internal(why.into()))?;
            let done = writeln!(file, "{text}").and_then(|()| file.flush());
            done.map_err(|why| Failure::File { path: self.path.clone(), why })?;
        }
        state.entries.insert(line.at, line.entry.clone());
        Ok(line.entry)
    }

    /// Number of designs in the journal.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 2] = ["cycles", "area_mm2"];

    fn cells(cycles: u32) -> Entry {
        Entry::Cells(vec![cycles.to_string(), "2.5".to_owned()])
    }

    #[test]
    fn a_search_goes_on_where_another_one_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.jsonl");
        let open = |command: &str| Journal::open(Some(&path), command, "pes = 2", &COLUMNS);
        let first = open("sim mtu").unwrap();
        first.add(&[("pes", "2")], cells(7)).unwrap();
        first.add(&[("pes", "3")], Entry::Refused("pes is 3".to_owned())).unwrap();
        drop(first);
        // The last line was not finished.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}{{\"at\":{{\"pes\":\"4\"}},\"cel")).unwrap();
        let again = open("sim mtu").unwrap();
        assert_eq!((again.len(), again.known(&[("pes", "2")])), (2, Some(cells(7))));
        assert_eq!(again.known(&[("pes", "4")]), None);
        again.add(&[("pes", "4")], cells(5)).unwrap();
        drop(again);
        assert_eq!(open("sim mtu").unwrap().len(), 3);
        let other = open("sim aie").err().unwrap().to_string();
        assert!(other.contains("line 1: it is of another design"), "{other}");
        let endless = Journal::open(Some(Path::new("/dev/zero")), "sim mtu", "pes = 2", &COLUMNS);
        assert!(endless.err().unwrap().to_string().contains("it is no file of a search"));
        std::fs::write(&path, "no journal\n").unwrap();
        assert!(open("sim mtu").err().unwrap().to_string().contains("it is no journal"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "no journal\n");
    }
}
