//! Rust with `core::arch` intrinsics for AVX-512 IFMA: 52-bit digits, eight elements side by side.
//!
//! A variable is a vector of eight 64-bit containers, one for each element; the result of a comparison is in a mask
//! register. A carry or borrow that a shift has reduced to 0 or 1 stays a vector until a selection needs it as a mask.

use core::fmt::Write;

use super::Layout;
use super::rust::{Rust, store};
use crate::error::MomaError;
use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// The printer of Rust on 52-bit digits in eight lanes.
pub static LANES: Rust = Rust {
    name: "rust-avx512",
    word: "__m512i",
    features: "#[target_feature(enable = \"avx512f,avx512ifma\")]",
    import: "use core::arch::x86_64::*;",
    memory: MEMORY,
    body,
};

/// The kind of register that holds a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Vector,
    Mask,
}

/// The statements of a kernel: loads, one statement per instruction, stores.
fn body(kernel: &Kernel, layout: &Layout) -> Result<(&'static str, String), MomaError> {
    let mut p = Body { kinds: vec![Kind::Vector; kernel.bits.len()], text: String::new() };
    for param in &kernel.inputs {
        for (i, part) in param.parts.iter().enumerate() {
            if let Arg::Var(var) = part {
                p.define(*var, Kind::Vector, &layout.place(param, i));
            }
        }
    }
    for inst in &kernel.body {
        p.inst(inst)?;
    }
    for param in &kernel.outputs {
        p.line(&store(layout, param, ZERO, |part| p.vector(part)));
    }
    Ok(("", p.text))
}

const ZERO: &str = "_mm512_setzero_si512()";

struct Body {
    kinds: Vec<Kind>,
    text: String,
}

fn v(var: Var) -> String {
    format!("v{}", var.0)
}

impl Body {
    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {line}");
    }

    fn define(&mut self, var: Var, kind: Kind, value: &str) {
        self.kinds[var.0 as usize] = kind;
        self.line(&format!("let {} = {value};", v(var)));
    }

    fn kind(&self, arg: &Arg) -> Kind {
        match arg {
            Arg::Var(var) => self.kinds[var.0 as usize],
            Arg::Const(_) => Kind::Vector,
        }
    }

    /// An operand as a vector.
    fn vector(&self, arg: &Arg) -> String {
        match (arg, self.kind(arg)) {
            (Arg::Const(_), _) if arg.is_zero() => ZERO.to_owned(),
            (Arg::Const(c), _) if c.bits() == 64 => format!("_mm512_set1_epi64({c:#x}u64 as i64)"),
            (Arg::Const(c), _) => format!("_mm512_set1_epi64({c:#x})"),
            (Arg::Var(var), Kind::Vector) => v(*var),
            (Arg::Var(var), Kind::Mask) => format!("_mm512_maskz_set1_epi64({}, 1)", v(*var)),
        }
    }

    /// An operand of 0 or 1 as a mask.
    fn mask(&self, arg: &Arg) -> String {
        match (arg, self.kind(arg)) {
            (Arg::Const(_), _) => if arg.is_zero() { "0u8" } else { "0xffu8" }.to_owned(),
            (Arg::Var(var), Kind::Mask) => v(*var),
            (Arg::Var(var), Kind::Vector) => format!("_mm512_test_epi64_mask({0}, {0})", v(*var)),
        }
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), MomaError> {
        let refuse =
            || MomaError::NotPrintable { op: inst.op.mnemonic(), width: inst.width, printer: LANES.name };
        let a = &inst.args;
        let &[out] = inst.outs.as_slice() else { return Err(refuse()) };
        let full = inst.width == 64;
        match inst.op {
            Op::Add | Op::Sub if full => {
                let call = if inst.op == Op::Add { "_mm512_add_epi64" } else { "_mm512_sub_epi64" };
                let mut value = self.vector(&a[0]);
                for x in &a[1..] {
                    value = format!("{call}({value}, {})", self.vector(x));
                }
                self.define(out, Kind::Vector, &value);
            }
            Op::DotLo { digit: 52 } | Op::DotHi { digit: 52 } => {
                let half = if inst.op == (Op::DotLo { digit: 52 }) { "lo" } else { "hi" };
                let [x, y, sum] = [0, 1, 2].map(|i| self.vector(&a[i]));
                self.define(out, Kind::Vector, &format!("_mm512_madd52{half}_epu64({sum}, {x}, {y})"));
            }
            Op::Lt | Op::Eq => {
                let call =
                    if inst.op == Op::Lt { "_mm512_cmplt_epu64_mask" } else { "_mm512_cmpeq_epu64_mask" };
                let value = format!("{call}({}, {})", self.vector(&a[0]), self.vector(&a[1]));
                self.define(out, Kind::Mask, &value);
            }
            Op::Select => {
                let [c, x] = [self.mask(&a[0]), self.vector(&a[1])];
                let value = if a[2].is_zero() {
                    format!("_mm512_maskz_mov_epi64({c}, {x})")
                } else {
                    format!("_mm512_mask_blend_epi64({c}, {}, {x})", self.vector(&a[2]))
                };
                self.define(out, Kind::Vector, &value);
            }
            Op::Funnel { k } if full => {
                let (high, low) = (self.vector(&a[0]), self.vector(&a[1]));
                let down = format!("_mm512_srli_epi64::<{k}>({low})");
                let up = format!("_mm512_slli_epi64::<{}>({high})", 64 - k.min(64));
                let value = match k {
                    0 => low,
                    64 => high,
                    _ if a[0].is_zero() => down,
                    _ if a[1].is_zero() => up,
                    _ => format!("_mm512_or_si512({up}, {down})"),
                };
                self.define(out, Kind::Vector, &value);
            }
            Op::And | Op::Or | Op::Xor => {
                let masks = inst.width == 1 && a.iter().any(|x| self.kind(x) == Kind::Mask);
                if masks {
                    let sign = match inst.op {
                        Op::And => "&",
                        Op::Or => "|",
                        _ => "^",
                    };
                    let value = format!("{} {sign} {}", self.mask(&a[0]), self.mask(&a[1]));
                    self.define(out, Kind::Mask, &value);
                } else {
                    let call = inst.op.mnemonic();
                    let value =
                        format!("_mm512_{call}_si512({}, {})", self.vector(&a[0]), self.vector(&a[1]));
                    self.define(out, Kind::Vector, &value);
                }
            }
            _ => return Err(refuse()),
        }
        Ok(())
    }
}

const MEMORY: &str = "\
#[inline]
#[target_feature(enable = \"avx512f\")]
fn pw_zero() -> Element { [_mm512_setzero_si512(); WORDS] }
#[inline]
#[target_feature(enable = \"avx512f\")]
unsafe fn pw_constants(p: *const u64) -> [__m512i; CONSTANTS] {
    core::array::from_fn(|w| unsafe { _mm512_set1_epi64(*p.add(w) as i64) })
}
#[inline]
#[target_feature(enable = \"avx512f\")]
unsafe fn pw_load(p: *const u64, at: usize) -> Element {
    core::array::from_fn(|w| unsafe { _mm512_load_si512(p.add((at * WORDS + w) * 8).cast()) })
}
#[inline]
#[target_feature(enable = \"avx512f\")]
unsafe fn pw_load_uniform(p: *const u64, at: usize) -> Element {
    core::array::from_fn(|w| unsafe { _mm512_set1_epi64(*p.add(at * WORDS + w) as i64) })
}
#[inline]
#[target_feature(enable = \"avx512f\")]
unsafe fn pw_store(p: *mut u64, at: usize, a: &Element) {
    for w in 0..WORDS { unsafe { _mm512_store_si512(p.add((at * WORDS + w) * 8).cast(), a[w]) } }
}
#[inline]
#[target_feature(enable = \"avx512f\")]
fn pw_choose(test: &Element, zero: &Element, other: &Element) -> Element {
    let any = test.iter().fold(_mm512_setzero_si512(), |any, w| _mm512_or_si512(any, *w));
    let mask = _mm512_test_epi64_mask(any, any);
    core::array::from_fn(|w| _mm512_mask_blend_epi64(mask, zero[w], other[w]))
}
#[inline(always)]
fn pw_bitrev(x: usize, bits: usize) -> usize { (((x as u32).reverse_bits() >> 1) >> (31 - bits)) as usize }
";
