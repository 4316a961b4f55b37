//! A reader of the tokens of a text.

use crate::error::TextError;
use crate::text::PlacedToken;

/// A list of tokens with a position.
pub(crate) struct Reader<'a> {
    pub(crate) tokens: Vec<PlacedToken<'a>>,
    /// Number of tokens that have been read.
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn next(&mut self) -> Result<PlacedToken<'a>, TextError> {
        let next = self.tokens.get(self.at).copied().ok_or(TextError::End)?;
        self.at += 1;
        Ok(next)
    }

    pub(crate) fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |placed| placed.token)
    }

    /// Consumes the next token if it is this one; returns whether it was.
    pub(crate) fn take(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += usize::from(is);
        is
    }

    pub(crate) fn expect(&mut self, token: &'static str) -> Result<(), TextError> {
        let next = self.next()?;
        if next.token == token { Ok(()) } else { Err(self.unexpected(next, token)) }
    }

    pub(crate) fn unexpected(&self, found: PlacedToken<'_>, wanted: &'static str) -> TextError {
        TextError::Token { line: found.line, found: found.token.to_owned(), wanted }
    }

    /// Reads an integer with an optional minus sign.
    pub(crate) fn integer(&mut self) -> Result<i64, TextError> {
        let negative = self.take("-");
        let next = self.next()?;
        let value = integer(next.token).ok_or_else(|| self.unexpected(next, "an integer"))?;
        Ok(if negative { value.wrapping_neg() } else { value })
    }

    pub(crate) fn size(&mut self) -> Result<usize, TextError> {
        let next = self.next()?;
        integer(next.token)
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n < 1 << 30)
            .ok_or_else(|| self.unexpected(next, "a size"))
    }
}

/// Parses an unsigned integer, decimal or with `0x`. Integers of 2^63 and above wrap.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_end_matches('U');
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse::<u64>().ok(),
    }
    .map(|n| n as i64)
}

/// The size in bytes of a type such as `.u64`.
pub(crate) fn type_bytes(name: &str) -> Option<usize> {
    Some(match name {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" => 2,
        ".b32" | ".u32" | ".s32" | ".f32" => 4,
        ".b64" | ".u64" | ".s64" | ".f64" => 8,
        _ => return None,
    })
}
