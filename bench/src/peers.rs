//! Peers in processes of their own, measured in turns through a pipe.
//!
//! A peer says `ready` once it has loaded what it works on and has made sure that it computes what we compute, then
//! answers every line with the seconds of its runs, timed inside the peer: neither the process's start nor the pipe is in
//! them. A line is the number of threads and the number of runs. A peer whose tools are missing is skipped with a
//! line that says why.

use crate::operands::Scratch;
use crate::{Options, Pair, Row, Table, run, turns};
use pairwright_field::PrimeField;
use pairwright_formats::write_wtns;
use rayon::ThreadPool;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

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

    /// Runs of the peer's operation on so many threads; seconds of one, by the peer's clock.
    ///
    /// # Errors
    /// If the peer has ended or does not answer with a time.
    pub fn turn(&mut self, threads: usize, runs: usize) -> Result<f64, Skipped> {
        let line = format!("{threads} {runs}\n");
        let request = |pipe: &mut ChildStdin| pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush());
        let sent = self.requests.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), request);
        sent.map_err(|why| format!("{} does not listen: {why}", self.name))?;
        let answer = self.answer()?;
        match answer.parse::<f64>() {
            Ok(seconds) if seconds > 0.0 => Ok(seconds / runs as f64),
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

/// Like [`take_turns`](crate::take_turns) with a peer in another process, our side in a pool of as many threads. An
/// operation that is shorter than [`SHORTEST`] runs several times a turn on both sides: after the other's turn, a
/// process finds its caches cold.
///
/// # Errors
/// If the peer fails on the way.
pub fn take_turns_with<A, X>(
    budget: Duration,
    pool: &ThreadPool,
    mut prepare: impl FnMut() -> A + Send,
    mut ours: impl FnMut(A) -> X + Send,
    peer: &mut Peer,
) -> Result<Pair, Skipped> {
    let threads = pool.current_num_threads();
    let quickest = pool.install(|| run(&mut prepare, &mut ours)).min(peer.turn(threads, 1)?);
    let runs = (SHORTEST.as_secs_f64() / quickest).ceil().clamp(1.0, 100.0) as usize;
    let mut several = || {
        let total: f64 = (0..runs).map(|_| run(&mut prepare, &mut ours)).sum();
        Ok(total / runs as f64)
    };
    turns(budget, || pool.install(&mut several), || peer.turn(threads, runs))
}

/// What both sides run in a turn takes at least as long, if a hundred runs do.
const SHORTEST: Duration = Duration::from_millis(10);

/// Rows of ours beside a peer in another process, one for every number of threads that is asked for. A peer that is missing
/// or fails is left out with a line on standard error.
pub fn rows_beside<A, X>(
    peer: Result<Peer, Skipped>,
    (options, table): (&Options, &mut Table),
    budget: Duration,
    mut prepare: impl FnMut() -> A + Send,
    mut ours: impl FnMut(A) -> X + Send,
    row: impl Fn(usize, &'static str, &Pair) -> Row,
) {
    let Some(mut peer) = or_skip("a peer", peer) else { return };
    for (threads, pool) in options.pools() {
        let turns = take_turns_with(budget, &pool, &mut prepare, &mut ours, &mut peer);
        let Some(pair) = or_skip(peer.name, turns) else { return };
        table.push(row(threads, peer.name, &pair));
    }
}

/// The value, or a line about its absence on standard error.
pub fn or_skip<T>(peer: &str, value: Result<T, Skipped>) -> Option<T> {
    value.map_err(|why| eprintln!("{peer} is skipped: {why}")).ok()
}

/// The Go program, built into `bench/target/` when it is first asked for; `None`, and a line that says why, if there is no
/// Go, or if the build fails (for want of the modules, say).
pub fn go() -> Option<&'static Path> {
    static BUILT: LazyLock<Option<PathBuf>> = LazyLock::new(|| or_skip("gnark", build()));
    BUILT.as_deref()
}

fn build() -> Result<PathBuf, Skipped> {
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

/// The Go program at one of its works, on a curve whose name is given as we or as gnark write it.
///
/// # Errors
/// As [`Peer::start`], and if the program could not be built, which has been said.
pub fn gnark(curve: &str, work: &str, argument: impl AsRef<OsStr>) -> Result<Peer, Skipped> {
    let program = go().ok_or("it was not built")?;
    let protocol = work == "prove" || work == "verify" || work.starts_with("plonk-");
    let name = if protocol { "gnark" } else { "gnark-crypto" };
    Peer::start(name, Command::new(program).args([&curve.to_lowercase(), work]).arg(argument))
}

/// CIRCL's attribute-based encryption in the Go program, on the files of a folder.
///
/// # Errors
/// As [`gnark`].
pub fn circl(work: &str, folder: &Path) -> Result<Peer, Skipped> {
    let program = go().ok_or("it was not built")?;
    Peer::start("circl", Command::new(program).args(["bls12-381", work]).arg(folder))
}

/// snarkjs' prover on a key of Groth16 or Plonk and a witness in files of circom's formats, which are read before this returns.
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

/// snarkjs with a key and a witness of ours, handed over in files that are gone once it has read them.
///
/// # Errors
/// As [`snarkjs`], and if there can be no files.
pub fn snarkjs_on<F: PrimeField>(
    write_key: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    witness: &[F],
) -> Result<Peer, Skipped> {
    let write = || -> io::Result<Scratch> {
        let folder = Scratch::new()?;
        let mut out = BufWriter::new(File::create(folder.path().join("key.zkey"))?);
        write_key(&mut out)?;
        out.flush()?;
        let mut out = BufWriter::new(File::create(folder.path().join("witness.wtns"))?);
        write_wtns(&mut out, witness).map_err(io::Error::other)?;
        out.flush()?;
        Ok(folder)
    };
    let folder = write().map_err(|why| format!("no files for it: {why}"))?;
    let [zkey, wtns] = ["key.zkey", "witness.wtns"].map(|name| folder.path().join(name));
    snarkjs(zkey.as_os_str(), wtns.as_os_str())
}

fn bench() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
