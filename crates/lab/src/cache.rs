//! The cache of `lab run --cluster --cache`: an answer is valid as long as the program, the command line and the files
//! that the run wrote are unchanged.

use pairwright_lab::LabError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Cached answers of one program in a folder.
pub(crate) struct AnswerCache {
    folder: PathBuf,
    program: [u8; 32],
}

/// An answer, with the files that the run wrote and their digests.
#[derive(Serialize, Deserialize)]
struct Entry {
    answer: Value,
    files: BTreeMap<PathBuf, String>,
}

impl AnswerCache {
    /// The cache of this program in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be created, or the program cannot be read.
    pub(crate) fn new(folder: &Path) -> Result<Self, LabError> {
        std::fs::create_dir_all(folder).map_err(LabError::io(folder))?;
        let program = std::env::current_exe().map_err(LabError::io(Path::new("this program")))?;
        let bytes = std::fs::read(&program).map_err(LabError::io(&program))?;
        Ok(Self { folder: folder.to_owned(), program: Sha256::digest(bytes).into() })
    }

    fn entry(&self, line: &[String]) -> PathBuf {
        let mut digest = Sha256::new_with_prefix(self.program);
        for word in line {
            digest.update((word.len() as u64).to_le_bytes());
            digest.update(word);
        }
        self.folder.join(hex(&digest.finalize())).with_extension("json")
    }

    /// The cached answer to a command line, if every file that it names is unchanged since the run.
    pub(crate) fn find(&self, line: &[String]) -> Option<Value> {
        let entry: Entry = serde_json::from_slice(&std::fs::read(self.entry(line)).ok()?).ok()?;
        let same = |(path, digest): (&PathBuf, &String)| digest_of(path).as_ref() == Some(digest);
        entry.files.iter().all(same).then_some(entry.answer)
    }

    /// Stores the answer to a command line, with the digests of the files that it names. Nothing is stored if one of
    /// them cannot be read here, since later changes could not be detected.
    ///
    /// # Errors
    /// The entry cannot be written.
    pub(crate) fn keep(&self, line: &[String], answer: &Value) -> Result<(), LabError> {
        let results = answer["results"].as_array().into_iter().flatten();
        let named = results.flat_map(|result| [&result["table"], &result["meta"]]);
        let digests = named.map(|path| {
            let path = path.as_str()?;
            Some((path.into(), digest_of(Path::new(path))?))
        });
        let Some(files) = digests.collect() else { return Ok(()) };
        let entry = Entry { answer: answer.clone(), files };
        let path = self.entry(line);
        let part = path.with_extension(format!("{}.part", std::process::id()));
        serde_json::to_vec(&entry)
            .map_err(std::io::Error::from)
            .and_then(|bytes| std::fs::write(&part, bytes))
            .and_then(|()| std::fs::rename(&part, &path))
            .map_err(LabError::io(&path))
    }
}

/// The digest of a file; `None` if it cannot be read.
fn digest_of(path: &Path) -> Option<String> {
    Some(hex(&Sha256::digest(std::fs::read(path).ok()?)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_is_kept_until_its_files_change() {
        let place = std::env::temp_dir().join(format!("pairwright-kept-{}", std::process::id()));
        let cache = AnswerCache::new(&place.join("cache")).unwrap();
        let line = |word: &str| vec!["run".to_owned(), word.to_owned()];
        let table = place.join("table.csv");
        std::fs::write(&table, "1").unwrap();
        let meta = place.join("meta.toml");
        let answer = json!({ "results": [{ "table": table, "meta": meta, "report": 7 }] });
        assert_eq!(cache.find(&line("a")), None);
        cache.keep(&line("a"), &answer).unwrap();
        assert_eq!(cache.find(&line("a")), None, "a file is not there");
        std::fs::write(&meta, "7").unwrap();
        let nothing = json!({ "results": [] });
        cache.keep(&line("c"), &nothing).unwrap();
        assert_eq!(cache.find(&line("c")), Some(nothing), "a run that wrote nothing");
        cache.keep(&line("a"), &answer).unwrap();
        assert_eq!((cache.find(&line("a")), cache.find(&line("b"))), (Some(answer.clone()), None));
        // Words of a command line are separated in the key.
        assert_ne!(cache.entry(&["ab".into(), "c".into()]), cache.entry(&["a".into(), "bc".into()]));
        let other = AnswerCache { program: [1; 32], folder: cache.folder.clone() };
        assert_eq!(other.find(&line("a")), None, "of another program");
        std::fs::write(&table, "2").unwrap();
        assert_eq!(cache.find(&line("a")), None);
        std::fs::write(&table, "1").unwrap();
        assert!(cache.find(&line("a")).is_some());
        std::fs::write(cache.entry(&line("a")), "{").unwrap();
        assert_eq!(cache.find(&line("a")), None, "a damaged entry is none");
        std::fs::remove_dir_all(&place).unwrap();
    }
}
