//! The forms in which elements of base fields are loaded to lanes and stored.

/// The interpretation of an element in memory, which determines the shift or product of a load and a store.
///
/// Points are computed on the isomorphic curve `y² = x³ + 64^t b`, the image of `(x, y) -> (4^t x, 8^t y)`. The number `t` is
/// negative and chosen such that both factors, times the ratio of the radices of lanes and memory, are small powers of two. A load
/// then takes a shift instead of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LaneForm {
    /// The integer in memory, unchanged.
    Plain,
    /// The first coordinate of a point.
    X,
    /// The second coordinate of a point.
    Y,
    /// The element itself: a load multiplies, so that the lanes represent the same element as memory.
    Value,
}

/// The form with the number `FORM`, a constant parameter of loads and stores.
pub(super) const fn form<const FORM: u8>() -> LaneForm {
    match FORM {
        0 => LaneForm::Plain,
        1 => LaneForm::X,
        2 => LaneForm::Y,
        _ => LaneForm::Value,
    }
}
