//! The types of arguments that name a file: one that is read, or one that is written.

use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The path of standard input.
pub(crate) const STANDARD_INPUT: &str = "/dev/stdin";

/// The path of a file that the command writes, or only reads.
#[derive(Clone, Debug)]
pub(crate) struct FilePath<const WRITTEN: bool>(PathBuf);

/// The path of a file that is read; on the command line `-` is standard input.
pub(crate) type InputPath = FilePath<false>;

/// The path of a file that is written, or read and then extended; `-` is standard output.
pub(crate) type OutputPath = FilePath<true>;

impl<const WRITTEN: bool> From<PathBuf> for FilePath<WRITTEN> {
    fn from(path: PathBuf) -> Self {
        Self(if !WRITTEN && path.as_os_str() == "-" { STANDARD_INPUT.into() } else { path })
    }
}

impl<const WRITTEN: bool> Deref for FilePath<WRITTEN> {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl<const WRITTEN: bool> AsRef<Path> for FilePath<WRITTEN> {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl<const WRITTEN: bool> ValueParserFactory for FilePath<WRITTEN> {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self::from)
    }
}
