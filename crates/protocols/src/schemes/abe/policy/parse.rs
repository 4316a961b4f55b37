//! Parses policies by recursive descent. Errors have a line and a column.

use super::{Gate, Literal, Operator, Policy};
use crate::schemes::abe::blake::value_scalar;
use crate::schemes::abe::error::{MOST, MOST_NESTED, PolicyError, PolicyFault};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

/// Whether a text can be a name or a value in a policy.
pub(in crate::schemes::abe) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(in_word) && !["and", "or", "not"].contains(&text)
}

fn in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

/// A token of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Open,
    Close,
    Colon,
    /// A word, or one of `and`, `or`, `not`.
    Word(&'t str),
    End,
}

impl Token<'_> {
    fn said(self) -> String {
        match self {
            Self::Open => "`(`".into(),
            Self::Close => "`)`".into(),
            Self::Colon => "`:`".into(),
            Self::Word(word) => alloc::format!("`{}`", word.chars().take(40).collect::<String>()),
            Self::End => "the end".into(),
        }
    }
}

/// A wire, whose number is not known before all gates have been read.
#[derive(Clone, Copy)]
enum Wire {
    Literal(usize),
    Gate(usize),
}

/// The parser of one text.
struct Parser<'t> {
    text: &'t str,
    /// Byte offset of the next token, and the token.
    at: usize,
    next: Token<'t>,
    /// Byte offset after the next token.
    behind: usize,
    nested: usize,
    literals: Vec<Literal>,
    gates: Vec<(Operator, [Wire; 2])>,
    /// Number of bytes of the encoding of the literals and gates read so far.
    bytes: usize,
}

impl<'t> Parser<'t> {
    fn fail<T>(&self, fault: PolicyFault) -> Result<T, PolicyError> {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let (lines, column) = (before.matches('\n').count(), line.chars().count());
        Err(PolicyError { line: lines + 1, column: column + 1, fault })
    }

    /// Advances to the next token.
    fn advance(&mut self) -> Result<(), PolicyError> {
        let rest = self.text.get(self.behind..).unwrap_or_default();
        let token = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.at = self.text.len() - token.len();
        let word = token.len() - token.trim_start_matches(|c| u8::try_from(c).is_ok_and(in_word)).len();
        let (next, length) = match token.chars().next() {
            None => (Token::End, 0),
            Some('(') => (Token::Open, 1),
            Some(')') => (Token::Close, 1),
            Some(':') => (Token::Colon, 1),
            Some(_) if word > 0 => (Token::Word(token.get(..word).unwrap_or_default()), word),
            Some(other) => return self.fail(PolicyFault::Character(other)),
        };
        (self.next, self.behind) = (next, self.at + length);
        Ok(())
    }

    /// Adds the encoded bytes of a literal or a gate, and fails if the policy becomes too long.
    fn count(&mut self, bytes: usize) -> Result<(), PolicyError> {
        self.bytes += bytes;
        if self.bytes > MOST { self.fail(PolicyFault::Long) } else { Ok(()) }
    }

    /// Calls `read` one nesting level deeper, and fails beyond [`MOST_NESTED`].
    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Wire, PolicyError>,
    ) -> Result<Wire, PolicyError> {
        if self.nested == MOST_NESTED {
            return self.fail(PolicyFault::Nested);
        }
        self.nested += 1;
        let wire = read(self)?;
        self.nested -= 1;
        Ok(wire)
    }

    /// Reads operands, each by `part`, that are joined by `word`. `negative` is true after an odd number of `not`, and selects the second
    /// of the operators.
    fn joined(
        &mut self,
        word: &str,
        operators: [Operator; 2],
        negative: bool,
        part: fn(&mut Self, bool) -> Result<Wire, PolicyError>,
    ) -> Result<Wire, PolicyError> {
        let mut left = part(self, negative)?;
        while self.next == Token::Word(word) {
            self.count(super::bytes::GATE)?;
            self.advance()?;
            let right = part(self, negative)?;
            self.gates.push((operators[usize::from(negative)], [left, right]));
            left = Wire::Gate(self.gates.len() - 1);
        }
        Ok(left)
    }

    fn policy(&mut self, negative: bool) -> Result<Wire, PolicyError> {
        self.deeper(|p| p.joined("or", [Operator::Or, Operator::And], negative, Self::term))
    }

    fn term(&mut self, negative: bool) -> Result<Wire, PolicyError> {
        self.joined("and", [Operator::And, Operator::Or], negative, Self::factor)
    }

    fn factor(&mut self, negative: bool) -> Result<Wire, PolicyError> {
        match self.next {
            Token::Word("not") => self.deeper(|p| {
                p.advance()?;
                p.factor(!negative)
            }),
            Token::Open => {
                self.advance()?;
                let wire = self.policy(negative)?;
                if self.next != Token::Close {
                    return self.fail(PolicyFault::Open(self.next.said()));
                }
                self.advance()?;
                Ok(wire)
            }
            Token::Word(name) if is_word(name) => self.literal(name, !negative),
            other => self.fail(PolicyFault::Literal(other.said())),
        }
    }

    fn literal(&mut self, name: &str, positive: bool) -> Result<Wire, PolicyError> {
        self.advance()?;
        if self.next != Token::Colon {
            return self.fail(PolicyFault::Colon(self.next.said()));
        }
        self.advance()?;
        let Token::Word(text) = self.next else { return self.fail(PolicyFault::Value(self.next.said())) };
        if !is_word(text) {
            return self.fail(PolicyFault::Value(self.next.said()));
        }
        self.count(super::bytes::LITERAL + name.len() + text.len())?;
        self.advance()?;
        let value = value_scalar(text.as_bytes());
        let literal = Literal { name: name.to_owned(), text: text.to_owned(), value, positive };
        self.literals.push(literal);
        Ok(Wire::Literal(self.literals.len() - 1))
    }
}

impl FromStr for Policy {
    type Err = PolicyError;

    /// Parses a policy.
    ///
    /// # Errors
    /// When the text is not a policy: the position and the kind of the first error.
    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (literals, gates) = (Vec::new(), Vec::new());
        let bytes = super::bytes::AROUND;
        let mut parser =
            Parser { text, at: 0, next: Token::End, behind: 0, nested: 0, literals, gates, bytes };
        parser.advance()?;
        parser.policy(false)?;
        if parser.next != Token::End {
            return parser.fail(PolicyFault::End(parser.next.said()));
        }
        let behind_literals = parser.gates.len() + 1;
        let number = |wire| match wire {
            Wire::Literal(at) => at,
            Wire::Gate(at) => behind_literals + at,
        };
        let gates = parser.gates.iter().enumerate().map(|(at, (operator, inputs))| Gate {
            operator: *operator,
            inputs: inputs.map(number),
            output: behind_literals + at,
        });
        Ok(Self { gates: gates.collect(), literals: parser.literals })
    }
}
