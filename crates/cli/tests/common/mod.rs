//! The fixture that the tests of the command share: a folder with a small circuit, in which the command runs.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

pub mod schema;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A directory with a circuit's artefacts, in which commands run.
pub struct Bench {
    pub dir: TempDir,
}

impl Bench {
    /// The circuit `cube` (x³ + x + 5 = y) on a curve.
    pub fn cube(curve: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../circuits/cube").join(curve);
        for name in ["cube.r1cs", "cube.wasm", "input.json"] {
            fs::copy(from.join(name), dir.path().join(name)).unwrap();
        }
        Self { dir }
    }
    /// As [`Bench::cube`], with a key, a verification key, a witness and a proof.
    pub fn proved(curve: &str) -> Self {
        let b = Self::cube(curve);
        b.ok("setup cube.r1cs --unsafe-local -o cube.zkey");
        b.ok("vkey cube.zkey -o vk.json");
        b.ok("witness cube.wasm input.json -o w.wtns");
        b.ok("prove cube.zkey w.wtns -o proof.json --public public.json");
        b
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pairwright"));
        // The width keeps lines of help texts from being broken.
        command.args(line.split_whitespace()).current_dir(self.dir.path()).env("COLUMNS", "1000");
        command
    }
    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }
    pub fn ok(&self, line: &str) -> String {
        let out = self.run(line);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success(), "{line}: {text}{}", String::from_utf8_lossy(&out.stderr));
        text
    }
    /// Runs a command that must fail with this exit code, and returns its message.
    pub fn fails(&self, code: i32, line: &str) -> String {
        let out = self.run(line);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(code), "{line}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(said.trim().lines().count(), 1, "one clear line: {said}");
        said
    }
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }
}
