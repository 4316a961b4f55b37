//! The errors of loading calculators, reading inputs and computing witnesses.

use core::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a witness could not be computed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WitnessError {
    // ---- files ----
    /// The operating system failed to open or read a file.
    #[error("{}: {why}", path.display())]
    File {
        /// Path of the file concerned.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        why: io::Error,
    },
    /// The file is larger than a file of its kind can be, so it is not read.
    #[error("{}: more than {most} bytes: too large for {what}", path.display())]
    TooLarge {
        /// Path of the file concerned.
        path: PathBuf,
        /// Name of the kind of file.
        what: &'static str,
        /// Largest allowed size in bytes.
        most: u64,
    },
    /// Another error, together with the file that it concerns. [`WitnessError::cause`] returns the inner error.
    #[error("{}: {why}", path.display())]
    In {
        /// Path of the file concerned.
        path: PathBuf,
        /// The error that concerns the file.
        #[source]
        why: Box<WitnessError>,
    },

    // ---- the calculator as a file ----
    /// The bytes do not begin like a WebAssembly module of version 1.
    #[error("not a WebAssembly module: it does not begin with 00 61 73 6d 01 00 00 00")]
    NotWasm,
    /// The WebAssembly module does not pass validation: it is damaged or truncated.
    #[error("not a valid WebAssembly module: {0}")]
    InvalidWasm(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An engine with a compiler was asked for, and there is no such compiler for this processor.
    #[error("calculators cannot be compiled for this processor ({0}); they can be interpreted")]
    NoCompiler(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An engine with a compiler was asked for, and a function of the module is too large for it.
    #[error(
        "the calculator has a function of {bytes} bytes; {most} are compiled, larger ones can be interpreted"
    )]
    LargeFunction {
        /// Size of the module's largest function in bytes.
        bytes: usize,
        /// Largest size in bytes of a function that is compiled.
        most: usize,
    },
    /// The calculator was made by circom 1.
    #[error("a calculator made by circom 1; compile the circuit with circom 2")]
    Circom1,
    /// The calculator was made by a version of circom that is not supported.
    #[error("a calculator made by circom {0}; circom 2 is supported")]
    Version(u32),
    /// The module imports more than circom's calculators do.
    #[error("not a circom 2 calculator: it imports {}", .0.join(", "))]
    Imports(Vec<String>),
    /// The module lacks a function that circom's calculators export.
    #[error("not a circom 2 calculator: it has no function `{0}` of the right type")]
    Export(&'static str),
    /// The calculator reports an impossible number, such as more wires than fit into its memory.
    #[error("not a circom 2 calculator: {what} is {found}")]
    Impossible {
        /// Name of the number that is out of range.
        what: &'static str,
        /// The number that the calculator reported.
        found: u64,
    },
    /// The calculator is for another field than the requested one.
    #[error("the calculator is for another prime than {field}")]
    Prime {
        /// Name of the requested field.
        field: &'static str,
    },

    // ---- the inputs ----
    /// The inputs are not a single JSON object.
    #[error("inputs are not a JSON object: {0}")]
    Json(#[from] serde_json::Error),
    /// An object has two members of the same name.
    #[error("input signal `{0}` is given twice")]
    Duplicate(String),
    /// A bus is given both as a whole and by its parts. circom's calculators would count its values twice and begin to compute
    /// while other values are missing.
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
    /// Arrays or objects are nested more deeply than is supported.
    #[error("input signal `{0}` is nested more than {max} deep", max = crate::json::MAX_DEPTH)]
    Nesting(String),
    /// A value is not an integer.
    #[error("input signal `{signal}`, value {index} (`{place}`): {why}")]
    Value {
        /// Name of the input signal.
        signal: String,
        /// Index among the signal's values in row-major order, from 0.
        index: usize,
        /// The same position as a path, such as `in[1][0]`.
        place: String,
        /// Why the value is not an integer.
        #[source]
        why: ValueError,
    },
    /// The circuit has no input of this name.
    #[error("the circuit has no input signal `{signal}`; its inputs are {expected} values in all")]
    UnknownSignal {
        /// The name in the inputs.
        signal: String,
        /// Number of values that the circuit needs for all its signals together (the calculator cannot name them).
        expected: u32,
    },
    /// A signal has another number of values than in the circuit.
    #[error("input signal `{signal}`: {expected} values are needed, {found} are given")]
    Count {
        /// Name of the input signal.
        signal: String,
        /// Number of values of the signal in the circuit.
        expected: u32,
        /// Number of given values.
        found: usize,
    },
    /// Some input signals are missing.
    #[error(
        "inputs are missing: the circuit wants {expected} values, {found} are given (in {}){}",
        if given.is_empty() { "no signal".to_owned() } else { format!("`{}`", given.join("`, `")) },
        if missing.is_empty() { String::new() } else { format!("; missing: `{}`", missing.join("`, `")) }
    )]
    Missing {
        /// Number of values that the circuit needs for all its signals together.
        expected: u32,
        /// Number of given values.
        found: u32,
        /// Names of the given signals.
        given: Vec<String>,
        /// Names of the missing signals, as far as [`Calculator::name_missing`](crate::Calculator::name_missing) has determined
        /// them; calculators themselves know no names.
        missing: Vec<String>,
    },

    // ---- the run ----
    /// A constraint `===` or an `assert` of the circuit does not hold for these inputs.
    #[error("assert failed{0}")]
    Assert(Trace),
    /// The calculator raised another exception.
    #[error("the calculator stopped: {what}{trace}")]
    Exception {
        /// The exception that the calculator raised.
        what: Exception,
        /// The position in the circuit, as the calculator reported it.
        trace: Trace,
    },
    /// The calculator caused a trap, such as an access outside of its memory.
    #[error("the calculator crashed: {why}{trace}")]
    Trap {
        /// The error of the engine.
        #[source]
        why: Box<dyn std::error::Error + Send + Sync>,
        /// The position in the circuit, as the calculator reported it.
        trace: Trace,
    },
    /// The calculator needs more memory than [`Limits`](crate::Limits) allow.
    #[error("the calculator wants {wanted} bytes of memory, {limit} are allowed")]
    Memory {
        /// Requested size in bytes.
        wanted: u64,
        /// Allowed size in bytes.
        limit: u64,
    },
    /// The operating system cannot provide the memory that the calculator needs; the number is in bytes.
    #[error("the calculator wants {0} bytes of memory, more than this machine gives")]
    MachineMemory(u64),
    /// The calculator did not finish within the allowed units of fuel.
    #[error("the calculator did not finish within {0} units of fuel")]
    Fuel(u64),
    /// The value of the wire with this index is not below the prime.
    #[error("the calculator returned a value for wire {0} that is not below the prime")]
    Wire(u32),
}

impl WitnessError {
    /// The error without the file that [`WitnessError::In`] adds.
    pub fn cause(&self) -> &Self {
        match self {
            Self::In { why, .. } => why.cause(),
            other => other,
        }
    }

    /// Mutable access to [`WitnessError::cause`].
    pub(crate) fn cause_mut(&mut self) -> &mut Self {
        match self {
            Self::In { why, .. } => why.cause_mut(),
            other => other,
        }
    }

    /// Adds the path of a file, unless the error has one already.
    pub(crate) fn in_file(self, path: Option<&PathBuf>) -> Self {
        match (self, path) {
            (e @ (Self::File { .. } | Self::In { .. }), _) | (e, None) => e,
            (e, Some(path)) => Self::In { path: path.clone(), why: Box::new(e) },
        }
    }

    /// Whether the error is caused by the inputs rather than by the calculator.
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

/// Why a value of `input.json` is not an integer. The value itself is not part of the error: it may be a secret.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// The text has no digits.
    #[error("no digits")]
    Empty,
    /// A character is not a digit of the radix.
    #[error("`{}` at position {at} is not a {radix} digit", found.escape_debug())]
    Digit {
        /// Position in characters, from 0.
        at: usize,
        /// The character that is not a digit.
        found: char,
        /// `decimal` or `hexadecimal`.
        radix: &'static str,
    },
    /// The JSON number has a fraction or an exponent.
    #[error("a number with a fraction or an exponent is not an integer")]
    Fraction,
    /// The JSON value is `null` instead of a number.
    #[error("null is not a number")]
    Null,
}

/// The exceptions of circom's calculators, identified by their code.
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
    /// Code 6: an index exceeds an input signal's array.
    InputIndex,
    /// Code 7: an index exceeds an array.
    ArrayIndex,
    /// Any other code.
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

/// The calculator's report of the position in the circuit at which a run failed, innermost template first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace(pub(crate) Vec<String>);

impl Trace {
    /// The lines of the calculator's report, such as `Error in template Range_0 line: 7`.
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
