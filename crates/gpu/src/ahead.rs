//! Compiles kernels without the device: the texts that operators, figures and searches load, compiled for the
//! architecture of a device that is known by name, into a cache that is copied to it.
//!
//! Texts that are missing from this list are compiled on the device at their first use, so an incomplete list costs
//! only time.

use crate::bench::products;
use crate::cache::Cache;
use crate::error::GpuError;
use crate::facts::Facts;
use crate::family::{Family, FieldTuning, KernelTarget};
use crate::msm::msm_texts;
use crate::nvrtc::Nvrtc;
use crate::sparse::sparse_text;
use crate::table::Table;
use crate::tune::neighbours;
use crate::vec::vector_programs;
use crate::workshop::{BUSY, compiled};
use crate::{mixed, poly, tree};
use pairwright_curve::{Curve, Pairing};
use pairwright_field::PrimeField;
use pairwright_hash::Poseidon;
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::BlasTuning;
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device};
use pairwright_moma::program::poseidon::{self, Rounds};
use pairwright_moma::program::print::Dialect;
use pairwright_moma::program::rounds::{self, Product, Weight};
use pairwright_moma::program::{ArrayKernel, tables};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A kernel's name, under which it is compiled, and its text.
pub type Text = (String, String);

/// The sum of products `e (a b - c)` over the tables e, a, b, c.
pub fn zerocheck_terms() -> Vec<Product> {
    vec![
        Product { weight: Weight::One, tables: vec![0, 1, 2] },
        Product { weight: Weight::MinusOne, tables: vec![0, 3] },
    ]
}

/// The parameters of Poseidon over a field, if it has the form with fewer products.
pub fn poseidon_rounds<F: PrimeField>() -> Option<Rounds> {
    let hash = Poseidon::<F>::new();
    let fast = hash.fast()?;
    let [opening, partial, closing] = fast.rounds().map(|n| n as u64);
    Some(Rounds { alpha: fast.alpha(), opening, partial, closing })
}

/// The texts that the board of a curve loads: transforms of the given sizes and kinds, vectors, polynomials, trees,
/// sumchecks of `e (a b - c)`, multi-scalar multiplications in both groups, sparse products.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for a field.
pub fn of_board<E: Pairing>(facts: &Facts, sizes: &[u32], kinds: &[Kind]) -> Result<Vec<Text>, GpuError> {
    let table = Table::built_in(facts.arch());
    let bits = <E::Fr as PrimeField>::BITS;
    let tuning = table.field(bits);
    let family = Family::of::<E::Fr>(tuning)?;
    let element = family.element();
    let shape = table.vec(bits).unwrap_or_else(|| BlasTuning::for_element(element));
    let mut programs = vector_programs(element, shape);
    for &log_n in sizes {
        let row = table.ntt(bits, log_n, false).map(|row| row.tuning);
        let shape = facts.fit(row.unwrap_or_else(|| Tuning::for_latency(element, log_n)));
        let plan = NttPlan::choose(element, log_n, &shape)?;
        programs.extend(kinds.iter().flat_map(|kind| device::kernels(&plan, *kind)));
    }
    programs.extend(poly::programs(element, bits, shape));
    programs.extend([tables::pairs(element), tables::bind(element), tables::split(element)]);
    programs.extend(poseidon_rounds::<E::Fr>().map(|rounds| poseidon::pairs(element, &rounds)));
    let terms = zerocheck_terms();
    let sums = [rounds::round(element, 4, &terms), rounds::step(element, 4, &terms)];
    programs.extend(sums.into_iter().flatten().map(|round| round.kernel));
    programs.extend([rounds::totals(element), rounds::binds(element, 4)]);

    let mut texts: Vec<Text> = programs.iter().map(|program| of(&family, program)).collect();
    let base = |bits| table.field(bits);
    texts.extend(of_group::<E::G1>(base(bits_of_base::<E::G1>()))?);
    texts.extend(of_group::<E::G2>(base(bits_of_base::<E::G2>()))?);
    texts.push(("sparse".to_owned(), sparse_text::<E::Fr>(tuning)?));
    texts.push(("sha3_pairs".to_owned(), tree::sha3_text(Dialect::Cuda)));
    texts.push(("busy".to_owned(), BUSY.to_owned()));
    Ok(texts)
}

fn bits_of_base<C: Curve>() -> u32 {
    <<C::Base as pairwright_field::Extension>::Prime as PrimeField>::BITS
}

fn of_group<C: Curve>(tuning: FieldTuning) -> Result<Vec<Text>, GpuError> {
    Ok(msm_texts::<C>(tuning)?.into_iter().map(|(name, text)| (name.to_owned(), text)).collect())
}

/// The texts of forward transforms of the given sizes over a modulus of `bits` bits: with the default shape for a batch
/// and, if `search` is set, with the default shape for a single transform and all shapes that a search tries first.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the width.
pub fn of_transforms(
    facts: &Facts,
    bits: u32,
    reduction: Reduction,
    target: KernelTarget,
    sizes: &[u32],
    search: bool,
) -> Result<Vec<Text>, GpuError> {
    let family = Family::new(bits, reduction, FieldTuning { target, karatsuba: 0 })?;
    let element = family.element();
    let mut texts = Vec::new();
    for &log_n in sizes {
        let mut shapes = vec![facts.fit(Tuning::for_element(element))];
        if search {
            let alone = facts.fit(Tuning::for_latency(element, log_n));
            shapes = neighbours(&alone, facts.has_clusters());
            shapes.push(alone);
        }
        // A search skips shapes without a plan too.
        let plans = shapes.iter().filter_map(|shape| NttPlan::choose(element, log_n, shape).ok());
        texts.extend(plans.flat_map(|plan| device::kernels(&plan, Kind::FORWARD)).map(|k| of(&family, &k)));
    }
    Ok(texts)
}

/// The texts of the measurement of products in registers at a width, for all word sizes and up to two levels of
/// Karatsuba's rule.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the width.
pub fn of_products(bits: u32) -> Result<Vec<Text>, GpuError> {
    let family =
        |target, karatsuba| Family::new(bits, Reduction::Montgomery, FieldTuning { target, karatsuba });
    let mut texts = Vec::new();
    for target in [KernelTarget::Cuda32, KernelTarget::Cuda64, KernelTarget::CudaF64] {
        for karatsuba in 0..=2 {
            let family = family(target, karatsuba)?;
            texts.push(of(&family, &products(family.element(), 1)));
        }
    }
    let both = mixed::text(&family(KernelTarget::Cuda32, 0)?, &family(KernelTarget::CudaF64, 0)?);
    texts.push((mixed::NAME.to_owned(), both));
    Ok(texts)
}

fn of(family: &Family, program: &ArrayKernel) -> Text {
    (program.name.clone(), family.text(program))
}

/// Compiles texts for a device's architecture on all threads, each distinct text once, and keeps them in a cache.
/// Returns the number of distinct texts; `done` is called with the name after each.
///
/// # Errors
/// Those of the compiler.
pub fn compile(
    nvrtc: &Nvrtc,
    cache: &Cache,
    facts: &Facts,
    texts: &[Text],
    done: impl Fn(&str) + Sync,
) -> Result<usize, GpuError> {
    let distinct: BTreeSet<&Text> = texts.iter().collect();
    let all: Vec<&Text> = distinct.into_iter().collect();
    all.par_iter()
        .with_max_len(1)
        .try_for_each(|(name, text)| compiled(nvrtc, cache, facts.arch(), name, text).map(|_| done(name)))?;
    Ok(all.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::KnownDevice;
    use pairwright_curve::bn254::Bn254;

    #[test]
    fn texts_are_those_of_operators_and_searches() {
        let facts = KnownDevice::named("H200").unwrap().facts;
        let board = of_board::<Bn254>(&facts, &[12, 16], &[Kind::FORWARD, Kind::COSET_FORWARD]).unwrap();
        let named = |name: &str| board.iter().any(|(of, text)| of.starts_with(name) && text.contains(name));
        for name in [
            "ntt_2e12",
            "ntt_1_2e16",
            "coset_ntt_0_2e16",
            "vmul",
            "pairs",
            "poseidon_pairs",
            "sumcheck_step",
            "totals",
            "busy",
        ] {
            assert!(named(name), "{name}");
        }
        let figure = |search| {
            of_transforms(&facts, 380, Reduction::Barrett, KernelTarget::Cuda64, &[8, 16], search).unwrap()
        };
        assert_eq!(figure(false).len(), 3);
        assert!(figure(true).len() > 20);
        assert_eq!(of_products(255).unwrap().len(), 10);
    }
}
