//! Where operands live: [`Buf`], a vector that machines may hold copies of or alone, and [`View`], a part of one.

use crate::sync::Once;
use crate::{Copies, Memory, SourceError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Bound, Deref, DerefMut, Range, RangeBounds};
use pairwright_pages::{Pages, ask_for_large_pages};

/// Brings the elements of a buffer from the machine that holds them to the host.
type Fetch<T> = Arc<dyn Fn() -> Result<Vec<T>, SourceError> + Send + Sync>;

/// An operand of operators: a vector of the host, of one or more machines with memories of their own, or of both.
///
/// A machine leaves a copy in its own layout with a buffer ([`Buf::copy_or`]) and finds it there again. A machine that
/// computed a buffer may leave it where it is ([`Buf::left_on`]); the host's copy is then made when it is first asked
/// for. Clones share copies. Whoever writes to the host's elements gives up the copies of that buffer, and of no other.
pub struct Buf<T> {
    len: usize,
    host: Once<Host<T>>,
    fetch: Option<Fetch<T>>,
    copies: Copies,
}

/// The elements of the host.
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
    /// The buffer, which shares copies with others of the same elements from now on.
    pub(crate) fn with_copies(self, copies: Copies) -> Self {
        Self { copies, ..self }
    }
    /// A buffer of `len` elements that a machine has computed and holds; `fetch` brings them to the host.
    pub fn left_on<R: Send + Sync + 'static>(
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
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The host's elements, brought from the machine that holds them if need be.
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
    /// The host's elements to write to; machines lose their copies.
    ///
    /// # Errors
    /// As [`Buf::host`].
    pub fn host_mut(&mut self) -> Result<&mut [T], SourceError> {
        self.host()?;
        self.copies = Copies::default();
        self.fetch = None;
        Ok(self.host.get_mut().map_or(&mut [], |elements| elements))
    }
    /// The copy of a type that a memory has of the whole buffer.
    pub fn copy<R: Send + Sync + 'static>(&self, memory: &Memory) -> Option<Arc<R>> {
        self.copies.find(memory)
    }
    /// The copy of a type that a memory has of the whole buffer; made and kept if there is none.
    ///
    /// # Errors
    /// Those of `make`, and those of [`Buf::host`].
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
    /// Keeps a copy of the whole buffer in a memory, instead of the one of that type before.
    pub fn keep<R: Send + Sync + 'static>(&self, memory: &Memory, copy: R) {
        self.copies.keep(memory, Arc::new(copy));
    }
    /// Leaves a note with the buffer that a memory's machine finds again by [`Buf::copy`], instead of the one of that type
    /// before. It stands for no elements: the host still has to have them.
    pub fn note<R: Send + Sync + 'static>(&self, memory: &Memory, note: R) {
        self.copies.note(memory, Arc::new(note));
    }
    /// Gives up the copies that a memory has of the buffer, for all its clones: nobody will ask for them soon. What a
    /// machine holds alone stays.
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
    /// The host's vector.
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
/// Elements whose alignment and pages serve operators that read them in no order, such as the points of an MSM.
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
/// The host's elements. Panics if they are on a machine alone, and that machine fails; operators, which have to give
/// such an error back, call [`Buf::host`] or [`View::host`].
impl<T> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self.host() {
            Ok(elements) => elements,
            Err(error) => panic!("the machine that holds an operand alone failed: {error}"),
        }
    }
}
/// As [`Deref`]; machines lose their copies.
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
    /// The buffer this is a part of, which machines keep their copies with.
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
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The host's elements, for as long as the buffer lives.
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

    /// What a machine keeps in the tests: the doubled elements.
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
        let mut buf = Buf::left_on(&memory, Arc::new(Doubled(vec![2, 4])), 2, move |copy: &Doubled| {
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
        let lost = Buf::<u64>::left_on(&Memory::new(), Arc::new(()), 2, |()| Err(SourceError("lost".into())));
        assert_eq!(lost.view().host().unwrap_err().to_string(), "lost");
    }
}
