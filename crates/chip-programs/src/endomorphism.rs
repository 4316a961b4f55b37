//! Constant-time scalar multiplication in the subgroups, with scalars split by an endomorphism.
//!
//! In G1 `E(P) = -φ²(P)` multiplies by `x²`, in G2 `E(Q) = -ψ(Q)` multiplies by `|x|`, for the seed `x` (eprint
//! 2021/1130, §4). A scalar therefore has short digits in base `x²` or `|x|`, and all digits share their doublings. The
//! loader divides and interleaves ([`digits`]); each step consumes four bits.

use super::points::{self, Group, PSI, Rows, at, homogeneous_rows, infinity};
use super::subgroup::beta_squared;
use super::{Builder, Chain, Inputs, Region, Value, integer};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Fp2, Graph, Options, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Fq, Fr, Parameters};
use pairwright_curve::pairing::PairingData;
use pairwright_field::PrimeField;
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;

/// Steps of a multiplication; each consumes four bits.
const STEPS: u32 = 64;
/// Rows of the table of sums.
pub(super) const TABLE: u8 = 3 << 4;

/// The routine that computes `E`; its constants follow the running point.
pub(super) fn routines(group: Group) -> Vec<(String, Graph)> {
    let image = Trace::graph(|t| {
        let [x, y, z] = t.inputs("acc", at::ACC);
        let image = match group {
            Group::G1 => {
                let [beta] = t.inputs("constants", at::POINT);
                [x * beta, -y, z]
            }
            Group::G2 => {
                let [a, b] = t.inputs("constants", at::POINT);
                [x.conj() * a, -(y.conj() * b), z.conj()]
            }
        };
        t.outputs("acc", at::ACC, image);
    });
    let own = [(group.routine("image"), image)];
    own.into_iter().chain(points::routines(group)).collect()
}

/// Divides by the magnitude of the seed in constant time; returns the remainder.
fn divide_by_seed(k: &mut [u64; 4]) -> u64 {
    let divisor = u128::from(Parameters::X);
    let mut rest = 0u128;
    for at in (0..256).rev() {
        rest = rest << 1 | u128::from(bit_window(k, at, 1));
        let less = rest.wrapping_sub(divisor);
        // The remainder is below 2^65, so the top bit says whether the difference is negative.
        let fits = Choice::from_bit((less >> 127) as u64 ^ 1);
        let half = |shift: u32| fits.select((rest >> shift) as u64, (less >> shift) as u64);
        rest = u128::from(half(64)) << 64 | u128::from(half(0));
        let bit = fits.select(0, 1) << (at % 64);
        k[at / 64] = k[at / 64] & !(1 << (at % 64)) | bit;
    }
    rest as u64
}

/// The digits in base `|x|`, least significant first.
fn base_seed(scalar: &Fr) -> [u64; 4] {
    let mut rest = scalar.to_limbs();
    std::array::from_fn(|_| divide_by_seed(&mut rest))
}

/// The digits in base `x²`, least significant first.
fn base_seed_squared(scalar: &Fr) -> [[u64; 2]; 2] {
    let [a, b, c, d] = base_seed(scalar);
    [[a, b], [c, d]].map(|[low, high]| {
        let sum = u128::from(high) * u128::from(Parameters::X) + u128::from(low);
        [sum as u64, (sum >> 64) as u64]
    })
}

/// A scalar's digits in base `x²` (G1) or `|x|` (G2), interleaved: each step has four bits, two of each of two digits
/// or one of each of four. Constant time.
pub fn digits(group: Group, scalar: &Fr) -> Value<Fq> {
    match group {
        Group::G1 => {
            let [low, high] = base_seed_squared(scalar);
            interleaved(4, |step| bit_window(&low, 2 * step, 2) | bit_window(&high, 2 * step, 2) << 2)
        }
        Group::G2 => {
            let d = base_seed(scalar);
            interleaved(4, |step| (0..4).fold(0, |acc, i| acc | bit_window(&d[i..=i], step, 1) << i))
        }
    }
}

/// A scalar's two digits in base `x²`, interleaved bit by bit. Constant time.
pub fn halves(scalar: &Fr) -> Value<Fq> {
    let [low, high] = base_seed_squared(scalar);
    interleaved(2, |step| bit_window(&low, step, 1) | bit_window(&high, step, 1) << 1)
}

/// An integer of 256 bits composed from the bits of each step; the first step is the lowest.
fn interleaved(bits: usize, of_step: impl Fn(usize) -> u64) -> Value<Fq> {
    let mut limbs = [0; 6];
    for step in 0..256 / bits {
        let at = bits * step;
        limbs[at / 64] |= of_step(step) << (at % 64);
    }
    integer(limbs)
}

impl Builder<Fq> {
    /// Sets the running point to a multiple of a point of the subgroup, by a scalar in the form of [`digits`]; `table`
    /// has [`TABLE`] rows. The machine's time depends on neither, but which table rows it reads depends on the scalar.
    /// Uses the scan register and the counter of `_i`.
    pub(super) fn mul_in_subgroup(&mut self, group: Group, point: Region, digits: Region, table: Region) {
        let [double, add, image] = ["double", "add", "image"].map(|name| group.routine(name));
        let infinity = self.shared(&infinity());
        let entry = |d: u8| table.part(3 * d, 3);
        let constants = match group {
            Group::G1 => self.shared(&[beta_squared()]),
            Group::G2 => self.shared(&PSI),
        };
        self.load(infinity, at::ACC);
        self.store(entry(0), at::ACC);
        // The points that correspond to the four bits: P, 2·P, E(P), 2·E(P), or P and its first three images.
        self.load(point, at::ACC);
        self.store(entry(1), at::ACC);
        for (i, bit) in [2, 4, 8].into_iter().enumerate() {
            match (group, i) {
                (Group::G1, 0 | 2) => self.run(&double),
                (Group::G1, _) => {
                    self.load(point, at::ACC);
                    self.load(constants, at::POINT);
                    self.run(&image);
                }
                (Group::G2, _) => {
                    self.load(constants, at::POINT);
                    self.run(&image);
                }
            }
            self.store(entry(bit), at::ACC);
        }
        self.sums(group, table, 16);
        self.load(infinity, at::ACC);
        self.load_scan(LoopReg::I, digits, 4 * STEPS as u16);
        let top = self.here();
        for _ in 0..if group == Group::G1 { 2 } else { 1 } {
            self.run(&double);
        }
        self.digit(LoopReg::I, 4, &mut |b, d| b.load(entry(d), at::POINT));
        self.run(&add);
        self.repeat(LoopReg::I, top, STEPS);
    }

    /// Fills a table of `size` points with the sums of the points at powers of two; infinity must be at index 0.
    fn sums(&mut self, group: Group, table: Region, size: u8) {
        let entry = |d: u8| table.part(3 * d, 3);
        for d in (3..size).filter(|d| !d.is_power_of_two()) {
            let top = 1 << d.ilog2();
            self.load(entry(d - top), at::ACC);
            self.load(entry(top), at::POINT);
            self.run(&group.routine("add"));
            self.store(entry(d), at::ACC);
        }
    }

    /// `sum += Σ scalar_i·point_i` in the subgroup of G1, scalars in the form of [`halves`]: two terms at a time, whose
    /// four halves share their doublings. `table` has [`TABLE`] rows. Constant time. Uses the scan registers of `_i`
    /// and `_j` and the counter of `_i`.
    pub(super) fn add_multiples_in_g1(&mut self, sum: Region, terms: &[(Region, Region)], table: Region) {
        let group = Group::G1;
        let [double, add, image] = ["double", "add", "image"].map(|name| group.routine(name));
        let (infinity, beta) = (self.shared(&infinity()), self.shared(&[beta_squared()]));
        let entry = |d: u8| table.part(3 * d, 3);
        for two in terms.chunks(2) {
            self.load(infinity, at::ACC);
            self.store(entry(0), at::ACC);
            let registers = [LoopReg::I, LoopReg::J];
            for ((point, scalar), (i, reg)) in two.iter().zip((0..).zip(registers)) {
                self.load(*point, at::ACC);
                self.store(entry(1 << (2 * i)), at::ACC);
                self.load(beta, at::POINT);
                self.run(&image);
                self.store(entry(2 << (2 * i)), at::ACC);
                self.load_scan(reg, *scalar, 256);
            }
            self.sums(group, table, 1 << (2 * two.len()));
            self.load(infinity, at::ACC);
            let top = self.here();
            self.run(&double);
            self.digit(LoopReg::I, 2, &mut |b, low| match two {
                [_] => b.load(entry(low), at::POINT),
                _ => b.digit(LoopReg::J, 2, &mut |b, high| b.load(entry(4 * high + low), at::POINT)),
            });
            self.run(&add);
            self.repeat(LoopReg::I, top, 128);
            self.load(sum, at::POINT);
            self.run(&add);
            self.store(sum, at::ACC);
        }
    }
}

/// `scalar·point` in constant time for a point of the subgroup, or infinity.
///
/// Regions: `point` (3 rows, homogeneous), `digits` (1 row, [`digits`]); `result` (2 rows, affine, `(0, 0)` for
/// infinity).
///
/// # Errors
/// The program does not fit the machine.
pub fn multiplication(
    group: Group,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let mut b = Builder::new(routines(group));
    let (point, digits) = (b.region("point", 3), b.region("digits", 1));
    let (table, result) = (b.region("table", TABLE), b.region("result", 2));
    b.mul_in_subgroup(group, point, digits, table);
    b.run(&group.routine("affine"));
    b.store(result, at::ACC);
    Ok(b.finish(spec, options)?.into())
}

/// The input regions of [`multiplication`].
pub fn inputs<C: Rows>(point: &Affine<C>, scalar: &Fr) -> Inputs<Fq> {
    vec![("point", homogeneous_rows(point).to_vec()), ("digits", vec![digits(C::GROUP, scalar)])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_field::{Field, Ring};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    #[test]
    fn digits_weigh_up_to_the_scalar() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let seed = Fr::from(Parameters::X);
        let weights = |group| match group {
            Group::G1 => [Fr::ONE, Fr::ONE.double(), seed.square(), seed.square().double()],
            Group::G2 => [Fr::ONE, seed, seed.square(), seed.square() * seed],
        };
        for k in [Fr::ZERO, Fr::ONE, -Fr::ONE, seed, Fr::random(&mut rng), Fr::random(&mut rng)] {
            for group in [Group::G1, Group::G2] {
                let limbs = digits(group, &k).c0.to_montgomery();
                let sum = (0..STEPS as usize).rev().fold(Fr::ZERO, |acc, step| {
                    let acc = if group == Group::G1 { acc.double().double() } else { acc.double() };
                    let bit = |i: usize| bit_window(&limbs, 4 * step + i, 1);
                    (0..4).fold(acc, |acc, i| acc + Fr::from(bit(i)) * weights(group)[i])
                });
                assert_eq!(sum, k, "{group:?}");
            }
            let limbs = halves(&k).c0.to_montgomery();
            let sum = (0..128).rev().fold(Fr::ZERO, |acc, step| {
                let bit = |i: usize| Fr::from(bit_window(&limbs, 2 * step + i, 1));
                acc.double() + bit(0) + bit(1) * seed.square()
            });
            assert_eq!(sum, k, "halves");
        }
    }
}
