//! Rust: host kernels on words, or on vectors with one element per lane. Elements in lanes are stored in blocks, digit
//! by digit, each block aligned to the size of a vector; uniform elements (twiddles, a scalar) and constants are stored
//! as single words, and a load copies them to every lane.

use super::super::lang::{Access, ArrayKernel, BufferKind, ElementPlace, Ix, Node, Reg, Role, Stmt};
use super::{FieldCode, IxStyle, Text, ix, name, registers};
use crate::print::rust::Rust;

fn style() -> IxStyle {
    IxStyle {
        thread: "0",
        block: "0",
        suffix: "",
        min: |a, b| format!("({a}).min({b})"),
        bits: |buffer, at, width| {
            let mask = (1u32 << width) - 1;
            format!("((*{buffer}.add(({at}) / 64) >> (({at}) % 64)) & {mask}) as usize")
        },
    }
}

/// A host kernel: `pub unsafe extern "C" fn NAME(scalars: usize..., out: *mut u64, inputs: *const u64...,
/// constants: *const u64)`.
pub fn host(kernel: &ArrayKernel, code: &FieldCode, form: &Rust) -> String {
    let mut text = Text::new();
    let word = form.word;
    if !form.import.is_empty() {
        text.line(form.import);
        text.line("");
    }
    text.line(format!("const WORDS: usize = {};", kernel.element.words));
    text.line(format!("const CONSTANTS: usize = {};", code.constants.max(1)));
    text.line(format!("type Element = [{word}; WORDS];"));
    text.line("");
    text.text.push_str(code.text.trim_end());
    text.line("");
    text.line("");
    text.text.push_str(form.memory);
    text.line("");
    text.line(super::c::heading(kernel));
    text.line("#[unsafe(no_mangle)]");
    let mut parameters = parameters(kernel, "*const u64", "*mut u64");
    parameters.push("constants: *const u64".to_owned());
    if !form.features.is_empty() {
        text.line(form.features);
    }
    text.open(format!("pub unsafe extern \"C\" fn {}({}) {{ unsafe {{", kernel.name, parameters.join(", ")));
    text.line("let k = &pw_constants(constants);");
    for reg in registers(kernel) {
        text.line(format!("let mut r{}: Element = pw_zero();", reg.0));
    }
    nodes(&mut text, kernel, &kernel.body, "k");
    text.depth -= 1;
    text.line("}}");
    text.text
}

/// The parameters of a function: scalars, and buffers with the given types for reading and writing.
fn parameters(kernel: &ArrayKernel, read: &str, written: &str) -> Vec<String> {
    let scalars = kernel.scalars.iter().map(|s| format!("{s}: usize"));
    let buffers = kernel.buffers.iter().map(|buffer| match buffer.access {
        Access::Read => format!("{}: {read}", buffer.name),
        Access::Write => format!("{}: {written}", buffer.name),
    });
    scalars.chain(buffers).collect()
}

/// A host kernel on slices whose field functions are for one modulus,
/// `pub fn NAME(scalars: usize..., out: &mut [Element], inputs: &[Element]...)`, with a comment above it and without the helpers.
pub fn function(kernel: &ArrayKernel) -> String {
    let mut text = Text::new();
    let parameters = parameters(kernel, "&[Element]", "&mut [Element]");
    text.line(super::c::heading(kernel).replacen("//", "///", 1));
    text.open(format!("pub fn {}({}) {{", kernel.name, parameters.join(", ")));
    for reg in registers(kernel) {
        text.line(format!("let mut r{}: Element = [0; WORDS];", reg.0));
    }
    nodes(&mut text, kernel, &kernel.body, "");
    text.close();
    text.text
}

fn nodes(text: &mut Text, kernel: &ArrayKernel, all: &[Node], constants: &str) {
    for node in all {
        match node {
            Node::Phase(body) => stmts(text, kernel, body, constants),
            Node::Repeat { var, count, body } => {
                text.open(format!("for {} in 0..{count}usize {{", name(*var)));
                nodes(text, kernel, body, constants);
                text.close();
            }
        }
    }
}

/// The index of the buffer, and the arguments of a load or store that select an element.
fn address(kernel: &ArrayKernel, place: &ElementPlace) -> Option<(usize, String)> {
    let ElementPlace::Global { buffer, base, stride, at } = place else { return None };
    let at = ix(&style(), kernel, at);
    let offset = match base {
        Ix::Const(0) => at,
        base => format!("({}) * {stride} + {at}", ix(&style(), kernel, base)),
    };
    Some((*buffer, format!("{}, {offset}", kernel.buffers[*buffer].name)))
}

/// Prints statements; `constants` is the last argument of field functions, or empty.
fn stmts(text: &mut Text, kernel: &ArrayKernel, body: &[Stmt], constants: &str) {
    let reg = |reg: &Reg| format!("r{}", reg.0);
    for stmt in body {
        match stmt {
            Stmt::Let { var, value } => {
                text.line(format!("let {} = {};", name(*var), ix(&style(), kernel, value)));
            }
            Stmt::Load { dst, from } => {
                let Some((buffer, address)) = address(kernel, from) else { continue };
                let uniform = kernel.buffers[buffer].kind == BufferKind::Uniform;
                let helper = if uniform { "pw_load_uniform" } else { "pw_load" };
                text.line(format!("{} = {helper}({address});", reg(dst)));
            }
            Stmt::Store { to, src } => {
                let Some((_, address)) = address(kernel, to) else { continue };
                text.line(format!("pw_store({address}, &{});", reg(src)));
            }
            Stmt::Call { role, dst, a, b } => {
                // An operand that is also the result is borrowed from a copy, which costs nothing once inlined.
                let (mut a, mut b) = (format!("&{}", reg(a)), format!("&{}", reg(b)));
                let own = format!("&{}", reg(dst));
                let aliased = a == own || (b == own && *role != Role::Sqr);
                for operand in [&mut a, &mut b] {
                    if aliased && *operand == own {
                        *operand = "&old".to_owned();
                    }
                }
                let mut arguments = vec![format!("&mut {}", reg(dst)), a];
                arguments.extend(Some(b).filter(|_| *role != Role::Sqr));
                arguments.extend(Some(constants.to_owned()).filter(|k| !k.is_empty()));
                let call = format!("{}({});", role.function(), arguments.join(", "));
                text.line(if aliased { format!("{{ let old = {}; {call} }}", reg(dst)) } else { call });
            }
            Stmt::Copy { dst, src } => text.line(format!("{} = {};", reg(dst), reg(src))),
            Stmt::Choose { dst, test, zero, other } => text.line(format!(
                "{} = pw_choose(&{}, &{}, &{});",
                reg(dst),
                reg(test),
                reg(zero),
                reg(other)
            )),
            Stmt::For { var, from, to, body } => {
                let (from, to) = (ix(&style(), kernel, from), ix(&style(), kernel, to));
                text.open(format!("for {} in {from}..{to} {{", name(*var)));
                stmts(text, kernel, body, constants);
                text.close();
            }
            Stmt::When { left, right, body } => {
                let (left, right) = (ix(&style(), kernel, left), ix(&style(), kernel, right));
                // In parentheses, since a cast before `<` reads as the start of generics.
                text.open(format!("if ({left}) < ({right}) {{"));
                stmts(text, kernel, body, constants);
                text.close();
            }
        }
    }
}
