//! Common subexpressions: a repeated operation on the same operands is replaced by the results of the first.

use std::collections::BTreeMap;

use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// Replaces repeated operations by the results of the first, unless these are declared wider.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut seen: BTreeMap<(Op, u32, Vec<Arg>, usize), Vec<Var>> = BTreeMap::new();
    let mut same: Vec<Option<Arg>> = vec![None; kernel.bits.len()];
    let mut body: Vec<Inst> = Vec::with_capacity(kernel.body.len());
    for mut inst in kernel.body {
        replace(&mut inst.args, &same);
        let mut args = inst.args.clone();
        if commutes(inst.op) {
            args[..2].sort();
        }
        let key = (inst.op, inst.width, args, inst.outs.len());
        let narrower = |first: &[Var]| {
            first.iter().zip(&inst.outs).all(|(a, b)| kernel.bits[a.0 as usize] <= kernel.bits[b.0 as usize])
        };
        match seen.get(&key) {
            Some(first) if narrower(first) => {
                for (var, value) in inst.outs.iter().zip(first) {
                    same[var.0 as usize] = Some((*value).into());
                }
            }
            _ => {
                seen.insert(key, inst.outs.clone());
                body.push(inst);
            }
        }
    }
    kernel.body = body;
    for p in &mut kernel.outputs {
        replace(&mut p.parts, &same);
    }
    kernel
}

fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Mul
            | Op::MulLo
            | Op::Eq
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Mac
            | Op::MadLo
            | Op::MadHi
            | Op::DotLo { .. }
            | Op::DotHi { .. }
    )
}

/// Replaces variables by the values in `same`, which is indexed by variable.
pub(super) fn replace(args: &mut [Arg], same: &[Option<Arg>]) {
    for arg in args {
        if let Arg::Var(v) = arg
            && let Some(value) = &same[v.0 as usize]
        {
            *arg = value.clone();
        }
    }
}
