//! Arguments of `pairwright sim ntt`, `msm` and `groth16`.

use super::{Designs, OutputPath};
use crate::failure::ArgumentError;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use core::{fmt, str::FromStr};
use pairwright::chip::task::{self, ntt};
use pairwright::curve::for_each_curve;
use pairwright::formats::CurveId;
use serde::{Serialize, Serializer};

/// A number of elements: 1024 or 2^10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Size(pub u64);

/// log2 of the largest size.
const LARGEST: u32 = 30;

/// The most memory in bytes for which a simulation is begun.
const MOST_MEMORY: u64 = 8 << 30;

impl Size {
    /// Fails when this many elements, of `bytes_each` bytes at the peak (as measured, with a margin), would take more than
    /// [`MOST_MEMORY`], before any of it is allocated.
    pub(crate) fn expect_room(self, what: &'static str, bytes_each: u64) -> Result<(), ArgumentError> {
        let most = Self(1 << (MOST_MEMORY / bytes_each).ilog2());
        if self.0 <= most.0 {
            return Ok(());
        }
        let gibibytes = self.0.saturating_mul(bytes_each) >> 30;
        Err(ArgumentError::Memory { size: self.to_string(), what, gibibytes, most: most.to_string() })
    }
}

/// log2 of the largest size of a run on the chip without data.
const LARGEST_TIMING: u32 = 28;

impl Size {
    /// Fails when there are more elements than 2^[`LARGEST_TIMING`], the most that a run without data simulates.
    pub(crate) fn expect_timing(self, name: &'static str, what: &'static str) -> Result<(), ArgumentError> {
        let most = Self(1 << LARGEST_TIMING);
        if self.0 <= most.0 {
            return Ok(());
        }
        Err(ArgumentError::Largest { name, size: self.to_string(), what, most: most.to_string() })
    }
}

impl FromStr for Size {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let size = match text.split_once('^') {
            None => text.parse().ok(),
            Some(("2", log)) => log.parse::<u32>().ok().filter(|log| *log <= LARGEST).map(|log| 1u64 << log),
            Some(_) => None,
        };
        let size = size.filter(|size| *size <= 1 << LARGEST);
        size.map(Self).ok_or_else(|| ArgumentError::Size { text: text.to_owned(), largest: LARGEST })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n.is_power_of_two() => write!(f, "2^{}", n.ilog2()),
            n => n.fmt(f),
        }
    }
}

/// The coset of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Coset {
    /// The coset whose shift is a primitive 2N-th root of unity.
    Odd,
    /// The coset whose shift is this small number.
    Number(u64),
}

impl FromStr for Coset {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let number = || text.parse().ok().filter(|n| *n > 0).map(Self::Number);
        if text == "odd" { Some(Self::Odd) } else { number() }
            .ok_or_else(|| ArgumentError::Coset(text.to_owned()))
    }
}

/// A curve by either of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CurveName(pub(crate) CurveId);

impl ValueEnum for CurveName {
    fn value_variants<'a>() -> &'a [Self] {
        macro_rules! variants {
            (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {
                &[$(CurveName(CurveId::$id)),+]
            };
        }
        for_each_curve!(variants)
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        let Self(id) = self;
        Some(PossibleValue::new(id.name()).alias(id.other_name()).help(id.about()))
    }
}

impl Serialize for CurveName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.name())
    }
}

/// Names of the schedules of transfers and computation ([CP] Fig. 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScheduleName {
    /// One set of banks: load, compute and store one after the other.
    Unhidden,
    /// Both sets of banks in turn: transfers overlap the computation.
    Hidden,
}

impl ScheduleName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unhidden => "transfers not hidden",
            Self::Hidden => "transfers hidden",
        }
    }
}

impl From<ScheduleName> for task::Schedule {
    fn from(name: ScheduleName) -> Self {
        match name {
            ScheduleName::Unhidden => Self::Unhidden,
            ScheduleName::Hidden => Self::Hidden,
        }
    }
}

/// The place in a transform where the powers of the coset's shift are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MethodName {
    /// Merged into the twiddles ([CP] Algorithm 2).
    Merged,
    /// Multiplied into the coefficients in a pass of their own.
    Separate,
}

impl MethodName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Merged => "powers of the coset merged",
            Self::Separate => "powers of the coset multiplied separately",
        }
    }
}

impl From<MethodName> for ntt::Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Merged => Self::Merged,
            MethodName::Separate => Self::Separate,
        }
    }
}

/// Names of the directions of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DirectionName {
    /// Coefficients to values.
    Forward,
    /// Values to coefficients.
    Inverse,
}

/// Names of the groups of a multi-scalar multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GroupName {
    /// The first group of the pairing.
    G1,
    /// The second group of the pairing.
    G2,
}

/// Names of the kinds of scalars of a multi-scalar multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScalarsName {
    /// Independent random scalars.
    Random,
    /// All scalars are equal.
    Equal,
    /// The scalars 1, 2, 3 and so on.
    Sequential,
}

/// The options that all simulations of the whole chip share.
#[derive(Debug, Args)]
pub(crate) struct SimChip {
    #[command(flatten)]
    pub designs: Designs,
    /// Write a timeline for Perfetto or Chrome (JSON).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sweep", "data"])]
    pub trace: Option<OutputPath>,
    /// Draw the roofline of the run (SVG): operations a second over operations per byte from memory.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub roofline: Option<OutputPath>,
    /// Print the L1 program.
    #[arg(long, conflicts_with = "sweep")]
    pub listing: bool,
}

/// An operator of the chip, with its parameters.
#[derive(Debug, Args)]
pub(crate) struct SimOperator<P: Args> {
    /// The machine, and the outputs that are asked for.
    #[command(flatten)]
    pub chip: SimChip,
    #[command(flatten)]
    pub operator: P,
}

/// A transform. Sweeps know its parameters by name: --sweep size=2^10,2^20.
#[derive(Clone, Debug, Args, Serialize)]
pub(crate) struct NttParameters {
    /// Number of points: a power of two, 32 or more.
    #[arg(long, value_name = "N", default_value = "2^16")]
    pub size: Size,
    /// The direction of the transform.
    #[arg(long, value_enum, default_value_t = DirectionName::Forward)]
    pub direction: DirectionName,
    /// Transform on a coset, shifted by a 2N-th root of unity (odd) or by a number.
    #[arg(long, value_name = "odd|NUMBER", num_args = 0..=1, default_missing_value = "odd")]
    pub coset: Option<Coset>,
    /// How transfers and computation overlap.
    #[arg(long, value_enum, default_value_t = ScheduleName::Hidden)]
    pub schedule: ScheduleName,
    /// Apply the powers of the coset's shift in the twiddles, or in a pass of their own.
    #[arg(long, value_enum, default_value_t = MethodName::Merged)]
    pub method: MethodName,
    /// The curve of the scalar field.
    #[arg(long, value_enum, default_value_t = CurveName(CurveId::Bls12_381))]
    pub curve: CurveName,
    /// Compute with real data, and compare the result with the host's; otherwise only time is simulated.
    #[arg(long)]
    pub data: bool,
    /// Draw the data from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
}

/// A multi-scalar multiplication. Sweeps know its parameters by name: --sweep size=2^10,2^20.
#[derive(Clone, Debug, Args, Serialize)]
pub(crate) struct MsmParameters {
    /// The number of points.
    #[arg(long, value_name = "N", default_value = "2^16")]
    pub size: Size,
    /// The group of the points.
    #[arg(long, value_enum, default_value_t = GroupName::G1)]
    pub group: GroupName,
    /// How transfers and computation overlap.
    #[arg(long, value_enum, default_value_t = ScheduleName::Hidden)]
    pub schedule: ScheduleName,
    /// The scalars: their digits decide the time.
    #[arg(long, value_enum, default_value_t = ScalarsName::Random)]
    pub scalars: ScalarsName,
    /// The curve of the group.
    #[arg(long, value_enum, default_value_t = CurveName(CurveId::Bls12_381))]
    pub curve: CurveName,
    /// Compute with real points, and compare the sum with the host's; otherwise only time is simulated.
    #[arg(long)]
    pub data: bool,
    /// Draw scalars and points from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
}

/// A proof. Sweeps know its parameters by name: --sweep size=2^12,2^16.
#[derive(Clone, Debug, Args, Serialize)]
pub(crate) struct Groth16Parameters {
    /// Number of points of the constraints' domain: a power of two, 32 or more.
    #[arg(long, value_name = "N", default_value = "2^16")]
    pub size: Size,
    /// Values of the witness, the constant one and the public ones included [default: as many as the domain has points].
    #[arg(long, value_name = "N")]
    pub wires: Option<Size>,
    /// The number of public values.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub public: u64,
    /// How transfers and computation overlap.
    #[arg(long, value_enum, default_value_t = ScheduleName::Hidden)]
    pub schedule: ScheduleName,
    /// Apply the powers of the coset's shift in the twiddles, or in a pass of their own.
    #[arg(long, value_enum, default_value_t = MethodName::Merged)]
    pub method: MethodName,
    /// The curve of the pairing.
    #[arg(long, value_enum, default_value_t = CurveName(CurveId::Bls12_381))]
    pub curve: CurveName,
    /// Compute with real points too, and compare the five sums with the host's; otherwise points are left out, and above 2^20 the values
    /// of transforms too, and random scalars take their place in the last MSM.
    #[arg(long)]
    pub data: bool,
    /// Draw witness and points from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_or_powers_of_two() {
        let size = |text: &str| text.parse::<Size>().map(|s| s.0).ok();
        assert_eq!([size("2^20"), size("1000"), size("2^0")], [Some(1 << 20), Some(1000), Some(1)]);
        for bad in ["2^31", "3^4", "2^", "", "-1", "1e3", "2^-1", "2000000000"] {
            assert_eq!(size(bad), None, "{bad}");
        }
        assert_eq!([Size(1 << 12), Size(48)].map(|s| s.to_string()), ["2^12", "48"]);
    }

    #[test]
    fn what_memory_cannot_hold_is_refused_with_the_largest_that_it_can() {
        assert!(
            Size(1 << 26).expect_room("points", 128).is_ok() && Size(1 << 30).expect_room("x", 1).is_ok()
        );
        let why = Size(1 << 30).expect_room("points", 100).unwrap_err().to_string();
        assert_eq!(
            why,
            "--size: 2^30 points would take about 100 GiB of memory; 2^26 is the largest that is simulated"
        );
    }

    #[test]
    fn what_takes_days_is_refused_by_name() {
        assert!(Size(1 << 28).expect_timing("--size", "points").is_ok());
        let why = Size(1 << 30).expect_timing("--wires", "values").unwrap_err().to_string();
        assert_eq!(why, "--wires: 2^30 values are more than are simulated; 2^28 is the largest number");
    }

    #[test]
    fn cosets_have_a_generator() {
        assert_eq!("odd".parse::<Coset>().unwrap(), Coset::Odd);
        assert_eq!("7".parse::<Coset>().unwrap(), Coset::Number(7));
        assert!("0".parse::<Coset>().is_err() && "even".parse::<Coset>().is_err());
    }
}
