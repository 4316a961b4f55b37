//! Rust with `core::arch` intrinsics for AVX2: digits of at most 32 bits, four elements side by side.

use num_bigint::BigUint;

use super::Layout;
use super::lanes::{Vectors, operand, statements};
use super::rust::{Rust, store};
use crate::error::MomaError;
use crate::ir::{Arg, Kernel, Op, Var};

/// The printer of Rust on digits in four lanes.
pub static LANES: Rust = Rust {
    name: "rust-avx2",
    word: "__m256i",
    features: "#[target_feature(enable = \"avx2\")]",
    import: "use core::arch::x86_64::*;",
    memory: MEMORY,
    body,
};

struct Avx2;

impl Vectors for Avx2 {
    fn printer(&self) -> &'static str {
        LANES.name
    }

    fn define(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn constant(&self, value: &BigUint) -> String {
        if *value == BigUint::ZERO {
            return "_mm256_setzero_si256()".to_owned();
        }
        format!("_mm256_set1_epi64x({value:#x}u64 as i64)")
    }

    fn binary(&self, op: Op, x: &str, y: &str) -> String {
        let kind = if matches!(op, Op::Add | Op::Sub) { "epi64" } else { "si256" };
        format!("_mm256_{}_{kind}({x}, {y})", op.mnemonic())
    }

    fn dot(&self, sum: Option<&str>, x: &str, y: &str) -> String {
        let product = format!("_mm256_mul_epu32({x}, {y})");
        sum.map_or(product.clone(), |sum| format!("_mm256_add_epi64({sum}, {product})"))
    }

    fn up(&self, x: &str, k: u32) -> String {
        format!("_mm256_slli_epi64::<{k}>({x})")
    }

    fn down(&self, x: &str, k: u32) -> String {
        format!("_mm256_srli_epi64::<{k}>({x})")
    }

    fn equal(&self, x: &str, y: &str) -> String {
        format!("_mm256_cmpeq_epi64({x}, {y})")
    }

    fn choose(&self, mask: &str, x: &str, y: &str) -> String {
        format!("_mm256_blendv_epi8({y}, {x}, {mask})")
    }
}

fn variable(v: Var) -> String {
    format!("v{}", v.0)
}

/// The statements of a kernel: loads, one statement per instruction, stores.
fn body(kernel: &Kernel, layout: &Layout) -> Result<(&'static str, String), MomaError> {
    let mut lines = Vec::new();
    for param in &kernel.inputs {
        for (i, part) in param.parts.iter().enumerate() {
            if let Arg::Var(v) = part {
                lines.push(Avx2.define(&variable(*v), &layout.place(param, i)));
            }
        }
    }
    lines.extend(statements(kernel, &Avx2, &variable)?);
    let zero = Avx2.constant(&BigUint::ZERO);
    lines.extend(
        kernel.outputs.iter().map(|p| store(layout, p, &zero, |part| operand(part, &Avx2, &variable))),
    );
    Ok(("", lines.iter().map(|line| format!("    {line}\n")).collect()))
}

const MEMORY: &str = "\
#[inline]
#[target_feature(enable = \"avx2\")]
fn pw_zero() -> Element { [_mm256_setzero_si256(); WORDS] }
#[inline]
#[target_feature(enable = \"avx2\")]
unsafe fn pw_constants(p: *const u64) -> [__m256i; CONSTANTS] {
    core::array::from_fn(|w| unsafe { _mm256_set1_epi64x(*p.add(w) as i64) })
}
#[inline]
#[target_feature(enable = \"avx2\")]
unsafe fn pw_load(p: *const u64, at: usize) -> Element {
    core::array::from_fn(|w| unsafe { _mm256_load_si256(p.add((at * WORDS + w) * 4).cast()) })
}
#[inline]
#[target_feature(enable = \"avx2\")]
unsafe fn pw_load_uniform(p: *const u64, at: usize) -> Element {
    core::array::from_fn(|w| unsafe { _mm256_set1_epi64x(*p.add(at * WORDS + w) as i64) })
}
#[inline]
#[target_feature(enable = \"avx2\")]
unsafe fn pw_store(p: *mut u64, at: usize, a: &Element) {
    for w in 0..WORDS { unsafe { _mm256_store_si256(p.add((at * WORDS + w) * 4).cast(), a[w]) } }
}
#[inline]
#[target_feature(enable = \"avx2\")]
fn pw_choose(test: &Element, zero: &Element, other: &Element) -> Element {
    let any = test.iter().fold(_mm256_setzero_si256(), |any, w| _mm256_or_si256(any, *w));
    let none = _mm256_cmpeq_epi64(any, _mm256_setzero_si256());
    core::array::from_fn(|w| _mm256_blendv_epi8(other[w], zero[w], none))
}
#[inline(always)]
fn pw_bitrev(x: usize, bits: usize) -> usize { (((x as u32).reverse_bits() >> 1) >> (31 - bits)) as usize }
";
