//! Operands of operators: [`Buf`], a vector on the host, on machines or on both, and [`View`], a contiguous part of one.

use crate::sync::Once;
use crate::{Copies, Memory, SourceError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Bound, Deref, DerefMut, Range, RangeBounds};
use pairwright_pages::{Pages, ask_for_large_pages};

/// Brings the elements of a buffer from the machine that holds them to the host.
type Fetch<T> = Arc<dyn Fn() -> Result<Vec<T>, SourceError> + Send + Sync>;

/// An operand of operators: a vector in the memory of the host, in those of one or more machines, or in both.
///
/// A machine can attach a copy in its own layout to a buffer ([`Buf::copy_or`]) and finds it again in later operators. A machine
/// that computed a buffer may keep it in its own memory ([`Buf::resident_on`]); the host's copy is then made when it is first read.
/// Clones share copies. Writing to the host's elements drops the copies of that buffer, but not those of its clones.
pub struct Buf<T> {
    len: usize,
    host: Once<Host<T>>,
    fetch: Option<Fetch<T>>,
    copies: Copies,
}

/// The host's elements, in a vector or in large pages.
enum Host<T> {
    Vec(Vec<T>),
    Pages(Pages<T>),
}

impl<T: Clone> Clone for Host<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Vec(elements) => {
                let mut copy = Vec::with_capacity(elements.len());
                ask_for_large_pages(copy.spare_capacity_mut());
                copy.extend_from_slice(elements);
                Self::Vec(copy)
            }
            Self::Pages(elements) => Self::Pages(elements.clone()),
        }
    }
}

impl<T> Deref for Host<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Self::Vec(elements) => elements,
            Self::Pages(elements) => elements,
        }
    }
}
impl<T> DerefMut for Host<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Vec(elements) => elements,
            Self::Pages(elements) => elements,
        }
    }
}

impl<T> Buf<T> {
    fn of(host: Host<T>) -> Self {
        Self { len: host.len(), host: Once::of(host), fetch: None, copies: Copies::default() }
    }
    /// The buffer with these copies, which it shares with other buffers of the same elements.
    pub(crate) fn with_copies(self, copies: Copies) -> Self {
        Self { copies, ..self }
    }
    /// A buffer of `len` elements that a machine has computed and holds; `fetch` brings them to the host.
    pub fn resident_on<R: Send + Sync + 'static>(
        memory: &Memory,
        copy: Arc<R>,
        len: usize,
        fetch: impl Fn(&R) -> Result<Vec<T>, SourceError> + Send + Sync + 'static,
    ) -> Self {
        let copies = Copies::default();
        copies.keep(memory, Arc::clone(&copy));
        Self { len, host: Once::new(), fetch: Some(Arc::new(move || fetch(&copy))), copies }
    }
    /// A buffer of `len` elements that machines hold, with the copies; `fetch` brings the elements to the host.
    pub(crate) fn held(copies: Copies, len: usize, fetch: Fetch<T>) -> Self {
        Self { len, host: Once::new(), fetch: Some(fetch), copies }
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The host's elements, which are fetched from the machine that holds them if necessary.
    ///
    /// # Errors
    /// When that machine fails.
    pub fn host(&self) -> Result<&[T], SourceError> {
        if let (None, Some(fetch)) = (self.host.get(), &self.fetch) {
            let elements = fetch()?;
            self.host.set(Host::Vec(elements));
        }
        Ok(self.host.get().map_or(&[], |elements| elements))
    }
    /// Whether the host has the elements.
    pub fn on_host(&self) -> bool {
        self.host.get().is_some()
    }
    /// The host's elements for writing; the copies of machines are dropped.
    ///
    /// # Errors
    /// As [`Buf::host`].
    pub fn host_mut(&mut self) -> Result<&mut [T], SourceError> {
        self.host()?;
        self.copies = Copies::default();
        self.fetch = None;
        Ok(self.host.get_mut().map_or(&mut [], |elements| elements))
    }
    /// The copy of type `R` of the whole buffer in a memory, if there is one.
    pub fn copy<R: Send + Sync + 'static>(&self, memory: &Memory) -> Option<Arc<R>> {
        self.copies.find(memory)
    }
    /// The copy of type `R` of the whole buffer in a memory; it is made and kept if there is none.
    ///
    /// # Errors
    /// The errors of `make` and of [`Buf::host`].
    pub fn copy_or<R: Send + Sync + 'static, X: From<SourceError>>(
        &self,
        memory: &Memory,
        make: impl FnOnce(&[T]) -> Result<R, X>,
    ) -> Result<Arc<R>, X> {
        if let Some(copy) = self.copy(memory) {
            return Ok(copy);
        }
        let copy = Arc::new(make(self.host()?)?);
        self.copies.keep(memory, Arc::clone(&copy));
        Ok(copy)
    }
    /// Keeps a copy of the whole buffer in a memory and replaces an earlier copy of that type.
    pub fn keep<R: Send + Sync + 'static>(&self, memory: &Memory, copy: R) {
        self.copies.keep(memory, Arc::new(copy));
    }
    /// Attaches a note to the buffer, which [`Buf::copy`] finds again, and replaces an earlier one of that type. A note does not
    /// contain the elements: the host still has to keep them.
    pub fn note<R: Send + Sync + 'static>(&self, memory: &Memory, note: R) {
        self.copies.note(memory, Arc::new(note));
    }
    /// Drops the copies of the buffer and its clones in a memory, when they will not be used soon. If the host does not have the
    /// elements, the copies stay.
    pub fn forget(&self, memory: &Memory) {
        if self.on_host() {
            self.copies.forget(memory);
        }
    }
    /// The whole buffer as a view.
    pub fn view(&self) -> View<'_, T> {
        View { buf: self, start: 0, len: self.len }
    }
    /// Part of the buffer as a view.
    ///
    /// # Panics
    /// If the range does not lie within the buffer, as slicing does.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> View<'_, T> {
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&e) => e + 1,
            Bound::Excluded(&e) => e,
            Bound::Unbounded => self.len,
        };
        assert!(start <= end && end <= self.len, "a view lies within its buffer");
        View { buf: self, start, len: end - start }
    }
    /// The host's elements as a vector.
    ///
    /// # Panics
    /// As [`Deref`] does.
    pub fn into_vec(self) -> Vec<T> {
        let _ = self.deref();
        match self.host.into_inner() {
            None => Vec::new(),
            Some(Host::Vec(elements)) => elements,
            Some(Host::Pages(elements)) => elements.into_vec(),
        }
    }
}

impl<T: Clone> Clone for Buf<T> {
    fn clone(&self) -> Self {
        Self {
            len: self.len,
            host: self.host.clone(),
            fetch: self.fetch.clone(),
            copies: self.copies.clone(),
        }
    }
}
impl<T> Default for Buf<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}
impl<T: PartialEq> PartialEq for Buf<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}
impl<T: Eq> Eq for Buf<T> {}
impl<T: fmt::Debug> fmt::Debug for Buf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.get() {
            Some(host) => f.debug_tuple("Buf").field(&&**host).finish(),
            None => write!(f, "Buf({} elements on a machine)", self.len),
        }
    }
}
impl<T> From<Vec<T>> for Buf<T> {
    fn from(host: Vec<T>) -> Self {
        Self::of(Host::Vec(host))
    }
}
/// A buffer of elements in large pages, for operators that read them in random order, such as the points of an MSM.
impl<T> From<Pages<T>> for Buf<T> {
    fn from(host: Pages<T>) -> Self {
        Self::of(Host::Pages(host))
    }
}
impl<T> FromIterator<T> for Buf<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Vec::from_iter(iter).into()
    }
}
impl<T> AsRef<[T]> for Buf<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}
/// The host's elements. Panics if only a machine holds them and that machine fails; operators, which have to return
/// such an error, call [`Buf::host`] or [`View::host`].
impl<T> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self.host() {
            Ok(elements) => elements,
            Err(error) => panic!("the machine that holds an operand alone failed: {error}"),
        }
    }
}
/// As [`Deref`]; the copies of machines are dropped.
impl<T> DerefMut for Buf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self.host_mut() {
            Ok(elements) => elements,
            Err(error) => panic!("the machine that holds an operand alone failed: {error}"),
        }
    }
}

/// A contiguous part of a [`Buf`].
#[derive(Debug)]
pub struct View<'a, T> {
    buf: &'a Buf<T>,
    start: usize,
    len: usize,
}

impl<'a, T> View<'a, T> {
    /// The buffer of which this is a part; copies of machines are attached to it.
    pub fn buf(&self) -> &'a Buf<T> {
        self.buf
    }
    /// The range of the buffer that the view covers.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The host's elements in the range, borrowed from the buffer.
    ///
    /// # Errors
    /// As [`Buf::host`].
    pub fn host(&self) -> Result<&'a [T], SourceError> {
        Ok(&self.buf.host()?[self.range()])
    }
}
impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for View<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// The copy of a machine in the tests: the doubled elements.
    struct Doubled(Vec<u64>);

    fn doubled(buf: &Buf<u64>, memory: &Memory, made: &AtomicUsize) -> Arc<Doubled> {
        let make = |elements: &[u64]| {
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, SourceError>(Doubled(elements.iter().map(|x| 2 * x).collect()))
        };
        buf.copy_or(memory, make).unwrap()
    }

    #[test]
    fn a_copy_is_made_once_a_memory_and_shared_by_clones() {
        let (here, there, made) = (Memory::new(), Memory::new(), AtomicUsize::new(0));
        let buf = Buf::from(vec![1, 2, 3]);
        assert!(buf.copy::<Doubled>(&here).is_none());
        let first = doubled(&buf, &here, &made);
        assert_eq!(first.0, [2, 4, 6]);
        assert!(Arc::ptr_eq(&first, &doubled(&buf.clone(), &here, &made)));
        assert!(buf.copy::<Vec<u64>>(&here).is_none(), "another layout");
        doubled(&buf, &there, &made);
        assert_eq!(made.into_inner(), 2);
    }

    #[test]
    fn writing_gives_up_the_copies_of_that_buffer_alone() {
        let (memory, made) = (Memory::new(), AtomicUsize::new(0));
        let mut buf = Buf::from(vec![1, 2, 3]);
        let other = buf.clone();
        doubled(&buf, &memory, &made);
        buf[0] = 9;
        assert!(buf.copy::<Doubled>(&memory).is_none() && other.copy::<Doubled>(&memory).is_some());
        assert_eq!(doubled(&buf, &memory, &made).0, [18, 4, 6]);
    }

    #[test]
    fn copies_of_one_memory_are_given_up() {
        let (here, there, made) = (Memory::new(), Memory::new(), AtomicUsize::new(0));
        let buf = Buf::from(vec![1, 2, 3]);
        doubled(&buf, &here, &made);
        doubled(&buf, &there, &made);
        buf.clone().forget(&here);
        assert!(buf.copy::<Doubled>(&here).is_none() && buf.copy::<Doubled>(&there).is_some());
        assert_eq!(doubled(&buf, &here, &made).0, [2, 4, 6]);
        assert_eq!(made.into_inner(), 3);
    }

    #[test]
    fn what_a_memory_held_ends_with_it() {
        let (here, there, made) = (Memory::new(), Memory::new(), AtomicUsize::new(0));
        let buf = Buf::from(vec![1, 2, 3]);
        let (first, again) = (doubled(&buf, &here, &made), here.clone());
        doubled(&buf, &there, &made);
        drop(here);
        buf.keep(&there, 7u8);
        assert_eq!(Arc::strong_count(&first), 2, "a clone is the same memory");
        drop(again);
        buf.keep(&there, 8u8);
        assert_eq!((Arc::strong_count(&first), buf.copy::<u8>(&there).as_deref()), (1, Some(&8)));
        assert!(buf.copy::<Doubled>(&there).is_some());
    }

    #[test]
    fn the_host_asks_once_for_what_a_machine_holds() {
        let (memory, fetched) = (Memory::new(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&fetched);
        let mut buf = Buf::resident_on(&memory, Arc::new(Doubled(vec![2, 4])), 2, move |copy: &Doubled| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(copy.0.iter().map(|x| x / 2).collect())
        });
        assert!(!buf.on_host() && buf.len() == 2 && buf.view().len() == 2);
        assert_eq!(fetched.load(Ordering::Relaxed), 0);
        assert_eq!(buf.slice(1..).host().unwrap(), [2]);
        assert_eq!(buf[..], [1, 2]);
        assert_eq!(fetched.load(Ordering::Relaxed), 1);
        assert!(buf.copy::<Doubled>(&memory).is_some(), "the machine's stays");
        buf[1] = 7;
        assert_eq!((buf.clone().into_vec(), buf.copy::<Doubled>(&memory).is_none()), (vec![1, 7], true));
    }

    #[test]
    fn elements_in_pages_are_those_of_a_vector() {
        let mut buf = Buf::from(Pages::from([1, 2, 3].as_slice()));
        assert_eq!((&buf, format!("{buf:?}").as_str()), (&Buf::from(vec![1, 2, 3]), "Buf([1, 2, 3])"));
        let before = buf.clone();
        buf[1] = 9;
        assert_eq!((buf.into_vec(), before.into_vec()), (vec![1, 9, 3], vec![1, 2, 3]));
    }

    #[test]
    fn a_machine_that_fails_is_an_error() {
        let lost =
            Buf::<u64>::resident_on(&Memory::new(), Arc::new(()), 2, |()| Err(SourceError("lost".into())));
        assert_eq!(lost.view().host().unwrap_err().to_string(), "lost");
    }
}
