use super::*;
use crate::blocks;
use crate::synth::BUILT_IN;
use pairwright_moma::print::systemverilog::Products as Sum;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::path::Path;

fn cells() -> Cells {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
    Cells::of(&Library::read(&path).unwrap()).unwrap()
}

fn vector(name: &str, bits: u32) -> Operand {
    Operand::Vector(name.to_owned(), bits)
}

fn number(value: u64) -> Operand {
    Operand::Constant(BigUint::from(value))
}

fn product(bits: u32, x: Operand, y: Operand, addends: Vec<Operand>) -> Sum {
    Sum { name: "c".to_owned(), bits, factors: vec![[x, y]], addends }
}

/// The value that the network must have for these values of the vectors, in order.
fn want(product: &Sum, values: &[BigUint]) -> BigUint {
    let mut values = values.iter();
    let mut value = |operand: &Operand| match operand {
        Operand::Vector(..) => values.next().unwrap().clone(),
        Operand::Constant(value) => value.clone(),
    };
    let sum = product.factors.iter().fold(BigUint::ZERO, |sum, [x, y]| sum + value(x) * value(y));
    let sum = product.addends.iter().fold(sum, |sum, addend| sum + value(addend));
    sum % (BigUint::from(1u32) << product.bits)
}

/// The widths of a product's vectors in bits.
fn widths(product: &Sum) -> Vec<u32> {
    let operands = product.factors.as_flattened().iter().chain(&product.addends);
    let bits = |operand: &Operand| match operand {
        Operand::Vector(_, bits) => Some(*bits),
        Operand::Constant(_) => None,
    };
    operands.filter_map(bits).collect()
}

/// Checks all values of all vectors.
fn check_all(cells: &Cells, product: &Sum) {
    let widths = widths(product);
    let (network, nets) = network(product, cells);
    for case in 0..1u64 << widths.iter().sum::<u32>() {
        let mut rest = case;
        let values: Vec<BigUint> = widths
            .iter()
            .map(|bits| {
                let value = rest & ((1 << bits) - 1);
                rest >>= bits;
                BigUint::from(value)
            })
            .collect();
        assert_eq!(network.values(&values, &nets), want(product, &values), "{product:?}, {values:?}");
    }
}

#[test]
fn all_values_of_narrow_products() {
    let cells = cells();
    for (n, m) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 4), (4, 6), (6, 5)] {
        for bits in [1, m, n + m - 1, n + m, n + m + 1] {
            check_all(&cells, &product(bits, vector("a", n), vector("b", m), Vec::new()));
            check_all(&cells, &product(bits, vector("a", n), vector("b", m), vec![number(77)]));
            if n + m < 9 {
                check_all(&cells, &product(bits, vector("a", n), vector("b", m), vec![vector("t", n + 1)]));
            }
        }
    }
}

#[test]
fn all_values_of_narrow_products_by_constants() {
    let cells = cells();
    for constant in (0..70).chain([127, 128, 171, 219, 255, 0x5a5a, 0x7fff, 0x6db6]) {
        for bits in [1, 4, 12, 24] {
            check_all(&cells, &product(bits, vector("a", 5), number(constant), vec![vector("t", 4)]));
            check_all(&cells, &product(bits, number(constant), vector("a", 6), Vec::new()));
        }
    }
    let mut two = product(7, vector("a", 4), vector("b", 4), Vec::new());
    two.factors.push([vector("t", 4), number(89)]);
    check_all(&cells, &two);
    check_all(&cells, &product(9, number(12), number(43), vec![vector("t", 3), number(5)]));
}

/// The products of every kernel of a block, as the printer passes them.
fn products(name: &str) -> Vec<Sum> {
    let all = std::cell::RefCell::new(Vec::new());
    for (name, kernel) in blocks::find(name).unwrap().block().unwrap().kernels {
        let note = |product: &Sum| {
            all.borrow_mut().push(product.clone());
            String::new()
        };
        module_with(&kernel, &name, &note).unwrap();
    }
    all.into_inner()
}

fn masked(mut word: impl FnMut() -> u64, bits: u32) -> BigUint {
    let number = (0..8).fold(BigUint::ZERO, |number, _| (number << 64u32) + word());
    number % (BigUint::from(1u32) << bits)
}

#[test]
fn random_values_and_edges_of_every_product_of_the_blocks() {
    let cells = cells();
    let mut rng = ChaCha20Rng::seed_from_u64(22);
    for product in ["mm_255", "mm_381"].into_iter().flat_map(products) {
        let (network, nets) = network(&product, &cells);
        let widths = widths(&product);
        let check = |values: Vec<BigUint>| {
            assert_eq!(network.values(&values, &nets), want(&product, &values), "{product:?}, {values:?}");
        };
        for _ in 0..20 {
            check(widths.iter().map(|bits| masked(|| rng.next_u64(), *bits)).collect());
        }
        let edge = |bits: u32, kind: usize| {
            let ones = masked(|| u64::MAX, bits);
            [BigUint::ZERO, BigUint::from(1u32), &ones >> 1u32, BigUint::from(1u32) << (bits - 1), ones][kind]
                .clone()
        };
        for case in 0..5usize.pow(widths.len() as u32) {
            let places = widths.iter().zip(0u32..);
            check(places.map(|(bits, at)| edge(*bits, case / 5usize.pow(at) % 5)).collect());
        }
    }
}

#[test]
fn modules_with_products_get_networks_and_all_else_stays() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
    let library = Library::read(&path).unwrap();
    for name in ["mm_255", "mm_381_iterative", "butterfly_255", "keccak"] {
        let block = blocks::find(name).unwrap().block().unwrap();
        assert_eq!(Products::Yosys.text(&block, &library).unwrap(), block.text);
        let dense = Products::Dense.text(&block, &library).unwrap();
        let lines = |text: &str| text.lines().filter(|line| line.contains(" * ")).count();
        assert_eq!(lines(&dense), if block.kernels.is_empty() { lines(&block.text) } else { 0 }, "{name}");
        assert_eq!(dense == block.text, block.kernels.is_empty(), "{name}");
        for (module, _) in &block.kernels {
            assert_eq!(dense.matches(&format!("module {module} (")).count(), 1, "{module}");
        }
    }
}

#[test]
fn a_text_without_its_module_is_an_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
    let library = Library::read(&path).unwrap();
    let mut block = blocks::find("mm_255").unwrap().block().unwrap();
    block.text = block.text.replace(" * ", " + ");
    let error = Products::Dense.text(&block, &library).unwrap_err().to_string();
    assert!(error.contains("module mm_255_"), "{error}");
}
