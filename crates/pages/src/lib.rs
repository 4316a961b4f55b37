//! Memory for large operands: [`Pages`], an array that starts on a cache line and uses large pages if the system has them.
//!
//! The points of a multi-scalar multiplication are read once for each window of the scalars, in an order that is as good as
//! random. An aligned point of 64 bytes takes one cache line. In a vector, whose elements begin 16 bytes behind the start of a
//! line, it takes two, and with small pages each of them also costs a walk through the page tables.
#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod reuse;

#[cfg(feature = "std")]
pub use reuse::BlockReuse;

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Size of a cache line in bytes.
const LINE: usize = 64;
/// Size of a large page in bytes.
const LARGE_PAGE: usize = 2 << 20;
/// Size in bytes from which arrays begin at a large page and large pages are requested.
const LARGE: usize = 4 * LARGE_PAGE;

/// An owned array of elements that is aligned to a cache line, or to a page of 2 MiB if it has 8 MiB or more.
///
/// Elements have no destructors: all constructors require `T: Copy`.
pub struct Pages<T> {
    start: NonNull<T>,
    len: usize,
    /// The layout of the allocated memory, which has room for these elements or more.
    room: Layout,
}

// SAFETY: `Pages` owns its elements as a vector does.
unsafe impl<T: Send> Send for Pages<T> {}
// SAFETY: as above; shared references give shared references to the elements alone.
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T: Copy> Pages<T> {
    /// Makes an array of `len` elements, which `fill` writes in pieces of `per` elements (the last may be shorter), on as many
    /// threads as it likes.
    ///
    /// # Errors
    /// The error of `fill`.
    ///
    /// # Panics
    /// If `fill` leaves a piece unwritten, or `per` is zero.
    pub fn of_pieces<E>(
        len: usize,
        per: usize,
        fill: impl FnOnce(Vec<Piece<'_, T>>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut pages = Pages::<MaybeUninit<T>>::reserved(len);
        let written = AtomicUsize::new(0);
        fill(pages.chunks_mut(per).map(|room| Piece { room, written: &written }).collect())?;
        assert_eq!(written.into_inner(), len, "every piece is written");
        // Each piece counted its elements after writing them, and each could be written only once.
        let pages = ManuallyDrop::new(pages);
        Ok(Self { start: pages.start.cast(), len, room: pages.room })
    }
}

impl<T: Copy> From<&[T]> for Pages<T> {
    fn from(elements: &[T]) -> Self {
        let copied = Self::of_pieces(elements.len(), elements.len().max(1), |pieces| {
            pieces.into_iter().for_each(|piece| piece.write(elements));
            Ok::<_, core::convert::Infallible>(())
        });
        match copied {
            Ok(pages) => pages,
            Err(never) => match never {},
        }
    }
}

/// A piece of the memory of a [`Pages`] that is still to be written.
#[derive(Debug)]
pub struct Piece<'a, T> {
    room: &'a mut [MaybeUninit<T>],
    written: &'a AtomicUsize,
}

impl<T: Copy> Piece<'_, T> {
    /// Number of elements of the piece.
    pub fn len(&self) -> usize {
        self.room.len()
    }
    /// Whether the piece has no elements.
    pub fn is_empty(&self) -> bool {
        self.room.is_empty()
    }
    /// Writes all elements of the piece.
    ///
    /// # Panics
    /// If the number of elements differs from [`Piece::len`].
    pub fn write(self, elements: &[T]) {
        assert_eq!(self.room.len(), elements.len(), "a piece is written as a whole");
        for (place, element) in self.room.iter_mut().zip(elements) {
            place.write(*element);
        }
        self.written.fetch_add(elements.len(), Ordering::Relaxed);
    }
}

impl<T> Pages<T> {
    /// Size and alignment of the memory for `len` elements.
    fn layout(len: usize) -> Layout {
        let of_elements = Layout::array::<T>(len).ok();
        let aligned = of_elements.and_then(|layout| {
            let start = if layout.size() >= LARGE { LARGE_PAGE } else { LINE };
            layout.align_to(start).ok()
        });
        aligned.expect("elements fit into the address space")
    }

    /// Moves the elements to a vector.
    pub fn into_vec(self) -> Vec<T> {
        let mut elements = Vec::with_capacity(self.len);
        ask_for_large_pages(elements.spare_capacity_mut());
        // SAFETY: the vector has room for as many elements, which are moved: they have no destructor that would run twice.
        unsafe {
            core::ptr::copy_nonoverlapping(self.start.as_ptr(), elements.as_mut_ptr(), self.len);
            elements.set_len(self.len);
        }
        elements
    }
}

impl<T> Pages<MaybeUninit<T>> {
    /// Memory for `len` elements, uninitialised.
    fn reserved(len: usize) -> Self {
        let layout = Self::layout(len);
        if layout.size() == 0 {
            return Self { start: NonNull::dangling(), len, room: layout };
        }
        #[cfg(feature = "std")]
        let layout = match (layout.size() >= LARGE).then(|| reuse::take(layout)) {
            Some(Ok(kept)) => return Self { start: kept.start.cast(), len, room: kept.layout },
            Some(Err(new)) => new,
            None => layout,
        };
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(memory) else { handle_alloc_error(layout) };
        // All of it, not only what the elements take: the next ones may take more.
        advise_within(memory, layout.size());
        Self { start: start.cast(), len, room: layout }
    }
}

impl<T> Drop for Pages<T> {
    fn drop(&mut self) {
        if self.room.size() == 0 {
            return;
        }
        #[cfg(feature = "std")]
        if self.room.size() >= LARGE {
            return reuse::give(reuse::Block { start: self.start.cast(), layout: self.room });
        }
        // SAFETY: the memory was allocated with this layout.
        unsafe { dealloc(self.start.as_ptr().cast(), self.room) };
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements were written there (or may be left unwritten, as `MaybeUninit`), or `len` is zero.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}
impl<T> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the exclusive reference to `self` gives exclusive access to the elements.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let copy = ManuallyDrop::new(Pages::<MaybeUninit<T>>::reserved(self.len));
        // SAFETY: the copy has room for as many elements, and these can be copied, since every constructor of `Pages` requires it.
        unsafe { core::ptr::copy_nonoverlapping(self.start.as_ptr(), copy.start.cast().as_ptr(), self.len) };
        Self { start: copy.start.cast(), len: self.len, room: copy.room }
    }
}

impl<T: fmt::Debug> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Requests large pages for memory of 8 MiB or more that will be overwritten. Its contents do not change, and nothing depends on
/// whether the system complies.
pub fn ask_for_large_pages<T>(memory: &mut [T]) {
    advise_within(memory.as_mut_ptr().cast(), size_of_val(memory));
}

/// The same, for so many bytes that the caller has alone.
fn advise_within(start: *mut u8, bytes: usize) {
    let skipped = start.align_offset(LARGE_PAGE);
    if bytes >= LARGE && skipped < bytes {
        let whole = (bytes - skipped) / LARGE_PAGE * LARGE_PAGE;
        advise(start.wrapping_add(skipped), whole);
    }
}

#[cfg(all(feature = "std", target_os = "linux"))]
fn advise(start: *mut u8, bytes: usize) {
    unsafe extern "C" {
        fn madvise(
            address: *mut core::ffi::c_void,
            length: usize,
            advice: core::ffi::c_int,
        ) -> core::ffi::c_int;
    }
    const MADV_HUGEPAGE: core::ffi::c_int = 14;
    // SAFETY: the whole pages lie within memory that the caller has alone; the advice changes no contents.
    let _ = unsafe { madvise(start.cast(), bytes, MADV_HUGEPAGE) };
}
#[cfg(not(all(feature = "std", target_os = "linux")))]
fn advise(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths around the one from which large pages are requested.
    const LENGTHS: [usize; 7] = [0, 1, 7, 1000, LARGE / 8 - 1, LARGE / 8, LARGE / 8 + 77];

    #[test]
    fn elements_begin_with_a_line_or_a_large_page() {
        #[cfg(feature = "std")]
        let _alone = reuse::alone();
        for len in LENGTHS {
            let elements: Vec<u64> = (0..len as u64).map(|i| i * i).collect();
            let pages = Pages::from(elements.as_slice());
            assert_eq!(*pages, *elements);
            let aligned = if 8 * len >= LARGE { LARGE_PAGE } else { LINE };
            assert!(len == 0 || pages.as_ptr().addr().is_multiple_of(aligned));
            let mut copy = pages.clone();
            assert_eq!(*copy, *elements);
            copy.fill(7);
            assert_eq!((*pages == *elements, copy.into_vec()), (true, vec![7; len]));
            assert_eq!(pages.into_vec(), elements);
        }
        assert_eq!(Pages::from([(); 3].as_slice()).len(), 3);
    }

    #[test]
    fn pieces_are_written_on_threads() {
        #[cfg(feature = "std")]
        let _alone = reuse::alone();
        for len in LENGTHS {
            let fill = |pieces: Vec<Piece<'_, u64>>| {
                std::thread::scope(|scope| {
                    for (i, piece) in pieces.into_iter().enumerate() {
                        scope.spawn(move || {
                            let first = (300_000 * i) as u64;
                            let elements: Vec<u64> = (first..first + piece.len() as u64).collect();
                            piece.write(&elements);
                        });
                    }
                });
                Ok::<_, ()>(())
            };
            let pages = Pages::of_pieces(len, 300_000, fill).unwrap();
            assert!(pages.iter().copied().eq(0..len as u64));
        }
    }

    #[test]
    fn an_error_of_the_writer_is_given_back() {
        let failed = Pages::<u64>::of_pieces(10, 3, |pieces| Err(pieces.len()));
        assert_eq!(failed.unwrap_err(), 4);
    }

    #[test]
    #[should_panic(expected = "every piece is written")]
    fn a_piece_that_is_left_out_is_noticed() {
        let _ = Pages::<u64>::of_pieces(10, 3, |pieces| {
            for piece in pieces.into_iter().skip(1) {
                let ones = vec![1; piece.len()];
                piece.write(&ones);
            }
            Ok::<_, ()>(())
        });
    }

    #[test]
    #[should_panic(expected = "as a whole")]
    fn part_of_a_piece_is_refused() {
        let _ = Pages::<u64>::of_pieces(10, 10, |pieces| {
            pieces.into_iter().for_each(|piece| piece.write(&[1]));
            Ok::<_, ()>(())
        });
    }
}
