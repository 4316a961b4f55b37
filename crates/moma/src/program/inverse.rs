//! Powers with one exponent for all elements, and inversion: by the exponent `q - 2`, or in batches, where a chain of
//! products shares one such power at three products per element (Montgomery's trick).
//!
//! The exponent is an argument, as the modulus is, and it is public: the factor of each product depends on it. The
//! inverse of zero is zero, in a batch too.

use num_bigint::BigUint;

use super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};

const OUT: usize = 0;
const A: usize = 1;
const EXPONENT: usize = 2;
const ONE: usize = 3;

/// The exponent of inversion, `q - 2`, for a prime `q`.
pub fn inverting_exponent(modulus: &BigUint) -> BigUint {
    if *modulus > BigUint::from(2u32) { modulus - 2u32 } else { BigUint::from(0u32) }
}

/// The method of an exponentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// Greatest width of an exponent in bits.
    pub bits: u32,
    /// log2 of the width of a window in bits, at most 2: a window of `w` bits takes `2^w - 1` registers for small
    /// powers, and one product for `w` squarings.
    pub window: u32,
}

impl Power {
    /// Windows of four bits, for machines with memory for fifteen elements.
    pub fn host(bits: u32) -> Self {
        Self { bits, window: 2 }
    }
    /// Windows of two bits, so that a thread of a device keeps three powers in registers.
    pub fn device(bits: u32) -> Self {
        Self { bits, window: 1 }
    }
    fn window_bits(self) -> u32 {
        1 << self.window.min(2)
    }
    fn windows(self) -> u32 {
        self.bits.div_ceil(self.window_bits())
    }
    /// Number of registers used besides accumulator and one, including the base.
    fn registers(self) -> usize {
        1 << self.window_bits()
    }

    /// Writes `acc = base^exponent`. Registers from `first` on hold the small powers, the first of them the base.
    fn write(self, body: &mut Body, acc: Reg, first: usize, one: Reg) {
        let width = self.window_bits();
        let power = |d: usize| Reg(first + d - 1);
        let last = self.registers() - 1;
        for d in 2..=last {
            body.call(Role::Mul, power(d), power(d - 1), power(1));
        }
        let chosen = Reg(first + last);
        body.copy(acc, one);
        body.for_(0u64, u64::from(self.windows()), |body, turn| {
            body.for_(0u64, u64::from(width), |body, _| body.call(Role::Sqr, acc, acc, acc));
            let at = (Ix::Const(u64::from(self.windows() - 1)) - turn) * u64::from(width);
            let digit = body.let_(Ix::Bits { buffer: EXPONENT, at: Box::new(at), width });
            body.when(0u64, digit.clone(), |body| {
                // The last copy that is executed is that of the digit's power.
                for d in 1..=last {
                    body.when(d as u64 - 1, digit.clone(), |body| body.copy(chosen, power(d)));
                }
                body.call(Role::Mul, acc, acc, chosen);
            });
        });
    }
}

fn buffers() -> Vec<Buffer> {
    vec![
        Buffer::output("out"),
        Buffer::input("a"),
        Buffer::new("exponent", Access::Read, BufferKind::Bits),
        Buffer::new("one", Access::Read, BufferKind::Uniform),
    ]
}

/// The host kernel `power(n, out, a, exponent, one, constants)`: `out[i] = a[i]^exponent`. `one` is the element that
/// represents one (R mod q in Montgomery form).
pub fn power(element: Element, power: Power) -> ArrayKernel {
    let mut body = Body::default();
    let (acc, one, first) = (Reg(0), Reg(1), 2);
    body.load(one, ElementPlace::global(ONE, 0u64));
    body.for_(0u64, Ix::Scalar(0), |body, i| {
        body.load(Reg(first), ElementPlace::global(A, i.clone()));
        power.write(body, acc, first, one);
        body.store(ElementPlace::global(OUT, i), acc);
    });
    ArrayKernel {
        name: "power".to_owned(),
        about: format!("out[i] = a[i]^exponent for exponents of up to {} bits", power.bits),
        element,
        scalars: vec!["n"],
        buffers: buffers(),
        registers: first + power.registers(),
        launch: None,
        body: vec![body.phase()],
    }
}

/// The device kernel of the same name, with one thread per element, for `n` up to 2^31.
pub fn power_device(element: Element, power: Power, threads: u32) -> ArrayKernel {
    let threads = threads.max(1).next_power_of_two();
    let mut body = Body::default();
    let (acc, one, first) = (Reg(0), Reg(1), 2);
    body.load(one, ElementPlace::global(ONE, 0u64));
    let i = body.let_(Ix::Block * u64::from(threads) + Ix::Thread);
    body.when(i.clone(), Ix::Scalar(0), |body| {
        body.load(Reg(first), ElementPlace::global(A, i.clone()));
        power.write(body, acc, first, one);
        body.store(ElementPlace::global(OUT, i), acc);
    });
    ArrayKernel {
        launch: Some(Launch::over_elements(threads, u64::from(threads))),
        body: vec![body.phase()],
        ..self::power(element, power)
    }
}

/// Number of independent product chains in a host kernel, so that their products overlap.
const CHAINS: usize = 4;

/// The host kernel `batch_inverse(n, out, a, exponent, one, constants)`: `out[i] = 1 / a[i]`, zero for zero, with
/// `exponent = q - 2`. It takes three products per element and one exponentiation in all. On a machine with lanes, each
/// lane is a batch of its own.
pub fn batch(element: Element, power: Power) -> ArrayKernel {
    let (x, t, one, acc) = (Reg(0), Reg(1), Reg(2), |c: usize| Reg(3 + c));
    let joined = |c: usize| Reg(3 + CHAINS + c);
    let first = 3 + 2 * CHAINS;
    let (log, n) = (u64::from(CHAINS.ilog2()), Ix::Scalar(0));
    let mut body = Body::default();
    body.load(one, ElementPlace::global(ONE, 0u64));
    for c in 0..CHAINS {
        body.copy(acc(c), one);
    }
    let groups = body.let_(n.clone() >> log);
    let whole = body.let_(groups.clone() << log);
    // The elements after the last whole group belong to the first chain.
    let at = |c: usize, g: &Ix| (g.clone() << log) + c as u64;
    body.for_(0u64, groups.clone(), |body, g| {
        for c in 0..CHAINS {
            extend(body, at(c, &g), acc(c), x, one);
        }
    });
    body.for_(whole.clone(), n.clone(), |body, i| extend(body, i, acc(0), x, one));

    // One exponentiation for all chains: the inverse of the product of their products.
    body.copy(joined(0), acc(0));
    for c in 1..CHAINS {
        body.call(Role::Mul, joined(c), joined(c - 1), acc(c));
    }
    body.copy(Reg(first), joined(CHAINS - 1));
    power.write(&mut body, t, first, one);
    for c in (1..CHAINS).rev() {
        body.call(Role::Mul, joined(c), t, joined(c - 1));
        body.call(Role::Mul, t, t, acc(c));
        body.copy(acc(c), joined(c));
    }
    body.copy(acc(0), t);

    body.for_(0u64, n.clone() - whole, |body, back| {
        let i = body.let_(n.clone() - 1 - back);
        retract(body, i, acc(0), x, t, one);
    });
    body.for_(0u64, groups.clone(), |body, back| {
        let g = body.let_(groups.clone() - 1 - back);
        for c in 0..CHAINS {
            retract(body, at(c, &g), acc(c), x, t, one);
        }
    });
    ArrayKernel {
        name: "batch_inverse".to_owned(),
        about: format!("out[i] = 1 / a[i], 0 for 0, with exponent q - 2 of up to {} bits", power.bits),
        element,
        scalars: vec!["n"],
        buffers: buffers(),
        registers: first + power.registers(),
        launch: None,
        body: vec![body.phase()],
    }
}

/// The device kernel of the same name. Every thread has a chain of `per_thread` elements (a power of two), at a stride
/// of the number of threads per block; `n` up to 2^31.
pub fn batch_device(element: Element, power: Power, threads: u32, per_thread: u32) -> ArrayKernel {
    let threads = threads.max(1).next_power_of_two();
    let per_thread = u64::from(per_thread.max(1).next_power_of_two());
    let per_block = u64::from(threads) * per_thread;
    let (x, t, one, acc, first) = (Reg(0), Reg(1), Reg(2), Reg(3), 4);
    let mut body = Body::default();
    body.load(one, ElementPlace::global(ONE, 0u64));
    body.copy(acc, one);
    let start = body.let_(Ix::Block * per_block + Ix::Thread);
    let at = |j: Ix| start.clone() + j * u64::from(threads);
    body.for_(0u64, per_thread, |body, j| {
        let i = body.let_(at(j));
        body.when(i.clone(), Ix::Scalar(0), |body| extend(body, i, acc, x, one));
    });
    body.copy(Reg(first), acc);
    power.write(&mut body, acc, first, one);
    body.for_(0u64, per_thread, |body, back| {
        let i = body.let_(at(Ix::Const(per_thread - 1) - back));
        body.when(i.clone(), Ix::Scalar(0), |body| retract(body, i, acc, x, t, one));
    });
    ArrayKernel {
        registers: first + power.registers(),
        launch: Some(Launch::over_elements(threads, per_block)),
        body: vec![body.phase()],
        ..batch(element, power)
    }
}

/// Writes `out[i] = acc; acc = acc a[i]`, with zeros replaced by ones.
fn extend(body: &mut Body, i: Ix, acc: Reg, x: Reg, one: Reg) {
    body.load(x, ElementPlace::global(A, i.clone()));
    body.choose(x, x, one, x);
    body.store(ElementPlace::global(OUT, i), acc);
    body.call(Role::Mul, acc, acc, x);
}

/// Undoes [`extend`] with the inverse of the product in `acc`: writes `out[i] = acc out[i]`, `acc = acc a[i]`.
fn retract(body: &mut Body, i: Ix, acc: Reg, x: Reg, t: Reg, one: Reg) {
    body.load(x, ElementPlace::global(A, i.clone()));
    body.load(t, ElementPlace::global(OUT, i.clone()));
    body.call(Role::Mul, t, t, acc);
    body.choose(t, x, x, t);
    body.store(ElementPlace::global(OUT, i), t);
    body.choose(x, x, one, x);
    body.call(Role::Mul, acc, acc, x);
}
