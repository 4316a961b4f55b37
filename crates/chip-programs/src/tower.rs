//! Formulas of the field tower that every division of the pairing uses.

use pairwright_chip::compiler::Fp2;

/// The conjugate of `f` over Fp6: routine 8 of \[CP\]. In the other divisions its negations are merged into the
/// following additions.
pub fn conjugate<R: Fp2>([a, b, c, d, e, f]: [R; 6]) -> [R; 6] {
    [a, b, c, -d, -e, -f]
}

/// `f^p`: the coefficient of `w^j` is conjugated and multiplied by `gamma[j - 1]`.
pub fn frobenius<R: Fp2>(f: [R; 6], gamma: [R; 5]) -> [R; 6] {
    let [a0, a2, a4, a1, a3, a5] = f.map(Fp2::conj);
    let [g1, g2, g3, g4, g5] = gamma;
    [a0, a2 * g2, a4 * g4, a1 * g1, a3 * g3, a5 * g5]
}

/// `f^(p²)`: the coefficient of `w^j` is multiplied by `gamma[j - 1]`.
pub fn frobenius2<R: Fp2>(f: [R; 6], gamma: [R; 5]) -> [R; 6] {
    let [a0, a2, a4, a1, a3, a5] = f;
    let [g1, g2, g3, g4, g5] = gamma;
    [a0, a2 * g2, a4 * g4, a1 * g1, a3 * g3, a5 * g5]
}

/// `1/(a0 + a1·u)` from an inversion in Fp: the conjugate divided by the norm `a·ā`.
pub fn invert_fp2<R: Fp2>(a: R) -> R {
    let conj = a.clone().conj();
    let norm = a * conj.clone();
    conj * norm.inv_fp()
}
