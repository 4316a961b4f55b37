//! The tokeniser of PTX texts.

/// A token: a word, a number, a string, or a punctuation mark of one character.
pub(crate) type Token<'a> = &'a str;

/// A token and its line number, from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacedToken<'a> {
    /// The token's text.
    pub token: Token<'a>,
    /// The number of its line.
    pub line: u32,
}

/// Punctuation marks, each a token of its own.
const MARKS: &[char] = &[',', ';', ':', '{', '}', '[', ']', '(', ')', '<', '>', '+', '-', '@', '!', '=', '|'];

/// All tokens of a text without comments. `::` is part of a word.
pub(crate) fn tokens(text: &str) -> Vec<PlacedToken<'_>> {
    let mut all = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if first == '"' {
            let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            all.push(PlacedToken { token: &rest[..length], line });
            length
        } else {
            let length = if MARKS.contains(&first) { 1 } else { word(rest) };
            all.push(PlacedToken { token: &rest[..length], line });
            length
        };
        line += rest[..length].matches('\n').count() as u32;
        rest = &rest[length..];
    }
    all
}

/// The length of the word at the beginning, at least one character.
fn word(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if text[at..].starts_with("::") {
            at += 2;
        } else if next.is_alphanumeric() || matches!(next, '.' | '%' | '$' | '_') {
            at += next.len_utf8();
        } else {
            break;
        }
    }
    at.max(text.chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_words_and_marks() {
        let text = "@%p1 bra\t$L__BB0_3; // there\n/* two\nlines */ ld.shared::cluster.v2.u32 {%r1,%r2}, [%rd1+-16];";
        let found = tokens(text);
        let words: Vec<&str> = found.iter().map(|placed| placed.token).collect();
        assert_eq!(
            words,
            [
                "@",
                "%p1",
                "bra",
                "$L__BB0_3",
                ";",
                "ld.shared::cluster.v2.u32",
                "{",
                "%r1",
                ",",
                "%r2",
                "}",
                ",",
                "[",
                "%rd1",
                "+",
                "-",
                "16",
                "]",
                ";"
            ]
        );
        assert_eq!((found[0].line, found[5].line), (1, 3));
    }

    #[test]
    fn any_text_has_an_end() {
        for text in ["", "\"open", "/* open", "é€ 🦀", "::::", "#"] {
            let _ = tokens(text);
        }
        assert_eq!(tokens("#a")[0].token, "#");
    }
}
