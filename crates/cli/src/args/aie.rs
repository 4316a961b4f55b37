//! Arguments of `pairwright sim aie`, `sim aie-board` and `sim aie-msm`.

use super::sim::Size;
use super::{Designs, OutputPath};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pairwright::aie::mapping::Mapping;
use pairwright::aie::padd::Form;
use pairwright::aie::{Carry, Multiplication, Reduction};

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright sim aie --mapping coarse
  pairwright sim aie --mapping med-ind --carry balanced --reduction montgomery --json
  pairwright sim aie --mapping fine,med-coop,med-ind,coarse,single
  pairwright sim aie --mapping med-ind --trace fig8.json
  pairwright sim aie --mapping single --data --listing
  pairwright sim aie --set tile.machine.files.vector.size=16 --set fabric.core_ports=4
  pairwright sim aie --dump-config > engine.toml; pairwright sim aie --spec engine.toml
  pairwright sim aie --sweep mapping=coarse,single --sweep carry=mixed,wide,balanced --csv s.csv --plot s.svg

The engines of --design are changed by --spec, then by --set, then by the options that have a parameter's name, then by\n--sweep.";

pub(super) const BOARD_EXAMPLES: &str = "\
Examples:
  pairwright sim aie-board
  pairwright sim aie-board --units 8 --carry balanced --reduction montgomery --json
  pairwright sim aie-board --tasks 2^10 --trace board.json --roofline board.svg
  pairwright sim aie-board --set plio.bits=128 --set logic.barrett_latency=20
  pairwright sim aie-board --sweep units=2,6,10 --sweep plio.bits=64,128 --csv b.csv --plot b.svg

The board of --design is changed by --spec, then by --set, then by the options that have a parameter's name, then by\n--sweep.";

pub(super) const MSM_EXAMPLES: &str = "\
Examples:
  pairwright sim aie-msm --size 2^18
  pairwright sim aie-msm --size 2^12 --data
  pairwright sim aie-msm --size 2^12 --trace msm.json
  pairwright sim aie-msm --size 2^18 --window-bits 12 --interleave 1 --units 8 --json
  pairwright sim aie-msm --sweep window-bits=8..14 --csv w.csv --plot w.svg

The board of --design is changed by --spec, then by --set, then by the options that have a parameter's name, then by\n--sweep.";

#[derive(Debug, Args)]
pub(crate) struct SimAie {
    /// The engines, and families of them.
    #[command(flatten)]
    pub designs: Designs,
    /// Parameters that have an option.
    #[command(flatten)]
    pub options: AieOptions,
    /// Write a timeline of one addition for Perfetto or Chrome (JSON): one track for each tile, with its stalls by
    /// cause.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub trace: Option<OutputPath>,
    /// The number of additions in the timeline, one after the other.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "trace")]
    pub tasks: u64,
    /// Print the cycles of every kernel and the resource that bounds it.
    #[arg(long, conflicts_with = "sweep")]
    pub kernels: bool,
    /// As --kernels, and print each kernel's loop instruction by instruction.
    #[arg(long, conflicts_with = "sweep")]
    pub listing: bool,
    /// Compute additions of random and exceptional points bit by bit on the tiles, and compare with the host's sums.
    #[arg(long)]
    pub data: bool,
    /// Draw the points from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
}

/// Parameters of a point addition on AI Engines that have an option.
#[derive(Clone, Debug, Args)]
pub(crate) struct AieOptions {
    /// How an addition is spread over tiles; several are compared [default: coarse].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = mapping())]
    pub mapping: Vec<Mapping>,
    /// The form of the addition [default: mixed].
    #[arg(long, value_name = "NAME", value_parser = form())]
    pub form: Option<Form>,
    /// The method of multiplication.
    #[command(flatten)]
    pub method: MethodOptions,
}

/// The method by which an addition multiplies modulo the prime.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MethodOptions {
    /// How carries are propagated [default: wide, which is nearest to the paper's kernels].
    #[arg(long, value_name = "NAME", value_parser = carry())]
    pub carry: Option<Carry>,
    /// How products are reduced [default: barrett].
    #[arg(long, value_name = "NAME", value_parser = reduction())]
    pub reduction: Option<Reduction>,
    /// How digits are multiplied [default: schoolbook].
    #[arg(long, value_name = "NAME", value_parser = product())]
    pub product: Option<Multiplication>,
}

#[derive(Debug, Args)]
pub(crate) struct SimAieBoard {
    /// The number of additions.
    #[arg(long, value_name = "N", default_value = "2^18")]
    pub tasks: Size,
    /// The board, and families of boards.
    #[command(flatten)]
    pub designs: Designs,
    /// Parameters of the board that have an option.
    #[command(flatten)]
    pub board: AieBoard,
    /// Write a timeline for Perfetto or Chrome (JSON): one track for each unit, and the first additions of the run that measures latency;
    /// for 2^18 additions at most.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub trace: Option<OutputPath>,
    /// Draw the roofline of bucket accumulation (SVG): additions a second over additions per byte from memory.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub roofline: Option<OutputPath>,
}

/// Parameters of a board with AI Engines that have an option.
#[derive(Clone, Debug, Args)]
pub(crate) struct AieBoard {
    /// Units of bucket accumulation: 10 of the coarse mapping fit beside a unit of aggregation [default: 10].
    #[arg(long, value_name = "N")]
    pub units: Option<usize>,
    /// The mapping of the units that add points to buckets [default: coarse].
    #[arg(long, value_name = "NAME", value_parser = mapping())]
    pub accumulate: Option<Mapping>,
    /// The mapping of the unit that sums the buckets [default: med-ind].
    #[arg(long, value_name = "NAME", value_parser = mapping())]
    pub aggregate: Option<Mapping>,
    /// The method of multiplication.
    #[command(flatten)]
    pub method: MethodOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SimAieMsm {
    /// The multi-scalar multiplication.
    #[command(flatten)]
    pub job: AieJob,
    /// The board, and families of boards.
    #[command(flatten)]
    pub designs: Designs,
    /// Parameters of the board that have an option.
    #[command(flatten)]
    pub board: AieBoard,
    /// Write a timeline for Perfetto or Chrome (JSON): phases, fetches, and one track for each unit.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sweep", "data"])]
    pub trace: Option<OutputPath>,
    /// Draw the roofline of bucket accumulation (SVG): additions a second over additions per byte from memory.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub roofline: Option<OutputPath>,
}

/// A multi-scalar multiplication in BLS12-377's G1. Sweeps know its parameters by name: --sweep window-bits=10..14.
#[derive(Clone, Debug, Args)]
pub(crate) struct AieJob {
    /// The number of points.
    #[arg(long, value_name = "N", default_value = "2^18")]
    pub size: Size,
    /// Bits of a window, 2 to 24 [default: the width that takes the least time].
    #[arg(long, value_name = "BITS")]
    pub window_bits: Option<u32>,
    /// Windows into whose buckets a point is added each time it is read from memory [default: as many as the buckets' memory holds].
    #[arg(long, value_name = "N")]
    pub windows_per_pass: Option<u32>,
    /// Use unsigned digits instead of signed ones, which need half the buckets.
    #[arg(long)]
    pub unsigned: bool,
    /// How the work is divided among the units: by points (every unit works on all windows) or by windows (every unit has its own).
    #[arg(long, value_name = "WHAT", value_parser = ["points", "windows"])]
    pub spread: Option<String>,
    /// How the first point enters a bucket: add (to the neutral element) or copy (points come with T).
    #[arg(long, value_name = "HOW", value_parser = ["add", "copy"])]
    pub first: Option<String>,
    /// Entries of the queue of additions that wait because their bucket is in use [default: 32].
    #[arg(long, value_name = "N")]
    pub queue: Option<u32>,
    /// Additions of bucket aggregation in flight at once; 1 in the paper [default: 64].
    #[arg(long, value_name = "N")]
    pub interleave: Option<u32>,
    /// Points that the buffer between memory and units holds [default: 256].
    #[arg(long, value_name = "N")]
    pub buffer_points: Option<u32>,
    /// Compute with real points, and compare the sum with the host's; otherwise only time is simulated.
    #[arg(long)]
    pub data: bool,
    /// Draw scalars and points from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
}

/// A name that is not in the list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown name {name:?}; expected one of {}", known.join(", "))]
pub(crate) struct NameError {
    pub(crate) name: String,
    pub(crate) known: Vec<&'static str>,
}

/// The value in a list whose name is the given one.
fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, given: &str) -> Result<T, NameError> {
    let found = all.iter().copied().find(|&value| name(value) == given);
    let known = || all.iter().copied().map(name).collect();
    found.ok_or_else(|| NameError { name: given.to_owned(), known: known() })
}

/// A parser of the values of a list, by their names.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|&value| PossibleValue::new(name(value)).help(about(value)));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |given| named(&all, name, &given))
}

fn mapping() -> impl TypedValueParser<Value = Mapping> {
    one_of(Mapping::ALL, Mapping::name, |mapping| match mapping.name() {
        "single" => "a whole addition on each tile",
        "coarse" => "a tile for each multiplication of a modular product",
        "med-ind" => "two tiles a multiplication, which do not wait for each other",
        "med-coop" => "two tiles a multiplication, the second goes on by cascade",
        "fine" => "a tile for each block of eight by eight digits",
        _ => "",
    })
}

/// The name of a form.
pub(crate) const fn form_name(form: Form) -> &'static str {
    match form {
        Form::Mixed => "mixed",
        Form::Complete => "complete",
    }
}

fn form() -> impl TypedValueParser<Value = Form> {
    one_of(Form::ALL, form_name, |form| match form {
        Form::Mixed => "the second point is affine: eight products, as buckets are filled",
        Form::Complete => "both are projective: nine products, as buckets are added",
    })
}

fn carry() -> impl TypedValueParser<Value = Carry> {
    one_of(Carry::ALL, Carry::name, |carry| match carry {
        Carry::Accurate => "digit by digit in scalar registers",
        Carry::Mixed => "so below, in two vector steps above",
        Carry::Wide => "the same with 64 bits below, nearest to the paper",
        Carry::Balanced => "vector steps alone, digits with a sign",
    })
}

fn reduction() -> impl TypedValueParser<Value = Reduction> {
    one_of(Reduction::ALL, Reduction::name, |reduction| match reduction {
        Reduction::Barrett => "as the paper",
        Reduction::Montgomery => "as the paper proposes",
    })
}

fn product() -> impl TypedValueParser<Value = Multiplication> {
    one_of(Multiplication::ALL, Multiplication::name, |product| match product.name() {
        "schoolbook" => "blocks of eight by eight digits, as the paper",
        "karatsuba" => "one level of Karatsuba above the blocks",
        "28bit" => "fourteen digits of 28 bits and fewer zeros; needs balanced carries",
        _ => "",
    })
}
