//! A parser of the Liberty format, which consists of nested groups with attributes.

/// A group: `kind (name) { … }`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Group {
    kind: String,
    arguments: Vec<String>,
    attributes: Vec<(String, Vec<String>)>,
    groups: Vec<Group>,
}

impl Group {
    /// Its first argument, which is its name.
    pub(super) fn name(&self) -> &str {
        self.argument(0)
    }

    /// The argument with index `at`.
    pub(super) fn argument(&self, at: usize) -> &str {
        self.arguments.get(at).map_or("", String::as_str)
    }

    /// Its subgroups of a kind.
    pub(super) fn groups(&self, kind: &str) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The first value of an attribute.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// All values of an attribute.
    pub(super) fn values(&self, name: &str) -> &[String] {
        self.all(name).next().unwrap_or_default()
    }

    /// The values of every occurrence of an attribute.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &[String]> {
        self.attributes.iter().filter(move |(n, _)| n == name).map(|(_, values)| values.as_slice())
    }

    /// The value of a numeric attribute.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.trim().parse().ok()
    }

    /// All numbers of an attribute, given in one string or in several.
    pub(super) fn numbers(&self, name: &str) -> Vec<f64> {
        self.values(name)
            .iter()
            .flat_map(|v| v.split([',', ' ', '\\', '\n']))
            .filter_map(|n| n.trim().parse().ok())
            .collect()
    }
}

/// The top group of a file; `None` if it is not closed.
pub(super) fn parse(text: &str) -> Option<Group> {
    let tokens = tokens(text);
    let mut at = 0;
    statement(&tokens, &mut at, 0)?.ok()
}

/// The deepest nesting of groups that is accepted; files of cells have five levels.
const DEEPEST: usize = 32;

/// Parses a group, or an attribute with its values.
fn statement(
    tokens: &[String],
    at: &mut usize,
    depth: usize,
) -> Option<Result<Group, (String, Vec<String>)>> {
    let kind = next(tokens, at)?;
    match next(tokens, at)?.as_str() {
        ":" => {
            let mut value = Vec::new();
            loop {
                match next(tokens, at)? {
                    token if token == ";" => break,
                    token => value.push(token),
                }
            }
            Some(Err((kind, vec![value.join(" ")])))
        }
        "(" => {
            let mut arguments = Vec::new();
            loop {
                match next(tokens, at)? {
                    token if token == ")" => break,
                    token if token == "," => {}
                    token => arguments.push(token),
                }
            }
            match tokens.get(*at).map(String::as_str) {
                Some("{") if depth < DEEPEST => *at += 1,
                Some("{") => return None,
                Some(";") => {
                    *at += 1;
                    return Some(Err((kind, arguments)));
                }
                _ => return Some(Err((kind, arguments))),
            }
            let mut group = Group { kind, arguments, ..Group::default() };
            while tokens.get(*at)? != "}" {
                if tokens.get(*at)? == ";" {
                    *at += 1;
                    continue;
                }
                match statement(tokens, at, depth + 1)? {
                    Ok(child) => group.groups.push(child),
                    Err(attribute) => group.attributes.push(attribute),
                }
            }
            *at += 1;
            Some(Ok(group))
        }
        _ => None,
    }
}

fn next(tokens: &[String], at: &mut usize) -> Option<String> {
    let token = tokens.get(*at)?;
    *at += 1;
    Some(token.clone())
}

/// Splits a text into names, numbers, strings without their quotes, and punctuation. A value that is ended only by its
/// line, as in ASAP7's files, is followed by an added semicolon.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    // The position where the value of a simple attribute begins, until it is ended.
    let mut value = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(after) = rest.strip_prefix('"') {
            let (string, after) = after.split_once('"').unwrap_or((after, ""));
            tokens.push(string.to_owned());
            rest = after;
        } else if first.is_whitespace() || first == '\\' {
            if first == '\n' && value.is_some_and(|start| start < tokens.len()) {
                tokens.push(";".to_owned());
                value = None;
            }
            // A backslash continues the line.
            rest = rest.strip_prefix("\\\n").unwrap_or(&rest[first.len_utf8()..]);
        } else if "(){}:;,".contains(first) {
            tokens.push(first.to_string());
            rest = &rest[1..];
            value = (first == ':').then_some(tokens.len());
        } else {
            let end =
                rest.find(|c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c)).unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_attributes_and_tables_are_read() {
        let text = "/* head */ library (\"tiny\") {\n  time_unit : \"1ns\";\n  unit (1, pf);\n  cell (A) { area : 0.5 ;\n    pin (Y) { \
                    values ( \\\n  \"1, 2\", \\\n \"3, 4\"); } }\n  cell(B){area:1.5;}\n}\n";
        let library = parse(text).unwrap();
        assert_eq!((library.name(), library.text("time_unit")), ("tiny", Some("1ns")));
        let cells: Vec<_> = library.groups("cell").map(|c| (c.name(), c.number("area"))).collect();
        assert_eq!(cells, [("A", Some(0.5)), ("B", Some(1.5))]);
        let pin = library.groups("cell").next().unwrap().groups("pin").next().unwrap();
        assert_eq!(pin.numbers("values"), [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn a_line_ends_a_value() {
        let text = "library (a) {\n  cell (A) {\n    area : 0.5\n    when : \"x\" \\\n \"y\";\n    pin (Y) { capacitance : \n 2; }\n  }\n}\n";
        let library = parse(text).unwrap();
        let cell = library.groups("cell").next().unwrap();
        assert_eq!((cell.number("area"), cell.text("when")), (Some(0.5), Some("x y")));
        assert_eq!(cell.groups("pin").next().unwrap().number("capacitance"), Some(2.0));
    }

    #[test]
    fn a_file_that_does_not_end_is_none() {
        for text in ["", "library", "library (a) {", "library (a) { cell (b) {", "library (a) { x : 1"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"a () {".repeat(1000)), None);
    }
}
