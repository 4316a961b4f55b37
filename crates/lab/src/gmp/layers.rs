//! Modular arithmetic with each of GMP's interfaces.

use crate::host::to_limbs;
use crate::modulus::Modulus;
use num_bigint::BigUint;
use pairwright_moma::program::blas::BlasOp;
use pairwright_testkit::gmp::{Gmp, Integer};
use std::cmp::Ordering;

/// Modular arithmetic on numbers that are `stride` consecutive words.
pub(crate) trait Layer: Sync {
    /// The type of the words that numbers in an array consist of.
    type Word: Send + Sync;
    /// Temporary storage for values larger than a number; one per thread.
    type Scratch;
    /// Name of the series.
    const NAME: &'static str;

    fn stride(&self) -> usize;
    fn scratch(&self) -> Self::Scratch;
    fn load(&self, numbers: &[BigUint]) -> Vec<Self::Word>;
    fn store(&self, words: &[Self::Word]) -> Vec<BigUint>;
    /// Overwrites every number with a value that no reduced result can equal.
    fn spoil(&self, words: &mut [Self::Word]);
    fn add(&self, out: &mut [Self::Word], a: &[Self::Word], b: &[Self::Word]);
    fn sub(&self, out: &mut [Self::Word], a: &[Self::Word], b: &[Self::Word]);
    fn mul(&self, out: &mut [Self::Word], a: &[Self::Word], b: &[Self::Word], s: &mut Self::Scratch);
    fn axpy(
        &self,
        out: &mut [Self::Word],
        scalar: &[Self::Word],
        a: &[Self::Word],
        b: &[Self::Word],
        s: &mut Self::Scratch,
    );
    /// `a, b = a + w b, a - w b`.
    fn butterfly(&self, a: &mut [Self::Word], b: &mut [Self::Word], w: &[Self::Word], s: &mut Self::Scratch);

    /// Applies an operation to every number of three arrays.
    fn vector(
        &self,
        op: BlasOp,
        scalar: &[Self::Word],
        out: &mut [Self::Word],
        a: &[Self::Word],
        b: &[Self::Word],
    ) {
        let stride = self.stride();
        let mut scratch = self.scratch();
        let triples = out.chunks_exact_mut(stride).zip(a.chunks_exact(stride)).zip(b.chunks_exact(stride));
        for ((out, a), b) in triples {
            match op {
                BlasOp::Vadd => self.add(out, a, b),
                BlasOp::Vsub => self.sub(out, a, b),
                BlasOp::Vmul => self.mul(out, a, b, &mut scratch),
                BlasOp::Axpy => self.axpy(out, scalar, a, b, &mut scratch),
            }
        }
    }
}

/// Arithmetic with GMP's integers (`mpz`).
pub(crate) struct Mpz {
    gmp: &'static Gmp,
    q: Integer,
    bits: usize,
}

impl Mpz {
    pub(crate) fn new(gmp: &'static Gmp, modulus: &Modulus) -> Self {
        Self::modulo(gmp, &modulus.q)
    }

    pub(crate) fn modulo(gmp: &'static Gmp, q: &BigUint) -> Self {
        let limbs = q.to_u64_digits();
        Self { gmp, q: Integer::from_limbs(gmp, &limbs), bits: 64 * limbs.len() }
    }
}

impl Layer for Mpz {
    type Word = Integer;
    type Scratch = Integer;
    const NAME: &'static str = "gmp mpz";

    fn stride(&self) -> usize {
        1
    }

    fn scratch(&self) -> Integer {
        Integer::with_room(self.gmp, 2 * self.bits + 64)
    }

    fn load(&self, numbers: &[BigUint]) -> Vec<Integer> {
        // Space for a product is reserved, so that no operation has to allocate.
        let roomy = |number: &BigUint| {
            let mut made = Integer::with_room(self.gmp, 2 * self.bits + 64);
            made.add_assign(&Integer::from_limbs(self.gmp, &number.to_u64_digits()));
            made
        };
        numbers.iter().map(roomy).collect()
    }

    fn store(&self, words: &[Integer]) -> Vec<BigUint> {
        words.iter().map(|word| from_limbs(word.limbs())).collect()
    }

    fn spoil(&self, words: &mut [Integer]) {
        for word in words {
            word.set_add(&self.q, &self.q);
        }
    }

    fn add(&self, out: &mut [Integer], a: &[Integer], b: &[Integer]) {
        out[0].set_add(&a[0], &b[0]);
        out[0].reduce(&self.q);
    }

    fn sub(&self, out: &mut [Integer], a: &[Integer], b: &[Integer]) {
        out[0].set_sub(&a[0], &b[0]);
        out[0].reduce(&self.q);
    }

    fn mul(&self, out: &mut [Integer], a: &[Integer], b: &[Integer], _: &mut Integer) {
        out[0].set_mul(&a[0], &b[0]);
        out[0].reduce(&self.q);
    }

    fn axpy(&self, out: &mut [Integer], scalar: &[Integer], a: &[Integer], b: &[Integer], _: &mut Integer) {
        out[0].set_mul(&scalar[0], &a[0]);
        out[0].add_assign(&b[0]);
        out[0].reduce(&self.q);
    }

    fn butterfly(&self, a: &mut [Integer], b: &mut [Integer], w: &[Integer], s: &mut Integer) {
        s.set_mul(&b[0], &w[0]);
        s.reduce(&self.q);
        b[0].set_sub(&a[0], s);
        b[0].reduce(&self.q);
        a[0].add_assign(s);
        a[0].reduce(&self.q);
    }
}

/// Arithmetic with GMP's limbs (`mpn`). The modulus leaves a few bits of its highest limb free, so sums do not carry.
pub(crate) struct Mpn {
    gmp: &'static Gmp,
    q: Vec<u64>,
}

impl Mpn {
    pub(crate) fn new(gmp: &'static Gmp, modulus: &Modulus) -> Self {
        Self { gmp, q: to_limbs(&modulus.q, modulus.limbs()) }
    }

    /// Arithmetic modulo a number whose highest limb has at least one free bit.
    pub(crate) fn modulo(gmp: &'static Gmp, q: &BigUint) -> Self {
        Self { gmp, q: q.to_u64_digits() }
    }

    fn subtract_once(&self, out: &mut [u64]) {
        if self.gmp.cmp(out, &self.q) != Ordering::Less {
            self.gmp.sub_assign_n(out, &self.q);
        }
    }
}

/// Temporary storage: a product, its quotient, and a number.
pub(crate) struct Limbs {
    product: Vec<u64>,
    quotient: Vec<u64>,
    number: Vec<u64>,
}

impl Layer for Mpn {
    type Word = u64;
    type Scratch = Limbs;
    const NAME: &'static str = "gmp mpn";

    fn stride(&self) -> usize {
        self.q.len()
    }

    fn scratch(&self) -> Limbs {
        let n = self.q.len();
        Limbs { product: vec![0; 2 * n], quotient: vec![0; n + 1], number: vec![0; n] }
    }

    fn load(&self, numbers: &[BigUint]) -> Vec<u64> {
        numbers.iter().flat_map(|number| to_limbs(number, self.q.len())).collect()
    }

    fn store(&self, words: &[u64]) -> Vec<BigUint> {
        words.chunks_exact(self.q.len()).map(from_limbs).collect()
    }

    fn spoil(&self, words: &mut [u64]) {
        words.fill(u64::MAX);
    }

    fn add(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.gmp.add_n(out, a, b);
        self.subtract_once(out);
    }

    fn sub(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if self.gmp.sub_n(out, a, b) != 0 {
            self.gmp.add_assign_n(out, &self.q);
        }
    }

    fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64], s: &mut Limbs) {
        self.gmp.mul_n(&mut s.product, a, b);
        self.gmp.tdiv_qr(&mut s.quotient, out, &s.product, &self.q);
    }

    fn axpy(&self, out: &mut [u64], scalar: &[u64], a: &[u64], b: &[u64], s: &mut Limbs) {
        self.mul(out, scalar, a, s);
        self.gmp.add_assign_n(out, b);
        self.subtract_once(out);
    }

    fn butterfly(&self, a: &mut [u64], b: &mut [u64], w: &[u64], s: &mut Limbs) {
        self.gmp.mul_n(&mut s.product, b, w);
        self.gmp.tdiv_qr(&mut s.quotient, &mut s.number, &s.product, &self.q);
        self.sub(b, a, &s.number);
        self.gmp.add_assign_n(a, &s.number);
        self.subtract_once(a);
    }
}

fn from_limbs(limbs: &[u64]) -> BigUint {
    BigUint::from_slice(&limbs.iter().flat_map(|l| [*l as u32, (*l >> 32) as u32]).collect::<Vec<_>>())
}
