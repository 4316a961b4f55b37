//! Tests of the table of instructions: each is run as a text on edge cases and random operands, against an independent
//! implementation in integer arithmetic.

use crate::table::{Class, Operation, names, operation};
use crate::{Launch, Memory, launch, parse};
use std::fmt::Write;

/// Instructions that do not compute a value from one thread's operands alone; they are covered by the tests of launches
/// and of products of matrices.
const OTHERS: [&str; 30] = [
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32",
    "mapa.u64",
    "mapa.shared::cluster.u64",
    "mapa.shared::cluster.u32",
    "cvta.shared.u64",
    "cvta.to.shared.u64",
    "bra",
    "bra.uni",
    "ret",
    "ret.uni",
    "exit",
    "bar.sync",
    "barrier.sync.aligned",
    "barrier.cluster.arrive.aligned",
    "barrier.cluster.arrive.release.aligned",
    "barrier.cluster.arrive",
    "barrier.cluster.arrive.release",
    "barrier.cluster.wait.aligned",
    "barrier.cluster.wait.acquire.aligned",
    "barrier.cluster.wait",
    "barrier.cluster.wait.acquire",
    "membar.cta",
    "membar.gl",
    "fence.acq_rel.cta",
    "fence.acq_rel.cluster",
    "fence.acq_rel.gpu",
    "mov.pred",
    "cvta.to.global.u64",
    "cvta.global.u64",
];

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }
}

/// An operand of a thread: an edge case, or random bits.
fn integer(random: &mut Random) -> u64 {
    const EDGES: [u64; 12] =
        [0, 1, 2, 31, 32, 63, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, i64::MAX as u64, 1 << 63, u64::MAX];
    let n = random.next();
    if n.is_multiple_of(3) { EDGES[(random.next() % 12) as usize] } else { random.next() }
}

/// A double that is an integer, so that sums and products can be computed on integers.
fn whole(random: &mut Random) -> u64 {
    let n = random.next();
    let magnitude = (random.next() & ((1 << 40) - 1)) as f64;
    (if n & 1 == 1 { -magnitude } else { magnitude }).to_bits()
}

/// A text that runs an instruction on operands in memory. `out, operands, carry` are buffers of 64-bit words: four
/// words per thread for operands, and two for results: the value, and the carry that is left.
fn text(name: &str, operation: &Operation) -> String {
    let (to, from) = operation.shape();
    let mut body = String::new();
    let mut list = Vec::new();
    for (at, class) in to.iter().enumerate() {
        list.push(match class {
            Class::Word => format!("%w{}", 10 + at),
            Class::Long => format!("%d{}", 10 + at),
            Class::Bit => format!("%p{}", 10 + at),
        });
    }
    for (at, class) in from.iter().enumerate() {
        writeln!(body, "ld.global.u64 %d{at}, [%d20+{}];", 8 * at).unwrap();
        match class {
            Class::Long => list.push(format!("%d{at}")),
            Class::Word => {
                writeln!(body, "cvt.u32.u64 %w{at}, %d{at};").unwrap();
                list.push(format!("%w{at}"));
            }
            Class::Bit => {
                writeln!(body, "setp.ne.u64 %p{at}, %d{at}, 0;").unwrap();
                list.push(format!("%p{at}"));
            }
        }
    }
    let carry = operation.carry();
    if carry.is_some_and(|carry| carry.reads) {
        let sub = carry.unwrap().borrow;
        body.push_str("ld.global.u64 %d21, [%d22];\ncvt.u32.u64 %w21, %d21;\n");
        // Sets the carry or the borrow: the largest word plus one, or zero minus one.
        body.push_str(if sub { "sub.cc.u32 %w22, 0, %w21;\n" } else { "add.cc.u32 %w22, %w21, -1;\n" });
    }
    writeln!(body, "{name} {};", list.join(", ")).unwrap();
    body.push_str("mov.u64 %d25, 0;\n");
    if let Some(carry) = carry.filter(|carry| carry.writes) {
        body.push_str(if carry.borrow { "subc.u32 %w23, 0, 0;\n" } else { "addc.u32 %w23, 0, 0;\n" });
        body.push_str("and.b32 %w23, %w23, 1;\ncvt.u64.u32 %d25, %w23;\n");
    }
    body.push_str(match to[..] {
        [Class::Word] => "cvt.u64.u32 %d24, %w10;\n",
        [Class::Bit] => "selp.b64 %d24, 1, 0, %p10;\n",
        _ => "mov.u64 %d24, %d10;\n",
    });
    format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in, \
         .param .u64 carry)\n{{\n.reg .pred %p<20>;\n.reg .b32 %w<30>;\n.reg .b64 %d<30>;\n\
         mov.u32 %w24, %tid.x;\n\
         ld.param.u64 %d20, [in];\nmul.wide.u32 %d26, %w24, 32;\nadd.s64 %d20, %d20, %d26;\n\
         ld.param.u64 %d22, [carry];\nmul.wide.u32 %d27, %w24, 8;\nadd.s64 %d22, %d22, %d27;\n\
         ld.param.u64 %d23, [out];\nmul.wide.u32 %d28, %w24, 16;\nadd.s64 %d23, %d23, %d28;\n\
         {body}st.global.v2.u64 [%d23], {{%d24, %d25}};\nret;\n}}\n"
    )
}

/// An integer rounded toward zero to double precision.
fn toward_zero(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let drop = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = (magnitude >> drop << drop) as f64;
    if value < 0 { -kept } else { kept }
}

/// The bits of a number, the lowest first.
fn bits(x: u64, count: u32) -> Vec<bool> {
    (0..count).map(|i| x >> i & 1 == 1).collect()
}

fn number(bits: &[bool]) -> u64 {
    bits.iter().enumerate().map(|(i, bit)| u64::from(*bit) << i).sum()
}

/// The expected value and carry of an instruction, by its name and its operands.
fn expected(name: &str, x: [u64; 4], carry: bool) -> (u64, u64) {
    let parts: Vec<&str> = name.split('.').collect();
    let (op, last) = (parts[0], *parts.last().unwrap());
    let has = |part: &str| parts.contains(&part);
    let width: u32 = last[1..].parse().unwrap_or(32);
    if last == "f64" && op != "cvt" && op != "mov" && op != "selp" {
        return (float(op, has("rz"), x), 0);
    }
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let [a, b, c] = [x[0] & mask, x[1] & mask, x[2] & mask].map(u128::from);
    let signed = |value: u128| -> i128 { (value as i128) << (128 - width) >> (128 - width) };
    let (sa, sb) = (signed(a), signed(b));
    let is_signed = last.starts_with('s');
    let modulus = 1u128 << width;
    let cin = u128::from(carry && op.ends_with('c'));
    let with_carry = |full: u128| ((full % modulus) as u64, u64::from(has("cc") && full >= modulus));
    let plain = |value: u128| ((value % modulus) as u64, 0);
    // Shift counts are words.
    let count = |at: usize| x[at] as u32;
    match op {
        "mov" | "cvta" => plain(a),
        "cvt" => (convert(&parts, x[0]), 0),
        "add" | "addc" => with_carry(a + b + cin),
        "sub" | "subc" => {
            let full = a as i128 - b as i128 - cin as i128;
            (full.rem_euclid(modulus as i128) as u64, u64::from(has("cc") && full < 0))
        }
        "neg" => plain(modulus - a),
        "mul" | "mad" | "madc" if has("wide") => {
            let product = if is_signed { (sa * sb) as u128 } else { a * b };
            let sum = if op == "mul" { product } else { product.wrapping_add(u128::from(x[2])) };
            (sum as u64, 0)
        }
        "mul" | "mad" | "madc" => {
            let product = if is_signed && has("hi") { (sa * sb).rem_euclid(1 << 64) as u128 } else { a * b };
            let half = if has("hi") { product >> width } else { product % modulus };
            let third = if op == "mul" { 0 } else { c };
            with_carry(half + third + cin)
        }
        "min" | "max" => {
            let first = if is_signed { sa <= sb } else { a <= b };
            plain(if first == (op == "min") { a } else { b })
        }
        "div" => plain(a.checked_div(b).unwrap_or(modulus - 1)),
        "rem" => plain(if b == 0 { a } else { a % b }),
        "and" | "or" | "xor" if last == "pred" => {
            let (a, b) = (x[0] != 0, x[1] != 0);
            let value = match op {
                "and" => a && b,
                "or" => a || b,
                _ => a != b,
            };
            (u64::from(value), 0)
        }
        "not" if last == "pred" => (u64::from(x[0] == 0), 0),
        "and" => plain(a & b),
        "or" => plain(a + b - (a & b)),
        "xor" => plain(a + b - 2 * (a & b)),
        "not" => plain(modulus - 1 - a),
        "shl" => plain(if count(1) >= width { 0 } else { a * (1 << count(1)) }),
        "shr" if is_signed => plain((sa >> count(1).min(127)) as u128),
        "shr" => plain(if count(1) >= width { 0 } else { a / (1 << count(1)) }),
        "setp" => {
            let order = if is_signed { sa.cmp(&sb) } else { a.cmp(&b) };
            let holds = match parts[1] {
                "eq" => order.is_eq(),
                "ne" => order.is_ne(),
                "lt" => order.is_lt(),
                "le" => order.is_le(),
                "gt" => order.is_gt(),
                _ => order.is_ge(),
            };
            (u64::from(holds), 0)
        }
        "selp" => (if x[2] != 0 { x[0] } else { x[1] } & if width == 64 { u64::MAX } else { 0xffff_ffff }, 0),
        _ => (bit_field(op, &parts, x, width), 0),
    }
}

fn float(op: &str, to_zero: bool, x: [u64; 4]) -> u64 {
    let [a, b, c] = [x[0], x[1], x[2]].map(|bits| f64::from_bits(bits) as i128);
    let exact = match op {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "fma" => a * b + c,
        _ => return (-f64::from_bits(x[0])).to_bits(),
    };
    // The conversion of an integer to a double rounds to nearest.
    let value = if to_zero { toward_zero(exact) } else { exact as f64 };
    // The sign of a zero result depends on the operands.
    if exact == 0 {
        let (a, b, c) = (f64::from_bits(x[0]), f64::from_bits(x[1]), f64::from_bits(x[2]));
        return match op {
            "add" => a + b,
            "sub" => a - b,
            "mul" => a * b,
            _ => a * b + c,
        }
        .to_bits();
    }
    value.to_bits()
}

fn convert(parts: &[&str], x: u64) -> u64 {
    let (to, from) = (parts[parts.len() - 2], parts[parts.len() - 1]);
    let source: i128 = match from {
        "u32" => i128::from(x as u32),
        "u16" => i128::from(x as u16),
        "s32" => i128::from(x as u32 as i32),
        "u64" => i128::from(x),
        "s64" => i128::from(x as i64),
        _ => f64::from_bits(x) as i128,
    };
    if to == "f64" {
        return (source as f64).to_bits();
    }
    let width: u32 = to[1..].parse().unwrap();
    let source = if from == "f64" {
        let (low, high) = if to.starts_with('s') {
            (-(1i128 << (width - 1)), (1 << (width - 1)) - 1)
        } else {
            (0, (1 << width) - 1)
        };
        source.clamp(low, high)
    } else {
        source
    };
    // Results of less than 64 bits are held in words.
    source.rem_euclid(1 << width) as u64
}

fn bit_field(op: &str, parts: &[&str], x: [u64; 4], width: u32) -> u64 {
    let [a, b] = [bits(x[0], width), bits(x[1], width)];
    match op {
        "brev" => number(&a.into_iter().rev().collect::<Vec<_>>()),
        "clz" => a.iter().rev().take_while(|bit| !**bit).count() as u64,
        "popc" => a.iter().filter(|bit| **bit).count() as u64,
        "shf" => {
            let both = [a, b].concat();
            let n = x[2] as u32;
            let n = if parts.contains(&"wrap") { n % 32 } else { n.min(32) } as usize;
            let first = if parts.contains(&"l") { 32 - n } else { n };
            number(&both[first..first + 32])
        }
        "bfe" => {
            let (position, length) = ((x[1] & 0xff) as usize, (x[2] & 0xff) as usize);
            let field: Vec<bool> = a.into_iter().skip(position).take(length).collect();
            number(&field)
        }
        "bfi" => {
            let (position, length) = ((x[2] & 0xff) as usize, (x[3] & 0xff) as usize);
            let mut into = b;
            for (i, bit) in a.into_iter().take(length).enumerate() {
                if let Some(place) = into.get_mut(position + i) {
                    *place = bit;
                }
            }
            number(&into)
        }
        "prmt" => {
            let bytes = [(x[0] as u32).to_le_bytes(), (x[1] as u32).to_le_bytes()].concat();
            let pick = |i: usize| {
                let selector = (x[2] >> (4 * i) & 0xf) as usize;
                let byte = bytes[selector % 8];
                if selector < 8 { byte } else { if byte > 127 { 255 } else { 0 } }
            };
            u64::from(u32::from_le_bytes(core::array::from_fn(pick)))
        }
        "lop3" => {
            let c = bits(x[2], 32);
            let result: Vec<bool> = (0..32)
                .map(|i| {
                    let row = 4 * u32::from(a[i]) + 2 * u32::from(b[i]) + u32::from(c[i]);
                    x[3] >> row & 1 == 1
                })
                .collect();
            number(&result)
        }
        _ => panic!("no reference for {op}"),
    }
}

/// Random operands in the ranges that an instruction takes.
fn operands(name: &str, random: &mut Random) -> [u64; 4] {
    let floats = name.ends_with("f64") && !name.starts_with("mov") && !name.starts_with("selp");
    let mut x: [u64; 4] = core::array::from_fn(|_| if floats { whole(random) } else { integer(random) });
    // Shift counts, positions and lengths of fields are mostly within the word.
    let counts: &[usize] = match name.split('.').next() {
        Some("shl" | "shr") => &[1],
        Some("bfe") => &[1, 2],
        Some("shf") => &[2],
        Some("bfi") => &[2, 3],
        _ => &[],
    };
    for at in counts {
        if !random.next().is_multiple_of(4) {
            x[*at] %= 70;
        }
    }
    // Predicates are false in half of the cases.
    if name.starts_with("selp") || name.ends_with("pred") {
        x.iter_mut().for_each(|x| *x *= random.next() & 1);
    }
    x
}

#[test]
fn every_instruction_computes_what_integers_say() {
    let mut random = Random(7);
    let mut tested = 0;
    for name in names() {
        if OTHERS.contains(&name.as_str()) {
            continue;
        }
        tested += 1;
        let operation = operation(&name).unwrap();
        let module = parse(&text(&name, &operation)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let threads = 1024;
        let operands: Vec<[u64; 4]> = (0..threads).map(|_| operands(&name, &mut random)).collect();
        let carries: Vec<u64> = (0..threads).map(|_| random.next() & 1).collect();
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let mut memory = Memory::new();
        let out = memory.allocate(16 * threads);
        let input = memory.upload(&bytes(operands.as_flattened()));
        let carry = memory.upload(&bytes(&carries));
        let shape =
            Launch { grid: [1; 3], block: [1024, 1, 1], shared: 0, arguments: bytes(&[out, input, carry]) };
        launch(&module.kernels[0], &shape, &mut memory).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let found = memory.buffer(out).unwrap().read(0, 16 * threads).unwrap();
        for (i, found) in found.chunks_exact(16).enumerate() {
            let word = |at: usize| u64::from_le_bytes(found[8 * at..][..8].try_into().unwrap());
            let wanted = expected(&name, operands[i], carries[i] == 1);
            assert_eq!((word(0), word(1)), wanted, "{name} of {:x?} with carry {}", operands[i], carries[i]);
        }
    }
    assert_eq!(tested + OTHERS.len(), names().len(), "names in OTHERS are in the table");
}

#[test]
fn unknown_instructions_and_forms_are_refused() {
    for name in [
        "vabsdiff.u32.u32.u32",
        "mul.wide.u16",
        "add.sat.s32",
        "ld.global.v8.u32",
        "ld.volatile.u32",
        "st.param.u32",
    ] {
        assert!(operation(name).is_none(), "{name}");
    }
    let text =
        ".version 9.0\n.target sm_90\n.entry k()\n{\n.reg .b32 %r<3>;\nadd.sat.s32 %r1, %r2, %r0;\n}\n";
    let error = parse(text).unwrap_err().to_string();
    assert!(error.contains("line 6") && error.contains("add.sat.s32"), "{error}");
}
