//! The machines whose designs are searched: their default spaces and their simulations.

use super::super::operator::choice;
use super::super::{aie, mtu, operator, pairing};
use super::{File, Task, explore, trends};
use crate::args::{
    ChipWorkload, Cli, CurveName, DirectionName, Division, ExploreAie, ExploreChip, ExploreMtu,
    Groth16Parameters, GroupName, MethodName, MsmParameters, NttParameters, ScalarsName, ScheduleName,
};
use crate::commands::design::{Base, Chosen};
use crate::failure::Failure;
use pairwright::chip::MachineSpec;
use pairwright::formats::CurveId;
use pairwright::sim::settings;

/// The name of the axis that chooses the division of a pairing into routines.
const DIVISION: &str = "division";
/// The default space for pairings: the division into routines, and the slots, multiplier elements and inversions of the processor.
const PAIRING: &[&str] = &[
    "division=resident,published",
    "issue.width=1,2",
    "mm.ii=1..4",
    "mm.latency=14,18,20",
    "inversion.chain=always,window,parallel",
    "inversion.interval=18..24:2",
];
/// The default space for transforms: butterflies, their multipliers and their tables.
const NTT: &[&str] = &[
    "poly.groups=1,2",
    "poly.batch=false,true",
    "poly.row_tables=generate,load",
    "poly.mm=8,12,16,20",
    "poly.vector=1,2,4",
    "dma.outstanding=1,2,4",
];
/// The default space for MSMs: adders, digits and buckets.
const MSM: &[&str] = &[
    "msm.elements=12,11,8,6,4",
    "msm.formula=complete,mixed",
    "msm.signed=false,true",
    "msm.glv=false,true",
    "msm.multiples=1,2,4,6,8,10,11,12,13",
    "msm.window_g1=8..13",
    "msm.bucket_words=1024,512,2048,4096",
    "msm.segments=2,4,8",
    "msm.write_behind=0,2,4",
    "poly.groups=2,1",
];
/// The default space for whole proofs: the parameters of transforms and MSMs in coarser steps.
const PROOF: &[&str] = &[
    "msm.elements=12,11,6,4",
    "msm.formula=complete,mixed",
    "msm.signed=false,true",
    "msm.glv=false,true",
    "msm.multiples=1,4,11,12",
    "msm.window_g1=10,11,12",
    "msm.bucket_words=1024,2048",
    "msm.segments=2,8",
    "poly.groups=2,1",
    "poly.batch=false,true",
];
const MTU: &[&str] = &[
    "pes=32,2,4,8,16,64",
    "mul_latency=28,7,14,20,40",
    "hash_ii=1,2,6,12,24",
    "hash_latency=24,12",
    "input_bytes=262144,16384,65536",
    "output_bytes=262144,16384,65536",
    "traversal=hybrid,dfs,bfs",
];
const AIE: &[&str] = &[
    "mapping=coarse,fine,med-coop,med-ind,single",
    "method.carry=wide,mixed,balanced",
    "method.reduction=barrett,montgomery",
    "method.product=schoolbook,karatsuba",
];

/// The command line of an operator of the chip: its name, `--size`, `--schedule` and further options.
fn words(a: &ExploreChip, name: &str, more: &str) -> String {
    let schedule = if a.schedule == ScheduleName::Hidden { "hidden" } else { "unhidden" };
    format!("sim {name} --size {}{more} --schedule {schedule}", a.size)
}

pub(super) fn chip(cli: &Cli, a: &ExploreChip) -> Result<(), Failure> {
    let base = Base::new(&a.base, MachineSpec::DESIGNS, Vec::new())?.searched();
    let start = base.built(&[])?;
    let (size, schedule, method) = (a.size, a.schedule, MethodName::Merged);
    let curve = CurveName(CurveId::Bls12_381);
    let (data, random) = (false, 1);
    let task = |title: String, command: String, default| -> Result<Task<'_>, Failure> {
        Ok(Task { title, command, base: settings::file(&start)?, default, known: &[] })
    };
    let at = |swept: &[(&str, &str)]| base.chip(swept);
    let file = File::of::<MachineSpec>;
    match a.workload {
        ChipWorkload::Pairing => {
            // For a design from a file, the defaults of the compiler are those of this project's own designs.
            let chosen = a.programs.compile(start.clone(), false);
            let [divided, scheduler] = chosen.names();
            let (seeds, first) = (chosen.options.seeds, chosen.options.seed);
            // The division of a pairing is searched like a parameter.
            let searched = a.search.over.is_empty() || a.search.over.iter().any(|axis| axis.path == DIVISION);
            let division = |name: &str| format!(" --division {name}");
            let fixed = if searched { String::new() } else { division(divided) };
            let command =
                format!("sim pairing{fixed} --scheduler {scheduler} --seeds {seeds} --first-seed {first}");
            let at = |swept: &[(&str, &str)]| -> Result<(MachineSpec, Option<Division>), Failure> {
                let (own, design): (Vec<_>, Vec<_>) = swept.iter().partition(|(path, _)| *path == DIVISION);
                let own = own.first().map(|(path, value)| choice(path, value)).transpose()?;
                Ok((base.chip(&design)?, own))
            };
            let file = |(spec, own): &(MachineSpec, Option<Division>)| {
                let options = own.map_or_else(String::new, |own| division(own.name()));
                Ok(File { options, ..File::of(spec)? })
            };
            let task = task("a pairing".to_owned(), command, PAIRING)?;
            let simulate = |(spec, own): (MachineSpec, Option<Division>)| {
                base.check(&spec)?;
                let chosen = a.programs.compile(spec, false);
                pairing::costs(&Chosen { division: own.unwrap_or(chosen.division), ..chosen })
            };
            explore(cli, &a.search, &task, at, simulate, file)
        }
        ChipWorkload::Ntt => {
            let ntt = NttParameters {
                size,
                direction: DirectionName::Forward,
                coset: None,
                schedule,
                method,
                curve,
                data,
                random,
            };
            let task = task(format!("a transform of {size} points"), words(a, "ntt", ""), NTT)?;
            explore(cli, &a.search, &task, at, |spec| operator::costs(&base, &ntt, &spec), file)
        }
        ChipWorkload::Msm => {
            let scalars = ScalarsName::Random;
            let msm = MsmParameters { size, group: a.group, schedule, scalars, curve, data, random };
            let group = if a.group == GroupName::G1 { "g1" } else { "g2" };
            let title = format!("a multi-scalar multiplication of {size} points in {group}");
            let task = task(title, words(a, "msm", &format!(" --group {group}")), MSM)?;
            explore(cli, &a.search, &task, at, |spec| operator::costs(&base, &msm, &spec), file)
        }
        ChipWorkload::Groth16 => {
            let proof =
                Groth16Parameters { size, wires: None, public: 1, schedule, method, curve, data, random };
            let task = task(format!("a proof over {size} points"), words(a, "groth16", ""), PROOF)?;
            explore(cli, &a.search, &task, at, |spec| operator::costs(&base, &proof, &spec), file)
        }
    }
}

pub(super) fn mtu(cli: &Cli, a: &ExploreMtu) -> Result<(), Failure> {
    let base = mtu::base_of(&a.base, &a.unit)?.searched();
    let start = a.unit.finish(base.at(&[])?)?;
    base.check(&start)?;
    let title = format!("tree unit, {}", a.tree.describe(&start, &|name| name != "traversal"));
    let task = Task {
        title,
        command: a.tree.command(),
        base: settings::file(&start)?,
        default: MTU,
        known: trends::MTU,
    };
    let at = |swept: &[(&str, &str)]| a.unit.finish(base.at(swept)?);
    explore(cli, &a.search, &task, at, |config| mtu::costs(&a.tree, &config), File::of)
}

pub(super) fn aie(cli: &Cli, a: &ExploreAie) -> Result<(), Failure> {
    let base = aie::base_of(&a.base, &a.options)?.searched();
    let start = base.at(&[])?;
    base.check(&start)?;
    let task = Task {
        title: "point additions on AI Engines".to_owned(),
        command: "sim aie".to_owned(),
        base: settings::file(&start)?,
        default: AIE,
        known: &[],
    };
    explore(cli, &a.search, &task, |swept| base.at(swept), |design| aie::costs(&design), File::of)
}
