//! Sums of accounts, field by field.

/// Implements `+=` for types whose sum has the sum of every field. A field that the list lacks does not compile, so that
/// no sum drops one.
#[macro_export]
macro_rules! sum_fields {
    ($($type:ident { $($field:ident),+ $(,)? })+) => {$(
        impl ::core::ops::AddAssign for $type {
            fn add_assign(&mut self, other: Self) {
                let Self { $($field),+ } = other;
                $(self.$field += $field;)+
            }
        }
    )+};
}
