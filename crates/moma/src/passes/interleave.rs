//! Interleaves several copies of a kernel, so that one copy's instructions run while another's wait for a result.

use crate::ir::{Arg, Inst, Kernel, Param};

/// A kernel that runs `ways` independent copies of another. Inputs named in `shared` occur once, after the others; the
/// number of the copy is appended to the name of every other parameter. Instructions of the copies alternate.
pub fn interleave(kernel: &Kernel, ways: u32, shared: &[&str]) -> Kernel {
    let mut out = Kernel::new(kernel.name.clone());
    let is_shared = |p: &&Param| shared.contains(&p.name.as_str());
    // For each copy, its variable for every variable of the original.
    let mut names: Vec<Vec<Option<Arg>>> = vec![vec![None; kernel.bits.len()]; ways as usize];
    for p in kernel.inputs.iter().filter(is_shared) {
        for part in &p.parts {
            if let Arg::Var(v) = part {
                let new = Arg::from(out.var(kernel.bits[v.0 as usize]));
                names.iter_mut().for_each(|copy| copy[v.0 as usize] = Some(new.clone()));
            }
        }
    }
    let rename = |copy: &[Option<Arg>], arg: &Arg| match arg {
        Arg::Var(v) => copy[v.0 as usize].clone().unwrap_or_else(|| arg.clone()),
        Arg::Const(_) => arg.clone(),
    };
    let parameter = |copy: &[Option<Arg>], p: &Param, suffix: &str| Param {
        name: format!("{}{suffix}", p.name),
        parts: p.parts.iter().map(|part| rename(copy, part)).collect(),
        ..p.clone()
    };
    for (way, copy) in names.iter_mut().enumerate() {
        for p in kernel.inputs.iter().filter(|p| !is_shared(p)) {
            for part in &p.parts {
                if let Arg::Var(v) = part {
                    copy[v.0 as usize] = Some(out.var(kernel.bits[v.0 as usize]).into());
                }
            }
            out.inputs.push(parameter(copy, p, &way.to_string()));
        }
    }
    out.inputs.extend(kernel.inputs.iter().filter(is_shared).map(|p| parameter(&names[0], p, "")));
    for inst in &kernel.body {
        for copy in &mut names {
            let args = inst.args.iter().map(|a| rename(copy, a)).collect();
            let outs = inst.outs.iter().map(|v| {
                let new = out.var(kernel.bits[v.0 as usize]);
                copy[v.0 as usize] = Some(new.into());
                new
            });
            let outs = outs.collect();
            out.body.push(Inst { args, outs, ..inst.clone() });
        }
    }
    for (way, copy) in names.iter().enumerate() {
        out.outputs.extend(kernel.outputs.iter().map(|p| parameter(copy, p, &way.to_string())));
    }
    out
}
