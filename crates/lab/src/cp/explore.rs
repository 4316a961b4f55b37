//! Beyond the paper: other designs of the chip, compared by latency and area at equal bandwidth.
//!
//! Multi-scalar multiplications are simulated at two sizes, and the line through the two gives any size, since beyond a
//! thousand points the time of a window grows linearly. Transforms are simulated at their own size. A proof consists of
//! six transforms, two vector operations, four multi-scalar multiplications in G1 and one in G2, with random scalars;
//! its operators run one after the other.

use super::chip;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Labels, Row, decimals};
use pairwright_chip::isa::{Group, VectorOp};
use pairwright_chip::machine::top::Account;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{ChipArea, ChipShape, price};
use pairwright_chip::spec::{Formula, MsmSpec, PolySpec, RowTables};
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::Method;
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

/// A design: the published processor with a different MSM engine and polynomial engine, at the bandwidth of the
/// comparison.
struct Design {
    name: &'static str,
    msm: MsmSpec,
    poly: PolySpec,
}

const PAPER: MsmSpec = MsmSpec::paper();
/// Signed digits (half the buckets per window), and a buffer before the buckets' write port.
const SIGNED: MsmSpec =
    MsmSpec { signed: true, write_behind: 4, segments: 8, window_g1: 11, window_g2: 10, ..PAPER };
const GLV: MsmSpec = MsmSpec { glv: true, ..SIGNED };
/// All windows share one set of buckets.
const GLV_12: MsmSpec = MsmSpec { multiples: 12, ..GLV };
const SIGNED_24: MsmSpec = MsmSpec { multiples: 24, ..SIGNED };

const fn mixed(config: MsmSpec) -> MsmSpec {
    MsmSpec { formula: Formula::Mixed, elements: 11, conflict: 4, write_behind: 2, ..config }
}

const fn elements(elements: u32, config: MsmSpec) -> MsmSpec {
    MsmSpec { elements, ..config }
}

/// Another window width; the bucket memory doubles with every bit.
const fn window(bits: u32, config: MsmSpec) -> MsmSpec {
    MsmSpec { window_g1: bits, window_g2: bits - 1, bucket_words: 1 << (bits - 1), ..config }
}

/// Two windows per fetch, each with half of the bucket memory.
const fn two_lanes(config: MsmSpec) -> MsmSpec {
    MsmSpec { windows_per_fetch: 2, window_g1: 10, window_g2: 9, ..config }
}

const WHOLE: PolySpec = PolySpec::paper();
const FOUR: PolySpec = PolySpec { groups: 1, batch: true, ..WHOLE };
/// The same without elements that make the tables of rows.
const BARE: PolySpec = PolySpec { row_tables: RowTables::Load, ..FOUR };

const fn design(name: &'static str, msm: MsmSpec, poly: PolySpec) -> Design {
    Design { name, msm, poly }
}

const PUBLISHED: &str = "published design";
const PROPOSED: &str = "proposed design";

const DESIGNS: [Design; 22] = [
    design(PUBLISHED, PAPER, WHOLE),
    design("write-behind", MsmSpec { write_behind: 4, ..PAPER }, WHOLE),
    design("6 elements", elements(6, PAPER), BARE),
    design("4 elements", elements(4, PAPER), BARE),
    design("signed digits", SIGNED, WHOLE),
    design("signed, 24 multiples", SIGNED_24, WHOLE),
    design("signed, 24 multiples, 6 elements", elements(6, SIGNED_24), BARE),
    design("signed, 24 multiples, 4 elements", elements(4, SIGNED_24), BARE),
    design("signed, 2 windows a fetch", two_lanes(SIGNED), WHOLE),
    design("signed, 2 windows a fetch, 13 multiples, mixed", mixed(two_lanes(SIGNED_13)), FOUR),
    design("GLV", GLV, WHOLE),
    design("GLV, 2 windows a fetch", two_lanes(GLV), WHOLE),
    design("GLV, 4 multiples", MsmSpec { multiples: 4, ..GLV }, WHOLE),
    design("GLV, 12 multiples", GLV_12, WHOLE),
    design("GLV, mixed", mixed(GLV), FOUR),
    design("GLV, 12 multiples, mixed", mixed(GLV_12), FOUR),
    design("GLV, 13 multiples, mixed, 512 buckets", mixed(window(10, GLV_13)), FOUR),
    design("GLV, 11 multiples, 2048 buckets", window(12, GLV_11), FOUR),
    design("GLV, mixed, 2048 buckets", mixed(window(12, GLV)), FOUR),
    design("GLV, 10 multiples, mixed, 4096 buckets", mixed(window(13, GLV_10)), FOUR),
    design("GLV, 11 multiples, 6 elements, 2048 buckets", elements(6, window(12, GLV_11)), BARE),
    design("GLV, 12 multiples, 4 elements", elements(4, GLV_12), BARE),
];
const SIGNED_13: MsmSpec = MsmSpec { multiples: 13, ..SIGNED };
const GLV_13: MsmSpec = MsmSpec { multiples: 13, ..GLV };
const GLV_11: MsmSpec = MsmSpec { multiples: 11, ..GLV };
const GLV_10: MsmSpec = MsmSpec { multiples: 10, ..GLV };

/// Memories by preset, with a name, and whether all designs are compared with it.
const MEMORIES: [(&str, &str, bool); 3] = [
    ("paper", "48 B/cycle", true),
    ("ddr5_4800", "DDR5-4800, 38.4 GB/s", true),
    ("ddr5_4800_x2", "two of DDR5-4800", false),
];

/// The cycles and joules of an operator.
#[derive(Clone, Copy, Default)]
struct OperatorCost {
    cycles: f64,
    joules: f64,
    /// Joules if idle cycles cost nothing but leakage.
    gated: f64,
}

impl OperatorCost {
    fn of(spec: &MachineSpec, account: &Account) -> Self {
        let cost = price(account, spec);
        Self { cycles: account.cycles as f64, joules: cost.energy_j, gated: cost.energy_gated_j }
    }

    fn plus(self, times: f64, other: Self) -> Self {
        Self {
            cycles: self.cycles + times * other.cycles,
            joules: self.joules + times * other.joules,
            gated: self.gated + times * other.gated,
        }
    }
}

/// An operator simulated at two sizes, for linear extrapolation.
struct Line {
    /// Binary logarithm of the larger size; the other size is half of it.
    log2_n: u32,
    half: OperatorCost,
    whole: OperatorCost,
}

impl Line {
    fn of(
        spec: &MachineSpec,
        log2_n: u32,
        run: impl Fn(u32) -> Result<Account, LabError>,
    ) -> Result<Self, LabError> {
        let at = |log2_n| Ok::<_, LabError>(OperatorCost::of(spec, &run(log2_n)?));
        Ok(Self { log2_n, half: at(log2_n - 1)?, whole: at(log2_n)? })
    }

    fn at(&self, log2_n: u32) -> OperatorCost {
        let halves = 2.0 * (2f64.powi(log2_n as i32 - self.log2_n as i32) - 1.0);
        self.whole.plus(halves, self.whole).plus(-halves, self.half)
    }
}

/// The cost of a transform, by the parameters that it depends on.
struct Transform<'a> {
    poly: PolySpec,
    preset: &'a str,
    /// The cost at each size of a proof.
    cost: Vec<OperatorCost>,
}

/// A design with its results.
struct EvaluatedDesign {
    name: &'static str,
    about: String,
    area: f64,
    /// The cost of a multi-scalar multiplication in G1 and of a proof, by size.
    g1: Vec<OperatorCost>,
    proofs: Vec<OperatorCost>,
    hz: f64,
}

/// Binary logarithm of the larger size at which multi-scalar multiplications are simulated.
const LINE: u32 = 14;

fn specs() -> Vec<(&'static str, MachineSpec)> {
    let paper = MachineSpec::paper();
    let of = |d: &Design| (d.name, MachineSpec { msm: d.msm, poly: d.poly, ..paper.clone() });
    DESIGNS.iter().map(of).chain([(PROPOSED, MachineSpec::best())]).collect()
}

fn about(spec: &MachineSpec) -> String {
    let msm = &spec.msm;
    let plan = msm.plan(Group::G1, 255);
    format!(
        "{} elements, {:?} formula, {} digits of {} and {} bits a point, {} windows a fetch, {} multiples in DRAM, \
         buckets in {} words, {} butterflies",
        ChipShape::of(spec).elements,
        msm.formula,
        plan.halves * plan.digits,
        msm.window_g1,
        msm.window_g2,
        msm.windows_per_fetch,
        plan.levels,
        msm.bucket_words,
        4 * spec.poly.groups,
    )
    .to_lowercase()
}

fn vectors(spec: &MachineSpec, log2_n: u32, seed: u64) -> Result<Account, LabError> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let [mut a, b, c] =
        [(); 3].map(|()| (0..1u64 << log2_n).map(|_| Fr::random(&mut rng)).collect::<Vec<_>>());
    let first = Bls12_381::vector(spec, OperatorOptions::default(), &mut a, &[(VectorOp::Mul, &b)])?;
    let operands: [(VectorOp, &[Fr]); 2] = [(VectorOp::Mul, &b), (VectorOp::Sub, &c)];
    Ok(first.then(&Bls12_381::vector(spec, OperatorOptions::default(), &mut a, &operands)?))
}

fn found(
    name: &'static str,
    spec: &MachineSpec,
    transform: &Transform<'_>,
    sizes: &[u32],
    seed: u64,
) -> Result<EvaluatedDesign, LabError> {
    let msm = |group| Line::of(spec, LINE, |log2_n| chip::msm(spec, group, log2_n, Schedule::Hidden, seed));
    let (g1, g2) = (msm(Group::G1)?, msm(Group::G2)?);
    let vectors = Line::of(spec, LINE, |log2_n| vectors(spec, log2_n, seed))?;
    let proofs = sizes
        .iter()
        .zip(&transform.cost)
        .map(|(&n, transform)| vectors.at(n).plus(6.0, *transform).plus(4.0, g1.at(n)).plus(1.0, g2.at(n)));
    let proofs = proofs.collect();
    let area = ChipArea::of(spec, &ChipShape::of(spec)).core_mm2();
    let hz = pairwright_chip::power::clock_hz(spec);
    Ok(EvaluatedDesign {
        name,
        about: about(spec),
        area,
        g1: sizes.iter().map(|&n| g1.at(n)).collect(),
        proofs,
        hz,
    })
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    // Tests of the lab run two designs at the smaller size and compare with the numbers of the full run.
    let sizes = if context.quick { &[16][..] } else { &[16, chip::LARGEST] };
    let seed = context.seed;
    let mut outcome = Outcome::default();
    context.begin("cp/explore", 2 * MEMORIES.len());
    for (preset, memory, all) in MEMORIES {
        let at = |spec: MachineSpec| spec.with("dram.preset", preset);
        let specs = specs()
            .into_iter()
            .filter(|(name, _)| (all && !context.quick) || [PUBLISHED, PROPOSED].contains(name));
        let specs = specs.map(|(name, spec)| Ok((name, at(spec)?))).collect::<Result<Vec<_>, LabError>>()?;
        context.step(&format!("transforms, {memory}"));
        let mut kinds: Vec<&MachineSpec> = Vec::new();
        for (_, spec) in &specs {
            if kinds.iter().all(|known| known.poly != spec.poly) {
                kinds.push(spec);
            }
        }
        let transform = |spec: &&MachineSpec| {
            let cost = |log2_n| {
                let account = chip::coset_ntt(spec, log2_n, Schedule::Hidden, Method::Merged)?;
                Ok::<_, LabError>(OperatorCost::of(spec, &account))
            };
            let cost = sizes.iter().map(|&n| cost(n)).collect::<Result<_, _>>()?;
            Ok(Transform { poly: spec.poly, preset, cost })
        };
        let transforms: Vec<Transform<'_>> =
            context.pool().install(|| kinds.par_iter().map(transform).collect::<Result<_, LabError>>())?;
        context.step(&format!("multi-scalar multiplications, {memory}"));
        let one = |(name, spec): &(&'static str, MachineSpec)| {
            let fits = |t: &&Transform<'_>| t.poly == spec.poly && t.preset == preset;
            transforms.iter().find(fits).map(|transform| found(name, spec, transform, sizes, seed))
        };
        let all: Vec<EvaluatedDesign> =
            context.pool().install(|| specs.par_iter().filter_map(one).collect::<Result<_, LabError>>())?;
        for (k, log2_n) in sizes.iter().enumerate() {
            add_rows(&mut outcome.rows, memory, *log2_n, &all, k);
        }
    }
    Ok(outcome)
}

/// Adds the rows of all designs with one memory at the `k`-th size.
fn add_rows(rows: &mut Vec<Row>, memory: &str, log2_n: u32, all: &[EvaluatedDesign], k: usize) {
    let ms = |cost: &OperatorCost, f: &EvaluatedDesign| 1e3 * cost.cycles / f.hz;
    let proof = |f: &EvaluatedDesign| ms(&f.proofs[k], f);
    let values: [(&str, &str, &dyn Fn(&EvaluatedDesign) -> f64); 5] = [
        ("proof", "ms", &proof),
        ("G1 MSM", "ms", &|f| ms(&f.g1[k], f)),
        ("area and time of a proof", "ms mm2", &|f| proof(f) * f.area),
        ("core energy of a proof", "mJ", &|f| 1e3 * f.proofs[k].joules),
        ("core energy of a proof, gated", "mJ", &|f| 1e3 * f.proofs[k].gated),
    ];
    for (what, unit, value) in values {
        let what = format!("{what} of 2^{log2_n}, {memory}");
        for design in all {
            let (area, ours) = (design.area, value(design));
            // A design is on the frontier if no other is both no larger and faster, or as fast and smaller.
            let beaten = all
                .iter()
                .any(|o| (o.area <= area && value(o) < ours) || (o.area < area && value(o) <= ours));
            let series = match design.name {
                PUBLISHED => PUBLISHED,
                _ if !beaten => "frontier",
                _ => "beaten",
            };
            let labels = Labels { quantity: &what, operation: design.name, unit };
            let row = labels.modelled(series, ours, &design.about);
            let (x, x_name) = (Some(decimals(area, 3)), "area, mm2".to_owned());
            rows.push(Row { log2_n: Some(log2_n), x, x_name, ..row });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_on() {
        let cost = |cycles: f64| OperatorCost { cycles, joules: 2.0 * cycles, gated: cycles };
        let line = Line { log2_n: 4, half: cost(10.0 + 3.0 * 8.0), whole: cost(10.0 + 3.0 * 16.0) };
        for log2_n in [3, 4, 6, 20] {
            let expected = 10.0 + 3.0 * f64::from(1u32 << log2_n);
            assert_eq!((line.at(log2_n).cycles, line.at(log2_n).joules), (expected, 2.0 * expected));
        }
    }

    #[test]
    fn every_design_can_be_built() {
        for (name, spec) in specs() {
            for group in [Group::G1, Group::G2] {
                spec.msm.check(group).unwrap_or_else(|why| panic!("{name}: {why}"));
            }
            spec.poly.check().unwrap();
        }
    }
}
