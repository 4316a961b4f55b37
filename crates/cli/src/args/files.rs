//! The files that a command line names: those that are read, and those that are written.

use super::{
    Bellman, Challenge, Command, Design, Designs, Explore, ExportKey, ExportPowers, ExportR1cs, ExportWtns,
    Gen, Gpu, ImportKey, ImportPowers, Machines, OnMachines, Powers, Prepare, Prove, R1cs, Sim, Verify,
    VerifyFrom, VerifyKey, Wtns, Zkey,
};
use std::path::Path;

/// The files of a command line, each with the name of its argument for messages.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    /// Files that are read.
    pub inputs: Vec<(&'static str, &'a Path)>,
    /// Files that are written.
    pub outputs: Vec<(&'static str, &'a Path)>,
}

impl<'a> Files<'a> {
    pub(super) fn reads(mut self, what: &'static str, path: impl Into<Option<&'a Path>>) -> Self {
        self.inputs.extend(path.into().map(|path| (what, path)));
        self
    }
    pub(super) fn writes(mut self, what: &'static str, path: impl Into<Option<&'a Path>>) -> Self {
        self.outputs.extend(path.into().map(|path| (what, path)));
        self
    }
    fn design(self, design: &'a Design) -> Self {
        self.reads("--spec", design.spec.as_deref())
    }
    pub(super) fn machines(self, machines: &'a Machines) -> Self {
        self.design(&machines.design)
    }
    pub(super) fn on(self, on: &'a OnMachines) -> Self {
        self.writes("--report", on.report.as_deref()).machines(&on.machines)
    }
    fn proof(self, a: &'a Prove) -> Self {
        self.reads("the key", &*a.zkey)
            .reads("the witness", a.witness.as_deref())
            .reads("--wasm", a.wasm.as_deref())
            .reads("--input", a.input.as_deref())
            .reads("--r1cs", a.options.r1cs.as_deref())
            .reads("--sym", a.options.names.sym.as_deref())
            .writes("--output", &*a.output)
            .writes("--public", &*a.public)
            .writes("--report", a.options.report.as_deref())
            .machines(&a.options.machines)
    }
    fn verdict(self, a: &'a Verify) -> Self {
        self.reads("the key", &*a.vkey)
            .reads("the public values", &*a.public)
            .reads("the proof", &*a.proof)
            .on(&a.on)
    }
    fn designs(self, designs: &'a Designs) -> Self {
        self.design(&designs.base)
            .writes("--csv", designs.sweep.csv.as_deref())
            .writes("--plot", designs.sweep.plot.as_deref())
    }
}

impl Command {
    /// The files that this command reads and writes. Of a list only the list itself is included, not the files that it names.
    pub(crate) fn files(&self) -> Files<'_> {
        let none = Files::default();
        match self {
            Self::Demo(a) => none.machines(&a.machines),
            Self::Setup(a) => none
                .reads("the circuit", &*a.r1cs)
                .reads("--ptau", a.ptau.as_deref())
                .writes("--output", &*a.output)
                .writes("--keep-prepared", a.keep_prepared.as_deref())
                .machines(&a.machines),
            Self::Powersoftau { what } => match what {
                Powers::New(a) => none.writes("--output", &*a.output),
                Powers::Contribute(a) => none.reads("the powers", &*a.ptau).writes("--output", &*a.output),
                Powers::Beacon(a) => none.reads("the powers", &*a.ptau).writes("--output", &*a.output),
                Powers::Verify(a) => none.reads("the powers", &*a.ptau),
                Powers::Export { what: ExportPowers::Challenge(a) } => {
                    none.reads("the powers", &*a.ptau).writes("the output", &*a.output)
                }
                Powers::Export { what: ExportPowers::Json(a) } => {
                    none.reads("the powers", &*a.ptau).writes("the output", &*a.output)
                }
                Powers::Challenge { what: Challenge::Contribute(a) } => {
                    none.reads("the challenge", &*a.challenge).writes("the output", &*a.output)
                }
                Powers::Import { what: ImportPowers::Response(a) } => none
                    .reads("the powers", &*a.ptau)
                    .reads("the response", &*a.response)
                    .writes("the output", &*a.output),
                Powers::Convert(a) => none.reads("the powers", &*a.ptau).writes("the output", &*a.output),
                // The names of its outputs are derived from the input's, so that they are other files.
                Powers::Truncate(a) => none.reads("the powers", &*a.ptau),
                Powers::Prepare { what: Prepare::Phase2(a) } => {
                    none.reads("the powers", &*a.ptau).writes("--output", &*a.output)
                }
            },
            Self::Zkey { what } => match what {
                Zkey::Contribute(a) => none.reads("the key", &*a.zkey).writes("--output", &*a.output),
                Zkey::Beacon(a) => none.reads("the key", &*a.zkey).writes("--output", &*a.output),
                Zkey::Verify(VerifyKey { from: None, circuit: Some(a) }) => none
                    .reads("the circuit", &*a.r1cs)
                    .reads("the powers", &*a.ptau)
                    .reads("the key", &*a.zkey),
                Zkey::Verify(VerifyKey { from: Some(VerifyFrom::Init(a)), .. }) => none
                    .reads("the first key", &*a.first)
                    .reads("the powers", &*a.ptau)
                    .reads("the key", &*a.zkey),
                Zkey::Export { what: ExportKey::Bellman(a) } => {
                    none.reads("the key", &*a.zkey).writes("the output", &*a.output)
                }
                Zkey::Bellman { what: Bellman::Contribute(a) } => {
                    none.reads("the parameters", &*a.challenge).writes("the output", &*a.output)
                }
                Zkey::Import { what: ImportKey::Bellman(a) } => none
                    .reads("the key", &*a.zkey)
                    .reads("the response", &*a.response)
                    .writes("the output", &*a.output),
                Zkey::Export { what: ExportKey::Json(a) } => {
                    none.reads("the key", &*a.zkey).writes("the output", &*a.output)
                }
                Zkey::Export { what: ExportKey::Solidityverifier(a) } => {
                    none.reads("the key", &*a.key).writes("the contract", &*a.output)
                }
                Zkey::Export { what: ExportKey::Soliditycalldata(a) } => {
                    none.reads("the public values", &*a.public).reads("the proof", &*a.proof)
                }
                // The remaining commands have short forms, which name the files.
                Zkey::New(_) | Zkey::Verify(_) | Zkey::Export { what: ExportKey::Verificationkey(_) } => none,
            },
            Self::R1cs { what } => match what {
                R1cs::Print(a) => none.reads("the circuit", &*a.r1cs).reads("the names", a.sym.as_deref()),
                R1cs::Export { what: ExportR1cs::Json(a) } => {
                    none.reads("the circuit", &*a.r1cs).writes("the output", &*a.output)
                }
                R1cs::Info(_) => none,
            },
            Self::Wtns { what } => match what {
                Wtns::Debug(a) => none
                    .reads("the calculator", &*a.wasm)
                    .reads("the inputs", &*a.input)
                    .reads("the names", a.sym.as_deref())
                    .writes("the witness", &*a.witness),
                Wtns::Export { what: ExportWtns::Json(a) } => {
                    none.reads("the witness", &*a.witness).writes("the output", &*a.output)
                }
                Wtns::Calculate(_) | Wtns::Check(_) => none,
            },
            Self::Groth16 { .. } | Self::Plonk { .. } | Self::Fflonk { .. } | Self::Generatecall(_) => none,
            Self::Bls { what } => what.files(none),
            Self::HashToCurve(a) => none.reads("the message", a.message.as_deref()),
            Self::Eip2537(a) => a.call.files(none),
            Self::Eip196(a) => a.call.files(none),
            Self::Bbs { what } => what.files(none),
            Self::Fe { what } => what.files(none),
            Self::Vkey(a) => none.reads("the key", &*a.zkey).writes("--output", &*a.output),
            Self::Witness(a) => none
                .reads("the calculator", &*a.wasm)
                .reads("the inputs", &*a.input)
                .reads("--sym", a.sym.as_deref())
                .reads("--r1cs", a.r1cs.as_deref())
                .writes("--output", &*a.output),
            Self::Check(a) => none
                .reads("the circuit", &*a.r1cs)
                .reads("the witness", &*a.witness)
                .reads("--sym", a.names.sym.as_deref()),
            Self::Prove(a) => none.proof(a),
            Self::Shard(a) => none.reads("the key", &*a.zkey),
            Self::Verify(a) => none.verdict(a),
            Self::BatchVerify(a) => {
                none.reads("the key", &*a.vkey).reads("the list", &*a.list).machines(&a.machines)
            }
            Self::Ibe { what } => what.files(none),
            Self::Tlock { what } => what.files(none),
            Self::Abe { what } => what.files(none),
            Self::Payment { what } => what.files(none),
            Self::Inspect(a) => none.reads("the file", &*a.file),
            Self::Gpu { what: Gpu::Tune(a), .. } => none.writes("--out", &*a.out),
            Self::Gpu { what: Gpu::Report(a), .. } => none
                .writes("--out", &*a.out)
                .writes("--markdown", a.markdown.as_deref())
                .writes("--tuning", a.tuning.as_deref()),
            Self::Gen { what: Gen::Kernel(a) } => {
                let machine = a.field.target.as_deref().filter(|target| target.ends_with(".toml"));
                none.reads("--target", machine.map(Path::new)).writes("--out", a.out.as_deref())
            }
            Self::Sim { what } => what.files(none),
            Self::Explore { what } => what.files(none),
            Self::Compile(a) => none.design(&a.design),
            Self::Asm(a) => none.reads("the program", a.file.as_deref()).writes("--out", a.out.as_deref()),
            Self::Disasm(a) => none.reads("the image", &*a.file).writes("--out", a.out.as_deref()),
            Self::Devices | Self::Gpu { .. } | Self::Gen { .. } | Self::Man(_) | Self::Completions { .. } => {
                none
            }
        }
    }
}

impl Explore {
    fn files<'a>(&'a self, none: Files<'a>) -> Files<'a> {
        let (base, search) = match self {
            Self::Chip(a) => (&a.base, &a.search),
            Self::Mtu(a) => (&a.base, &a.search),
            Self::Aie(a) => (&a.base, &a.search),
        };
        none.design(base)
            .writes("--journal", search.journal.as_deref())
            .writes("--csv", search.csv.as_deref())
            .writes("--plot", search.plot.as_deref())
    }
}

impl Sim {
    fn files<'a>(&'a self, none: Files<'a>) -> Files<'a> {
        let (designs, trace, roofline) = match self {
            Self::Pairing(a) => {
                let none = none.writes("--vcd", a.vcd.as_deref());
                return none.designs(&a.designs).writes("--trace", a.trace.as_deref());
            }
            Self::Program(a) => return none.design(&a.design).writes("--trace", a.trace.as_deref()),
            Self::Ntt(a) => (&a.chip.designs, &a.chip.trace, a.chip.roofline.as_deref()),
            Self::Msm(a) => (&a.chip.designs, &a.chip.trace, a.chip.roofline.as_deref()),
            Self::Groth16(a) => (&a.chip.designs, &a.chip.trace, a.chip.roofline.as_deref()),
            Self::Mtu(a) => (&a.designs, &a.trace, a.roofline.as_deref()),
            Self::Aie(a) => (&a.designs, &a.trace, None),
            Self::AieBoard(a) => (&a.designs, &a.trace, a.roofline.as_deref()),
            Self::AieMsm(a) => (&a.designs, &a.trace, a.roofline.as_deref()),
            Self::Cluster(a) => {
                let none = none.reads("--measured", a.measured.as_deref());
                return none.designs(&a.designs).writes("--trace", a.trace.as_deref());
            }
        };
        none.designs(designs).writes("--trace", trace.as_deref()).writes("--roofline", roofline)
    }
}
