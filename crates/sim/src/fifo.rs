//! A first-in first-out buffer whose readiness is registered.

use crate::Clocked;
use std::collections::VecDeque;

/// A queue between two blocks.
///
/// Both sides see registered state only: `can_accept` does not depend on whether the consumer pops in this cycle, so no
/// combinational path runs through the queue from its consumer to its producer. A full queue therefore loses one cycle
/// before it accepts again, as on a chip with registered handshakes.
#[derive(Clone, Debug)]
pub struct Fifo<T> {
    queue: VecDeque<T>,
    capacity: usize,
    high_water: usize,
}

/// The inputs of a [`Fifo`] in one cycle.
#[derive(Clone, Debug)]
pub struct FifoIn<T> {
    /// An item to append; allowed only when `can_accept` is set.
    pub push: Option<T>,
    /// Whether the consumer takes `front`.
    pub pop: bool,
}

/// The outputs of a [`Fifo`] in one cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FifoOut<T> {
    /// The oldest item, if there is one.
    pub front: Option<T>,
    /// Whether an item may be pushed in this cycle.
    pub can_accept: bool,
}

impl<T> Fifo<T> {
    /// A queue of `capacity` items; at least one.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self { queue: VecDeque::with_capacity(capacity), capacity, high_water: 0 }
    }

    /// The number of items in the queue.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether the queue has no item.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The items, the oldest first.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        self.queue.iter()
    }

    /// The largest number of items that were ever queued, which is the capacity that a run needs.
    pub fn high_water(&self) -> usize {
        self.high_water
    }
}

impl<T: Clone> Clocked for Fifo<T> {
    type In = FifoIn<T>;
    type Out = FifoOut<T>;

    fn out(&self) -> FifoOut<T> {
        FifoOut { front: self.queue.front().cloned(), can_accept: self.queue.len() < self.capacity }
    }

    /// # Panics
    /// On a push that `can_accept` did not allow: an item would be lost, which is a bug of the producer's model.
    fn tick(&mut self, input: FifoIn<T>) {
        let full = self.queue.len() == self.capacity;
        if input.pop {
            self.queue.pop_front();
        }
        if let Some(item) = input.push {
            assert!(!full, "pushed into a full queue of {} items", self.capacity);
            self.queue.push_back(item);
            self.high_water = self.high_water.max(self.queue.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(item: u8) -> FifoIn<u8> {
        FifoIn { push: Some(item), pop: false }
    }

    #[test]
    fn readiness_is_that_of_the_cycle_before() {
        let mut fifo = Fifo::new(2);
        assert_eq!(fifo.out(), FifoOut { front: None, can_accept: true });
        fifo.tick(push(1));
        fifo.tick(push(2));
        assert_eq!(fifo.out(), FifoOut { front: Some(1), can_accept: false });
        fifo.tick(FifoIn { push: None, pop: true });
        assert_eq!(fifo.out(), FifoOut { front: Some(2), can_accept: true });
        fifo.tick(FifoIn { push: Some(3), pop: true });
        assert_eq!(fifo.out(), FifoOut { front: Some(3), can_accept: true });
        assert_eq!(fifo.high_water(), 2);
    }

    #[test]
    #[should_panic(expected = "full queue of 1 items")]
    fn a_push_into_a_full_queue_is_a_bug_even_when_its_consumer_pops() {
        let mut fifo = Fifo::new(1);
        fifo.tick(push(1));
        fifo.tick(FifoIn { push: Some(2), pop: true });
    }
}
