//! Formulas and machines shared by several tests.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Fault, Fp6, Graph, Trace};
use pairwright_chip::machine::interpret::{Refusal, Why};

/// The product in Fp6 of [CP] §IV.A: operands of three coefficients, six products.
pub(crate) fn fp6_mul() -> Graph {
    Trace::graph(|t| {
        let ([a, b, c], [d, e, f]) = (t.inputs("a", 0), t.inputs("b", 3));
        let r = Fp6::new(a, b, c) * Fp6::new(d, e, f);
        t.outputs("r", 0, [r.c0, r.c1, r.c2]);
    })
}

/// Whether the machine refuses the words for a reason of this kind.
pub(crate) fn refused(fault: &Fault, kind: impl Fn(Why) -> bool) -> bool {
    matches!(fault, Fault::Refused(Refusal { why, .. }) if kind(*why))
}

/// Whether words fail in one of the ways that words issued too early or too late do.
pub(crate) fn is_late(fault: &Fault) -> bool {
    let kind = |why| matches!(why, Why::Unwritten(_) | Why::WritePorts(_) | Why::Collision(_));
    matches!(fault, Fault::Output { .. }) || refused(fault, kind)
}

/// A design from the list below, defined by its changes.
pub(crate) fn machine(name: &str, changes: &[(&str, &str)]) -> MachineSpec {
    let spec = MachineSpec::named(name).unwrap();
    changes.iter().fold(spec, |spec, (path, value)| spec.with(path, value).unwrap())
}

/// Machines that differ in every parameter that affects a schedule.
pub(crate) fn machines() -> Vec<(String, MachineSpec)> {
    let changes: &[(&str, &[(&str, &str)])] = &[
        ("paper", &[]),
        ("best", &[]),
        ("paper", &[("mm.latency", "8")]),
        ("best", &[("mm.latency", "16")]),
        ("paper", &[("mm.latency", "24")]),
        ("paper", &[("forwarding.path1", "false"), ("forwarding.path2", "false")]),
        ("best", &[("forwarding.path1", "false"), ("forwarding.path2", "false")]),
        ("best", &[("forwarding.path1", "false")]),
        ("best", &[("forwarding.path2", "false")]),
        ("paper", &[("mm.style", "iterative")]),
        ("best", &[("mm.style", "iterative"), ("mm.latency", "10")]),
        ("best", &[("mm.ii", "3")]),
        ("best", &[("banks.reads", "1")]),
        ("paper", &[("banks.rows", "12")]),
        ("best", &[("arith.latency", "2")]),
        ("best", &[("arith.latency", "3"), ("forwarding.path2", "false"), ("mm.latency", "9")]),
    ];
    let all = changes.iter().map(|(name, list)| {
        let title = list.iter().fold((*name).to_owned(), |t, (path, value)| format!("{t} {path}={value}"));
        (title, machine(name, list))
    });
    all.collect()
}
