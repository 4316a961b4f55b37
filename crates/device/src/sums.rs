//! Sums of costs and totals, field by field.

/// Implements `+=` by adding every field. A list that lacks a field of the type does not compile, so no field can be forgotten.
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
