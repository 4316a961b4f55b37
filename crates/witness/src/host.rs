//! What a calculator can call: circom's four functions, and the guard of its memory.

use crate::{Exception, Limits, Trace};
use core::fmt;
use wasmi::errors::{HostError, MemoryError};
use wasmi::{Caller, Error, Linker, ResourceLimiter};
use wasmi_core::LimiterError;

/// The module all imports are from.
const MODULE: &str = "runtime";
/// The functions circom's calculators import.
const NAMES: [&str; 4] =
    ["exceptionHandler", "printErrorMessage", "writeBufferMessage", "showSharedRWMemory"];

/// Characters of one message; circom's own buffer holds 256.
const MAX_MESSAGE: usize = 4096;
/// Characters of one line of `log`.
const MAX_LINE: usize = 1 << 16;
/// Lines of a trace: one per level of nested templates.
const MAX_TRACE: usize = 256;
/// Words of a field element.
pub(crate) const MAX_WORDS: u32 = 64;
/// Entries of a function table: one per template.
const MAX_TABLE: usize = 1 << 22;

/// Takes the lines that a circuit logs.
pub(crate) type Log = Box<dyn FnMut(&str)>;

/// What belongs to one run.
pub(crate) struct Host {
    pub(crate) guard: Guard,
    pub(crate) trace: Trace,
    log: Log,
    line: String,
    /// A callback is running: the calculator's answers to it may not call back again, which would
    /// let it grow our own stack.
    busy: bool,
    /// circom 2.0.7 and later end a line of `log` by a message `"\n"`; earlier ones log one number per line.
    pub(crate) lines_end: bool,
}

impl Host {
    pub(crate) fn new(limits: &Limits, log: Log) -> Self {
        let guard = Guard { limit: limits.memory_bytes, denied: None, failed: None };
        Self { guard, trace: Trace::default(), log, line: String::new(), busy: false, lines_end: true }
    }

    /// A piece of a line: pieces are joined by blanks.
    fn piece(&mut self, piece: &str) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        if self.line.len().saturating_add(piece.len()) <= MAX_LINE {
            self.line.push_str(piece);
        }
    }

    fn end_line(&mut self) {
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
    /// Bytes that were asked for last, and whether the machine refused them.
    pub(crate) failed: Option<u64>,
}

impl ResourceLimiter for Guard {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        let desired = u64::try_from(desired).unwrap_or(u64::MAX);
        if desired > self.limit {
            self.denied = Some(desired);
            return Err(LimiterError::ResourceLimiterDeniedAllocation);
        }
        self.failed = Some(desired);
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: &MemoryError) -> Result<(), LimiterError> {
        // A module that asks for more than its own declared maximum gets its -1.
        if matches!(error, MemoryError::OutOfSystemMemory) {
            return Err(LimiterError::ResourceLimiterDeniedAllocation);
        }
        self.failed = None;
        Ok(())
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        Ok(desired <= MAX_TABLE)
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }
}

/// A calculator's exception on its way through the interpreter.
#[derive(Debug)]
pub(crate) struct Raised(pub(crate) Exception);

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl HostError for Raised {}

/// A calculator that misuses its callbacks.
#[derive(Debug)]
struct Misuse(&'static str);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl HostError for Misuse {}

/// Whether circom's calculators import this.
pub(crate) fn provides(module: &str, name: &str) -> bool {
    module == MODULE && NAMES.contains(&name)
}

/// The four functions.
pub(crate) fn link(linker: &mut Linker<Host>) -> Result<(), Error> {
    linker.func_wrap(MODULE, "exceptionHandler", |code: i32| -> Result<(), Error> {
        Err(Error::host(Raised(code.into())))
    })?;
    linker.func_wrap(MODULE, "printErrorMessage", |mut caller: Caller<'_, Host>| -> Result<(), Error> {
        let message = alone(&mut caller, message)?;
        let trace = &mut caller.data_mut().trace.0;
        let message = message.trim();
        if !message.is_empty() && trace.len() < MAX_TRACE {
            trace.push(message.to_owned());
        }
        Ok(())
    })?;
    linker.func_wrap(MODULE, "writeBufferMessage", |mut caller: Caller<'_, Host>| -> Result<(), Error> {
        let message = alone(&mut caller, message)?;
        let host = caller.data_mut();
        if message == "\n" {
            host.end_line();
        } else {
            host.piece(&message);
        }
        Ok(())
    })?;
    linker.func_wrap(MODULE, "showSharedRWMemory", |mut caller: Caller<'_, Host>| -> Result<(), Error> {
        let number = alone(&mut caller, shared_number)?;
        let host = caller.data_mut();
        host.piece(&number);
        if !host.lines_end {
            host.end_line();
        }
        Ok(())
    })?;
    Ok(())
}

/// Runs a callback that calls the calculator, once at a time.
fn alone<T>(
    caller: &mut Caller<'_, Host>,
    body: impl FnOnce(&mut Caller<'_, Host>) -> Result<T, Error>,
) -> Result<T, Error> {
    if core::mem::replace(&mut caller.data_mut().busy, true) {
        return Err(Error::host(Misuse("a callback within a callback")));
    }
    let result = body(caller);
    caller.data_mut().busy = false;
    result
}

/// Fetches the message the calculator holds, a character a call, up to a zero.
fn message(caller: &mut Caller<'_, Host>) -> Result<String, Error> {
    let next = function::<(), i32>(caller, "getMessageChar")?;
    let mut text = String::new();
    for _ in 0..MAX_MESSAGE {
        let code = next.call(&mut *caller, ())?;
        if code == 0 {
            break;
        }
        let c = u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        // Terminals obey control characters; a circuit's author has no business with ours.
        text.push(if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c });
    }
    Ok(text)
}

/// The number in the shared memory, in decimal.
fn shared_number(caller: &mut Caller<'_, Host>) -> Result<String, Error> {
    let words = function::<(), i32>(caller, "getFieldNumLen32")?.call(&mut *caller, ())?;
    let words = u32::try_from(words).unwrap_or(u32::MAX).min(MAX_WORDS);
    let read = function::<i32, i32>(caller, "readSharedRWMemory")?;
    let mut number = Vec::new();
    for j in 0..words {
        number.push(read.call(&mut *caller, j.cast_signed())?.cast_unsigned());
    }
    Ok(decimal(number))
}

fn function<P: wasmi::WasmParams, R: wasmi::WasmResults>(
    caller: &Caller<'_, Host>,
    name: &'static str,
) -> Result<wasmi::TypedFunc<P, R>, Error> {
    let function = caller.get_export(name).and_then(wasmi::Extern::into_func);
    function.ok_or_else(|| Error::host(Misuse("a callback without the function it needs")))?.typed(caller)
}

/// Prints little-endian words in decimal.
fn decimal(mut words: Vec<u32>) -> String {
    let mut chunks = Vec::new();
    while words.iter().any(|&w| w != 0) {
        let mut remainder = 0u64;
        for word in words.iter_mut().rev() {
            let value = remainder << 32 | u64::from(*word);
            // The remainder is below 10^9 < 2^32, so the quotient fits a word.
            *word = u32::try_from(value / 1_000_000_000).unwrap_or(u32::MAX);
            remainder = value % 1_000_000_000;
        }
        chunks.push(remainder);
    }
    let mut text = chunks.pop().unwrap_or(0).to_string();
    for chunk in chunks.iter().rev() {
        text.push_str(&format!("{chunk:09}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn words_in_decimal() {
        assert_eq!(decimal(vec![]), "0");
        assert_eq!(decimal(vec![0, 0]), "0");
        assert_eq!(decimal(vec![7, 0]), "7");
        assert_eq!(decimal(vec![1_000_000_000]), "1000000000");
        assert_eq!(decimal(vec![u32::MAX; 4]), u128::MAX.to_string());
        assert_eq!(decimal(vec![0, 0, 1]), (1u128 << 64).to_string());
    }
}
