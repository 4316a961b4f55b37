//! Figure 6 with the paper's own baseline: the code of HyperPlonk and arkworks, measured by `bench` on two cores.

use super::sweep::{self, PES, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_mtu::{Job, Workload};

/// The report of the measurement.
const MEASURED: &str = include_str!("../../../../bench/results/2026-11-22-trees.md");

/// A workload with the report's operator and peer for it. The report has the peer's times beside both of our
/// traversals; the smaller time is used.
const PEERS: [(Workload, &str, &str); 4] = [
    (Workload::BuildMle, "eq table", "HyperPlonk's loop"),
    (Workload::MleEval, "mle eval", "arkworks"),
    (Workload::ProductMle, "product tree", "loop over ark-ff"),
    (Workload::Merkle, "sha3 tree", "tiny-keccak"),
];

/// Parses a time in milliseconds in the report's notation, such as "67.93 ms".
fn milliseconds(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let factor = match unit {
        "s" => 1e3,
        "ms" => 1.0,
        "µs" => 1e-3,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| factor * number)
}

/// The least time of a peer in milliseconds, at 2^20 on a number of threads.
fn peer(operator: &str, peer: &str, threads: &str) -> Option<f64> {
    let rows = MEASURED.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, "2^20", on, who, _, _, least, ..] = cells[..] else { return None };
        let fits = name.split(" (").next() == Some(operator) && on == threads && who == peer;
        if fits { milliseconds(least) } else { None }
    });
    rows.reduce(f64::min)
}

/// The times of a workload's peer on one and on two threads, in milliseconds.
struct Peer {
    workload: Workload,
    name: &'static str,
    one: f64,
    two: f64,
}

impl Peer {
    /// The exponent of the number of threads in the speed-up.
    fn exponent(&self) -> f64 {
        (self.one / self.two).log2().clamp(0.0, 1.0)
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/baseline", 1);
    context.step("the unit");
    let mut peers = Vec::new();
    for (workload, operator, name) in PEERS {
        let at = |threads| peer(operator, name, threads);
        let (Some(one), Some(two)) = (at("1"), at("2")) else {
            return Err(LabError::NoPeer { operator, peer: name });
        };
        peers.push(Peer { workload, name, one, two });
        for (threads, ms) in [("one thread", one), ("two threads", two)] {
            let place = Labels { quantity: "baseline on the CPU", operation: workload.name(), unit: "ms" };
            let series = format!("{name}, {threads}");
            let row = place.row(
                Kind::Estimated,
                "bench",
                &series,
                ms,
                "bench/results/2026-11-22-trees.md, the minimum",
            );
            outcome.keep(row).log2_n = Some(sweep::LOG_SIZE);
        }
    }
    for gb in [64, 1024] {
        let points: Vec<_> = peers.iter().flat_map(|peer| PES.map(|pes| (peer, pes))).collect();
        let job = |workload| Job::new(workload, sweep::LOG_SIZE);
        let runs: Vec<_> = points.iter().map(|(peer, pes)| (unit(*pes, gb), job(peer.workload))).collect();
        let times: Vec<f64> =
            sweep::all(context, &runs)?.iter().map(|account| 1e3 * account.seconds()).collect();
        let mean = |cpu: &dyn Fn(&Peer, u32) -> f64| {
            let each = points.iter().zip(&times).map(|((peer, pes), ms)| cpu(peer, *pes) / ms);
            each.sum::<f64>() / points.len() as f64
        };
        let still = mean(&|peer, _| peer.one);
        let measured = mean(&|peer, threads| peer.one / f64::from(threads).powf(peer.exponent()));
        let perfect = mean(&|peer, threads| peer.one / f64::from(threads));
        let texts = peers
            .iter()
            .map(|p| format!("{} {:.1} and {:.1} ms ({})", p.workload.name(), p.one, p.two, p.name));
        let note = format!("on one and two threads: {}", texts.collect::<Vec<_>>().join(", "));
        let extrapolated = "more threads than two by the power of their number that two threads give";
        let operation = format!("{gb} GB/s");
        for (series, value, note) in [
            ("HyperPlonk's and arkworks' code, as if threads did not help", still, note.as_str()),
            ("HyperPlonk's and arkworks' code, threads as measured", measured, extrapolated),
            ("HyperPlonk's and arkworks' code, as if threads scaled perfectly", perfect, ""),
        ] {
            outcome.answer("mean speed-up over the CPU, hybrid", &operation, series, value, note);
        }
        for (peer, pes, ms) in points.iter().zip(&times).map(|((peer, pes), ms)| (peer, pes, ms)) {
            let what = format!("speed-up over the baseline on one thread, {}", peer.workload.name());
            let operation = format!("{pes} PEs");
            let place = Labels { quantity: &what, operation: &operation, unit: "x" };
            let note = format!("{:.2} ms against {ms:.4} ms modelled", peer.one);
            let row =
                place.row(Kind::Estimated, "model and bench", &format!("{gb} GB/s"), peer.one / ms, &note);
            outcome.keep(row).log2_n = Some(sweep::LOG_SIZE);
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_every_peer() {
        assert_eq!(peer("eq table", "HyperPlonk's loop", "1"), Some(67.93));
        assert_eq!(peer("sha3 tree", "tiny-keccak", "1"), Some(397.69));
        for (_, operator, name) in PEERS {
            assert!(
                ["1", "2"].into_iter().all(|threads| peer(operator, name, threads).is_some()),
                "{operator}"
            );
        }
        assert_eq!((peer("eq table", "nobody", "1"), milliseconds("3 h")), (None, None));
    }
}
