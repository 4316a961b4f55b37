//! C with `arm_neon.h` intrinsics for AArch64: digits of at most 32 bits, two elements side by side.

use num_bigint::BigUint;

use super::c::{Body, hex};
use super::lanes::{Vectors, operand, statements};
use super::{Language, Layout, Printer};
use crate::error::MomaError;
use crate::ir::{Kernel, Op};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::{FieldCode, Vectored, c_vectors};

/// The printer of C with NEON intrinsics. A function has the parameters that a function of [`C`](super::c::C) has, but
/// a word is a vector.
pub struct Neon;

impl Vectors for Neon {
    fn printer(&self) -> &'static str {
        "c-neon"
    }

    fn define(&self, name: &str, value: &str) -> String {
        format!("const word {name} = {value};")
    }

    fn constant(&self, value: &BigUint) -> String {
        format!("vdupq_n_u64({})", hex(value, 64))
    }

    fn binary(&self, op: Op, x: &str, y: &str) -> String {
        let name = match op {
            Op::Or => "vorrq",
            Op::Xor => "veorq",
            Op::And => "vandq",
            Op::Sub => "vsubq",
            _ => "vaddq",
        };
        format!("{name}_u64({x}, {y})")
    }

    fn dot(&self, sum: Option<&str>, x: &str, y: &str) -> String {
        let (x, y) = (format!("vmovn_u64({x})"), format!("vmovn_u64({y})"));
        match sum {
            Some(sum) => format!("vmlal_u32({sum}, {x}, {y})"),
            None => format!("vmull_u32({x}, {y})"),
        }
    }

    fn up(&self, x: &str, k: u32) -> String {
        format!("vshlq_n_u64({x}, {k})")
    }

    fn down(&self, x: &str, k: u32) -> String {
        format!("vshrq_n_u64({x}, {k})")
    }

    fn equal(&self, x: &str, y: &str) -> String {
        format!("vceqq_u64({x}, {y})")
    }

    fn choose(&self, mask: &str, x: &str, y: &str) -> String {
        format!("vbslq_u64({mask}, {x}, {y})")
    }
}

impl Printer for Neon {
    fn name(&self) -> &'static str {
        "c-neon"
    }

    fn language(&self) -> Language {
        Language::C
    }

    fn head(&self, _machine: &Machine) -> String {
        "\n#include <arm_neon.h>\n#include <stdint.h>\n\ntypedef uint64x2_t word;\n".to_owned()
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        let mut body = Body::new(kernel, machine, Printer::name(self));
        body.head("static inline void", name, layout);
        let variable = |v| body.name(v).to_owned();
        let mut lines = statements(kernel, self, &variable)?;
        for p in &kernel.outputs {
            let values =
                layout.values(p, &self.constant(&BigUint::ZERO), |part| operand(part, self, &variable));
            let stores = values.iter().enumerate().map(|(i, v)| format!("{}[{i}] = {v};", layout.array(p)));
            lines.extend(stores);
        }
        for line in lines {
            body.line(&line);
        }
        body.text.push_str("}\n");
        Ok(body.text)
    }

    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String> {
        Some(c_vectors(kernel, code, &MEMORY))
    }
}

const MEMORY: Vectored = Vectored {
    include: "#include <arm_neon.h>",
    word: "uint64x2_t",
    broadcast: "vdupq_n_u64",
    choose: "\
static inline void pw_choose(word *r, const word *test, const word *zero, const word *other) {
    word any = test[0];
    for (int w = 1; w < WORDS; w++) any = vorrq_u64(any, test[w]);
    const word none = vceqzq_u64(any);
    for (int w = 0; w < WORDS; w++) r[w] = vbslq_u64(none, zero[w], other[w]);
}
",
};
