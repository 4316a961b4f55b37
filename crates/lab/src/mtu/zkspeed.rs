//! zkSpeed's sumcheck engine as a design: cycles and products of its authors' model, compared with the engine modelled
//! here with its parameters (`crates/mtu/specs/zkspeed.toml`, where each is marked as printed or not).

use crate::LabError;
use crate::experiment::{Context, Outcome};
use pairwright_mtu::sumcheck::{Shape, SumcheckConfig, simulate};

/// log2 of the number of gates.
const VARIABLES: u32 = 24;

/// A sumcheck of HyperPlonk: its tables, and the degrees of its terms.
struct Check {
    name: &'static str,
    tables: usize,
    degrees: &'static [usize],
}

/// The sumchecks of a proof with vanilla gates. ZeroCheck: five selectors, three wires and eq. PermCheck: the product
/// table and its two halves, the fraction table, three numerators and three denominators, and eq. OpenCheck: six
/// tables, each with an eq.
const CHECKS: [Check; 3] = [
    Check { name: "ZeroCheck", tables: 9, degrees: &[3, 3, 4, 3, 2] },
    Check { name: "PermCheck", tables: 11, degrees: &[2, 3, 5, 4] },
    Check { name: "OpenCheck", tables: 12, degrees: &[2, 2, 2, 2, 2, 2] },
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let packed = SumcheckConfig::zkspeed();
    let mut padded = SumcheckConfig { word_bits: 256, ..packed };
    padded.dram.bytes_per_cycle = 2000;
    context.begin("mtu/zkspeed", CHECKS.len());
    for Check { name, tables, degrees } in CHECKS {
        context.step(name);
        let shape = Shape { tables, degrees: degrees.to_vec() };
        let ours = simulate(&packed, &shape, VARIABLES)?;
        let evaluated = "two pairs a cycle, inferred from this number; what fills the pipeline is ours, fewer cycles a round";
        outcome.answer("cycles of evaluations", name, "model", ours.evaluation_cycles as f64, evaluated);
        let bound = "memory bounds them: three entries for each that is written; ours waits for the last write of a round";
        let open = "; a twelfth table here, where the printed cycles are those of eleven";
        let bound = if tables == 12 { format!("{bound}{open}") } else { bound.to_owned() };
        let said = "2^41 bytes a second, 255 bits an entry: ";
        outcome.answer(
            "cycles of updates",
            name,
            "model, 2^41 bytes a second",
            ours.update_cycles as f64,
            &format!("{said}{bound}"),
        );
        let cycles = simulate(&padded, &shape, VARIABLES)?.update_cycles as f64;
        let said = "2·10^12 bytes a second, 32 bytes an entry: ";
        outcome.answer(
            "cycles of updates",
            name,
            "model, 2·10^12 bytes a second",
            cycles,
            &format!("{said}{bound}"),
        );
        let counted = ours.evaluation_products + ours.update_products;
        let note = "counted in the run: a term of degree d at d + 1 points, and a product for each entry that is written";
        outcome.answer("products and updates", name, "counted in the run", counted as f64, note);
        let extended: usize = degrees.iter().map(|d| d * (d - 1)).sum();
        let pairs = ours.update_products / tables as u64;
        let note = "and a product for each factor at each point beyond 1, which the engine here extends to by additions";
        outcome.answer(
            "all products",
            name,
            "counted, extensions by products",
            (counted + pairs * extended as u64) as f64,
            note,
        );
        outcome.answer(
            "all products",
            name,
            "counted in the run",
            counted as f64,
            "extensions are additions here",
        );
    }
    Ok(outcome)
}
