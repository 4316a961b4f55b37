//! `pairwright sim`: programs on modelled machines.

mod aie;
mod groth16;
mod msm;
mod mtu;
mod ntt;
mod operator;
mod pairing;
mod picture;
mod program;
mod sweep;

use crate::args::{Cli, Sim};
use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(crate) fn run(cli: &Cli, what: &Sim) -> Result<(), Failure> {
    match what {
        Sim::Pairing(a) => pairing::run(cli, a),
        Sim::Ntt(a) => ntt::run(cli, a),
        Sim::Msm(a) => msm::run(cli, a),
        Sim::Groth16(a) => groth16::run(cli, a),
        Sim::Mtu(a) => mtu::run(cli, a),
        Sim::Aie(a) => aie::run(cli, a),
        Sim::AieBoard(a) => aie::board::run(cli, a),
        Sim::AieMsm(a) => aie::msm::run(cli, a),
        Sim::Program(a) => program::run(cli, a),
    }
}

/// Writes a file with a buffer before it.
fn to_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
    let done = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    });
    done.map_err(|why| Failure::File { path: path.to_owned(), why })
}
