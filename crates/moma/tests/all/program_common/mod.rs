//! Short hand-written field functions for tests of the array programs: Montgomery products by words (or 52-bit digits).
//! The generated field functions have tests of their own; these only serve to run the programs.

use num_bigint::BigUint;
use pairwright_moma::program::interp::FieldRule;
use pairwright_moma::program::lang::Element;
use pairwright_moma::program::print::FieldCode;

/// Montgomery arithmetic in C for any number of words, out of line to compile fast; constants are `q` and `-1/q mod 2^w`.
pub(crate) fn c_field(element: Element) -> FieldCode {
    let wide = if element.word_bits == 64 { "unsigned __int128" } else { "uint64_t" };
    let text = format!(
        "typedef {wide} wide;
static __attribute__((noinline)) void pw_reduce(word *r, word carry, const word *t, const word *q) {{
    word d[WORDS], borrow = 0;
    for (int i = 0; i < WORDS; i++) {{
        wide x = (wide)t[i] - q[i] - borrow;
        d[i] = (word)x; borrow = (word)(x >> WORD_BITS) & 1;
    }}
    for (int i = 0; i < WORDS; i++) r[i] = carry >= borrow ? d[i] : t[i];
}}
static __attribute__((noinline)) void pw_add(word *r, const word *a, const word *b, const word *k) {{
    word t[WORDS], carry = 0;
    for (int i = 0; i < WORDS; i++) {{
        wide x = (wide)a[i] + b[i] + carry; t[i] = (word)x; carry = (word)(x >> WORD_BITS);
    }}
    pw_reduce(r, carry, t, k);
}}
static __attribute__((noinline)) void pw_sub(word *r, const word *a, const word *b, const word *k) {{
    word t[WORDS], borrow = 0, carry = 0;
    for (int i = 0; i < WORDS; i++) {{
        wide x = (wide)a[i] - b[i] - borrow; t[i] = (word)x; borrow = (word)(x >> WORD_BITS) & 1;
    }}
    for (int i = 0; i < WORDS; i++) {{
        wide x = (wide)t[i] + (borrow ? k[i] : 0) + carry; r[i] = (word)x; carry = (word)(x >> WORD_BITS);
    }}
}}
static __attribute__((noinline)) void pw_mul(word *r, const word *a, const word *b, const word *k) {{
    word t[WORDS + 1] = {{0}};
    for (int i = 0; i < WORDS; i++) {{
        word c = 0, top;
        for (int j = 0; j < WORDS; j++) {{
            wide x = (wide)a[j] * b[i] + t[j] + c; t[j] = (word)x; c = (word)(x >> WORD_BITS);
        }}
        wide s = (wide)t[WORDS] + c; t[WORDS] = (word)s; top = (word)(s >> WORD_BITS);
        word m = t[0] * k[WORDS];
        wide x = (wide)m * k[0] + t[0]; c = (word)(x >> WORD_BITS);
        for (int j = 1; j < WORDS; j++) {{
            x = (wide)m * k[j] + t[j] + c; t[j - 1] = (word)x; c = (word)(x >> WORD_BITS);
        }}
        s = (wide)t[WORDS] + c; t[WORDS - 1] = (word)s; t[WORDS] = top + (word)(s >> WORD_BITS);
    }}
    pw_reduce(r, t[WORDS], t, k);
}}
static __attribute__((unused)) void pw_sqr(word *r, const word *a, const word *k) {{ pw_mul(r, a, a, k); }}
"
    );
    FieldCode { text, constants: element.words + 1 }
}

/// The same in Rust; `BITS` is 64, or 52 for digits, whose elements are arrays of words too.
fn rust_text(bits: u32, element: &str) -> String {
    format!(
        "const BITS: u32 = {bits};
const MASK: u128 = (1 << BITS) - 1;
fn one_reduce(carry: u64, t: [u64; WORDS], q: &[u64]) -> [u64; WORDS] {{
    let (mut d, mut borrow) = (t, 0);
    for i in 0..WORDS {{
        let x = (t[i] as u128).wrapping_sub(q[i] as u128).wrapping_sub(borrow as u128);
        d[i] = (x & MASK) as u64; borrow = (x >> 127) as u64;
    }}
    if carry >= borrow {{ d }} else {{ t }}
}}
fn one_add(a: &{element}, b: &{element}, k: &[u64]) -> {element} {{
    let (mut t, mut carry) = (*a, 0);
    for i in 0..WORDS {{
        let x = a[i] as u128 + b[i] as u128 + carry; t[i] = (x & MASK) as u64; carry = x >> BITS;
    }}
    one_reduce(carry as u64, t, k)
}}
fn one_sub(a: &{element}, b: &{element}, k: &[u64]) -> {element} {{
    let (mut t, mut borrow, mut carry) = (*a, 0, 0);
    for i in 0..WORDS {{
        let x = (a[i] as u128).wrapping_sub(b[i] as u128).wrapping_sub(borrow);
        t[i] = (x & MASK) as u64; borrow = x >> 127;
    }}
    for i in 0..WORDS {{
        let x = t[i] as u128 + if borrow == 1 {{ k[i] as u128 }} else {{ 0 }} + carry;
        t[i] = (x & MASK) as u64; carry = x >> BITS;
    }}
    t
}}
fn one_mul(a: &{element}, b: &{element}, k: &[u64]) -> {element} {{
    let mut t = [0u64; WORDS + 1];
    for i in 0..WORDS {{
        let mut c = 0u128;
        for j in 0..WORDS {{
            let x = a[j] as u128 * b[i] as u128 + t[j] as u128 + c; t[j] = (x & MASK) as u64; c = x >> BITS;
        }}
        let s = t[WORDS] as u128 + c; t[WORDS] = (s & MASK) as u64; let top = s >> BITS;
        let m = (t[0].wrapping_mul(k[WORDS]) as u128) & MASK;
        c = (m * k[0] as u128 + t[0] as u128) >> BITS;
        for j in 1..WORDS {{
            let x = m * k[j] as u128 + t[j] as u128 + c; t[j - 1] = (x & MASK) as u64; c = x >> BITS;
        }}
        let s = t[WORDS] as u128 + c; t[WORDS - 1] = (s & MASK) as u64; t[WORDS] = (top + (s >> BITS)) as u64;
    }}
    let mut low = [0; WORDS];
    low.copy_from_slice(&t[..WORDS]);
    one_reduce(t[WORDS], low, k)
}}
"
    )
}

/// Montgomery arithmetic in Rust on 64-bit words.
pub(crate) fn rust_field(element: Element) -> FieldCode {
    let mut text = rust_text(64, "[u64; WORDS]");
    for (name, one) in [("pw_add", "one_add"), ("pw_sub", "one_sub"), ("pw_mul", "one_mul")] {
        text += &format!(
            "#[inline(always)]
fn {name}(r: &mut Element, a: &Element, b: &Element, k: &[u64; CONSTANTS]) {{ *r = {one}(a, b, k); }}\n"
        );
    }
    text += "#[inline(always)]
fn pw_sqr(r: &mut Element, a: &Element, k: &[u64; CONSTANTS]) { *r = one_mul(a, a, k); }\n";
    FieldCode { text, constants: element.words + 1 }
}

/// The same on 52-bit digits in eight lanes, computed lane by lane.
pub(crate) fn lanes_field(element: Element) -> FieldCode {
    let mut text = rust_text(52, "[u64; WORDS]");
    text += "#[inline]
fn lane<const N: usize>(a: &[__m512i; N], at: usize) -> [u64; N] {
    a.map(|v| unsafe { core::mem::transmute::<__m512i, [u64; 8]>(v) }[at])
}
#[inline]
fn each(f: fn(&[u64; WORDS], &[u64; WORDS], &[u64]) -> [u64; WORDS], r: &mut Element, a: &Element, b: &Element,
    k: &[__m512i; CONSTANTS]) {
    let (mut all, k) = ([[0u64; 8]; WORDS], lane(k, 0));
    for at in 0..8 {
        let one = f(&lane(a, at), &lane(b, at), &k);
        for w in 0..WORDS { all[w][at] = one[w]; }
    }
    *r = all.map(|v| unsafe { core::mem::transmute::<[u64; 8], __m512i>(v) });
}\n";
    for (name, one) in [("pw_add", "one_add"), ("pw_sub", "one_sub"), ("pw_mul", "one_mul")] {
        text += &format!(
            "#[inline]
unsafe fn {name}(r: &mut Element, a: &Element, b: &Element, k: &[__m512i; CONSTANTS]) {{ each({one}, r, a, b, k); }}\n"
        );
    }
    text += "#[inline]
unsafe fn pw_sqr(r: &mut Element, a: &Element, k: &[__m512i; CONSTANTS]) { each(one_mul, r, a, a, k); }\n";
    FieldCode { text, constants: element.words + 1 }
}

/// A field in two representations: integers, and words.
pub(crate) struct Judge {
    pub(crate) rule: FieldRule,
    pub(crate) element: Element,
    /// Width of a word or digit in bits.
    pub(crate) digit: u32,
}

impl Judge {
    /// Elements in words.
    pub(crate) fn words(modulus: &BigUint, word_bits: u32) -> Self {
        let words = modulus.bits().div_ceil(u64::from(word_bits)) as usize;
        Self::new(modulus, Element { word_bits, words }, word_bits)
    }

    /// Elements in 52-bit digits.
    pub(crate) fn digits(modulus: &BigUint) -> Self {
        let words = modulus.bits().div_ceil(52) as usize;
        Self::new(modulus, Element { word_bits: 64, words }, 52)
    }

    fn new(modulus: &BigUint, element: Element, digit: u32) -> Self {
        let rule = FieldRule::montgomery(modulus, u64::from(digit) * element.words as u64).unwrap();
        Self { rule, element, digit }
    }

    fn digits_of(&self, value: &BigUint) -> Vec<u64> {
        let mask = (BigUint::from(1u32) << self.digit) - 1u32;
        (0..self.element.words)
            .map(|w| u64::try_from((value >> (self.digit as usize * w)) & &mask).unwrap())
            .collect()
    }

    /// A buffer of single elements; 32-bit words two to a word of 64.
    pub(crate) fn pack(&self, elements: &[BigUint]) -> Vec<u64> {
        let digits: Vec<u64> = elements.iter().flat_map(|e| self.digits_of(e)).collect();
        self.pair(&digits)
    }

    fn pair(&self, words: &[u64]) -> Vec<u64> {
        if self.element.word_bits == 64 {
            return words.to_vec();
        }
        words.chunks(2).map(|c| c[0] | c.get(1).unwrap_or(&0) << 32).collect()
    }

    /// The inverse of [`Judge::pack`].
    pub(crate) fn unpack(&self, buffer: &[u64], count: usize) -> Vec<BigUint> {
        let bits = self.element.word_bits;
        let word = |at: usize| {
            if bits == 64 { buffer[at] } else { buffer[at / 2] >> (32 * (at % 2)) & 0xffff_ffff }
        };
        let element = |e: usize| {
            (0..self.element.words).rev().fold(BigUint::from(0u32), |value, w| {
                (value << self.digit) + word(e * self.element.words + w)
            })
        };
        (0..count).map(element).collect()
    }

    /// Blocks of lanes, digit by digit. Lane `l` of block `i` is element `i` of `lanes[l]`.
    pub(crate) fn pack_lanes(&self, lanes: &[Vec<BigUint>]) -> Vec<u64> {
        let mut buffer = Vec::new();
        for i in 0..lanes[0].len() {
            let digits: Vec<Vec<u64>> = lanes.iter().map(|lane| self.digits_of(&lane[i])).collect();
            for w in 0..self.element.words {
                buffer.extend(digits.iter().map(|d| d[w]));
            }
        }
        buffer
    }

    /// The inverse of [`Judge::pack_lanes`].
    pub(crate) fn unpack_lanes(&self, buffer: &[u64], blocks: usize) -> Vec<Vec<BigUint>> {
        let words = self.element.words;
        let lanes = buffer.len() / (words * blocks);
        let element = |lane: usize, block: usize| {
            (0..words).rev().fold(BigUint::from(0u32), |value, w| {
                (value << self.digit) + buffer[(block * words + w) * lanes + lane]
            })
        };
        (0..lanes).map(|lane| (0..blocks).map(|block| element(lane, block)).collect()).collect()
    }

    /// The constants of the field functions of this file.
    pub(crate) fn constants(&self) -> Vec<u64> {
        let base = BigUint::from(1u32) << self.digit;
        let inverse = &base - self.rule.modulus.modinv(&base).unwrap();
        let mut digits = self.digits_of(&self.rule.modulus);
        digits.push(u64::try_from(inverse).unwrap());
        self.pair(&digits)
    }
}

/// Reproducible numbers below a modulus.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn below(&mut self, modulus: &BigUint) -> BigUint {
        let words = modulus.bits() as usize / 64 + 2;
        (0..words).fold(BigUint::from(0u32), |value, _| (value << 64u32) + self.word()) % modulus
    }
    pub(crate) fn vector(&mut self, modulus: &BigUint, count: usize) -> Vec<BigUint> {
        (0..count).map(|_| self.below(modulus)).collect()
    }
}
