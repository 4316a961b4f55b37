//! Runs `pairwright devices`, which lists the devices.

use crate::args::Cli;
use crate::failure::Failure;
use crate::output;
use pairwright::chip::MachineSpec;
use pairwright::{CPU_AIE, DEVICES, cpu, gpu};
use serde::Serialize;

/// The command's result, as `--json` prints it.
#[derive(Serialize)]
struct Devices {
    devices: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    time: &'static str,
    threads: usize,
    /// A description of the device, or the reason why it is missing.
    state: String,
}

/// Lists the devices.
pub(crate) fn run(cli: &Cli) -> Result<(), Failure> {
    let threads = |name: &str| if name.starts_with("cpu") { rayon::current_num_threads() } else { 1 };
    let devices: Vec<Row> = DEVICES
        .iter()
        .map(|d| Row {
            name: d.name,
            about: d.about,
            time: d.time,
            threads: threads(d.name),
            state: match d.name {
                gpu::NAME => gpu_state(),
                gpu::opencl::NAME => opencl_state(),
                cpu::NAME => match cpu::isa() {
                    Ok(cpu::Isa::Avx512) => "ready, with AVX-512 IFMA".to_owned(),
                    Ok(cpu::Isa::Scalar) => "ready, with portable code".to_owned(),
                    Err(why) => format!("portable code, as {why}"),
                },
                "chip" => format!(
                    "designs {}",
                    MachineSpec::DESIGNS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
                ),
                CPU_AIE => "ready for BLS12-377, for no other curve".to_owned(),
                _ => "ready".to_owned(),
            },
        })
        .collect();
    output::print(cli, &Devices { devices }, |d| {
        let line = |r: &Row| {
            format!("{:<10} {} ({} thread(s), {} time): {}", r.name, r.about, r.threads, r.time, r.state)
        };
        d.devices.iter().map(line).collect::<Vec<_>>().join("\n")
    })
}

/// The description of a device that may be missing, or the reason why it is.
fn state_of(setup: Result<gpu::Setup, gpu::GpuError>, units: &str) -> String {
    match setup {
        Ok(setup) => {
            let facts = setup.gpu.facts();
            let memory = output::bytes(facts.memory);
            format!("{}, {} {units}, {memory}", facts.name, facts.multiprocessors)
        }
        Err(why) => why.to_string(),
    }
}

/// The CUDA device that would be used, and the names of others.
fn gpu_state() -> String {
    let chosen = match gpu::chosen() {
        Ok(chosen) => chosen,
        Err(why) => return why.to_string(),
    };
    match gpu::devices() {
        Ok(found) => {
            let names = found.into_iter().map(|(name, _)| name);
            state_of(gpu::Setup::open(chosen), "multiprocessors") + &others(gpu::NAME, chosen, names)
        }
        Err(why) => why.to_string(),
    }
}

/// The OpenCL device that would be used, and the names of others.
fn opencl_state() -> String {
    let chosen = match gpu::opencl::chosen() {
        Ok(chosen) => chosen,
        Err(why) => return why.to_string(),
    };
    match gpu::opencl::devices() {
        Ok(names) => {
            let state = state_of(gpu::Setup::open_opencl(chosen, None), "compute units");
            state + &others(gpu::opencl::NAME, chosen, names.into_iter())
        }
        Err(why) => why.to_string(),
    }
}

/// The other devices of a kind, each with the number that selects it.
fn others(kind: &str, chosen: usize, names: impl Iterator<Item = String>) -> String {
    let others = names.enumerate().filter(|(number, _)| *number != chosen);
    others.map(|(number, name)| format!("; {kind}:{number}: {name}")).collect()
}
