//! Kernels on the host: how numbers lie in their arrays, and how they run on all threads.
//!
//! Arrays are what `testkit::jit` calls array kernels. A vector kernel has the inputs `a, b` and then its tables:
//! `constants`, or `scalar, constants` for axpy; `n` counts blocks of [`Format::lanes`] numbers. A transform works in
//! place, with the tables `twiddles, constants`; `n` counts transforms, or, with lanes, groups of as many transforms
//! side by side. Numbers in tables stand alone, without lanes.

use crate::LabError;
use crate::measure::Work;
use crate::targets::{NttCase, VectorCase};
use num_bigint::BigUint;
use pairwright_testkit::jit::{AlignedWords, LoadedKernel};
use rayon::prelude::*;
use std::time::Duration;

/// The layout of numbers in a kernel's arrays: blocks of `lanes` numbers, in a block the lowest digits of all lanes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of a digit; each fills a 64-bit word.
    pub digit_bits: u32,
    /// Digits of a number.
    pub digits: usize,
    /// Numbers of a block.
    pub lanes: usize,
    /// A number x stands as `x factor mod q`: 1, or the R of Montgomery form.
    pub factor: BigUint,
}

impl Format {
    /// Words of a block.
    pub fn block(&self) -> usize {
        self.digits * self.lanes
    }

    /// Numbers below q, as the kernel wants them; their count is a multiple of the lanes.
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

    /// The numbers that stand in `words`; those that are not below q come out as they are.
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

/// The 64-bit limbs of a number, as many as asked for.
pub(crate) fn to_limbs(number: &BigUint, limbs: usize) -> Vec<u64> {
    let mut words = number.to_u64_digits();
    assert!(words.len() <= limbs, "a number of at most {limbs} limbs");
    words.resize(limbs, 0);
    words
}

/// A kernel that is ready to run, with the data that belong to a modulus.
#[derive(Debug)]
pub struct Loaded {
    /// The loaded function.
    pub kernel: LoadedKernel,
    /// The layout of its numbers.
    pub format: Format,
    /// The inputs that follow the vectors.
    pub tables: Vec<AlignedWords>,
}

/// A vector operation by a kernel, the vectors cut in as many pieces as there are threads.
pub struct HostVector<'a> {
    loaded: Loaded,
    case: VectorCase<'a>,
    a: AlignedWords,
    b: AlignedWords,
    out: AlignedWords,
}

impl<'a> HostVector<'a> {
    /// The operands of a case in the kernel's format.
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

/// Transforms by a kernel, the batch cut in as many pieces as there are threads.
pub struct HostNtt<'a> {
    loaded: Loaded,
    case: NttCase<'a>,
    inputs: AlignedWords,
    data: AlignedWords,
}

impl<'a> HostNtt<'a> {
    /// The inputs of a case in the kernel's format, whole groups of lanes for each thread.
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

/// Consecutive matrices of so many rows and columns, each transposed.
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
        // The edges 0, 1, q - 1 in the first three lanes: the lowest digits of all lanes, then the next ones.
        let format = Format { digit_bits: 52, digits: 3, lanes: 8, factor: BigUint::from(1u8) };
        let words = format.pack(&numbers, &modulus.q);
        let top = &modulus.q - 1u8;
        assert_eq!([words[0], words[1], words[2]], [0, 1, low_bits(&top, 52)]);
        assert_eq!([words[8], words[9], words[10]], [0, 0, low_bits(&(top >> 52), 52)]);
    }
}
