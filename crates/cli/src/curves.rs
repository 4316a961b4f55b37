//! From the curve a file is for to the code for that curve.

/// Calls a function generic over the pairing with the type of a [`pairwright::formats::CurveId`].
macro_rules! on_curve {
    ($id:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $id {
            ::pairwright::formats::CurveId::Bn254 =>
                $function::<::pairwright::curve::bn254::Bn254>($($argument),*),
            ::pairwright::formats::CurveId::Bls12_381 =>
                $function::<::pairwright::curve::bls12_381::Bls12_381>($($argument),*),
            ::pairwright::formats::CurveId::Bls12_377 =>
                $function::<::pairwright::curve::bls12_377::Bls12_377>($($argument),*),
            other => Err($crate::failure::ArgumentError::Unsupported(other.name()).into()),
        }
    };
}
pub(crate) use on_curve;
