//! Matching and application of rules.

use super::pattern::{Assignment, At, Body, Condition, Name, Pattern, Rule, Sum, Test, Values};
use crate::error::MomaError;
use crate::ir::{Arg, Inst, Op};
use crate::lower::Rewriter;
use crate::product::sums::{add, digit_bits, mul, sub};

/// The values and numbers that names stand for while a rule is matched and applied.
struct Scope<'a> {
    inst: &'a Inst,
    values: Vec<(&'static str, Arg)>,
    numbers: Vec<(&'static str, u32)>,
}

impl Rule {
    /// Whether the rule rewrites this instruction.
    pub(crate) fn matches(&self, inst: &Inst, rw: &Rewriter<'_>) -> bool {
        let p = &self.pattern;
        let width = match p.width {
            At::Split => rw.split_wide(inst),
            At::Top => inst.width == rw.top,
            At::Word => inst.width == rw.machine.word,
            At::Digit => inst.width == rw.machine.word && rw.machine.lazy(),
            At::Any => true,
        };
        width
            && p.ops.contains(&inst.op.mnemonic())
            && p.operands.fit(inst.args.len())
            && p.results.fit(inst.outs.len())
            && p.scope(inst).is_some_and(|scope| scope.holds(&p.conditions, rw))
    }

    /// Adds the operations of the right-hand side and binds the results of the instruction to theirs.
    ///
    /// # Errors
    /// [`MomaError::RuleName`] if a step names a value that nothing defines.
    pub(crate) fn apply(&self, rw: &mut Rewriter<'_>, inst: &Inst) -> Result<(), MomaError> {
        let steps = match &self.body {
            Body::Template(template) => {
                (template.apply)(rw, inst);
                return Ok(());
            }
            Body::Steps(steps) => steps,
        };
        let Some(mut scope) = self.pattern.scope(inst) else { return Ok(()) };
        let undefined = |name| MomaError::RuleName { rule: self.number, name };
        for step in steps {
            if scope.holds(&step.conditions, rw) {
                scope.step(rw, &self.pattern, step).map_err(undefined)?;
            }
        }
        for (name, var) in self.pattern.results.pairs(&inst.outs) {
            if let Some(value) = scope.get(name) {
                rw.alias(*var, value);
                continue;
            }
            let half = |digit| scope.values.iter().find(|(n, _)| half_of(n) == Some((name, digit)));
            let (Some((_, high)), Some((_, low))) = (half('1'), half('0')) else {
                return Err(undefined(name));
            };
            rw.set(*var, high.clone(), low.clone());
        }
        Ok(())
    }
}

/// The value of which a name denotes a half, and which half: `1` for high, `0` for low.
fn half_of(name: &'static str) -> Option<(&'static str, char)> {
    let digit = name.chars().last().filter(|c| matches!(c, '0' | '1'))?;
    Some((&name[..name.len() - 1], digit))
}

impl Values {
    fn fit(&self, count: usize) -> bool {
        match self {
            Values::Lists => true,
            Values::Named(names) => {
                count <= names.len() && count >= names.iter().filter(|n| !n.optional).count()
            }
        }
    }

    /// The names with their values; names of absent values are left out.
    fn pairs<'a, T>(&'a self, values: &'a [T]) -> impl Iterator<Item = (&'static str, &'a T)> {
        let names: &[Name] = match self {
            Values::Lists => &[],
            Values::Named(names) => names,
        };
        let all = names.len() == values.len();
        names.iter().filter(move |n| all || !n.optional).map(|n| n.name).zip(values)
    }
}

impl Pattern {
    /// The names of the pattern with their values in an instruction, if the parameters of its operation are those of
    /// the pattern.
    fn scope<'a>(&self, inst: &'a Inst) -> Option<Scope<'a>> {
        let mut numbers = Vec::new();
        for (name, value) in self.numbers.iter().zip(inst.op.parameters()) {
            match name.parse::<u32>() {
                Ok(n) if n != value => return None,
                Ok(_) => {}
                Err(_) => numbers.push((*name, value)),
            }
        }
        let values = self.operands.pairs(&inst.args).map(|(name, arg)| (name, arg.clone())).collect();
        Some(Scope { inst, values, numbers })
    }
}

impl Scope<'_> {
    fn get(&self, name: &str) -> Option<Arg> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, value)| value.clone())
    }

    /// An operand of a step: a constant, a value, or half of a value.
    fn operand(&self, rw: &mut Rewriter<'_>, name: &'static str) -> Option<Arg> {
        if let Ok(constant) = name.parse() {
            return Some(Arg::small(constant));
        }
        if name == "ones" {
            return Some(crate::lower::ones(rw.machine.word));
        }
        self.get(name).or_else(|| {
            let (whole, digit) = half_of(name)?;
            let (high, low) = rw.halves(&self.get(whole)?);
            Some(if digit == '1' { high } else { low })
        })
    }

    fn number(&self, rw: &Rewriter<'_>, name: &str) -> i64 {
        i64::from(match name {
            "" => 1,
            "w" => self.inst.width,
            "h" => rw.half,
            "c" => rw.machine.container,
            _ => match self.numbers.iter().find(|(n, _)| *n == name) {
                Some((_, number)) => *number,
                None => self.get(name).map_or(0, |value| rw.bits(&value)),
            },
        })
    }

    fn sum(&self, rw: &Rewriter<'_>, sum: &Sum) -> i64 {
        sum.iter().map(|(factor, name)| factor * self.number(rw, name)).sum()
    }

    /// A sum that is a width or a shift in bits, which is never negative in a correct rule.
    fn bits(&self, rw: &Rewriter<'_>, sum: &Sum) -> u32 {
        u32::try_from(self.sum(rw, sum)).unwrap_or(0)
    }

    fn holds(&self, conditions: &[Condition], rw: &Rewriter<'_>) -> bool {
        let test = |t: &Test| match t {
            Test::Karatsuba => rw.karatsuba > 0,
            Test::Product(style, is) => (rw.machine.product.name() == *style) == *is,
            Test::Compare(method) => rw.machine.compare.name() == *method,
            Test::Native(op, is) => rw.machine.native.contains_key(*op) == *is,
            Test::Given(value, is) => self.get(value).is_some() == *is,
            Test::Numbers(left, sign, right) => {
                let (left, right) = (self.sum(rw, left), self.sum(rw, right));
                match *sign {
                    "<" => left < right,
                    "<=" => left <= right,
                    "=" => left == right,
                    _ => left > right,
                }
            }
        };
        conditions.iter().all(|alternatives| alternatives.iter().any(test))
    }

    /// Adds the operation of one step; the error is a name that is not defined.
    fn step(
        &mut self,
        rw: &mut Rewriter<'_>,
        pattern: &Pattern,
        step: &Assignment,
    ) -> Result<(), &'static str> {
        let mut args = Vec::with_capacity(step.operands.len());
        for name in &step.operands {
            match self.operand(rw, name.name) {
                Some(arg) => args.push(arg),
                None if name.optional => {}
                None => return Err(name.name),
            }
        }
        let declared: Vec<_> =
            pattern.results.pairs(&self.inst.outs).map(|(n, v)| (n, rw.bits(&(*v).into()))).collect();
        let present = |n: &&Name| !n.optional || declared.iter().any(|(name, _)| *name == n.name);
        let names: Vec<&'static str> = step.results.iter().filter(present).map(|n| n.name).collect();
        let Some(mnemonic) = step.op else {
            self.values.extend(names.into_iter().zip(args));
            return Ok(());
        };
        let numbers: Vec<u32> = step.numbers.iter().map(|n| self.bits(rw, n)).collect();
        let op = if mnemonic == "same" { Some(self.inst.op) } else { Op::from_parts(mnemonic, &numbers) };
        let op = op.ok_or(mnemonic)?;
        let w = self.bits(rw, &step.width);
        let claim = |name: &'static str| {
            let whole = |of: &str| declared.iter().find(|(n, _)| *n == of).map(|(_, bits)| *bits);
            whole(name).or_else(|| {
                let (of, digit) = half_of(name)?;
                let bits = whole(of)?;
                Some(if digit == '1' { bits.saturating_sub(rw.half).min(rw.half) } else { bits.min(rw.half) })
            })
        };
        let high_first = matches!(op, Op::Mul | Op::Sqr);
        let widths: Vec<u32> = if let Some(bits) = &step.bits {
            let total = self.bits(rw, bits);
            if names.len() == 1 {
                vec![total]
            } else {
                in_order(digit_bits(total, w, names.len() as u32), high_first)
            }
        } else {
            match op {
                Op::Add | Op::Sub if names.len() == 2 => {
                    let carry = args.get(2).cloned();
                    let (a, b) = (args[0].clone(), args[1].clone());
                    let (c, s) =
                        if op == Op::Add { add(rw, w, a, b, carry) } else { sub(rw, w, a, b, carry) };
                    self.values.extend(names.into_iter().zip([c, s]));
                    return Ok(());
                }
                Op::Mul => {
                    let (high, low) = mul(rw, w, args[0].clone(), args[1].clone());
                    self.values.extend(names.into_iter().zip([high, low]));
                    return Ok(());
                }
                Op::Sqr => in_order(digit_bits(2 * rw.bits(&args[0]), w, 2), true),
                Op::AddQuad => vec![w; 4],
                Op::Lt | Op::Eq => vec![1],
                _ if w == 1 => vec![1],
                _ => {
                    let claims: Result<_, _> = names.iter().map(|n| claim(n).ok_or(*n)).collect();
                    claims?
                }
            }
        };
        let results = rw.emit(op, w, args, &widths);
        self.values.extend(names.into_iter().zip(results));
        Ok(())
    }
}

/// Widths, given lowest first, in the order of an operation's results.
fn in_order(mut widths: Vec<u32>, high_first: bool) -> Vec<u32> {
    if high_first {
        widths.reverse();
    }
    widths
}
