//! Modular products: schoolbook in blocks of eight multiply-accumulates, \[AIE\] III.B, and reductions, III.C.
//!
//! A block multiplies a window of `a` by each digit of one half of `b` and sums the eight results in one accumulator,
//! a vector of columns; `mul1_0` is columns 8 to 15 from the lower half of `b`. A product takes six blocks and gives
//! four vectors, its lower half three blocks and two vectors.
//!
//! The other multiplications are in the submodules.

pub(crate) mod digits28;
mod karatsuba;

use crate::carry::{Carry, TopCarry, propagate};
use crate::digits::{Layout, RADIX_BITS, modulus};
pub use crate::method::{Method, Multiplication, Reduction};
use crate::part::{Piece, Stage};
use crate::program::{Accumulator, Fact, InputRange, LANES, Number, Program, Sign, Vector, Writer, window};
use num_bigint::BigInt;

/// Bits of a number of sixteen digits.
pub(crate) const NUMBER_BITS: u32 = 16 * RADIX_BITS;
/// The bit at which Barrett's reduction cuts the product: k - 3.
pub(crate) const CUT_BITS: u32 = 15 * RADIX_BITS;

/// Barrett's constant, `⌊2^775 / M⌋`.
pub(crate) fn mu() -> BigInt {
    (BigInt::from(1) << (CUT_BITS + NUMBER_BITS)) / modulus()
}

/// `-1/M` modulo 2^`bits`, by Newton's iteration from the inverse modulo 2.
pub(crate) fn minus_inverse(bits: u32) -> BigInt {
    let (m, range) = (modulus(), BigInt::from(1) << bits);
    let mut inverse = BigInt::from(1);
    for _ in 0..bits.ilog2() + 1 {
        inverse = (&inverse * (2 - &m * &inverse)) % &range;
    }
    (&range - inverse) % &range
}

/// The range of a factor: in `[0, 6M)`; with digits of 28 bits, less than 2 M in magnitude.
pub(crate) fn factor(method: Method) -> InputRange {
    match method.product {
        Multiplication::Schoolbook | Multiplication::Karatsuba => InputRange::below(&(modulus() * 6)),
        Multiplication::Digits28 => InputRange::within(Layout::DIGITS_28, &(modulus() * 2)),
    }
}

/// The program of one modular product of two operands in the range of [`Program::inputs`]. The range analysis proves that
/// the result is less than 2 M in magnitude.
pub fn modmul(method: Method) -> Program {
    let mut w = Writer::new();
    let range = factor(method);
    let (a, b) = (w.input(range.clone()), w.input(range));
    let product = multiply(&mut w, method, a, b);
    w.output(product);
    w.finish()
}

/// Writes a modular product.
pub(crate) fn multiply(w: &mut Writer, method: Method, a: Number, b: Number) -> Number {
    match (method.product, method.reduction) {
        (Multiplication::Schoolbook, Reduction::Barrett) => barrett(w, method.carry, a, b),
        (Multiplication::Schoolbook, Reduction::Montgomery) => montgomery(w, method.carry, a, b),
        (Multiplication::Karatsuba, reduction) => karatsuba::multiply(w, reduction, a, b),
        (Multiplication::Digits28, reduction) => digits28::multiply(w, reduction, a, b),
    }
}

fn barrett(w: &mut Writer, carry: Carry, a: Number, b: Number) -> Number {
    // The columns of mul_in are one lane higher than their digits, so that the part above 2^375 is two whole vectors. A
    // product has 31 columns, so one of the 32 lanes is free for this.
    w.stage(Stage::First);
    let columns = product(w, a, b, 1);
    let x = propagate(w, &columns, carry, TopCarry::Keep);
    w.stage(Stage::Second);
    let mu = w.number(&mu());
    let columns = product(w, mu, [x[2], x[3]], 0);
    let y = propagate(w, &columns, carry, TopCarry::Keep);
    // The result is below 2^400, so both terms of the difference are needed only modulo 2^400.
    w.stage(Stage::Third);
    let m = w.number(&modulus());
    let low = [0, 1].map(|column| {
        w.piece(Piece::Start { column });
        w.permute([x[column], x[column + 1]], window(1))
    });
    let start = [0, 1].map(|column| {
        w.piece(Piece::Block { column, half: 0 });
        w.ups(low[column])
    });
    let columns = low_product(w, Some(start), Sign::Minus, m, [y[2], y[3]]);
    let r = propagate(w, &columns, carry, TopCarry::Drop);
    let result = [r[0], r[1]];
    w.fact(Fact::Barrett { a, b, low_in: [x[0], x[1]], low_mu: [y[0], y[1]], result });
    result
}

fn montgomery(w: &mut Writer, carry: Carry, a: Number, b: Number) -> Number {
    w.stage(Stage::First);
    let columns = product(w, a, b, 0);
    let x = propagate(w, &columns[..2], carry, TopCarry::Drop);
    w.stage(Stage::Second);
    let inverse = w.number(&minus_inverse(NUMBER_BITS));
    let t = low_product(w, None, Sign::Plus, inverse, [x[0], x[1]]);
    let t = propagate(w, &t, carry, TopCarry::Drop);
    let t = [t[0], t[1]];
    // The third product is added to the first product's columns before any carry.
    w.stage(Stage::Third);
    let m = w.number(&modulus());
    let columns = accumulate(w, columns.map(Some), m, t, 0);
    let y = propagate(w, &columns, carry, TopCarry::Keep);
    let result = [y[2], y[3]];
    w.fact(Fact::Montgomery { a, b, t, low: [y[0], y[1]], result });
    result
}

/// Writes a whole product, `lift` (0 or 1) lanes higher than its digits.
fn product(w: &mut Writer, a: Number, b: Number, lift: u8) -> [Accumulator; 4] {
    accumulate(w, [None; 4], a, b, lift)
}

fn accumulate(
    w: &mut Writer,
    acc: [Option<Accumulator>; 4],
    a: Number,
    b: Number,
    lift: u8,
) -> [Accumulator; 4] {
    let zero = w.zero();
    let (below, across, above) = ([zero, a[0]], a, [a[1], zero]);
    let mul0_0 = block(w, [0, 0], acc[0], Sign::Plus, below, b[0], lift);
    let mul1_0 = block(w, [1, 0], acc[1], Sign::Plus, across, b[0], lift);
    let mul2_0 = block(w, [2, 0], acc[2], Sign::Plus, above, b[0], lift);
    let mul1_1 = block(w, [1, 1], Some(mul1_0), Sign::Plus, below, b[1], lift);
    let mul2_1 = block(w, [2, 1], Some(mul2_0), Sign::Plus, across, b[1], lift);
    let mul3_1 = block(w, [3, 1], acc[3], Sign::Plus, above, b[1], lift);
    [mul0_0, mul1_1, mul2_1, mul3_1]
}

/// Writes the lower half of a product, added to or subtracted from `acc`.
fn low_product(
    w: &mut Writer,
    acc: Option<[Accumulator; 2]>,
    sign: Sign,
    a: Number,
    b: Number,
) -> [Accumulator; 2] {
    let zero = w.zero();
    let mul0_0 = block(w, [0, 0], acc.map(|s| s[0]), sign, [zero, a[0]], b[0], 0);
    let mul1_0 = block(w, [1, 0], acc.map(|s| s[1]), sign, a, b[0], 0);
    let mul1_1 = block(w, [1, 1], Some(mul1_0), sign, [zero, a[0]], b[1], 0);
    [mul0_0, mul1_1]
}

/// Writes block mul`column`_`half`, eight multiply-accumulates: digit `j` of `digits` times the eight lanes of the pair
/// that begin at lane `8 - j - lift`.
fn block(
    w: &mut Writer,
    [column, half]: [usize; 2],
    mut acc: Option<Accumulator>,
    sign: Sign,
    pair: [Vector; 2],
    digits: Vector,
    lift: u8,
) -> Accumulator {
    w.piece(Piece::Block { column, half });
    for j in 0..LANES as u8 - 1 {
        acc = Some(w.mac(acc, sign, (pair, window(LANES as u8 - j - lift)), (digits, [j; LANES])));
    }
    w.mac(acc, sign, (pair, window(1 - lift)), (digits, [LANES as u8 - 1; LANES]))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::digits::{DIGITS, Digits, integer};
    use crate::program::{Class, Op, Operation, Register};
    use pairwright_curve::bls12_377::Fq;
    use pairwright_field::{Field, Ring};
    use pairwright_moma::catalogue::{FieldSpec, Function};
    use pairwright_moma::lower::{Options, lower};
    use pairwright_moma::machine::Machine;
    use pairwright_moma::{interp, ir};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// The method's factor as a residue.
    fn scale(method: Method) -> Fq {
        let two = Fq::ONE.double();
        let power = two.pow_vartime(&[u64::from(method.scale_log2().unsigned_abs())]);
        power.invert().unwrap()
    }

    #[test]
    fn constants_are_what_they_say() {
        let m = modulus();
        assert_eq!((minus_inverse(NUMBER_BITS) * &m + 1) % (BigInt::from(1) << NUMBER_BITS), BigInt::ZERO);
        assert!(mu() * &m <= BigInt::from(1) << 775 && (mu() + 1) * m > BigInt::from(1) << 775);
        assert_eq!(mu().bits(), 399);
    }

    #[test]
    fn products_are_the_fields() {
        let m = modulus();
        for method in Method::valid() {
            let program = modmul(method);
            let layout = method.layout();
            let [least, most] = &program.inputs()[0].value;
            let edge =
                [BigInt::ZERO, BigInt::from(1), &m - 1, m.clone(), &m * 2 - 1, least.clone(), most.clone()];
            let mut operands: Vec<_> = edge.iter().map(|x| layout.split(x).unwrap()).collect();
            let [low, high] = program.inputs()[0].digit;
            for digit in [low, high] {
                let mut full = [digit; DIGITS];
                full[..layout.first].fill(0);
                full[DIGITS - 1] = 11;
                operands.push(Digits(full));
            }
            let mut rng = ChaCha20Rng::seed_from_u64(377);
            operands.extend((0..8).map(|_| layout.split(&integer(&Fq::random(&mut rng))).unwrap()));
            let pruned = program.pruned();
            let scale = scale(method);
            for a in &operands {
                for b in &operands {
                    let product = program.run(&[*a, *b]).unwrap();
                    let right = layout.residue(a) * layout.residue(b) * scale;
                    assert_eq!(layout.residue(&product[0]), right, "{method}");
                    assert_eq!(pruned.run(&[*a, *b]).unwrap(), product);
                }
            }
        }
    }

    #[test]
    fn a_whole_product_is_48_multiply_accumulates() {
        let mut w = Writer::new();
        let range = InputRange::below(&modulus());
        let (a, b) = (w.input(range.clone()), w.input(range));
        let columns = product(&mut w, a, b, 0);
        let x = propagate(&mut w, &columns, Carry::Mixed, TopCarry::Keep);
        w.output([x[0], x[1]]);
        w.output([x[2], x[3]]);
        let program = w.finish();
        assert_eq!(program.products(), 48);
        let mut rng = ChaCha20Rng::seed_from_u64(48);
        let [a, b] = [0; 2].map(|_| Digits::from(Fq::random(&mut rng)));
        let halves = program.run(&[a, b]).unwrap();
        let whole = halves[0].to_integer() + (halves[1].to_integer() << NUMBER_BITS);
        assert_eq!(whole, a.to_integer() * b.to_integer());
    }

    /// If columns of equal length were in one vector, a product would take 40 multiply-accumulates instead of 46: columns
    /// 12 to 15 and 16 to 19 together, then the two quads around them, and so on. A lane selects any digit of the first
    /// factor and any digit of one vector of the second, so the second factor has to lie in two vectors with digits 4 to
    /// 11 in one.
    #[test]
    fn columns_of_like_length_take_40_multiply_accumulates() {
        let halves: [Vec<usize>; 2] = [(4..12).collect(), (0..4).chain(12..16).collect()];
        let terms = |column: usize, half: &[usize]| {
            half.iter().filter(|&&j| j <= column && column - j < DIGITS).count()
        };
        let longest =
            |columns: &[usize], half: &[usize]| columns.iter().map(|&c| terms(c, half)).max().unwrap();
        let vectors: [Vec<usize>; 4] =
            core::array::from_fn(|k| (12 - 4 * k..16 - 4 * k).chain(16 + 4 * k..20 + 4 * k).collect());
        let each = vectors.each_ref().map(|v| halves.iter().map(|half| longest(v, half)).sum::<usize>());
        assert_eq!(each, [16, 12, 8, 4]);
        let products: usize =
            vectors.iter().flatten().map(|&c| halves.iter().map(|half| terms(c, half)).sum::<usize>()).sum();
        assert_eq!(products, DIGITS * DIGITS);
        // The usual order is by the halves of the second factor.
        let usual: [Vec<usize>; 2] = [(0..8).collect(), (8..16).collect()];
        let used = |columns: core::ops::Range<usize>, j: usize| columns.clone().any(|c| terms(c, &[j]) > 0);
        let blocks =
            (0..4).flat_map(|k| usual.concat().into_iter().filter(move |&j| used(8 * k..8 * k + 8, j)));
        assert_eq!(blocks.count(), 46);
    }

    /// The blocks multiply the same digits into the same columns as the product that `moma` derives from a description
    /// of the engine, and both give the same number.
    #[test]
    fn blocks_are_the_product_derived_from_the_machine() {
        let machine = Machine::parse(include_str!("../machines/aie25.toml")).unwrap();
        let field = FieldSpec::new(modulus().bits() as u32, ir::Reduction::Barrett);
        let kernel = field.kernel(Function::Mul, &machine).unwrap();
        let kernel = lower(&kernel, &machine, Options::default()).unwrap();
        let digit = |operand: usize, arg: &ir::Arg| {
            kernel.inputs[operand].parts.iter().position(|part| part == arg).expect("a digit of the operand")
        };
        let mut derived: Vec<_> = kernel
            .body
            .iter()
            .filter(|inst| matches!(inst.op, ir::Op::DotLo { .. }))
            .map(|inst| [digit(0, &inst.args[0]), digit(1, &inst.args[1])])
            .collect();
        derived.sort_unstable();

        let mut w = Writer::new();
        let range = InputRange::below(&modulus());
        let (a, b) = (w.input(range.clone()), w.input(range));
        let columns = product(&mut w, a, b, 0);
        let x = propagate(&mut w, &columns, Carry::Accurate, TopCarry::Keep);
        w.output([x[0], x[1]]);
        w.output([x[2], x[3]]);
        let program = w.finish();
        // For each accumulator, the column vector in which its chain of multiply-accumulates ends.
        let mut vector = vec![None; program.ops.len()];
        for (k, column) in columns.iter().enumerate() {
            let mut next = Some(*column);
            while let Some(at) = next {
                vector[at.0] = Some(k);
                next = program.ops[at.0].operands.get(3).map(|&acc| Accumulator(acc));
            }
        }
        let place = |number: Number, v: Vector, lane: u8| {
            number.iter().position(|&half| half == v).map(|half| half * LANES + lane as usize)
        };
        let mut multiplied = Vec::new();
        for (at, Operation { op, operands }) in program.ops.iter().enumerate() {
            let (Op::Mac { xs, zs, .. }, Some(k)) = (op, vector[at]) else { continue };
            for l in 0..LANES {
                let (pair, lane) = (xs[l] as usize / LANES, xs[l] % LANES as u8);
                // Other lanes multiply zeros.
                if let Some(i) = place(a, Vector(operands[pair]), lane) {
                    let j = place(b, Vector(operands[2]), zs[l]).unwrap();
                    assert_eq!(i + j, k * LANES + l, "a product in another digit's column");
                    multiplied.push([i, j]);
                }
            }
        }
        multiplied.sort_unstable();
        assert_eq!(multiplied.len(), DIGITS * DIGITS);
        assert_eq!(multiplied, derived);

        let mut rng = ChaCha20Rng::seed_from_u64(25);
        let [a, b] = [0; 2].map(|_| Digits::from(Fq::random(&mut rng)));
        let halves = program.run(&[a, b]).unwrap();
        let whole = halves[0].to_integer() + (halves[1].to_integer() << NUMBER_BITS);
        let unsigned = [a, b].map(|x| x.to_integer().to_biguint().unwrap());
        assert_eq!(whole, interp::run(&kernel, &unsigned).unwrap()[0].clone().into());
    }

    /// The engine has four registers for accumulators of eight lanes of 80 bits. In the order in which they are written,
    /// Barrett's products need no more; Montgomery's keep four vectors of columns while the factor of M is computed in
    /// others.
    #[test]
    fn accumulators_that_live_at_once() {
        for method in Method::all() {
            let program = modmul(method).pruned();
            let mut last = vec![0; program.ops.len()];
            for (at, o) in program.ops.iter().enumerate() {
                o.operands.iter().for_each(|&operand| last[operand] = at);
            }
            let accumulator = |o: &Operation| o.op.register() == Some(Register::Accumulator);
            let (mut live, mut most) = (0, 0);
            for (at, o) in program.ops.iter().enumerate() {
                // A multiply-accumulate may write to the register of the accumulator that it reads.
                for &operand in o.operands.iter() {
                    live -= usize::from(accumulator(&program.ops[operand]) && last[operand] == at);
                }
                live += usize::from(accumulator(o));
                most = most.max(live);
            }
            println!("{method:?}: {most} accumulators");
            assert_eq!(live, 0);
            assert_eq!(most <= 4, method.reduction == Reduction::Barrett, "{method:?}: {most}");
        }
    }

    /// The number of multiply-accumulates of digits in a modular product.
    pub(crate) fn products_of(product: Multiplication) -> usize {
        match product {
            Multiplication::Schoolbook => 120,
            Multiplication::Karatsuba => 45 + 45 + 24,
            Multiplication::Digits28 => 41 + 21 + 20,
        }
    }

    #[test]
    fn operations_are_counted() {
        for method in Method::valid() {
            let program = modmul(method).pruned();
            let all: usize = program.counts().values().sum();
            println!("{method:?}: {all} operations, {:?}", program.counts());
            let products = products_of(method.product);
            assert_eq!(program.products(), products);
            let scalars = program.counts().get(&Class::Scalar).copied().unwrap_or(0);
            assert_eq!(scalars == 0, method.carry == Carry::Balanced);
            // The number of vectors with accurate carries, and the greatest number of scalar operations for each of their
            // digits.
            let (vectors, each) = match (method.reduction, method.carry) {
                (_, Carry::Balanced) => (0, 0),
                (_, Carry::Mixed) => (6, 3),
                (_, Carry::Wide) => (6, 7),
                (Reduction::Barrett, Carry::Accurate) => (10, 3),
                (Reduction::Montgomery, Carry::Accurate) => (8, 3),
            };
            assert!(scalars <= 8 * vectors * each + 1);
            assert!(scalars >= 8 * vectors * each * 3 / 4);
        }
    }
}
