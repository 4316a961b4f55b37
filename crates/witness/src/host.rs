//! The state of one run of a calculator on the host's side: its log, its trace and the guard of its memory; and the check of
//! its imports.

use crate::{Limits, Trace, WitnessError};

/// The module name of all imports.
pub(crate) const MODULE: &str = "runtime";
/// The functions circom's calculators import.
const NAMES: [&str; 4] =
    ["exceptionHandler", "printErrorMessage", "writeBufferMessage", "showSharedRWMemory"];

/// Largest number of characters of a line of `log`.
const MAX_LINE: usize = 1 << 16;
/// Largest number of 32-bit words of a field element.
pub(crate) const MAX_WORDS: u32 = 64;
/// Largest number of entries of a function table, which has one per template.
const MAX_TABLE: usize = 1 << 22;

/// A callback for the lines that a circuit logs.
pub(crate) type Log = Box<dyn FnMut(&str) + Send>;

/// The host's state of one run.
pub(crate) struct Host {
    pub(crate) guard: Guard,
    pub(crate) trace: Trace,
    log: Log,
    line: String,
    /// Whether a callback is running. A callback calls the calculator, which must not call back again, because that would grow
    /// the host's own stack.
    pub(crate) busy: bool,
    /// Whether the calculator ends a line of `log` with the message `"\n"`, as circom 2.0.7 and later do; earlier versions log
    /// one number per line.
    pub(crate) lines_end: bool,
}

impl Host {
    pub(crate) fn new(limits: &Limits, log: Log) -> Self {
        let guard = Guard {
            limit: limits.memory_bytes,
            denied: None,
            failed: None,
            refused: false,
            table_denied: false,
        };
        Self { guard, trace: Trace::default(), log, line: String::new(), busy: false, lines_end: true }
    }

    /// Appends a piece to the current line; pieces are separated by spaces.
    pub(crate) fn piece(&mut self, piece: &str) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        if self.line.len().saturating_add(piece.len()) <= MAX_LINE {
            self.line.push_str(piece);
        }
    }

    /// Passes the current line to the log and begins a new one.
    pub(crate) fn end_line(&mut self) {
        (self.log)(&core::mem::take(&mut self.line));
    }

    /// Passes an unfinished line to the log.
    pub(crate) fn flush(&mut self) {
        if !self.line.is_empty() {
            self.end_line();
        }
    }
}

/// Bounds memory and tables, and records why a request was refused.
pub(crate) struct Guard {
    limit: u64,
    /// Requested size in bytes that exceeded the limit.
    pub(crate) denied: Option<u64>,
    /// The last requested size in bytes that was allowed, unless the module's own maximum forbids it.
    pub(crate) failed: Option<u64>,
    /// Whether the operating system failed to provide the memory.
    pub(crate) refused: bool,
    /// Whether a table was larger than allowed.
    pub(crate) table_denied: bool,
}

impl Guard {
    /// Whether a memory may grow to this many bytes.
    pub(crate) fn allows_memory(&mut self, bytes: usize) -> bool {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if bytes > self.limit {
            self.denied = Some(bytes);
            return false;
        }
        self.failed = Some(bytes);
        true
    }

    /// Whether a table may grow to this many entries.
    pub(crate) fn allows_table(&mut self, entries: usize) -> bool {
        self.table_denied = entries > MAX_TABLE;
        !self.table_denied
    }
}

/// Checks by its exports and imports that a module is a circom 2 calculator. An import is given as its module, its name and
/// whether it is a function.
pub(crate) fn recognise<'a>(
    exports: impl Fn(&str) -> bool,
    imports: impl Iterator<Item = (&'a str, &'a str, bool)>,
) -> Result<(), WitnessError> {
    if !exports("getVersion") {
        let is_circom1 = exports("getFrLen") || exports("getNVars");
        return Err(if is_circom1 { WitnessError::Circom1 } else { WitnessError::Export("getVersion") });
    }
    let foreign: Vec<_> = imports
        .filter(|(module, name, is_function)| !(*is_function && *module == MODULE && NAMES.contains(name)))
        .map(|(module, name, _)| format!("{}.{}", module.escape_debug(), name.escape_debug()))
        .collect();
    if foreign.is_empty() { Ok(()) } else { Err(WitnessError::Imports(foreign)) }
}
