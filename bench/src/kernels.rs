//! Modular products that `moma` generates, compiled and loaded while a benchmark runs.

use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::ir::{Range, Reduction};
use pairwright_moma::lower::{Options as Lowering, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::passes::interleave;
use pairwright_moma::print::function;
use pairwright_testkit::jit::{Length, Library, LoadedKernel};

/// Number of blocks of eight values, which fit the first-level cache.
pub const BLOCKS: usize = 24;
/// Number of values on words.
pub const LANES: usize = 32;

/// The text of a kernel that makes `n` passes over blocks of eight values times other blocks, with `ways` interleaved products; `k`
/// holds q and q'.
fn lanes_text(name: &str, ways: usize, words: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..ways).map(f).collect::<Vec<_>>().join(", ");
    let outs = list(&|w| format!("&mut c{w}"));
    let ins = list(&|w| format!("&x[i + {w}], &y[i + {w}]"));
    let zeros = (0..ways).map(|w| format!("let mut c{w} = [zero; {words}];")).collect::<String>();
    let stores = (0..ways).map(|w| format!("x[i + {w}] = c{w};")).collect::<String>();
    format!(
        "#[unsafe(no_mangle)]
#[target_feature(enable = \"avx512f,avx512ifma\")]
pub unsafe extern \"C\" fn {name}(n: usize, out: *mut u64, b: *const u64, k: *const u64) {{
    unsafe {{
        let zero = _mm512_setzero_si512();
        let x = &mut *out.cast::<[[__m512i; {words}]; {BLOCKS}]>();
        let y = &*b.cast::<[[__m512i; {words}]; {BLOCKS}]>();
        let mut q = [zero; {words}];
        for j in 0..{words} {{ q[j] = _mm512_set1_epi64(*k.add(j) as i64); }}
        let inverse = _mm512_set1_epi64(*k.add({words}) as i64);
        for _ in 0..n {{
            let mut i = 0;
            while i < {BLOCKS} {{
                {zeros}
                {name}_one({outs}, {ins}, &q, inverse);
                {stores}
                i += {ways};
            }}
        }}
    }}
}}
"
    )
}

fn words_text(name: &str, words: usize) -> String {
    format!(
        "#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn {name}(n: usize, out: *mut u64, b: *const u64, k: *const u64) {{
    unsafe {{
        let (x, b) = (&mut *out.cast::<[[u64; {words}]; {LANES}]>(), &*b.cast::<[u64; {words}]>());
        let q = &*k.cast::<[u64; {words}]>();
        for _ in 0..n {{
            for x in x.iter_mut() {{
                let a = *x;
                {name}_one(x, &a, b, q, *k.add({words}));
            }}
        }}
    }}
}}
"
    )
}

/// The specification of a field of this number of bits, with elements in Montgomery form.
pub fn spec(bits: u32, range: Range) -> FieldSpec {
    FieldSpec { bits, reduction: Reduction::Montgomery, range }
}

/// Compiles a text for this processor and loads it as a library.
///
/// # Panics
/// If it does not compile.
pub fn load(name: &str, text: &str) -> Library {
    Library::from_rust(name, text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// A kernel of modular products in a field on a machine, with `ways` interleaved products and its loop: `n` passes over
/// [`BLOCKS`] blocks of eight values, each times its own factor, or over [`LANES`] values on words times one factor. The
/// inputs are the factors, and the modulus with its `-1/q`.
///
/// # Panics
/// If there is no kernel for the field, or it does not compile.
pub fn product(field: FieldSpec, machine: &Machine, ways: usize) -> LoadedKernel {
    let kernel = field.kernel(Function::MulMod, machine).expect("a kernel");
    let one = lower(&kernel, machine, Lowering::default()).expect("lowers");
    let several = if ways == 1 { one } else { interleave(&one, ways as u32, &["q", "qinv"]) };
    let words = field.words(machine) as usize;
    let (name, lanes) = (format!("product_{}_{ways}", field.bits), machine.lanes as usize);
    let function = function(&several, &format!("{name}_one"), machine).expect("prints");
    let (head, call) = match lanes {
        1 => ("", words_text(&name, words)),
        _ => ("use core::arch::x86_64::*;\n", lanes_text(&name, ways, words)),
    };
    let values = if lanes == 1 { [LANES, 1] } else { [BLOCKS * lanes; 2] };
    let [out, b] = values.map(|n| Length::Total(n * words));
    load("bench moma", &format!("{head}{function}{call}"))
        .kernel(&name, out, &[b, Length::Total(words + 1)])
        .expect("a kernel")
}
