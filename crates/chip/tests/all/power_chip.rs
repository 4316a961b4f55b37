//! Area and energy of the whole chip: the figures that [CP] prints are reproduced for its own shape, and other shapes differ
//! in the expected direction.

use pairwright_chip::isa::Group;
use pairwright_chip::operator::{OperatorOptions, Scalars};
use pairwright_chip::power::*;
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::Shape;
use pairwright_chip::{Clock, MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

fn chip() -> ChipShape {
    ChipShape::published()
}

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value / expected - 1.0).abs() <= tolerance, "{value} is not within {tolerance} of {expected}");
}

fn at(volts: f64) -> MachineSpec {
    MachineSpec { clock: Clock { hz: frequency_hz(volts), volts }, ..MachineSpec::paper() }
}

fn mm2(shape: &ChipShape) -> f64 {
    ChipArea::of(&MachineSpec::paper(), shape).core_mm2()
}

#[test]
fn the_published_chip() {
    let area = ChipArea::of(&MachineSpec::paper(), &chip());
    close(area.core_mm2(), CORE_MM2, 1e-12);
    close(area.mm2(ChipPart::Elements) / CORE_MM2, PE_AREA_SHARE, 1e-12);
    close(area.core_mm2() + area.ddr_mm2, SOC_MM2, 1e-12);
    assert!(area.components.iter().all(|c| c.mm2 > 0.0 && !c.source.is_empty()), "{area:?}");
    assert!(area.components.windows(2).all(|pair| pair[0].part < pair[1].part));
    // The unknown rest is less than a ninth of the chip.
    assert!(area.mm2(ChipPart::Floor) < 0.11 * CORE_MM2);
    // The same memories as in figure 22.
    for (part, name) in [
        (ChipPart::BanksAb, "Banks_A and Banks_B"),
        (ChipPart::BanksC, "Banks_C"),
        (ChipPart::Buckets, "bucket memory"),
        (ChipPart::PairingBanks, "pairing: Bank0-2"),
        (ChipPart::Elements, "12 processing elements"),
    ] {
        let block = chip_blocks().into_iter().find(|b| b.name == name).unwrap();
        close(area.mm2(part), block.mm2, 1e-12);
    }
}

#[test]
fn areas_follow_the_shape() {
    let with = |change: &dyn Fn(&mut ChipShape)| {
        let mut shape = chip();
        change(&mut shape);
        mm2(&shape)
    };
    let grown: [&dyn Fn(&mut ChipShape); 14] = [
        &|s| s.elements = 13,
        &|s| s.poly.sets = 3,
        &|s| s.poly.ab_words = 256,
        &|s| s.poly.c_banks = 8,
        &|s| s.poly.network_multiplexers = 56,
        &|s| s.poly.twiddle_words = 2048,
        &|s| s.poly.tile_words = 512,
        &|s| s.msm.write_behind = 4,
        &|s| s.msm.conflict = 8,
        &|s| s.memory.streams = 512,
        &|s| s.msm.bucket_memories = 2,
        &|s| s.msm.point_words = 2048,
        &|s| s.msm.glv_elements = 0.25,
        &|s| s.memory.queue_words = 64,
    ];
    for (index, change) in grown.iter().enumerate() {
        assert!(with(*change) > CORE_MM2 + 1e-3, "{index}");
    }
    // Points in separate memories instead of the banks for polynomials: [CP] calls the sharing a saving of memory.
    let own = with(&|s| s.msm.point_words = 2048) - CORE_MM2;
    assert!(own > 0.3 && own < 0.6, "{own}");
    // One more element costs its area and its share of the floor.
    let element = with(&|s| s.elements = 13) - CORE_MM2;
    assert!(element > PE_MM2 && element < 1.2 * PE_MM2, "{element}");
    assert!(with(&|s| s.msm.bucket_words = 512) < CORE_MM2);
    // A second channel is outside of the core.
    let mut two = chip();
    two.memory.ddr_interfaces = 2;
    let area = ChipArea::of(&MachineSpec::paper(), &two);
    close(area.core_mm2(), CORE_MM2, 1e-12);
    close(area.core_mm2() + area.ddr_mm2, SOC_MM2 + DDR_INTERFACE_MM2, 1e-12);
}

#[test]
fn areas_follow_the_design() {
    let of = |changes: &[(&str, &str)]| {
        let spec =
            changes.iter().fold(MachineSpec::paper(), |spec, (path, value)| spec.with(path, value).unwrap());
        ChipArea::of(&spec, &ChipShape::of(&spec)).core_mm2()
    };
    for more in [
        [("msm.bucket_words", "2048")],
        [("msm.write_behind", "4")],
        [("msm.adder_latency", "2")],
        [("msm.elements", "13")],
        [("dma.tile_words", "2048")],
    ] {
        assert!(of(&more) > CORE_MM2 + 1e-3, "{more:?}");
    }
    for less in [[("poly.row_tables", "load")], [("poly.groups", "1")]] {
        assert!(of(&less) < CORE_MM2 - 1e-3, "{less:?}");
    }
    // Eleven products instead of twelve: one element less where no tables are made on it, but points whose bucket is in
    // flight must wait.
    let load = ("poly.row_tables", "load");
    let saved = of(&[load]) - of(&[load, ("msm.formula", "mixed"), ("msm.elements", "11")]);
    assert!(saved > 0.9 * PE_MM2 && saved < 1.3 * PE_MM2, "{saved}");
}

#[test]
fn the_published_transform_is_what_the_processor_counts() {
    let shape = Shape { domain: Domain::<Fr>::new(20).unwrap(), inverse: false, shift: Fr::NON_RESIDUE };
    let options = OperatorOptions { schedule: Schedule::Unhidden, ..OperatorOptions::default() };
    let account = Bls12_381::ntt_watched(&MachineSpec::paper(), &shape, options, &mut |_, _| {}).unwrap();
    assert_eq!(activities(&account).collect::<Vec<_>>(), [ChipActivity::PUBLISHED_NTT]);
}

#[test]
fn the_published_sum_of_points_is_what_the_processor_counts() {
    let scalars: Scalars<Fr> = Box::new(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        Box::new(core::iter::repeat_with(move || Fr::random(&mut rng)))
    });
    let options = OperatorOptions { schedule: Schedule::Hidden, ..OperatorOptions::default() };
    let (spec, watch) = (MachineSpec::paper(), &mut |_: &_, _| {});
    let account = Bls12_381::msm_watched(&spec, Group::G1, options, 1 << 20, scalars, watch).unwrap();
    let counted: Vec<_> = activities(&account).collect();
    let [engine] = counted[..] else { panic!("{counted:?}") };
    // The instructions and the bytes written are the whole run's: no other engine worked in it.
    let counted = ChipActivity {
        l1_words: account.instructions,
        dram_written_bytes: account.dram.write_bytes,
        ..engine
    };
    assert_eq!(counted, ChipActivity::PUBLISHED_MSM);
}

#[test]
fn the_printed_powers_come_out() {
    for (operator, activity) in
        [(&OPERATORS[1], ChipActivity::PUBLISHED_NTT), (&OPERATORS[2], ChipActivity::PUBLISHED_MSM)]
    {
        let cost = ChipCost::of(&at(0.7), &chip(), &activity);
        close(cost.power_w, operator.watts, 1e-9);
        close(cost.energy_j, cost.energy.joules(), 1e-12);
        close(cost.latency_s, activity.cycles as f64 / 300e6, 1e-12);
        // The power grows with voltage as the pairing's does, up to the difference in leakage.
        close(ChipCost::of(&at(1.1), &chip(), &activity).power_w, operator_watts(operator, 1.1), 0.05);
    }
    // The part that the constants of the pairing leave unexplained is less than a sixth.
    for engine in [Engine::Poly, Engine::Msm] {
        assert!((engine_factor(engine) - 1.0).abs() < 1.0 / 6.0, "{engine:?}: {}", engine_factor(engine));
    }
    // 86 % of the power in twelve elements.
    let msm = chip_energy(&at(0.7), &chip(), &ChipActivity::PUBLISHED_MSM);
    close(msm.of(ChipPart::Elements) / (msm.joules() - msm.leakage_j), PE_POWER_SHARE, 0.02);
}

/// Table III's efficiencies follow from PipeZK's 16.7 and 1.14 Gb/J and the factors 1.7 and 6.2.
#[test]
fn powers_over_whole_runs_predict_table_3() {
    let gigabit = f64::from(1 << 30);
    for (activity, bits, printed, off) in [
        (ChipActivity::PUBLISHED_NTT, 256.0, 1.7 * 16.7, 0.02),
        (ChipActivity::PUBLISHED_MSM, 1024.0, 6.2 * 1.14, 0.06),
    ] {
        let energy = chip_energy(&at(0.7), &chip(), &activity);
        let efficiency = |joules: f64| f64::from(1 << 20) * bits / gigabit / joules;
        close(efficiency(energy.joules()), printed, off);
        // Energy of busy cycles alone would promise far more than is printed.
        assert!(efficiency(energy.gated_joules()) > 1.6 * printed);
    }
}

/// A core's side of zero bytes per cycle sets no limit: transfers then take as long as the pins do.
#[test]
fn transfers_are_busy_as_long_as_the_memory_takes() {
    let activity =
        ChipActivity { cycles: 2000, dram_read_bytes: 48_000, ..ChipActivity::idle(Engine::Transfer) };
    let transfers = |bytes_per_cycle| {
        let ddr = at(1.1).with("dram.preset", "ddr5_4800").unwrap();
        let spec = ddr.with("dram.bytes_per_cycle", bytes_per_cycle).unwrap();
        let energy = chip_energy(&spec, &ChipShape::of(&spec), &activity);
        energy.shares.into_iter().find(|s| s.part == ChipPart::Transfers).unwrap().gated_j
    };
    // The pins move 48 bytes in a cycle of 800 MHz.
    close(transfers("0"), transfers("48"), 1e-12);
    close(transfers("1024"), transfers("48"), 1e-12);
    close(transfers("24"), 2.0 * transfers("48"), 1e-12);
}

#[test]
fn a_busy_cycle_costs_what_the_text_says() {
    // All twelve elements busy in every cycle: 86 % of 0.61 W over twelve and 300 MHz are 146 pJ.
    let cycles = 1_000_000;
    let busy = ChipActivity { products_384: 12 * cycles, cycles, ..ChipActivity::idle(Engine::Msm) };
    close(busy.utilisation(&chip()), 1.0, 1e-12);
    let energy = chip_energy(&at(0.7), &chip(), &busy);
    let elements = energy.shares.iter().find(|s| s.part == ChipPart::Elements).unwrap();
    let leakage = energy.leakage_j * 0.8;
    close((elements.gated_j + leakage) / (12 * cycles) as f64, 146e-12, 0.05);
    close(elements.gated_j, elements.work_j + elements.idle_j, 1e-9);
}

#[test]
fn energies_follow_the_activity() {
    let joules = |activity: &ChipActivity| chip_energy(&at(0.9), &chip(), activity).joules();
    let msm = ChipActivity::PUBLISHED_MSM;
    // The same work in half the time costs little more than half.
    let fast = ChipActivity { cycles: msm.cycles / 2, ..msm };
    assert!(joules(&fast) < 0.55 * joules(&msm) && joules(&fast) > 0.5 * joules(&msm));
    for more in [
        ChipActivity { products_384: 2 * msm.products_384, ..msm },
        ChipActivity { ab_accesses: 1 << 30, ..msm },
        ChipActivity { point_accesses: 2 * msm.point_accesses, ..msm },
        ChipActivity { borrowed_cycles: msm.cycles, ..msm },
        ChipActivity { bucket_accesses: 2 * msm.bucket_accesses, ..msm },
        ChipActivity { padds: 2 * msm.padds, ..msm },
        ChipActivity { digit_accesses: 2 * msm.digit_accesses, ..msm },
        ChipActivity { dram_read_bytes: 2 * msm.dram_read_bytes, ..msm },
        ChipActivity { l1_words: 2 * msm.l1_words, ..msm },
    ] {
        assert!(joules(&more) > joules(&msm), "{more:?}");
    }
    // A narrow product costs less than a wide one; a component that an engine does not reserve costs nothing.
    let wide = ChipActivity { products_384: 4000, cycles: 1000, ..ChipActivity::idle(Engine::Poly) };
    let narrow = ChipActivity { products_256: 4000, products_384: 0, ..wide };
    assert!(joules(&narrow) < joules(&wide));
    assert_eq!(chip_energy(&at(0.9), &chip(), &wide).of(ChipPart::Buckets), 0.0);
    assert!(joules(&ChipActivity { engine: Engine::Transfer, ..narrow }) < 0.2 * joules(&narrow));
    assert_eq!(ChipActivity::idle(Engine::Msm).utilisation(&chip()), 0.0);
    // An element reserved for a part of the run costs the same, in that part, as one reserved throughout.
    let lent = ChipActivity { borrowed_cycles: 4 * 500, ..wide };
    let more = (joules(&lent) - joules(&wide)) / joules(&wide);
    assert!((0.2..0.25).contains(&more), "{more}: half as long, half as many");
    // The energy of memory is counted per bit, separately.
    let energy = chip_energy(&at(0.9), &chip(), &msm);
    close(energy.dram_j, msm.dram_bytes() as f64 * 8.0 * 20.3e-12, 0.001);
    // A sum of runs is the sum of their parts.
    let ntt = chip_energy(&at(0.9), &chip(), &ChipActivity::PUBLISHED_NTT);
    let mut sum = ChipEnergy::default();
    sum += &energy;
    sum += &ntt;
    close(sum.joules(), energy.joules() + ntt.joules(), 1e-12);
    close(sum.gated_joules(), energy.gated_joules() + ntt.gated_joules(), 1e-12);
    close(sum.dram_j, energy.dram_j + ntt.dram_j, 1e-12);
    assert!(sum.shares.windows(2).all(|pair| pair[0].part < pair[1].part));
}
