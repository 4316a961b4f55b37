//! The functions that a calculator can call: circom's four imports, of which three fetch a message or a number from the
//! calculator.

use crate::host::MAX_WORDS;
use crate::machine::{Callable, Stop};

/// Largest number of characters of a message; circom's own buffer holds 256.
const MAX_MESSAGE: usize = 4096;
/// Largest number of lines of a trace, which has one line per level of nested templates.
const MAX_TRACE: usize = 256;

/// Fetches a line of an error's trace from the calculator.
pub(crate) fn error_message<C: Callable>(caller: &mut C) -> Result<(), C::Error> {
    let message = alone(caller, message)?;
    let trace = &mut caller.host().trace.0;
    let message = message.trim();
    if !message.is_empty() && trace.len() < MAX_TRACE {
        trace.push(message.to_owned());
    }
    Ok(())
}

/// Fetches a piece of a line of `log`, or the end of the line, from the calculator.
pub(crate) fn log_message<C: Callable>(caller: &mut C) -> Result<(), C::Error> {
    let message = alone(caller, message)?;
    let host = caller.host();
    if message == "\n" {
        host.end_line();
    } else {
        host.piece(&message);
    }
    Ok(())
}

/// Fetches a number of a line of `log` from the shared memory.
pub(crate) fn log_number<C: Callable>(caller: &mut C) -> Result<(), C::Error> {
    let number = alone(caller, shared_number)?;
    let host = caller.host();
    host.piece(&number);
    if !host.lines_end {
        host.end_line();
    }
    Ok(())
}

/// Runs a callback that calls the calculator, and refuses nested callbacks.
fn alone<C: Callable, T>(
    caller: &mut C,
    body: impl FnOnce(&mut C) -> Result<T, C::Error>,
) -> Result<T, C::Error> {
    if core::mem::replace(&mut caller.host().busy, true) {
        return Err(C::stop(Stop::Misuse("a callback within a callback")));
    }
    let result = body(caller);
    caller.host().busy = false;
    result
}

/// Fetches the current message of the calculator, one character per call, up to a zero.
fn message<C: Callable>(caller: &mut C) -> Result<String, C::Error> {
    let next = caller.function::<(), i32>("getMessageChar").ok_or_else(missing::<C>)?;
    let mut text = String::new();
    for _ in 0..MAX_MESSAGE {
        let code = caller.call(&next, ())?;
        if code == 0 {
            break;
        }
        let c = u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        // Terminals interpret control characters, which the author of a circuit must not be able to send.
        text.push(if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c });
    }
    Ok(text)
}

/// The number in the shared memory, in decimal.
fn shared_number<C: Callable>(caller: &mut C) -> Result<String, C::Error> {
    let words = caller.function::<(), i32>("getFieldNumLen32").ok_or_else(missing::<C>)?;
    let read = caller.function::<i32, i32>("readSharedRWMemory").ok_or_else(missing::<C>)?;
    let words = u32::try_from(caller.call(&words, ())?).unwrap_or(u32::MAX).min(MAX_WORDS);
    let mut number = Vec::new();
    for j in 0..words {
        number.push(caller.call(&read, j.cast_signed())?.cast_unsigned());
    }
    Ok(decimal(number))
}

fn missing<C: Callable>() -> C::Error {
    C::stop(Stop::Misuse("a callback without the function it needs"))
}

/// Converts little-endian words to decimal.
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
