//! Fetch and decode: the words that issue in a slot, and whether they may issue together.

use crate::isa::{Channel, L2, L2Op};
use crate::machine::error::Fault;

/// An L2 word with its address.
pub(super) type Placed = (u16, L2);

/// The words of a slot: one, or two that issue together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fetched {
    pub(super) first: Placed,
    pub(super) second: Option<Placed>,
}

impl Fetched {
    pub(super) fn words(&self) -> impl Iterator<Item = Placed> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Address of the next slot, unless this one ends the routine.
    pub(super) fn next(&self) -> Option<usize> {
        let (pc, word) = self.second.unwrap_or(self.first);
        (!word.last).then_some(usize::from(pc) + 1)
    }
}

/// Fetches the words of the slot that begins at `pc`.
///
/// An error comes with the word that causes it: the one at `pc`, or the one before it if there is no word at `pc`.
pub(super) fn fetch(memory: &[L2], pc: usize, width: u32) -> Result<Fetched, (Placed, Fault)> {
    let at = |pc: usize| memory.get(pc).map(|word| (pc as u16, *word));
    let runaway = |pc: usize, from: usize| {
        let blamed = at(from).unwrap_or((from as u16, L2::NOP));
        (blamed, Fault::Runaway { pc })
    };
    let first = at(pc).ok_or_else(|| runaway(pc, pc.saturating_sub(1)))?;
    if !first.1.with_next {
        return Ok(Fetched { first, second: None });
    }
    if width < 2 {
        return Err((first, Fault::SingleIssue));
    }
    if first.1.last {
        return Err((first, Fault::PairEnd));
    }
    let second = at(pc + 1).ok_or_else(|| runaway(pc + 1, pc))?;
    if second.1.with_next {
        return Err((second, Fault::PairEnd));
    }
    let channels = [first, second].map(|(_, word)| word.op.channel());
    match channels {
        [Some(Channel::Mm), Some(Channel::Arith)] | [Some(Channel::Arith), Some(Channel::Mm)] => {
            Ok(Fetched { first, second: Some(second) })
        }
        [a, b] => Err((second, Fault::Pair(a, b))),
    }
}

/// Whether a slot counts as a bubble: all its words are no-operations.
pub(super) fn is_bubble(fetched: &Fetched) -> bool {
    fetched.words().all(|(_, word)| word.op == L2Op::Nop)
}
