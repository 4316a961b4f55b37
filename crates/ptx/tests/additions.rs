//! Tests of atomic additions in memory: their results, and the races that plain accesses to the same numbers cause.

use pairwright_ptx::{Fault, FaultKind, Launch, Memory, launch, parse};

/// A kernel in which every thread adds a term to the counter of its kind, in device memory, and keeps the old value;
/// the block's even threads are counted in shared memory.
const COUNTS: &str = r#"
.version 9.0
.target sm_80
.address_size 64
.shared .align 4 .u32 even;
.visible .entry counts(.param .u64 counts, .param .u64 out, .param .u64 evens)
.maxntid 64, 1, 1
{
    .reg .pred %p<4>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [counts];
    ld.param.u64 %rd2, [out];
    ld.param.u64 %rd3, [evens];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.s32 %r3, %r2, 64, %r1;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra FILLED;
    st.shared.u32 [even], 0;
FILLED:
    bar.sync 0;
    and.b32 %r4, %r3, 3;
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd5, %rd1, %rd4;
    atom.global.add.u32 %r5, [%rd5], %r3;
    mul.wide.u32 %rd6, %r3, 4;
    add.s64 %rd7, %rd2, %rd6;
    st.global.u32 [%rd7], %r5;
    and.b32 %r6, %r3, 1;
    setp.ne.s32 %p2, %r6, 0;
    mov.u32 %r7, even;
    @!%p2 red.shared.add.u32 [%r7], 1;
    bar.sync 0;
    @%p1 bra DONE;
    ld.shared.u32 %r8, [%r7];
    mul.wide.u32 %rd8, %r2, 4;
    add.s64 %rd9, %rd3, %rd8;
    st.global.u32 [%rd9], %r8;
DONE:
    ret;
}
"#;

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// The counters, the old values that 128 threads found, and the numbers of even threads of two blocks.
fn run(text: &str, written: bool) -> Result<[Vec<u32>; 3], Fault> {
    let module = parse(text).unwrap();
    let mut memory = Memory::new();
    let counts = if written { memory.upload(&[0; 16]) } else { memory.allocate(16) };
    let (out, evens) = (memory.allocate(512), memory.allocate(8));
    let arguments = [counts, out, evens].iter().flat_map(|address| address.to_le_bytes()).collect();
    let shape = Launch { grid: [2, 1, 1], block: [64, 1, 1], shared: 0, arguments };
    launch(&module.kernels[0], &shape, &mut memory)?;
    let mut read = |address, bytes| numbers(memory.buffer(address).unwrap().read(0, bytes).unwrap());
    Ok([read(counts, 16), read(out, 512), read(evens, 8)])
}

/// The kind of the fault of the text with a part replaced.
fn fault(part: &str, new: &str) -> FaultKind {
    assert!(COUNTS.contains(part), "{part}");
    run(&COUNTS.replacen(part, new, 1), true).unwrap_err().kind
}

#[test]
fn every_addition_counts() {
    let [counts, olds, evens] = run(COUNTS, true).unwrap();
    let mut expected = [0; 4];
    for thread in 0..128 {
        assert!(olds[thread] <= counts[thread % 4] - thread as u32);
        expected[thread % 4] += thread as u32;
    }
    assert_eq!((counts[..].to_vec(), evens), (expected.to_vec(), vec![32, 32]));
    // Each thread found a different sum.
    let mut of_kind: Vec<u32> = olds.iter().copied().skip(1).step_by(4).collect();
    of_kind.sort_unstable();
    of_kind.dedup();
    assert_eq!(of_kind.len(), 32);
    // With other orders and scopes in the text, all of which are relaxed.
    for name in ["atom.relaxed.gpu.global.add.u32", "atom.add.u32"] {
        assert_eq!(run(&COUNTS.replace("atom.global.add.u32", name), true).unwrap()[0], expected);
    }
}

#[test]
fn accesses_beside_additions_are_races() {
    let race = |kind: FaultKind| assert!(matches!(kind, FaultKind::Race { .. }), "{kind}");
    race(fault("atom.global.add.u32 %r5, [%rd5], %r3;", "st.global.u32 [%rd5], %r3;\nmov.u32 %r5, 0;"));
    race(fault("st.global.u32 [%rd7], %r5;", "ld.global.u32 %r9, [%rd5];\nst.global.u32 [%rd7], %r9;"));
    // Without the barrier before, and without the one after.
    race(fault("FILLED:\n    bar.sync 0;", "FILLED:"));
    race(fault("bar.sync 0;\n    @%p1 bra DONE;", "@%p1 bra DONE;"));
    assert!(matches!(run(COUNTS, false).unwrap_err().kind, FaultKind::Unwritten { .. }));
    let odd = fault("atom.global.add.u32 %r5, [%rd5]", "atom.global.add.u32 %r5, [%rd5+2]");
    assert!(matches!(odd, FaultKind::Misaligned { bytes: 4, .. }), "{odd}");
    let outside = fault("atom.global.add.u32 %r5, [%rd5]", "atom.global.add.u32 %r5, [%rd5+16]");
    assert!(matches!(outside, FaultKind::OutOfBounds { .. }), "{outside}");
}

#[test]
fn other_read_modify_writes_are_refused() {
    for name in [
        "atom.global.max.u32",
        "atom.global.add.u64",
        "atom.acquire.gpu.global.add.u32",
        "atom.global.cas.b32",
    ] {
        let error = parse(&COUNTS.replace("atom.global.add.u32", name)).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}
