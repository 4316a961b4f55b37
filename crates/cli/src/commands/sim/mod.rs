//! `pairwright sim`: programs on modelled machines.

mod aie;
mod cluster;
mod counted;
pub(crate) mod explore;
mod groth16;
mod msm;
mod mtu;
mod ntt;
mod operator;
mod pairing;
mod picture;
mod program;
mod quantity;
mod roofline;
mod sweep;

use crate::args::{Cli, Sim};
use crate::failure::Failure;
use crate::files;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(cli: &Cli, what: &Sim) -> Result<(), Failure> {
    match what {
        Sim::Pairing(a) => pairing::run(cli, a),
        Sim::Ntt(a) => operator::run(cli, a),
        Sim::Msm(a) => operator::run(cli, a),
        Sim::Groth16(a) => operator::run(cli, a),
        Sim::Mtu(a) => mtu::run(cli, a),
        Sim::Aie(a) => aie::run(cli, a),
        Sim::AieBoard(a) => aie::board::run(cli, a),
        Sim::AieMsm(a) => aie::msm::run(cli, a),
        Sim::Cluster(a) => cluster::run(cli, a),
        Sim::Program(a) => program::run(cli, a),
    }
}

/// Writes a file as a whole or not at all.
fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    files::write(path, |out| Ok(write(out)?))
}
