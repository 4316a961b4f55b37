//! Names in C texts. Printers name helpers `pw_NAME` and the type of a word `word`; in a header these names get a
//! prefix, so that any number of headers can be included in one file.

/// A text whose names have a prefix: `pw_NAME` and `PW_NAME` become `PREFIX_NAME`, also in comments. In code the type
/// `word` and the constants `WORDS`, `INTEGER_WORDS`, `WORD_BITS` and `BYTES` get the prefix too, and the name
/// `function`, if given, becomes the prefix itself.
pub(crate) fn prefixed(text: &str, prefix: &str, function: Option<&str>) -> String {
    let upper = prefix.to_uppercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for line in text.split_inclusive('\n') {
        let code = line.find("//").unwrap_or(line.len());
        let mut at = 0;
        while let Some(first) = line[at..].chars().next() {
            let rest = &line[at..];
            let length = if is_name(first) {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let name = &rest[..length];
            match name {
                "word" if at < code => out += &format!("{prefix}_word"),
                "WORDS" | "INTEGER_WORDS" | "WORD_BITS" | "BYTES" if at < code => {
                    out += &format!("{upper}_{name}")
                }
                // C++ compilers know this keyword only with underscores.
                "restrict" if at < code => out += "__restrict",
                _ if at < code && function == Some(name) => out += prefix,
                _ => match (name.strip_prefix("pw_"), name.strip_prefix("PW_")) {
                    (Some(rest), _) => out += &format!("{prefix}_{rest}"),
                    (_, Some(rest)) => out += &format!("{upper}_{rest}"),
                    _ => out += name,
                },
            }
            at += length;
        }
    }
    out
}

/// A printed C file as a header: names with a prefix, an include guard after the comment at its head, and `function`,
/// renamed to the prefix, as an inline function.
pub(crate) fn header(text: &str, prefix: &str, function: &str) -> String {
    let head: usize =
        text.split_inclusive('\n').take_while(|line| line.starts_with("//")).map(str::len).sum();
    let (comment, code) = text.split_at(head);
    let code = code.replace(&format!("\nvoid {function}("), &format!("\nstatic inline void {function}("));
    let guard = format!("{}_H", prefix.to_uppercase());
    let code = prefixed(code.trim_end(), prefix, Some(function));
    format!("{comment}\n#ifndef {guard}\n#define {guard}\n{code}\n\n#endif\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_the_prefix_and_nothing_else_does() {
        let text =
            "word pw_f(word *swords, const word *restrict b) { return WORDS + PW_ODD; } // a word of pw_f\n";
        let want = "p_word p_f(p_word *swords, const p_word *__restrict b) { return P_WORDS + P_ODD; } // a word of p_f\n";
        assert_eq!(prefixed(text, "p", None), want);
        assert_eq!(
            prefixed("power(x); powers; // power\n", "f9", Some("power")),
            "f9(x); powers; // power\n"
        );
    }

    #[test]
    fn a_header_has_its_guard_below_its_comment() {
        let text = header("// Made.\n\nvoid ntt(word *a) {\n}\n", "ntt_64", "ntt");
        let want = "// Made.\n\n#ifndef NTT_64_H\n#define NTT_64_H\n\nstatic inline void ntt_64(ntt_64_word *a) {\n}\n\n#endif\n";
        assert_eq!(text, want);
    }
}
