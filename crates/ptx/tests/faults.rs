//! Correct kernels, and the same kernels with a planted fault: each fault must be reported, or give a wrong result if
//! it violates no rule of the machine.

use pairwright_ptx::{Counters, Fault, FaultKind, Launch, Memory, TextError, launch, parse};

/// A kernel in which every block reverses its 64 pieces of 16 bytes through shared memory; the last block has fewer.
const BLOCKS: &str = r#"
.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 shared[];
.visible .entry reverse(.param .u32 n, .param .u64 out, .param .u64 in)
.maxntid 64, 1, 1
{
    .reg .pred %p<4>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
    ld.param.u32 %r1, [n];
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.s32 %r4, %r3, 64, %r2;
    mul.wide.u32 %rd3, %r4, 16;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    mov.u32 %r5, shared;
    shl.b32 %r6, %r2, 4;
    add.s32 %r7, %r5, %r6;
    setp.ge.u32 %p1, %r4, %r1;
    @%p1 bra FILLED;
    ld.global.nc.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5];
    st.shared.v4.u32 [%r7], {%r10, %r11, %r12, %r13};
FILLED:
    bar.sync 0;
    @%p1 bra DONE;
    xor.b32 %r20, %r2, 63;
    shl.b32 %r21, %r20, 4;
    add.s32 %r22, %r5, %r21;
    ld.shared.v4.u32 {%r14, %r15, %r16, %r17}, [%r22];
    add.cc.u32 %r30, %r14, 1;
    addc.u32 %r31, %r15, 0;
    st.global.v4.u32 [%rd4], {%r30, %r31, %r16, %r17};
DONE:
    ret;
}
"#;

/// A kernel in which four blocks of a cluster, of 32 threads each, rotate their pieces through each other's shared
/// memory, twice.
const CLUSTER: &str = r#"
.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 shared[];
.visible .entry rotate(.param .u64 out, .param .u64 in)
.maxntid 32, 1, 1
.explicitcluster
.reqnctapercluster 4, 1, 1
{
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r1, %cluster_ctarank;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.s32 %r4, %r3, 32, %r2;
    mul.wide.u32 %rd3, %r4, 8;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u64 %rd6, [%rd5];
    add.s32 %r5, %r1, 1;
    and.b32 %r6, %r5, 3;
    mov.u64 %rd7, shared;
    cvta.shared.u64 %rd8, %rd7;
    mul.wide.u32 %rd9, %r2, 8;
    mapa.u64 %rd10, %rd8, %r6;
    add.s64 %rd11, %rd10, %rd9;
    add.s64 %rd12, %rd8, %rd9;
    barrier.cluster.arrive.release.aligned; // first
    barrier.cluster.wait.acquire.aligned; // first
    st.u64 [%rd11], %rd6;
    barrier.cluster.arrive.release.aligned; // second
    barrier.cluster.wait.acquire.aligned; // second
    ld.u64 %rd13, [%rd12];
    barrier.cluster.arrive.release.aligned; // third
    barrier.cluster.wait.acquire.aligned; // third
    st.u64 [%rd11], %rd13;
    barrier.cluster.arrive.release.aligned; // fourth
    barrier.cluster.wait.acquire.aligned; // fourth
    ld.u64 %rd14, [%rd11];
    barrier.cluster.arrive.release.aligned; // last
    barrier.cluster.wait.acquire.aligned; // last
    st.global.u64 [%rd4], %rd14;
    ret;
}
"#;

/// A kernel in which every thread moves a word to the mirrored position.
const GRID: &str = r#"
.version 9.0
.target sm_90
.address_size 64
.visible .entry swap(.param .u64 out, .param .u64 in)
{
    .reg .b32 %r<10>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.s32 %r3, %r2, 32, %r1;
    mul.wide.u32 %rd3, %r3, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r4, [%rd4];
    mov.u32 %r5, 63;
    sub.s32 %r6, %r5, %r3;
    mul.wide.u32 %rd5, %r6, 4;
    add.s64 %rd6, %rd1, %rd5;
    st.global.u32 [%rd6], %r4;
    ret;
}
"#;

/// Number of pieces of the first kernel's input: a block and a part of one.
const PIECES: usize = 100;

fn words(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) | 1).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn arguments(list: &[u64]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The parameters of a run that may differ from the right ones.
struct Run {
    shared: usize,
    /// Pieces that the input has, of which the first ones are written.
    written: usize,
    output: usize,
}

const RIGHT: Run = Run { shared: 1024, written: 128, output: 128 };

/// Runs the first kernel; returns the output.
fn blocks(text: &str, run: &Run) -> Result<(Vec<u8>, Counters), Fault> {
    let module = parse(text).unwrap();
    let mut memory = Memory::new();
    let input = memory.allocate(16 * 128);
    memory.buffer(input).unwrap().write(0, &bytes(&words(4 * run.written)));
    let out = memory.allocate(16 * run.output);
    let shape = Launch {
        grid: [2, 1, 1],
        block: [64, 1, 1],
        shared: run.shared,
        arguments: arguments(&[PIECES as u64, out, input]),
    };
    let counters = launch(&module.kernels[0], &shape, &mut memory)?;
    Ok((memory.buffer(out).unwrap().read(0, 16 * 64).unwrap().to_vec(), counters))
}

fn cluster(text: &str) -> Result<Vec<u8>, Fault> {
    let module = parse(text).unwrap();
    let mut memory = Memory::new();
    let (input, out) = (memory.upload(&bytes(&words(512))), memory.allocate(2048));
    let shape =
        Launch { grid: [8, 1, 1], block: [32, 1, 1], shared: 256, arguments: arguments(&[out, input]) };
    launch(&module.kernels[0], &shape, &mut memory)?;
    Ok(memory.buffer(out).unwrap().read(0, 2048).unwrap().to_vec())
}

/// The text with a part of it, which must occur, replaced.
fn with(text: &str, part: &str, new: &str) -> String {
    assert!(text.contains(part), "{part}");
    text.replace(part, new)
}

/// The kernel's output without a fault: only whole blocks read what they have written.
fn reversed() -> Vec<u8> {
    let pieces: Vec<[u32; 4]> = words(256).chunks(4).map(|w| [w[0], w[1], w[2], w[3]]).collect();
    let sum = |w: &[u32; 4]| {
        let (low, carry) = w[0].overflowing_add(1);
        [low, w[1].wrapping_add(u32::from(carry)), w[2], w[3]]
    };
    bytes(pieces.iter().rev().map(sum).collect::<Vec<_>>().as_flattened())
}

/// The kind of fault of the first kernel with a part of its text replaced.
fn kind(part: &str, new: &str, run: &Run) -> FaultKind {
    blocks(&whole(&with(BLOCKS, part, new)), run).unwrap_err().kind
}

/// The text for two full blocks; with the right bound the second block would read locations that its missing threads
/// have not written.
fn whole(text: &str) -> String {
    text.replace("setp.ge.u32 %p1, %r4, %r1;", "setp.ge.u32 %p1, %r4, 128;")
}

#[test]
fn kernels_that_are_right_give_no_fault() {
    let (found, counters) = blocks(&whole(BLOCKS), &RIGHT).unwrap();
    assert_eq!(found, reversed());
    assert_eq!((counters.barriers, counters.loaded, counters.stored), (2, 2048, 2048));
    assert_eq!((counters.bank_turns, counters.bank_turns_least), (32, 32));
    assert_eq!((counters.sectors_loaded, counters.shared_local, counters.shared_remote), (64, 256, 0));
    // Two steps further around the cluster.
    let found = cluster(CLUSTER).unwrap();
    let all = bytes(&words(512));
    for (block, piece) in found.chunks(256).enumerate() {
        let from = block / 4 * 4 + (block + 3) % 4;
        assert_eq!(piece, &all[256 * from..][..256], "block {block}");
    }
}

#[test]
fn a_part_filled_block_reads_what_nobody_has_written() {
    let fault = blocks(BLOCKS, &RIGHT).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Unwritten { bytes: 16, .. }), "{fault}");
    assert_eq!((fault.block, fault.thread), (1, 0));
    let line = BLOCKS.lines().position(|line| line.contains("ld.shared")).unwrap() + 1;
    assert_eq!(fault.line as usize, line);
    assert!(fault.to_string().contains("kernel `reverse`"), "{fault}");
}

#[test]
fn a_missing_barrier_is_seen() {
    // The second warp has not run yet.
    assert!(matches!(kind("bar.sync 0;", "", &RIGHT), FaultKind::Unwritten { .. }));
    // If the memory had been written before, it would be a race.
    let text = with(
        BLOCKS,
        "ld.global.nc.v4.u32",
        "st.shared.v4.u32 [%r7+-0], {1,1,1,1};\nbar.sync 0;\nld.global.nc.v4.u32",
    );
    let text = with(&text, "FILLED:\n    bar.sync 0;", "FILLED:");
    assert!(matches!(blocks(&whole(&text), &RIGHT).unwrap_err().kind, FaultKind::Race { .. }));
}

#[test]
fn barriers_that_not_all_threads_reach_are_seen() {
    let of = FaultKind::Barrier { of: "block" };
    assert_eq!(kind("bar.sync 0;", "setp.lt.u32 %p2, %r2, 8; @%p2 bar.sync 0;", &RIGHT), of);
    // A whole warp skips the barrier: it continues, or it has ended.
    let beside = kind("bar.sync 0;", "setp.lt.u32 %p2, %r2, 32; @%p2 bar.sync 0;", &RIGHT);
    assert!(matches!(beside, FaultKind::Race { .. }), "{beside}");
    assert_eq!(kind("FILLED:", "FILLED: setp.lt.u32 %p2, %r2, 32; @%p2 exit;", &RIGHT), of);
}

#[test]
fn accesses_beside_their_place_are_seen() {
    let store = "st.shared.v4.u32 [%r7]";
    let moved = |by: &str| kind(store, &format!("st.shared.v4.u32 [%r7+{by}]"), &RIGHT);
    assert!(matches!(moved("8"), FaultKind::Misaligned { bytes: 16, .. }));
    assert!(matches!(moved("16"), FaultKind::OutOfBounds { address: 1024, .. }), "the last thread's");
    assert!(matches!(moved("1073741824"), FaultKind::OutOfBounds { .. }));
    let short = Run { shared: 1008, ..RIGHT };
    assert!(matches!(blocks(&whole(BLOCKS), &short).unwrap_err().kind, FaultKind::OutOfBounds { .. }));
    let short = Run { output: 127, ..RIGHT };
    assert!(matches!(blocks(&whole(BLOCKS), &short).unwrap_err().kind, FaultKind::OutOfBounds { .. }));
    let unwritten = Run { written: 127, ..RIGHT };
    let fault = blocks(&whole(BLOCKS), &unwritten).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Unwritten { .. }));
    assert_eq!((fault.block, fault.thread), (1, 63));
    assert!(matches!(
        kind("ld.global.nc.v4.u32 {%r10", "ld.global.nc.v4.u32 {%r10", &Run { written: 0, ..RIGHT }),
        FaultKind::Unwritten { .. }
    ));
}

#[test]
fn two_threads_on_a_word_are_a_race() {
    assert!(matches!(kind("shl.b32 %r6, %r2, 4;", "shl.b32 %r6, 3, 4;", &RIGHT), FaultKind::Race { .. }));
    // Different threads of a warp in one instruction, on device memory.
    assert!(matches!(
        kind("add.s64 %rd4, %rd1, %rd3;", "mov.u64 %rd4, %rd1;", &RIGHT),
        FaultKind::Race { .. }
    ));
}

#[test]
fn an_output_that_is_the_input_is_a_race() {
    let module = parse(GRID).unwrap();
    let mut memory = Memory::new();
    let (input, out) = (memory.upload(&bytes(&words(64))), memory.allocate(256));
    let shape =
        |out| Launch { grid: [2, 1, 1], block: [32, 1, 1], shared: 0, arguments: arguments(&[out, input]) };
    launch(&module.kernels[0], &shape(out), &mut memory).unwrap();
    let fault = launch(&module.kernels[0], &shape(input), &mut memory).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { thread: Some(31), block: 0, .. }), "{fault}");
}

#[test]
fn a_wrong_index_is_wrong_in_the_result() {
    let (found, _) = blocks(&whole(&with(BLOCKS, "xor.b32 %r20", "or.b32 %r20")), &RIGHT).unwrap();
    assert_ne!(found, reversed());
}

#[test]
fn carries_and_registers_without_a_writer_are_refused() {
    let error = parse(&with(BLOCKS, "add.cc.u32", "add.u32")).unwrap_err();
    assert!(matches!(error, TextError::Carry { .. }), "{error}");
    // The borrow of a difference is no carry.
    let error = parse(&with(BLOCKS, "add.cc.u32", "sub.cc.u32")).unwrap_err();
    assert!(matches!(error, TextError::Carry { .. }), "{error}");
    for removed in ["setp.ge.u32 %p1, %r4, %r1;", "shl.b32 %r6, %r2, 4;", "mov.u32 %r3, %ctaid.x;"] {
        let error = parse(&with(BLOCKS, removed, "")).unwrap_err();
        assert!(matches!(error, TextError::Unwritten { .. }), "{removed}: {error}");
    }
    // Written on only one of two paths.
    let text = with(BLOCKS, "xor.b32 %r20, %r2, 63;", "");
    let text = with(&text, "st.shared.v4.u32 [%r7]", "xor.b32 %r20, %r2, 63;\nst.shared.v4.u32 [%r7]");
    assert!(matches!(parse(&text).unwrap_err(), TextError::Unwritten { .. }));
}

#[test]
fn missing_barriers_of_a_cluster_are_seen() {
    let without = |which: &str| {
        let kept: Vec<&str> =
            CLUSTER.lines().filter(|line| !line.ends_with(&format!("// {which}"))).collect();
        cluster(&kept.join("\n")).unwrap_err().kind
    };
    assert!(matches!(without("first"), FaultKind::NotStarted { rank: 1 }));
    assert!(matches!(without("second"), FaultKind::Unwritten { .. }), "the neighbour has not run yet");
    assert!(matches!(without("third"), FaultKind::Race { .. }));
    // The place that is read is the neighbour's, of another block's writing: so is the last barrier's.
    assert!(matches!(without("last"), FaultKind::Ended { .. }));
    // Between the fourth barrier's places a block reads what it wrote itself.
    let text = with(CLUSTER, "ld.u64 %rd14, [%rd11];", "ld.u64 %rd14, [%rd12];");
    let kept: Vec<&str> = text.lines().filter(|line| !line.ends_with("// fourth")).collect();
    assert!(matches!(cluster(&kept.join("\n")).unwrap_err().kind, FaultKind::Race { .. }));
}

#[test]
fn halves_of_a_barrier_belong_together() {
    let text = with(CLUSTER, "ld.global.u64 %rd6, [%rd5];", "");
    let text = with(
        &text,
        "barrier.cluster.wait.acquire.aligned; // first",
        "ld.global.u64 %rd6, [%rd5];\nbarrier.cluster.wait.acquire.aligned; // first",
    );
    assert_eq!(cluster(&text).unwrap_err().kind, FaultKind::BetweenHalves);
    let text = with(CLUSTER, "barrier.cluster.arrive.release.aligned; // third", "");
    assert_eq!(cluster(&text).unwrap_err().kind, FaultKind::BetweenHalves);
    // One block's threads end before the last barrier of the others.
    let text = with(
        CLUSTER,
        "barrier.cluster.arrive.release.aligned; // last",
        ".reg .pred %q; setp.eq.u32 %q, %r1, 2; @%q ret;\nbarrier.cluster.arrive.release.aligned; // last",
    );
    let kind = cluster(&text).unwrap_err().kind;
    assert!(matches!(kind, FaultKind::Barrier { of: "cluster" } | FaultKind::Ended { .. }), "{kind}");
}

#[test]
fn another_shape_than_the_kernels_is_refused() {
    let module = parse(CLUSTER).unwrap();
    let mut memory = Memory::new();
    let (input, out) = (memory.upload(&bytes(&words(512))), memory.allocate(2048));
    let right =
        Launch { grid: [8, 1, 1], block: [32, 1, 1], shared: 256, arguments: arguments(&[out, input]) };
    for wrong in [
        Launch { grid: [6, 1, 1], ..right.clone() },
        Launch { block: [64, 1, 1], ..right.clone() },
        Launch { block: [0, 1, 1], ..right.clone() },
        Launch { arguments: arguments(&[out]), ..right.clone() },
    ] {
        let fault = launch(&module.kernels[0], &wrong, &mut memory).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Launch { .. }), "{fault}");
    }
    assert!(launch(&module.kernels[0], &right, &mut memory).is_ok());
}

#[test]
fn a_kernel_without_an_end_is_stopped() {
    let fault = blocks(&with(BLOCKS, "DONE:", "DONE: bra.uni DONE;"), &RIGHT).err().unwrap();
    assert!(matches!(fault.kind, FaultKind::Unwritten { .. } | FaultKind::Endless(_)), "{fault}");
    let fault = blocks(&whole(&with(BLOCKS, "DONE:", "DONE: bra.uni DONE;")), &RIGHT).err().unwrap();
    assert!(matches!(fault.kind, FaultKind::Endless(_)), "{fault}");
}

#[test]
fn threads_that_part_meet_again() {
    // The number of turns differs from thread to thread, and some threads skip the loop.
    let text = r#"
.version 9.0
.target sm_75
.address_size 64
.visible .entry turns(.param .u64 out)
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 7;
    mov.u32 %r3, 0;
    mov.u32 %r4, %r2;
    setp.eq.s32 %p1, %r2, 0;
    mov.pred %p2, %p1;
    mov.pred %p3, -1;
    @!%p3 bra AFTER;
    @%p2 bra AFTER;
TURN:
    add.s32 %r3, %r3, %r4;
    sub.s32 %r4, %r4, 1;
    setp.ne.s32 %p1, %r4, 0;
    @%p1 bra TURN;
AFTER:
    bar.sync 0;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}
"#;
    let module = parse(text).unwrap();
    assert_eq!(module.target, 75);
    let mut memory = Memory::new();
    let out = memory.allocate(4 * 48);
    let shape = Launch { grid: [1; 3], block: [48, 1, 1], shared: 0, arguments: arguments(&[out]) };
    let counters = launch(module.kernel("turns").unwrap(), &shape, &mut memory).unwrap();
    let expected: Vec<u32> = (0..48u32).map(|i| (i % 8) * (i % 8 + 1) / 2).collect();
    assert_eq!(memory.buffer(out).unwrap().read(0, 4 * 48).unwrap(), bytes(&expected));
    assert_eq!((counters.barriers, counters.stored), (1, 192));
    assert!(counters.thread_instructions < 48 * counters.longest_warp);
}
