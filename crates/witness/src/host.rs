//! What belongs to one run of a calculator: its log, its trace, the guard of its memory; and what it may import.

use crate::{Limits, Trace, WitnessError};

/// The module all imports are from.
pub(crate) const MODULE: &str = "runtime";
/// The functions circom's calculators import.
const NAMES: [&str; 4] =
    ["exceptionHandler", "printErrorMessage", "writeBufferMessage", "showSharedRWMemory"];

/// Characters of one line of `log`.
const MAX_LINE: usize = 1 << 16;
/// Words of a field element.
pub(crate) const MAX_WORDS: u32 = 64;
/// Entries of a function table: one per template.
const MAX_TABLE: usize = 1 << 22;

/// Takes the lines that a circuit logs.
pub(crate) type Log = Box<dyn FnMut(&str) + Send>;

/// What belongs to one run.
pub(crate) struct Host {
    pub(crate) guard: Guard,
    pub(crate) trace: Trace,
    log: Log,
    line: String,
    /// A callback is running: the calculator's answers to it may not call back again, which would
    /// let it grow our own stack.
    pub(crate) busy: bool,
    /// circom 2.0.7 and later end a line of `log` by a message `"\n"`; earlier ones log one number per line.
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

    /// A piece of a line: pieces are joined by blanks.
    pub(crate) fn piece(&mut self, piece: &str) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        if self.line.len().saturating_add(piece.len()) <= MAX_LINE {
            self.line.push_str(piece);
        }
    }

    /// Hands a line on.
    pub(crate) fn end_line(&mut self) {
        (self.log)(&core::mem::take(&mut self.line));
    }

    /// What was logged without an end of line.
    pub(crate) fn flush(&mut self) {
        if !self.line.is_empty() {
            self.end_line();
        }
    }
}

/// Bounds memory and tables, and remembers why it refused.
pub(crate) struct Guard {
    limit: u64,
    /// Bytes that were asked for beyond the limit.
    pub(crate) denied: Option<u64>,
    /// Bytes that were asked for last and allowed, unless the module's own maximum forbids them.
    pub(crate) failed: Option<u64>,
    /// The operating system did not give them.
    pub(crate) refused: bool,
    /// A table was larger than is allowed.
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

/// Whether this is a circom 2 calculator, by its exports and its imports: the module that each is from, its name there, and
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
