//! Remembers which operands already lie in the memory of a modelled machine.

use pairwright_poly::{Buf, Memory, View};

/// The way from the host to a modelled machine with a memory of its own. What was sent stays there for as long as its
/// buffer lives and is not sent again; the memory's size is not modelled.
#[derive(Clone, Debug)]
pub struct Link {
    memory: Memory,
}

impl Link {
    /// A machine that holds nothing yet.
    #[expect(clippy::new_without_default, reason = "every one is another")]
    pub fn new() -> Self {
        Self { memory: Memory::new() }
    }

    /// Sends the buffer of an operand in a layout, unless it is there; the number of bytes that go, `each` an element.
    /// Of a part of a buffer the whole is sent, so that operators on other parts find it.
    pub fn send<T, L: Send + Sync + 'static>(&self, operand: &View<'_, T>, layout: L, each: usize) -> u64 {
        let buf = operand.buf();
        if buf.copy::<L>(&self.memory).is_some() {
            return 0;
        }
        buf.note(&self.memory, layout);
        (buf.len() * each) as u64
    }

    /// Takes it that the buffer of an operand is not there any more: the machine failed.
    pub fn lost<T>(&self, operand: &View<'_, T>) {
        operand.buf().forget(&self.memory);
    }

    /// Notes that a result lies in the memory in a layout.
    pub fn holds<T, L: Send + Sync + 'static>(&self, result: &Buf<T>, layout: L) {
        result.note(&self.memory, layout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Points;
    struct Integers;

    #[test]
    fn an_operand_goes_once_a_machine_and_layout() {
        let (chip, other) = (Link::new(), Link::new());
        let mut buf = Buf::from(vec![1u64; 10]);
        assert_eq!(chip.send(&buf.slice(3..5), Points, 8), 80, "the whole buffer");
        assert_eq!([chip.send(&buf.view(), Points, 8), chip.send(&buf.clone().view(), Points, 8)], [0, 0]);
        assert_eq!([chip.send(&buf.view(), Integers, 4), other.send(&buf.view(), Points, 8)], [40, 80]);
        buf[0] = 2;
        assert_eq!(chip.send(&buf.view(), Points, 8), 80, "another value");
        chip.lost(&buf.view());
        assert_eq!([chip.send(&buf.view(), Points, 8), other.send(&buf.view(), Integers, 4)], [80, 40]);
        let result = Buf::from(vec![0u64; 3]);
        chip.holds(&result, Points);
        assert_eq!(chip.send(&result.view(), Points, 8), 0);
    }
}
