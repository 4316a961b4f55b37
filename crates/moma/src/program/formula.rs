//! Formulas: straight-line programs over elements, such as the addition of two points.
//!
//! A formula is recorded operation by operation, usually by running code that is generic over a ring on symbols, so
//! that host and device compute by the same text. While it is recorded, equal operations become one and negations are
//! merged into sums; steps that no result depends on are removed at the end.

use super::interp::FieldRule;
use super::lang::Role;
use num_bigint::BigUint;
use num_traits::Zero;
use std::collections::BTreeMap;

/// A value in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The element zero.
    Zero,
    /// An operand of the formula, by its index.
    Input(usize),
    /// The result of a step, by its index.
    Step(usize),
}

/// One step of a formula: a call of a field function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The field function.
    pub role: Role,
    /// Its first operand.
    pub a: Value,
    /// Its second operand; the same as the first for a square.
    pub b: Value,
}

/// A formula under construction or complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// The name of the printed function.
    pub name: String,
    /// Number of operands.
    pub inputs: usize,
    /// The steps in order; a step reads operands and results of earlier steps.
    pub steps: Vec<Step>,
    /// The results, in order.
    pub outputs: Vec<Value>,
}

impl Formula {
    /// A formula without steps and results.
    pub fn new(name: impl Into<String>, inputs: usize) -> Self {
        Self { name: name.into(), inputs, ..Self::default() }
    }

    /// The value whose negative this is, if it was recorded as `0 - b`.
    fn negated(&self, value: Value) -> Option<Value> {
        let Value::Step(at) = value else { return None };
        match self.steps.get(at) {
            Some(Step { role: Role::Sub, a: Value::Zero, b }) => Some(*b),
            _ => None,
        }
    }

    /// Records an operation and returns its result. The second operand of a square is ignored.
    pub fn call(&mut self, role: Role, a: Value, b: Value) -> Value {
        let (role, a, b) = match (role, self.negated(a), self.negated(b)) {
            (Role::Add, _, Some(b)) => (Role::Sub, a, b),
            (Role::Add, Some(a), None) => (Role::Sub, b, a),
            (Role::Sub, _, Some(b)) => (Role::Add, a, b),
            (Role::Mul, ..) if a == b => (Role::Sqr, a, a),
            (Role::Sqr, ..) => (Role::Sqr, a, a),
            _ => (role, a, b),
        };
        match (role, a, b) {
            (Role::Add, Value::Zero, other) | (Role::Add | Role::Sub, other, Value::Zero) => return other,
            (Role::Mul | Role::Sqr, Value::Zero, _) | (Role::Mul, _, Value::Zero) => return Value::Zero,
            _ => {}
        }
        // Sums and products are commutative, so their operands are sorted.
        let (a, b) = if role == Role::Sub { (a, b) } else { (a.min(b), a.max(b)) };
        let step = Step { role, a, b };
        let at = self.steps.iter().position(|other| *other == step).unwrap_or(self.steps.len());
        if at == self.steps.len() {
            self.steps.push(step);
        }
        Value::Step(at)
    }

    /// Completes the formula with its results and removes the steps that none of them depends on.
    #[must_use]
    pub fn with_outputs(mut self, outputs: Vec<Value>) -> Self {
        let mut used = vec![false; self.steps.len()];
        let mark = |used: &mut Vec<bool>, value: Value| {
            if let Value::Step(at) = value {
                used[at] = true;
            }
        };
        outputs.iter().for_each(|value| mark(&mut used, *value));
        for (at, step) in self.steps.iter().enumerate().rev() {
            if used[at] {
                mark(&mut used, step.a);
                mark(&mut used, step.b);
            }
        }
        let mut places = vec![Value::Zero; self.steps.len()];
        let moved = |places: &[Value], value: Value| match value {
            Value::Step(at) => places[at],
            other => other,
        };
        let mut steps = Vec::new();
        for (at, step) in self.steps.iter().enumerate().filter(|(at, _)| used[*at]) {
            places[at] = Value::Step(steps.len());
            steps.push(Step { role: step.role, a: moved(&places, step.a), b: moved(&places, step.b) });
        }
        self.outputs = outputs.into_iter().map(|value| moved(&places, value)).collect();
        self.steps = steps;
        self
    }

    /// The results on integers, each below the modulus of the rule.
    ///
    /// # Panics
    /// If there are fewer numbers than operands: a programming error, not an input error.
    pub fn run(&self, rule: &FieldRule, inputs: &[BigUint]) -> Vec<BigUint> {
        assert!(inputs.len() >= self.inputs, "a number for each operand");
        let mut done: Vec<BigUint> = Vec::with_capacity(self.steps.len());
        let read = |done: &[BigUint], value: Value| match value {
            Value::Zero => BigUint::zero(),
            Value::Input(at) => inputs[at].clone(),
            Value::Step(at) => done[at].clone(),
        };
        for step in &self.steps {
            let result = rule.call(step.role, &read(&done, step.a), &read(&done, step.b));
            done.push(result);
        }
        self.outputs.iter().map(|value| read(&done, *value)).collect()
    }

    /// The number of calls of each field function.
    pub fn calls(&self) -> BTreeMap<Role, u64> {
        let mut calls = BTreeMap::new();
        for step in &self.steps {
            *calls.entry(step.role).or_default() += 1;
        }
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_go_into_sums_and_equal_steps_are_one() {
        let mut f = Formula::new("f", 2);
        let [a, b] = [0, 1].map(Value::Input);
        let minus = f.call(Role::Sub, Value::Zero, b);
        let difference = f.call(Role::Add, a, minus);
        let other_order = f.call(Role::Add, minus, a);
        assert_eq!(difference, other_order);
        let sum = f.call(Role::Sub, a, minus);
        let again = f.call(Role::Add, b, a);
        assert_eq!(sum, again);
        let product = f.call(Role::Mul, difference, sum);
        let square = f.call(Role::Mul, product, product);
        assert_eq!(f.call(Role::Sqr, product, a), square);
        assert_eq!((f.call(Role::Add, a, Value::Zero), f.call(Role::Mul, a, Value::Zero)), (a, Value::Zero));
        let f = f.with_outputs(vec![square, b, Value::Zero]);
        // The step of the negation has been removed.
        assert_eq!(f.steps.len(), 4);
        assert_eq!(f.calls(), [(Role::Add, 1), (Role::Sub, 1), (Role::Mul, 1), (Role::Sqr, 1)].into());
        let rule = FieldRule::plain(&BigUint::from(101u32));
        let numbers = [5u32, 9].map(BigUint::from);
        // (5 - 9)(5 + 9) = -56, squared: 3136 = 31 * 101 + 5.
        assert_eq!(f.run(&rule, &numbers), [5u32, 9, 0].map(BigUint::from));
    }
}
