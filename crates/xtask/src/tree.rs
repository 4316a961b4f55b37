//! The files of the repository, as input of the rules.

use crate::process::{Outcome, at_root, output, root};
use crate::tidy::mask;
use std::cell::OnceCell;

/// A file: its path from the root, with forward slashes, and its bytes.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    code: OnceCell<String>,
}

impl SourceFile {
    pub(crate) fn new(path: &str, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), bytes, code: OnceCell::new() }
    }

    /// The file as text; `None` if it is not UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// Rust source with comments, strings and character literals blanked out, line for line.
    pub(crate) fn code(&self) -> &str {
        self.code.get_or_init(|| mask::code_only(self.text().unwrap_or_default()))
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// True for a file inside the given folder.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        is_below(&self.path, folder)
    }

    /// The fenced code blocks of a page, without indentation.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut lines = self.text().unwrap_or_default().lines().enumerate();
        while let Some((index, line)) = lines.next() {
            if let Some(info) = line.strip_prefix("```") {
                let inside = lines.by_ref().map(|(_, line)| line.trim()).take_while(|line| *line != "```");
                blocks.push(Block { line: index + 1, info, lines: inside.collect() });
            }
        }
        blocks
    }

    /// The number, counted from one, of the first line that contains `needle`; 1 if there is none.
    pub(crate) fn line_of(&self, needle: &str) -> usize {
        let found = self.text().and_then(|text| text.lines().position(|line| line.contains(needle)));
        found.map_or(1, |index| index + 1)
    }
}

/// A block of a page between two lines of three backticks.
pub(crate) struct Block<'a> {
    /// The number of its first line, counted from one.
    pub(crate) line: usize,
    /// The text behind the opening backticks.
    pub(crate) info: &'a str,
    pub(crate) lines: Vec<&'a str>,
}

/// True when `path` is a file in `folder` or in a folder inside it.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// All files that belong to the repository: tracked ones, and new ones that git does not ignore.
pub(crate) struct Tree {
    pub(crate) files: Vec<SourceFile>,
}

impl Tree {
    /// Reads the checkout; deleted files are left out.
    pub(crate) fn read() -> Outcome<Self> {
        let listing = output(at_root("git").args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
        ]))?;
        let mut paths: Vec<String> = listing
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect();
        paths.sort();
        let root = root();
        let files = paths
            .iter()
            .filter_map(|path| std::fs::read(root.join(path)).ok().map(|bytes| SourceFile::new(path, bytes)))
            .collect();
        Ok(Self { files })
    }

    /// An invented repository, for tests of rules.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files =
            files.iter().map(|(path, text)| SourceFile::new(path, text.as_bytes().to_vec())).collect();
        Self { files }
    }

    /// The file at this path.
    pub(crate) fn get(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether there is a file or a folder at this path.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path || file.is_in(path.trim_end_matches('/')))
    }
}
