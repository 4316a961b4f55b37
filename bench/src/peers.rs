//! Peers in processes of their own, which are measured alternately with our operators through a pipe.
//!
//! A peer prints `ready` once it has loaded its operands and has checked that its result equals ours. Then it
//! answers every request line with the time of its runs in seconds. The time is measured inside the peer, so it includes neither the
//! start of the process nor the pipe. A request line has the number of threads and the number of runs. A peer whose tools are missing is
//! skipped with a message that says why.

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

/// The reason why a peer is not measured, as a message.
pub type Skipped = String;

/// A peer that is ready to be measured. Dropping it ends its process.
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

    /// Requests `runs` runs of the peer's operation on `threads` threads; returns the time of one run in seconds, by the peer's clock.
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
        self.requests = None; // The peer ends when its input ends.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Like [`take_turns`](crate::take_turns) with a peer in another process; our side runs in a pool of the same number of threads. An
/// operation that is shorter than [`SHORTEST`] runs several times per turn on both sides, because the caches of a process are cold
/// after the other's turn.
///
/// # Errors
/// If the peer fails during the measurement.
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

/// The shortest duration of a turn; at most a hundred runs are made to reach it.
const SHORTEST: Duration = Duration::from_millis(10);

/// Rows that compare ours with a peer in another process, one for every requested number of threads. A peer that is missing
/// or fails is left out with a message on standard error.
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

/// Returns the value, or prints the reason of its absence to standard error.
pub fn or_skip<T>(peer: &str, value: Result<T, Skipped>) -> Option<T> {
    value.map_err(|why| eprintln!("{peer} is skipped: {why}")).ok()
}

/// The path of the Go program, which is built into `bench/target/` at first use; `None`, with a message that says why, if Go is not
/// installed or the build fails (for example because modules are missing).
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

/// Starts the Go program with one of its operations, on a curve whose name may be written in our form or in gnark's.
///
/// # Errors
/// As [`Peer::start`], and if the program could not be built, for which a message has been printed.
pub fn gnark(curve: &str, work: &str, argument: impl AsRef<OsStr>) -> Result<Peer, Skipped> {
    let program = go().ok_or("it was not built")?;
    let protocol = work == "prove" || work == "verify" || work.starts_with("plonk-");
    let name = if protocol { "gnark" } else { "gnark-crypto" };
    Peer::start(name, Command::new(program).args([&curve.to_lowercase(), work]).arg(argument))
}

/// Starts CIRCL's attribute-based encryption in the Go program, on the files of a folder.
///
/// # Errors
/// As [`gnark`].
pub fn circl(work: &str, folder: &Path) -> Result<Peer, Skipped> {
    let program = go().ok_or("it was not built")?;
    Peer::start("circl", Command::new(program).args(["bls12-381", work]).arg(folder))
}

/// Starts snarkjs' prover on a Groth16 or Plonk key and a witness in files of circom's formats, which it has read when this returns.
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

/// Starts snarkjs' prover with our key and witness, which are passed in files that are deleted once it has read them.
///
/// # Errors
/// As [`snarkjs`], and if the files cannot be written.
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
