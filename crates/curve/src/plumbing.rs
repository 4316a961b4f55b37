//! Implementations of standard traits for points, for which `derive` would require the same traits of the group type.

/// Implements `Clone`, `Copy` and `Zeroize` for points of a group, and the assigning operators that are named.
macro_rules! plumbing {
    ($name:ident<$group:ident> [$($coordinate:tt)+] $($operator:ident)*) => {
        impl<C: $group> Clone for $name<C> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<C: $group> Copy for $name<C> {}
        impl<C: $group> zeroize::Zeroize for $name<C> {
            fn zeroize(&mut self) {
                $(self.$coordinate.zeroize();)+
            }
        }
        $(plumbing!($operator for $name<$group>);)*
    };
    (AddAssign for $name:ident<$group:ident>) => {
        impl<C: $group> core::ops::AddAssign for $name<C> {
            fn add_assign(&mut self, o: Self) {
                *self = *self + o;
            }
        }
    };
    (SubAssign for $name:ident<$group:ident>) => {
        impl<C: $group> core::ops::SubAssign for $name<C> {
            fn sub_assign(&mut self, o: Self) {
                *self = *self - o;
            }
        }
    };
}
pub(crate) use plumbing;
