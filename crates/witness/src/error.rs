//! What can go wrong on the way from a calculator and its inputs to a witness.

use core::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no witness.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WitnessError {
    // ---- files ----
    /// The operating system refused to read a file.
    #[error("{}: {why}", path.display())]
    File {
        /// Path of the file concerned.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        why: io::Error,
    },
    /// A file with more bytes than one of its kind can have: it is not read.
    #[error("{}: more than {most} bytes: too large for {what}", path.display())]
    TooLarge {
        /// Path of the file concerned.
        path: PathBuf,
        /// Name of the kind of file.
        what: &'static str,
        /// Most bytes that it can have.
        most: u64,
    },
    /// Another error, with the file it comes from. [`WitnessError::cause`] looks inside.
    #[error("{}: {why}", path.display())]
    In {
        /// Path of the file concerned.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        why: Box<WitnessError>,
    },

    // ---- the calculator as a file ----
    /// The bytes do not begin like a WebAssembly module of version 1.
    #[error("not a WebAssembly module: it does not begin with 00 61 73 6d 01 00 00 00")]
    NotWasm,
    /// A WebAssembly module that does not pass validation: damaged or cut short.
    #[error("not a valid WebAssembly module: {0}")]
    InvalidWasm(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The compiler was asked for, and there is none for this processor.
    #[error("calculators cannot be compiled for this processor ({0}); they can be interpreted")]
    NoCompiler(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The compiler was asked for, and a function of the module is too large for it.
    #[error(
        "the calculator has a function of {bytes} bytes; {most} are compiled, larger ones can be interpreted"
    )]
    LargeFunction {
        /// Bytes of its largest function.
        bytes: usize,
        /// Bytes of a function that is compiled.
        most: usize,
    },
    /// A calculator in the form that circom 1 wrote.
    #[error("a calculator made by circom 1; compile the circuit with circom 2")]
    Circom1,
    /// A calculator of a circom we do not know.
    #[error("a calculator made by circom {0}; circom 2 is supported")]
    Version(u32),
    /// A module that wants more from its host than circom's calculators do.
    #[error("not a circom 2 calculator: it imports {}", .0.join(", "))]
    Imports(Vec<String>),
    /// A module without a function that circom's calculators have.
    #[error("not a circom 2 calculator: it has no function `{0}` of the right type")]
    Export(&'static str),
    /// A calculator that gives impossible numbers about itself.
    #[error("not a circom 2 calculator: {what} is {found}")]
    Impossible {
        /// Name of the number that is out of range.
        what: &'static str,
        /// What it is.
        found: u64,
    },
    /// The calculator computes over another field than the one asked for.
    #[error("the calculator is for another prime than {field}")]
    Prime {
        /// Name of the field that was asked for.
        field: &'static str,
    },

    // ---- the inputs ----
    /// The inputs are not JSON, or not one object.
    #[error("inputs are not a JSON object: {0}")]
    Json(#[from] serde_json::Error),
    /// A name stands twice in an object; which of the two was meant?
    #[error("input signal `{0}` is given twice")]
    Duplicate(String),
    /// A bus is given twice, as a whole and by its parts. circom's calculators would count its values twice and
    /// begin to compute while others are missing.
    #[error("input signal `{whole}` is given as a whole and once more in part, as `{part}`")]
    Overlap {
        /// Name of the bus that was given as a whole.
        whole: String,
        /// Name of the signal that was given as its part.
        part: String,
    },
    /// An array mixes numbers and objects.
    #[error("input signal `{0}` mixes numbers and objects")]
    Mixed(String),
    /// Arrays or objects are nested deeper than any circuit has dimensions.
    #[error("input signal `{0}` is nested more than {max} deep", max = crate::json::MAX_DEPTH)]
    Nesting(String),
    /// A value is not an integer.
    #[error("input signal `{signal}`, value {index} (`{place}`): {why}")]
    Value {
        /// Name of the input signal.
        signal: String,
        /// Position among the signal's values, row by row, from 0.
        index: usize,
        /// The same position as a path, such as `in[1][0]`.
        place: String,
        /// What is wrong with it.
        #[source]
        why: ValueError,
    },
    /// The circuit has no input of this name.
    #[error("the circuit has no input signal `{signal}`; its inputs are {expected} values in all")]
    UnknownSignal {
        /// The name that the input gives.
        signal: String,
        /// How many values the circuit wants over all signals (it cannot name them).
        expected: u32,
    },
    /// A signal has another number of values than the circuit wants.
    #[error("input signal `{signal}`: {expected} values are needed, {found} are given")]
    Count {
        /// Name of the input signal.
        signal: String,
        /// How many values it has in the circuit.
        expected: u32,
        /// How many are given.
        found: usize,
    },
    /// Signals are missing.
    #[error(
        "inputs are missing: the circuit wants {expected} values, {found} are given (in {}){}",
        if given.is_empty() { "no signal".to_owned() } else { format!("`{}`", given.join("`, `")) },
        if missing.is_empty() { String::new() } else { format!("; missing: `{}`", missing.join("`, `")) }
    )]
    Missing {
        /// How many values the circuit wants over all signals.
        expected: u32,
        /// How many are given.
        found: u32,
        /// The signals that are given.
        given: Vec<String>,
        /// The signals that are missing, as far as [`Calculator::name_missing`](crate::Calculator::name_missing) has
        /// found them out: calculators know no names.
        missing: Vec<String>,
    },

    // ---- the run ----
    /// A constraint `===` or an `assert` of the circuit does not hold for these inputs.
    #[error("assert failed{0}")]
    Assert(Trace),
    /// Another exception of the calculator.
    #[error("the calculator stopped: {what}{trace}")]
    Exception {
        /// The exception that the calculator raised.
        what: Exception,
        /// The calculator's own account of the place in the circuit.
        trace: Trace,
    },
    /// The calculator ran into a trap, such as an access outside of its memory.
    #[error("the calculator crashed: {why}{trace}")]
    Trap {
        /// The engine's word for it.
        #[source]
        why: Box<dyn std::error::Error + Send + Sync>,
        /// The calculator's own account of the place in the circuit.
        trace: Trace,
    },
    /// The calculator wants more memory than it is allowed.
    #[error("the calculator wants {wanted} bytes of memory, {limit} are allowed")]
    Memory {
        /// How much it wants, in bytes.
        wanted: u64,
        /// How much it may have, in bytes.
        limit: u64,
    },
    /// The machine has not as much memory as the calculator wants.
    #[error("the calculator wants {0} bytes of memory, more than this machine gives")]
    MachineMemory(u64),
    /// The calculator did not finish within the allowed number of steps.
    #[error("the calculator did not finish within {0} units of fuel")]
    Fuel(u64),
    /// A wire's value is not below the prime.
    #[error("the calculator returned a value for wire {0} that is not below the prime")]
    Wire(u32),
}

impl WitnessError {
    /// The error itself, without the file it was found in.
    pub fn cause(&self) -> &Self {
        match self {
            Self::In { why, .. } => why.cause(),
            other => other,
        }
    }

    /// The error itself, to be changed.
    pub(crate) fn cause_mut(&mut self) -> &mut Self {
        match self {
            Self::In { why, .. } => why.cause_mut(),
            other => other,
        }
    }

    /// Adds the file, unless there is one.
    pub(crate) fn in_file(self, path: Option<&PathBuf>) -> Self {
        match (self, path) {
            (e @ (Self::File { .. } | Self::In { .. }), _) | (e, None) => e,
            (e, Some(path)) => Self::In { path: path.clone(), why: Box::new(e) },
        }
    }

    /// Whether the inputs are to blame, rather than the calculator.
    pub(crate) fn is_about_inputs(&self) -> bool {
        matches!(
            self.cause(),
            Self::Json(_)
                | Self::Duplicate(_)
                | Self::Overlap { .. }
                | Self::Mixed(_)
                | Self::Nesting(_)
                | Self::Value { .. }
                | Self::UnknownSignal { .. }
                | Self::Count { .. }
                | Self::Missing { .. }
        )
    }
}

/// Why a value of `input.json` is not an integer. The value itself is not repeated: it may be a secret.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// The text has no digits.
    #[error("no digits")]
    Empty,
    /// A character that is no digit.
    #[error("`{}` at position {at} is not a {radix} digit", found.escape_debug())]
    Digit {
        /// Position in characters, from 0.
        at: usize,
        /// The offending character itself.
        found: char,
        /// `decimal` or `hexadecimal`.
        radix: &'static str,
    },
    /// A JSON number with a fraction or an exponent.
    #[error("a number with a fraction or an exponent is not an integer")]
    Fraction,
    /// The JSON value `null` in the place of a number.
    #[error("null is not a number")]
    Null,
}

/// The exceptions of circom's calculators, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exception {
    /// Code 1: the circuit has no input signal of this name.
    SignalNotFound,
    /// Code 2: more values were given than there are inputs.
    TooManySignals,
    /// Code 3: a signal was set a second time.
    SignalAlreadySet,
    /// Code 4: an assertion failed; [`WitnessError::Assert`] outside of this crate.
    AssertFailed,
    /// Code 5: the calculator ran out of memory.
    NotEnoughMemory,
    /// Code 6: an index beyond the end of an input signal's array.
    InputIndex,
    /// Code 7: an index beyond the end of an array.
    ArrayIndex,
    /// Any other number.
    Unknown(i32),
}

impl From<i32> for Exception {
    fn from(code: i32) -> Self {
        match code {
            1 => Self::SignalNotFound,
            2 => Self::TooManySignals,
            3 => Self::SignalAlreadySet,
            4 => Self::AssertFailed,
            5 => Self::NotEnoughMemory,
            6 => Self::InputIndex,
            7 => Self::ArrayIndex,
            other => Self::Unknown(other),
        }
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SignalNotFound => f.write_str("signal not found"),
            Self::TooManySignals => f.write_str("too many signals set"),
            Self::SignalAlreadySet => f.write_str("signal already set"),
            Self::AssertFailed => f.write_str("assert failed"),
            Self::NotEnoughMemory => f.write_str("not enough memory (the circuit's own stack is too small)"),
            Self::InputIndex => f.write_str("an input signal was accessed beyond its size"),
            Self::ArrayIndex => f.write_str("an array was accessed out of bounds"),
            Self::Unknown(code) => write!(f, "exception {code}"),
        }
    }
}

/// The calculator's account of the place in the circuit at which something failed, innermost template first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace(pub(crate) Vec<String>);

impl Trace {
    /// The calculator's own lines, such as `Error in template Range_0 line: 7`.
    pub fn lines(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, line) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { ": " } else { ", called from " })?;
            match line.strip_prefix("Error in template ").and_then(|rest| rest.split_once(" line: ")) {
                Some((template, number)) => write!(f, "template {template} line {number}")?,
                None => f.write_str(line)?,
            }
        }
        Ok(())
    }
}
