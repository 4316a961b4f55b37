//! Long sequential runs in fewer steps, with the same numbers as burst by burst.
//!
//! A *round* is a burst of every bank group of every channel, as [`Mapping::GroupInterleaved`](super::Mapping) deals them
//! out; a *block* is the rounds of one row. The state of the memory between two rounds consists of times that commands
//! move (the *phase*) and of times that only activates and refreshes set. When the queues are full of hits, a round sends
//! no activate, and each bank is used once: so after one such round no time that an activate has set can bind any more.
//! If the next one then moves every time of the phase by the same `p`, all that follow do, because nothing but
//! differences of these times enters a decision: until the block ends or a refresh falls due, rounds can be skipped by
//! adding multiples of `p`.

use super::channel::Channel;
use super::config::{DramConfig, Hash, Mapping};
use super::map::Map;

/// Looks for a steady state at the boundaries of rounds.
#[derive(Clone, Debug)]
pub(super) struct Steady {
    /// Bursts of a round, 0 if the mapping has none.
    round: u64,
    /// Bursts of a block.
    block: u64,
    /// Requests that the queues hold, in bursts.
    queues: u64,
    /// The boundary seen last, as the number of the burst that follows.
    at: u64,
    /// Boundaries in a row without an activate between them.
    quiet: u32,
    activations: u64,
    phase: Vec<u64>,
    next: Vec<u64>,
}

/// What can be skipped: bursts, and the clocks that they take.
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
        // Within a block the groups take turns in one order.
        let orders =
            if config.hash == Hash::RowColumn { u64::from(config.bank_groups).min(columns) } else { 1 };
        Self { round, block: round * columns / orders, queues, at: 0, quiet: 0, activations: 0, phase, next }
    }

    /// Whether `number` begins a round that the run up to `to` goes on after.
    pub(super) fn boundary(&self, number: u64, to: u64) -> bool {
        self.round > 0 && number & (self.round - 1) == 0 && to - number >= 2 * self.round
    }

    /// Forgets what it saw: the run is over.
    pub(super) fn reset(&mut self) {
        self.quiet = 0;
    }

    /// Looks at the state before burst `number`, a boundary, of a run up to `to`.
    pub(super) fn look(
        &mut self,
        channels: &[Channel],
        map: &Map,
        taken: u64,
        number: u64,
        to: u64,
    ) -> Option<Skip> {
        // Every request in the queues is of this block.
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

    /// Moves the state of the channels over what is skipped from burst `number` on.
    pub(super) fn skip(&self, skip: Skip, channels: &mut [Channel], map: &Map, number: u64, write: bool) {
        for burst in number..number + self.round {
            let place = map.place(burst);
            channels[place.channel].skip_of(place, skip.clocks);
        }
        let each = skip.bursts / channels.len() as u64;
        channels.iter_mut().for_each(|channel| channel.skip(skip.clocks, each, write));
    }
}
