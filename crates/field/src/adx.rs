//! Rows of limb products (a vector of limbs times one limb) by `mulx`, `adcx` and `adox`. `mulx` does not change the flags, so
//! a row has two carry chains: the low halves of its products carry through CF and the high halves through OF. Compilers
//! generate one chain. The processor is asked once whether it has these instructions (BMI2 and ADX); on processors without
//! them, rows are computed by [`Portable`](crate::mont::Portable).
//!
//! This is the one file of the crate with unsafe code. No branch and no address depends on an operand.

use crate::mont::LimbRows;
use core::arch::asm;
use core::sync::atomic::{AtomicU8, Ordering};

/// Rows of `N` limbs, four or six. A value of this type is a proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct TwoChains<const N: usize>(());

impl<const N: usize> TwoChains<N> {
    /// Returns the rows if `N` is four or six and the processor has the instructions. Every product calls this, so the answer
    /// is cached and costs one load.
    #[inline(always)]
    pub(crate) fn of_this_processor() -> Option<Self> {
        let has = (N == 4 || N == 6)
            && match ANSWER.load(Ordering::Relaxed) {
                UNKNOWN => ask(),
                answer => answer == YES,
            };
        has.then_some(Self(()))
    }
}

const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;
static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Asks the processor for the instructions, and the environment, which can forbid them (`PAIRWRIGHT_ISA=portable`). Its calling
/// convention does not allow it to unwind, so products cannot unwind either: only then does the compiler let them write their
/// results in place.
#[cold]
#[inline(never)]
extern "C" fn ask() -> bool {
    let forbidden = std::env::var_os("PAIRWRIGHT_ISA").is_some_and(|isa| isa == "portable");
    let has = std::is_x86_feature_detected!("adx") && std::is_x86_feature_detected!("bmi2") && !forbidden;
    ANSWER.store(if has { YES } else { NO }, Ordering::Relaxed);
    has
}

/// A row over the listed limbs. Each entry has the byte offset of a factor, the limb that the low half of the product is added
/// to, and the limb that the high half is added to. The last limb is listed apart, because the high half of its product goes to
/// the top limb: added to its value (`onto`), or written to it (`alone`).
macro_rules! row {
    (onto $top:ident, $($rest:tt)+) => {
        row!(@ "mulx {high}, {low}, qword ptr [{a} + ", "adox {top}, {high}", [top = inout(reg) *$top], $($rest)+)
    };
    (alone $top:ident, $($rest:tt)+) => {
        row!(@ "mulx {top}, {low}, qword ptr [{a} + ", "adox {top}, {zero}", [top = out(reg) $top], $($rest)+)
    };
    (@ $product:literal, $above:literal, [$($out:tt)+], $t:ident, $a:ident, $b:ident;
        $($offset:literal $j:literal $name:ident $next:ident),+; $end:literal $last:ident) => {
        asm!(
            "xor {zero:e}, {zero:e}",
            $(
                concat!("mulx {high}, {low}, qword ptr [{a} + ", $offset, "]"),
                concat!("adcx {", stringify!($name), "}, {low}"),
                concat!("adox {", stringify!($next), "}, {high}"),
            )+
            concat!($product, $end, "]"),
            concat!("adcx {", stringify!($last), "}, {low}"),
            $above,
            "adcx {top}, {zero}",
            a = in(reg) $a.as_ptr(),
            in("rdx") $b,
            $($name = inout(reg) $t[$j],)+
            $last = inout(reg) $t[$end / 8],
            $($out)+,
            low = out(reg) _,
            high = out(reg) _,
            zero = out(reg) _,
            options(pure, readonly, nostack),
        )
    };
}

/// The first row of a product, which has no sum to add to and so takes a single carry chain.
macro_rules! first_row {
    ($t:ident, $top:ident, $a:ident, $b:ident; $first:ident $second:ident; $($offset:literal $name:ident $next:ident),+) => {
        asm!(
            concat!("mulx {", stringify!($second), "}, {", stringify!($first), "}, qword ptr [{a}]"),
            "xor {low:e}, {low:e}",
            $(
                concat!("mulx {", stringify!($next), "}, {low}, qword ptr [{a} + ", $offset, "]"),
                concat!("adcx {", stringify!($name), "}, {low}"),
            )+
            "mov {low:e}, 0",
            "adcx {top}, {low}",
            a = in(reg) $a.as_ptr(),
            in("rdx") $b,
            $first = out(reg) $t[0],
            $($name = out(reg) $t[$offset / 8],)+
            top = out(reg) $top,
            low = out(reg) _,
            options(pure, readonly, nostack),
        )
    };
}

impl<const N: usize> LimbRows<N> for TwoChains<N> {
    #[inline(always)]
    fn add_row(self, t: &mut [u64; N], top: &mut u64, a: &[u64; N], b: u64) {
        match N {
            // SAFETY: the processor was asked before there was a `self`; the text reads the limbs of `a` alone, which are as
            // many as it names, and writes the registers it is given.
            4 => unsafe { row!(onto top, t, a, b; 0 0 t0 t1, 8 1 t1 t2, 16 2 t2 t3; 24 t3) },
            // SAFETY: as above.
            6 => unsafe {
                row!(onto top, t, a, b; 0 0 t0 t1, 8 1 t1 t2, 16 2 t2 t3, 24 3 t3 t4, 32 4 t4 t5; 40 t5)
            },
            _ => unreachable!("there are no rows of other sizes"),
        }
    }
    #[inline(always)]
    fn row(self, t: &mut [u64; N], a: &[u64; N], b: u64) -> u64 {
        let top;
        match N {
            // SAFETY: as above.
            4 => unsafe { row!(alone top, t, a, b; 0 0 t0 t1, 8 1 t1 t2, 16 2 t2 t3; 24 t3) },
            // SAFETY: as above.
            6 => unsafe {
                row!(alone top, t, a, b; 0 0 t0 t1, 8 1 t1 t2, 16 2 t2 t3, 24 3 t3 t4, 32 4 t4 t5; 40 t5)
            },
            _ => unreachable!("there are no rows of other sizes"),
        }
        top
    }
    #[inline(always)]
    fn first_row(self, a: &[u64; N], b: u64) -> ([u64; N], u64) {
        let mut t = [0; N];
        let top;
        match N {
            // SAFETY: as above.
            4 => unsafe { first_row!(t, top, a, b; t0 t1; 8 t1 t2, 16 t2 t3, 24 t3 top) },
            // SAFETY: as above.
            6 => unsafe { first_row!(t, top, a, b; t0 t1; 8 t1 t2, 16 t2 t3, 24 t3 t4, 32 t4 t5, 40 t5 top) },
            _ => unreachable!("there are no rows of other sizes"),
        }
        (t, top)
    }
}
