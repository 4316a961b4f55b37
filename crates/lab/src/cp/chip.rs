//! Functions shared by the experiments on the whole chip: operators at a size on a design, and the CPU's times for
//! comparison.

use crate::LabError;
use crate::experiment::Context;
use crate::row::Row;
use pairwright_chip::isa::Group;
use pairwright_chip::machine::top::Account;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{OPERATING_POINTS, frequency_hz};
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_device::Bound;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// The binary logarithm of the largest size of full figures; tests of the lab use smaller ones, see [`sizes`].
pub(super) const LARGEST: u32 = 20;

/// Every other binary logarithm of the sizes from `least` on; only small ones for tests of the lab.
pub(super) fn sizes(context: &Context<'_>, least: u32) -> impl Iterator<Item = u32> + use<> {
    (least..=if context.quick { 14 } else { LARGEST }).step_by(2)
}

/// The published design with some parameters changed.
pub(super) fn design(changes: &[(&str, &str)]) -> Result<MachineSpec, LabError> {
    let set = |spec: MachineSpec, (path, value): &(&str, &str)| spec.with(path, value);
    Ok(changes.iter().try_fold(MachineSpec::paper(), set)?)
}

/// A design at a voltage, with the highest clock that the voltage allows.
pub(super) fn at_volts(spec: &MachineSpec, volts: f64) -> MachineSpec {
    let printed = OPERATING_POINTS.iter().find(|(v, _)| *v == volts);
    let hz = printed.map_or_else(|| frequency_hz(volts), |(_, hz)| *hz);
    MachineSpec { clock: pairwright_chip::Clock { hz, volts }, ..spec.clone() }
}

/// The name of a transfer schedule in the figures.
pub(super) const fn name(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Unhidden => "unhidden",
        Schedule::Hidden => "hidden",
    }
}

/// A forward transform of 2^`log2_n` points of BLS12-381's Fr on the coset of 7.
pub(super) fn coset_ntt(
    spec: &MachineSpec,
    log2_n: u32,
    schedule: Schedule,
    method: Method,
) -> Result<Account, LabError> {
    let domain = Domain::<Fr>::new(log2_n)?;
    let shape = Shape { domain, inverse: false, shift: Fr::NON_RESIDUE };
    Ok(Bls12_381::ntt_watched(spec, &shape, OperatorOptions { schedule, method }, &mut |_, _| {})?)
}

/// An MSM of 2^`log2_n` points with random scalars.
pub(super) fn msm(
    spec: &MachineSpec,
    group: Group,
    log2_n: u32,
    schedule: Schedule,
    seed: u64,
) -> Result<Account, LabError> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let scalars: Vec<Fr> = (0..1u64 << log2_n).map(|_| Fr::random(&mut rng)).collect();
    let options = OperatorOptions { schedule, ..OperatorOptions::default() };
    Ok(Bls12_381::msm_timing(spec, group, options, &scalars)?)
}

/// A row with its size set, for figures whose operations are sizes.
pub(super) fn sized(row: Row, log2_n: u32) -> Row {
    Row { log2_n: Some(log2_n), ..row }
}

/// The name of a limit in notes.
pub(super) const fn bound_by(bound: Bound) -> &'static str {
    match bound {
        Bound::Compute => "compute-bound",
        Bound::Both => "bound by both",
        Bound::Memory => "memory-bound",
    }
}

/// A note that states what limits a run, with the cycles of its transfers, and the busy and waiting cycles of its
/// busiest elements.
pub(super) fn bound(account: &Account) -> String {
    let (which, busiest) = (bound_by(account.bound()), account.busiest());
    format!(
        "{which}: transfers {} cycles, engine {}, which waits {} for memory",
        account.busy.dma, busiest.work, busiest.waits.memory
    )
}

/// Times on a CPU that `bench/` measured, on one core or on all cores of the machine.
pub(super) mod cpu {
    use serde::Deserialize;

    /// The result files, newest first.
    const FILES: [(&str, &str); 4] = [
        ("2026-11-23-all", include_str!("../../../../bench/results/2026-11-23-all.json")),
        ("2026-11-21-ntt", include_str!("../../../../bench/results/2026-11-21-ntt.json")),
        ("2026-11-20-msm", include_str!("../../../../bench/results/2026-11-20-msm.json")),
        ("2026-11-21-apps", include_str!("../../../../bench/results/2026-11-21-apps.json")),
    ];

    #[derive(Deserialize)]
    struct File {
        rows: Vec<Measured>,
    }

    /// A measurement: the least seconds of several runs, ours and the peer's.
    #[derive(Clone, Deserialize)]
    pub(in crate::cp) struct Measured {
        operator: String,
        size: String,
        threads: u32,
        peer: String,
        pub(in crate::cp) ours_min: f64,
        pub(in crate::cp) peer_min: f64,
    }

    /// The seconds of an operator on two cores, ours and arkworks', at a size (`2^20`; for an application its
    /// constraints), and the file that contains them.
    pub(in crate::cp) fn seconds(operator: &str, size: &str) -> Option<(Measured, &'static str)> {
        beside("arkworks", operator, size)
    }

    /// Like [`seconds`], but with a named peer.
    pub(in crate::cp) fn beside(peer: &str, operator: &str, size: &str) -> Option<(Measured, &'static str)> {
        FILES.iter().find_map(|(name, text)| {
            let rows = serde_json::from_str::<File>(text).ok()?.rows;
            let fits =
                |m: &Measured| m.operator == operator && m.size == size && m.threads == 2 && m.peer == peer;
            Some((rows.into_iter().find(fits)?, *name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpus_times_are_found() {
        for (operator, size) in [
            ("BLS12-381 Fr coset ntt", "2^20"),
            ("BLS12-381 G1", "2^20"),
            ("BLS12-381 G2", "2^18"),
            ("BLS12-381 tree256, groth16 prove", "61200"),
        ] {
            let (found, _) = cpu::seconds(operator, size).unwrap();
            assert!(found.ours_min > 0.0 && found.peer_min > found.ours_min, "{operator}");
        }
        assert!(cpu::seconds("BLS12-381 G1", "2^19").is_none());
    }

    #[test]
    fn printed_operating_points_are_met() {
        let clock = at_volts(&MachineSpec::paper(), 0.9).clock;
        assert_eq!((clock.hz, clock.volts), (500e6, 0.9));
    }
}
