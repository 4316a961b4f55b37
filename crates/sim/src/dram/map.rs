//! The mapping of a burst number to channel, rank, bank group, bank and row.

use super::config::{DramConfig, Hash, Mapping};

/// The location of a burst. `group` and `bank` are numbered through all ranks of the channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BurstPlace {
    pub(super) channel: usize,
    pub(super) rank: u8,
    pub(super) group: u8,
    pub(super) bank: u8,
    pub(super) row: u64,
}

/// A bit field of the burst number.
#[derive(Clone, Copy, Debug, Default)]
struct Bits {
    shift: u32,
    width: u32,
}

impl Bits {
    fn of(self, burst: u64) -> u64 {
        (burst >> self.shift) & ((1 << self.width) - 1)
    }
}

/// The address mapping of one memory.
#[derive(Clone, Debug)]
pub(super) struct Map {
    channel: Bits,
    rank: Bits,
    group: Bits,
    bank: Bits,
    column: Bits,
    row: u32,
    hash: Hash,
}

impl Map {
    pub(super) fn new(config: &DramConfig) -> Self {
        let mut at = 0;
        let mut field = |count: u32| {
            let bits = Bits { shift: at, width: count.trailing_zeros() };
            at += bits.width;
            bits
        };
        let columns = config.row_bytes / config.burst_bytes();
        let channel = field(config.channels);
        let (group, bank, rank, column) = match config.mapping {
            Mapping::GroupInterleaved => {
                let (group, column) = (field(config.bank_groups), field(columns));
                (group, field(config.banks), field(config.ranks), column)
            }
            Mapping::RowContiguous => {
                let column = field(columns);
                (field(config.bank_groups), field(config.banks), field(config.ranks), column)
            }
            Mapping::BankInterleaved => {
                let (group, bank) = (field(config.bank_groups), field(config.banks));
                (group, bank, field(config.ranks), field(columns))
            }
        };
        Self { channel, rank, group, bank, column, row: at, hash: config.hash }
    }

    pub(super) fn place(&self, burst: u64) -> BurstPlace {
        let row = burst >> self.row;
        let (mut channel, mut rank) = (self.channel.of(burst), self.rank.of(burst));
        let (mut group, mut bank) = (self.group.of(burst), self.bank.of(burst));
        if self.hash != Hash::None {
            // Each field is mixed with row and column bits that are themselves unchanged, so distinct bursts keep
            // distinct locations.
            let spread = |width: u32, from: u64| from & ((1 << width) - 1);
            group ^= spread(self.group.width, row);
            if self.hash == Hash::RowColumn {
                group ^= self.column.of(burst) >> self.column.width.saturating_sub(self.group.width);
                group &= (1 << self.group.width) - 1;
            }
            bank ^= spread(self.bank.width, row >> self.group.width);
            rank ^= spread(self.rank.width, row >> (self.group.width + self.bank.width));
            if self.channel.width > 0 {
                let mixed = row ^ self.column.of(burst) ^ self.bank.of(burst);
                channel ^= (0..self.channel.width).fold(0, |all, bit| {
                    let parity = parity_of_every(self.channel.width, mixed >> bit);
                    all | parity << bit
                });
            }
        }
        let group = rank << self.group.width | group;
        let bank = group << self.bank.width | bank;
        BurstPlace { channel: channel as usize, rank: rank as u8, group: group as u8, bank: bank as u8, row }
    }
}

/// The parity of every `n`-th bit of `bits`.
fn parity_of_every(n: u32, bits: u64) -> u64 {
    let every = match n {
        1 => u64::MAX,
        2 => 0x5555_5555_5555_5555,
        3 => 0x9249_2492_4924_9249,
        _ => 0x1111_1111_1111_1111,
    };
    u64::from((bits & every).count_ones() & 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every mapping, hashed or not, sends distinct bursts to distinct locations, and covers every location once by a
    /// contiguous aligned block of the size of all banks' rows.
    #[test]
    fn places_are_distinct() {
        for mapping in [Mapping::GroupInterleaved, Mapping::RowContiguous, Mapping::BankInterleaved] {
            for hash in [Hash::None, Hash::Row, Hash::RowColumn] {
                let config = DramConfig {
                    mapping,
                    hash,
                    channels: 4,
                    ranks: 2,
                    row_bytes: 512,
                    ..DramConfig::ddr5_4800()
                };
                let map = Map::new(&config);
                let columns = u64::from(config.row_bytes / config.burst_bytes());
                let bursts = 4 * 2 * 32 * columns * 4;
                let mut seen = BTreeSet::new();
                for burst in 0..bursts {
                    let p = map.place(burst);
                    assert!(p.channel < 4 && p.rank < 2 && p.group < 16 && p.bank < 64);
                    assert_eq!((p.bank / 4, p.group / 8), (p.group, p.rank));
                    seen.insert((p.channel, p.bank, p.row, map.column.of(burst)));
                }
                assert_eq!(seen.len() as u64, bursts, "{mapping:?} {hash:?}");
            }
        }
    }

    #[test]
    fn neighbours_alternate_between_channels_then_groups() {
        let map = Map::new(&DramConfig::ddr5_4800());
        let of = |b| map.place(b);
        assert_eq!((of(0).channel, of(1).channel, of(2).channel), (0, 1, 0));
        assert_eq!((of(0).group, of(1).group, of(2).group, of(14).group), (0, 0, 1, 7));
    }
}
