//! The inverter, which computes an inverse by Fermat's theorem as a sequence of products on one of the four multipliers.

use super::datapath::Datapath;
use super::mm::{MmDesign, Prime, Product};
use crate::spec::{Exponentiation, Inversion};
use pairwright_sim::{Clocked, Pipe};

/// Number of a register in the inverter's register file.
type Register = u8;

/// The register of the running power; it holds one at the start.
const POWER: Register = 0;
/// The register for the products that [`Exponentiation::Always`] discards, and for the square by which a window's table
/// advances.
const SCRATCH: Register = 1;
/// The register of `x`; the following ones hold `x³`, `x⁵`, …
const FIRST: Register = 2;

/// A step of the chain: `to = left·right`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChainStep {
    left: Register,
    right: Register,
    to: Register,
    /// Whether the step enters the multiplier in the cycle after the previous step, whose result it does not need.
    beside: bool,
}

impl ChainStep {
    fn new(left: Register, right: Register, to: Register) -> Self {
        Self { left, right, to, beside: false }
    }
}

/// The sequence of products that computes `x^e` for a fixed exponent: the inverter's program.
///
/// The exponent is public, so the program is the same for every `x`, and so is its time. Zero maps to zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PowerChain {
    steps: Vec<ChainStep>,
    /// The register that holds the power at the end.
    result: Register,
    registers: usize,
}

impl PowerChain {
    /// The chain for `x^e` by the method and window of `unit`; `e` is given as little-endian limbs and is not zero.
    pub fn new(unit: &Inversion, exponent: &[u64]) -> Self {
        let bit = |i: usize| exponent[i / 64] >> (i % 64) & 1 == 1;
        let top = (0..64 * exponent.len()).rev().find(|&i| bit(i)).unwrap_or(0);
        match unit.chain {
            Exponentiation::Always => Self::by_bits(top, bit, true),
            Exponentiation::Binary => Self::by_bits(top, bit, false),
            Exponentiation::Parallel => Self::from_the_right(top, bit),
            Exponentiation::Window => Self::by_windows(top, bit, unit.window.clamp(1, 8) as usize),
        }
    }

    /// The chain of a field's inversion: the exponent is `p - 2`.
    pub fn of<F: Datapath>(unit: &Inversion) -> Self {
        let modulus = F::MODULUS;
        let mut exponent = modulus.as_ref().to_vec();
        // The modulus is an odd prime: its lowest limb may be 1, never 0.
        let mut borrow = false;
        (exponent[0], borrow) = exponent[0].borrowing_sub(2, borrow);
        for limb in &mut exponent[1..] {
            (*limb, borrow) = limb.borrowing_sub(0, borrow);
        }
        Self::new(unit, &exponent)
    }

    fn by_bits(top: usize, bit: impl Fn(usize) -> bool, always: bool) -> Self {
        let mut chain = Self { steps: Vec::new(), result: FIRST, registers: FIRST as usize + 1 };
        for i in (0..top).rev() {
            chain.square();
            if bit(i) {
                chain.multiply(FIRST);
            } else if always {
                chain.steps.push(ChainStep::new(POWER, FIRST, SCRATCH));
            }
        }
        chain
    }

    /// From the lowest bit up: the square for a bit and the product for the same bit do not depend on each other, so the
    /// second follows the first into the pipeline.
    fn from_the_right(top: usize, bit: impl Fn(usize) -> bool) -> Self {
        let mut steps = Vec::new();
        // The running square alternates between two registers, so that a product reads the previous square.
        let (mut square, mut other) = (FIRST, SCRATCH);
        for i in 0..=top {
            if i < top {
                steps.push(ChainStep::new(square, square, other));
            }
            if bit(i) {
                steps.push(ChainStep { beside: i < top, ..ChainStep::new(POWER, square, POWER) });
            }
            (square, other) = (other, square);
        }
        Self { steps, result: POWER, registers: FIRST as usize + 1 }
    }

    /// Sliding windows over odd powers, from the top bit down.
    fn by_windows(top: usize, bit: impl Fn(usize) -> bool, window: usize) -> Self {
        let odd_powers = 1 << (window - 1);
        let mut chain = Self { steps: Vec::new(), result: FIRST, registers: FIRST as usize + odd_powers };
        if odd_powers > 1 {
            chain.steps.push(ChainStep::new(FIRST, FIRST, SCRATCH));
        }
        for k in 1..odd_powers as Register {
            chain.steps.push(ChainStep::new(FIRST + k - 1, SCRATCH, FIRST + k));
        }
        let mut left = top + 1;
        let mut started = false;
        while left > 0 {
            if !bit(left - 1) {
                chain.square();
                left -= 1;
                continue;
            }
            let from = left.saturating_sub(window);
            let low = (from..left).find(|&i| bit(i)).expect("the window's top bit is set");
            let value = (low..left).rev().fold(0, |v, i| 2 * v + usize::from(bit(i)));
            let power = FIRST + (value / 2) as Register;
            if started {
                (low..left).for_each(|_| chain.square());
                chain.multiply(power);
            } else {
                chain.result = power;
                started = true;
            }
            left = low;
        }
        chain
    }

    fn square(&mut self) {
        self.steps.push(ChainStep::new(self.result, self.result, POWER));
        self.result = POWER;
    }

    fn multiply(&mut self, by: Register) {
        self.steps.push(ChainStep::new(self.result, by, POWER));
        self.result = POWER;
    }

    /// Number of products in the chain.
    pub fn products(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Number of products that wait for the one before: all but those that enter directly after another.
    pub fn rounds(&self) -> u32 {
        self.steps.iter().filter(|s| !s.beside).count() as u32
    }
}

/// The inverter: an exponentiation chain, and the multiplier that it occupies.
#[derive(Clone, Debug)]
pub struct Inverter {
    chain: PowerChain,
    multiplier: MmDesign,
    prime: Prime,
    interval: u32,
}

impl Inverter {
    /// The inverter of a design over `F`; `None` if the latency of a product exceeds the design's interval between two
    /// products, each of which needs the result of the one before.
    pub fn new<F: Datapath>(unit: &Inversion, multiplier: MmDesign) -> Option<Self> {
        (multiplier.latency() <= unit.interval).then(|| Self {
            chain: PowerChain::of::<F>(unit),
            multiplier,
            prime: Prime::of::<F>(),
            interval: unit.interval,
        })
    }

    /// The exponentiation chain that it executes.
    pub fn chain(&self) -> &PowerChain {
        &self.chain
    }

    /// Computes `1/x`, or zero for zero, and the number of cycles, which is the same for every `x`. Products enter the
    /// multiplier and move through its stages cycle by cycle.
    pub fn invert<F: Datapath>(&self, x: &F) -> (F, u64) {
        let interval = u64::from(self.interval);
        let mut file = vec![[0; super::datapath::DIGITS]; self.chain.registers];
        file[FIRST as usize] = x.digits();
        file[POWER as usize] = F::ONE.digits();
        let mut multiplier: Pipe<(Register, Product)> = Pipe::new(self.multiplier.latency());
        // The cycle from which on a register's latest value may be used as an operand.
        let mut ready = vec![0; self.chain.registers];
        let (mut cycle, mut entered, mut done) = (0, None::<u64>, 0);
        let mut round = 0;
        let mut steps = self.chain.steps.iter().peekable();
        while steps.peek().is_some() || cycle < done {
            if let Some((to, product)) = multiplier.out() {
                file[to as usize] = product.result();
            }
            let may_enter = |step: &ChainStep| {
                let turn = if step.beside { entered.map_or(0, |c| c + 1) } else { round };
                cycle >= turn.max(ready[step.left as usize]).max(ready[step.right as usize])
            };
            let step = steps.next_if(|step| may_enter(step));
            if let Some(step) = step {
                done = cycle + interval;
                ready[step.to as usize] = done;
                entered = Some(cycle);
                if !step.beside {
                    round = done;
                }
            }
            let product = step.map(|s| (s.to, Product::new(file[s.left as usize], file[s.right as usize])));
            multiplier.tick_with(product, |stage, (_, product)| {
                self.multiplier.advance(stage, product, &self.prime);
            });
            cycle += 1;
        }
        if let Some((to, product)) = multiplier.out() {
            file[to as usize] = product.result();
        }
        let power = &file[self.chain.result as usize];
        (F::from_digits(power).expect("the multiplier's last stage reduces"), cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{fp2, mm::Width};
    use super::*;
    use crate::{MachineSpec, MmStyle};
    use pairwright_curve::bls12_381::{Fq, Fr};

    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    fn unit(chain: Exponentiation, window: u32) -> Inversion {
        Inversion { chain, window, interval: 18 }
    }

    fn check<F: Datapath>(unit: &Inversion) {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let multiplier = MmDesign::new(Width::of::<F>(), MmStyle::Pipelined, 16);
        let inverter = Inverter::new::<F>(unit, multiplier).expect("16 stages in 18 cycles");
        for x in [F::ONE, -F::ONE, F::from(2), F::random(&mut rng)] {
            assert_eq!(inverter.invert(&x).0, x.invert().unwrap(), "{unit:?}");
        }
        let (zero, cycles) = inverter.invert(&F::ZERO);
        assert_eq!(zero, F::ZERO);
        // A round is an interval; what enters beside the last but one holds up the last by a cycle.
        let beside = inverter.chain().products() - inverter.chain().rounds();
        assert_eq!(cycles, u64::from(inverter.chain().rounds()) * 18 + u64::from(beside > 0));
    }

    #[test]
    fn every_chain_inverts_and_zero_goes_to_zero() {
        for chain in [Exponentiation::Always, Exponentiation::Binary, Exponentiation::Parallel] {
            let chain = unit(chain, 1);
            check::<Fq>(&chain);
            check::<Fr>(&chain);
        }
        for window in 1..=8 {
            check::<Fq>(&unit(Exponentiation::Window, window));
        }
        check::<Fr>(&unit(Exponentiation::Window, 4));
    }

    #[test]
    fn products_of_the_chains_for_381_bits() {
        let products = |chain, window| PowerChain::of::<Fq>(&unit(chain, window)).products();
        assert_eq!(products(Exponentiation::Always, 4), 2 * 380);
        assert_eq!(products(Exponentiation::Binary, 4), 380 + 228);
        assert_eq!(products(Exponentiation::Window, 1), 380 + 228);
        assert_eq!(products(Exponentiation::Parallel, 4), 380 + 229);
        assert_eq!(PowerChain::of::<Fq>(&unit(Exponentiation::Parallel, 4)).rounds(), 381);
        let windows: Vec<u32> = (2..=6).map(|w| products(Exponentiation::Window, w)).collect();
        assert_eq!(windows, [524, 489, 463, 460, 466]);
    }

    #[test]
    fn small_exponents_one_by_one() {
        let plain = [Exponentiation::Always, Exponentiation::Binary, Exponentiation::Parallel];
        let mut designs: Vec<_> = plain.map(|chain| unit(chain, 1)).into();
        designs.extend((1..=5).map(|w| unit(Exponentiation::Window, w)));
        for design in designs {
            for e in 1u64..300 {
                let chain = PowerChain::new(&design, &[e]);
                // Exponents instead of powers: a product adds them.
                let mut file = vec![0u64; chain.registers];
                file[FIRST as usize] = 1;
                for step in &chain.steps {
                    file[step.to as usize] = file[step.left as usize] + file[step.right as usize];
                }
                assert_eq!(file[chain.result as usize], e, "{design:?}");
            }
        }
    }

    #[test]
    fn a_product_must_be_there_before_the_next_needs_it() {
        let spec = MachineSpec::paper();
        let multiplier = fp2::Multiplier::<Fq, ()>::config(&spec.mm);
        assert_eq!(multiplier, MmDesign::PIPELINED_384);
        let hasty = Inversion { interval: 15, ..spec.inversion };
        assert!(Inverter::new::<Fq>(&hasty, multiplier).is_none());
        let just = Inversion { interval: 16, ..spec.inversion };
        let (_, cycles) = Inverter::new::<Fq>(&just, multiplier).unwrap().invert(&Fq::from(1));
        assert_eq!(cycles, 760 * 16);
    }
}
