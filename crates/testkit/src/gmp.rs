//! GMP, loaded at run time by tests and experiments: an oracle for arithmetic, and the baseline of \[MoMA\]'s
//! measurements. This is one of the two files of this crate with `unsafe`.
//!
//! It has two layers, named as in GMP: [`Integer`] is an `mpz_t`, the usual number type of programs that use GMP;
//! the functions of [`Gmp`] on slices are the `mpn` layer below it, where the caller manages the limbs.
//! Numbers are 64-bit limbs, least significant first.

use core::cmp::Ordering;
use core::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

/// Reasons for which GMP cannot be used on this machine.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GmpError {
    /// The library is not installed.
    #[error("GMP is not installed ({name}: {said})")]
    Absent {
        /// Name of the library file that was looked for.
        name: &'static str,
        /// The error message of the dynamic linker.
        said: String,
    },
    /// The library lacks a function.
    #[error("this GMP has no {0}")]
    Incomplete(&'static str),
}

/// The layout of `mpz_t`: allocated limbs, used limbs (negative for a negative number), pointer to the limbs.
#[repr(C)]
struct Mpz {
    room: c_int,
    used: c_int,
    limbs: *mut u64,
}

type Unary = unsafe extern "C" fn(*mut Mpz);
type Ternary = unsafe extern "C" fn(*mut Mpz, *const Mpz, *const Mpz);
type Carry = unsafe extern "C" fn(*mut u64, *const u64, *const u64, isize) -> u64;

/// The loaded library with the functions of GMP that are used here.
pub struct Gmp {
    version: String,
    mpz_init2: unsafe extern "C" fn(*mut Mpz, u64),
    mpz_clear: Unary,
    mpz_add: Ternary,
    mpz_sub: Ternary,
    mpz_mul: Ternary,
    mpz_mod: Ternary,
    mpz_import: unsafe extern "C" fn(*mut Mpz, usize, c_int, usize, c_int, usize, *const u64),
    mpn_add_n: Carry,
    mpn_sub_n: Carry,
    mpn_cmp: unsafe extern "C" fn(*const u64, *const u64, isize) -> c_int,
    mpn_mul_n: unsafe extern "C" fn(*mut u64, *const u64, *const u64, isize),
    mpn_tdiv_qr: unsafe extern "C" fn(*mut u64, *mut u64, isize, *const u64, isize, *const u64, isize),
    _library: libloading::Library,
}

const NAME: &str = "libgmp.so.10";

impl Gmp {
    /// The GMP of this machine, loaded once.
    ///
    /// # Errors
    /// When the library is not installed, or lacks a function.
    pub fn load() -> Result<&'static Self, GmpError> {
        static LOADED: OnceLock<Result<Gmp, GmpError>> = OnceLock::new();
        LOADED.get_or_init(Self::open).as_ref().map_err(Clone::clone)
    }

    fn open() -> Result<Self, GmpError> {
        // SAFETY: GMP has no initialisers that matter to us.
        let library = unsafe { libloading::Library::new(NAME) }
            .map_err(|error| GmpError::Absent { name: NAME, said: error.to_string() })?;
        macro_rules! symbol {
            ($name:literal) => {
                // SAFETY: the type is the one that gmp.h of GMP 6 declares for a 64-bit machine; `_library` keeps the
                // address valid for as long as it is held.
                *unsafe { library.get($name.as_bytes()) }.map_err(|_| GmpError::Incomplete($name))?
            };
        }
        let version: *const *const c_char = symbol!("__gmp_version");
        Ok(Self {
            // SAFETY: a variable that points to a constant string.
            version: unsafe { CStr::from_ptr(*version) }.to_string_lossy().into_owned(),
            mpz_init2: symbol!("__gmpz_init2"),
            mpz_clear: symbol!("__gmpz_clear"),
            mpz_add: symbol!("__gmpz_add"),
            mpz_sub: symbol!("__gmpz_sub"),
            mpz_mul: symbol!("__gmpz_mul"),
            mpz_mod: symbol!("__gmpz_mod"),
            mpz_import: symbol!("__gmpz_import"),
            mpn_add_n: symbol!("__gmpn_add_n"),
            mpn_sub_n: symbol!("__gmpn_sub_n"),
            mpn_cmp: symbol!("__gmpn_cmp"),
            mpn_mul_n: symbol!("__gmpn_mul_n"),
            mpn_tdiv_qr: symbol!("__gmpn_tdiv_qr"),
            _library: library,
        })
    }

    /// The version of GMP.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// `out = a + b`; returns the carry. `mpn_add_n`.
    ///
    /// # Panics
    /// On operands of unequal or no length; so do the other functions of this layer.
    pub fn add_n(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        assert!(!out.is_empty() && out.len() == a.len() && out.len() == b.len());
        // SAFETY: three areas of the same length, none overlapping the output.
        unsafe { (self.mpn_add_n)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), out.len() as isize) }
    }

    /// `out = a - b`; returns the borrow. `mpn_sub_n`.
    pub fn sub_n(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        assert!(!out.is_empty() && out.len() == a.len() && out.len() == b.len());
        // SAFETY: as in `add_n`.
        unsafe { (self.mpn_sub_n)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), out.len() as isize) }
    }

    /// `out += b`; returns the carry. `mpn_add_n` in place, which GMP allows.
    pub fn add_assign_n(&self, out: &mut [u64], b: &[u64]) -> u64 {
        assert!(!out.is_empty() && out.len() == b.len());
        // SAFETY: two areas of the same length; output and first operand may be the same.
        unsafe { (self.mpn_add_n)(out.as_mut_ptr(), out.as_ptr(), b.as_ptr(), out.len() as isize) }
    }

    /// `out -= b`; returns the borrow. `mpn_sub_n` in place, which GMP allows.
    pub fn sub_assign_n(&self, out: &mut [u64], b: &[u64]) -> u64 {
        assert!(!out.is_empty() && out.len() == b.len());
        // SAFETY: as in `add_assign_n`.
        unsafe { (self.mpn_sub_n)(out.as_mut_ptr(), out.as_ptr(), b.as_ptr(), out.len() as isize) }
    }

    /// Compares two numbers of the same length. `mpn_cmp`.
    pub fn cmp(&self, a: &[u64], b: &[u64]) -> Ordering {
        assert!(!a.is_empty() && a.len() == b.len());
        // SAFETY: two areas of the same length, read only.
        unsafe { (self.mpn_cmp)(a.as_ptr(), b.as_ptr(), a.len() as isize) }.cmp(&0)
    }

    /// `out = a * b`, twice as long as its operands. `mpn_mul_n`.
    pub fn mul_n(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert!(!a.is_empty() && a.len() == b.len() && out.len() == 2 * a.len());
        // SAFETY: lengths as GMP asks; the output is borrowed alone, so it overlaps nothing.
        unsafe { (self.mpn_mul_n)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len() as isize) }
    }

    /// `quotient = n / d`, `remainder = n mod d`. `mpn_tdiv_qr`. The quotient has `n.len() - d.len() + 1` limbs, the
    /// remainder as many as `d`, whose highest limb must not be zero.
    pub fn tdiv_qr(&self, quotient: &mut [u64], remainder: &mut [u64], n: &[u64], d: &[u64]) {
        assert!(d.last().is_some_and(|top| *top != 0) && n.len() >= d.len() && remainder.len() == d.len());
        assert_eq!(quotient.len(), n.len() - d.len() + 1);
        let (n_len, d_len) = (n.len() as isize, d.len() as isize);
        let (quotient, remainder) = (quotient.as_mut_ptr(), remainder.as_mut_ptr());
        // SAFETY: lengths as GMP asks; both outputs are borrowed alone. The third argument is always zero.
        unsafe { (self.mpn_tdiv_qr)(quotient, remainder, 0, n.as_ptr(), n_len, d.as_ptr(), d_len) }
    }
}

impl core::fmt::Debug for Gmp {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gmp").field("version", &self.version).finish_non_exhaustive()
    }
}

/// An integer of any size and sign, an `mpz_t`.
pub struct Integer {
    raw: Mpz,
    gmp: &'static Gmp,
}

// SAFETY: an integer owns its limbs, and GMP keeps no other state than the functions that allocate, which are the
// system's and may be called from any thread.
unsafe impl Send for Integer {}
// SAFETY: through a shared reference an integer is only read.
unsafe impl Sync for Integer {}

impl Integer {
    /// Zero, with memory for `bits` bits.
    pub fn with_room(gmp: &'static Gmp, bits: usize) -> Self {
        let mut raw = Mpz { room: 0, used: 0, limbs: core::ptr::null_mut() };
        // SAFETY: `raw` is written whole by the initialiser.
        unsafe { (gmp.mpz_init2)(&mut raw, bits as u64) };
        Self { raw, gmp }
    }

    /// The number with these limbs. `mpz_import`.
    pub fn from_limbs(gmp: &'static Gmp, limbs: &[u64]) -> Self {
        let mut made = Self::with_room(gmp, 64 * limbs.len());
        // SAFETY: `limbs` has as many words as are named, least significant first, of eight native bytes, none spare.
        unsafe { (gmp.mpz_import)(&mut made.raw, limbs.len(), -1, 8, 0, 0, limbs.as_ptr()) };
        made
    }

    /// The limbs of the absolute value, without leading zeros.
    pub fn limbs(&self) -> &[u64] {
        let used = self.raw.used.unsigned_abs() as usize;
        // SAFETY: GMP keeps at least `used` limbs there, and nothing changes them while the reference lives.
        if used == 0 { &[] } else { unsafe { core::slice::from_raw_parts(self.raw.limbs, used) } }
    }

    /// `self = a + b`. `mpz_add`.
    pub fn set_add(&mut self, a: &Self, b: &Self) {
        // SAFETY: three initialised integers.
        unsafe { (self.gmp.mpz_add)(&mut self.raw, &a.raw, &b.raw) }
    }

    /// `self = a - b`. `mpz_sub`.
    pub fn set_sub(&mut self, a: &Self, b: &Self) {
        // SAFETY: as in `set_add`.
        unsafe { (self.gmp.mpz_sub)(&mut self.raw, &a.raw, &b.raw) }
    }

    /// `self = a * b`. `mpz_mul`.
    pub fn set_mul(&mut self, a: &Self, b: &Self) {
        // SAFETY: as in `set_add`.
        unsafe { (self.gmp.mpz_mul)(&mut self.raw, &a.raw, &b.raw) }
    }

    /// `self += a`. `mpz_add` in place, which GMP allows.
    pub fn add_assign(&mut self, a: &Self) {
        let raw: *mut Mpz = &mut self.raw;
        // SAFETY: two initialised integers; an operand may be the output.
        unsafe { (self.gmp.mpz_add)(raw, raw, &a.raw) }
    }

    /// `self = self mod q`, never negative. `mpz_mod` in place, which GMP allows.
    ///
    /// # Panics
    /// When `q` is zero.
    pub fn reduce(&mut self, q: &Self) {
        assert!(q.raw.used != 0, "division by zero");
        let raw: *mut Mpz = &mut self.raw;
        // SAFETY: as in `add_assign`; the divisor is not zero.
        unsafe { (self.gmp.mpz_mod)(raw, raw, &q.raw) }
    }
}

impl Drop for Integer {
    fn drop(&mut self) {
        // SAFETY: initialised once, cleared once.
        unsafe { (self.gmp.mpz_clear)(&mut self.raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both layers of GMP agree with arithmetic that fits in 128 bits, and with each other where it does not.
    #[test]
    fn two_limbs_at_a_time() {
        let gmp = match Gmp::load() {
            Ok(gmp) => gmp,
            Err(absent) => return println!("skipped: {absent}"),
        };
        assert!(gmp.version().starts_with('6'), "{}", gmp.version());
        let wide = |limbs: &[u64]| limbs.iter().rev().fold(0u128, |sum, limb| sum << 64 | u128::from(*limb));
        let q = [0xffff_ffff_ffff_ffc5, 0x0fff_ffff_ffff_ffff];
        let edges = [[0, 0], [1, 0], [u64::MAX, 0], [0, 1], [q[0] - 1, q[1]], [7, 0x0123_4567_89ab_cdef]];
        let modulus = Integer::from_limbs(gmp, &q);
        for a in &edges {
            for b in &edges {
                let (za, zb) = (Integer::from_limbs(gmp, a), Integer::from_limbs(gmp, b));
                let (mut z, mut n) = (Integer::with_room(gmp, 256), [0; 2]);
                assert_eq!(gmp.add_n(&mut n, a, b), 0);
                z.set_add(&za, &zb);
                assert_eq!((wide(z.limbs()), wide(&n)), (wide(a) + wide(b), wide(a) + wide(b)));
                z.reduce(&modulus);
                if gmp.cmp(&n, &q) != Ordering::Less {
                    gmp.sub_assign_n(&mut n, &q);
                }
                assert_eq!((wide(z.limbs()), wide(&n)), ((wide(a) + wide(b)) % wide(&q), wide(z.limbs())));

                z.set_sub(&za, &zb);
                z.reduce(&modulus);
                if gmp.sub_n(&mut n, a, b) != 0 {
                    gmp.add_assign_n(&mut n, &q);
                }
                assert_eq!(wide(z.limbs()), (wide(a) + wide(&q) - wide(b)) % wide(&q));
                assert_eq!(wide(z.limbs()), wide(&n));

                let (mut product, mut quotient) = ([0; 4], [0; 3]);
                gmp.mul_n(&mut product, a, b);
                gmp.tdiv_qr(&mut quotient, &mut n, &product, &q);
                z.set_mul(&za, &zb);
                assert_eq!(z.limbs(), &product[..z.limbs().len()]);
                z.reduce(&modulus);
                assert_eq!(wide(z.limbs()), wide(&n));
            }
        }
    }
}
