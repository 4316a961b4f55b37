//! The command line: its commands and options, whose comments are the text of `--help`.

mod abe;
mod aie;
mod aliases;
mod axes;
pub(crate) mod bbs;
pub(crate) mod bls;
mod ceremony;
mod cluster;
pub(crate) mod curves;
mod design;
mod explore;
pub(crate) mod fe;
mod files;
mod generate;
mod gpu;
mod mtu;
mod paths;
pub(crate) mod payment;
mod proofs;
mod scale;
mod sealed;
mod sim;
mod snarkjs;

use crate::answer::Answer;
use crate::caller::Caller;
use crate::warnings::Warnings;
pub(crate) use abe::{Abe, AbeDecrypt, AbeEncrypt, AbeInspect, AbeKeygen, AbeSetup};
pub(crate) use aie::{
    AieBoard, AieJob, AieOptions, MethodOptions, SimAie, SimAieBoard, SimAieMsm, form_name,
};
pub(crate) use aliases::in_our_words;
pub(crate) use axes::{Axis, points};
pub(crate) use ceremony::{
    AnswerBellman, AnswerChallenge, Bellman, ByBeacon, ByName, Challenge, ExportBellman, ExportChallenge,
    ExportKey, ExportPowers, ExportSolidityCalldata, ExportSolidityVerifier, ExportVerificationKey,
    ImportBellman, ImportKey, ImportPowers, ImportResponse, KeyOfCircuit, KeyOfFirst, NewPowers, Powers,
    PowersJson, Prepare, PreparePowers, TruncatePowers, VerifyFrom, VerifyKey, VerifyPowers, Zkey, ZkeyJson,
};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
pub(crate) use cluster::{ProofOnCluster, SimCluster};
pub(crate) use design::{Design, Designs, Sweep};
pub(crate) use explore::{ChipWorkload, Explore, ExploreAie, ExploreChip, ExploreMtu, Limit, SearchOptions};
pub(crate) use files::{Files, with_hints};
pub(crate) use generate::{
    FormName, Gen, GenExplain, GenField, GenKernel, GenLibrary, RangeName, ReductionName, TargetName,
};
pub(crate) use gpu::{Gpu, GpuCompile, GpuField, GpuKernels, GpuPredict, GpuReport, GpuSection, GpuTune};
pub(crate) use mtu::{SimMtu, TreeParameters, Unit};
use pairwright::chip::compiler::Scheduler;
pub(crate) use paths::{InputPath, OutputPath, STANDARD_INPUT};
pub(crate) use proofs::{
    BatchVerify, Check, Demo, EngineName, Inspect, KeyPolicy, Man, ProofOptions, Protocol, Prove, Setup,
    SignalNames, Verify, Vkey, Witness,
};
pub(crate) use scale::{Bytes, OutOfCore, Shard};
pub(crate) use sealed::{
    Form, Ibe, IbeDecrypt, IbeEncrypt, IbeExtract, IbeSetup, KeyGroupsName, Tlock, TlockDecrypt,
    TlockEncrypt, now,
};
pub(crate) use sim::{
    Coset, CurveName, DirectionName, Groth16Parameters, GroupName, MethodName, MsmParameters, NttParameters,
    ScalarsName, ScheduleName, SimChip, SimOperator, Size,
};
pub(crate) use snarkjs::{
    ExportR1cs, ExportWtns, ProtocolVerb, R1cs, R1csJson, R1csPrint, SetupVerb, Wtns, WtnsDebug, WtnsJson,
};

const EXAMPLES: &str = "\
Examples:
  pairwright demo
  pairwright setup circuit.r1cs --ptau pot.ptau -o circuit.zkey
  pairwright prove circuit.zkey --wasm circuit.wasm --input input.json -o proof.json --public public.json
  pairwright verify verification_key.json public.json proof.json

Commands of snarkjs are commands here, with the same arguments; its shorter names (g16p, zkc, ptn, ...) are taken too.
Exit codes: 0 ok, 1 proof rejected, 2 bad input, 3 internal error.";

/// The version, and the commit that the command was built from.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PAIRWRIGHT_COMMIT"), ")");

/// Zero-knowledge proofs from circom circuits and snarkjs files.
#[derive(Debug, Parser)]
#[command(name = "pairwright", version = VERSION, about, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads, at most eight a core [default: all cores].
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<usize>,
    /// Print only results and errors: no progress, no warnings, no messages on written files.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print the time of every operator on standard error as it ends.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// The subcommand to run.
    #[command(subcommand)]
    pub command: Command,
    /// The command with its subcommand, as `--json` names it: the short form where there is one.
    #[arg(skip)]
    pub name: String,
    /// The files that the command line names.
    #[arg(skip)]
    pub files: Files,
    /// The words of the command line, without the program's name.
    #[arg(skip)]
    pub words: Vec<std::ffi::OsString>,
    /// The warnings that are reported with the result.
    #[arg(skip)]
    pub warnings: Warnings,
    /// Keeps the result if it is not printed.
    #[arg(skip)]
    pub answer: Answer,
    /// The hooks of the program that calls the command; the default if it runs by itself.
    #[arg(skip)]
    pub caller: Caller,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set up, prove and verify a bundled Merkle membership circuit on two curves.
    Demo(Demo),
    /// Make a proving key from constraints.
    Setup(Setup),
    /// Work on the powers of tau of a ceremony, with the arguments of `snarkjs powersoftau`.
    Powersoftau {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Powers,
    },
    /// Work on proving keys, with the arguments of `snarkjs zkey`.
    Zkey {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Zkey,
    },
    /// Print the arguments of a call of a Solidity contract, as `zkey export soliditycalldata` does.
    Generatecall(ExportSolidityCalldata),
    /// Extract the verification key from a proving key.
    Vkey(Vkey),
    /// Compute a witness with circom's WASM calculator.
    Witness(Witness),
    /// Check that a witness satisfies the constraints; names the first that fails.
    Check(Check),
    /// Make a proof from a proving key and a witness.
    #[command(after_help = PROVE_EXAMPLES)]
    Prove(Prove),
    /// Prepare a proving key for proofs that take less memory than the key (`prove --memory`).
    #[command(after_help = SHARD_EXAMPLES)]
    Shard(Shard),
    /// Verify one proof.
    Verify(Verify),
    /// Groth16 with the arguments of `snarkjs groth16`.
    Groth16 {
        /// The subcommand to run.
        #[command(subcommand)]
        what: ProtocolVerb,
    },
    /// Plonk with the arguments of `snarkjs plonk`.
    #[command(after_help = snarkjs::PLONK_EXAMPLES)]
    Plonk {
        /// The subcommand to run.
        #[command(subcommand)]
        what: ProtocolVerb,
    },
    /// fflonk with the arguments of `snarkjs fflonk`.
    #[command(after_help = snarkjs::FFLONK_EXAMPLES)]
    Fflonk {
        /// The subcommand to run.
        #[command(subcommand)]
        what: ProtocolVerb,
    },
    /// Work on constraints with the arguments of `snarkjs r1cs`.
    R1cs {
        /// The subcommand to run.
        #[command(subcommand)]
        what: R1cs,
    },
    /// Work on witnesses with the arguments of `snarkjs wtns`.
    Wtns {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Wtns,
    },
    /// Verify many proofs together: under one key, or for Plonk and fflonk under keys of one ceremony.
    BatchVerify(BatchVerify),
    /// Sign with BLS12-381 and verify: keys, aggregates, keystores, threshold signatures.
    #[command(after_help = bls::EXAMPLES)]
    Bls {
        /// The subcommand to run.
        #[command(subcommand)]
        what: bls::Bls,
    },
    /// Hash a message to a curve (RFC 9380).
    #[command(after_help = curves::HASH_EXAMPLES)]
    HashToCurve(curves::HashToCurve),
    /// Call a precompiled contract of Ethereum on BLS12-381 (EIP-2537).
    #[command(after_help = curves::EIP2537_EXAMPLES)]
    Eip2537(curves::Eip2537),
    /// Call a precompiled contract of Ethereum on BN254 (EIP-196, EIP-197).
    #[command(after_help = curves::EIP196_EXAMPLES)]
    Eip196(curves::Eip196),
    /// Encrypt files to identities, whose keys are derived from a master key.
    #[command(after_help = sealed::IBE_EXAMPLES)]
    Ibe {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Ibe,
    },
    /// Encrypt files that can be read from a round of drand's beacons on, as drand's `tlock` does.
    #[command(after_help = sealed::TLOCK_EXAMPLES)]
    Tlock {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Tlock,
    },
    /// Encrypt files under policies, for whoever has a key of attributes that satisfy them.
    #[command(after_help = abe::EXAMPLES)]
    Abe {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Abe,
    },
    /// Sign many messages at once, and prove to hold the signature while disclosing some of them (BBS).
    #[command(after_help = bbs::EXAMPLES)]
    Bbs {
        /// The subcommand to run.
        #[command(subcommand)]
        what: bbs::Bbs,
    },
    /// Encrypt vectors, of which keys reveal inner products and nothing else (functional encryption).
    #[command(after_help = fe::EXAMPLES)]
    Fe {
        /// The subcommand to run.
        #[command(subcommand)]
        what: fe::Fe,
    },
    /// Pay privately, and let a regulator, and nobody else, learn who paid: a proof and identity-based encryption.
    #[command(after_help = payment::EXAMPLES)]
    Payment {
        /// The subcommand to run.
        #[command(subcommand)]
        what: payment::Payment,
    },
    /// Describe a file: r1cs, wtns, zkey, ptau or JSON.
    Inspect(Inspect),
    /// List the devices.
    Devices,
    /// Generate multi-word modular arithmetic for a machine.
    #[command(after_help = generate::GEN_EXAMPLES)]
    Gen {
        /// The text to generate.
        #[command(subcommand)]
        what: Gen,
    },
    /// Simulate a computation on a modelled machine: cycle by cycle, or by the rates of its units.
    #[command(after_help = SIM_EXAMPLES)]
    Sim {
        #[command(subcommand)]
        what: Sim,
    },
    /// Search a modelled machine's designs for the Pareto front of two results, within limits on others.
    #[command(after_help = explore::EXAMPLES)]
    Explore {
        #[command(subcommand)]
        what: Explore,
    },
    /// Compile the routines of a pairing for a design of the crypto-processor, and print the cost of each.
    #[command(after_help = COMPILE_EXAMPLES)]
    Compile(Compile),
    /// Assemble a program for the crypto-processor.
    #[command(after_help = ASM_EXAMPLES)]
    Asm(Asm),
    /// Disassemble an image for the crypto-processor.
    Disasm(Disasm),
    /// Measure and tune a CUDA device.
    ///
    /// The CUDA device ran on an H200, and on no other GPU.
    Gpu {
        /// The number of the device [default: the one that PAIRWRIGHT_GPU names, or the one with the most memory].
        #[arg(long = "gpu", value_name = "N")]
        number: Option<usize>,
        /// The subcommand to run.
        #[command(subcommand)]
        what: Gpu,
    },
    /// Write the manual pages.
    Man(Man),
    /// Print a completion script for a shell.
    Completions {
        /// The shell that the script is for.
        shell: Shell,
    },
}

const PROVE_EXAMPLES: &str = "\
Examples:
  pairwright prove circuit.zkey witness.wtns -o proof.json --public public.json
  pairwright prove circuit.zkey --wasm circuit.wasm --input input.json -o proof.json --public public.json
  pairwright prove circuit.zkey witness.wtns -o proof.json --public public.json --report report.json
  pairwright prove circuit.zkey witness.wtns --memory 512M --work work
  pairwright prove circuit.zkey witness.wtns --device chip --report report.json
  pairwright prove circuit.zkey witness.wtns --slot g1=chip,g2=chip --set msm.write_behind=4 --report report.json

The proof is verified before anything is written.";

const SHARD_EXAMPLES: &str = "\
Examples:
  pairwright shard circuit.zkey --memory 512M -o circuit.shards
  pairwright prove circuit.zkey witness.wtns --memory 512M --shards circuit.shards";

const ASM_EXAMPLES: &str = "\
Examples:
  pairwright asm power.pw -o power.json
  pairwright disasm power.json
  pairwright asm --reference";

const SIM_EXAMPLES: &str = "\
Examples:
  pairwright sim pairing
  pairwright sim pairing --design best --trace pairing.json
  pairwright sim pairing --design best --set mm.latency=24 --json
  pairwright sim pairing --design best --sweep mm.latency=12..24 --sweep issue.width=1,2 --csv s.csv --plot s.svg
  pairwright sim program groth16 --design best
  pairwright sim ntt --size 2^20 --coset --schedule unhidden
  pairwright sim msm --size 2^20 --group g1 --set msm.write_behind=4 --json
  pairwright sim msm --size 2^10 --group g2 --data
  pairwright sim groth16 --size 2^16 --trace proof.json
  pairwright sim ntt --size 2^16 --roofline roof.svg
  pairwright sim ntt --sweep size=2^12,2^16,2^20 --sweep poly.groups=1,2 --csv s.csv --plot s.svg
  pairwright sim msm --size 2^12 --sweep design=paper,best --sweep dram.bytes_per_cycle=24,48,96 --plot s.svg --y energy_uj
  pairwright sim msm --parameters
  pairwright sim mtu --workload merkle --size 2^20 --pes 32 --bandwidth 256 --traversal hybrid
  pairwright sim aie --mapping coarse";

const COMPILE_EXAMPLES: &str = "\
Examples:
  pairwright compile
  pairwright compile --design best --seeds 1000
  pairwright compile cyclotomic_square --listing
  pairwright compile fp12_mul --scheduler exact --set mm.latency=16 --json";

/// A board of several machines.
#[derive(Debug, Args)]
pub(crate) struct Machines {
    /// The machine that runs the operators: see `pairwright devices`.
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub device: String,
    /// Use another device than --device in single slots of the board: ntt, vec, sparse, poly, g1, g2, points_g1,
    /// points_g2, pairing, tree, sumcheck, hash.
    #[arg(long, value_name = "SLOT=NAME,...", value_delimiter = ',')]
    pub slot: Vec<String>,
    /// The design of the crypto-processor on it, and parameters of all modelled machines.
    #[command(flatten)]
    pub design: Design,
}

/// The machine for the pairings and sums of a scheme, and a report on them. Multiplications by secrets stay on this
/// computer.
#[derive(Debug, Args)]
pub(crate) struct OnMachines {
    /// Write the cost of every operator to this file (JSON), and print it.
    #[arg(long, value_name = "FILE")]
    pub report: Option<OutputPath>,
    #[command(flatten)]
    pub machines: Machines,
}

/// How programs are compiled for a design of the crypto-processor.
#[derive(Debug, Args)]
pub(crate) struct Programs {
    /// How a pairing is divided into routines [default: published for --design paper, otherwise resident].
    #[arg(long, value_enum)]
    pub division: Option<Division>,
    /// list ([CP] Algorithm 1), critical or exact [default: list for --design paper, otherwise critical].
    #[arg(long, value_name = "NAME")]
    pub scheduler: Option<Scheduler>,
    /// Number of schedules that are tried for every routine.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub seeds: u32,
    /// The first seed of the schedulers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub first_seed: u64,
}

/// How a pairing is divided into routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Division {
    /// The eight routines of [CP] table I.
    Published,
    /// This project's routines, whose values stay in the banks.
    Resident,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sim {
    /// One pairing on BLS12-381 on the crypto-processor, checked against the host's.
    Pairing(SimPairing),
    /// A transform of any size on the crypto-processor with its DRAM.
    Ntt(SimOperator<NttParameters>),
    /// A multi-scalar multiplication of any length on the crypto-processor with its DRAM.
    Msm(SimOperator<MsmParameters>),
    /// A whole Groth16 proof on the crypto-processor with its DRAM, as one program.
    Groth16(SimOperator<Groth16Parameters>),
    /// A tree of any size on the Multifunction Tree Unit with its memory.
    #[command(after_help = mtu::EXAMPLES)]
    Mtu(SimMtu),
    /// Point additions on Versal AI Engines: mappings onto tiles of an array, cycle by cycle.
    #[command(after_help = aie::EXAMPLES)]
    Aie(SimAie),
    /// A board with AI Engines, programmable logic and memory: additions a second, and one after the other.
    #[command(after_help = aie::BOARD_EXAMPLES)]
    AieBoard(SimAieBoard),
    /// A multi-scalar multiplication of any length on that board (a rate model of its units).
    #[command(after_help = aie::MSM_EXAMPLES)]
    AieMsm(SimAieMsm),
    /// A Groth16 proof by tasks on a simulated cluster: machines with cores, memory, a network and a storage.
    #[command(after_help = cluster::EXAMPLES)]
    Cluster(SimCluster),
    /// Any program of the crypto-processor on random inputs, checked against the host's results.
    Program(SimProgram),
}

#[derive(Debug, Args)]
pub(crate) struct SimProgram {
    /// The name of the program, as --list prints it.
    #[arg(required_unless_present_any = ["list", "all", "dump_config"], conflicts_with_all = ["list", "all"])]
    pub name: Option<String>,
    /// Print the names of the programs.
    #[arg(long, conflicts_with = "all")]
    pub list: bool,
    /// Run all programs.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub design: Design,
    /// Print the design as a file for --spec, with the range of every parameter, and do nothing else.
    #[arg(long, conflicts_with_all = ["list", "all"])]
    pub dump_config: bool,
    #[command(flatten)]
    pub programs: Programs,
    /// Draw the inputs from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
    /// Write a timeline for Perfetto or Chrome (JSON).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "all"])]
    pub trace: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct SimPairing {
    #[command(flatten)]
    pub designs: Designs,
    #[command(flatten)]
    pub programs: Programs,
    /// Draw the points from this seed [default: the generators].
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,
    /// Write a timeline for Perfetto or Chrome (JSON).
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub trace: Option<OutputPath>,
    /// Write waveforms (VCD).
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub vcd: Option<OutputPath>,
    /// Print the routines slot by slot.
    #[arg(long, conflicts_with = "sweep")]
    pub listing: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// The routine to compile [default: all of them].
    pub routine: Option<String>,
    /// Compile all routines, as by default.
    #[arg(long, conflicts_with = "routine")]
    pub all: bool,
    #[command(flatten)]
    pub design: Design,
    #[command(flatten)]
    pub programs: Programs,
    /// Print the routines slot by slot.
    #[arg(long)]
    pub listing: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Asm {
    /// A program with its routines, as text.
    #[arg(required_unless_present = "reference")]
    pub file: Option<InputPath>,
    /// Write the image to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<OutputPath>,
    /// Print the reference of the instruction set instead.
    #[arg(long, conflicts_with_all = ["file", "out"])]
    pub reference: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Disasm {
    /// An image, as `asm` writes it.
    pub file: InputPath,
    /// Write the text to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<OutputPath>,
}
