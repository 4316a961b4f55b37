//! Peers in processes of their own, measured in turns through a pipe.
//!
//! A peer says `ready` once its key is loaded and a proof of its own verified, then answers every line with the
//! seconds of one run, timed inside the peer: neither the process's start nor the pipe is in them. A peer whose tools
//! are missing is skipped with a line that says why.

use crate::Pair;
use std::ffi::OsStr;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Why a peer is not measured, in words.
pub type Skipped = String;

/// A peer that is ready for its turns. Dropping it ends its process.
pub struct Peer {
    name: &'static str,
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a process and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or ends before it is ready.
    pub fn start(name: &'static str, command: &mut Command) -> Result<Self, Skipped> {
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = process.map_err(|why| format!("{name} does not start: {why}"))?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(format!("{name} has no pipes"));
        };
        let mut peer = Self { name, process, requests: Some(requests), answers: BufReader::new(answers) };
        match peer.answer()?.as_str() {
            "ready" => Ok(peer),
            other => Err(format!("{name} says `{other}`, not that it is ready")),
        }
    }

    /// One run of the peer's operation; seconds, by the peer's clock.
    ///
    /// # Errors
    /// If the peer has ended or does not answer with a time.
    pub fn turn(&mut self) -> Result<f64, Skipped> {
        let request = |pipe: &mut ChildStdin| pipe.write_all(b"\n").and_then(|()| pipe.flush());
        let sent = self.requests.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), request);
        sent.map_err(|why| format!("{} does not listen: {why}", self.name))?;
        let answer = self.answer()?;
        match answer.parse() {
            Ok(seconds) if seconds > 0.0 => Ok(seconds),
            _ => Err(format!("{} answers `{answer}`, not seconds", self.name)),
        }
    }

    fn answer(&mut self) -> Result<String, Skipped> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(n) if n > 0 => Ok(line.trim().to_owned()),
            Ok(_) => Err(format!("{} ended without an answer", self.name)),
            Err(why) => Err(format!("{} does not answer: {why}", self.name)),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.requests = None; // The end of its input is the end of its work.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Like [`take_turns`](crate::take_turns) with a peer in another process: one warm-up each, then until about `budget`
/// is spent, 3 to 25 rounds.
///
/// # Errors
/// If the peer fails on the way.
pub fn take_turns_with<X>(
    budget: Duration,
    mut ours: impl FnMut() -> X,
    peer: &mut Peer,
) -> Result<Pair, Skipped> {
    let mut pair = Pair { ours: Vec::new(), peer: Vec::new() };
    drop(black_box(ours()));
    peer.turn()?;
    let begin = Instant::now();
    while pair.ours.len() < 3 || (begin.elapsed() < budget && pair.ours.len() < 25) {
        let start = Instant::now();
        let result = black_box(ours());
        pair.ours.push(start.elapsed().as_secs_f64());
        drop(result);
        pair.peer.push(peer.turn()?);
    }
    Ok(pair)
}

/// Builds the Go peer into `bench/target/` and returns its program.
///
/// # Errors
/// If there is no Go, or the build fails (for want of the modules, say).
pub fn build_gnark() -> Result<PathBuf, Skipped> {
    let program = bench().join("target").join(format!("gnark-peer{}", std::env::consts::EXE_SUFFIX));
    let mut build = Command::new("go");
    build.current_dir(bench().join("go")).args(["build", "-buildvcs=false", "-o"]).arg(&program).arg(".");
    let output = build.output().map_err(|why| format!("`go` does not start: {why}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`go build` fails: {}", said.trim().lines().last().unwrap_or("no reason given")));
    }
    Ok(program)
}

/// gnark's Groth16 on the chain circuit: a curve's name as gnark writes it, or with dashes and capitals.
///
/// # Errors
/// As [`Peer::start`].
pub fn gnark(program: &Path, curve: &str, log: u32, threads: usize) -> Result<Peer, Skipped> {
    let mut command = Command::new(program);
    command.args(["groth16", "--curve", &curve.to_lowercase()]);
    command.args(["--log", &log.to_string(), "--threads", &threads.to_string()]);
    Peer::start("gnark", &mut command)
}

/// snarkjs' Groth16 on a key and a witness in files of circom's formats, which are read before this returns.
///
/// # Errors
/// If there is no Node or no installed snarkjs, and as [`Peer::start`].
pub fn snarkjs(zkey: &OsStr, wtns: &OsStr) -> Result<Peer, Skipped> {
    let script = bench().join("node").join("snarkjs-peer.mjs");
    if !bench().join("../interop/node_modules/snarkjs").is_dir() {
        return Err("snarkjs is not installed: `npm ci` in interop/, or `cargo x test`".to_owned());
    }
    Peer::start("node", Command::new("node").arg(script).args([zkey, wtns]))
}

fn bench() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
