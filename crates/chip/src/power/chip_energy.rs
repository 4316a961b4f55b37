//! Energy of a run of the Poly-OP or the MSM engine, computed from the activity in it.
//!
//! The law and its constants are those of the pairing processor. A busy cycle of a component costs energy in proportion to
//! area and density, an idle cycle costs [`idle_share`] of that, both with the square of the voltage, and leakage is a
//! current in proportion to the area. Here the law applies to every component that the engine reserves while its operator
//! runs. A component that it does not reserve costs nothing: the printed powers are 0.05 W for each processing element of
//! the operator, with no more than 0.01 W beside.
//!
//! \[CP\] does not say what its powers are averages of. Two readings are possible, and both are offered.
//!
//! * **Average over the whole run**, including the cycles in which the engine waits for memory:
//!   [`ChipEnergy::joules`], the default. One factor per engine makes the printed 0.45 W and 0.61 W come out for
//!   [`ChipActivity::PUBLISHED_NTT`] and [`ChipActivity::PUBLISHED_MSM`]; without it the pairing's constants predict
//!   0.45 W and 0.69 W.
//! * **Power of elements that work** in every cycle: [`ChipEnergy::gated_joules`]. A busy cycle of an element then costs
//!   the 146 pJ that 86 % of 0.61 W over twelve elements and 300 MHz are (113 pJ of work, the rest leakage), and an idle
//!   cycle nothing but leakage. It is the most that gating the clock could save.
//!
//! Table III and the energies of a proof and a pairing support the first reading. For the transform of 2^20 points, 1.7
//! times PipeZK's efficiency makes 28.4 Gb/J; the first reading gives 28.1 and the second 84. For the multi-scalar
//! multiplication, 6.2 times make 7.1 Gb/J; the readings give 6.7 and 12. A pairing of 37.3 µJ at 0.7 V has 37.3 and 11.5. A
//! proof of printed 0.15 J, seven transforms and five multiplications of 2^17 points in 62 million cycles, has 0.12 J and
//! 0.08 J.

use super::anchors::{Basis, OPERATORS, REST_DENSITY, idle_share};
use super::area::element_mm2;
use super::chip_area::{ChipArea, ChipPart, bank_mm2};
use super::energy::{ComponentEnergy, calibration};
use super::shape::ChipShape;
use crate::spec::clock::{OPERATING_POINTS, clock_hz};
use crate::spec::{Clock, MachineSpec};
use pairwright_sim::tech::montgomery_bit_products;
use serde::Serialize;

/// The engine that runs. The pairing processor has a model of its own: [`energy`](super::energy()).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The polynomial engine: transforms and vector operations.
    Poly,
    /// The engine of multi-scalar multiplications.
    Msm,
    /// Transfers alone, with the banks that they access.
    Transfer,
}

/// The activity counts of an operator's run. Accesses count words of 256 bits unless stated otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChipActivity {
    /// The engine that ran.
    pub engine: Engine,
    /// Cycles from the first to the last, including those in which the engine waited.
    pub cycles: u64,
    /// Cycles in which a product of 256 bits entered an element, summed over elements.
    pub products_256: u64,
    /// Modular additions and subtractions of 256 bits.
    pub sums_256: u64,
    /// Cycles in which a product of 384 bits entered an element in the pipelined mode, summed over elements.
    pub products_384: u64,
    /// Cycles in which the four iterative multipliers of an element worked, summed over elements.
    pub iterative_cycles: u64,
    /// Cycles in which elements that the engine does not reserve throughout were borrowed to make tables of twiddles, summed
    /// over elements.
    pub borrowed_cycles: u64,
    /// Reads and writes of Banks_A and Banks_B, except those of points.
    pub ab_accesses: u64,
    /// Reads and writes of Banks_C, except those of points.
    pub c_accesses: u64,
    /// Words of points read and written, in the banks or in a memory of their own.
    pub point_accesses: u64,
    /// Point additions: pairs of points that entered the point adder.
    pub padds: u64,
    /// The point additions in G2 among `padds`.
    pub padds_g2: u64,
    /// Reads and writes of words of the bucket memory.
    pub bucket_accesses: u64,
    /// Scalars or digits read and written.
    pub digit_accesses: u64,
    /// Products `β·x` for the endomorphism.
    pub glv_products: u64,
    /// Number of L1 instructions executed.
    pub l1_words: u64,
    /// Bytes read from memory.
    pub dram_read_bytes: u64,
    /// Bytes written to memory.
    pub dram_written_bytes: u64,
}

impl ChipActivity {
    /// An activity whose counts are all zero.
    pub const fn idle(engine: Engine) -> Self {
        Self {
            engine,
            cycles: 0,
            products_256: 0,
            sums_256: 0,
            products_384: 0,
            iterative_cycles: 0,
            borrowed_cycles: 0,
            ab_accesses: 0,
            c_accesses: 0,
            point_accesses: 0,
            padds: 0,
            padds_g2: 0,
            bucket_accesses: 0,
            digit_accesses: 0,
            glv_products: 0,
            l1_words: 0,
            dram_read_bytes: 0,
            dram_written_bytes: 0,
        }
    }

    /// The published coset NTT of 2^20 points as table III implies it: each sub-transform is loaded, computed and stored one
    /// after another. Estimated, by counting on the modelled processor; its 5.93 million cycles are within 1 % of what the
    /// printed efficiencies give at 0.7 V and at 1.1 V.
    pub const PUBLISHED_NTT: Self = Self {
        cycles: 5_931_692,
        products_256: 11_543_552,
        sums_256: 20_971_520,
        borrowed_cycles: 1_163_264,
        ab_accesses: 46_137_344,
        c_accesses: 7_866_368,
        l1_words: 9_219,
        dram_read_bytes: 67_174_400,
        dram_written_bytes: 67_108_864,
        ..Self::idle(Engine::Poly)
    };

    /// The published G1 MSM of 2^20 points as table III implies it: 26 windows of 10 bits, for each of which every point
    /// and scalar comes from memory at 48 bytes a cycle. Estimated, by counting on the modelled processor, with the random
    /// scalars of one seed; its 73.3 million cycles are 2 to 5 % more than the printed efficiencies give.
    pub const PUBLISHED_MSM: Self = Self {
        cycles: 73_284_045,
        products_384: 326_722_944,
        point_accesses: 163_577_856,
        padds: 27_226_912,
        bucket_accesses: 53_662_890,
        digit_accesses: 54_525_952,
        l1_words: 93_239,
        dram_read_bytes: 3_489_660_928,
        dram_written_bytes: 160,
        ..Self::idle(Engine::Msm)
    };

    /// Share of the engine's elements that are busy, on average over the run.
    pub fn utilisation(&self, shape: &ChipShape) -> f64 {
        let busy = (self.products_256 + self.products_384 + self.iterative_cycles) as f64;
        let elements = f64::from(reserved_elements(self.engine, shape));
        if self.cycles == 0 || elements == 0.0 { 0.0 } else { busy / (elements * self.cycles as f64) }
    }

    /// Bytes read from and written to memory.
    pub const fn dram_bytes(&self) -> u64 {
        self.dram_read_bytes + self.dram_written_bytes
    }
}

/// The energy of one or several runs by component.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChipEnergy {
    /// Energy of each component without leakage, in the order of [`ChipPart`].
    pub shares: Vec<ComponentEnergy<ChipPart>>,
    /// Joules of leakage of the components that the engine reserves.
    pub leakage_j: f64,
    /// Joules outside of the core: memory and the interface to it. Estimated.
    pub dram_j: f64,
    /// The basis of the core's sum.
    pub basis: Basis,
}

impl ChipEnergy {
    /// Energy of the core in joules.
    pub fn joules(&self) -> f64 {
        self.leakage_j + self.shares.iter().map(|s| s.work_j + s.idle_j).sum::<f64>()
    }

    /// Energy of the core in joules if idle cycles cost nothing but leakage.
    pub fn gated_joules(&self) -> f64 {
        self.leakage_j + self.shares.iter().map(|s| s.gated_j).sum::<f64>()
    }

    /// Energy of a component in joules, without leakage.
    pub fn of(&self, part: ChipPart) -> f64 {
        self.shares.iter().filter(|s| s.part == part).map(|s| s.work_j + s.idle_j).sum()
    }
}

impl core::ops::AddAssign<&Self> for ChipEnergy {
    fn add_assign(&mut self, other: &Self) {
        for share in &other.shares {
            match self.shares.iter_mut().find(|s| s.part == share.part) {
                Some(sum) => {
                    sum.work_j += share.work_j;
                    sum.idle_j += share.idle_j;
                    sum.gated_j += share.gated_j;
                }
                None => self.shares.push(*share),
            }
        }
        self.shares.sort_by_key(|s| s.part);
        self.leakage_j += other.leakage_j;
        self.dram_j += other.dram_j;
    }
}

impl Default for ChipEnergy {
    fn default() -> Self {
        Self { shares: Vec::new(), leakage_j: 0.0, dram_j: 0.0, basis: Basis::Calibrated }
    }
}

/// Time, energy and area of an operator's run on a chip.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChipCost {
    /// Number of clock cycles.
    pub cycles: u64,
    /// The clock in hertz: the requested one, or the highest that the multiplier allows if that is lower.
    pub clock_hz: f64,
    /// Latency in seconds.
    pub latency_s: f64,
    /// Joules of the core.
    pub energy_j: f64,
    /// Energy of the core in joules if idle cycles cost nothing but leakage.
    pub energy_gated_j: f64,
    /// Joules of memory and the interface to it.
    pub dram_j: f64,
    /// Bytes read from and written to memory.
    pub dram_bytes: u64,
    /// Average watts of the core.
    pub power_w: f64,
    /// Share of the engine's elements that are busy, on average over the run.
    pub utilisation: f64,
    /// Area of the core in mm².
    pub core_mm2: f64,
    /// The energy by component.
    pub energy: ChipEnergy,
}

impl ChipCost {
    /// Computes the cost of a run of this activity.
    pub fn of(spec: &MachineSpec, shape: &ChipShape, activity: &ChipActivity) -> Self {
        let energy = chip_energy(spec, shape, activity);
        let clock_hz = clock_hz(spec);
        let latency_s = activity.cycles as f64 / clock_hz;
        let energy_j = energy.joules();
        Self {
            cycles: activity.cycles,
            clock_hz,
            latency_s,
            energy_j,
            energy_gated_j: energy.gated_joules(),
            dram_j: energy.dram_j,
            dram_bytes: activity.dram_bytes(),
            power_w: if latency_s > 0.0 { energy_j / latency_s } else { 0.0 },
            utilisation: activity.utilisation(shape),
            core_mm2: ChipArea::of(spec, shape).core_mm2(),
            energy,
        }
    }
}

impl ChipCost {
    /// The cost of two runs one after the other on the same chip; the share of busy elements is the average over both.
    #[must_use]
    pub fn then(mut self, later: Self) -> Self {
        let busy = |cost: &Self| cost.utilisation * cost.cycles as f64;
        let (busy, cycles) = (busy(&self) + busy(&later), self.cycles + later.cycles);
        self.utilisation = if cycles == 0 { 0.0 } else { busy / cycles as f64 };
        self.cycles = cycles;
        self.latency_s += later.latency_s;
        self.energy_j += later.energy_j;
        self.energy_gated_j += later.energy_gated_j;
        self.dram_j += later.dram_j;
        self.dram_bytes += later.dram_bytes;
        self.power_w = if self.latency_s > 0.0 { self.energy_j / self.latency_s } else { 0.0 };
        self.energy += &later.energy;
        self
    }
}

/// Energy of an operator's run on a chip at its operating point. Calibrated: the published activities on the published chip
/// at 0.7 V draw the printed powers.
pub fn chip_energy(spec: &MachineSpec, shape: &ChipShape, activity: &ChipActivity) -> ChipEnergy {
    let mut energy = uncorrected(spec, shape, activity);
    let factor = engine_factor(activity.engine);
    for share in &mut energy.shares {
        share.work_j *= factor;
        share.idle_j *= factor;
        share.gated_j *= factor;
    }
    energy
}

/// The printed power of an engine's operator at 0.7 V and 300 MHz, with the energy that the pairing's constants alone
/// predict for it.
struct Published {
    /// The printed power in watts.
    watts: f64,
    /// Cycles of the published activity.
    cycles: f64,
    /// The clock in hertz.
    hz: f64,
    /// The energy of the published activity by the pairing's constants.
    energy: ChipEnergy,
}

impl Published {
    /// The published figures of an engine; `None` for transfers alone, whose power is not printed.
    fn of(engine: Engine) -> Option<Self> {
        let (operator, activity) = match engine {
            Engine::Poly => (OPERATORS[1], ChipActivity::PUBLISHED_NTT),
            Engine::Msm => (OPERATORS[2], ChipActivity::PUBLISHED_MSM),
            Engine::Transfer => return None,
        };
        let [(volts, hz), ..] = OPERATING_POINTS;
        let spec = MachineSpec { clock: Clock { hz, volts }, ..MachineSpec::paper() };
        let energy = uncorrected(&spec, &ChipShape::published(), &activity);
        Some(Self { watts: operator.watts, cycles: activity.cycles as f64, hz, energy })
    }
}

/// The factor on the energy of an engine's work that makes the printed power come out for its published activity: the part
/// that the pairing's constants leave unexplained. 1 for transfers alone, whose power is not printed.
pub fn engine_factor(engine: Engine) -> f64 {
    let Some(Published { watts, cycles, hz, energy }) = Published::of(engine) else { return 1.0 };
    let printed = watts * cycles / hz;
    (printed - energy.leakage_j) / (energy.joules() - energy.leakage_j)
}

/// Watts that the pairing's constants alone predict for the published activity of an engine at 0.7 V and 300 MHz. The printed
/// powers of these engines enter the prediction by [`idle_share`] alone; no other constant is fitted to them.
pub fn predicted_watts(engine: Engine) -> Option<f64> {
    Published::of(engine).map(|published| published.energy.joules() * published.hz / published.cycles)
}

fn uncorrected(spec: &MachineSpec, shape: &ChipShape, activity: &ChipActivity) -> ChipEnergy {
    let (per_mm2, leakage) = calibration();
    let scale = per_mm2 * spec.clock.volts.powi(2);
    let idle_share = idle_share();
    let cycles = activity.cycles as f64;
    let reserved = reserved(spec, shape, activity);
    let shares = reserved
        .iter()
        .map(|r| {
            let density = if r.part == ChipPart::Elements { 1.0 } else { REST_DENSITY };
            let price = scale * density;
            ComponentEnergy {
                part: r.part,
                work_j: price * (1.0 - idle_share) * r.busy_mm2_cycles,
                idle_j: price * idle_share * (cycles * r.mm2 + r.borrowed_mm2_cycles),
                gated_j: price * r.busy_mm2_cycles,
            }
        })
        .collect();
    let mm2_cycles: f64 = reserved.iter().map(|r| cycles * r.mm2 + r.borrowed_mm2_cycles).sum();
    ChipEnergy {
        shares,
        leakage_j: leakage * spec.clock.volts * mm2_cycles / clock_hz(spec),
        dram_j: 8.0 * activity.dram_bytes() as f64 * shape.memory.dram_j_per_bit,
        basis: Basis::Calibrated,
    }
}

/// A component that an engine reserves while its operator runs.
struct Reserved {
    part: ChipPart,
    /// Area reserved from the first cycle to the last, in mm².
    mm2: f64,
    /// Area reserved for a part of the run beyond `mm2`, in mm²·cycles: elements of another engine that make tables.
    borrowed_mm2_cycles: f64,
    /// Area at work, in mm²·cycles.
    busy_mm2_cycles: f64,
}

impl Reserved {
    /// A component that is reserved throughout.
    fn new(part: ChipPart, mm2: f64, busy_mm2_cycles: f64) -> Self {
        Self { part, mm2, borrowed_mm2_cycles: 0.0, busy_mm2_cycles }
    }
}

/// The processing elements that no other engine can use while an engine works. The point adder takes the adders inside of
/// all elements of the chip, including those that do not multiply for it, and its points lie in all banks: an MSM pays for
/// every element that the area counts.
fn reserved_elements(engine: Engine, shape: &ChipShape) -> u32 {
    match engine {
        Engine::Poly => shape.poly.butterflies,
        Engine::Msm => shape.elements,
        Engine::Transfer => 0,
    }
}

/// The components that the engine reserves, and how busy each is.
fn reserved(spec: &MachineSpec, shape: &ChipShape, a: &ChipActivity) -> Vec<Reserved> {
    let chip = Components::of(spec, shape, a);
    let mut all = chip.of_all_engines(spec);
    match a.engine {
        Engine::Poly => all.extend(chip.of_polynomials()),
        Engine::Msm => all.extend(chip.of_sums_of_points()),
        Engine::Transfer => {}
    }
    all.push(chip.floor(&all));
    // No engine is charged for idle cycles of the instruction memories, only for the words that it fetches.
    let word = chip.one_of(ChipPart::Instructions, 2);
    all.push(Reserved::new(ChipPart::Instructions, 0.0, a.l1_words as f64 * word));
    all.retain(|r| r.mm2 > 0.0 || r.busy_mm2_cycles > 0.0);
    all.sort_by_key(|r| r.part);
    all
}

/// The components of a chip with the activity of a run.
struct Components<'a> {
    shape: &'a ChipShape,
    activity: &'a ChipActivity,
    area: ChipArea,
    /// Area of a processing element in mm².
    element: f64,
    /// Area of a bank of Banks_A or Banks_B, and of a bank of Banks_C, in mm².
    banks: (f64, f64),
}

impl<'a> Components<'a> {
    fn of(spec: &MachineSpec, shape: &'a ChipShape, activity: &'a ChipActivity) -> Self {
        let (area, element) = (ChipArea::of(spec, shape), element_mm2(spec));
        Self { shape, activity, area, element, banks: bank_mm2(shape) }
    }

    /// The area in mm² of one of `count` equal pieces of a component.
    fn one_of(&self, part: ChipPart, count: u32) -> f64 {
        self.area.mm2(part) / f64::from(count.max(1))
    }

    /// A component that works as a whole, in this number of cycles.
    fn whole(&self, part: ChipPart, cycles: f64) -> Reserved {
        self.single(part, cycles, self.area.mm2(part))
    }

    /// A component of which one piece of area `mm2` works at a time, `uses` times in all.
    fn single(&self, part: ChipPart, uses: f64, mm2: f64) -> Reserved {
        Reserved::new(part, self.area.mm2(part), uses * mm2)
    }

    /// A part of area `mm2` that every processing element has, busy with each of its products.
    fn of_elements(&self, part: ChipPart, mm2: f64) -> Reserved {
        let a = self.activity;
        let elements = f64::from(reserved_elements(a.engine, self.shape));
        // A product of 256 bits switches this share of a multiplier for 384 bits.
        let narrow = montgomery_bit_products(256) / montgomery_bit_products(384);
        let products = a.products_384 as f64 + a.iterative_cycles as f64 + narrow * a.products_256 as f64;
        Reserved {
            borrowed_mm2_cycles: a.borrowed_cycles as f64 * mm2,
            ..Reserved::new(part, elements * mm2, products * mm2)
        }
    }

    /// The elements and the multiplexers before them.
    fn elements(&self) -> [Reserved; 2] {
        let operands = self.one_of(ChipPart::Operands, self.shape.elements);
        [self.of_elements(ChipPart::Elements, self.element), self.of_elements(ChipPart::Operands, operands)]
    }

    /// Banks, transfers and control, which every engine reserves.
    fn of_all_engines(&self, spec: &MachineSpec) -> Vec<Reserved> {
        let (a, (ab, c)) = (self.activity, self.banks);
        // Points lie across Banks_A, Banks_B and Banks_C, a word in each, unless they have a memory of their own.
        let points = if self.shape.msm.point_words == 0 { a.point_accesses as f64 / 3.0 } else { 0.0 };
        let transfers = a.dram_bytes() as f64 / spec.dram.peak_bytes_per_cycle(clock_hz(spec));
        vec![
            self.single(ChipPart::BanksAb, a.ab_accesses as f64 + 2.0 * points, ab),
            self.single(ChipPart::BanksC, a.c_accesses as f64 + points, c),
            self.whole(ChipPart::Transfers, transfers),
            self.whole(ChipPart::Controllers, a.cycles as f64),
        ]
    }

    fn of_polynomials(&self) -> impl Iterator<Item = Reserved> {
        let (a, poly) = (self.activity, &self.shape.poly);
        // A network passes as many words as there are banks from Banks_A to Banks_B.
        let passes = a.ab_accesses as f64 / f64::from((2 * poly.ab_banks * poly.networks).max(1));
        // Accesses of the table and of the tile buffer are not counted: both are charged for idle cycles alone.
        let others = [
            self.whole(ChipPart::Network, passes),
            self.whole(ChipPart::TwiddleTable, 0.0),
            self.whole(ChipPart::TileBuffer, 0.0),
        ];
        self.elements().into_iter().chain(others)
    }

    fn of_sums_of_points(&self) -> impl Iterator<Item = Reserved> {
        let (a, poly, msm) = (self.activity, &self.shape.poly, &self.shape.msm);
        let products = (a.products_384 + a.iterative_cycles) as f64;
        let point = self.one_of(ChipPart::PointMemory, poly.sets);
        let bucket = self.one_of(ChipPart::Buckets, 2 * msm.bucket_memories);
        let others = [
            self.single(ChipPart::PointMemory, a.point_accesses as f64 / 3.0, point),
            self.whole(ChipPart::PointAdder, products / f64::from(msm.elements.max(1))),
            self.whole(ChipPart::PointQueues, a.padds as f64),
            self.single(ChipPart::Buckets, a.bucket_accesses as f64, bucket),
            self.whole(ChipPart::Digits, a.digit_accesses as f64 / 2.0),
            self.single(ChipPart::Glv, a.glv_products as f64, self.element),
        ];
        self.elements().into_iter().chain(others)
    }

    /// The share of [`ChipPart::Floor`] that belongs to the reserved components.
    fn floor(&self, reserved: &[Reserved]) -> Reserved {
        let floor = self.area.mm2(ChipPart::Floor);
        let share = floor / (self.area.core_mm2() - floor);
        let of = |value: fn(&Reserved) -> f64| share * reserved.iter().map(value).sum::<f64>();
        Reserved {
            part: ChipPart::Floor,
            mm2: of(|r| r.mm2),
            borrowed_mm2_cycles: of(|r| r.borrowed_mm2_cycles),
            busy_mm2_cycles: of(|r| r.busy_mm2_cycles),
        }
    }
}
