//! Dispatch from the id of a curve, which a file names, to the code compiled for that curve.

/// Calls a function that is generic over the pairing with the curve type of a [`pairwright::formats::CurveId`]. A curve that is
/// not supported gives a [`Failure`](crate::Failure), converted into the function's error type.
#[macro_export]
macro_rules! on_curve {
    (
        curves { $($curve:ident [$pairing:ty] $($about:literal)+;)+ }
        fixtures { $($fixture:tt)* }
        $id:expr, $function:ident $arguments:tt
    ) => {
        match $id {
            $(::pairwright::formats::CurveId::$curve => $function::<$pairing> $arguments,)+
            other => Err($crate::Failure::unsupported(other.name()).into()),
        }
    };
    ($id:expr, $function:ident $arguments:tt) => {
        ::pairwright::curve::for_each_curve!(on_curve $id, $function $arguments)
    };
}
pub(crate) use on_curve;
