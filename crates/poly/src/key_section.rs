//! Sections of proving keys. Machines keep copies of them between proofs.

use crate::{Buf, Copies, Source, SourceError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// The error message for a source that returns another number of elements than its length.
const WRONG_NUMBER: &str = "a section gave another number of elements than it has";

/// A section of a key: the source of its elements, and the copies that machines keep of it from one proof to the next.
pub struct KeySection<T> {
    source: Arc<dyn Source<T>>,
    copies: Copies,
}

impl<T> KeySection<T> {
    /// A section that no machine has a copy of.
    pub fn new(source: impl Source<T> + 'static) -> Self {
        Self { source: Arc::new(source), copies: Copies::default() }
    }
    /// Makes a buffer of the decoded elements of this section, which shares the machines' copies with all other buffers of it.
    pub fn buf(&self, elements: impl Into<Buf<T>>) -> Buf<T> {
        elements.into().with_copies(self.copies.clone())
    }
    /// The section as a buffer without decoding it, if a machine has a copy of its elements; they are decoded only if the host reads
    /// them.
    pub fn held(&self) -> Option<Buf<T>>
    where
        T: 'static,
    {
        let (source, len) = (Arc::clone(&self.source), self.len());
        let fetch = move || {
            let mut elements = Vec::with_capacity(len);
            source.read(0..len, &mut elements)?;
            if elements.len() == len { Ok(elements) } else { Err(SourceError(WRONG_NUMBER.into())) }
        };
        self.copies.are_elsewhere().then(|| Buf::held(self.copies.clone(), len, Arc::new(fetch)))
    }
    /// Appends the elements of `range` to `out`.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read(&self, range: Range<usize>, out: &mut Vec<T>) -> Result<(), SourceError> {
        self.source.read(range, out)
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.source.len()
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }
}

impl<T> AsRef<dyn Source<T>> for KeySection<T> {
    fn as_ref(&self) -> &(dyn Source<T> + 'static) {
        &*self.source
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// A source that counts how often it is read.
    struct Counted(Arc<AtomicUsize>);

    impl Source<u32> for Counted {
        fn len(&self) -> usize {
            4
        }
        fn read(&self, range: Range<usize>, out: &mut Vec<u32>) -> Result<(), SourceError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            out.extend(range.map(|i| i as u32));
            Ok(())
        }
    }

    #[test]
    fn what_a_machine_holds_is_decoded_when_the_host_asks() {
        let readings = Arc::new(AtomicUsize::new(0));
        let section = KeySection::new(Counted(Arc::clone(&readings)));
        assert!(section.held().is_none());
        let buf = section.buf(alloc::vec![0, 1, 2, 3]);
        buf.keep(&Memory::HOST, 7u8);
        assert!(section.held().is_none(), "a layout of the host's is no machine's copy");
        let memory = Memory::new();
        buf.note(&memory, 7u16);
        assert!(section.held().is_none(), "a note has no elements");
        buf.keep(&memory, 8u8);
        let held = section.held().unwrap();
        let found = (held.copy::<u8>(&memory), held.copy::<u16>(&memory));
        assert_eq!((held.len(), held.on_host(), found), (4, false, (Some(Arc::new(8)), Some(Arc::new(7)))));
        assert_eq!(readings.load(Ordering::Relaxed), 0);
        assert_eq!(held.host().unwrap(), [0, 1, 2, 3]);
        assert_eq!(readings.load(Ordering::Relaxed), 1);
        buf.forget(&memory);
        assert!(section.held().is_none());
        buf.keep(&memory, 8u8);
        assert!(section.held().is_some());
        drop(memory);
        assert!(section.held().is_none(), "the machine is gone, and its copies with it");
    }

    #[test]
    fn a_source_that_gives_too_little_is_an_error_of_the_host() {
        struct Short;
        impl Source<u32> for Short {
            fn len(&self) -> usize {
                2
            }
            fn read(&self, _: Range<usize>, out: &mut Vec<u32>) -> Result<(), SourceError> {
                out.push(1);
                Ok(())
            }
        }
        let (section, memory) = (KeySection::new(Short), Memory::new());
        section.buf(alloc::vec![1, 2]).keep(&memory, 0u8);
        assert!(section.held().unwrap().host().is_err());
    }
}
