//! Dead code: removes instructions whose results are not used, and carries that nothing reads.

use crate::ir::{Arg, Kernel, Op};

/// Removes instructions and results that no output depends on.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut used = vec![false; kernel.bits.len()];
    let mark = |used: &mut Vec<bool>, arg: &Arg| {
        if let Arg::Var(v) = arg {
            used[v.0 as usize] = true;
        }
    };
    for part in kernel.outputs.iter().flat_map(|p| &p.parts) {
        mark(&mut used, part);
    }
    let mut same: Vec<Option<Arg>> = vec![None; kernel.bits.len()];
    let mut kept = Vec::with_capacity(kernel.body.len());
    for mut inst in kernel.body.into_iter().rev() {
        if !inst.outs.iter().any(|v| used[v.0 as usize]) {
            continue;
        }
        let carries = matches!(inst.op, Op::Add | Op::Sub | Op::MadLo | Op::MadHi) && inst.outs.len() == 2;
        if carries && !used[inst.outs[0].0 as usize] {
            inst.outs.remove(0);
        }
        // The borrow of 0 - 0 - b is b itself.
        if inst.op == Op::Sub
            && inst.outs.len() == 2
            && inst.args.len() == 3
            && inst.args[..2].iter().all(Arg::is_zero)
            && !used[inst.outs[1].0 as usize]
        {
            mark(&mut used, &inst.args[2]);
            same[inst.outs[0].0 as usize] = Some(inst.args[2].clone());
            continue;
        }
        // A product whose high half is not used is a low product.
        if inst.op == Op::Mul && !used[inst.outs[0].0 as usize] {
            inst.op = Op::MulLo;
            inst.outs.remove(0);
        }
        for arg in &inst.args {
            mark(&mut used, arg);
        }
        kept.push(inst);
    }
    kept.reverse();
    // A chain of such borrows resolves to the first one: definitions come before uses, so one pass in order is enough.
    for inst in &mut kept {
        resolve(&mut inst.args, &same);
    }
    for p in &mut kernel.outputs {
        resolve(&mut p.parts, &same);
    }
    kernel.body = kept;
    kernel
}

fn resolve(args: &mut [Arg], same: &[Option<Arg>]) {
    for arg in args {
        while let Arg::Var(v) = arg
            && let Some(value) = &same[v.0 as usize]
        {
            *arg = value.clone();
        }
    }
}
