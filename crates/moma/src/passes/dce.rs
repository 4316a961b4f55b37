//! Dead code: instructions without a used result go, and so do carries that nobody reads.

use crate::ir::{Arg, Kernel, Op};

/// Removes what no output depends on.
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
    let mut kept = Vec::with_capacity(kernel.body.len());
    for mut inst in kernel.body.into_iter().rev() {
        if !inst.outs.iter().any(|v| used[v.0 as usize]) {
            continue;
        }
        let carries = matches!(inst.op, Op::Add | Op::Sub | Op::MadLo | Op::MadHi) && inst.outs.len() == 2;
        if carries && !used[inst.outs[0].0 as usize] {
            inst.outs.remove(0);
        }
        // Half a product that nobody reads.
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
    kernel.body = kept;
    kernel
}
