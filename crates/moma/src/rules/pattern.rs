//! The parser of `rewrite.rules`: patterns, steps and conditions as data.
//!
//! The head of that file says what the notation means; this file turns it into the types below, which
//! [`apply`](super::apply) matches and runs.

use super::{TEMPLATES, Template};
use crate::error::RuleError;

/// A rule of the rewrite system.
#[derive(Debug)]
pub struct Rule {
    /// The number; up to 29 it is the paper's. A letter marks a variant.
    pub number: &'static str,
    /// The name, a few words that say what the rule does.
    pub name: &'static str,
    /// The source: a paper with its section, or the instructions that the rule stands for.
    pub cite: &'static str,
    /// The text of the rule in the list.
    pub text: &'static str,
    pub(super) pattern: Pattern,
    pub(super) body: Body,
}

/// The instructions that a rule rewrites.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) results: Values,
    /// Mnemonics of the operations.
    pub(super) ops: Vec<&'static str>,
    /// Names for the parameters of the operation, or values that they must have.
    pub(super) numbers: Vec<&'static str>,
    pub(super) width: At,
    pub(super) operands: Values,
    pub(super) conditions: Vec<Condition>,
}

/// The operands or results of a pattern.
#[derive(Debug)]
pub(super) enum Values {
    /// Any number of them, which a template reads.
    Lists,
    /// The given operands or results, by name.
    Named(Vec<Name>),
}

/// A name, and whether its value may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) name: &'static str,
    pub(super) optional: bool,
}

/// The width at which a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// The widest operations of a round that splits.
    Split,
    /// The widest operations of a round.
    Top,
    /// Words of the machine.
    Word,
    /// Words that lie in a wider container.
    Digit,
    /// Operations of every width.
    Any,
}

/// A condition, which holds if one of its alternatives holds.
pub(super) type Condition = Vec<Test>;

/// A test of the machine, the options, or the matched values.
#[derive(Debug)]
pub(super) enum Test {
    /// The machine has this product style, or does not.
    Product(&'static str, bool),
    /// The machine compares by this method.
    Compare(&'static str),
    /// At least one level of Karatsuba's rule is left.
    Karatsuba,
    /// The machine has this operation, or does not.
    Native(&'static str, bool),
    /// An optional value is present, or is absent.
    Given(&'static str, bool),
    /// Two numbers compare as the sign says.
    Numbers(Sum, &'static str, Sum),
}

/// A sum of multiples of numbers: 1, the widths w, h and c, parameters of the operation, and widths of values.
pub(super) type Sum = Vec<(i64, &'static str)>;

/// The right-hand side of a rule.
#[derive(Debug)]
pub(super) enum Body {
    /// A list of operations, in order.
    Steps(Vec<Assignment>),
    /// A function in Rust that writes the operations.
    Template(Template),
}

/// A step of a right-hand side.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) results: Vec<Name>,
    /// The width of all results together in bits, if the step states it.
    pub(super) bits: Option<Sum>,
    /// The operation's mnemonic, or `same` for the operation that was matched; `None` if the result is another name of
    /// a value.
    pub(super) op: Option<&'static str>,
    pub(super) numbers: Vec<Sum>,
    pub(super) width: Sum,
    pub(super) operands: Vec<Name>,
    pub(super) conditions: Vec<Condition>,
}

/// Parses a list of rules.
///
/// # Errors
/// [`RuleError`] with the line that cannot be read.
pub(super) fn parse(text: &'static str) -> Result<Vec<Rule>, RuleError> {
    let mut rules = Vec::new();
    // The text before the first rule is the comment at the head of the list.
    let starts: Vec<usize> =
        text.match_indices("\nrule ").map(|(at, _)| at + 1).chain([text.len()]).collect();
    for w in starts.windows(2) {
        rules.push(rule(text[w[0]..w[1]].trim_end())?);
    }
    Ok(rules)
}

fn fail<T>(line: &'static str) -> Result<T, RuleError> {
    Err(RuleError { line })
}

fn rule(text: &'static str) -> Result<Rule, RuleError> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("");
    let Some((number, name)) = head.strip_prefix("rule ").and_then(|h| h.split_once(' ')) else {
        return fail(head);
    };
    let line = lines.next().unwrap_or("");
    let Some(cite) = line.strip_prefix("from ") else { return fail(line) };
    let line = lines.next().unwrap_or("");
    let Some(pattern) = pattern(line) else { return fail(line) };
    let mut steps = Vec::new();
    for line in lines {
        if let Some(template) = line.trim().strip_prefix("by ") {
            let known =
                template.split_once(": ").and_then(|(name, _)| TEMPLATES.iter().find(|t| t.name == name));
            let Some(&template) = known else { return fail(line) };
            return Ok(Rule { number, name, cite, text, pattern, body: Body::Template(template) });
        }
        let Some(step) = step(line) else { return fail(line) };
        steps.push(step);
    }
    Ok(Rule { number, name, cite, text, pattern, body: Body::Steps(steps) })
}

/// `results = operation{numbers}.width operands  where conditions`.
fn pattern(line: &'static str) -> Option<Pattern> {
    let (line, conditions) = conditions(line)?;
    let (results, rest) = line.split_once(" = ")?;
    let (op, operands) = rest.split_once(' ')?;
    let (op, width) = op.rsplit_once('.')?;
    let (ops, numbers) = braces(op)?;
    let width = match width {
        "2h" => At::Split,
        "top" => At::Top,
        "word" => At::Word,
        "digit" => At::Digit,
        "any" => At::Any,
        _ => return None,
    };
    let numbers = numbers.split(',').filter(|n| !n.is_empty()).collect();
    let values = |text: &'static str| match text.trim() {
        "..." => Some(Values::Lists),
        text => names(text).map(Values::Named),
    };
    let ops = ops.split('|').collect();
    Some(Pattern { results: values(results)?, ops, numbers, width, operands: values(operands)?, conditions })
}

/// `results [: bits] = operation{numbers}.width operands  where conditions`, or `result = value`.
fn step(line: &'static str) -> Option<Assignment> {
    let (line, conditions) = conditions(line)?;
    let (results, rest) = line.split_once(" = ")?;
    let (results, bits) = match results.split_once(" : ") {
        Some((results, bits)) => (results, Some(sum(bits)?)),
        None => (results, None),
    };
    let results = names(results)?;
    let Some((op, operands)) = rest.trim().split_once(' ') else {
        let operands = names(rest)?;
        let (numbers, width) = (Vec::new(), Vec::new());
        return Some(Assignment { results, bits, op: None, numbers, width, operands, conditions });
    };
    let (op, width) = op.rsplit_once('.')?;
    let (op, numbers) = braces(op)?;
    let numbers = numbers.split(',').filter(|n| !n.is_empty()).map(sum).collect::<Option<_>>()?;
    let (width, operands) = (sum(width)?, names(operands)?);
    Some(Assignment { results, bits, op: Some(op), numbers, width, operands, conditions })
}

fn conditions(line: &'static str) -> Option<(&'static str, Vec<Condition>)> {
    let Some((line, conditions)) = line.split_once(" where ") else { return Some((line, Vec::new())) };
    let each = |c: &'static str| c.split(" or ").map(test).collect::<Option<Vec<_>>>();
    Some((line, conditions.split(" and ").map(each).collect::<Option<_>>()?))
}

fn test(text: &'static str) -> Option<Test> {
    let words: Vec<&'static str> = text.split_whitespace().collect();
    Some(match words[..] {
        ["karatsuba"] => Test::Karatsuba,
        ["product", style] => Test::Product(style, true),
        ["not", "product", style] => Test::Product(style, false),
        ["compare", method] => Test::Compare(method),
        ["native", op] => Test::Native(op, true),
        ["not", "native", op] => Test::Native(op, false),
        ["given", value] => Test::Given(value, true),
        ["no", value] => Test::Given(value, false),
        [left, sign @ ("<" | "<=" | "=" | ">"), right] => Test::Numbers(sum(left)?, sign, sum(right)?),
        _ => return None,
    })
}

/// The name and the text in braces after it.
fn braces(op: &'static str) -> Option<(&'static str, &'static str)> {
    match op.split_once('{') {
        Some((op, numbers)) => Some((op, numbers.strip_suffix('}')?)),
        None => Some((op, "")),
    }
}

/// `a, b, [c]`.
fn names(text: &'static str) -> Option<Vec<Name>> {
    let one = |text: &'static str| {
        let name = text.trim().trim_start_matches('[').trim_end_matches(']');
        (!name.is_empty()).then_some(Name { name, optional: name != text.trim() })
    };
    text.split(',').map(one).collect()
}

/// `2m`, `m+5-w`, `a+b`, `4`.
fn sum(text: &'static str) -> Option<Sum> {
    let text = text.trim();
    let starts = [0].into_iter().chain(text.match_indices(['+', '-']).map(|(at, _)| at));
    let starts: Vec<usize> = starts.chain([text.len()]).collect();
    let term = |w: &[usize]| {
        let term = &text[w[0]..w[1]];
        let (sign, term) = match term.strip_prefix('-') {
            Some(term) => (-1, term),
            None => (1, term.strip_prefix('+').unwrap_or(term)),
        };
        let name = term.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &term[..term.len() - name.len()];
        let factor: i64 = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        (!term.is_empty()).then_some((sign * factor, name))
    };
    starts.windows(2).map(term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_rule_is_named() {
        for (text, line) in [
            ("\nrule 1 a\nfrom b\nr = add.2h a, b\n  x y z\n", "  x y z"),
            ("\nrule 1 a\nfrom b\nr = add a, b\n", "r = add a, b"),
            ("\nrule 1 a\nr = add.2h a, b\n", "r = add.2h a, b"),
            (
                "\nrule 1 a\nfrom b\n... = redc{n,r}.word ...\n  by nobody: no reason\n",
                "  by nobody: no reason",
            ),
            ("\nrule 1 a\nfrom b\nr = add.2h a, b where moon\n", "r = add.2h a, b where moon"),
        ] {
            assert_eq!(parse(text).unwrap_err(), RuleError { line });
        }
    }
}
