//! Printers of array programs.
//!
//! A printer prints the field functions first, then a few helpers that move elements, then the kernel. The field
//! functions ([`FieldCode`]) must have these forms:
//!
//! - C, CUDA and OpenCL: `pw_add`, `pw_sub`, `pw_mul`, `pw_sqr` with `(word *r, const word *a, const word *b, const word *k)`,
//!   without `b` for `pw_sqr`; `word` is declared by the printer, arrays have `WORDS` words, `k` points to the
//!   constants. `r` may be `a` or `b`.
//! - Rust: `(r: &mut [W; WORDS], a: &[W; WORDS], b: &[W; WORDS], k: &[W; CONSTANTS])`, again without `b` for
//!   `pw_sqr`, where `W` is a word or a vector.
//!
//! The arguments of the printed function are the kernel's scalars, its buffers in order, and the constants: a pointer
//! on the host, and on a device a structure by value, so that they lie in constant memory.

mod c;
mod device;
mod rust;

use core::fmt::Write;
use std::collections::BTreeSet;

pub use c::{
    Vectored, function as c_function, helpers as c_helpers, host as c_host, shadow as c_shadow,
    vectors as c_vectors,
};
pub use device::{Dialect, cuda, device_formula, head, opencl};
pub use rust::{function as rust_function, host as rust_host};

use super::lang::{ArrayKernel, IndexVar, Ix, IxOp, Node, Reg, Stmt};

/// The field functions of a target, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldCode {
    /// The definitions of the four functions.
    pub text: String,
    /// Number of words (or digits) of the constants that they read.
    pub constants: usize,
}

/// The text of index expressions in a language.
struct IxStyle {
    /// The number of the thread within its block.
    thread: &'static str,
    /// The number of the block.
    block: &'static str,
    /// The suffix of a number.
    suffix: &'static str,
    /// The smaller of two numbers.
    min: fn(&str, &str) -> String,
    /// Bits of an integer in a buffer: name, first bit, width.
    bits: fn(&str, &str, u32) -> String,
}

fn ix(style: &IxStyle, kernel: &ArrayKernel, value: &Ix) -> String {
    let inner = |value: &Ix| match value {
        Ix::Op(op, ..) if *op != IxOp::Min => format!("({})", ix(style, kernel, value)),
        _ => ix(style, kernel, value),
    };
    match value {
        Ix::Const(value) => format!("{value}{}", style.suffix),
        Ix::Thread => style.thread.to_owned(),
        Ix::Block => style.block.to_owned(),
        Ix::Scalar(at) => kernel.scalars[*at].to_owned(),
        Ix::Var(var) => name(*var),
        Ix::Op(IxOp::Min, a, b) => (style.min)(&ix(style, kernel, a), &ix(style, kernel, b)),
        Ix::Op(op, a, b) => {
            let sign = match op {
                IxOp::Add => "+",
                IxOp::Sub => "-",
                IxOp::Mul => "*",
                IxOp::Shl => "<<",
                IxOp::Shr => ">>",
                IxOp::And => "&",
                IxOp::Or => "|",
                IxOp::Xor | IxOp::Min => "^",
            };
            format!("{} {sign} {}", inner(a), inner(b))
        }
        Ix::BitRev { value, bits } => {
            format!("pw_bitrev({}, {})", ix(style, kernel, value), ix(style, kernel, bits))
        }
        Ix::Bits { buffer, at, width } => {
            (style.bits)(kernel.buffers[*buffer].name, &ix(style, kernel, at), *width)
        }
    }
}

fn name(var: IndexVar) -> String {
    format!("i{}", var.0)
}

/// A text under construction, with its depth of indentation.
struct Text {
    text: String,
    depth: usize,
}

impl Text {
    fn new() -> Self {
        Self { text: String::new(), depth: 0 }
    }
    fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.is_empty() {
            self.text.push('\n');
        } else {
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.depth);
        }
    }
    /// Appends a line that ends in an opening brace, and indents the lines after it.
    fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }
    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }
}

/// Visits every phase once.
fn phases(all: &[Node], visit: &mut dyn FnMut(&[Stmt])) {
    for node in all {
        match node {
            Node::Phase(body) => visit(body),
            Node::Repeat { body, .. } => phases(body, visit),
        }
    }
}

/// The registers that a kernel uses.
fn registers(kernel: &ArrayKernel) -> BTreeSet<Reg> {
    let mut all = BTreeSet::new();
    phases(&kernel.body, &mut |body| mentioned(body, &mut all));
    all
}

/// Adds the registers that a list of statements uses.
fn mentioned(body: &[Stmt], all: &mut BTreeSet<Reg>) {
    for stmt in body {
        match stmt {
            Stmt::Load { dst: reg, .. } | Stmt::Store { src: reg, .. } => all.extend([*reg]),
            Stmt::Call { dst, a, b, .. } => all.extend([*dst, *a, *b]),
            Stmt::Copy { dst, src } => all.extend([*dst, *src]),
            Stmt::Choose { dst, test, zero, other } => all.extend([*dst, *test, *zero, *other]),
            Stmt::For { body, .. } | Stmt::When { body, .. } => mentioned(body, all),
            Stmt::Let { .. } => {}
        }
    }
}

/// Adds the registers that some phase may read before it has written them: they hold a value across a barrier.
fn kept(nodes: &[Node], all: &mut BTreeSet<Reg>) {
    for node in nodes {
        match node {
            Node::Phase(body) => exposed(body, &mut BTreeSet::new(), all),
            Node::Repeat { body, .. } => kept(body, all),
        }
    }
}

fn exposed(body: &[Stmt], written: &mut BTreeSet<Reg>, all: &mut BTreeSet<Reg>) {
    for stmt in body {
        let (reads, write): (&[Reg], Option<Reg>) = match stmt {
            Stmt::Let { .. } => (&[], None),
            Stmt::Load { dst, .. } => (&[], Some(*dst)),
            Stmt::Store { src, .. } => (&[*src], None),
            Stmt::Call { dst, a, b, .. } => (&[*a, *b], Some(*dst)),
            Stmt::Copy { dst, src } => (&[*src], Some(*dst)),
            Stmt::Choose { dst, test, zero, other } => (&[*test, *zero, *other], Some(*dst)),
            Stmt::For { body, .. } | Stmt::When { body, .. } => {
                exposed(body, &mut written.clone(), all);
                continue;
            }
        };
        all.extend(reads.iter().filter(|reg| !written.contains(reg)));
        written.extend(write);
    }
}
