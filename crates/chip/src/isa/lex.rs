//! Splits a line of assembly text into tokens.

use super::error::{AsmError, IsaError};

/// A token of assembly text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name: letters, digits, `_` and `.`, beginning with no digit.
    Name(&'a str),
    /// Digits, possibly followed by letters.
    Number(&'a str),
    Colon,
    Comma,
    Bars,
}

/// The tokens of a line, read from left to right.
pub(super) struct Line<'a> {
    number: usize,
    /// Tokens with their columns, from 1.
    tokens: Vec<(usize, Token<'a>)>,
    at: usize,
    /// The column after the last token.
    end: usize,
}

impl<'a> Line<'a> {
    /// Splits a line into tokens, up to a `;`.
    pub(super) fn cut(number: usize, text: &'a str) -> Result<Self, AsmError> {
        let text = text.split(';').next().unwrap_or_default();
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let mut tokens = Vec::new();
        let mut rest = text;
        let mut column = 1;
        let mut end = 1;
        while let Some(first) = rest.chars().next() {
            let name = rest.len() - rest.trim_start_matches(in_name).len();
            let (token, bytes) = match first {
                ' ' | '\t' | '\r' => (None, 1),
                ':' => (Some(Token::Colon), 1),
                ',' => (Some(Token::Comma), 1),
                '|' if rest.starts_with("||") => (Some(Token::Bars), 2),
                _ if first.is_ascii_digit() => (Some(Token::Number(&rest[..name])), name),
                _ if name > 0 => (Some(Token::Name(&rest[..name])), name),
                _ => return Err(AsmError { line: number, column, why: IsaError::Character(first) }),
            };
            // Every token is ASCII: its bytes are its columns.
            tokens.extend(token.map(|token| (column, token)));
            rest = &rest[bytes..];
            column += bytes;
            end = if token.is_some() { column } else { end };
        }
        Ok(Self { number, tokens, at: 0, end })
    }

    /// The number of the line, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The column of the next token, or of the end.
    pub(super) fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(column, _)| *column)
    }

    /// An error at a column.
    pub(super) fn at<T>(&self, column: usize, why: IsaError) -> Result<T, AsmError> {
        Err(AsmError { line: self.number, column, why })
    }

    /// An error at the next token, which is not what was expected.
    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T, AsmError> {
        let found = match self.peek(0) {
            None => "the end of the line".to_owned(),
            Some(Token::Name(text) | Token::Number(text)) => format!("`{text}`"),
            Some(Token::Colon) => "`:`".to_owned(),
            Some(Token::Comma) => "`,`".to_owned(),
            Some(Token::Bars) => "`||`".to_owned(),
        };
        self.at(self.column(), IsaError::Expected { what, found })
    }

    /// The token `ahead` of the next one.
    pub(super) fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|(_, token)| *token)
    }

    /// Takes the next token if it is this one.
    pub(super) fn eat(&mut self, token: Token<'_>) -> bool {
        let is = self.peek(0) == Some(token);
        self.at += usize::from(is);
        is
    }

    /// Takes a comma.
    pub(super) fn comma(&mut self) -> Result<(), AsmError> {
        if self.eat(Token::Comma) { Ok(()) } else { self.expected("`,`") }
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &'static str) -> Result<&'a str, AsmError> {
        match self.peek(0) {
            Some(Token::Name(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    /// Takes a number, decimal or `0x` hexadecimal.
    pub(super) fn value(&mut self, what: &'static str) -> Result<u32, AsmError> {
        let Some(Token::Number(text)) = self.peek(0) else { return self.expected(what) };
        match number(text) {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => self.at(self.column(), IsaError::Number(text.to_owned())),
        }
    }

    /// Checks that no token is left.
    pub(super) fn finish(&self) -> Result<(), AsmError> {
        if self.peek(0).is_none() { Ok(()) } else { self.expected("the end of the line") }
    }
}

/// Parses a number of 32 bits, decimal or `0x` hexadecimal.
pub(super) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
