//! Portable C. A host kernel is printed directly; a device kernel block by block, each phase as a loop over the
//! threads. The second form, the *host shadow*, has exactly the semantics of the barriers, so a device kernel can be
//! tested without a device.
//!
//! CUDA C uses the same printer of statements, with other helpers and another text around the statements.

use std::collections::BTreeSet;

use super::super::lang::{Access, ArrayKernel, BufferKind, ElementPlace, Ix, Node, Reg, Role, Stmt};
use crate::print::c::called;

use super::{FieldCode, IxStyle, Text, ix, kept, mentioned, name, registers};

/// The differences between the languages of the C family.
pub(super) struct Style {
    pub(super) ix: IxStyle,
    /// The C type of indices.
    pub(super) index: &'static str,
    /// Registers that are arrays over the threads.
    pub(super) kept: BTreeSet<Reg>,
    /// The argument of a field function for the constants; empty if the functions are for one modulus.
    pub(super) constants: &'static str,
    /// Whether loops are marked not to be unrolled, since their unrolled code would exceed the instruction cache.
    pub(super) rolled: bool,
    /// Whether loads from read-only buffers use a helper of their own.
    pub(super) read_only: bool,
    /// Whether buffers of one element are structures passed by value.
    pub(super) by_value: bool,
    /// Whether a word is a vector with one word of each lane's element; uniform buffers, integers and constants hold
    /// single words.
    vectors: bool,
}

fn min(a: &str, b: &str) -> String {
    format!("pw_min({a}, {b})")
}

fn bits(buffer: &str, at: &str, width: u32) -> String {
    let mask = (1u32 << width) - 1;
    format!("(({buffer}[({at}) / WORD_BITS] >> (({at}) % WORD_BITS)) & {mask})")
}

impl Style {
    pub(super) fn new(index: &'static str, thread: &'static str, block: &'static str) -> Self {
        Self {
            ix: IxStyle { thread, block, suffix: "", min, bits },
            index,
            kept: BTreeSet::new(),
            constants: "constants",
            rolled: false,
            read_only: false,
            by_value: false,
            vectors: false,
        }
    }

    fn reg(&self, reg: Reg) -> String {
        if self.kept.contains(&reg) { format!("r{}[thread]", reg.0) } else { format!("r{}", reg.0) }
    }

    /// Prints the declaration of registers, without those that are arrays over the threads.
    pub(super) fn registers(&self, text: &mut Text, all: &BTreeSet<Reg>) {
        let names: Vec<String> = all.difference(&self.kept).map(|reg| format!("r{}[WORDS]", reg.0)).collect();
        if !names.is_empty() {
            text.line(format!("word {};", names.join(", ")));
        }
    }

    /// Prints the head of a loop.
    fn for_(&self, text: &mut Text, var: &str, from: &str, to: &str) {
        if self.rolled {
            text.line("#pragma unroll 1");
        }
        text.open(format!("for ({} {var} = {from}; {var} < {to}; {var}++) {{", self.index));
    }

    /// The index of the buffer and the address expression of an element.
    fn address(&self, kernel: &ArrayKernel, place: &ElementPlace) -> Option<(usize, String)> {
        let ElementPlace::Global { buffer, base, stride, at } = place else { return None };
        let at = ix(&self.ix, kernel, at);
        let offset = match base {
            Ix::Const(0) => format!("(size_t)({at})"),
            base => format!("((size_t)({}) * {stride} + {at})", ix(&self.ix, kernel, base)),
        };
        Some((*buffer, format!("{} + {offset} * WORDS", kernel.buffers[*buffer].name)))
    }

    pub(super) fn stmts(&self, text: &mut Text, kernel: &ArrayKernel, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Let { var, value } => text.line(format!(
                    "const {} {} = {};",
                    self.index,
                    name(*var),
                    ix(&self.ix, kernel, value)
                )),
                Stmt::Load { dst, from } => {
                    let dst = self.reg(*dst);
                    text.line(match (from, self.address(kernel, from)) {
                        (ElementPlace::Global { buffer, .. }, _)
                            if self.by_value && kernel.buffers[*buffer].kind == BufferKind::Value =>
                        {
                            format!("pw_copy({dst}, {}.w);", kernel.buffers[*buffer].name)
                        }
                        (_, Some((buffer, address))) => {
                            let buffer = &kernel.buffers[buffer];
                            let helper = match buffer.access {
                                Access::Read if self.read_only => "pw_load_constant",
                                _ if self.vectors && buffer.kind == BufferKind::Uniform => "pw_load_uniform",
                                _ => "pw_load",
                            };
                            format!("{helper}({dst}, {address});")
                        }
                        (ElementPlace::Shared(slot), _) => {
                            format!("pw_shared_load({dst}, shared, {});", ix(&self.ix, kernel, slot))
                        }
                        (ElementPlace::Global { .. }, None) => continue,
                    });
                }
                Stmt::Store { to, src } => {
                    let src = self.reg(*src);
                    text.line(match (to, self.address(kernel, to)) {
                        (_, Some((_, address))) => format!("pw_store({address}, {src});"),
                        (ElementPlace::Shared(slot), _) => {
                            format!("pw_shared_store(shared, {}, {src});", ix(&self.ix, kernel, slot))
                        }
                        (ElementPlace::Global { .. }, None) => continue,
                    });
                }
                Stmt::Call { role, dst, a, b } => {
                    let (dst, a, b) = (self.reg(*dst), self.reg(*a), self.reg(*b));
                    let second = Some(b).filter(|_| *role != Role::Sqr);
                    let constants = Some(self.constants.to_owned()).filter(|k| !k.is_empty());
                    let arguments: Vec<String> =
                        [Some(dst), Some(a), second, constants].into_iter().flatten().collect();
                    text.line(format!("{}({});", role.function(), arguments.join(", ")));
                }
                Stmt::Copy { dst, src } => {
                    text.line(format!("pw_copy({}, {});", self.reg(*dst), self.reg(*src)));
                }
                Stmt::Choose { dst, test, zero, other } => text.line(format!(
                    "pw_choose({}, {}, {}, {});",
                    self.reg(*dst),
                    self.reg(*test),
                    self.reg(*zero),
                    self.reg(*other)
                )),
                Stmt::For { var, from, to, body } => {
                    let (var, from, to) = (name(*var), ix(&self.ix, kernel, from), ix(&self.ix, kernel, to));
                    self.for_(text, &var, &from, &to);
                    self.stmts(text, kernel, body);
                    text.close();
                }
                Stmt::When { left, right, body } => {
                    let (left, right) = (ix(&self.ix, kernel, left), ix(&self.ix, kernel, right));
                    text.open(format!("if ({left} < {right}) {{"));
                    self.stmts(text, kernel, body);
                    text.close();
                }
            }
        }
    }
}

/// The parameters for the buffers. `word` is the type of a word, with its address space where a language requires one;
/// `restrict` follows the `*`.
pub(super) fn pointers(kernel: &ArrayKernel, word: &str, restrict: &str) -> Vec<String> {
    let pointer = |(access, name): (Access, &str)| match access {
        Access::Read => format!("const {word} *{restrict}{name}"),
        Access::Write => format!("{word} *{restrict}{name}"),
    };
    kernel.buffers.iter().map(|b| pointer((b.access, b.name))).collect()
}

/// The same parameters, but with single elements passed by value, in a structure `pw_value`.
pub(super) fn pointers_and_values(kernel: &ArrayKernel, word: &str, restrict: &str) -> Vec<String> {
    let mut all = pointers(kernel, word, restrict);
    for (parameter, buffer) in all.iter_mut().zip(&kernel.buffers) {
        if buffer.kind == BufferKind::Value {
            *parameter = format!("const __grid_constant__ pw_value {}", buffer.name);
        }
    }
    all
}

/// The language elements for host kernels on vectors: one element per lane, digit by digit, with blocks aligned to the
/// size of a vector.
pub struct Vectored {
    /// The line that includes the intrinsics.
    pub(crate) include: &'static str,
    /// The type of a vector of 64-bit words.
    pub(crate) word: &'static str,
    /// The function that copies a word to every lane.
    pub(crate) broadcast: &'static str,
    /// The definition of the helper `pw_choose`.
    pub(crate) choose: &'static str,
}

/// The comment above a kernel.
pub(super) fn heading(kernel: &ArrayKernel) -> String {
    let bits: Vec<&str> =
        kernel.buffers.iter().filter(|b| b.kind == BufferKind::Bits).map(|b| b.name).collect();
    let mut about =
        format!("// {}: {}. Elements of {} words", kernel.name, kernel.about, kernel.element.words);
    if !bits.is_empty() {
        about.push_str(&format!("; {} is an integer in words, low word first", bits.join(", ")));
    }
    about + "."
}

fn prelude(kernel: &ArrayKernel, code: &FieldCode, vectors: Option<&Vectored>) -> Text {
    let mut text = Text::new();
    if let Some(vectors) = vectors {
        text.line(vectors.include);
    }
    text.line("#include <stddef.h>");
    text.line("#include <stdint.h>");
    text.line("");
    match vectors {
        Some(vectors) => text.line(format!("typedef {} word;", vectors.word)),
        None => text.line(format!("typedef uint{}_t word;", kernel.element.word_bits)),
    }
    text.line(format!(
        "enum {{ WORD_BITS = {}, WORDS = {} }};",
        kernel.element.word_bits, kernel.element.words
    ));
    text.line("");
    text.text.push_str(code.text.trim_end());
    text.line("");
    text.line("");
    text.text.push_str(MOVE);
    text.text.push_str(vectors.map_or(CHOOSE, |vectors| vectors.choose));
    text.text.push_str(INDEX);
    text
}

const MOVE: &str = "\
static inline void pw_copy(word *r, const word *a) {
    for (int w = 0; w < WORDS; w++) r[w] = a[w];
}
static inline void pw_load(word *r, const word *p) { pw_copy(r, p); }
static inline void pw_store(word *p, const word *r) { pw_copy(p, r); }
";

const CHOOSE: &str = "\
static inline void pw_choose(word *r, const word *test, const word *zero, const word *other) {
    word any = 0;
    for (int w = 0; w < WORDS; w++) any |= test[w];
    const word mask = (word)0 - (word)(any != 0);
    for (int w = 0; w < WORDS; w++) r[w] = (other[w] & mask) | (zero[w] & ~mask);
}
";

const INDEX: &str = "\
static inline size_t pw_min(size_t a, size_t b) { return a < b ? a : b; }
static inline uint32_t pw_bitrev(uint32_t x, uint32_t bits) {
    x = (x >> 16) | (x << 16);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    return (x >> 1) >> (31 - bits);
}
";

/// The parameters of a function: scalars, buffers, and the constants if there are any.
fn parameters(kernel: &ArrayKernel, scalar: &str, qualifier: &str, constants: &str) -> Vec<String> {
    let mut all: Vec<String> = kernel.scalars.iter().map(|s| format!("{scalar} {s}")).collect();
    all.extend(pointers(kernel, "word", qualifier));
    all.extend((!constants.is_empty()).then(|| constants.to_owned()));
    all
}

/// A host kernel in C11: `void NAME(size_t scalars..., word *out, const word *inputs..., const word *constants)`.
pub fn host(kernel: &ArrayKernel, code: &FieldCode) -> String {
    host_text(kernel, code, None)
}

/// The same kernel with a vector for each digit: data buffers hold vectors, the other buffers and the constants single
/// words.
pub fn vectors(kernel: &ArrayKernel, code: &FieldCode, vectors: &Vectored) -> String {
    host_text(kernel, code, Some(vectors))
}

fn host_text(kernel: &ArrayKernel, code: &FieldCode, vectors: Option<&Vectored>) -> String {
    let mut text = prelude(kernel, code, vectors);
    let mut style = Style::new("size_t", "0", "0");
    style.ix.suffix = "u";
    let mut parameters = parameters(kernel, "size_t", "restrict ", "const word *restrict constants");
    if let Some(vectors) = vectors {
        (style.vectors, style.constants) = (true, "k");
        for (parameter, buffer) in parameters[kernel.scalars.len()..].iter_mut().zip(&kernel.buffers) {
            if buffer.kind != BufferKind::Elements {
                *parameter = parameter.replace("const word", "const uint64_t");
            }
        }
        text.line("static inline void pw_load_uniform(word *r, const uint64_t *p) {");
        text.line(format!("    for (int w = 0; w < WORDS; w++) r[w] = {}(p[w]);", vectors.broadcast));
        text.line("}");
        parameters.pop();
        parameters.push("const uint64_t *restrict constants".to_owned());
    }
    text.line("");
    text.line(heading(kernel));
    text.open(format!("void {}({}) {{", kernel.name, parameters.join(", ")));
    if let Some(vectors) = vectors {
        let count = code.constants.max(1);
        text.line(format!("word k[{count}];"));
        text.line(format!("for (int w = 0; w < {count}; w++) k[w] = {}(constants[w]);", vectors.broadcast));
    }
    style.registers(&mut text, &registers(kernel));
    nodes(&mut text, &style, &kernel.body, &mut |text, body| style.stmts(text, kernel, body));
    text.close();
    text.text
}

/// A host kernel whose field functions are for one modulus, `static inline void NAME(scalars..., buffers...)`, with a
/// comment above it and without the helpers, which [`helpers`] returns.
pub fn function(kernel: &ArrayKernel) -> String {
    let mut text = Text::new();
    let mut style = Style::new("size_t", "0", "0");
    (style.constants, style.ix.suffix) = ("", "u");
    let parameters = parameters(kernel, "size_t", "", "").join(", ");
    text.line(heading(kernel));
    text.open(format!("static inline void {}({parameters}) {{", kernel.name));
    style.registers(&mut text, &registers(kernel));
    nodes(&mut text, &style, &kernel.body, &mut |text, body| style.stmts(text, kernel, body));
    text.close();
    text.text
}

/// The helpers for moving elements and computing indices that the given functions call.
pub fn helpers(functions: &str) -> String {
    // Loads and stores call `pw_copy`.
    let moved = functions.contains("pw_load(") || functions.contains("pw_store(");
    let calls = if moved { format!("{functions}pw_copy(") } else { functions.to_owned() };
    called(&[MOVE, CHOOSE, INDEX].concat(), &calls)
}

/// The host shadow of a device kernel in C11: `void NAME_block(uint32_t block, scalars..., buffers..., constants)` runs
/// one block, and `void NAME(size_t scalars..., buffers..., constants)` the whole grid, one block after the other.
pub fn shadow(kernel: &ArrayKernel, code: &FieldCode) -> String {
    let Some(launch) = &kernel.launch else { return host(kernel, code) };
    let mut text = prelude(kernel, code, None);
    let mut style = Style::new("uint32_t", "thread", "block");
    kept(&kernel.body, &mut style.kept);
    let threads = launch.threads * launch.cluster;
    text.line("");
    text.line(format!(
        "enum {{ THREADS = {threads}, SLOTS = {}, SLICE = {} }};",
        launch.shared,
        kernel.element.slice_words()
    ));
    if launch.shared > 0 {
        text.text.push_str(SHARED);
    }
    let of = |scalar| parameters(kernel, scalar, "", "const word *constants").join(", ");
    text.line("");
    text.line(heading(kernel));
    text.open(format!("void {}_block(uint32_t block, {}) {{", kernel.name, of("uint32_t")));
    if launch.shared > 0 {
        text.line("word shared[SLOTS * WORDS];");
    }
    for reg in &style.kept {
        text.line(format!("word r{}[THREADS][WORDS];", reg.0));
    }
    nodes(&mut text, &style, &kernel.body, &mut |text, body| {
        text.open("for (uint32_t thread = 0; thread < THREADS; thread++) {");
        let mut registers = BTreeSet::new();
        mentioned(body, &mut registers);
        style.registers(text, &registers);
        style.stmts(text, kernel, body);
        text.close();
    });
    text.close();
    let arguments: Vec<&str> =
        kernel.scalars.iter().copied().chain(kernel.buffers.iter().map(|b| b.name)).collect();
    text.line("");
    text.open(format!("void {}({}) {{", kernel.name, of("size_t")));
    text.line(format!("const size_t blocks = {};", ix(&style.ix, kernel, &launch.blocks)));
    text.line(format!(
        "for (size_t block = 0; block < blocks; block++) {}_block(block, {}, constants);",
        kernel.name,
        arguments.join(", ")
    ));
    text.close();
    text.text
}

const SHARED: &str = "\
static inline void pw_shared_load(word *r, const word *shared, uint32_t slot) {
    for (uint32_t w = 0; w < WORDS; w++) r[w] = shared[(w / SLICE * SLOTS + slot) * SLICE + w % SLICE];
}
static inline void pw_shared_store(word *shared, uint32_t slot, const word *r) {
    for (uint32_t w = 0; w < WORDS; w++) shared[(w / SLICE * SLOTS + slot) * SLICE + w % SLICE] = r[w];
}
";

/// Prints each phase by `phase`, and the loops around them.
pub(super) fn nodes(text: &mut Text, style: &Style, all: &[Node], phase: &mut dyn FnMut(&mut Text, &[Stmt])) {
    for node in all {
        match node {
            Node::Phase(body) => phase(text, body),
            Node::Repeat { var, count, body } => {
                style.for_(text, &name(*var), "0", &count.to_string());
                nodes(text, style, body, phase);
                text.close();
            }
        }
    }
}
