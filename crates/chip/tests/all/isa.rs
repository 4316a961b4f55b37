//! The instruction set from outside: encoding and decoding, assembly and disassembly, and the error of each wrong word and
//! text.

use pairwright_chip::isa::rows::{L1_ROWS, L2_ROWS};
use pairwright_chip::isa::{
    Channel, Direction, Field, FwdPath, Group, Image, IsaError, L1, L2, L2Op, Loc, LoopReg, Memory, Operand,
    Tables, Transform, VectorOp, assemble, disassemble,
};
use proptest::prelude::*;

const ALL: &str = include_str!("isa/all.pw");

fn loc() -> impl Strategy<Value = Loc> {
    (0..3u8, 0..32u8).prop_map(|(bank, row)| Loc { bank, row })
}

fn operand() -> impl Strategy<Value = Operand> {
    let channel = prop::sample::select(vec![Channel::Mm, Channel::Arith, Channel::Inv]);
    prop_oneof![3 => loc().prop_map(Operand::Row), 1 => channel.prop_map(Operand::Forward)]
}

/// A strategy for all L2 instructions that can be encoded.
fn l2() -> impl Strategy<Value = L2> {
    let op = prop::sample::select(L2_ROWS.iter().map(|row| row.op).collect::<Vec<_>>());
    let path = prop::sample::select(vec![FwdPath::One, FwdPath::Two]);
    (op, [operand(), operand()], prop::option::of(loc()), path, 0..3u8).prop_map(
        |(op, src, dst, path, mark)| {
            let src = [0, 1].map(|index| (index < op.operands()).then_some(src[index]));
            let forwarded = src.iter().any(|src| matches!(src, Some(Operand::Forward(_))));
            let dst = dst.filter(|_| op != L2Op::Nop);
            L2 { op, src, dst, path: forwarded.then_some(path), with_next: mark == 1, last: mark == 2 }
        },
    )
}

/// A strategy for all L1 instructions that can be encoded.
fn l1() -> impl Strategy<Value = L1> {
    use Memory::{A, B, C, Global, Points, Scalars, Twiddles};
    let kind = prop::sample::select(vec![
        Transform::Ntt,
        Transform::Intt,
        Transform::CosetNtt,
        Transform::CosetIntt,
    ]);
    let op = prop::sample::select(vec![VectorOp::Mul, VectorOp::Add, VectorOp::Sub, VectorOp::MulAdd]);
    let memory = prop::sample::select(vec![A, B, C, Points, Scalars, Twiddles, Global]);
    let reg = || prop::sample::select(vec![LoopReg::I, LoopReg::J, LoopReg::K]);
    let direction = prop::sample::select(vec![Direction::In, Direction::Out]);
    let length = || 1..=1024u16;
    let addr = || 0..1024u16;
    let src = || 0..2u8;
    let stream = any::<u8>;
    prop_oneof![
        (kind, 5..=10u32, src(), 0..=5u8, prop::sample::select(vec![Tables::Shared, Tables::Own])).prop_map(
            |(kind, log, src, batch, tables)| L1::SubNtt { kind, length: 1 << log, src, batch, tables }
        ),
        (5..=10u32, src(), 0..=5u8, stream()).prop_map(|(log, src, batch, stream)| L1::GenTwiddles {
            length: 1 << log,
            src,
            batch,
            stream
        }),
        (op, length(), src()).prop_map(|(op, length, src)| L1::Vector { op, length, src }),
        (length(), src(), prop::sample::select(vec![Group::G1, Group::G2]))
            .prop_map(|(length, src, group)| L1::MsmOp1 { length, src, group }),
        prop::sample::select(vec![L1::MsmInitP2, L1::MsmInitP3, L1::Finish]),
        (memory.clone(), length(), src(), stream()).prop_map(|(memory, length, src, stream)| L1::Load {
            memory,
            length,
            src,
            stream
        }),
        (length(), src(), stream()).prop_map(|(length, src, stream)| L1::Load {
            memory: Memory::Base,
            length,
            src,
            stream
        }),
        (memory, length(), src(), stream()).prop_map(|(memory, length, src, stream)| L1::Store {
            memory,
            length,
            src,
            stream
        }),
        (direction, 1..=96u16, any::<u8>(), 0..96u8)
            .prop_map(|(direction, rows, global, local)| L1::Switch { direction, rows, global, local }),
        (reg(), 1..=384u16, any::<u8>()).prop_map(|(reg, bits, global)| L1::LoadScan { reg, bits, global }),
        prop::sample::select(vec![Field::Fq, Field::Fr]).prop_map(|field| L1::SetField { field }),
        addr().prop_map(|addr| L1::PairOp { addr }),
        (addr(), 1..=65_536u32).prop_map(|(addr, times)| L1::PairRepeat { addr, times }),
        (reg(), addr()).prop_map(|(reg, addr)| L1::Jump { reg, addr }),
        (reg(), addr()).prop_map(|(reg, addr)| L1::Scan { reg, addr }),
        (reg(), addr(), 1..=65_536u32).prop_map(|(reg, addr, count)| L1::Loop { reg, addr, count }),
    ]
}

fn round_trips(word: u32) -> (bool, bool) {
    let l1 = L1::decode(word).map(|instruction| assert_eq!(instruction.encode(), Ok(word), "{instruction}"));
    let l2 = L2::decode(word).map(|instruction| assert_eq!(instruction.encode(), Ok(word), "{instruction}"));
    (l1.is_ok(), l2.is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn l1_to_a_word_and_back(instruction in l1()) {
        prop_assert_eq!(L1::decode(instruction.encode().unwrap()), Ok(instruction));
    }

    #[test]
    fn l2_to_a_word_and_back(instruction in l2()) {
        prop_assert_eq!(L2::decode(instruction.encode().unwrap()), Ok(instruction));
    }

    #[test]
    fn any_word_is_refused_or_comes_back(words in prop::collection::vec(any::<u32>(), 256)) {
        for word in words {
            round_trips(word);
        }
    }

    #[test]
    fn an_image_to_text_and_back(
        l1 in prop::collection::vec(prop_oneof![8 => l1().prop_map(|i| i.encode().unwrap()), 1 => any::<u32>(), 3 => Just(0)], 1..40),
        l2 in prop::collection::vec(prop_oneof![8 => l2().prop_map(|i| i.encode().unwrap()), 1 => any::<u32>(), 3 => Just(0)], 1..40),
        names in prop::collection::vec(("[A-Za-z_][A-Za-z0-9_.]{1,6}", any::<bool>(), any::<prop::sample::Index>()), 0..12),
    ) {
        let mut image = Image { l1, l2, ..Image::default() };
        for (name, second, index) in names {
            let (labels, words) = if second {
                (&mut image.l2_labels, image.l2.len())
            } else {
                (&mut image.l1_labels, image.l1.len())
            };
            labels.insert(name, index.index(words) as u16);
        }
        image.check().unwrap();
        let text = disassemble(&image);
        prop_assert_eq!(assemble(&text), Ok(image.clone()), "{}", text);
        prop_assert_eq!(Image::from_json(&image.to_json()).unwrap(), image);
    }

    #[test]
    fn any_text_is_refused_or_assembles(text in "(\\.l[12]|[a-z_0-9.:,|; \n]{0,12}){0,12}") {
        if let Ok(image) = assemble(&text) {
            prop_assert_eq!(assemble(&disassemble(&image)), Ok(image));
        }
    }
}

/// Shift and width of each field of L2.
const L2_FIELDS: [(u32, u32); 10] =
    [(28, 4), (26, 2), (21, 5), (19, 2), (14, 5), (12, 2), (7, 5), (5, 2), (3, 2), (0, 3)];

/// Tries all opcodes with all values of each pair of the other fields. The rest is one of three patterns that are legal for
/// some instruction: zeros, no destination, both operands forwarded.
#[test]
fn every_pair_of_l2_fields_is_refused_or_comes_back() {
    let mut legal = 0_u32;
    for opcode in 0..16 {
        for rest in [0, 3 << 12, 3 << 12 | 1 << 5 | 2 << 3] {
            for (first, &(low_a, bits_a)) in L2_FIELDS.iter().enumerate().skip(1) {
                for &(low_b, bits_b) in &L2_FIELDS[first + 1..] {
                    let mask = ((1 << bits_a) - 1) << low_a | ((1 << bits_b) - 1) << low_b;
                    for (a, b) in (0..1 << bits_a).flat_map(|a| (0..1 << bits_b).map(move |b| (a, b))) {
                        let word = opcode << 28 | rest & !mask | a << low_a | b << low_b;
                        legal += u32::from(round_trips(word).1);
                    }
                }
            }
        }
    }
    assert!(legal > 10_000, "{legal}");
}

/// Tries all L1 opcodes, each with all values of the next 16 bits and the rest zeros or ones, and with all values of the
/// last 16 bits after a length of 32.
#[test]
fn every_half_of_an_l1_word_is_refused_or_comes_back() {
    for opcode in 0..64u32 {
        let mut legal = 0_u32;
        for half in 0..1 << 16 {
            for rest in [half << 10, half << 10 | 0x3ff, 31 << 16 | half] {
                legal += u32::from(round_trips(opcode << 26 | rest).0);
            }
        }
        assert_eq!(legal > 0, L1_ROWS.iter().any(|row| row.opcode == opcode), "{opcode:#x}");
    }
}

/// Counts the words of an operation in two ways: by decoding all words with it, and by the rules.
#[test]
fn all_words_with_one_operand_are_counted() {
    // Operation and first operand's 7 bits, destination's 7, forwarding's 4, padding's 3; the second operand zero.
    let count = |opcode: u32| {
        let mut legal = 0_u64;
        for source in 0..1u32 << 7 {
            for rest in 0..1u32 << 14 {
                legal += u64::from(L2::decode(opcode << 28 | source << 21 | rest).is_ok());
            }
        }
        legal
    };
    let (rows, forwards, destinations, marks) = (96, 3 * 2, 97, 3);
    assert_eq!(count(0x8), (rows + forwards) * destinations * marks, "neg");
    assert_eq!(count(0x1), marks, "nop");
    // The second operand is row 0 of Bank0, or forwarded from the multiplier, alone or together with the first from any
    // channel.
    assert_eq!(count(0x2), (rows + forwards + rows * 2 + forwards) * destinations * marks, "mm");
}

#[test]
fn words_of_the_papers_formats() {
    let word = |text: &str| {
        let section =
            if L2_ROWS.iter().any(|r| text.split(' ').next() == Some(r.mnemonic)) { ".l2" } else { ".l1" };
        let image = assemble(&format!("{section}\n{text}\n")).unwrap();
        image.l1.first().or(image.l2.first()).copied().unwrap()
    };
    // Op6 Length10 Stage4 Round7 Src1 Pad4, of which a batch and the choice of tables are ours
    assert_eq!(word("sub_ntt 1024, 1, x1, shared"), 0x01 << 26 | 1023 << 16 | 10 << 12 | 127 << 5 | 1 << 4);
    assert_eq!(word("sub_ntt 32, 0, x32, own"), 0x01 << 26 | 31 << 16 | 5 << 12 | 3 << 5 | 5 << 1 | 1);
    // Op6 Length10 Src1 Pad15
    assert_eq!(word("msm_op1 1024, 1, g1"), 0x0c << 26 | 1023 << 16 | 1 << 15);
    // Op6 Addr10 Loop_num16
    assert_eq!(word("loop_k 1023, 65536"), 0x3a << 26 | 1023 << 16 | 0xffff);
    assert_eq!(word("pair_op 5"), 0x28 << 26 | 5 << 16);
    assert_eq!(word("pair_repeat 5, 63"), 0x29 << 26 | 5 << 16 | 62);
    // OP4 ID2 Addr5 ID2 Addr5 ID2 Addr5 Fwd_type2 Fwd_idx2 Pad3
    assert_eq!(word("mm b2.5, b0.3, b1.31"), 0x2 << 28 | 3 << 21 | 1 << 19 | 31 << 14 | 2 << 12 | 5 << 7);
    assert_eq!(
        word("sub _, b1.1, inv:2 last"),
        0x4 << 28 | 1 << 26 | 1 << 21 | 2 << 19 | 3 << 12 | 2 << 5 | 1 << 3 | 2
    );
    assert_eq!(word("add _, arith:1, mm:1 ||"), 0x3 << 28 | 1 << 26 | 3 << 12 | 1 << 5 | 2 << 3 | 1);
}

#[test]
fn every_instruction_in_text() {
    let image = assemble(ALL).unwrap();
    assert_eq!(image.l1_labels["skip"], 10);
    assert_eq!(image.l2_labels["square"], 20);
    let text = disassemble(&image);
    assert_eq!(assemble(&text).unwrap(), image);
    for mnemonic in L1_ROWS.iter().map(|r| r.mnemonic).chain(L2_ROWS.iter().map(|r| r.mnemonic)) {
        assert!(text.contains(&format!("        {mnemonic} ")), "{mnemonic}");
    }
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/isa/all.listing");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(golden, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(golden).unwrap(), "BLESS=1 accepts a change");
}

#[test]
fn wrong_words_are_told_which_field() {
    let l1 = |word: u32| L1::decode(word).unwrap_err().to_string();
    let l2 = |word: u32| L2::decode(word).unwrap_err().to_string();
    for (found, said) in [
        (l1(0), "L1 has no opcode 0x0"),
        (l1(0x2f << 26), "L1 has no opcode 0x2f"),
        (l1(0x3f << 26 | 1), "finish: Pad is 0x1, here it must be zero"),
        (l1(0x01 << 26 | 30 << 16), "sub_ntt: Length is 31, it must be 32 to 1024"),
        (l1(0x01 << 26 | 32 << 16), "sub_ntt: 33 points, a power of two is needed"),
        (l1(0x01 << 26 | 31 << 16 | 4 << 12), "sub_ntt: Stage is 4, with this length it must be 5"),
        (l1(0x01 << 26 | 31 << 16 | 5 << 12), "sub_ntt: Round is 0, with this length it must be 3"),
        (l1(0x20 << 26 | 96 << 16), "switch: Length is 97, it must be 1 to 96"),
        (l1(0x20 << 26 | 96), "switch: Local is 96, it must be 0 to 95"),
        (l1(0x21 << 26 | 1 << 15), "load_scan_i: Src is 0x1, here it must be zero"),
        (l1(0x30 << 26 | 1 << 15), "jump_i: Pad is 0x8000, here it must be zero"),
        (l2(0), "L2 has no opcode 0x0"),
        (l2(0x1 << 28), "nop: there is no result to write"),
        (l2(0x1 << 28 | 3 << 12 | 1 << 21), "nop: Addr0 is 0x1, here it must be zero"),
        (l2(0x2 << 28 | 3 << 26), "mm: ID0 is 3, it must be 0 to 2"),
        (l2(0x2 << 28 | 3 << 19), "mm: ID1 is 3, it must be 0 to 2"),
        (l2(0x8 << 28 | 1 << 19), "neg: ID1 is 0x1, here it must be zero"),
        (l2(0x2 << 28 | 3 << 12 | 1 << 7), "mm: Addr2 is 0x1, here it must be zero"),
        (l2(0x2 << 28 | 3 << 5), "mm: Fwd_type is 3, it must be 0 to 2"),
        (l2(0x2 << 28 | 1 << 5 | 3 << 3), "mm: Fwd_idx is 3, it must be 0 to 2"),
        (l2(0x2 << 28 | 1 << 3), "mm: Fwd_idx is 0x1, here it must be zero"),
        (l2(0x8 << 28 | 1 << 5 | 1 << 3), "neg: Fwd_idx is 1, but it takes 1 operands"),
        (l2(0x1 << 28 | 3 << 12 | 1 << 5), "nop: Fwd_idx is 0, but it takes 0 operands"),
        (l2(0x2 << 28 | 1 << 5 | 1 << 21), "mm: Addr0 is 0x1, here it must be zero"),
        (l2(0x2 << 28 | 1 << 5 | 3 << 26), "mm: ID0 is 3, it must be 0 to 2"),
        (l2(0x2 << 28 | 4), "mm: Pad[2] is 0x1, here it must be zero"),
        (l2(0x2 << 28 | 3), "mm: the last word of a routine has no next one to issue with"),
    ] {
        assert_eq!(found, said);
    }
}

#[test]
fn instructions_that_no_word_holds_are_refused() {
    let row = |bank, row| Some(Operand::Row(Loc { bank, row }));
    let mm = L2 { op: L2Op::Mm, src: [row(0, 0), row(1, 1)], ..L2::NOP };
    let says = |instruction: L2| instruction.encode().unwrap_err();
    assert!(mm.encode().is_ok());
    let operands = IsaError::Operands { mnemonic: "mm", takes: 2 };
    assert_eq!(says(L2 { src: [row(0, 0), None], ..mm }), operands);
    assert_eq!(says(L2 { op: L2Op::Neg, ..mm }), IsaError::Operands { mnemonic: "neg", takes: 1 });
    let bank = IsaError::Range { mnemonic: "mm", field: "ID1", value: 3, min: 0, max: 2 };
    assert_eq!(says(L2 { src: [row(0, 0), row(3, 0)], ..mm }), bank);
    let high = IsaError::Range { mnemonic: "mm", field: "Addr2", value: 32, min: 0, max: 31 };
    assert_eq!(says(L2 { dst: Some(Loc { bank: 0, row: 32 }), ..mm }), high);
    let path = IsaError::Path { mnemonic: "mm" };
    assert_eq!(says(L2 { path: Some(FwdPath::One), ..mm }), path);
    assert_eq!(says(L2 { src: [row(0, 0), Some(Operand::Forward(Channel::Mm))], ..mm }), path);
    let nowhere = IsaError::Destination { mnemonic: "nop" };
    assert_eq!(says(L2 { dst: Some(Loc { bank: 0, row: 0 }), ..L2::NOP }), nowhere);
    assert_eq!(says(L2 { with_next: true, last: true, ..mm }), IsaError::LastWithNext { mnemonic: "mm" });
    let range = |instruction: L1| match instruction.encode().unwrap_err() {
        IsaError::Range { field, value, .. } => (field, value),
        other => panic!("{other}"),
    };
    assert_eq!(range(L1::PairOp { addr: 1024 }), ("Addr", 1024));
    assert_eq!(range(L1::Loop { reg: LoopReg::I, addr: 0, count: 0 }), ("Loop_num", 0));
    assert_eq!(range(L1::Loop { reg: LoopReg::I, addr: 0, count: 65_537 }), ("Loop_num", 65_537));
    assert_eq!(range(L1::LoadScan { reg: LoopReg::J, bits: 385, global: 0 }), ("Length", 385));
    assert_eq!(range(L1::MsmOp1 { length: 1, src: 2, group: Group::G1 }), ("Src", 2));
    let ntt = L1::SubNtt { kind: Transform::Ntt, length: 48, src: 0, batch: 0, tables: Tables::Shared };
    assert_eq!(ntt.encode(), Err(IsaError::PowerOfTwo { mnemonic: "sub_ntt", length: 48 }));
}

#[test]
fn wrong_texts_are_told_where() {
    for (text, said) in [
        ("finish", "line 1, column 1: neither .l1 nor .l2 was said yet"),
        (".l3", "line 1, column 1: no directive `.l3`: there are .l1, .l2, .org and .word"),
        (".l1 finish", "line 1, column 5: expected the end of the line, found `finish`"),
        (".l1\n  mm b0.0, b0.0, b0.0", "line 2, column 3: L1 has no instruction `mm`"),
        (".l2\nfinish", "line 2, column 1: L2 has no instruction `finish`"),
        (".l1\nfinish $", "line 2, column 8: `$` begins nothing"),
        (".l1\nfinish, 3", "line 2, column 7: expected the end of the line, found `,`"),
        (".l1\nfinish\nfinish 3", "line 3, column 8: expected the end of the line, found `3`"),
        (".l1\nloop_i 0 1", "line 2, column 10: expected `,`, found `1`"),
        (".l1\nloop_i 0,", "line 2, column 10: expected a number of times, found the end of the line"),
        (".l1\nloop_i 0, 65537", "line 2, column 11: loop_i: Loop_num is 65537, it must be 1 to 65536"),
        (
            ".l1\nloop_i 0, 4294967296",
            "line 2, column 11: `4294967296` is not a number of 32 bits, decimal or hexadecimal",
        ),
        (".l1\nloop_i 0, 12k", "line 2, column 11: `12k` is not a number of 32 bits, decimal or hexadecimal"),
        (".l1\nsub_ntt 48, 0, x1, own", "line 2, column 1: sub_ntt: 48 points, a power of two is needed"),
        (".l1\nsub_ntt 16, 0, x1, own", "line 2, column 9: sub_ntt: Length is 16, it must be 32 to 1024"),
        (".l1\njump_i far", "line 2, column 8: L1 has no label `far`"),
        (".l1\njump_i 1024", "line 2, column 8: jump_i: Addr is 1024, it must be 0 to 1023"),
        (".l1\na: pair_op a", "line 2, column 12: L2 has no label `a`"),
        (".l1\na: finish\na: finish", "line 3, column 1: label `a` stands in line 2 already"),
        (".l1\nfinish\nend:", "line 3, column 1: label `end` has no word behind it"),
        (
            ".l1\n_: finish",
            "line 2, column 1: `_` is not a label: a letter or `_`, then letters, digits, `_` and `.`, 64 characters at most",
        ),
        (".l1\nset_field fp", "line 2, column 11: expected `fq` or `fr`, found `fp`"),
        (".l1\nswitch 1, up, g0, b0.0", "line 2, column 11: expected `in` or `out`, found `up`"),
        (".l1\nswitch 1, in, g256, b0.0", "line 2, column 15: switch: Global is 256, it must be 0 to 255"),
        (
            ".l1\nswitch 1, in, b0.0, b0.0",
            "line 2, column 15: expected a row of the global bank, `g0` to `g255`, found `b0.0`",
        ),
        (".l1\n.org 3\n.org 2", "line 3, column 6: .org 2: address 3 is reached already"),
        (".l1\n.org 1025", "line 2, column 6: L1 has 1024 words"),
        (".l2\n.org 1024\nnop", "line 3, column 1: L2 has 1024 words"),
        (
            ".l2\nmm b3.0, b0.0, b0.0",
            "line 2, column 4: expected a destination, `b0.0` to `b2.31` or `_`, found `b3.0`",
        ),
        (
            ".l2\nneg b0.0, b0.32",
            "line 2, column 11: expected an operand: `b0.0` to `b2.31`, or `mm:1`, `arith:2`, …, found `b0.32`",
        ),
        (
            ".l2\nneg b0.0, mul:1",
            "line 2, column 11: expected an operand: `b0.0` to `b2.31`, or `mm:1`, `arith:2`, …, found `mul`",
        ),
        (".l2\nneg b0.0, mm:3", "line 2, column 14: neg: Fwd_type is 3, it must be 1 to 2"),
        (
            ".l2\nmm _, mm:1, arith:2",
            "line 2, column 13: mm: both operands are forwarded, they must take the same path",
        ),
        (
            ".l2\nneg _, b0.0, b0.1",
            "line 2, column 12: expected `||`, `last` or the end of the line, found `,`",
        ),
        (
            ".l2\nneg _, b0.0 || last",
            "line 2, column 1: neg: the last word of a routine has no next one to issue with",
        ),
    ] {
        assert_eq!(assemble(text).unwrap_err().to_string(), said, "{text}");
    }
}
