//! Runs `pairwright gpu compile`, which compiles kernels for a device of another computer.

use super::predict::known;
use crate::args::{Cli, GpuCompile, GpuKernels};
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use clap::ValueEnum;
use pairwright::curve::bls12_377::Bls12_377;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::gpu::ahead::{self, Text};
use pairwright::gpu::cache::Cache;
use pairwright::gpu::family::KernelTarget;
use pairwright::gpu::nvrtc::Nvrtc;
use pairwright::gpu::{Facts, GpuError};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::ntt::Kind;
use serde_json::json;

/// log2 of the sizes of transforms in a report.
const SIZES: [u32; 6] = [12, 16, 18, 20, 22, 24];

/// log2 of the sizes of transforms in the conformance suite.
const CONFORMANCE: core::ops::RangeInclusive<u32> = 1..=12;

/// log2 of the sizes of transforms in the figures.
const FIGURE: core::ops::RangeInclusive<u32> = 8..=22;

/// Bits of the moduli of the figures 3c and 3d: four less than their width classes.
const FIGURES: [u32; 2] = [380, 764];

/// log2 of the sizes of transforms that are tuned.
pub(super) const TUNED: [u32; 5] = [16, 18, 20, 22, 24];

/// Bits of the moduli whose transforms are tuned.
pub(super) const TUNED_BITS: u32 = 255;

fn texts(what: GpuKernels, facts: &Facts) -> Result<Vec<Text>, GpuError> {
    let transforms = |bits, reduction, target, sizes: &[u32], search| {
        ahead::of_transforms(facts, bits, reduction, target, sizes, search)
    };
    Ok(match what {
        GpuKernels::Operators => {
            let kinds = [Kind::FORWARD, Kind::INVERSE, Kind::COSET_FORWARD];
            [
                ahead::of_board::<Bn254>(facts, &SIZES, &kinds)?,
                ahead::of_board::<Bls12_381>(facts, &SIZES, &kinds)?,
            ]
            .concat()
        }
        GpuKernels::Conformance => {
            let sizes: Vec<u32> = CONFORMANCE.collect();
            let kinds = [Kind::FORWARD, Kind::INVERSE, Kind::COSET_FORWARD, Kind::COSET_INVERSE];
            [
                ahead::of_board::<Bn254>(facts, &sizes, &kinds)?,
                ahead::of_board::<Bls12_381>(facts, &sizes, &kinds)?,
                ahead::of_board::<Bls12_377>(facts, &sizes, &kinds)?,
            ]
            .concat()
        }
        GpuKernels::Products => ahead::of_products(TUNED_BITS)?,
        GpuKernels::Figures => {
            let sizes: Vec<u32> = FIGURE.collect();
            let mut all = Vec::new();
            for bits in FIGURES {
                for target in [KernelTarget::Cuda32, KernelTarget::Cuda64] {
                    for reduction in [Reduction::Barrett, Reduction::Montgomery] {
                        all.extend(transforms(bits, reduction, target, &sizes, false)?);
                    }
                }
            }
            all
        }
        GpuKernels::Tuning => {
            transforms(TUNED_BITS, Reduction::Montgomery, KernelTarget::Cuda32, &TUNED, true)?
        }
    })
}

pub(super) fn run(cli: &Cli, a: &GpuCompile) -> Result<(), Failure> {
    let machines = known(Some(&a.on))?;
    let Some(machine) = machines.first() else { return Err(Failure::bad("one device is wanted")) };
    let (nvrtc, facts) = (Nvrtc::load()?, &machine.facts);
    let cache = a.cache.as_ref().map_or_else(Cache::of_user, Cache::at);
    let chosen = if a.only.is_empty() { GpuKernels::value_variants().to_vec() } else { a.only.clone() };
    let mut all = Vec::new();
    for what in chosen {
        all.extend(texts(what, facts)?);
    }
    let progress = Progress::new(all.len() as u64, "compiling");
    let compiled = ahead::compile(&nvrtc, &cache, facts, &all, |name| {
        progress.set_message(name);
        progress.add(1);
    })?;
    let said = json!({ "device": facts.name, "kernels": compiled });
    output::print(cli, &said, |_| format!("{compiled} texts compiled for {}", facts.name))
}
