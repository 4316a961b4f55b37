//! Measurements of transforms on operands that stay on the device between measurements: the input and its values on the
//! host are made once for all sizes; the twiddles and the expected results once for all shapes of a size.

use super::{Form, Measured, PART, SAMPLES, Subject, sample};
use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::Words;
use crate::workshop::Loaded;
use num_bigint::BigUint;
use pairwright_device::Transfer;
use pairwright_moma::program::ArrayKernel;
use pairwright_moma::program::ntt::plan::PassBuffer;
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device};
use pairwright_moma::program::primes::root_of_unity;
use rayon::prelude::*;

/// Number of results that are compared with the host's for transforms of more than 2^12 elements: computing each is a
/// sum over all elements of its transform.
const CHECKED_RESULTS: usize = 8;

/// Number of terms of such a sum, and of powers of a root, that one task computes.
const PIECE: u64 = 1 << 12;

/// Elements on the device, as the input of one transform or several side by side.
#[derive(Debug)]
pub struct Transforms<'a> {
    subject: &'a Subject,
    all: u64,
    values: Vec<u64>,
    input: Words,
    prepared: Option<Prepared>,
}

/// The data that transforms of one size need, for any shape.
#[derive(Debug)]
struct Prepared {
    log_n: u32,
    table: Words,
    /// Some expected results, with their indices among all elements.
    expected: Vec<(u64, BigUint)>,
}

impl Subject {
    /// Prepares transforms of `all` elements in total, a power of two, with a pseudo-random input.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn transforms(&self, all: u64) -> Result<Transforms<'_>, GpuError> {
        let values = self.random(all, 1);
        let _turn = self.setup.timing_lock();
        self.check_memory(&[("input", all)])?;
        let input = self.upload(&values)?;
        Ok(Transforms { subject: self, all, values, input, prepared: None })
    }

    /// Measures `batch` forward transforms of `2^log_n` elements; every pass is part of the time, which is the median
    /// of [`super::RUNS`] launches.
    ///
    /// # Errors
    /// As [`Subject::products`]; [`GpuError::Kernel`] for sizes that the field or the device does not have.
    pub fn transform(&self, log_n: u32, batch: u32, tuning: &Tuning) -> Result<Measured, GpuError> {
        self.transforms(u64::from(batch) << log_n)?.measure(log_n, tuning)
    }

    /// Compiles the kernels of some shapes in parallel, for measurements that follow. Shapes that do not compile are
    /// skipped here.
    pub fn compile_transforms(&self, log_n: u32, shapes: &[Tuning]) {
        let kernels = |tuning: &Tuning| Some(self.passes(log_n, tuning).ok()?.1);
        let all: Vec<ArrayKernel> = shapes.iter().filter_map(kernels).flatten().collect();
        all.par_iter().with_max_len(1).for_each(|kernel| {
            // The measurement of the shape reports the error.
            let _ = self.setup.compile(&kernel.name, &self.family.text(kernel));
        });
    }

    /// The plan of a forward transform with the programs of its passes.
    fn passes(&self, log_n: u32, tuning: &Tuning) -> Result<(NttPlan, Vec<ArrayKernel>), GpuError> {
        let plan = NttPlan::choose(self.element(), log_n, tuning)?;
        let kernels = device::kernels(&plan, Kind::FORWARD);
        Ok((plan, kernels))
    }
}

impl Transforms<'_> {
    /// Measures the transforms of `2^log_n` elements into which all elements are divided.
    ///
    /// # Errors
    /// As [`Subject::transform`].
    pub fn measure(&mut self, log_n: u32, tuning: &Tuning) -> Result<Measured, GpuError> {
        let subject = self.subject;
        let (plan, programs) = subject.passes(log_n, tuning)?;
        let kernels: Vec<Loaded> =
            programs.into_iter().map(|kernel| subject.load(kernel)).collect::<Result<_, _>>()?;
        let prepared = match self.prepared.take().filter(|prepared| prepared.log_n == log_n) {
            Some(prepared) => prepared,
            None => self.prepare(log_n)?,
        };
        let Prepared { table, expected, .. } = self.prepared.insert(prepared);
        let batch = u32::try_from(self.all >> log_n).unwrap_or(u32::MAX);

        let turn = subject.setup.timing_lock();
        subject.check_memory(&[("output", self.all), ("scratch", self.all)])?;
        // Cleared, so that results left by another shape are not taken for this one's.
        let (mut output, mut scratch) = (subject.zeros(self.all)?, subject.zeros(self.all)?);
        let input = &self.input;
        let time = subject.median(|| {
            for (at, kernel) in kernels.iter().enumerate() {
                let (from, to) = match plan.route(at) {
                    (PassBuffer::Input, PassBuffer::Output) => (input, &mut output),
                    (PassBuffer::Input, _) => (input, &mut scratch),
                    (PassBuffer::Scratch, _) => (&scratch, &mut output),
                    (PassBuffer::Output, _) => (&output, &mut scratch),
                };
                let buffers = vec![Arg::Write(to), Arg::Read(from), Arg::Read(&*table)];
                // SAFETY: a pass reads and writes `batch * 2^log_n` elements of different buffers and the table.
                unsafe { kernel.launch(&[batch], buffers, &subject.constants)? };
            }
            Ok(())
        })?;
        for (index, value) in expected {
            if element(subject.form(), &output, *index)? != *value {
                return Err(GpuError::Wrong { what: "ntt", index: *index });
            }
        }
        drop((output, scratch, turn));

        let butterflies = (u64::from(log_n) * u64::from(batch)) << (log_n - 1);
        let bytes = plan.bytes_moved().data * u64::from(batch) + plan.bytes_moved().twiddles;
        Ok(subject.measured(format!("ntt 2^{log_n} x {batch}"), butterflies, bytes, time, &kernels))
    }

    /// Computes the twiddles and some expected results of a size.
    fn prepare(&self, log_n: u32) -> Result<Prepared, GpuError> {
        let subject = self.subject;
        let (form, q) = (subject.form(), &subject.rule.modulus);
        let root = root_of_unity(q, log_n)?;
        let powers = Powers::new(&root, q, log_n);
        let table = powers.table(form, &subject.rule.one(), q, log_n);
        let samples = if log_n <= 12 { SAMPLES } else { CHECKED_RESULTS };
        let result = |index: u64| (index, powers.result(form, &self.values, log_n, index, q));
        let expected = sample(self.all, samples).into_par_iter().map(result).collect();
        let _turn = subject.setup.timing_lock();
        subject.check_memory(&[("twiddles", 1 << log_n)])?;
        Ok(Prepared { log_n, table: subject.upload(&table)?, expected })
    }
}

/// Reads one element of a buffer on the device.
fn element(form: Form, words: &Words, index: u64) -> Result<BigUint, GpuError> {
    let bytes = form.element.bytes() as u64;
    let (first, end) = (index * bytes / 8, ((index + 1) * bytes).div_ceil(8));
    let mut read = vec![0; (end - first) as usize];
    words.read_from(first as usize, &mut read, &mut Transfer::default())?;
    // An element with an odd number of 32-bit words may begin in the middle of a 64-bit word.
    let digit = (index * bytes % 8) as usize / (form.element.word_bits as usize / 8);
    Ok(form.number_at(&read, digit))
}

/// The first half of the powers of a root of unity of order `2^log_n`, in limbs of 64 bits.
struct Powers {
    limbs: usize,
    words: Vec<u64>,
}

impl Powers {
    fn new(root: &BigUint, q: &BigUint, log_n: u32) -> Self {
        let count = 1u64 << log_n.saturating_sub(1);
        let limbs = q.bits().div_ceil(64) as usize;
        let mut words = vec![0; count as usize * limbs];
        words.par_chunks_mut(PIECE as usize * limbs).enumerate().for_each(|(piece, words)| {
            let mut power = root.modpow(&BigUint::from(piece as u64 * PIECE), q);
            for to in words.chunks_exact_mut(limbs) {
                put(to, &power);
                power = power * root % q;
            }
        });
        Self { limbs, words }
    }

    /// The power with exponent `at`.
    fn get(&self, at: u64) -> &[u64] {
        &self.words[at as usize * self.limbs..][..self.limbs]
    }

    /// The same powers multiplied by a number.
    fn times(&self, by: &BigUint, q: &BigUint) -> Self {
        let mut words = self.words.clone();
        words.par_chunks_mut(self.limbs).with_min_len(PIECE as usize).for_each(|limbs| {
            let number = number_of(limbs) * by % q;
            put(limbs, &number);
        });
        Self { limbs: self.limbs, words }
    }

    /// The table of a forward transform, as [`pairwright_moma::program::ntt::twiddles`] describes it, in words of the
    /// device: entry 0 is one, entry `P + p` with `p < P` is the power with exponent `p n / 2P`. `one` is the element
    /// that represents one.
    fn table(&self, form: Form, one: &BigUint, q: &BigUint, log_n: u32) -> Vec<u64> {
        let scaled = self.times(one, q);
        let entry = |i: u64| {
            let level = i.max(1).ilog2();
            let power = (i.max(1) - (1 << level)) << (log_n - 1 - level.min(log_n - 1));
            form.digits(scaled.get(power))
        };
        let n = 1u64 << log_n;
        let parts = (0..n.div_ceil(PART)).into_par_iter();
        parts
            .flat_map_iter(|part| form.collect((part * PART..n.min((part + 1) * PART)).flat_map(entry)))
            .collect()
    }

    /// Result `index` of the transforms of some values: the value of a polynomial at a power of the root.
    fn result(&self, form: Form, values: &[u64], log_n: u32, index: u64, q: &BigUint) -> BigUint {
        let n = 1u64 << log_n;
        let (first, power) = (index >> log_n << log_n, index % n);
        let piece = |piece: u64| {
            // Sums of products with powers from the first half and from the second half; as the root's power n/2 is -1,
            // the latter sum is subtracted.
            let mut sums = [vec![0u64; 2 * self.limbs + 1], vec![0u64; 2 * self.limbs + 1]];
            let mut value = vec![0; self.limbs];
            for j in piece * PIECE..n.min((piece + 1) * PIECE) {
                form.limbs(values, first + j, &mut value);
                let exponent = power * j % n;
                let half = n / 2;
                add_product(&mut sums[usize::from(exponent >= half)], &value, self.get(exponent % half));
            }
            let [plus, minus] = sums.map(|sum| number_of(&sum) % q);
            (plus + q - minus) % q
        };
        let pieces = (0..n.div_ceil(PIECE)).into_par_iter().map(piece);
        pieces.reduce(BigUint::default, |a, b| (a + b) % q)
    }
}

/// Computes `sum += a b`, where `sum` is long enough for the result.
fn add_product(sum: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0;
        for (to, y) in sum[i..].iter_mut().zip(b) {
            let all = u128::from(*x) * u128::from(*y) + u128::from(*to) + u128::from(carry);
            (*to, carry) = (all as u64, (all >> 64) as u64);
        }
        for to in &mut sum[i + b.len()..] {
            let over;
            (*to, over) = to.overflowing_add(carry);
            carry = u64::from(over);
            if !over {
                break;
            }
        }
    }
}

fn put(to: &mut [u64], number: &BigUint) {
    let mut limbs = number.iter_u64_digits();
    to.iter_mut().for_each(|to| *to = limbs.next().unwrap_or(0));
}

fn number_of(limbs: &[u64]) -> BigUint {
    let halves = limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
    BigUint::new(halves.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_moma::program::Element;
    use pairwright_moma::program::interp::FieldRule;
    use pairwright_moma::program::ntt::twiddles;
    use pairwright_moma::program::primes::ntt_prime;

    /// An even and an odd number of words of 32 bits, words of 64 bits, digits of 52.
    fn forms() -> [(Form, u32); 4] {
        [(32, 8, 32, 252), (32, 3, 32, 96), (64, 6, 64, 380), (64, 5, 52, 255)].map(
            |(word_bits, words, digit, bits)| (Form { element: Element { word_bits, words }, digit }, bits),
        )
    }

    #[test]
    fn tables_are_those_of_the_programs() {
        for (form, bits) in forms() {
            let q = ntt_prime(bits, 14).unwrap();
            let radix = u64::from(form.digit) * form.element.words as u64;
            for rule in [FieldRule::plain(&q), FieldRule::montgomery(&q, radix).unwrap()] {
                for log_n in [1, 2, 7, 14] {
                    let root = root_of_unity(&q, log_n).unwrap();
                    let table = Powers::new(&root, &q, log_n).table(form, &rule.one(), &q, log_n);
                    let theirs = twiddles(log_n, false, &root, None, &rule).unwrap();
                    assert!(table == form.pack(&theirs), "2^{log_n} at {bits} bits");
                }
            }
        }
    }

    #[test]
    fn results_are_values_of_polynomials() {
        for (form, bits) in forms() {
            let q = ntt_prime(bits, 14).unwrap();
            for log_n in [1, 3, 13] {
                let (n, batch) = (1u64 << log_n, 2);
                let values = form.random(n * batch, bits, 5);
                let root = root_of_unity(&q, log_n).unwrap();
                let powers = Powers::new(&root, &q, log_n);
                for index in sample(n * batch, 6) {
                    let (first, point) =
                        (index >> log_n << log_n, root.modpow(&BigUint::from(index % n), &q));
                    let value = (first..first + n)
                        .rev()
                        .fold(BigUint::default(), |sum, j| (sum * &point + form.number(&values, j)) % &q);
                    assert_eq!(powers.result(form, &values, log_n, index, &q), value, "{index} of 2^{log_n}");
                }
            }
        }
    }

    #[test]
    fn sums_of_products_carry_to_their_top() {
        let most = [u64::MAX; 2];
        let mut sum = vec![0; 5];
        let mut expected = BigUint::default();
        for _ in 0..5 {
            add_product(&mut sum, &most, &most);
            expected += number_of(&most) * number_of(&most);
        }
        assert_eq!(number_of(&sum), expected);
    }
}
