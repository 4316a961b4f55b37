//! The optimal ate pairing on BLS12-381 as a program: Miller loop and final exponentiation.
//!
//! The value equals the host's, `f^(3·(p¹² - 1)/r)`; the final exponentiation follows Hayashida, Hayasaka and Teruya
//! (eprint 2020/875), as in `pairwright_curve::pairing::bls12`.

use super::{Builder, Program, Region, Value, integer, published, resident};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, Fq2, Parameters};
use pairwright_curve::pairing::{PairingData, Tower};
use pairwright_curve::{Curve, bls12_381::G2};
use pairwright_field::{Field, Ring};

/// Bits of the magnitude of the seed.
const SEED_BITS: u16 = 64;

/// The magnitude of the seed as a row for a scan register.
pub(super) fn seed() -> Value<Fq> {
    integer([Parameters::X, 0, 0, 0, 0, 0])
}

/// The factors of the `k`-th Frobenius for the coefficients of `w` to `w⁵`.
pub(super) fn frobenius_factors(k: usize) -> [Fq2; 5] {
    let row = Parameters::FROBENIUS[k - 1];
    [row[1], row[2], row[3], row[4], row[5]]
}

/// The element one of Fp12.
pub(super) const ONE: [Fq2; 6] = [Fq2::ONE, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO];

/// The pairing divided into the routines of \[CP\] Table I: every routine takes its operands from the global bank and
/// returns its results there.
///
/// Regions: `p` (2 rows, affine, coordinates in Fp), `q` (2 rows, affine), `result` (6 rows, tower order). Neither
/// point may be infinity.
///
/// # Errors
/// The program does not fit the machine.
pub fn published(spec: &MachineSpec, options: &Options) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::new(published::routines());
    let r = Published::new(&mut b, None);
    let (zero, p, q) = (b.constants("zero", &[Fq2::ZERO]), b.region("p", 2), b.region("q", 2));
    r.pairing(&mut b, q, &[("zero", zero), ("p", p)], &[("p", p), ("q", q)]);
    b.finish(spec, options)
}

/// The pairing divided into the routines of \[CP\] Table I, but with the formulas of few additions, to show the effect
/// of the formulas alone.
///
/// Regions as in [`published`](fn@published).
///
/// # Errors
/// The program does not fit the machine.
pub fn published_few_additions(spec: &MachineSpec, options: &Options) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::new(published::few_addition_routines());
    let small = b.constants("small", &[Fq2::ONE, Fq2::ONE.double()]);
    let r = Published::new(&mut b, Some(small));
    let (p, q) = (b.region("p", 2), b.region("q", 2));
    let (argument, twist) = (b.region("argument", 3), b.constants("twist", &twist()));
    b.call("argument", &[("p", p)], &[("p", argument)]);
    r.pairing(&mut b, q, &[("p", argument), ("twist", twist)], &[("p", argument), ("q", q)]);
    b.finish(spec, options)
}

/// Constants of the twist for the tangent: `3b'`, `9b'`, `18b'`.
fn twist() -> [Fq2; 3] {
    let b3 = G2::B.double() + G2::B;
    let b9 = b3.double() + b3;
    [b3, b9, b9.double()]
}

/// Scratch regions of the final exponentiation in the published division.
struct Published {
    a: Region,
    b: Region,
    c: Region,
    acc: Region,
    gamma1: Region,
    gamma2: Region,
    /// The constants one and two, if the cyclotomic square needs them.
    small: Option<Region>,
}

impl Published {
    fn new(b: &mut Builder<Fq>, small: Option<Region>) -> Self {
        Self {
            small,
            a: b.region("a", 6),
            b: b.region("b", 6),
            c: b.region("c", 6),
            acc: b.region("acc", 6),
            gamma1: b.constants("gamma1", &frobenius_factors(1)),
            gamma2: b.constants("gamma2", &frobenius_factors(2)),
        }
    }

    /// The whole pairing; `double_takes` and `add_takes` are the operands of the two line routines besides the
    /// accumulator and the running point.
    fn pairing(
        &self,
        b: &mut Builder<Fq>,
        q: Region,
        double_takes: &[(&str, Region)],
        add_takes: &[(&str, Region)],
    ) {
        let x = b.constants("x", &[seed()]);
        let f = b.constants("f", &ONE);
        let t = b.region("t", 3);
        // The running point is initialised with Q.
        let z = b.constants("one", &[Fq2::ONE]);
        b.load(q, 0);
        b.load(z, 2);
        b.store(t, 0);
        let result = b.region("result", 6);
        let line = |b: &mut Builder<Fq>, routine: &str, takes: &[(&str, Region)]| {
            let takes = [&[("f", f), ("t", t)], takes].concat();
            b.call(routine, &takes, &[("r", f), ("t", t)]);
        };
        let step = |b: &mut Builder<Fq>| {
            line(b, "line_double_mult", double_takes);
            let skip = b.label();
            b.scan(LoopReg::I, skip);
            line(b, "line_add_mult", add_takes);
            b.bind(skip);
        };
        b.load_scan(LoopReg::I, x, SEED_BITS - 1);
        step(b);
        let top = b.here();
        self.mul(b, f, f, f);
        step(b);
        b.repeat(LoopReg::I, top, u32::from(SEED_BITS) - 2);
        // The seed is negative.
        self.unary(b, "fp12_conjugate", f, f);
        self.final_exponentiation(b, f, result, x);
    }

    fn unary(&self, b: &mut Builder<Fq>, routine: &str, from: Region, to: Region) {
        b.call(routine, &[("f", from)], &[("r", to)]);
    }

    fn square(&self, b: &mut Builder<Fq>, from: Region, to: Region) {
        let mut takes = vec![("f", from)];
        takes.extend(self.small.map(|small| ("small", small)));
        b.call("cyclotomic_square", &takes, &[("r", to)]);
    }

    fn mul(&self, b: &mut Builder<Fq>, f: Region, g: Region, to: Region) {
        b.call("fp12_mul", &[("f", f), ("g", g)], &[("r", to)]);
    }

    fn frobenius(&self, b: &mut Builder<Fq>, k: u32, from: Region, to: Region) {
        let (routine, gamma) =
            if k == 1 { ("fp12_frobenius", self.gamma1) } else { ("fp12_frobenius2", self.gamma2) };
        b.call(routine, &[("f", from), ("gamma", gamma)], &[("r", to)]);
    }

    /// `to = base^x` in the cyclotomic subgroup; `to` must not be `base`.
    fn pow_x(&self, b: &mut Builder<Fq>, base: Region, to: Region, x: Region) {
        b.load_scan(LoopReg::I, x, SEED_BITS - 1);
        b.load(base, published::at::F);
        b.store(to, published::at::F);
        let top = b.here();
        self.square(b, to, to);
        let skip = b.label();
        b.scan(LoopReg::I, skip);
        self.mul(b, to, base, to);
        b.bind(skip);
        b.repeat(LoopReg::I, top, u32::from(SEED_BITS) - 1);
        self.unary(b, "fp12_conjugate", to, to);
    }

    fn final_exponentiation(&self, b: &mut Builder<Fq>, f: Region, result: Region, x: Region) {
        let Self { a, b: t, c, acc, .. } = *self;
        // f^((p⁶ - 1)(p² + 1)).
        self.unary(b, "fp12_inversion", f, a);
        self.unary(b, "fp12_conjugate", f, t);
        self.mul(b, t, a, a);
        self.frobenius(b, 2, a, t);
        self.mul(b, t, a, f);
        // (x - 1)².
        self.pow_x(b, f, acc, x);
        self.unary(b, "fp12_conjugate", f, t);
        self.mul(b, acc, t, a);
        self.pow_x(b, a, acc, x);
        self.unary(b, "fp12_conjugate", a, t);
        self.mul(b, acc, t, a);
        // x + p.
        self.pow_x(b, a, acc, x);
        self.frobenius(b, 1, a, t);
        self.mul(b, acc, t, a);
        // x² + p² - 1.
        self.pow_x(b, a, acc, x);
        self.pow_x(b, acc, c, x);
        self.frobenius(b, 2, a, t);
        self.mul(b, c, t, c);
        self.unary(b, "fp12_conjugate", a, t);
        self.mul(b, c, t, c);
        // 3.
        self.square(b, f, t);
        self.mul(b, c, t, c);
        self.mul(b, c, f, result);
    }
}

/// The pairing in this project's division: values stay in the banks, formulas have few additions, routines are large.
///
/// Regions as in [`published`](fn@published).
///
/// # Errors
/// The program does not fit the machine.
pub fn resident(spec: &MachineSpec, options: &Options) -> Result<Program<Fq>, CompileError> {
    let mut last = None;
    // A front end that repeats routines needs one squaring per routine; for another one, a routine has as many as fit
    // into the L2 memory.
    let unrolls: &[usize] = if spec.control.repeat { &[1] } else { &[8, 4, 2, 1] };
    for &unroll in unrolls {
        match resident_with(spec, options, unroll) {
            Err(e @ CompileError::Memory { memory: "L2", .. }) => last = Some(e),
            other => return other,
        }
    }
    Err(last.expect("the loop ran"))
}

fn resident_with(spec: &MachineSpec, options: &Options, unroll: usize) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::new(resident::routines(unroll));
    let pair = Pair { p: b.region("p", 2), q: b.region("q", 2) };
    let result = b.region("result", 6);
    miller(&mut b, &[pair]);
    final_exponentiation(&mut b, result, unroll);
    b.finish(spec, options)
}

/// The arguments of one pairing of a product: regions of two rows with affine coordinates.
///
/// A first argument of zeros represents infinity: its lines are then in Fp2, and the final exponentiation maps them to
/// one. The second argument must be finite and of prime order.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The first argument, coordinates in Fp.
    pub p: Region,
    /// The second argument.
    pub q: Region,
}

/// Computes the product of the Miller loops of the pairs, with shared squarings, in the accumulator of the banks. The
/// result is conjugated, and [`final_exponentiation`] conjugates it back. With several pairs, the running point, line
/// and arguments of each are moved between the banks and a region of eleven rows.
pub fn miller(b: &mut Builder<Fq>, pairs: &[Pair]) {
    use resident::at;
    let twist = b.shared(&twist());
    let start = b.shared(&ONE);
    let one = start.part(0, 1);
    // The first step multiplies by the line 1.
    let unit_line = start.part(0, 3);
    let states: Vec<Region> = match pairs {
        [_] => Vec::new(),
        _ => (0..pairs.len()).map(|i| b.scratch(&format!("pair{i}"), STATE)).collect(),
    };
    for (i, pair) in pairs.iter().enumerate() {
        b.load(pair.p, at::P);
        b.run("argument");
        b.load(pair.q, at::T);
        b.load(one, at::T + 2);
        b.load(unit_line, at::LINE);
        b.load(pair.q, at::Q);
        if let Some(state) = states.get(i) {
            b.store(*state, at::T);
        }
    }
    b.load(start, at::F);
    b.load(twist, at::TWIST);
    if states.is_empty() {
        return miller_of_one(b);
    }
    let x = b.shared(&[seed()]);
    b.load_scan(LoopReg::I, x, SEED_BITS - 1);
    // One routine for the first pair, another for the others.
    let step = |b: &mut Builder<Fq>, first: &str, others: &str| {
        for (i, state) in states.iter().enumerate() {
            b.load(*state, at::T);
            b.run(if i == 0 { first } else { others });
            b.store(state.part(0, 6), at::T);
        }
    };
    step(b, "square_line_double", "line_double");
    let top = b.here();
    let (zero, next) = (b.label(), b.label());
    b.scan(LoopReg::I, zero);
    step(b, "square_line_add", "line_add");
    step(b, "line_double", "line_double");
    b.jump(LoopReg::J, next);
    b.bind(zero);
    step(b, "square_line_double", "line_double");
    b.bind(next);
    b.repeat(LoopReg::I, top, u32::from(SEED_BITS) - 1);
}

/// The steps of a single pair, whose state stays in the banks. The seed is public, so its runs of zeros are repeated
/// calls of one routine.
fn miller_of_one(b: &mut Builder<Fq>) {
    let doubles = |b: &mut Builder<Fq>, n: u32| {
        if n > 0 {
            b.run_times("square_line_double", n, LoopReg::J);
        }
    };
    // The first line is prepared in advance; then a line is multiplied in for every bit below the leading one.
    let mut run = 1;
    for bit in (0..u32::from(SEED_BITS) - 1).rev() {
        if Parameters::X >> bit & 1 == 0 {
            run += 1;
            continue;
        }
        doubles(b, run);
        b.run("square_line_add");
        b.run("line_double");
        run = 0;
    }
    doubles(b, run);
}

/// Rows of a pair's state: running point, line, second and first argument, in the order of the banks.
const STATE: u8 = resident::at::TWIST - resident::at::T;

/// The final exponentiation of the conjugate of the accumulator, into `result`. `unroll` is the parameter of
/// [`resident::routines`].
pub fn final_exponentiation(b: &mut Builder<Fq>, result: Region, unroll: usize) {
    use resident::at;
    let small = b.shared(&[Fq2::ONE, Fq2::ONE.double()]);
    let gamma1 = b.shared(&frobenius_factors(1));
    let gamma2 = b.shared(&frobenius_factors(2));
    let (f, t, u) = (b.scratch("f", 6), b.scratch("t", 6), b.scratch("u", 6));
    // Copies the accumulator to G through a region.
    let copy = |b: &mut Builder<Fq>, by: Region| {
        b.store(by, at::F);
        b.load(by, at::G);
    };
    // Raises the accumulator, which equals G, to the power n.
    let pow = |b: &mut Builder<Fq>, n: u64| {
        let mut run = 0;
        for bit in (0..n.ilog2()).rev() {
            run += 1;
            if n >> bit & 1 == 1 || bit == 0 {
                squarings(b, run, unroll);
                run = 0;
            }
            if n >> bit & 1 == 1 {
                b.run("mul");
            }
        }
    };
    let x = Parameters::X;
    b.load(small, at::SMALL);
    // Copies the accumulator to G, loads an earlier value into the accumulator, applies `routine` and multiplies by G.
    let product_with = |b: &mut Builder<Fq>, value: Region, gamma: Option<Region>, routine: &str| {
        copy(b, u);
        b.load(value, at::F);
        if let Some(gamma) = gamma {
            b.load(gamma, at::GAMMA);
        }
        b.run(routine);
        b.run("mul");
    };
    b.run("unitary");
    copy(b, t);
    b.load(gamma2, at::GAMMA);
    b.run("frobenius2");
    b.run("mul");
    // (x - 1)² is (|x| + 1)², x being negative.
    copy(b, f);
    pow(b, x + 1);
    copy(b, t);
    pow(b, x + 1);
    // x + p.
    copy(b, t);
    pow(b, x);
    b.run("conjugate");
    product_with(b, t, Some(gamma1), "frobenius");
    // x² + p² - 1.
    copy(b, t);
    pow(b, x);
    b.store(result, at::F);
    b.load(result, at::G);
    pow(b, x);
    product_with(b, t, Some(gamma2), "frobenius2");
    product_with(b, t, None, "conjugate");
    // 3.
    b.load(f, at::G);
    (0..3).for_each(|_| b.run("mul"));
    b.store(result, at::F);
}

/// Squares the accumulator `n` times.
fn squarings(b: &mut Builder<Fq>, n: usize, unroll: usize) {
    let mut repeated = |routine: &str, times: usize| {
        if times > 0 {
            b.run_times(routine, times as u32, LoopReg::J);
        }
    };
    if unroll > 1 {
        repeated("squares", n / unroll);
        repeated("square", n % unroll);
    } else {
        repeated("square", n);
    }
}
