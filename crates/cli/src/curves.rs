//! From the curve a file is for to the code for that curve.

/// Calls a function generic over the pairing with the type of a [`pairwright::formats::CurveId`]; its error is made of a
/// [`Failure`](crate::Failure).
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
