//! Proofs for all operands at small widths, by Yosys' SAT solver: the kernels from which the blocks are printed are
//! compared with their specifications, written with Verilog's own operators.

use crate::error::RtlError;
use crate::synth::{Library, dense_module};
use crate::tools::{Tools, write};
use num_bigint::BigUint;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::ir::{Arg, Kernel, Op, Param, Reduction};
use pairwright_moma::lower::{Options, lower};
use pairwright_moma::machine::Machine;
use pairwright_moma::print::Layout;
use pairwright_moma::print::systemverilog::module;
use pairwright_moma::steps::{Steps, fixed};
use std::path::Path;

/// A theorem: modules, and a module `theorem` whose assertion holds for all inputs.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// The statement of the theorem, for reports.
    pub title: String,
    /// The modules under test.
    pub text: String,
    /// Whether the modules have registers: the theorem then states an invariant that holds in every cycle after a
    /// reset, proved by induction over time.
    pub clocked: bool,
}

/// The theorems for a modulus and a digit width in bits.
///
/// # Errors
/// Errors of the kernels, for a modulus without digit steps.
pub fn theorems(q: u32, digit: u32) -> Result<Vec<Theorem>, RtlError> {
    let modulus = BigUint::from(q);
    let bits = modulus.bits() as u32;
    let steps = Steps::new(bits, digit)?;
    let radix = BigUint::from(1u32) << digit;
    let inverse = modulus.modinv(&radix).ok_or(pairwright_moma::MomaError::EvenModulus)?;
    let qinv = &radix - inverse;
    let print = |kernel, name: &str| module(&fixed(kernel, &modulus, &qinv), name);
    let top = bits - 1;
    let add_sub = format!(
        "{}
module theorem (input wire [{top}:0] a, input wire [{top}:0] b, input wire [0:0] s);
    wire [{top}:0] c;
    add_sub block (.a(a), .b(b), .s(s), .c(c));
    wire [{wide}:0] sum = a + b;
    wire [{wide}:0] want = s ? (a >= b ? a - b : a + {q} - b) : (sum >= {q} ? sum - {q} : sum);
    always @* if (a < {q} && b < {q}) assert (c == want);
endmodule
",
        print(steps.add_sub(), "add_sub")?,
        wide = bits + 1,
    );
    // The exact equation of a digit step: the quotient digit clears the lowest digit, and the sum stays below 2q.
    let (t, sum) = (steps.reduced_bits() - 1, steps.sum_bits() - 1);
    let (w, wide) = (digit - 1, 2 * bits + 2 * digit);
    let step = format!(
        "{}\n{}\n{}
module theorem (input wire [{w}:0] a, input wire [{top}:0] b, input wire [{t}:0] t);
    wire [{w}:0] binv, m;
    wire [{sum}:0] row;
    wire [{t}:0] r;
    prepare block_0 (.b(b), .binv(binv));
    multiply block_1 (.a(a), .b(b), .binv(binv), .t(t), .sum(row), .m(m));
    reduce block_2 (.t(row), .m(m), .r(r));
    wire [{wide}:0] left = r;
    wire [{wide}:0] right = t + a * b + m * {wide_q};
    always @* if (b < {q} && t < {twice}) begin
        assert ((left << {digit}) == right);
        assert (r < {twice});
    end
endmodule
",
        print(steps.prepare(), "prepare")?,
        print(steps.multiply(0), "multiply")?,
        print(steps.reduce(), "reduce")?,
        wide_q = format_args!("{}'d{q}", wide + 1),
        twice = 2 * q,
    );
    let subtract = format!(
        "{}
module theorem (input wire [{t}:0] t);
    wire [{top}:0] c;
    subtract block (.t(t), .c(c));
    always @* if (t < {twice}) assert (c == t % {q});
endmodule
",
        print(steps.subtract(), "subtract")?,
        twice = 2 * q,
    );
    let halve = format!(
        "{}
module theorem (input wire [{top}:0] x);
    wire [{top}:0] h;
    halve block (.x(x), .h(h));
    wire [{bits}:0] twice = {{h, 1'd0}};
    always @* if (x < {q}) assert (h < {q} && (twice == x || twice == x + {q}));
endmodule
",
        print(steps.halve(), "halve")?,
    );
    let title = |what: &str| format!("{what} modulo {q}");
    Ok(vec![
        Theorem { title: title("the adder and subtractor"), text: add_sub, clocked: false },
        Theorem { title: title(&format!("a digit step of {digit} bits")), text: step, clocked: false },
        Theorem { title: title("the last subtraction"), text: subtract, clocked: false },
        Theorem { title: title("half of a residue"), text: halve, clocked: false },
    ])
}

/// The theorems about the field functions that `gen kernel --target rtl` prints, in words of `word` bits, so that
/// carries, products and slices of values extend over several words.
///
/// # Errors
/// Errors of the kernels, for a modulus without field functions.
pub fn field_theorems(q: u32, word: u32) -> Result<Vec<Theorem>, RtlError> {
    let machine = Machine::named("rtl")?.with_word(word)?;
    let modulus = BigUint::from(q);
    let field = FieldSpec::new(modulus.bits() as u32, Reduction::Montgomery);
    let qinv = field.constant(&modulus, &machine)?;
    let (bits, radix) = (field.bits, field.radix_bits(&machine));
    let theorem = |function: Function| {
        let kernel = lower(&field.kernel(function, &machine)?, &machine, Options::default())?;
        let wide = 2 * bits + radix;
        let equation = match function {
            Function::AddMod => format!("r == (x + y) % {q}"),
            Function::SubMod => format!("r == (x + {q} - y) % {q}"),
            Function::MulMod => format!("(r << {radix}) % {q} == (x * y) % {q} && r < {q}"),
            Function::SqrMod => format!("(r << {radix}) % {q} == (x * x) % {q} && r < {q}"),
            Function::Mul => "r == x * y".to_owned(),
            Function::Sqr => "r == x * x".to_owned(),
            Function::Reduce => format!("r == x % {q}"),
        };
        let limit = if function == Function::Reduce { 2 * q } else { q };
        let port = |p: &Param| match p.name.as_str() {
            "q" => format!(".q({}'d{q}), ", p.bits),
            "qinv" => format!(".qinv({}'d{qinv}), ", p.bits),
            name => format!(".{name}({name}[{}:0]), ", p.bits - 1),
        };
        let ports: String = kernel.inputs.iter().map(port).collect();
        let text = format!(
            "{}
module theorem (input wire [{bits}:0] a, input wire [{top}:0] b);
    wire [{last}:0] c;
    {name} block ({ports}.c(c));
    wire [{wide}:0] x = a;
    wire [{wide}:0] y = b;
    wire [{wide}:0] r = c;
    always @* if (a < {limit} && b < {q}) assert ({equation});
endmodule
",
            machine.printer.function(&kernel, function.name(), &machine, &Layout::default())?,
            top = bits - 1,
            last = kernel.outputs.first().map_or(bits, |p| p.bits) - 1,
            name = function.name(),
        );
        Ok(Theorem {
            title: format!("{} modulo {q} in words of {word} bits", function.name()),
            text,
            clocked: false,
        })
    };
    Function::ALL.into_iter().map(theorem).collect()
}

/// The theorems about the networks that replace products in a synthesis: operands of the given widths multiplied with
/// each other or with a constant, with an addend. The library's cells are modelled by their functions.
///
/// # Errors
/// Errors of the kernels and of [`dense_module`].
pub fn product_theorems(
    products: &[(u32, Option<u32>)],
    library: &Library,
) -> Result<Vec<Theorem>, RtlError> {
    let theorem = |(bits, factor): &(u32, Option<u32>)| {
        let (bits, factor) = (*bits, *factor);
        let mut kernel = Kernel::new("product");
        let (a, t) = (kernel.input("a", bits), kernel.input("t", bits));
        let b = match factor {
            Some(value) => Arg::small(u64::from(value)),
            None => kernel.input("b", bits),
        };
        let parts = kernel.push(Op::Mac, 2 * bits, vec![a, b, t], &[0, 2 * bits]);
        kernel.output("c", 2 * bits, parts[1].into());
        let ports = if factor.is_none() { ".b(b), " } else { "" };
        let value = factor.map_or("b".to_owned(), |value| format!("{bits}'d{value}"));
        let text = format!(
            "{}
module theorem (input wire [{top}:0] a, input wire [{top}:0] b, input wire [{top}:0] t);
    wire [{last}:0] c;
    product block (.a(a), {ports}.t(t), .c(c));
    wire [{last}:0] want = a * {value} + t;
    always @* assert (c == want);
endmodule
",
            dense_module(&kernel, "product", library)?,
            top = bits - 1,
            last = 2 * bits - 1,
        );
        let by = factor.map_or(format!("{bits} bits"), |value| value.to_string());
        let title = format!("the network of a product of {bits} bits by {by}, with an addend");
        Ok(Theorem { title, text, clocked: false })
    };
    products.iter().map(theorem).collect()
}

impl Theorem {
    /// The theorem with a false assertion: a solver refutes it, unless no operands satisfy the premises.
    pub fn denied(&self) -> Self {
        Self {
            title: format!("not {}", self.title),
            text: self.text.replacen("assert (", "assert (1'd0 && ", 1),
            clocked: self.clocked,
        }
    }
}

/// Proves a theorem, in an existing folder.
///
/// # Errors
/// [`RtlError::Tool`] with a counterexample; [`RtlError::NoTool`], [`RtlError::File`].
pub fn prove(theorem: &Theorem, tools: &Tools, folder: &Path) -> Result<(), RtlError> {
    write(&folder.join("theorem.sv"), &theorem.text)?;
    let sat = if theorem.clocked {
        "memory -nordff; memory_map; flatten; opt_clean; chformal -lower; sat -verify -tempinduct -maxsteps 30 -seq 1 -set-at 1 rst 1 \
         -prove-asserts -set-assumes theorem"
    } else {
        "opt; chformal -lower; sat -verify -prove-asserts -set-assumes -show-inputs theorem"
    };
    let script =
        format!("read_verilog -formal -sv theorem.sv; hierarchy -check -top theorem; proc; flatten; {sat}");
    tools.yosys(folder, &script, &theorem.title).map(|_| ())
}
