//! Tests of policies: against a simple evaluator of trees, round trips of texts, positions of errors, and sums of shares.

use super::*;
use crate::schemes::abe::algebra::random_scalar;
use crate::schemes::abe::bytes::AbeReader;
use crate::schemes::abe::{MOST_NESTED, PolicyError, PolicyFault};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use pairwright_field::{Field, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap as Map;

/// A formula as a tree, without moving `not` to the literals.
enum Tree {
    Literal(u32, u32),
    Not(Box<Tree>),
    Both(bool, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn random(rng: &mut ChaCha20Rng, depth: u32) -> Self {
        match rng.next_u32() % if depth == 0 { 1 } else { 5 } {
            0 => Self::Literal(rng.next_u32() % 4, rng.next_u32() % 3),
            1 => Self::Not(Box::new(Self::random(rng, depth - 1))),
            kind => {
                let [left, right] = [(); 2].map(|()| Box::new(Self::random(rng, depth - 1)));
                Self::Both(kind % 2 == 0, left, right)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Literal(name, value) => format!("n{name}: v{value}"),
            Self::Not(inner) => format!("not ({})", inner.text()),
            Self::Both(and, left, right) => {
                format!("({}) {} ({})", left.text(), if *and { "and" } else { "or" }, right.text())
            }
        }
    }

    /// Whether the formula, or its negation if `negated`, holds. The value `None` stands for an attribute with every value.
    fn holds(&self, attributes: &Map<u32, Option<u32>>, negated: bool) -> bool {
        match self {
            Self::Literal(name, value) => match attributes.get(name) {
                None => false,
                Some(None) => true,
                Some(Some(held)) => (held == value) != negated,
            },
            Self::Not(inner) => inner.holds(attributes, !negated),
            Self::Both(and, left, right) => {
                let [left, right] = [left, right].map(|side| side.holds(attributes, negated));
                if *and != negated { left && right } else { left || right }
            }
        }
    }
}

#[test]
fn policies_mean_what_a_plain_evaluator_says() {
    let mut rng = ChaCha20Rng::seed_from_u64(20);
    let mut verdicts = [0; 2];
    for _ in 0..2000 {
        let tree = Tree::random(&mut rng, 5);
        let policy: Policy = tree.text().parse().unwrap();
        assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy, "{}", tree.text());
        let bytes = policy.to_bytes();
        assert_eq!(Policy::read(AbeReader::new("policy", &bytes)).unwrap(), policy);
        assert_eq!(Policy::read(AbeReader::new("policy", &bytes)).unwrap().to_bytes(), bytes);

        let (mut held, mut attributes) = (Map::new(), Attributes::new());
        for name in 0..4 {
            let value = match rng.next_u32() % 6 {
                0 => None,
                kind @ 1..=3 => Some(kind - 1),
                _ => continue,
            };
            held.insert(name, value);
            match value {
                None => attributes.insert_wildcard(&format!("n{name}")).unwrap(),
                Some(value) => attributes.insert(&format!("n{name}"), &format!("v{value}")).unwrap(),
            }
        }
        let expected = tree.holds(&held, false);
        verdicts[usize::from(expected)] += 1;
        assert_eq!(policy.satisfied_by(&attributes).is_ok(), expected, "{} {held:?}", tree.text());
        let inner = policy.with_identity(Fr::from(7));
        assert_eq!(inner.satisfied_by(&attributes.with_reserved()).is_ok(), expected);
        assert!(inner.satisfied_by(&attributes).is_err(), "without the reserved attribute nothing opens");

        // The shares of the chosen literals add up to the secret; those of fewer do not.
        let secret = Pair::random(&mut rng);
        let shares = inner.shares(&secret, &mut rng).unwrap();
        let Ok(chosen) = inner.chosen(&attributes.with_reserved()) else { continue };
        let sum = |chosen: &[usize]| {
            chosen.iter().fold(secret.scaled(Fr::ZERO), |sum, at| sum.plus(&shares[*at])).0
        };
        assert_eq!(sum(&chosen), secret.0);
        for left_out in 0..chosen.len() {
            let mut fewer = chosen.clone();
            fewer.remove(left_out);
            assert_ne!(sum(&fewer), secret.0);
        }
    }
    assert!(verdicts.iter().all(|count| *count > 400), "both verdicts are tried: {verdicts:?}");
}

#[test]
fn texts_are_printed_with_few_parentheses() {
    for (text, printed) in [
        ("((a:1))", "a: 1"),
        ("a:1 and b:2 or c:3 and d:4", "a: 1 and b: 2 or c: 3 and d: 4"),
        ("(a:1 or b:2) and c:3", "(a: 1 or b: 2) and c: 3"),
        ("a:1 and (b:2 and c:3)", "a: 1 and (b: 2 and c: 3)"),
        ("(a:1 or b:2) or c:3", "a: 1 or b: 2 or c: 3"),
        ("a:1 or (b:2 or c:3)", "a: 1 or (b: 2 or c: 3)"),
        ("not not not a:1", "not a: 1"),
        ("not (a:1 and not b:2)\n\tor 9 : _", "not a: 1 or b: 2 or 9: _"),
        ("not (a:1 or b:2 and c:3)", "not a: 1 and (not b: 2 or not c: 3)"),
    ] {
        assert_eq!(text.parse::<Policy>().unwrap().to_string(), printed);
    }
    // A long chain does not count as nesting.
    let chain = (0..500).map(|i| format!("a: {i}")).collect::<Vec<_>>().join(" or ");
    let policy: Policy = chain.parse().unwrap();
    assert_eq!(policy.to_string(), chain);
    assert_eq!(policy.numbers(), (0..500).collect::<Vec<_>>());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    use PolicyFault as F;
    for (text, line, column, fault) in [
        ("", 1, 1, F::Literal("the end".into())),
        ("  \n ", 2, 2, F::Literal("the end".into())),
        ("a: 1 & b: 2", 1, 6, F::Character('&')),
        ("ä: 1", 1, 1, F::Character('ä')),
        ("a-b: 1", 1, 2, F::Character('-')),
        ("a: 1 and", 1, 9, F::Literal("the end".into())),
        ("a: 1 and or b: 2", 1, 10, F::Literal("`or`".into())),
        ("and: 1", 1, 1, F::Literal("`and`".into())),
        (": 1", 1, 1, F::Literal("`:`".into())),
        ("a 1", 1, 3, F::Colon("`1`".into())),
        ("a: (1)", 1, 4, F::Value("`(`".into())),
        ("a: or b: 2", 1, 4, F::Value("`or`".into())),
        ("a:\nb: 1 or\nnot", 2, 2, F::End("`:`".into())),
        ("a: 1 or\nnot", 2, 4, F::Literal("the end".into())),
        ("country: north korea", 1, 16, F::End("`korea`".into())),
        ("(a: 1", 1, 6, F::Open("the end".into())),
        ("(a: 1 or b: 2))", 1, 15, F::End("`)`".into())),
        ("a: 1 not b: 2", 1, 6, F::End("`not`".into())),
        ("()", 1, 2, F::Literal("`)`".into())),
    ] {
        assert_eq!(text.parse::<Policy>().unwrap_err(), PolicyError { line, column, fault }, "{text:?}");
    }
    let nested = |n: usize| format!("{}a: 1{}", "(".repeat(n), ")".repeat(n)).parse::<Policy>();
    assert!(nested(MOST_NESTED - 1).is_ok());
    assert_eq!(nested(MOST_NESTED).unwrap_err().fault, F::Nested);
    let nots = |n: usize| format!("{}a: 1", "not ".repeat(n)).parse::<Policy>();
    assert!(nots(MOST_NESTED - 1).is_ok());
    assert_eq!(nots(MOST_NESTED).unwrap_err().fault, F::Nested);
    for many in ["(", "not "].map(|piece| piece.repeat(1_000_000)) {
        assert_eq!(many.parse::<Policy>().unwrap_err().fault, F::Nested);
    }
    let error = "a: 1 &".parse::<Policy>().unwrap_err().to_string();
    assert_eq!(error, "policy, line 1, column 6: the character '&' has no place in a policy");
}

/// A text whose policy just fits its length field, and one that is a letter longer.
#[test]
fn policies_that_are_too_long() {
    let text = |n: usize, last: usize| {
        let mut text = "a: 1 or ".repeat(n - 1);
        text += &format!("a: {}", "v".repeat(last));
        text
    };
    let size = |text: &str| text.parse::<Policy>().unwrap().to_bytes().len();
    let one = size(&text(2, 1)) - size(&text(1, 1));
    let n = 0xffff / one;
    let room = 0xffff - size(&text(n, 1));
    assert_eq!(size(&text(n, 1 + room)), 0xffff);
    assert_eq!(text(n, 2 + room).parse::<Policy>().unwrap_err().fault, PolicyFault::Long);
    assert_eq!(text(100_000, 1).parse::<Policy>().unwrap_err().fault, PolicyFault::Long);
}

/// The fault of a policy's bytes after a change.
fn fault_of(text: &str, change: impl FnOnce(&mut Vec<u8>)) -> EncodingFault {
    let mut bytes = text.parse::<Policy>().unwrap().to_bytes();
    change(&mut bytes);
    match Policy::read(AbeReader::new("policy", &bytes)) {
        Err(AbeError::Bytes { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytes_that_no_text_gives() {
    let text = "aa: 1 and bb: 2 or cc: 3";
    // Length, count, two gates of seven bytes (operator, left, right, output), then the literals.
    assert_eq!(fault_of(text, |b| b[4] = 2), EncodingFault::Flag(2));
    for (at, wire) in [(5, 1), (5, 3), (5, 9), (7, 0), (7, 4), (9, 4), (9, 2), (9, 255), (12, 2)] {
        assert_eq!(fault_of(text, |b| b[at] = wire), EncodingFault::Formula, "{at} {wire}");
    }
    // Two gates that feed each other.
    let circle = [0, 4, 0, 0, 0, 3, 0, 1, 3, 0, 1, 0, 4, 0];
    assert_eq!(fault_of(text, |b| b[4..18].copy_from_slice(&circle)), EncodingFault::Formula);
    assert_eq!(fault_of(text, |b| b[2] = 3), EncodingFault::Count { expected: 2, found: 3 });
    assert_eq!(fault_of(text, |b| b[18] = 4), EncodingFault::Count { expected: 3, found: 4 });
    let first = 20;
    let name = first + 4;
    assert_eq!(fault_of(text, |b| b[name] = b'-'), EncodingFault::Name);
    assert_eq!(fault_of(text, |b| b[name] = 0xff), EncodingFault::Name);
    assert_eq!(fault_of(text, |b| b[name + 4] = b'2'), EncodingFault::Value);
    assert_eq!(fault_of(text, |b| b[name + 4] = b' '), EncodingFault::Name);
    assert_eq!(fault_of(text, |b| b[name + 7..name + 39].fill(0xff)), EncodingFault::Scalar);
    assert_eq!(fault_of(text, |b| b[name + 38] ^= 1), EncodingFault::Value);
    assert_eq!(fault_of(text, |b| b[name + 39] = 7), EncodingFault::Flag(7));
    assert_eq!(fault_of(text, |b| b.push(0)), EncodingFault::Trailing { left: 1 });
    assert!(matches!(fault_of(text, |b| _ = b.pop()), EncodingFault::Short { .. }));
    assert!(matches!(fault_of(text, Vec::clear), EncodingFault::Short { needed: 2, left: 0 }));
}

/// The reserved name is refused in encodings and texts: every key would satisfy a literal with it.
#[test]
fn the_reserved_name_is_refused() {
    let mut policy: Policy = "a: 1".parse().unwrap();
    policy.literals[0].name = RESERVED.into();
    let bytes = policy.to_bytes();
    let read = Policy::read(AbeReader::new("policy", &bytes));
    assert!(matches!(read, Err(AbeError::Bytes { fault: EncodingFault::Reserved, .. })));
    assert!(format!("{RESERVED}: 1").parse::<Policy>().is_err());
}

#[test]
fn scalars_of_values_are_below_the_order() {
    let mut rng = ChaCha20Rng::seed_from_u64(21);
    let drawn: Vec<Fr> = (0..100).map(|_| random_scalar(&mut rng)).collect();
    assert!(drawn.iter().any(|x| x.to_limbs()[3] >> 62 == 1), "the upper half is drawn too");
}
