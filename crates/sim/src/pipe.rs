//! A pipeline of a fixed latency.

use crate::Clocked;

/// A pipeline: an item that enters in cycle `c` is at its output in cycle `c + latency`.
///
/// The registers form a ring buffer: an item is written once, when it enters, and the index of the output moves round
/// it. Ticking an empty pipeline takes constant time.
#[derive(Clone, Debug)]
pub struct Pipe<T> {
    ring: Vec<Option<T>>,
    /// The index of the oldest item, which is the output and the slot of the next input.
    head: usize,
    items: usize,
}

impl<T> Pipe<T> {
    /// A pipeline of `latency` registers; at least one.
    pub fn new(latency: u32) -> Self {
        let mut ring = Vec::new();
        ring.resize_with(latency.max(1) as usize, || None);
        Self { ring, head: 0, items: 0 }
    }

    /// Cycles from input to output.
    pub fn latency(&self) -> u32 {
        self.ring.len() as u32
    }

    /// Items in the registers, the one at the output included.
    pub fn in_flight(&self) -> usize {
        self.items
    }

    /// Whether nothing is in flight.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// A reference to the item at the output.
    pub fn front(&self) -> Option<&T> {
        self.ring[self.head].as_ref()
    }

    /// The registers in the order in which an item passes through them: register `k` holds an item after the logic of
    /// stages 0 to `k`.
    pub fn registers(&self) -> impl Iterator<Item = Option<&T>> {
        let (young, old) = self.ring.split_at(self.head);
        young.iter().rev().chain(old.iter().rev()).map(Option::as_ref)
    }

    /// The clock edge of a pipeline with logic between its registers: the item at the output leaves, every other one
    /// goes through the logic of its stage, `input` goes through that of stage 0, and all advance by one register.
    ///
    /// `logic(k, item)` is the logic between register `k - 1` and register `k`; each item sees `k = 0` up to
    /// `latency - 1` in order, one a cycle, and is at the output thereafter.
    pub fn tick_with(&mut self, input: Option<T>, mut logic: impl FnMut(u32, &mut T)) {
        if self.items == 0 && input.is_none() {
            return;
        }
        let depth = self.ring.len();
        self.items -= usize::from(self.ring[self.head].is_some());
        self.items += usize::from(input.is_some());
        self.ring[self.head] = input;
        self.head = if self.head + 1 == depth { 0 } else { self.head + 1 };
        if self.items == 0 {
            return;
        }
        // The newest item lies just before the head and is in stage 0.
        let (young, old) = self.ring.split_at_mut(self.head);
        let newest_first = young.iter_mut().rev().chain(old.iter_mut().rev());
        for (stage, item) in (0u32..).zip(newest_first) {
            if let Some(item) = item {
                logic(stage, item);
            }
        }
    }
}

impl<T: Clone> Clocked for Pipe<T> {
    type In = Option<T>;
    type Out = Option<T>;

    fn out(&self) -> Option<T> {
        self.front().cloned()
    }

    fn tick(&mut self, input: Option<T>) {
        if self.items == 0 && input.is_none() {
            return;
        }
        self.items -= usize::from(self.ring[self.head].is_some());
        self.items += usize::from(input.is_some());
        self.ring[self.head] = input;
        self.head = if self.head + 1 == self.ring.len() { 0 } else { self.head + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_output_is_the_input_of_so_many_cycles_ago(
            latency in 1u32..9,
            inputs in prop::collection::vec(prop::option::of(0u32..100), 1..60),
        ) {
            let mut pipe = Pipe::new(latency);
            for cycle in 0..inputs.len() {
                let due = cycle.checked_sub(latency as usize).and_then(|c| inputs[c]);
                prop_assert_eq!(pipe.out(), due);
                let inside = inputs[cycle.saturating_sub(latency as usize)..cycle].iter().flatten().count();
                prop_assert_eq!(pipe.in_flight(), inside);
                pipe.tick(inputs[cycle]);
            }
        }

        #[test]
        fn every_item_sees_every_stage_once_in_order(
            latency in 1u32..7,
            inputs in prop::collection::vec(any::<bool>(), 1..40),
        ) {
            let mut pipe = Pipe::new(latency);
            let mut left = 0;
            for input in inputs.iter().copied().chain(core::iter::repeat_n(false, latency as usize)) {
                if let Some(stages) = pipe.front() {
                    prop_assert_eq!(stages, &(0..latency).collect::<Vec<_>>());
                    left += 1;
                }
                pipe.tick_with(input.then(Vec::new), |stage, seen: &mut Vec<u32>| seen.push(stage));
            }
            prop_assert!(pipe.front().is_none() || !pipe.is_empty());
            let entered = inputs.iter().filter(|x| **x).count();
            prop_assert_eq!(left + pipe.in_flight(), entered);
        }
    }

    #[test]
    fn registers_stand_in_the_order_of_the_stages() {
        let mut pipe = Pipe::new(3);
        for cycle in 0..7u32 {
            pipe.tick_with((cycle % 3 != 2).then_some(cycle), |_, _| {});
            let entered = |k: u32| cycle.checked_sub(k).filter(|c| c % 3 != 2);
            let registers: Vec<_> = pipe.registers().map(|item| item.copied()).collect();
            assert_eq!(registers, (0..3).map(entered).collect::<Vec<_>>());
            assert_eq!(registers.last().copied().flatten(), pipe.front().copied());
        }
    }

    #[test]
    fn a_pipeline_has_at_least_one_register() {
        assert_eq!(Pipe::<u8>::new(0).latency(), 1);
    }
}
