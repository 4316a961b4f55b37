//! Boolean functions of cells in the notation of the Liberty format.

/// The largest number of pins of a function, so that the table of its values fits a word.
pub(crate) const PINS: usize = 6;
/// The largest stack depth of an evaluation, and the deepest nesting of parentheses.
const DEEPEST: usize = 32;
/// For each pin, its value in all combinations: in combination k, pin i has bit i of k.
const CASES: [u64; PINS] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// A Boolean function of pins in postfix form, for a stack machine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Pin(usize),
    Constant(u64),
    Not,
    And,
    Or,
    Xor,
}

impl Function {
    /// Parses a function of these pins; `None` if the text is not a function or contains other names.
    pub(crate) fn parse(text: &str, pins: &[String]) -> Option<Self> {
        let mut parser = Parser { text: text.as_bytes(), at: 0, pins, steps: Vec::new() };
        parser.or(0)?;
        let mut height = 0usize;
        for step in &parser.steps {
            height = match step {
                Step::Pin(_) | Step::Constant(_) => height + 1,
                Step::Not => height,
                _ => height - 1,
            };
            if height > DEEPEST {
                return None;
            }
        }
        (parser.peek().is_none() && pins.len() <= PINS).then_some(Self { steps: parser.steps })
    }

    /// The function's value in 64 lanes, given the values of the pins.
    pub(crate) fn lanes(&self, pin: impl Fn(usize) -> u64) -> u64 {
        let mut stack = [0u64; DEEPEST + 1];
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Step::Pin(k) => {
                    top += 1;
                    stack[top] = pin(k);
                }
                Step::Constant(value) => {
                    top += 1;
                    stack[top] = value;
                }
                Step::Not => stack[top] = !stack[top],
                Step::And => {
                    top -= 1;
                    stack[top] &= stack[top + 1];
                }
                Step::Or => {
                    top -= 1;
                    stack[top] |= stack[top + 1];
                }
                Step::Xor => {
                    top -= 1;
                    stack[top] ^= stack[top + 1];
                }
            }
        }
        stack[top]
    }

    /// The values for all combinations of the pins: in combination k, pin i has bit i of k.
    pub(crate) fn table(&self) -> u64 {
        self.lanes(|k| CASES[k])
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    pins: &'a [String],
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn takes(&mut self, marks: &[u8]) -> bool {
        let found = self.peek().is_some_and(|mark| marks.contains(&mark));
        self.at += usize::from(found);
        found
    }

    fn or(&mut self, depth: usize) -> Option<()> {
        self.and(depth)?;
        while self.takes(b"|+") {
            self.and(depth)?;
            self.steps.push(Step::Or);
        }
        Some(())
    }

    /// A product of factors, which may follow each other without an operator.
    fn and(&mut self, depth: usize) -> Option<()> {
        self.xor(depth)?;
        while self.takes(b"&*") || self.peek().is_some_and(|c| c == b'(' || c == b'!' || is_name(c)) {
            self.xor(depth)?;
            self.steps.push(Step::And);
        }
        Some(())
    }

    fn xor(&mut self, depth: usize) -> Option<()> {
        self.unary(depth)?;
        while self.takes(b"^") {
            self.unary(depth)?;
            self.steps.push(Step::Xor);
        }
        Some(())
    }

    fn unary(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        if self.takes(b"!") {
            self.unary(depth + 1)?;
            self.steps.push(Step::Not);
            return Some(());
        }
        if self.takes(b"(") {
            self.or(depth + 1)?;
            if !self.takes(b")") {
                return None;
            }
        } else {
            self.peek()?;
            let start = self.at;
            while self.text.get(self.at).is_some_and(|c| is_name(*c)) {
                self.at += 1;
            }
            let name = core::str::from_utf8(&self.text[start..self.at]).ok()?;
            self.steps.push(match name {
                "0" => Step::Constant(0),
                "1" => Step::Constant(u64::MAX),
                _ => Step::Pin(self.pins.iter().position(|pin| pin == name)?),
            });
        }
        while self.takes(b"'") {
            self.steps.push(Step::Not);
        }
        Some(())
    }
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Option<u64> {
        let pins: Vec<String> = ["A", "B", "C", "D"].map(str::to_owned).into();
        Function::parse(text, &pins).map(|function| function.table() & 0xffff)
    }

    #[test]
    fn functions_have_the_values_of_their_formulas() {
        let want = |f: fn([bool; 4]) -> bool| {
            (0..16).fold(0u64, |all, k| all | u64::from(f([0, 1, 2, 3].map(|i| k >> i & 1 == 1))) << k)
        };
        for (text, f) in [
            ("(!A) | (!B)", (|[a, b, ..]| !(a && b)) as fn([bool; 4]) -> bool),
            ("!(A & B)", |[a, b, ..]| !(a && b)),
            ("(A&!B) | (!A&B)", |[a, b, ..]| a != b),
            ("A ^ B ^ C", |[a, b, c, _]| a ^ b ^ c),
            ("A B' + C", |[a, b, c, _]| (a && !b) || c),
            ("A^B&C", |[a, b, c, _]| (a ^ b) && c),
            ("!A&B|C*D", |[a, b, c, d]| (!a && b) || (c && d)),
            ("(A)(B)", |[a, b, ..]| a && b),
            ("1", |_| true),
            ("!D''", |[.., d]| !d),
        ] {
            assert_eq!(table(text), Some(want(f)), "{text}");
        }
    }

    #[test]
    fn what_is_no_function_is_none() {
        for text in ["", "A &", "(A", "A)", "E", "A | | B", "!", &"(".repeat(100), &"!".repeat(100)] {
            assert_eq!(table(text), None, "{text}");
        }
        let deep = (0..40).fold("A".to_owned(), |text, _| format!("(A&{text})"));
        assert_eq!(table(&deep), None);
    }
}
