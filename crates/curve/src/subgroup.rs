//! Membership in the prime-order subgroup, and cofactor clearing, by endomorphisms.
//!
//! The tests are exact on every point of the curve: `derive/pairing_family.py` proves for each curve that what they
//! let pass has order dividing r (see `membership` there). References: Scott, *A note on group membership tests*,
//! eprint 2021/1130; Dai, Lin, Zhao, Zhou, *Fast subgroup membership testings*, eprint 2022/348; El Housni,
//! Guillevic, Piellard, *Co-factor clearing and subgroup membership testing*, eprint 2022/352.

use crate::pairing::{Fq2, PairingData};
use crate::{Affine, Curve, Jacobian, Projective};
use pairwright_field::Field;

/// `x·p` for the seed with its sign.
fn mul_x<P: PairingData, C: Curve>(p: &Jacobian<C>) -> Jacobian<C> {
    let t = p.mul_digits_vartime(P::X_DIGITS);
    if P::X_NEGATIVE { -t } else { t }
}

/// ψ on Jacobian coordinates.
fn psi<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Jacobian<C>) -> Jacobian<C> {
    Jacobian { x: q.x.conjugate() * P::PSI[0], y: q.y.conjugate() * P::PSI[1], z: q.z.conjugate() }
}

/// BLS12, first group: `φ²(P) = -x²·P` with `φ²(x, y) = (β²·x, y)`. Since `φ² + φ + 1 = 0` on the whole curve, a
/// point that passes is killed by `x⁴ - x² + 1 = r` (eprint 2021/1130, §4).
pub(crate) fn bls12_g1_vartime<P: PairingData, C: Curve<Base = P::Fq>>(p: &Affine<C>) -> bool {
    // β² = -1 - β.
    let image = Affine { x: p.x * (-P::Fq::ONE - P::G1_BETA), y: p.y };
    let once = mul_x::<P, _>(&p.to_jacobian());
    -mul_x::<P, _>(&once) == image.to_jacobian()
}

/// BLS12, second group: `ψ(Q) = x·Q` (eprint 2021/1130, §4).
pub(crate) fn bls12_g2_vartime<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> bool {
    mul_x::<P, _>(&q.to_jacobian()) == crate::pairing::psi::<P, _>(q).to_jacobian()
}

/// BN, second group: `(x + 1)·Q + ψ(x·Q) + ψ²(x·Q) = ψ³(2x·Q)` (eprint 2022/348, §4.3).
pub(crate) fn bn_g2_vartime<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> bool {
    let xq = mul_x::<P, _>(&q.to_jacobian());
    let once = psi::<P, _>(&xq);
    let twice = psi::<P, _>(&once);
    let left = xq.add_mixed(q) + once + twice;
    left == psi::<P, _>(&twice).double()
}

/// BLS12, first group: `(1 - x)·P`. The cofactor is `(x - 1)²/3`, but no point of the curve has an order that needs
/// more than one factor `x - 1` (eprint 2022/352, §3; the effective cofactor of RFC 9380, §8.8.1).
pub(crate) fn clear_bls12_g1_vartime<P: PairingData, C: Curve<Base = P::Fq>>(p: &Affine<C>) -> Jacobian<C> {
    let p = p.to_jacobian();
    p - mul_x::<P, _>(&p)
}

/// BLS12, second group: `(x² - x - 1)·Q + (x - 1)·ψ(Q) + 2·ψ²(Q)` (Budroni, Pintore, eprint 2017/419; the effective
/// cofactor of RFC 9380, §8.8.2): a multiple of `3(x² - 1)` times the cofactor.
pub(crate) fn clear_bls12_g2_vartime<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> Jacobian<C> {
    let q = q.to_jacobian();
    let psi_q = psi::<P, _>(&q);
    let xq = mul_x::<P, _>(&q);
    // x·(x·Q + ψ(Q)) - (x·Q + ψ(Q)) - Q + ψ²(2Q).
    let sum = xq + psi_q;
    mul_x::<P, _>(&sum) - sum - q + psi::<P, _>(&psi::<P, _>(&q.double()))
}

/// `x·p` for the seed with its sign, on complete formulas: the digits of the seed are the only thing that steers it.
fn mul_x_complete<P: PairingData, C: Curve>(p: &Projective<C>) -> Projective<C> {
    let largest = P::X_DIGITS.iter().map(|d| d.unsigned_abs()).max().unwrap_or(0) as usize;
    let twice = p.double();
    let mut odd = [*p; 8];
    for i in 1..=largest / 2 {
        odd[i] = odd[i - 1] + twice;
    }
    // The leading digit is one.
    let acc = P::X_DIGITS.iter().skip(1).fold(*p, |acc, &d| match d {
        0 => acc.double(),
        1.. => acc.double() + odd[d as usize / 2],
        _ => acc.double() + -odd[d.unsigned_abs() as usize / 2],
    });
    if P::X_NEGATIVE { -acc } else { acc }
}

/// [`clear_bls12_g1_vartime`] in constant time, for a curve of odd order.
pub(crate) fn clear_bls12_g1<P: PairingData, C: Curve<Base = P::Fq>>(p: &Projective<C>) -> Projective<C> {
    *p + -mul_x_complete::<P, _>(p)
}

/// [`clear_bls12_g2_vartime`] in constant time, for a curve of odd order.
pub(crate) fn clear_bls12_g2<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Projective<C>) -> Projective<C> {
    // The factors of ψ act on homogeneous coordinates as on affine ones.
    let psi = |q: &Projective<C>| Projective {
        x: q.x.conjugate() * P::PSI[0],
        y: q.y.conjugate() * P::PSI[1],
        z: q.z.conjugate(),
    };
    let sum = mul_x_complete::<P, _>(q) + psi(q);
    mul_x_complete::<P, _>(&sum) + -sum + -*q + psi(&psi(&q.double()))
}

/// BN, second group: `x·Q + ψ(3x·Q) + ψ²(x·Q) + ψ³(Q)` (Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, SAC 2011,
/// §5.1).
pub(crate) fn clear_bn_g2_vartime<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> Jacobian<C> {
    let q = q.to_jacobian();
    let xq = mul_x::<P, _>(&q);
    let psi2 = |p: &Jacobian<C>| psi::<P, _>(&psi::<P, _>(p));
    xq + psi::<P, _>(&(xq.double() + xq)) + psi2(&xq) + psi::<P, _>(&psi2(&q))
}
