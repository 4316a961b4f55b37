//! The two groups and the pairing of a curve, from its family and its constants.

use super::{
    Cyclotomic, Fq2, Fq12, PairingData, Prepared, Tower, cyclotomic_pow, cyclotomic_pow_vartime, easy_part,
};
use crate::subgroup::{Endomorphism, GroupLaw, beta_squared, psi};
use crate::{Affine, Curve, Glv, Jacobian, Pairing, SeedEndomorphism};
use core::fmt::Debug;
use core::marker::PhantomData;
use pairwright_field::{Field, PrimeField, Quad};

/// A family of curves: the parts of the Miller loop, the final exponentiation and the subgroup tests that depend on the family.
pub trait Family: Copy + Eq + Debug + Send + Sync + 'static {
    /// The constants of the curve.
    type Data: PairingData;
    /// Whether the loop ends with the two Frobenius steps of Barreto–Naehrig curves.
    const FROBENIUS_TAIL: bool;
    /// Whether ψ multiplies the points of the second group by the seed.
    const PSI_IS_SEED: bool;

    /// The hard part of the final exponentiation ([`Pairing::final_exponentiation`]) on curves of the family, which follows [`easy_part`].
    fn hard_part<T: Cyclotomic<Self::Data>>(f: T) -> T;
    /// Two points that are equal exactly if the point `p` of the curve lies in the first group; `None` if every point does.
    fn membership_sides_g1<T: GroupLaw>(p: &T) -> Option<[T; 2]>;
    /// Two points that are equal exactly if the point `q` of the twist lies in the second group.
    fn membership_sides_g2<T: GroupLaw>(q: &T) -> [T; 2];
    /// Maps a point of the curve to the first group by clearing the cofactor.
    fn clear_g1<T: GroupLaw>(p: &T) -> T;
    /// Maps a point of the twist to the second group by clearing the cofactor.
    fn clear_g2<T: GroupLaw>(q: &T) -> T;
}

/// The group of order r on `y² = x³ + b` over Fq.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G1<E>(PhantomData<E>);

/// The group of order r on the sextic twist over Fq2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G2<E>(PhantomData<E>);

/// The endomorphism `φ` of a group; the eigenvalue and the lattice basis are the same for both groups.
const fn glv<P: PairingData, C: Curve>(beta: C::Base) -> Glv<C> {
    Glv { beta, lambda: P::LAMBDA, basis: P::GLV_BASIS, rounding: P::GLV_ROUNDING }
}

impl<E: Family> Curve for G1<E> {
    type Base = <E::Data as Tower>::Fq;
    type Scalar = <E::Data as PairingData>::Fr;
    const NAME: &'static str = E::Data::G1_NAME;
    const B: Self::Base = E::Data::B_BASE;
    const GENERATOR: Affine<Self> =
        Affine::from_xy_unchecked(E::Data::G1_GENERATOR[0], E::Data::G1_GENERATOR[1]);
    const COFACTOR: &'static [u64] = E::Data::G1_COFACTOR;
    const GLV: Option<Glv<Self>> = Some(glv::<E::Data, Self>(E::Data::G1_BETA));
    #[inline(never)]
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool {
        E::membership_sides_g1(&p.to_jacobian()).is_none_or(|[a, b]| a == b)
    }
    #[inline(never)]
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self> {
        E::clear_g1(&p.to_jacobian())
    }
}

impl<E: Family> Curve for G2<E> {
    type Base = Fq2<E::Data>;
    type Scalar = <E::Data as PairingData>::Fr;
    const NAME: &'static str = E::Data::G2_NAME;
    const B: Self::Base = E::Data::B_TWIST;
    const GENERATOR: Affine<Self> =
        Affine::from_xy_unchecked(E::Data::G2_GENERATOR[0], E::Data::G2_GENERATOR[1]);
    const COFACTOR: &'static [u64] = E::Data::G2_COFACTOR;
    const GLV: Option<Glv<Self>> =
        Some(glv::<E::Data, Self>(Quad::new(E::Data::G2_BETA, <E::Data as Tower>::Fq::ZERO)));
    const SEED: Option<SeedEndomorphism<Self>> = if E::PSI_IS_SEED {
        let (magnitude, negative) = (E::Data::X, E::Data::X_NEGATIVE);
        Some(SeedEndomorphism { magnitude, negative, image: <Self as Endomorphism>::image })
    } else {
        None
    };
    #[inline(never)]
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool {
        let [a, b] = E::membership_sides_g2(&p.to_jacobian());
        a == b
    }
    #[inline(never)]
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self> {
        E::clear_g2(&p.to_jacobian())
    }
}

impl<E: Family> Endomorphism for G1<E> {
    fn image([x, y, z]: [Self::Base; 3]) -> [Self::Base; 3] {
        [x * beta_squared::<E::Data>(), y, z]
    }
}

impl<E: Family> Endomorphism for G2<E> {
    fn image(point: [Self::Base; 3]) -> [Self::Base; 3] {
        psi(point, E::Data::PSI)
    }
}

impl<E: Family> Pairing for E {
    type Fr = <E::Data as PairingData>::Fr;
    type Fq = <E::Data as Tower>::Fq;
    type G1 = G1<E>;
    type G2 = G2<E>;
    type Gt = Fq12<E::Data>;
    type G2Prepared = Prepared<E::Data>;
    const NAME: &'static str = E::Data::NAME;
    #[inline(never)]
    fn prepare_g2(q: &Affine<G2<E>>) -> Prepared<E::Data> {
        Prepared::new(q, E::FROBENIUS_TAIL)
    }
    #[inline(never)]
    fn prepare_fixed_g2(q: &Affine<G2<E>>) -> Prepared<E::Data> {
        Prepared::new(q, E::FROBENIUS_TAIL).into_monic()
    }
    #[inline(never)]
    fn multi_miller_loop(pairs: &[(Affine<G1<E>>, &Prepared<E::Data>)]) -> Fq12<E::Data> {
        super::miller::accumulate(pairs, E::FROBENIUS_TAIL)
    }
    #[inline(never)]
    fn final_exponentiation(f: &Fq12<E::Data>) -> Option<Fq12<E::Data>> {
        easy_part::<E::Data>(f).map(E::hard_part)
    }
    fn gt_inverse(f: &Fq12<E::Data>) -> Fq12<E::Data> {
        f.conjugate()
    }
    #[inline(never)]
    fn gt_pow(f: &Fq12<E::Data>, k: &Self::Fr) -> Fq12<E::Data> {
        cyclotomic_pow::<E::Data>(f, k.to_limbs().as_ref())
    }
    #[inline(never)]
    fn gt_pow_vartime(f: &Fq12<E::Data>, k: &Self::Fr) -> Fq12<E::Data> {
        cyclotomic_pow_vartime::<E::Data>(f, k.to_limbs().as_ref())
    }
}
