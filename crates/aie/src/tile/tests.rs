use super::*;
use crate::carry::Carry;
use crate::digits::Digits;
use crate::modmul::tests::products_of;
use crate::modmul::{Method, Reduction, modmul};
use crate::padd::{Form, mixed_operands, padd, point_in, seven_product_operands};
use pairwright_curve::bls12_377::Fr;
use pairwright_curve::bls12_377::edwards::Point;
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Pairs of points whose sums are ordinary and exceptional.
fn pairs() -> Vec<[Point; 2]> {
    let mut rng = ChaCha20Rng::seed_from_u64(3495);
    let mut some = || Point::generator().mul(&Fr::random(&mut rng));
    let (p, q, neutral) = (some(), some(), Point::IDENTITY);
    vec![[p, q], [p, p], [p, -p], [p, neutral], [neutral, p], [neutral, neutral]]
}

#[test]
fn the_description_is_read_and_others_are_refused() {
    let tile = Tile::first_generation();
    assert_eq!(
        (tile.data_bytes, tile.program_bytes, tile.registers(ValueKind::Accumulator)),
        (1 << 15, 1 << 14, 4)
    );
    let text = include_str!("../../machines/aie1.toml");
    assert_eq!(Tile::parse(text), Ok(tile));
    assert!(matches!(Tile::parse("name = 1"), Err(TileError::Description(_))));
    let bad = text.replace("writes = \"scalar\"", "writes = \"scaler\"");
    assert!(matches!(Tile::parse(&bad), Err(TileError::Schedule(ScheduleError::UnknownFile { .. }))));
}

/// With every method, the scheduled instructions of one tile give the program's digits and the curve's points, and fit
/// the program memory.
#[test]
fn a_tile_adds_points() {
    let tile = Tile::first_generation();
    for method in Method::valid() {
        let (single, seven) = (
            SingleTile::schedule(method, &tile).unwrap(),
            SingleTile::schedule_seven_products(method, &tile).unwrap(),
        );
        let c = single.counts();
        println!(
            "| {method} | {} | {} | {} | {:.2} | {:.1} % | {} | {} ({:?}) | {} | seven: {} | 16 together: {:.0}, {:.0} |",
            c.instructions,
            c.latency,
            c.operations,
            c.vliw_utilisation(),
            100.0 * c.mac_utilisation(),
            c.product.instructions,
            c.product.fullest.0,
            c.product.bounds,
            c.program_bytes,
            seven.counts().instructions,
            single.cycles(16) as f64 / 16.0,
            seven.cycles(16) as f64 / 16.0,
        );
        assert_eq!(c.products, 8 * products_of(method.product) as u64);
        assert_eq!(seven.counts().products, 7 * products_of(method.product) as u64);
        assert!(single.cycles(16) < 16 * c.instructions);
        let (program, layout) = (padd(method, Form::Mixed), method.layout());
        let pairs = pairs();
        let affine: Vec<_> = pairs.iter().map(|[_, q]| q.to_triple().unwrap()).collect();
        let tasks: Vec<_> =
            pairs.iter().zip(&affine).map(|([p, _], q)| mixed_operands(method, p, q)).collect();
        let slices: Vec<&[Digits]> = tasks.iter().map(|task| &task[..]).collect();
        let together = single.run_together(&slices).unwrap();
        for (n, [p, q]) in pairs.iter().enumerate() {
            let results = single.run(&tasks[n]).unwrap();
            assert_eq!(results, program.run(&tasks[n]).unwrap());
            assert_eq!(results, together[n]);
            assert_eq!(point_in(layout, &results.try_into().unwrap()), Some(*p + *q), "{method}");
            let results = seven.run(&seven_product_operands(method, p, &affine[n])).unwrap();
            assert_eq!(point_in(layout, &results.try_into().unwrap()), Some(*p + *q), "{method}");
        }
        assert_eq!(seven.run(&tasks[0]), Err(TileError::Operands { given: 8, taken: 7 }));
        assert!(c.program_bytes <= tile.program_bytes as u64, "{method}");
    }
}

/// A loop body for a whole addition overlaps tasks, and takes far too much program memory.
#[test]
fn a_whole_addition_is_scheduled_in_one_piece() {
    let tile = Tile::first_generation();
    let method = Method::new(Reduction::Montgomery, Carry::Balanced);
    let kernel = Kernel::schedule(&padd(method, Form::Mixed), &tile).unwrap();
    let counts = kernel.counts();
    println!("{counts:?}\n{}", kernel.usage());
    // This counts only the loop's kernel, without prologue and epilogue.
    assert!(counts.instructions as usize * tile.instruction_bytes > tile.program_bytes);
    let pairs = pairs();
    let tasks = pairs.iter().map(|[p, q]| mixed_operands(method, p, &q.to_triple().unwrap()).to_vec());
    let results = kernel.run(&tasks.collect::<Vec<_>>()).unwrap();
    for ([p, q], result) in pairs.into_iter().zip(results) {
        assert_eq!(point_in(method.layout(), &result.try_into().unwrap()), Some(p + q));
    }
}

/// A wrong schedule gives wrong digits: an operation is moved before its operand, or two values share a register.
#[test]
fn a_wrong_schedule_gives_wrong_digits() {
    let tile = Tile::first_generation();
    let method = Method::new(Reduction::Barrett, Carry::Mixed);
    let program = modmul(method);
    let kernel = Kernel::schedule(&program, &tile).unwrap();
    let m = crate::digits::modulus();
    let tasks: Vec<_> = (1..5).map(|n| vec![Digits::from_integer(&(&m - n)).unwrap(); 2]).collect();
    let right: Vec<_> = tasks.iter().map(|t| program.run(t).unwrap()).collect();
    assert_eq!(kernel.run(&tasks).unwrap(), right);

    // Edges without slack whose reader issues late enough to issue a cycle earlier.
    let issues = &kernel.plan.ops();
    let tight = kernel.body.graph.edges.iter().filter(|e| {
        let between = i64::from(issues[e.to].cycle) - i64::from(issues[e.from].cycle);
        e.reads.is_some() && between == i64::from(e.delay)
    });
    let tight: Vec<usize> = tight.map(|e| e.to).collect();
    let mut wrong = 0;
    for &op in tight.iter().step_by(tight.len() / 16) {
        let mut broken = kernel.clone();
        broken.plan.ops_mut()[op].cycle -= 1;
        wrong += usize::from(broken.run(&tasks).unwrap() != right);
    }
    // A value that is read too early is sometimes there already: the same constant, or an accumulator of zeros.
    assert!(wrong >= 12, "{wrong} of 16");

    let mut broken = kernel.clone();
    for registers in &mut broken.registers.of {
        registers.iter_mut().for_each(|r| *r = r.saturating_sub(1));
    }
    assert_ne!(broken.run(&tasks).unwrap(), right);
}

#[test]
fn registers_and_memory_limit_what_is_scheduled() {
    let program = modmul(Method::new(Reduction::Barrett, Carry::Balanced));
    let with = |file: &str, size| {
        let mut tile = Tile::first_generation();
        tile.machine.files.iter_mut().filter(|f| f.name == file).for_each(|f| f.size = size);
        Kernel::schedule(&program, &tile)
    };
    let (usual, wide) = (with("vector", 8).unwrap(), with("vector", 16).unwrap());
    assert!(wide.counts().spilled < usual.counts().spilled);
    assert!(with("vector", 4).unwrap().ii() > usual.ii());
    // The three sources of a product are in registers at the same time.
    assert!(matches!(with("vector", 2), Err(TileError::TooFewRegisters { .. })));
    let mut tile = Tile::first_generation();
    tile.data_bytes = 1024;
    assert!(matches!(Kernel::schedule(&program, &tile), Err(TileError::Data { size: 1024, .. })));
    // A product that waits for the previous one cannot use the vector unit in every cycle.
    let mut tile = Tile::first_generation();
    tile.machine.classes.iter_mut().for_each(|c| {
        c.reads.insert("acc".to_owned(), 0);
    });
    assert!(Kernel::schedule(&program, &tile).unwrap().ii() > 2 * usual.ii());
}

#[test]
fn a_schedule_can_be_seen() {
    let tile = Tile::first_generation();
    let program = modmul(Method::new(Reduction::Montgomery, Carry::Balanced));
    let kernel = Kernel::schedule(&program, &tile).unwrap();
    assert!(kernel.listing().lines().next().unwrap().contains("vector"));
    let counts = kernel.counts();
    assert_eq!(counts.operations, counts.classes.values().sum::<u64>());
    // The trace has names of the process and of thirteen tracks with their order, and an event for every use of a slot.
    let uses = |op: &pairwright_sim::schedule::Op| tile.machine.classes[op.class].ways[0].len();
    let events: usize = kernel.body.graph.ops.iter().map(uses).sum();
    let tracks: u32 = tile.machine.slots.iter().map(|s| s.count).sum();
    assert_eq!(kernel.timeline(2).len(), 1 + 2 * tracks as usize + 2 * events);
    assert_eq!(kernel.run(&[vec![]]), Err(TileError::Operands { given: 0, taken: 2 }));
}
