//! WebAssembly bodies of circom's field functions that compute with 64-bit words.
//!
//! An element is four little-endian words in memory. A body reads all of its operands before it writes, so that a result may
//! overwrite an operand. For all operands, including those beyond the modulus, it gives the same result as circom's body: the
//! integer before the last subtraction does not depend on the width of words.

use super::instruction::locals;
use super::writer::{Local, Word, Writer};
use crate::bytes::Bytes;
use Word::{At, Constant, In};

/// Number of 64-bit words of an element.
const WORDS: usize = 4;
/// An element, least significant word first.
type Element = [u64; WORDS];

/// An odd modulus with the constants of its Montgomery arithmetic, R = 2^256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modulus {
    pub(super) q: Element,
    /// `-1 / q` modulo 2^64.
    pub(super) inverse: u64,
    /// R modulo q: the Montgomery form of 1.
    pub(super) one: Element,
    /// R² modulo q.
    pub(super) square: Element,
}

impl Modulus {
    /// Computes the constants for q, which has to be odd and to have a non-zero highest word; otherwise `None`.
    pub(super) fn new(q: Element) -> Option<Self> {
        let [lowest, .., highest] = q;
        if lowest & 1 == 0 || highest == 0 {
            return None;
        }
        // Newton's iteration, which doubles the number of correct bits; an odd number is its own inverse modulo 8.
        let mut inverse = lowest;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(lowest.wrapping_mul(inverse)));
        }
        let double = |x: Element, times: u32| (0..times).fold(x, |x, _| doubled(x, q));
        let one = double([1, 0, 0, 0], 256);
        Some(Self { q, inverse: inverse.wrapping_neg(), one, square: double(one, 256) })
    }
}

impl Modulus {
    /// `(q - 1) / 2`; circom interprets larger elements as negative numbers.
    pub(super) fn half(&self) -> Element {
        let [a, b, c, d] = self.q;
        [a >> 1 | b << 63, b >> 1 | c << 63, c >> 1 | d << 63, d >> 1]
    }
}

/// Computes 2x modulo q for x below q.
fn doubled(x: Element, q: Element) -> Element {
    let mut double = [0; WORDS];
    let mut carry = 0;
    for (to, from) in double.iter_mut().zip(x) {
        *to = from << 1 | carry;
        carry = from >> 63;
    }
    if carry == 0 && double.iter().rev().lt(q.iter().rev()) {
        return double;
    }
    let mut borrow = false;
    for (word, q) in double.iter_mut().zip(q) {
        let (less, first) = word.overflowing_sub(q);
        let (less, second) = less.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (less, first || second);
    }
    double
}

const X: Local = Local(0);
const Y: Local = Local(1);
const R: Local = Local(2);

/// Byte offsets of an element's words.
const OFFSETS: [usize; WORDS] = [0, 8, 16, 24];

/// The 64-bit locals of a body.
struct Locals {
    /// The four words of a sum.
    sum: [Local; WORDS],
    /// The word above the sum.
    top: Local,
    carry: Local,
    /// The carry out of `top`.
    bit: Local,
    factor: Local,
    /// The four words of another element.
    other: [Local; WORDS],
}

impl Locals {
    const COUNT: u8 = 12;

    /// Assigns the locals after `parameters` parameters.
    fn after(parameters: u8) -> Self {
        let local = |index: u8| Local(parameters.saturating_add(index));
        let words = |first: u8| [0, 1, 2, 3].map(|index: u8| local(first.saturating_add(index)));
        Self {
            sum: words(0),
            top: local(4),
            carry: local(5),
            bit: local(6),
            factor: local(7),
            other: words(8),
        }
    }
}

fn at(address: Local) -> [Word; WORDS] {
    OFFSETS.map(|offset| At(address, offset))
}

/// Stores an element.
fn store(w: &mut Writer, to: Local, words: [Word; WORDS]) {
    for (word, offset) in words.into_iter().zip(OFFSETS) {
        w.store(to, offset, word);
    }
}

/// Writes the comparison of words with a constant element.
fn is(w: &mut Writer, words: [Word; WORDS], constant: &Element) {
    for (index, (word, &constant)) in words.into_iter().zip(constant).enumerate() {
        w.word(word);
        if constant != 0 {
            w.constant(constant).xor();
        }
        if index > 0 {
            w.or();
        }
    }
    w.is_zero();
}

/// Stores the number in `sum` and `top`, reduced by q if it is not below q.
fn reduce(w: &mut Writer, l: &Locals, q: &Element, to: Local) {
    for (index, ((&word, &q), less)) in l.sum.iter().zip(q).zip(l.other).enumerate() {
        w.wide(In(word)).minus(Constant(q));
        if index > 0 {
            w.plus_sign(l.carry);
        }
        w.into(less, l.carry);
    }
    // The sum is below q if the difference is negative.
    w.get(l.top).get(l.carry).add().set(l.top);
    for ((&word, less), offset) in l.sum.iter().zip(l.other).zip(OFFSETS) {
        w.select_store(to, offset, less, word, l.top);
    }
}

/// A step of Montgomery's reduction: adds the multiple of q that makes the lowest word zero, and drops that word. `top` holds
/// the bits above the four words before and after, if `has_top`.
fn reduction_step(w: &mut Writer, l: &Locals, modulus: &Modulus, has_top: bool) {
    let [mut to, ..] = l.sum;
    w.get(to).constant(modulus.inverse).multiply().set(l.factor);
    for (index, (&word, &q)) in l.sum.iter().zip(&modulus.q).enumerate() {
        w.product(In(l.factor), Constant(q)).plus(In(word));
        if index == 0 {
            w.set(l.carry).drop_top();
        } else {
            w.plus(In(l.carry)).into(to, l.carry);
            to = word;
        }
    }
    if has_top {
        w.wide(In(l.top)).plus(In(l.carry)).into(to, l.top);
    } else {
        w.get(l.carry).set(to);
    }
}

/// `x y / R` modulo q.
pub(super) fn product(modulus: &Modulus) -> Vec<u8> {
    multiply(modulus, Y, R)
}

/// `x² / R` modulo q.
pub(super) fn square(modulus: &Modulus) -> Vec<u8> {
    multiply(modulus, X, Y)
}

/// The Montgomery product of x and y, computed row by row with one reduction step each. Factors 0 and 1, which bits are, take
/// shortcuts.
fn multiply(modulus: &Modulus, y: Local, to: Local) -> Vec<u8> {
    let l = &Locals::after(to.0.saturating_add(1));
    let mut writer = Writer::new(Locals::COUNT);
    let w = &mut writer;
    for (word, at) in l.other.into_iter().zip(at(y)) {
        w.word(at).set(word);
    }
    let factors = [(at(X), l.other.map(In)), (l.other.map(In), at(X))];
    for (factor, other) in factors.into_iter().take(if y == X { 1 } else { 2 }) {
        is(w, factor, &[0; WORDS]);
        w.return_if(|w| store(w, to, [Constant(0); WORDS]));
        // If one factor is 1, the other one is the result, provided that it is below q, which its highest word decides.
        is(w, factor, &modulus.one);
        let ([.., high], [.., q]) = (other, modulus.q);
        w.word(high).constant(q).below().both();
        w.return_if(|w| store(w, to, other));
    }
    for (row, x) in at(X).into_iter().enumerate() {
        for (index, (&word, y)) in l.sum.iter().zip(l.other).enumerate() {
            w.product(x, In(y));
            if row > 0 {
                w.plus(In(word));
            }
            if index > 0 {
                w.plus(In(l.carry));
            }
            w.into(word, l.carry);
        }
        if row == 0 {
            w.get(l.carry).set(l.top);
        } else {
            w.wide(In(l.top)).plus(In(l.carry)).into(l.top, l.bit);
        }
        reduction_step(w, l, modulus, true);
        if row > 0 {
            w.get(l.top).get(l.bit).add().set(l.top);
        }
    }
    reduce(w, l, &modulus.q, to);
    writer.end()
}

/// `x / R` modulo q, with shortcuts for 0 and for R modulo q.
pub(super) fn from_montgomery(modulus: &Modulus) -> Vec<u8> {
    let (to, l) = (Y, &Locals::after(2));
    let mut writer = Writer::new(Locals::COUNT);
    let w = &mut writer;
    for (word, at) in l.sum.into_iter().zip(at(X)) {
        w.word(at).set(word);
    }
    for (from, result) in [([0; WORDS], [0; WORDS]), (modulus.one, [1, 0, 0, 0])] {
        is(w, l.sum.map(In), &from);
        w.return_if(|w| store(w, to, result.map(Constant)));
    }
    for _ in 0..WORDS {
        reduction_step(w, l, modulus, false);
    }
    w.constant(0).set(l.top);
    reduce(w, l, &modulus.q, to);
    writer.end()
}

/// Puts a shortcut for the operand 1 before circom's own body for `x R` modulo q; bits profit from it.
pub(super) fn to_montgomery(modulus: &Modulus, circom: Bytes<'_>) -> Option<Vec<u8>> {
    preceded(circom, |w| {
        is(w, at(X), &[1, 0, 0, 0]);
        w.return_if(|w| store(w, Y, modulus.one.map(Constant)));
    })
}

// A number of circom is 40 bytes: a 32-bit number with its sign, 32 bits of flags, and an element. The highest flag says that
// the element is valid, the one below that the element is in Montgomery form.

/// Puts a shortcut for small non-negative numbers before circom's own body for the low 32 bits.
pub(super) fn low_bits(circom: Bytes<'_>) -> Option<Vec<u8>> {
    preceded(circom, |w| {
        w.word(At(X, 0)).is_not_negative();
        w.if_then(|w| {
            w.short(X).is_not_negative_short();
            w.return_if(|w| {
                w.short(X);
            });
        });
        // A valid element, not in Montgomery form, of one word. Half of the modulus, where negative numbers begin, has more
        // words.
        w.word(At(X, 0)).shifted(62).constant(2).xor();
        for offset in [16, 24, 32] {
            w.word(At(X, offset)).or();
        }
        w.is_zero();
        w.return_if(|w| {
            w.word(At(X, 8)).half();
        });
    })
}

/// Puts a shortcut for two small numbers before circom's own comparison; `comparison` is the instruction for signed 32-bit
/// numbers.
pub(super) fn comparison(comparison: u8, circom: Bytes<'_>) -> Option<Vec<u8>> {
    preceded(circom, |w| {
        w.word(At(Y, 0)).word(At(R, 0)).or().is_not_negative();
        w.return_if(|w| {
            w.get(X).short(Y).short(R).instructions(&[comparison, 0xad, 0x37, 3, 0]);
        });
    })
}

/// A body with other instructions inserted before its own.
fn preceded(mut circom: Bytes<'_>, before: impl FnOnce(&mut Writer)) -> Option<Vec<u8>> {
    let whole = circom.0;
    locals(&mut circom, |_, _| {})?;
    let mut writer = Writer::after(whole.get(..whole.len().checked_sub(circom.0.len())?)?);
    before(&mut writer);
    let (_, instructions) = circom.0.split_last()?;
    writer.instructions(instructions);
    Some(writer.end())
}

/// `x + y` modulo q: q is subtracted once if the sum is not below q.
pub(super) fn sum(modulus: &Modulus) -> Vec<u8> {
    let l = &Locals::after(3);
    let mut writer = Writer::new(Locals::COUNT);
    let w = &mut writer;
    add(w, l, at(X), at(Y));
    w.get(l.carry).set(l.top);
    reduce(w, l, &modulus.q, R);
    writer.end()
}

/// `x - y` modulo q: q is added if the difference is negative.
pub(super) fn difference(modulus: &Modulus) -> Vec<u8> {
    let l = &Locals::after(3);
    let mut writer = Writer::new(Locals::COUNT);
    let w = &mut writer;
    subtract(w, l);
    w.get(l.carry).set(l.top);
    for (&q, word) in modulus.q.iter().zip(l.other) {
        w.constant(q).get(l.top).and().set(word);
    }
    add(w, l, l.sum.map(In), l.other.map(In));
    store(w, R, l.sum.map(In));
    writer.end()
}

/// `x + y` modulo R; returns the carry, 0 or 1.
pub(super) fn integer_sum() -> Vec<u8> {
    let l = &Locals::after(3);
    let mut writer = Writer::new(Locals::COUNT);
    add(&mut writer, l, at(X), at(Y));
    store(&mut writer, R, l.sum.map(In));
    writer.get(l.carry).half();
    writer.end()
}

/// `x - y` modulo R; returns the borrow, 0 or -1.
pub(super) fn integer_difference() -> Vec<u8> {
    let l = &Locals::after(3);
    let mut writer = Writer::new(Locals::COUNT);
    subtract(&mut writer, l);
    store(&mut writer, R, l.sum.map(In));
    writer.get(l.carry).half();
    writer.end()
}

/// `x y` as eight words.
pub(super) fn integer_product() -> Vec<u8> {
    let l = &Locals::after(3);
    let low = [l.top, l.bit, l.factor, Local(Locals::COUNT.saturating_add(3))];
    let mut writer = Writer::new(Locals::COUNT.saturating_add(1));
    let w = &mut writer;
    for (word, at) in l.other.into_iter().zip(at(Y)) {
        w.word(at).set(word);
    }
    let mut sum = l.sum;
    for (row, (x, low)) in at(X).into_iter().zip(low).enumerate() {
        for (index, (&word, y)) in sum.iter().zip(l.other).enumerate() {
            w.product(x, In(y));
            if row > 0 {
                w.plus(In(word));
            }
            if index > 0 {
                w.plus(In(l.carry));
            }
            w.into(if index == 0 { low } else { word }, l.carry);
        }
        sum.rotate_left(1);
        let [.., highest] = sum;
        w.get(l.carry).set(highest);
    }
    store(w, R, low.map(In));
    for (word, offset) in sum.into_iter().zip([32, 40, 48, 56]) {
        w.store(R, offset, In(word));
    }
    writer.end()
}

/// Adds two elements; the result is in `sum` and `carry`.
fn add(w: &mut Writer, l: &Locals, x: [Word; WORDS], y: [Word; WORDS]) {
    for (index, ((x, y), word)) in x.into_iter().zip(y).zip(l.sum).enumerate() {
        w.wide(x).plus(y);
        if index > 0 {
            w.plus(In(l.carry));
        }
        w.into(word, l.carry);
    }
}

/// Subtracts y from x; the difference is in `sum` and its sign in `carry`.
fn subtract(w: &mut Writer, l: &Locals) {
    for (index, ((x, y), word)) in at(X).into_iter().zip(at(Y)).zip(l.sum).enumerate() {
        w.wide(x).minus(y);
        if index > 0 {
            w.plus_sign(l.carry);
        }
        w.into(word, l.carry);
    }
}
