//! Constant folding, algebra with zero and one, and ranges: a carry that cannot occur for the ranges of the operands is
//! zero.

use num_bigint::BigUint;
use num_traits::Zero;

use super::cse::replace;
use crate::interp::{mask, step};
use crate::ir::{Arg, Inst, Kernel, Op};

/// Folds constants and removes carries that the ranges of the operands rule out.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut same: Vec<Option<Arg>> = vec![None; kernel.bits.len()];
    let mut most: Vec<BigUint> = kernel.bits.iter().map(|&b| mask(b)).collect();
    let mut body = Vec::with_capacity(kernel.body.len());
    for mut inst in std::mem::take(&mut kernel.body) {
        replace(&mut inst.args, &same);
        weaken(&mut inst);
        if let Some(values) = simplify(&inst, &|a| kernel.width_of(a)) {
            for (var, value) in inst.outs.iter().zip(values) {
                same[var.0 as usize] = Some(value);
            }
            continue;
        }
        // A variable of no bits is zero.
        for var in &inst.outs {
            if kernel.bits[var.0 as usize] == 0 {
                same[var.0 as usize] = Some(Arg::zero());
            }
        }
        let bound = |a: &Arg| match a {
            Arg::Const(c) => c.clone(),
            Arg::Var(v) => most[v.0 as usize].clone(),
        };
        let bounds: Vec<BigUint> = inst.args.iter().map(bound).collect();
        let limits = limits(&inst, &bounds);
        // A carry that cannot occur is not computed.
        if inst.outs.len() == 2
            && matches!(inst.op, Op::Add | Op::MadLo | Op::MadHi)
            && limits.first().is_some_and(Zero::is_zero)
        {
            same[inst.outs[0].0 as usize] = Some(Arg::zero());
            inst.outs.remove(0);
            tighten(&mut kernel, &mut most, &inst, &limits[1..]);
        } else {
            tighten(&mut kernel, &mut most, &inst, &limits);
        }
        body.push(inst);
    }
    kernel.body = body;
    for p in &mut kernel.outputs {
        replace(&mut p.parts, &same);
    }
    kernel
}

/// Lowers the bounds of an instruction's results to the given limits where these are smaller.
fn tighten(kernel: &mut Kernel, most: &mut [BigUint], inst: &Inst, limits: &[BigUint]) {
    for (var, limit) in inst.outs.iter().zip(limits) {
        let at = var.0 as usize;
        if *limit < most[at] {
            most[at] = limit.clone();
            kernel.bits[at] = kernel.bits[at].min(limit.bits() as u32);
        }
    }
}

/// Drops a carry operand or an addend that is the constant zero.
fn weaken(inst: &mut Inst) {
    let fixed = match inst.op {
        Op::Add | Op::Sub => 2,
        Op::Mac | Op::MadLo | Op::MadHi => 3,
        _ => return,
    };
    if inst.args.len() > fixed && inst.args[fixed].is_zero() {
        inst.args.truncate(fixed);
    }
    // Of two addends, a zero one is dropped and the other moves to its position.
    if inst.op == Op::Mac && inst.args.len() == 4 && inst.args[2].is_zero() {
        inst.args.remove(2);
    }
}

/// The greatest value of each result, from the greatest values of the operands. Empty if nothing is known.
fn limits(inst: &Inst, a: &[BigUint]) -> Vec<BigUint> {
    let w = inst.width;
    let cut = |x: BigUint| if x.bits() > u64::from(w) { mask(w) } else { x };
    let two = |x: BigUint| if inst.outs.len() == 1 { vec![cut(x)] } else { vec![&x >> w, cut(x)] };
    match inst.op {
        Op::Add => two(a.iter().sum()),
        Op::Mul => {
            let p = &a[0] * &a[1];
            vec![&p >> w, cut(p)]
        }
        Op::Mac => {
            let p = &a[0] * &a[1] + a[2..].iter().sum::<BigUint>();
            vec![&p >> w, cut(p)]
        }
        Op::MulLo => vec![cut(&a[0] * &a[1])],
        Op::MadLo => two(cut(&a[0] * &a[1]) + a[2..].iter().sum::<BigUint>()),
        Op::MadHi => two(((&a[0] * &a[1]) >> w) + a[2..].iter().sum::<BigUint>()),
        Op::Dot => {
            let low = |x: &BigUint| x.clone().min(mask(w / 2));
            vec![low(&a[0]) * low(&a[1]) + &a[2]]
        }
        Op::DotLo { digit } => vec![(&a[0] * &a[1]).min(mask(digit)) + &a[2]],
        Op::DotHi { digit } => {
            let low = |x: &BigUint| x.clone().min(mask(digit));
            vec![((low(&a[0]) * low(&a[1])) >> digit) + &a[2]]
        }
        Op::Select => vec![a[1].clone().max(a[2].clone())],
        Op::And => vec![a[0].clone().min(a[1].clone())],
        Op::Or | Op::Xor => vec![mask(a[0].bits().max(a[1].bits()) as u32)],
        Op::Funnel { k } => vec![cut(((&a[0] << w) + &a[1]) >> k)],
        _ => Vec::new(),
    }
}

/// The results of an instruction that needs no computation: constants, or its operands. `None` for any other.
pub(crate) fn simplify(inst: &Inst, width_of: &dyn Fn(&Arg) -> u32) -> Option<Vec<Arg>> {
    let w = inst.width;
    let a = &inst.args;
    let fits = |x: &Arg| width_of(x) <= w;
    let same = |x: &Arg| match inst.outs.len() {
        1 => Some(vec![x.clone()]),
        _ => Some(vec![Arg::zero(), x.clone()]),
    };
    let constants: Option<Vec<BigUint>> = a.iter().map(|arg| arg.constant().cloned()).collect();
    if let Some(c) = constants
        && let Some(values) = evaluate(inst, &c)
    {
        return Some(values.into_iter().map(Arg::Const).collect());
    }
    match inst.op {
        Op::Add => {
            let mut left = a.iter().filter(|x| !x.is_zero());
            let (first, more) = (left.next(), left.next().is_some());
            match first {
                Some(x) if !more && fits(x) => same(x),
                _ => None,
            }
        }
        Op::Sub if a[1..].iter().all(Arg::is_zero) && fits(&a[0]) => same(&a[0]),
        Op::Mul if a[0].is_zero() || a[1].is_zero() => Some(vec![Arg::zero(), Arg::zero()]),
        Op::Mul if a[0].is_one() && fits(&a[1]) => Some(vec![Arg::zero(), a[1].clone()]),
        Op::Mul if a[1].is_one() && fits(&a[0]) => Some(vec![Arg::zero(), a[0].clone()]),
        Op::MulLo if a[0].is_zero() || a[1].is_zero() => Some(vec![Arg::zero()]),
        Op::MulLo if a[0].is_one() && fits(&a[1]) => Some(vec![a[1].clone()]),
        Op::MulLo if a[1].is_one() && fits(&a[0]) => Some(vec![a[0].clone()]),
        Op::Sqr if a[0].is_zero() => Some(vec![Arg::zero(), Arg::zero()]),
        Op::Mac if a[0].is_zero() || a[1].is_zero() => {
            let mut left = a[2..].iter().filter(|x| !x.is_zero());
            match (left.next(), left.next()) {
                (None, _) => Some(vec![Arg::zero(), Arg::zero()]),
                (Some(x), None) => Some(vec![Arg::zero(), x.clone()]),
                _ => None,
            }
        }
        Op::MadLo | Op::MadHi if a[0].is_zero() || a[1].is_zero() => {
            let mut left = a[2..].iter().filter(|x| !x.is_zero());
            match (left.next(), left.next()) {
                (None, _) => same(&Arg::zero()),
                (Some(x), None) => same(x),
                _ => None,
            }
        }
        Op::Dot | Op::DotLo { .. } | Op::DotHi { .. } if a[0].is_zero() || a[1].is_zero() => {
            Some(vec![a[2].clone()])
        }
        Op::Lt if a[1].is_zero() || a[0] == a[1] => Some(vec![Arg::zero()]),
        Op::Eq if a[0] == a[1] => Some(vec![Arg::small(1)]),
        Op::Select => match &a[0] {
            Arg::Const(c) => Some(vec![if c.is_zero() { a[2].clone() } else { a[1].clone() }]),
            Arg::Var(_) if a[1] == a[2] => Some(vec![a[1].clone()]),
            Arg::Var(_) => None,
        },
        Op::Funnel { k: 0 } if fits(&a[1]) => Some(vec![a[1].clone()]),
        Op::Funnel { k } if k == w && fits(&a[0]) => Some(vec![a[0].clone()]),
        Op::Funnel { k } if a[0].is_zero() && width_of(&a[1]) <= k => Some(vec![Arg::zero()]),
        Op::And if a[0].is_zero() || a[1].is_zero() => Some(vec![Arg::zero()]),
        Op::And => keeps_all(&a[0], &a[1], width_of).or_else(|| keeps_all(&a[1], &a[0], width_of)),
        Op::Or | Op::Xor if a[0].is_zero() => Some(vec![a[1].clone()]),
        Op::Or | Op::Xor if a[1].is_zero() => Some(vec![a[0].clone()]),
        _ => None,
    }
}

/// The operand `x`, if the mask has ones at all of its bits; else `None`.
fn keeps_all(mask_arg: &Arg, x: &Arg, width_of: &dyn Fn(&Arg) -> u32) -> Option<Vec<Arg>> {
    let c = mask_arg.constant()?;
    let ones = (c + 1u32).count_ones() == 1;
    (ones && width_of(x) <= c.bits() as u32).then(|| vec![x.clone()])
}

/// The results of a plain operation on constant operands; `None` for other operations.
fn evaluate(inst: &Inst, a: &[BigUint]) -> Option<Vec<BigUint>> {
    let plain = matches!(
        inst.op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::MulLo
            | Op::Lt
            | Op::Eq
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Funnel { .. }
    );
    plain.then(|| step(inst, a))
}
