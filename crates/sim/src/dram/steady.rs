//! Computes long sequential runs in fewer steps, with the same results as burst by burst.
//!
//! A *round* is one burst of every bank group of every channel, in the order of
//! [`Mapping::GroupInterleaved`](super::Mapping); a *block* is the rounds of one row. The state of the memory between
//! two rounds consists of times that every command advances (the *phase*) and of times that only activates and
//! refreshes set. When the queues are full of row hits, a round sends no activate and uses each bank once; after one
//! such round, no time set by an activate is binding any more. If the next round then advances every time of the phase
//! by the same `p`, all following rounds do the same, because only differences of these times enter a decision. Until
//! the block ends or a refresh falls due, rounds can therefore be skipped by adding multiples of `p`.

use super::channel::Channel;
use super::config::{DramConfig, Hash, Mapping};
use super::map::Map;

/// The detector of a steady state at the boundaries of rounds.
#[derive(Clone, Debug)]
pub(super) struct Steady {
    /// Bursts per round; 0 if the mapping has no rounds.
    round: u64,
    /// Bursts per block.
    block: u64,
    /// Capacity of the queues, in bursts.
    queues: u64,
    /// The last boundary seen, as the number of the burst that follows it.
    at: u64,
    /// Consecutive boundaries without an activate between them.
    quiet: u32,
    activations: u64,
    phase: Vec<u64>,
    next: Vec<u64>,
}

/// The part of a run that can be skipped: bursts, and the clocks that they take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Skip {
    pub(super) bursts: u64,
    pub(super) clocks: u64,
}

impl Steady {
    pub(super) fn new(config: &DramConfig) -> Self {
        let round = match config.mapping {
            Mapping::GroupInterleaved => u64::from(config.channels * config.bank_groups),
            Mapping::RowContiguous | Mapping::BankInterleaved => 0,
        };
        let columns = u64::from(config.row_bytes / config.burst_bytes());
        let queues = u64::from(config.queue * config.channels).next_multiple_of(round.max(1));
        let (phase, next) = (Vec::new(), Vec::new());
        // Within a block the groups are visited in a fixed order.
        let orders =
            if config.hash == Hash::RowColumn { u64::from(config.bank_groups).min(columns) } else { 1 };
        Self { round, block: round * columns / orders, queues, at: 0, quiet: 0, activations: 0, phase, next }
    }

    /// Whether `number` begins a round and the run up to `to` continues after it.
    pub(super) fn boundary(&self, number: u64, to: u64) -> bool {
        self.round > 0 && number & (self.round - 1) == 0 && to - number >= 2 * self.round
    }

    /// Forgets the boundaries seen, at the end of a run.
    pub(super) fn reset(&mut self) {
        self.quiet = 0;
    }

    /// Examines the state before burst `number`, a boundary, of a run up to `to`; returns the part that can be skipped.
    pub(super) fn look(
        &mut self,
        channels: &[Channel],
        map: &Map,
        taken: u64,
        number: u64,
        to: u64,
    ) -> Option<Skip> {
        // Whether every request in the queues belongs to this block.
        let inside = number & (self.block - 1) >= self.queues;
        let activations = channels.iter().map(|c| c.counts.activations + c.counts.refreshes).sum();
        let follows = self.at + self.round == number && self.activations == activations;
        (self.at, self.activations) = (number, activations);
        if !inside || !channels.iter().all(Channel::is_steady) {
            self.quiet = 0;
            return None;
        }
        self.quiet = if follows { self.quiet + 1 } else { 1 };
        self.next.clear();
        self.next.push(taken);
        channels.iter().for_each(|channel| channel.phase(&mut self.next));
        for burst in number..number + self.round {
            let place = map.place(burst);
            channels[place.channel].phase_of(place, &mut self.next);
        }
        let before = core::mem::replace(&mut self.phase, core::mem::take(&mut self.next));
        let moved = (self.phase.len() == before.len()).then(|| {
            let mut moves = self.phase.iter().zip(&before).map(|(now, then)| now.wrapping_sub(*then));
            let first = moves.next()?;
            moves.all(|other| other == first).then_some(first)
        });
        self.next = before;
        let clocks = moved.flatten().filter(|&clocks| self.quiet > 2 && clocks > 0 && clocks < 1 << 32)?;
        let rounds = ((number | (self.block - 1)) + 1 - number).min(to + 1 - number) / self.round;
        let refresh = channels.iter().map(|channel| channel.until_refresh() / clocks).min()?;
        let rounds = rounds.min(refresh);
        self.quiet = 0;
        (rounds > 0).then_some(Skip { bursts: rounds * self.round, clocks: rounds * clocks })
    }

    /// Advances the state of the channels over the skipped part from burst `number` on.
    pub(super) fn skip(&self, skip: Skip, channels: &mut [Channel], map: &Map, number: u64, write: bool) {
        for burst in number..number + self.round {
            let place = map.place(burst);
            channels[place.channel].skip_of(place, skip.clocks);
        }
        let each = skip.bursts / channels.len() as u64;
        channels.iter_mut().for_each(|channel| channel.skip(skip.clocks, each, write));
    }
}
