//! Reads from cargo's JSON messages which files it built.

use crate::process::{Outcome, cargo, output};
use serde::Deserialize;
use std::path::PathBuf;

/// A line of cargo's JSON output, as far as it is read here.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// What a build produced.
pub(crate) struct Artifacts(Vec<Message>);

impl Artifacts {
    /// Runs `cargo build` with these arguments.
    pub(crate) fn build(args: &[&str]) -> Outcome<Self> {
        let format = ["build", "--quiet", "--message-format", "json-render-diagnostics"];
        let messages = output(cargo().args(format).args(args))?;
        Ok(Self::parse(&String::from_utf8_lossy(&messages)))
    }

    fn parse(messages: &str) -> Self {
        Self(messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The path of an executable.
    pub(crate) fn executable(&self, name: &str) -> Option<PathBuf> {
        let of_name = |message: &&Message| message.target.as_ref().is_some_and(|target| target.name == name);
        self.0.iter().filter(of_name).find_map(|message| message.executable.clone())
    }

    /// Names and paths of the Rust libraries whose name begins with `prefix`.
    pub(crate) fn libraries(&self, prefix: &str) -> Vec<(String, PathBuf)> {
        let named =
            self.0.iter().filter_map(|message| Some((&message.target.as_ref()?.name, &message.filenames)));
        named
            .filter(|(name, _)| name.starts_with(prefix))
            .filter_map(|(name, files)| {
                let library =
                    files.iter().find(|file| file.extension().is_some_and(|ending| ending == "rlib"))?;
                Some((name.clone(), library.clone()))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_are_found_among_cargos_messages() {
        let artifacts = Artifacts::parse(concat!(
            "{\"target\":{\"name\":\"pairwright\"},\"executable\":null,\"filenames\":[\"t/p.rmeta\",\"t/p.rlib\"]}\n",
            "not json\n",
            "{\"target\":{\"name\":\"xtask\"},\"executable\":\"t/xtask\",\"filenames\":[\"t/xtask\"]}\n",
            "{\"target\":{\"name\":\"pairwright\"},\"executable\":\"t/pairwright\",\"filenames\":[]}\n",
            "{\"target\":{\"name\":\"serde\"},\"executable\":null,\"filenames\":[\"t/serde.rlib\"]}\n",
            "{\"reason\":\"build-finished\",\"success\":true}\n",
        ));
        assert_eq!(artifacts.executable("pairwright"), Some(PathBuf::from("t/pairwright")));
        assert_eq!(artifacts.executable("other"), None);
        assert_eq!(artifacts.libraries("pair"), [("pairwright".to_owned(), PathBuf::from("t/p.rlib"))]);
    }
}
