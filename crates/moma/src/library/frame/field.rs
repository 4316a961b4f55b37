
/// An element: words, low word first.
pub type Element = [u64; WORDS];
/// An integer below the modulus: words, low word first.
pub type Integer = [u64; INTEGER_WORDS];

#[inline]
#[allow(dead_code)]
fn pw_load(from: &[Element], at: usize) -> Element {
    from[at]
}
#[inline]
#[allow(dead_code)]
fn pw_load_uniform(from: &[Element], at: usize) -> Element {
    from[at]
}
#[inline]
#[allow(dead_code)]
fn pw_store(to: &mut [Element], at: usize, a: &Element) {
    to[at] = *a;
}

/// Whether a = b.
pub fn pw_equal(a: &Element, b: &Element) -> bool {
    let mut c = [0];
    pw_same_words(&mut c, a, b);
    c[0] == 1
}
/// Whether a = 0.
pub fn pw_is_zero(a: &Element) -> bool {
    pw_equal(a, &[0; WORDS])
}
/// Whether the integer of a is less than that of b.
pub fn pw_less(a: &Element, b: &Element) -> bool {
    let (mut x, mut y, mut c) = ([0; INTEGER_WORDS], [0; INTEGER_WORDS], [0]);
    pw_from_montgomery(&mut x, a);
    pw_from_montgomery(&mut y, b);
    pw_less_words(&mut c, &x, &y);
    c[0] == 1
}
/// a where the flag is 1, b where it is 0.
pub fn pw_pick(flag: u64, a: &Element, b: &Element) -> Element {
    let mut r = [0; WORDS];
    pw_pick_words(&mut r, &[flag], a, b);
    r
}

/// The integer of a, low byte first.
pub fn pw_to_bytes(a: &Element) -> [u8; BYTES] {
    let mut plain = [0; INTEGER_WORDS];
    pw_from_montgomery(&mut plain, a);
    core::array::from_fn(|i| (plain[i / 8] >> (8 * (i % 8))) as u8)
}
/// The element of an integer, low byte first; none if the integer is not below the modulus.
pub fn pw_from_bytes(bytes: &[u8; BYTES]) -> Option<Element> {
    let (mut plain, mut valid, mut r) = ([0; INTEGER_WORDS], [0], [0; WORDS]);
    for (i, byte) in bytes.iter().enumerate() {
        plain[i / 8] |= u64::from(*byte) << (8 * (i % 8));
    }
    pw_below_words(&mut valid, &plain);
    pw_to_montgomery(&mut r, &plain);
    (valid[0] == 1).then_some(r)
}

/// a^exponent for an exponent in words, low word first. The time depends on their number alone.
pub fn pw_pow(a: &Element, exponent: &[u64]) -> Element {
    let mut power = PW_ONE;
    for i in (0..64 * exponent.len()).rev() {
        let (mut square, mut next) = ([0; WORDS], [0; WORDS]);
        pw_sqr(&mut square, &power);
        pw_mul(&mut next, &square, a);
        power = pw_pick(exponent[i / 64] >> (i % 64) & 1, &next, &square);
    }
    power
}
