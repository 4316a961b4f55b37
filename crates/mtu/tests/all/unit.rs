//! Compares the clocked unit with the plain operators, with the paper's schedules, and with itself without values.

use pairwright_curve::{bls12_381::Bls12_381, bls12_381::Fr, bn254};
use pairwright_device::{Bound, Cost, Device, DeviceError, Time, Transfer, TreeOp, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_hash::{Compress, Sha3};
use pairwright_mtu::{
    Account, CycleNodes, Job, Mtu, MtuError, Schedule, Traversal, TreeDir, UnitConfig, Workload, build_eq,
    hash_leaves, mle_eval, reduce, schedule_table, simulate, simulate_traced,
};
use pairwright_poly::{Buf, mle};
use proptest::prelude::*;

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn random<F: Field>(n: usize, seed: u64) -> Vec<F> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut values: Vec<F> = (0..n).map(|_| F::random(&mut rng)).collect();
    // The edge cases come first: 0, 1 and p - 1.
    let edges = [F::ZERO, F::ONE, -F::ONE];
    values.iter_mut().zip(edges).for_each(|(value, edge)| *value = edge);
    values
}

/// One unit of every kind that a small tree can distinguish.
fn units() -> Vec<UnitConfig> {
    let paper = UnitConfig::paper();
    let slow =
        UnitConfig { hash_ii: 12, mul_latency: 3, add_latency: 2, ..paper.with_pes(4).with_bandwidth(24) };
    let filled = UnitConfig { schedule: Schedule::Filled, ..paper.with_pes(8).with_bandwidth(64) };
    let narrow = UnitConfig { block_bytes: 64, input_bytes: 1024, output_bytes: 1024, ..paper.with_pes(8) };
    let on_chip = UnitConfig { level_bytes: 1 << 14, ..paper.with_pes(2).with_bandwidth(128) };
    let strict = UnitConfig { ruler_levels: 62, ..paper.with_pes(2) };
    vec![paper, slow, filled, narrow, on_chip, strict]
}

/// Checks that a run with values has the account of the run without them.
fn agree(ours: &Account, config: &UnitConfig, job: &Job) {
    assert_eq!(ours, &simulate(config, job).unwrap(), "{job:?}");
}

fn fields_agree<F: PrimeField>(sizes: core::ops::RangeInclusive<u32>) {
    for config in units() {
        for (traversal, log_size) in
            Traversal::ALL.into_iter().flat_map(|t| sizes.clone().map(move |n| (t, n)))
        {
            let config = config.traversing(traversal);
            let what = format!("{traversal:?} 2^{log_size} on {config:?}");
            let job = |workload| Job::new(workload, log_size);
            let r = random::<F>(log_size as usize, 1);
            let table = random::<F>(1 << log_size, 2);

            let (eq, account) = build_eq(&config, &r).unwrap();
            assert_eq!(eq, mle::build_eq(&r), "{what}");
            agree(&account, &config, &job(Workload::BuildMle));

            let (value, account) = mle_eval(&config, &table, &r).unwrap();
            assert_eq!(value, mle::mle_eval(&table, &r), "{what}");
            agree(&account, &config, &job(Workload::MleEval));

            let (root, account) = reduce(&config, Workload::Product, &table, |_, a, b| a * b).unwrap();
            assert_eq!(root, [table.iter().fold(F::ONE, |x, y| x * *y)], "{what}");
            agree(&account, &config, &job(Workload::Product));

            let (nodes, account) = reduce(&config, Workload::ProductMle, &table, |_, a, b| a * b).unwrap();
            if log_size > 0 {
                assert_eq!(nodes, mle::product_tree(&table).into_nodes(), "{what}");
            }
            agree(&account, &config, &job(Workload::ProductMle));
        }
    }
}

#[test]
fn every_traversal_gives_the_plain_results() {
    fields_agree::<Fr>(0..=8);
    fields_agree::<bn254::Fr>(3..=4);
}

#[test]
fn a_large_tree_gives_the_plain_results() {
    let (config, r, table) = (UnitConfig::paper(), random::<Fr>(13, 3), random::<Fr>(1 << 13, 4));
    assert_eq!(build_eq(&config, &r).unwrap().0, mle::build_eq(&r));
    let (nodes, account) = reduce(&config, Workload::ProductMle, &table, |_, a, b| a * b).unwrap();
    assert_eq!(nodes, mle::product_tree(&table).into_nodes());
    agree(&account, &config, &Job::new(Workload::ProductMle, 13));
}

#[test]
fn hashes_of_every_traversal_and_interval() {
    let leaves: Vec<_> = (0..64u8).map(|i| Sha3::leaf(&[i])).collect();
    let plain = mle::reduce(&leaves, |a, b| Sha3.compress(a, b));
    for hash_ii in [1, 12, 24] {
        let config = UnitConfig { hash_ii, ..UnitConfig::paper().with_pes(8) };
        for traversal in Traversal::ALL {
            let config = config.traversing(traversal);
            let combine = |_, a, b| Sha3.compress(&a, &b);
            let (root, account) = reduce(&config, Workload::Merkle, &leaves, combine).unwrap();
            assert_eq!(Some(&root[0]), plain.root());
            assert_eq!((account.operations.hashes, account.operations.products), (63, 0));
            let (nodes, _) = reduce(&config, Workload::MerkleLevels, &leaves, combine).unwrap();
            assert_eq!(nodes, plain.nodes());
        }
    }
}

#[test]
fn operations_are_those_of_the_paper() {
    for traversal in Traversal::ALL {
        for log_size in 1..=12 {
            let n = 1u64 << log_size;
            let config = UnitConfig::paper().traversing(traversal);
            let of = |workload| simulate(&config, &Job::new(workload, log_size)).unwrap();
            // 2^(μ+1) - 4 products of the tree, half of them spared by the subtraction.
            assert_eq!(2 * of(Workload::BuildMle).operations.products, 2 * n - 4);
            for workload in [Workload::MleEval, Workload::Product, Workload::ProductMle] {
                assert_eq!(of(workload).operations.products, n - 1, "{workload:?}");
            }
            assert_eq!(of(Workload::MleEval).operations.sums, 2 * (n - 1));
            let account = of(Workload::Merkle);
            assert_eq!(account.operations.hashes, n - 1);
            assert_eq!(account.elements.iter().map(|e| e.issued).sum::<u64>(), n - 1);
        }
    }
}

#[test]
fn traffic_is_what_the_traversal_must_move() {
    let (log_size, n) = (14u32, 1u64 << 14);
    let words = |workload, traversal| {
        let config = UnitConfig::paper().traversing(traversal);
        let account = simulate(&config, &Job::new(workload, log_size)).unwrap();
        (account.dram.read_bytes / 32, account.dram.write_bytes / 32)
    };
    let challenges = u64::from(log_size);
    for once in [Traversal::Dfs, Traversal::Hybrid] {
        assert_eq!(words(Workload::BuildMle, once), (challenges, n));
        assert_eq!(words(Workload::MleEval, once), (n + challenges, 1));
        assert_eq!(words(Workload::ProductMle, once), (n, n - 1));
        assert_eq!(words(Workload::Merkle, once), (n, 1));
    }
    // Every level but the first of a forward tree is written, and read but for the last.
    assert_eq!(words(Workload::BuildMle, Traversal::Bfs), (n - 4 + challenges, 2 * n - 4));
    assert_eq!(words(Workload::MleEval, Traversal::Bfs), (2 * n - 2 + challenges, n - 1));
    assert_eq!(words(Workload::Merkle, Traversal::Bfs), (2 * n - 2, n - 1));
    // Levels that fit on the chip stay there, unless they are results.
    let config = UnitConfig { level_bytes: 1 << 20, ..UnitConfig::paper().traversing(Traversal::Bfs) };
    let account = simulate(&config, &Job::new(Workload::Merkle, log_size)).unwrap();
    assert_eq!((account.dram.read_bytes / 32, account.dram.write_bytes / 32), (n, 1));
    assert_eq!(account.sram.levels, (n / 2 + n / 4) * 32);
    let account = simulate(&config, &Job::new(Workload::ProductMle, log_size)).unwrap();
    assert_eq!((account.dram.read_bytes / 32, account.dram.write_bytes / 32), (n, n - 1));
}

/// A row of a table as the paper writes it: level and index of each node in each cell.
fn cells(row: &str) -> Vec<Vec<(u32, u64)>> {
    let node = |cell: &str| {
        let (level, index) = cell.split_once('_')?;
        Some((level.parse().ok()?, index.parse().ok()?))
    };
    row.split_whitespace().map(|cell| node(cell).into_iter().collect()).collect()
}

#[test]
fn the_inverted_accumulator_works_as_table_2_prints() {
    let a = "- 4_0 - 4_2 - 4_4 5_0 4_6 - 4_8 5_2 4_10 6_0 4_12 5_4 4_14 - 4_16 5_6 4_18 6_2 4_20 5_8 4_22 7_0 \
             4_24 5_10 4_26";
    let b = "- 4_1 - 4_3 - 4_5 5_1 4_7 - 4_9 5_3 4_11 6_1 4_13 5_5 4_15 - 4_17 5_7 4_19 6_3 4_21 5_9 4_23 7_1 \
             4_25 5_11 4_27";
    let out = "- - 5_0 - 5_1 - 5_2 6_0 5_3 - 5_4 6_1 5_5 7_0 5_6 6_2 5_7 - 5_8 6_3 5_9 7_1 5_10 6_4 5_11 8_0 \
               5_12 6_5";
    let unit = UnitConfig::paper().with_pes(8);
    let table = schedule_table(&unit, TreeDir::Inverted, 20, 1, 28);
    let inputs: Vec<_> = cells(a).into_iter().zip(cells(b)).map(|(a, b)| [a, b].concat()).collect();
    assert_eq!(table.iter().map(|s| s.inputs.clone()).collect::<Vec<_>>(), inputs);
    assert_eq!(table.iter().map(|s| s.outputs.clone()).collect::<Vec<_>>(), cells(out));
    // A schedule that fills every slot differs from it only later in the run.
    let filled = UnitConfig { schedule: Schedule::Filled, ..unit };
    assert_eq!(schedule_table(&filled, TreeDir::Inverted, 20, 1, 28), table);
}

#[test]
fn the_forward_accumulator_works_as_table_3_prints() {
    // The outputs are printed a cycle after their parent, with 7_0 in cycle 1: so 8_0 enters in cycle 0.
    let input =
        "8_0 - - - 7_0 - 6_0 - - 5_0 6_1 5_1 7_1 5_2 6_2 5_3 8_1 5_4 6_3 5_5 7_2 5_6 6_4 5_7 - 5_8 6_5 5_9";
    let table = schedule_table(&UnitConfig::paper().with_pes(8), TreeDir::Forward, 4, 1, 28);
    assert_eq!(table.iter().map(|s| s.inputs.clone()).collect::<Vec<_>>(), cells(input));
    for (before, after) in table.iter().zip(&table[1..]) {
        let children =
            before.inputs.iter().flat_map(|(level, i)| [(level - 1, 2 * i), (level - 1, 2 * i + 1)]);
        assert_eq!(after.outputs, children.collect::<Vec<_>>(), "cycle {}", after.cycle);
    }
}

#[test]
fn a_pattern_feeds_itself_at_every_latency() {
    let unit = UnitConfig::paper().with_pes(8);
    let busy = |slots: &[CycleNodes]| slots.iter().filter(|s| !s.inputs.is_empty()).count();
    for latency in [1, 2, 7, 30, 64] {
        for direction in [TreeDir::Inverted, TreeDir::Forward] {
            let table = schedule_table(&unit, direction, 16, latency, 6000);
            // After the start almost no slot is idle.
            let busy = busy(&table[4000..]);
            assert!(busy > 1980, "{direction:?} {latency}: {busy}");
        }
    }
}

#[test]
fn hybrid_matches_the_rate_of_its_neighbours() {
    for pes in [2, 8, 32] {
        let config = UnitConfig::paper().with_pes(pes);
        let streamed = |workload: Workload, traversal| {
            let (config, mut job) = (config.traversing(traversal), Job::new(workload, 14));
            match workload.direction() {
                TreeDir::Inverted => job.upstream = Some(pes),
                TreeDir::Forward => job.downstream = Some(pes),
            }
            let account = simulate(&config, &job).unwrap();
            account.upstream.or(account.downstream).unwrap()
        };
        // Nodes of all levels go to memory: 1,024 bytes a cycle at 32 elements, which is all there is.
        let up = streamed(Workload::ProductMle, Traversal::Hybrid);
        assert_eq!((up.words, up.initiation_interval(), up.wait_cycles), (1 << 14, 1.0, 0), "{pes}");
        let down = streamed(Workload::BuildMle, Traversal::Hybrid);
        assert!(down.words == 1 << 14 && down.initiation_interval() < 1.05, "{down:?}");
        // Subtrees computed in the strict order of indices use one element after the other.
        let turns = streamed(Workload::Merkle, Traversal::Dfs);
        assert!((turns.initiation_interval() / f64::from(pes) - 1.0).abs() < 0.01, "{turns:?}");
        let turns = streamed(Workload::BuildMle, Traversal::Dfs);
        assert!(turns.initiation_interval() > f64::from(pes), "{turns:?}");
    }
}

#[test]
fn runtimes_of_full_size() {
    // Cycles of 2^20: the model, pinned, and near the bound of elements or memory: N/P cycles, or N words (Product MLE
    // 2N, breadth-first 3N) of 32 bytes.
    for (workload, traversal, pes, bandwidth, bound, pinned) in [
        (Workload::BuildMle, Traversal::Hybrid, 32, 1024, 32_768, 33_470),
        (Workload::MleEval, Traversal::Hybrid, 32, 1024, 32_768, 33_616),
        (Workload::ProductMle, Traversal::Hybrid, 32, 1024, 65_536, 66_128),
        (Workload::Merkle, Traversal::Hybrid, 32, 1024, 32_768, 33_463),
        (Workload::Merkle, Traversal::Hybrid, 2, 64, 524_288, 525_030),
        (Workload::Merkle, Traversal::Bfs, 2, 64, 1_572_864, 1_573_851),
        (Workload::Merkle, Traversal::Bfs, 32, 1024, 98_304, 100_223),
        (Workload::Merkle, Traversal::Dfs, 16, 1024, 65_536, 66_272),
        (Workload::BuildMle, Traversal::Dfs, 4, 256, 262_144, 262_880),
        (Workload::BuildMle, Traversal::Bfs, 8, 512, 196_608, 197_810),
    ] {
        let config = UnitConfig::paper().with_pes(pes).with_bandwidth(bandwidth).traversing(traversal);
        let account = simulate(&config, &Job::new(workload, 20)).unwrap();
        let over = account.cycles as f64 / f64::from(bound);
        assert!((1.0..1.04).contains(&over), "{workload:?} {traversal:?} {pes}: {} cycles", account.cycles);
        assert_eq!(account.cycles, pinned, "{workload:?} {traversal:?} {pes}");
        // A port for one request per cycle is sufficient, except for the blocks of a few words at the end.
        if traversal == Traversal::Hybrid {
            let one = simulate(&UnitConfig { requests: 1, ..config }, &Job::new(workload, 20)).unwrap();
            assert!(one.cycles.abs_diff(pinned) <= 4, "{workload:?} {pes}: {} cycles", one.cycles);
        }
    }
}

#[test]
fn a_timeline_names_elements_and_nodes() {
    let config = UnitConfig::paper().with_pes(4);
    let job = Job::new(Workload::Merkle, 8);
    let (account, chrome) = simulate_traced(&config, &job, 1000).unwrap();
    assert_eq!(account, simulate(&config, &job).unwrap());
    let mut text = Vec::new();
    chrome.write(&mut text).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let spans = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X");
    let names: Vec<&str> = spans.map(|e| e["name"].as_str().unwrap()).collect();
    // Every node of the tree occurs once, named by its children's level and its own index.
    assert_eq!(names.len(), 255);
    assert!(names.contains(&"L1_127") && names.contains(&"L8_0"));
    assert!(String::from_utf8(text).unwrap().contains("PE 3 (DFS accumulator)"));
}

#[test]
fn what_cannot_be_is_refused() {
    let job = Job::new(Workload::Merkle, 10);
    for (config, field) in [
        (UnitConfig::paper().with_pes(3), "pes"),
        (UnitConfig::paper().with_pes(1), "pes"),
        (UnitConfig { hash_ii: 0, ..UnitConfig::paper() }, "hash_ii"),
        (UnitConfig { input_bytes: 64, ..UnitConfig::paper() }, "input_bytes"),
        (UnitConfig { block_bytes: 33, ..UnitConfig::paper() }, "block_bytes"),
        (UnitConfig::paper().with_bandwidth(0), "bytes_per_cycle"),
    ] {
        let why = simulate(&config, &job).unwrap_err().to_string();
        assert!(why.contains(field), "{why}");
    }
    let large = simulate(&UnitConfig::paper(), &Job { log_size: 60, ..job });
    assert!(matches!(large, Err(MtuError::TooLarge { log_size: 60, .. })));
    let stage = Job { downstream: Some(8), ..job };
    assert!(matches!(
        simulate(&UnitConfig::paper(), &stage),
        Err(MtuError::Stage { place: "downstream", .. })
    ));
    let stage = Job { upstream: Some(65), ..job };
    assert!(matches!(simulate(&UnitConfig::paper(), &stage), Err(MtuError::Stage { words: 65, .. })));
    assert!(build_eq(&UnitConfig::paper(), &vec![Fr::ONE; 40]).is_err());
}

#[test]
fn the_unit_is_a_board_s_tree_slot() {
    let host: Device<Bls12_381> = reference::board();
    let board = pairwright_mtu::board(&UnitConfig::paper().with_pes(8), host.clone());
    assert_eq!(board.name, "cpu+mtu");
    for log_size in [0, 1, 2, 6] {
        let r = random::<Fr>(log_size, 5);
        let table = Buf::from(random::<Fr>(1 << log_size, 6));
        let digests: Buf<_> = (0..1u8 << log_size).map(|i| Sha3::leaf(&[i])).collect();
        let (unit, judge) = (&board.tree, &host.tree);
        let (eq, cost) = unit.build_eq(&r).unwrap();
        assert_eq!(eq, judge.build_eq(&r).unwrap().0);
        let (n, products) = (1u64 << log_size, cost.ops.field_mul);
        assert_eq!((cost.machine, cost.bytes.written, products), ("mtu", 32 * n, n.saturating_sub(2)));
        assert!(matches!(cost.time, Time::Cycles { n, hz: 1_000_000_000, .. } if n > 0));
        assert!(cost.energy.is_some_and(|e| e.0 > 0));
        assert_eq!(unit.mle_eval(table.view(), &r).unwrap().0, judge.mle_eval(table.view(), &r).unwrap().0);
        assert_eq!(unit.product(table.view()).unwrap().0, judge.product(table.view()).unwrap().0);
        assert_eq!(unit.product_tree(table.view()).unwrap().0, judge.product_tree(table.view()).unwrap().0);
        assert_eq!(unit.sha3_root(digests.view()).unwrap().0, judge.sha3_root(digests.view()).unwrap().0);
        assert_eq!(unit.sha3_tree(digests.view()).unwrap().0, judge.sha3_tree(digests.view()).unwrap().0);
    }
}

/// Leaves are sent to the unit once, a table that the unit built is never sent, and its results come back when they are
/// requested.
#[test]
fn what_the_unit_has_is_not_sent_again() {
    let board = pairwright_mtu::board::<Bls12_381>(&UnitConfig::paper().with_pes(8), reference::board());
    let (unit, log) = (&board.tree, &board.logs[0]);
    let transfer = |cost: Cost| cost.transfer.map(|t| (t.to_machine, t.to_host)).unwrap();
    let r = random::<Fr>(6, 5);
    let (eq, cost) = unit.build_eq(&r).unwrap();
    assert_eq!(transfer(cost), (6 * 32, 0));
    assert_eq!(transfer(unit.product(eq.view()).unwrap().1), (0, 32));
    assert!(!eq.on_host());
    assert_eq!(transfer(unit.product_tree(eq.view()).unwrap().1), (0, 63 * 32));
    assert_eq!((eq.len(), log.take_copies()), (64, None));
    assert_eq!(eq.host().unwrap().len(), 64);
    assert_eq!(log.take_copies(), Some((1, Transfer::untimed(0, 64 * 32))));
    let digests: Buf<_> = (0..8u8).map(|i| Sha3::leaf(&[i])).collect();
    assert_eq!(transfer(unit.sha3_root(digests.view()).unwrap().1), (8 * 32, 32));
    assert_eq!(transfer(unit.sha3_tree(digests.view()).unwrap().1), (0, 7 * 32));
    let table = Buf::from(random::<Fr>(1 << 6, 6));
    assert_eq!(transfer(unit.mle_eval(table.view(), &r).unwrap().1), ((64 + 6) * 32, 32));
    assert_eq!(transfer(unit.product_tree(table.slice(..1)).unwrap().1), (0, 0), "a leaf has no inner node");
}

#[test]
fn the_slot_refuses_what_is_no_tree() {
    let unit = Mtu::new(&UnitConfig::paper());
    let odd = Buf::from(vec![Fr::ONE; 3]);
    assert!(matches!(unit.product(odd.view()), Err(DeviceError::NotATree { len: 3, .. })));
    assert!(matches!(unit.product_tree(odd.slice(0..0)), Err(DeviceError::NotATree { len: 0, .. })));
    assert!(matches!(unit.mle_eval(odd.view(), &[Fr::ONE]), Err(DeviceError::LengthMismatch { .. })));
    assert!(matches!(unit.build_eq(&vec![Fr::ONE; 39]), Err(DeviceError::Machine { machine: "mtu", .. })));
}

#[test]
fn what_a_job_waits_for() {
    let table = Buf::from(random::<Fr>(1 << 12, 7));
    for (bandwidth, bound) in [(64, Bound::Memory), (4096, Bound::Compute)] {
        let config = UnitConfig::paper().with_pes(8).with_bandwidth(bandwidth);
        let (_, cost) = Mtu::new(&config).product(table.view()).unwrap();
        assert_eq!(cost.model.unwrap().bound, bound, "{bandwidth}");
    }
}

/// Any valid unit, most of them with unusual parameters.
fn any_unit() -> impl Strategy<Value = UnitConfig> {
    let latencies = (1u32..40, 1u32..4, 1u32..40, 1u32..30);
    let memory = (1u32..300, 0u32..200, 0u32..8, 1u32..20);
    (0u32..7, latencies, memory, any::<bool>(), 1u32..8, 0u32..3, 0u32..3).prop_map(
        |(pes, (mul, add, hash, ii), (bytes, latency, block, in_row), filled, levels, input, output)| {
            let mut config = UnitConfig::paper().with_pes(2 << pes).with_bandwidth(bytes);
            (config.mul_latency, config.add_latency) = (mul, add);
            (config.hash_latency, config.hash_ii) = (hash, ii);
            config.schedule = if filled { Schedule::Filled } else { Schedule::Ruler };
            (config.ruler_levels, config.blocks_in_row) = (levels, in_row);
            config.dram.latency = latency;
            config.block_bytes = 32 << block;
            // The least value that is allowed, or more.
            let least = 2 * config.block_bytes.max(2 * config.pes * config.word_bytes);
            (config.input_bytes, config.output_bytes) = (least << input, least << output);
            config.level_bytes = [0, 1000, 1 << 16][(pes % 3) as usize];
            config
        },
    )
}

proptest! {
    #[test]
    fn every_unit_that_can_be_built_finishes_every_job(
        config in any_unit(),
        workload in 0usize..6,
        traversal in 0usize..3,
        log_size in 0u32..9,
        stage in prop::option::of(1u32..9),
    ) {
        let config = config.traversing(Traversal::ALL[traversal]);
        let mut job = Job::new(Workload::ALL[workload], log_size);
        match job.workload.direction() {
            TreeDir::Inverted => job.upstream = stage,
            TreeDir::Forward => job.downstream = stage,
        }
        let account = match simulate(&config, &job) {
            Ok(account) => account,
            // Whether a stage is allowed depends on the number of elements.
            Err(MtuError::Stage { .. }) => return Ok(()),
            Err(why) => return Err(TestCaseError::fail(why.to_string())),
        };
        let nodes: u64 = account.elements.iter().map(|e| e.issued).sum();
        let n = job.size();
        let wanted = if job.workload == Workload::BuildMle { n.saturating_sub(2) } else { n - 1 };
        prop_assert_eq!(nodes, wanted);
        prop_assert!(account.sram.input <= u64::from(config.input_bytes.max(4 * 9 * config.pes * 32)));
        prop_assert!(account.sram.output <= u64::from(config.output_bytes));
        prop_assert!(account.memory_busy <= account.cycles);
    }
}

#[test]
fn leaves_are_hashed_first_where_that_is_asked() {
    let data: Vec<_> = (0..64u8).map(|i| [i; 32]).collect();
    for hash_ii in [1, 24] {
        for traversal in Traversal::ALL {
            for log_size in 0..=6u32 {
                let config = UnitConfig { hash_ii, ..UnitConfig::paper().with_pes(8) }.traversing(traversal);
                let n = 1u64 << log_size;
                let leaves: Vec<_> = data[..n as usize].iter().map(|datum| Sha3::leaf(datum)).collect();
                let plain = mle::reduce(&leaves, |a, b| Sha3.compress(a, b));
                let (root, account) = hash_leaves(&config, Workload::Merkle, &data[..n as usize]).unwrap();
                assert_eq!(root[0], plain.root().copied().unwrap_or(leaves[0]));
                let (nodes, _) = hash_leaves(&config, Workload::MerkleLevels, &data[..n as usize]).unwrap();
                if log_size > 0 {
                    assert_eq!(nodes, plain.nodes());
                }
                // A permutation for every leaf and every node; every digest of a leaf is written and read.
                assert_eq!(account.operations.hashes, 2 * n - 1);
                let without = simulate(&config, &Job::new(Workload::Merkle, log_size)).unwrap();
                let more = |of: fn(&Account) -> u64| of(&account) - of(&without);
                assert_eq!((more(|a| a.dram.read_bytes), more(|a| a.dram.write_bytes)), (32 * n, 32 * n));
                assert!(account.cycles >= without.cycles + n.div_ceil(8) * u64::from(hash_ii));
                assert_eq!(account, simulate(&config, &account.job).unwrap());
            }
        }
    }
    let eval = Job::new(Workload::MleEval, 4).hashing_leaves();
    let why = simulate(&UnitConfig::paper(), &eval).unwrap_err();
    assert_eq!(why.to_string(), "leaves are hashed in Merkle trees only, the workload is mle-eval");
}

#[test]
fn a_tree_that_the_accumulator_has_no_room_for_is_refused() {
    let held = |config: &UnitConfig, job: &Job| {
        simulate(config, job).map(|account| account.sram.accumulator_levels.iter().sum::<u32>())
    };
    for workload in Workload::ALL {
        for traversal in Traversal::ALL {
            let config = UnitConfig::paper().with_pes(4).traversing(traversal);
            let job = Job::new(workload, 12);
            let needed = held(&config, &job).unwrap();
            if needed < 3 {
                continue;
            }
            // Room for exactly the words needed is enough, and for one word less is not.
            let just = UnitConfig { accumulator_words: needed, ..config };
            assert_eq!(held(&just, &job), Ok(needed));
            let less = UnitConfig { accumulator_words: needed - 1, ..config };
            assert_eq!(held(&less, &job), Err(MtuError::Accumulator { needed, room: needed - 1 }));
        }
    }
    let deep = UnitConfig { mul_latency: 1024, schedule: Schedule::Filled, ..UnitConfig::paper() };
    let why = held(&deep, &Job::new(Workload::BuildMle, 20)).unwrap_err().to_string();
    assert!(why.starts_with("accumulator_words is 190, it must be at least "), "{why}");
}
