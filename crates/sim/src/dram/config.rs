//! The parameters of a DRAM, which form one flat section of a design file.

use crate::settings::{OutOfRange, Range, between, named, power_of_two, section_in_range};
use serde::{Deserialize, Serialize};

/// The level of detail of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A pipe with `bytes_per_cycle` and `latency` only.
    Flat,
    /// Channels, ranks, bank groups, banks and rows with their timing.
    Ddr,
}

/// The order in which the controller takes bursts from its queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// Column commands go out in request order; rows of later requests in the queue are opened ahead.
    InOrder,
    /// First ready, first come, first served: of the requests in the queue, the one whose command can go out first; the
    /// oldest of equals. If as many bursts as four times the queue's size have overtaken the oldest request, it goes
    /// first.
    FrFcfs,
}

/// The row policy after a burst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Page {
    /// The row stays open until another row of its bank is needed.
    Open,
    /// The row is closed with the burst (auto-precharge), unless the queue holds another burst for it.
    Closed,
}

/// The order of the address fields, from the lowest bits above the byte offset within a burst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// Channel, bank group, column, bank, rank, row: neighbouring bursts alternate between bank groups, as full speed
    /// requires.
    GroupInterleaved,
    /// Channel, column, bank group, bank, rank, row: a row is contiguous.
    RowContiguous,
    /// Channel, bank group, bank, rank, column, row: neighbouring bursts go round all banks.
    BankInterleaved,
}

/// The address bits that are exclusive-ored into others. With either mixing, the channel is selected by the parity of
/// row, bank and column bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hash {
    /// No address bit is mixed into another.
    None,
    /// Low bits of the row are mixed into bank group, bank and rank, which spreads strides of more than one row of all
    /// banks.
    Row,
    /// Like `Row`, and high bits of the column are mixed into the bank group, which spreads smaller strides.
    RowColumn,
}

/// The parameters of a DRAM. Times that JEDEC gives in nanoseconds (`_ns`) are in nanoseconds and are rounded up to
/// memory clocks; times that are set in clocks (`_ck`) are in memory clocks. Where the standard says "the larger of so
/// many clocks and so many nanoseconds", the field holds the larger value at the preset's rate.
///
/// \[CP\] prints neither the kind of its memory nor its timing: one controller, below 38.4 GB/s (§V.B, Table III). Both its
/// kernels take the same number of core cycles at 300 and at 800 MHz, so a path of 48 bytes a core cycle is inferred,
/// which is 38.4 GB/s at 800 MHz: [`DramConfig::paper`] is that pipe, with the parameters of [`DramConfig::ddr5_4800`] behind it
/// for `kind = "ddr"`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DramConfig {
    /// The level of detail: an ideal pipe, or banks and rows.
    pub kind: Kind,
    /// Bytes per core cycle through the core's side of the controller. With `ddr`, 0 means no limit.
    pub bytes_per_cycle: u32,
    /// Core cycles between the pins and the core, for reads. Writes are posted and have none.
    pub latency: u32,
    /// Requests that the queue of a channel holds, 1 to 64.
    pub queue: u32,
    /// Writes that the controller of a channel gathers, 0 to 64: when this many wait, or a read accesses one of them,
    /// it sends them all. With 0 it keeps the order of reads and writes.
    pub gather: u32,
    /// Order of service within the queue.
    pub scheduler: Scheduler,
    /// The row policy: open or closed rows.
    pub page: Page,
    /// Order of the address bits.
    pub mapping: Mapping,
    /// The address bits that are mixed into others, so that strides of a power of two are spread over the banks.
    pub hash: Hash,
    /// Independent channels (the subchannels of DDR5 count as channels).
    pub channels: u32,
    /// Ranks per channel.
    pub ranks: u32,
    /// Bank groups per rank.
    pub bank_groups: u32,
    /// Banks per bank group.
    pub banks: u32,
    /// Bytes of a row, over all devices of a rank.
    pub row_bytes: u32,
    /// Data pins per channel.
    pub bus_bits: u32,
    /// Transfers per second on a pin, in millions.
    pub rate_mts: u32,
    /// Transfers per burst.
    pub burst: u32,
    /// From a read command to its first data, in clocks.
    pub cl_ck: u32,
    /// From a write command to its first data, in clocks.
    pub cwl_ck: u32,
    /// Column command to column command, different bank groups (tCCD_S), in clocks.
    pub tccd_s_ck: u32,
    /// Read to read in the same bank group (tCCD_L).
    pub tccd_l_ns: f64,
    /// Write to write in the same bank group (tCCD_L_WR).
    pub tccd_l_wr_ns: f64,
    /// Idle clocks of the data pins between reads and writes (bus turnaround).
    pub turn_ck: u32,
    /// Idle clocks of the data pins between bursts of two ranks.
    pub rank_gap_ck: u32,
    /// Activate to column command (tRCD).
    pub trcd_ns: f64,
    /// Precharge to the next activate (tRP).
    pub trp_ns: f64,
    /// Activate to precharge (tRAS).
    pub tras_ns: f64,
    /// Activate to activate of the same bank (tRC).
    pub trc_ns: f64,
    /// Activate to activate, different bank groups (tRRD_S).
    pub trrd_s_ns: f64,
    /// Activate to activate, same bank group (tRRD_L).
    pub trrd_l_ns: f64,
    /// Window that contains at most four activates of a rank (tFAW).
    pub tfaw_ns: f64,
    /// Last data of a write to precharge (tWR).
    pub twr_ns: f64,
    /// Last data of a write to a read, different bank groups (tWTR_S).
    pub twtr_s_ns: f64,
    /// Last data of a write to a read, same bank group (tWTR_L).
    pub twtr_l_ns: f64,
    /// Read command to precharge (tRTP).
    pub trtp_ns: f64,
    /// Interval between refreshes (tREFI); 0 disables refresh.
    pub trefi_ns: f64,
    /// All-bank refresh to activate (tRFC).
    pub trfc_ns: f64,
    /// Picojoules to open and close a row of a rank.
    pub activate_pj: f64,
    /// Picojoules of a read burst, without the termination of the pins.
    pub read_pj: f64,
    /// Picojoules of a write burst, without the termination of the pins.
    pub write_pj: f64,
    /// Picojoules of a refresh of a rank.
    pub refresh_pj: f64,
    /// Background power of a rank (active standby), in milliwatts.
    pub standby_mw: f64,
}

impl Default for DramConfig {
    fn default() -> Self {
        Self::paper()
    }
}

/// The ranges of a memory's parameters, within its section.
pub const RANGES: &[Range] = &[
    named("kind", &["flat", "ddr"]),
    between("bytes_per_cycle", 0.0, 65_536.0, "bytes a cycle"),
    between("latency", 0.0, 1e6, "cycles"),
    named("scheduler", &["in-order", "fr-fcfs"]),
    named("page", &["open", "closed"]),
    named("mapping", &["group-interleaved", "row-contiguous", "bank-interleaved"]),
    named("hash", &["none", "row", "row-column"]),
    between("queue", 1.0, 64.0, "requests"),
    between("gather", 0.0, 64.0, "writes"),
    power_of_two("channels", 1, 16, ""),
    power_of_two("ranks", 1, 4, ""),
    power_of_two("bank_groups", 1, 8, ""),
    power_of_two("banks", 1, 8, ""),
    power_of_two("bus_bits", 8, 512, "pins"),
    power_of_two("burst", 2, 32, "transfers"),
    power_of_two("row_bytes", 1, 1 << 20, "bytes"),
    between("rate_mts", 100.0, 20_000.0, "million transfers a second"),
    between("cl_ck", 0.0, 1000.0, "clocks"),
    between("cwl_ck", 0.0, 1000.0, "clocks"),
    between("tccd_s_ck", 0.0, 1000.0, "clocks"),
    between("turn_ck", 0.0, 1000.0, "clocks"),
    between("rank_gap_ck", 0.0, 1000.0, "clocks"),
    between("tccd_l_ns", 0.0, 1e6, "ns"),
    between("tccd_l_wr_ns", 0.0, 1e6, "ns"),
    between("trcd_ns", 0.0, 1e6, "ns"),
    between("trp_ns", 0.0, 1e6, "ns"),
    between("tras_ns", 0.0, 1e6, "ns"),
    between("trc_ns", 0.0, 1e6, "ns"),
    between("trrd_s_ns", 0.0, 1e6, "ns"),
    between("trrd_l_ns", 0.0, 1e6, "ns"),
    between("tfaw_ns", 0.0, 1e6, "ns"),
    between("twr_ns", 0.0, 1e6, "ns"),
    between("twtr_s_ns", 0.0, 1e6, "ns"),
    between("twtr_l_ns", 0.0, 1e6, "ns"),
    between("trtp_ns", 0.0, 1e6, "ns"),
    between("trfc_ns", 0.0, 1e6, "ns"),
    between("trefi_ns", 0.0, 1e6, "ns"),
    between("activate_pj", 0.0, 1e15, "pJ"),
    between("read_pj", 0.0, 1e15, "pJ"),
    between("write_pj", 0.0, 1e15, "pJ"),
    between("refresh_pj", 0.0, 1e15, "pJ"),
    between("standby_mw", 0.0, 1e15, "mW"),
];

impl DramConfig {
    /// The names that [`DramConfig::preset`] accepts.
    pub const PRESETS: &'static [&'static str] =
        &["paper", "ddr5_4800", "ddr5_4800_x2", "ddr4_2400", "ddr4_2400_x2", "ddr4_3200", "ddr4_3200_x2"];

    /// The inferred pipe of \[CP\]: 48 bytes per core cycle, no latency.
    pub fn paper() -> Self {
        Self { kind: Kind::Flat, ..Self::ddr5_4800() }
    }

    /// One DIMM of DDR5-4800B (40-39-39), JESD79-5: two subchannels of 32 bits, bursts of 16, 38.4 GB/s. One rank of four
    /// 16 Gb devices of 8 bits a subchannel: 8 bank groups of 4 banks, rows of 4 × 1 KiB, all-bank refresh every 3.9 µs for
    /// 295 ns. Energies are inferred: those of DDR4-3200, half the devices a row, by the square of 1.1 V to 1.2 V.
    pub fn ddr5_4800() -> Self {
        Self {
            kind: Kind::Ddr,
            bytes_per_cycle: 48,
            latency: 0,
            queue: 32,
            gather: 0,
            scheduler: Scheduler::FrFcfs,
            page: Page::Open,
            mapping: Mapping::GroupInterleaved,
            hash: Hash::Row,
            channels: 2,
            ranks: 1,
            bank_groups: 8,
            banks: 4,
            row_bytes: 4096,
            bus_bits: 32,
            rate_mts: 4800,
            burst: 16,
            cl_ck: 40,
            cwl_ck: 38,
            tccd_s_ck: 8,
            tccd_l_ns: 5.0,
            tccd_l_wr_ns: 10.0,
            turn_ck: 2,
            rank_gap_ck: 2,
            trcd_ns: 16.0,
            trp_ns: 16.0,
            tras_ns: 32.0,
            trc_ns: 48.0,
            trrd_s_ns: 3.333,
            trrd_l_ns: 5.0,
            tfaw_ns: 13.333,
            twr_ns: 30.0,
            twtr_s_ns: 2.5,
            twtr_l_ns: 10.0,
            trtp_ns: 7.5,
            trefi_ns: 3900.0,
            trfc_ns: 295.0,
            activate_pj: 1750.0,
            read_pj: 2340.0,
            write_pj: 1980.0,
            refresh_pj: 235e3,
            standby_mw: 210.0,
        }
    }

    /// One channel of DDR4-2400R (16-16-16), JESD79-4: 64 bits, bursts of 8, 19.2 GB/s. One rank of eight 8 Gb devices of 8
    /// bits: 4 bank groups of 4 banks, rows of 8 × 1 KiB, refresh every 7.8 µs for 350 ns. Energies by the method of Micron's
    /// TN-40-07 from the currents of the MT40A1G8-083E.
    pub fn ddr4_2400() -> Self {
        Self {
            channels: 1,
            bank_groups: 4,
            row_bytes: 8192,
            bus_bits: 64,
            rate_mts: 2400,
            burst: 8,
            cl_ck: 16,
            cwl_ck: 12,
            tccd_s_ck: 4,
            tccd_l_ns: 5.0,
            tccd_l_wr_ns: 5.0,
            trcd_ns: 13.32,
            trp_ns: 13.32,
            tras_ns: 32.0,
            trc_ns: 45.32,
            trrd_s_ns: 3.333,
            trrd_l_ns: 4.9,
            tfaw_ns: 21.0,
            twr_ns: 15.0,
            twtr_s_ns: 2.5,
            twtr_l_ns: 7.5,
            trtp_ns: 7.5,
            trefi_ns: 7800.0,
            trfc_ns: 350.0,
            activate_pj: 3330.0,
            read_pj: 2940.0,
            write_pj: 2560.0,
            refresh_pj: 695e3,
            standby_mw: 413.0,
            ..Self::ddr5_4800()
        }
    }

    /// One channel of DDR4-3200AA (22-22-22), 25.6 GB/s, otherwise as [`DramConfig::ddr4_2400`].
    pub fn ddr4_3200() -> Self {
        Self {
            rate_mts: 3200,
            cl_ck: 22,
            cwl_ck: 16,
            trcd_ns: 13.75,
            trp_ns: 13.75,
            trc_ns: 45.75,
            trrd_s_ns: 2.5,
            activate_pj: 4180.0,
            read_pj: 2780.0,
            write_pj: 2350.0,
            refresh_pj: 665e3,
            standby_mw: 499.0,
            ..Self::ddr4_2400()
        }
    }

    /// This memory with twice the channels and twice the bandwidth of the core's side.
    #[must_use]
    pub fn doubled(self) -> Self {
        Self { channels: 2 * self.channels, bytes_per_cycle: 2 * self.bytes_per_cycle, ..self }
    }

    /// A memory by name, one of [`DramConfig::PRESETS`]; the suffix `_x2` means two DIMMs.
    ///
    /// # Errors
    /// No memory has this name.
    pub fn preset(name: &str) -> Result<Self, OutOfRange> {
        Ok(match name {
            "paper" => Self::paper(),
            "ddr5_4800" => Self::ddr5_4800(),
            "ddr5_4800_x2" => Self::ddr5_4800().doubled(),
            "ddr4_2400" => Self::ddr4_2400(),
            "ddr4_2400_x2" => Self { bytes_per_cycle: 48, ..Self::ddr4_2400().doubled() },
            "ddr4_3200" => Self::ddr4_3200(),
            "ddr4_3200_x2" => Self::ddr4_3200().doubled(),
            _ => {
                let must = format!("one of {}", Self::PRESETS.join(", "));
                return Err(OutOfRange { parameter: "dram.preset".to_owned(), value: name.to_owned(), must });
            }
        })
    }

    /// Bytes of a burst of one channel.
    pub fn burst_bytes(&self) -> u32 {
        self.bus_bits / 8 * self.burst
    }

    /// Peak bandwidth of all data pins, in bytes per second.
    pub fn peak(&self) -> f64 {
        f64::from(self.channels) * f64::from(self.bus_bits) / 8.0 * f64::from(self.rate_mts) * 1e6
    }

    /// Peak bytes per cycle of a core of `core_hz` hertz: of the core's side, or of the pins where those are slower.
    pub fn peak_bytes_per_cycle(&self, core_hz: f64) -> f64 {
        self.slower(f64::from(self.bytes_per_cycle), self.peak() / core_hz)
    }

    /// The same peak in bytes per second.
    pub fn peak_bytes_per_second(&self, core_hz: f64) -> f64 {
        self.slower(f64::from(self.bytes_per_cycle) * core_hz, self.peak())
    }

    /// The smaller of the rates of the core's side and the pins; a flat memory has no pins, and zero means no limit of
    /// the core's side.
    fn slower(&self, side: f64, pins: f64) -> f64 {
        match self.kind {
            Kind::Flat => side,
            Kind::Ddr if side > 0.0 => side.min(pins),
            Kind::Ddr => pins,
        }
    }

    /// Checks that the parameters are in range and consistent, whatever the kind. Errors name the parameters as those
    /// of a section `dram`.
    ///
    /// # Errors
    /// The first parameter that is out of range, or that contradicts another one.
    pub fn check(&self) -> Result<(), OutOfRange> {
        section_in_range("dram", self, RANGES)?;
        let wide = self.bytes_per_cycle > 0 || self.kind == Kind::Ddr;
        OutOfRange::unless(wide, "dram.bytes_per_cycle", 0, "at least 1 for a flat memory")?;
        let banks = self.ranks * self.bank_groups * self.banks;
        let must = "at most 128 in all ranks and groups of a channel";
        OutOfRange::unless(banks <= 128, "dram.banks", banks, must)?;
        let row = self.row_bytes >= self.burst_bytes();
        OutOfRange::unless(row, "dram.row_bytes", self.row_bytes, "at least a burst")?;
        // Between two refreshes there must be time to open a row and to use it.
        let busy = self.trfc_ns + 2.0 * (self.tras_ns + self.trc_ns + self.trp_ns) + self.twr_ns;
        let refresh = self.trefi_ns == 0.0 || self.trefi_ns > busy;
        let must = "0, or long enough for a refresh and two rows";
        OutOfRange::unless(refresh, "dram.trefi_ns", self.trefi_ns, must)
    }
}
