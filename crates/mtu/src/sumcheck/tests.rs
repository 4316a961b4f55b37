use super::*;
use pairwright_curve::bls12_381::Fr;
use pairwright_poly::Term;
use pairwright_sim::settings::parameters;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// `3·a·b·c - a² + 7·d + 5`: degrees 3, 2, 1 and 0.
fn mixed() -> SumOfProducts<Fr> {
    let term = |coefficient, tables: &[usize]| Term { coefficient, tables: tables.to_vec() };
    SumOfProducts {
        terms: vec![
            term(Fr::from(3), &[0, 1, 2]),
            term(-Fr::ONE, &[0, 0]),
            term(Fr::from(7), &[3]),
            term(Fr::from(5), &[]),
        ],
    }
}

fn product(tables: usize) -> Shape {
    Shape { tables, degrees: vec![tables] }
}

#[test]
fn rounds_are_those_of_the_plain_operators() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let sum = mixed();
    for variables in 0..7 {
        let tables: Vec<Vec<Fr>> =
            (0..4).map(|_| (0..1 << variables).map(|_| Fr::random(&mut rng)).collect()).collect();
        let (mut ours, mut plain) = (tables.clone(), tables);
        let mut expected = Vec::new();
        let (rounds, account) = prove(&SumcheckConfig::zkspeed(), &sum, &mut ours, |round| {
            assert_eq!(round, sum.round(&plain));
            let r = Fr::random(&mut rng);
            bind(&mut plain, r);
            expected.push(round.to_vec());
            r
        })
        .unwrap();
        assert_eq!((ours, rounds.len()), (plain, variables));
        assert_eq!(rounds, expected);
        // Time and traffic do not depend on values.
        assert_eq!(
            simulate(&SumcheckConfig::zkspeed(), &Shape::of(&sum), variables as u32).unwrap(),
            account
        );
    }
}

#[test]
fn products_and_traffic_are_counted() {
    let shape = Shape::of(&mixed());
    assert_eq!((shape.tables, shape.products()), (4, 4 * 2 + 3));
    let config = SumcheckConfig { word_bits: 256, ..SumcheckConfig::zkspeed() };
    let account = simulate(&config, &shape, 10).unwrap();
    let pairs = (1 << 10) - 1;
    assert_eq!(account.evaluation_products, pairs * shape.products());
    assert_eq!(account.update_products, pairs * 4);
    // Both phases read all entries, the second one writes half of them.
    assert_eq!((account.dram.read_bytes, account.dram.write_bytes), (2 * pairs * 2 * 4 * 32, pairs * 4 * 32));
}

#[test]
fn what_is_slowest_bounds_a_phase() {
    let (n, pairs) = (18, f64::from(1u32 << 18) - 1.0);
    let close = |cycles: u64, least: f64| {
        let over = cycles as f64 - least;
        assert!((0.0..0.02 * least + 3000.0).contains(&over), "{cycles} beside {least}");
    };
    let base = SumcheckConfig::zkspeed();
    for tables in [1, 2, 3, 9] {
        let bytes = tables as f64 * 255.0 / 8.0 / 2199.0;
        for lanes in [1, 2, 8, 64] {
            let account = simulate(&SumcheckConfig { lanes, ..base }, &product(tables), n).unwrap();
            close(account.evaluation_cycles, pairs * (2.0 * bytes).max(1.0 / f64::from(lanes)));
        }
        for updates in [1, 4, 44] {
            let account = simulate(&SumcheckConfig { updates, ..base }, &product(tables), n).unwrap();
            close(account.update_cycles, pairs * (3.0 * bytes).max(tables as f64 / f64::from(updates)));
        }
    }
}

/// Each parameter changes something, and more of a resource never makes an engine slower.
#[test]
fn parameters_act_and_are_monotone() {
    let seconds = |config: &SumcheckConfig| {
        let account = simulate(config, &product(4), 12).unwrap();
        account.cycles() as f64 / config.clock_hz as f64
    };
    let base = SumcheckConfig { updates: 4, ..SumcheckConfig::zkspeed() };
    let faster: &[(&str, &[&str])] = &[
        ("clock_hz", &["500000000", "1000000000", "4000000000"]),
        ("lanes", &["1", "2", "3", "4"]),
        ("updates", &["1", "2", "4", "8", "64"]),
        ("word_bits", &["8192", "2048", "1024"]),
        ("mul_latency", &["100", "20", "1"]),
        ("add_latency", &["8", "1"]),
        ("dram.bytes_per_cycle", &["16", "64", "256", "2199"]),
        ("dram.latency", &["1000", "100", "0"]),
    ];
    for (path, values) in faster {
        let with = |value: &&str| {
            let mut changes = Changes::default();
            changes.value("a test", path, value);
            seconds(&changes.apply(&base).unwrap())
        };
        let all: Vec<f64> = values.iter().map(with).collect();
        assert!(
            all.windows(2).all(|pair| pair[0] >= pair[1]) && all[0] > all[all.len() - 1],
            "{path}: {all:?}"
        );
    }
    // The size of a block is a trade-off: long blocks fill later, short blocks wait for more answers.
    let block = |block_pairs, latency| {
        let dram = dram::DramConfig { latency, ..base.dram };
        seconds(&SumcheckConfig { block_pairs, dram, ..base })
    };
    assert!(block(4096, 0) > block(64, 0) && block(4, 200) > block(64, 200));
    let known = |path: &str| faster.iter().any(|(known, _)| *known == path) || path == "block_pairs";
    let all = parameters(&base).unwrap();
    // The parameters of DRAM have tests of their own.
    assert!(all.iter().all(|p| p.path.starts_with("dram.") || known(&p.path)), "{all:?}");
}

#[test]
fn what_cannot_be_built_is_refused() {
    let none = SumcheckConfig { lanes: 0, ..SumcheckConfig::zkspeed() };
    assert_eq!(
        simulate(&none, &product(2), 4).unwrap_err().to_string(),
        "lanes is 0, it must be 1 to 1024 pairs"
    );
    assert!(matches!(
        simulate(&SumcheckConfig::zkspeed(), &product(2), 41),
        Err(MtuError::TooLarge { log_size: 41, most: 40 })
    ));
    assert_eq!(SumcheckConfig::zkspeed(), SumcheckConfig::default());
}
