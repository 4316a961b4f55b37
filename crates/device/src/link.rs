//! Keeps track of the operands that are in the memory of a modelled machine, and of the results that only the machine holds.

use crate::{MachineLog, Transfer};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;
use pairwright_poly::{Buf, Memory, SourceError, View};

/// The link between the host and a modelled machine with a memory of its own. An operand that was sent stays in that memory for as
/// long as its buffer lives and is not sent again. Neither the size of the memory nor the time of transfers is modelled.
#[derive(Clone, Debug)]
pub struct Link {
    memory: Memory,
    log: MachineLog,
}

/// Elements in the memory of the machine, in the layout `L`.
struct Resident<T, L>(Vec<T>, PhantomData<fn() -> L>);

impl Link {
    /// The link to a machine of this name, whose memory is empty.
    pub fn new(machine: &'static str) -> Self {
        Self { memory: Memory::new(), log: MachineLog::new(machine) }
    }

    /// The log of the machine, to which the bytes of results that the host reads are entered; for
    /// [`Device::with_log`](crate::Device::with_log).
    pub fn log(&self) -> &MachineLog {
        &self.log
    }

    /// Sends the buffer of an operand in a layout, unless it is in the memory already, and returns the number of bytes that are
    /// sent, `each` per element. If the operand is part of a buffer, the whole buffer is sent, so that operators on other parts
    /// find it.
    pub fn send<T, L: Send + Sync + 'static>(&self, operand: &View<'_, T>, layout: L, each: usize) -> u64 {
        let buf = operand.buf();
        if buf.copy::<L>(&self.memory).is_some() {
            return 0;
        }
        buf.note(&self.memory, layout);
        (buf.len() * each) as u64
    }

    /// The elements of an operand that the machine reads in the layout `L`: its own copy if it computed them and the host has
    /// not read them, otherwise those of the host.
    ///
    /// # Errors
    /// When only another machine holds the operand, and that machine fails.
    pub fn elements<'a, T, L>(&self, operand: &View<'a, T>) -> Result<Cow<'a, [T]>, SourceError>
    where
        T: Clone + Send + Sync + 'static,
        L: 'static,
    {
        let buf = operand.buf();
        match buf.copy::<Resident<T, L>>(&self.memory) {
            Some(resident) if !buf.on_host() => Ok(Cow::Owned(resident.0[operand.range()].to_vec())),
            _ => operand.host().map(Cow::Borrowed),
        }
    }

    /// Makes a buffer of a result that stays in the memory of the machine in a layout. Its bytes, `each` per element, go to the
    /// host when the host reads its elements.
    pub fn leave<T, L>(&self, result: Vec<T>, layout: L, each: usize) -> Buf<T>
    where
        T: Clone + Send + Sync + 'static,
        L: Send + Sync + 'static,
    {
        let (len, log) = (result.len(), self.log.clone());
        let elements = Arc::new(Resident::<T, L>(result, PhantomData));
        let buf = Buf::resident_on(&self.memory, elements, len, move |resident: &Resident<T, L>| {
            log.copied(Transfer::untimed(0, (len * each) as u64));
            Ok(resident.0.clone())
        });
        buf.note(&self.memory, layout);
        buf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Points;
    struct Integers;

    #[test]
    fn an_operand_goes_once_a_machine_and_layout() {
        let (chip, other) = (Link::new("chip"), Link::new("other"));
        let mut buf = Buf::from(vec![1u64; 10]);
        assert_eq!(chip.send(&buf.slice(3..5), Points, 8), 80, "the whole buffer");
        assert_eq!([chip.send(&buf.view(), Points, 8), chip.send(&buf.clone().view(), Points, 8)], [0, 0]);
        assert_eq!([chip.send(&buf.view(), Integers, 4), other.send(&buf.view(), Points, 8)], [40, 80]);
        buf[0] = 2;
        assert_eq!(chip.send(&buf.view(), Points, 8), 80, "another value");
    }

    #[test]
    fn a_result_comes_back_when_the_host_asks_for_it() {
        let (chip, other) = (Link::new("chip"), Link::new("other"));
        let result = chip.leave(vec![5u64, 6, 7], Points, 8);
        let part = result.slice(1..);
        assert_eq!(chip.send(&part, Points, 8), 0, "it lies there");
        assert_eq!(*chip.elements::<_, Points>(&part).unwrap(), [6, 7]);
        assert!(!result.on_host());
        assert_eq!(chip.log().take_copies(), None);
        // Another layout or another machine gets the result through the host, once.
        assert_eq!(*chip.elements::<_, Integers>(&part).unwrap(), [6, 7]);
        assert_eq!(*other.elements::<_, Points>(&result.view()).unwrap(), [5, 6, 7]);
        assert_eq!([chip.send(&part, Integers, 4), other.send(&part, Points, 8)], [12, 24]);
        assert_eq!(chip.log().take_copies(), Some((1, Transfer::untimed(0, 24))));
        assert_eq!(other.log().take_copies(), None);
    }
}
