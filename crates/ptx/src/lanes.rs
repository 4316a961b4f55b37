//! Register values of a whole warp, one per thread, and functions on them.

/// Number of threads per warp.
pub(crate) const WARP: usize = 32;

/// The values of a 32-bit register in all threads of a warp.
pub(crate) type L32 = [u32; WARP];

/// The values of a 64-bit register in all threads of a warp.
pub(crate) type L64 = [u64; WARP];

/// One bit per thread of a warp: a predicate, a carry, or the set of active threads.
pub(crate) type Mask = u32;

/// The threads of a mask, in order.
pub(crate) fn threads_of(mask: Mask) -> impl Iterator<Item = usize> {
    let mut left = mask;
    core::iter::from_fn(move || {
        let thread = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (thread < WARP).then_some(thread)
    })
}

/// Copies the values of the threads in a mask.
pub(crate) fn blend<T: Copy>(to: &mut [T; WARP], from: &[T; WARP], mask: Mask) {
    if mask == Mask::MAX {
        *to = *from;
        return;
    }
    for i in 0..WARP {
        if mask >> i & 1 == 1 {
            to[i] = from[i];
        }
    }
}

/// A function on a whole warp from a function on one thread: `each!(a, b => a + b)` takes two registers and returns
/// one.
macro_rules! each {
    ($($x:ident),+ => $value:expr) => {
        |$($x),+| {
            let mut all = [Default::default(); $crate::lanes::WARP];
            for i in 0..$crate::lanes::WARP {
                $(let $x = $x[i];)+
                all[i] = $value;
            }
            all
        }
    };
}

/// A predicate on a whole warp from a predicate on one thread.
macro_rules! each_bit {
    ($($x:ident),+ => $value:expr) => {
        |$($x),+| {
            let mut all: $crate::lanes::Mask = 0;
            for i in 0..$crate::lanes::WARP {
                $(let $x = $x[i];)+
                all |= u32::from($value) << i;
            }
            all
        }
    };
}

/// A function with carry on a whole warp from one on a single thread: `each_carry!(a, b; c => value_and_carry)`, in
/// which the last name is the carry in, and the expression is a pair of value and carry out.
macro_rules! each_carry {
    ($($x:ident),+; $carry:ident => $value:expr) => {
        |$($x,)+ carries| {
            let mut all = [Default::default(); $crate::lanes::WARP];
            let mut out: $crate::lanes::Mask = 0;
            for i in 0..$crate::lanes::WARP {
                $(let $x = $x[i];)+
                let $carry = carries >> i & 1 == 1;
                let (value, carry) = $value;
                all[i] = value;
                out |= u32::from(carry) << i;
            }
            (all, out)
        }
    };
}

pub(crate) use {each, each_bit, each_carry};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_a_mask_are_its_bits() {
        assert_eq!(threads_of(0b1010).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(threads_of(Mask::MAX).count(), WARP);
        assert_eq!(threads_of(0).count(), 0);
    }

    #[test]
    fn blending_leaves_the_others() {
        let mut to = [7u32; WARP];
        blend(&mut to, &[9; WARP], 0b101);
        assert_eq!((to[0], to[1], to[2], to[3]), (9, 7, 9, 7));
        blend(&mut to, &[1; WARP], Mask::MAX);
        assert_eq!(to, [1; WARP]);
    }
}
