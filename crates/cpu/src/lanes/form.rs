//! The forms in which elements of base fields go to the lanes and come back.

/// The form of an element in memory, times the power of two by which a load shifts it.
///
/// Points are computed on the curve `y² = x³ + 64^t b` that `(x, y) -> (4^t x, 8^t y)` leads to, for `t` below zero such that both
/// factors, times what is between the radices of memory and lanes, are small powers of two: a load shifts
/// instead of multiplying.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LaneForm {
    /// The integer of memory as it is.
    Plain,
    /// A first coordinate.
    X,
    /// A second coordinate.
    Y,
    /// The element itself: a load multiplies, and the lanes hold exactly what memory does.
    Value,
}

/// The form that a constant parameter of a load or a store names.
pub(super) const fn form<const FORM: u8>() -> LaneForm {
    match FORM {
        0 => LaneForm::Plain,
        1 => LaneForm::X,
        2 => LaneForm::Y,
        _ => LaneForm::Value,
    }
}
