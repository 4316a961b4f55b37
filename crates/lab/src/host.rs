//! Kernels on the host: the layout of numbers in their arrays, and their execution on all threads.
//!
//! Arrays are those of the array kernels of `testkit::jit`. A vector kernel has the inputs `a, b` followed by its
//! tables: `constants`, or `scalar, constants` for axpy; `n` counts blocks of [`Format::lanes`] numbers. A transform
//! works in place, with the tables `twiddles, constants`; `n` counts transforms or, with lanes, groups of as many
//! interleaved transforms as there are lanes. Numbers in tables are not interleaved.

use crate::LabError;
use crate::measure::Work;
use crate::targets::{NttCase, VectorCase};
use num_bigint::BigUint;
use pairwright_testkit::jit::{AlignedWords, LoadedKernel};
use rayon::prelude::*;
use std::time::Duration;

/// The layout of numbers in a kernel's arrays: blocks of `lanes` numbers; within a block, the lowest digits of all
/// lanes come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of a digit; each digit occupies a 64-bit word.
    pub digit_bits: u32,
    /// Digits per number.
    pub digits: usize,
    /// Numbers per block.
    pub lanes: usize,
    /// A number x is stored as `x factor mod q`: the factor is 1, or the R of Montgomery form.
    pub factor: BigUint,
}

impl Format {
    /// Words per block.
    pub fn block(&self) -> usize {
        self.digits * self.lanes
    }

    /// Converts numbers below q to the kernel's format; their count must be a multiple of the lanes.
    pub fn pack(&self, numbers: &[BigUint], q: &BigUint) -> AlignedWords {
        assert!(numbers.len().is_multiple_of(self.lanes), "whole blocks");
        let mut words = AlignedWords::new(numbers.len() * self.digits, 0);
        for (block, numbers) in words.chunks_exact_mut(self.block()).zip(numbers.chunks_exact(self.lanes)) {
            for (lane, number) in numbers.iter().enumerate() {
                let mut rest = if self.factor == BigUint::from(1u8) {
                    number.clone()
                } else {
                    number * &self.factor % q
                };
                for digit in block[lane..].iter_mut().step_by(self.lanes) {
                    *digit = low_bits(&rest, self.digit_bits);
                    rest >>= self.digit_bits;
                }
            }
        }
        words
    }

    /// The numbers stored in `words`; values that are not below q are returned without conversion.
    pub fn unpack(&self, words: &[u64], q: &BigUint) -> Vec<BigUint> {
        let inverse = self.factor.modinv(q).expect("a factor that is prime to q");
        let mut numbers = Vec::with_capacity(words.len() / self.digits);
        for block in words.chunks_exact(self.block()) {
            for lane in 0..self.lanes {
                let digits = block[lane..].iter().step_by(self.lanes);
                let number = digits.rev().fold(BigUint::ZERO, |sum, digit| (sum << self.digit_bits) + *digit);
                numbers.push(if number < *q { number * &inverse % q } else { number });
            }
        }
        numbers
    }
}

fn low_bits(number: &BigUint, bits: u32) -> u64 {
    let low = number.iter_u64_digits().next().unwrap_or(0);
    if bits == 64 { low } else { low & ((1 << bits) - 1) }
}

/// The lowest `limbs` 64-bit limbs of a number.
pub(crate) fn to_limbs(number: &BigUint, limbs: usize) -> Vec<u64> {
    let mut words = number.to_u64_digits();
    assert!(words.len() <= limbs, "a number of at most {limbs} limbs");
    words.resize(limbs, 0);
    words
}

/// A loaded kernel with the data that depend on the modulus.
#[derive(Debug)]
pub struct Loaded {
    /// The kernel's function.
    pub kernel: LoadedKernel,
    /// The layout of its numbers.
    pub format: Format,
    /// The inputs that follow the vectors in the argument list.
    pub tables: Vec<AlignedWords>,
}

/// A vector operation by a kernel, with the vectors divided into one piece per thread.
pub struct HostVector<'a> {
    loaded: Loaded,
    case: VectorCase<'a>,
    a: AlignedWords,
    b: AlignedWords,
    out: AlignedWords,
}

impl<'a> HostVector<'a> {
    /// Converts the operands of a case to the kernel's format.
    pub fn new(loaded: Loaded, case: VectorCase<'a>) -> Self {
        let [a, b] = [case.a, case.b].map(|numbers| loaded.format.pack(numbers, &case.modulus.q));
        let out = AlignedWords::new(a.len(), 0);
        Self { loaded, case, a, b, out }
    }
}

impl Work for HostVector<'_> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.out.fill(u64::MAX);
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let block = self.loaded.format.block();
        let piece = (self.a.len() / block).div_ceil(self.case.pool.current_num_threads()) * block;
        let loaded = &self.loaded;
        let (out, a, b) = (&mut self.out, &self.a, &self.b);
        self.case.pool.install(|| {
            let pieces = out.par_chunks_mut(piece).zip(a.par_chunks(piece)).zip(b.par_chunks(piece));
            pieces.for_each(|((out, a), b)| {
                let tables = loaded.tables.iter().map(|table| &**table);
                let inputs: Vec<&[u64]> = [a, b].into_iter().chain(tables).collect();
                loaded.kernel.call(out.len() / block, out, &inputs);
            });
        });
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(self.loaded.format.unpack(&self.out, &self.case.modulus.q))
    }
}

/// Transforms by a kernel, with the batch divided into one piece per thread.
pub struct HostNtt<'a> {
    loaded: Loaded,
    case: NttCase<'a>,
    inputs: AlignedWords,
    data: AlignedWords,
}

impl<'a> HostNtt<'a> {
    /// Converts the inputs of a case to the kernel's format, with whole groups of lanes for each thread.
    pub fn new(loaded: Loaded, case: NttCase<'a>) -> Self {
        let lanes = loaded.format.lanes;
        let inputs = case.inputs(case.host_batch(lanes));
        let side_by_side = transposed(&inputs, lanes, 1 << case.log2_n);
        let inputs = loaded.format.pack(&side_by_side, &case.modulus.q);
        let data = AlignedWords::new(inputs.len(), 0);
        Self { loaded, case, inputs, data }
    }
}

impl Work for HostNtt<'_> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.data.copy_from_slice(&self.inputs);
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let words = self.loaded.format.block() << self.case.log2_n;
        let piece = (self.data.len() / words).div_ceil(self.case.pool.current_num_threads()) * words;
        let loaded = &self.loaded;
        let tables: Vec<&[u64]> = loaded.tables.iter().map(|table| &**table).collect();
        let data = &mut self.data;
        self.case.pool.install(|| {
            data.par_chunks_mut(piece).for_each(|data| loaded.kernel.call(data.len() / words, data, &tables));
        });
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        let side_by_side = self.loaded.format.unpack(&self.data, &self.case.modulus.q);
        Ok(transposed(&side_by_side, 1 << self.case.log2_n, self.loaded.format.lanes))
    }
}

/// Consecutive matrices with `rows` rows and `columns` columns, each transposed.
fn transposed(numbers: &[BigUint], rows: usize, columns: usize) -> Vec<BigUint> {
    let matrices = numbers.chunks_exact(rows * columns);
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
    matrices.flat_map(|matrix| places.clone().map(|place| matrix[place].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Modulus;

    #[test]
    fn transforms_lie_side_by_side() {
        let numbers: Vec<_> = (0..12u32).map(BigUint::from).collect();
        let side_by_side = transposed(&numbers, 2, 3);
        assert_eq!(side_by_side, [0u32, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11].map(BigUint::from));
        assert_eq!(transposed(&side_by_side, 3, 2), numbers);
    }

    #[test]
    fn numbers_survive_every_format() {
        let modulus = Modulus::of_class(128).unwrap();
        let mut rng = <rand_chacha::ChaCha8Rng as rand_chacha::rand_core::SeedableRng>::seed_from_u64(7);
        let numbers = modulus.operands(16, &mut rng);
        let r = (BigUint::from(1u8) << 156u32) % &modulus.q;
        for (digit_bits, digits, lanes, factor) in
            [(64, 2, 1, BigUint::from(1u8)), (52, 3, 8, r.clone()), (25, 5, 4, r)]
        {
            let format = Format { digit_bits, digits, lanes, factor };
            let words = format.pack(&numbers, &modulus.q);
            assert!(words.iter().all(|word| digit_bits == 64 || word >> digit_bits == 0));
            assert_eq!(format.unpack(&words, &modulus.q), numbers, "{format:?}");
        }
        // The edge values 0, 1, q - 1 in the first three lanes: the lowest digits of all lanes, then the next ones.
        let format = Format { digit_bits: 52, digits: 3, lanes: 8, factor: BigUint::from(1u8) };
        let words = format.pack(&numbers, &modulus.q);
        let top = &modulus.q - 1u8;
        assert_eq!([words[0], words[1], words[2]], [0, 1, low_bits(&top, 52)]);
        assert_eq!([words[8], words[9], words[10]], [0, 0, low_bits(&(top >> 52), 52)]);
    }
}
