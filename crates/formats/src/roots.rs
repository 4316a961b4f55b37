//! The roots of unity in fflonk files, and the curve for which they are defined.

use crate::{CurveId, FilePlace, FormatError};
use alloc::borrow::ToOwned;
use pairwright_curve::Pairing;
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

/// The roots of unity in fflonk files besides the domain's root. They follow from the size of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roots<F> {
    /// A primitive cube root of unity.
    pub w3: F,
    /// A primitive fourth root of unity.
    pub w4: F,
    /// A primitive eighth root of unity.
    pub w8: F,
    /// A cube root of the domain's root of unity.
    pub wr: F,
}

/// The cube root of unity in BN254's scalar field that snarkjs uses.
const W3: &str = "21888242871839275217838484774961031246154997185409878258781734729429964517155";
/// The cube root that snarkjs uses of BN254's root of unity of order 2^28.
const WR: &str = "467799165886069610036046866799264026481344299079011762026774533774345988080";
/// Base-2 logarithm of the order of the root whose cube root is [`WR`].
const LARGEST: u32 = 28;

impl<F: PrimeField> Roots<F> {
    /// The roots for a domain; `None` in any field other than BN254's.
    pub fn of(domain: &Domain<F>) -> Option<Self> {
        let (w3, first) = (F::from_decimal(W3).ok()?, F::from_decimal(WR).ok()?);
        let wr = (0..LARGEST.checked_sub(domain.log_size())?).fold(first, |x, _| x.square());
        let roots = Self { w3, w4: Domain::new(2).ok()?.root(), w8: Domain::new(3).ok()?.root(), wr };
        let cubes = [w3, wr].map(|x| x.pow_vartime(&[3]));
        (cubes == [F::ONE, domain.root()]).then_some(roots)
    }

    /// The roots with their names, in the order in which files hold them.
    pub(crate) fn named(&self) -> [(&'static str, F); 4] {
        [("w3", self.w3), ("w4", self.w4), ("w8", self.w8), ("wr", self.wr)]
    }
}

/// The roots for a domain of `E`, or an error at the given position if the curve has none.
pub(crate) fn roots_at<E: Pairing>(
    domain: &Domain<E::Fr>,
    at: impl FnOnce() -> FilePlace,
) -> Result<Roots<E::Fr>, FormatError> {
    Roots::of(domain)
        .ok_or_else(|| FormatError::NoFflonk { at: at(), curve: CurveId::name_of::<E>().to_owned() })
}
