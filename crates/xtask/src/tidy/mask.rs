//! Blanks out comments and literals, so that rules about code do not match prose.

/// Returns `source` with every comment, string and character literal replaced by spaces.
/// Line breaks stay, so line numbers do not change.
pub(crate) fn code_only(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_end(&chars, at);
        if end > at {
            out.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// The end of the comment or literal that begins at `at`, or `at` itself if none begins there.
fn literal_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match (chars[at], next) {
        ('/', Some('/')) => position(chars, at, |c| c == '\n'),
        ('/', Some('*')) => block_comment_end(chars, at),
        ('"', _) => quoted_end(chars, at + 1, '"'),
        ('r', Some('"' | '#')) if starts_word(chars, at) => raw_string_end(chars, at + 1).unwrap_or(at),
        ('b' | 'c', Some('r')) if starts_word(chars, at) => raw_string_end(chars, at + 2).unwrap_or(at),
        ('\'', _) => char_end(chars, at),
        _ => at,
    }
}

/// A prefix such as `r` belongs to a literal only when no identifier continues into it.
fn starts_word(chars: &[char], at: usize) -> bool {
    at == 0 || !(chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn position(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| stop(*c)).map_or(chars.len(), |offset| from + offset)
}

/// Block comments nest.
fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    chars.len()
}

/// The position after the closing quote of a literal whose content begins at `from`.
fn quoted_end(chars: &[char], from: usize, quote: char) -> usize {
    let mut at = from;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// `#*"...."#*` beginning at `from`; `None` where this is no raw string (`r#type`, for one).
fn raw_string_end(chars: &[char], from: usize) -> Option<usize> {
    let open = position(chars, from, |c| c != '#');
    let hashes = open - from;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let mut at = open + 1;
    while at < chars.len() {
        if chars[at] == '"'
            && chars[at + 1..].iter().take_while(|c| **c == '#').take(hashes).count() == hashes
        {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// Tells a character literal from a lifetime: `'x'` and `'\..'` are literals, `'a` is a lifetime.
fn char_end(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => quoted_end(chars, at + 1, '\''),
        (Some(_), Some('\'')) => at + 3,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::code_only;

    #[test]
    fn prose_is_blanked_and_code_stays() {
        for (source, expected) in [
            ("a // unsafe\nb", "a          \nb"),
            ("a /* x /* y */ z */ b", "a                     b"),
            (r#"f("un\"safe") + g"#, "f(             ) + g"),
            ("f(r#\"un\"safe\"#) + g", "f(              ) + g"),
            ("f(br\"\\\") + g", "f(      ) + g"),
            ("let r#type = 1;", "let r#type = 1;"),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            ("['\"', '\\'', 'x', b'\\n'] y", "[   ,     ,    , b    ] y"),
            ("var\"x\"", "var   "),
        ] {
            let masked = code_only(source);
            assert_eq!(
                masked.split_whitespace().collect::<Vec<_>>(),
                expected.split_whitespace().collect::<Vec<_>>()
            );
            assert_eq!(masked.chars().count(), source.chars().count(), "{source}");
        }
    }

    #[test]
    fn unfinished_literals_run_to_the_end() {
        for source in ["\"abc", "/* abc", "r#\"abc", "'\\"] {
            assert_eq!(code_only(source).trim(), "", "{source}");
        }
    }

    #[test]
    fn line_breaks_survive() {
        assert_eq!(code_only("/*\n\n*/x\n\"\n\"").matches('\n').count(), 4);
    }
}
