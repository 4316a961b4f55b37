//! The kernel language: straight-line programs over integers of any bit width.
//!
//! A [`Kernel`] is in static single assignment form. Every variable has a type, which is the number of bits that its
//! value fits in. Every instruction has an *operation width* `w`, the bit position at which its results are split into
//! a high and a low part. An addition at width 256 of two values below 2^256 gives a carry bit and a sum below 2^256,
//! whatever the exact widths of its operands. A declared result that is narrower than the operation is a claim of the
//! rule that wrote it ("this sum cannot reach 2^255"), and the interpreter checks every such claim.
//!
//! Results are listed highest part first, as the paper writes `[c0, c1]`; lists of digits are listed lowest first, as
//! they lie in memory.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// A variable of a kernel: an index into [`Kernel::bits`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Var(pub u32);

/// An operand: a variable or a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Arg {
    /// The value of a variable.
    Var(Var),
    /// A constant; its width is the bit length of its value.
    Const(BigUint),
}

impl Arg {
    /// The constant zero.
    pub fn zero() -> Self {
        Arg::Const(BigUint::zero())
    }

    /// A constant that fits in 64 bits.
    pub fn small(value: u64) -> Self {
        Arg::Const(BigUint::from(value))
    }

    /// Whether this is the constant zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Arg::Const(c) if c.is_zero())
    }

    /// Whether this is the constant one.
    pub fn is_one(&self) -> bool {
        matches!(self, Arg::Const(c) if c.is_one())
    }

    /// The value of a constant operand, `None` for a variable.
    pub fn constant(&self) -> Option<&BigUint> {
        match self {
            Arg::Const(c) => Some(c),
            Arg::Var(_) => None,
        }
    }
}

impl From<Var> for Arg {
    fn from(v: Var) -> Self {
        Arg::Var(v)
    }
}

/// The method that reduces a product modulo q.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Reduction {
    /// Barrett: operands and result canonical; the modulus has at most `w - 4` bits (\[MoMA\] section 5.2).
    Barrett,
    /// Montgomery: the product times 2^-w; the modulus may have all `w` bits.
    Montgomery,
}

/// The interval that the inputs and outputs of a modular kernel lie in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum Range {
    /// `[0, q)`: every product ends with a conditional subtraction.
    #[default]
    Canonical,
    /// `[0, 2q)`: Montgomery products need no final subtraction while `4q <= 2^w`.
    Twice,
}

/// Defines [`Op`] from one row per operation: its documentation, `Name { parameters }`, its mnemonic, its rank, and how
/// many operands and results it has. An array of two numbers gives the minimum and the maximum.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$field_doc:meta])* $field:ident),+ })?
            $mnemonic:literal, rank $rank:literal, $args:expr => $outs:expr;
    )+) => {
        /// The operation of an instruction. `w` is the instruction's width; operands are listed in order, results after
        /// the arrow.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Op {
            $($(#[$doc])* $name $({ $($(#[$field_doc])* $field: u32),+ })?,)+
        }

        impl Op {
            /// The rank among operations of one width: a rule may replace an operation by others of the same width only
            /// if these have a lower rank. Since every rule lowers the pair (width, rank), every derivation is finite.
            pub fn rank(self) -> u32 {
                match self {
                    $(Op::$name { .. } => $rank,)+
                }
            }

            /// The mnemonic of the operation in the text form, without its width.
            pub fn mnemonic(self) -> &'static str {
                match self {
                    $(Op::$name { .. } => $mnemonic,)+
                }
            }

            /// The operation's parameters, which the text form writes in braces.
            pub fn parameters(self) -> Vec<u32> {
                match self {
                    $(Op::$name $({ $($field),+ })? => vec![$($($field),+)?],)+
                }
            }

            /// The operation with this mnemonic and these parameters, as the text form writes them; `None` if there is
            /// no such operation.
            pub fn from_parts(mnemonic: &str, parameters: &[u32]) -> Option<Op> {
                match (mnemonic, parameters) {
                    $(($mnemonic, &[$($($field),+)?]) => Some(Op::$name $({ $($field),+ })?),)+
                    _ => None,
                }
            }

            /// Whether the operation accepts this number of operands and this number of results.
            pub fn takes(self, operands: usize, results: usize) -> bool {
                match self {
                    $(Op::$name $({ $($field),+ })? => {
                        $($(let _ = $field;)+)?
                        within(&$args, operands) && within(&$outs, results)
                    })+
                }
            }
        }
    };
}

/// Whether a count lies between the first and the last number, both included.
fn within(numbers: &[u32], count: usize) -> bool {
    numbers.first().is_some_and(|&n| count >= n as usize)
        && numbers.last().is_some_and(|&n| count <= n as usize)
}

operations! {
    /// `a, b, q -> (a + b) mod q`. Over [`Range::Twice`] the third operand is 2q and the sum is taken mod 2q.
    AddMod "addmod", rank 4, [3] => [1];
    /// `a, b, q -> (a - b) mod q`. Over [`Range::Twice`] the third operand is 2q and the difference is taken mod 2q.
    SubMod "submod", rank 4, [3] => [1];
    /// `a, b, q, mu -> a b mod q` by Barrett's method. `bits` is the exact width m of the modulus, and
    /// `mu = floor(2^(2m+3) / q)`.
    MulBarrett {
        /// Exact width m of the modulus in bits.
        bits
    } "mulmod.barrett", rank 4, [4] => [1];
    /// `a, q, mu -> a^2 mod q` by Barrett's method.
    SqrBarrett {
        /// Exact width m of the modulus in bits.
        bits
    } "sqrmod.barrett", rank 4, [3] => [1];
    /// `a[n], b[n], q[n], q' -> t[n+1]`, digits of width `w`, `t = (a b + m q) / 2^r < 2 q`, where m makes the division
    /// exact and q' is `-1/q mod 2^word`. R = 2^r is a whole number of machine words, not of digits of width `w`.
    MontMul {
        /// Number of digits of an operand.
        n,
        /// Number of bits that are reduced: R = 2^r.
        r
    } "montmul", rank 3, [3 * n + 1] => [n + 1];
    /// `a[n], q[n], q' -> t[n+1]`: the square, as [`Op::MontMul`].
    MontSqr {
        /// Number of digits of an operand.
        n,
        /// Number of bits that are reduced.
        r
    } "montsqr", rank 3, [2 * n + 1] => [n + 1];
    /// `t[2n], q[n], q' -> t[n+1]`: Montgomery reduction of a double-length value below `q 2^r`.
    Redc {
        /// Number of digits of the modulus.
        n,
        /// Number of bits that are reduced.
        r
    } "redc", rank 2, [3 * n + 1] => [n + 1];
    /// `t[n+1], q[n] -> r[n]`: `t - q` if `t >= q`, else `t`; for `t < 2q`.
    CondSub {
        /// Number of digits of the modulus.
        n
    } "condsub", rank 2, [2 * n + 1] => [n];
    /// `a[n], b[n] -> p[keep]`: the low digits of the product, digits of width `w`.
    Product {
        /// Number of digits of an operand.
        n,
        /// Number of digits of the result, at most `2 n`.
        keep
    } "product", rank 2, [2 * n] => [keep];
    /// `a[n] -> p[2n]`: the square.
    Square {
        /// Number of digits of the operand.
        n
    } "square", rank 2, [n] => [2 * n];

    /// `a, b [, carry] -> [carry,] a + b + carry mod 2^w`.
    Add "add", rank 0, [2, 3] => [1, 2];
    /// `a, b [, borrow] -> [borrow,] a - b - borrow mod 2^w`.
    Sub "sub", rank 0, [2, 3] => [1, 2];
    /// `a, b -> high, low`: the product as two words.
    Mul "mul", rank 0, [2] => [2];
    /// `a -> high, low`: the square as two words.
    Sqr "sqr", rank 1, [1] => [2];
    /// `a, b -> a b mod 2^w`.
    MulLo "mullo", rank 0, [2] => [1];
    /// `a3 a2 a1 a0 b3 b2 b1 b0 -> c3 c2 c1 c0`: quad-word addition (rule 29) of digits of width `w`, highest first;
    /// the sum must fit four digits.
    AddQuad "addquad", rank 1, [8] => [4];
    /// `a, b -> a < b`, as one bit.
    Lt "lt", rank 0, [2] => [1];
    /// `a, b -> a = b`, as one bit.
    Eq "eq", rank 0, [2] => [1];
    /// `c, a, b -> c ? a : b`.
    Select "select", rank 0, [3] => [1];
    /// `high, low -> (high 2^w + low) >> k mod 2^w`, for `0 <= k <= w`.
    Funnel {
        /// Number of bits to shift right by.
        k
    } "funnel", rank 0, [2] => [1];
    /// The bitwise conjunction of two words.
    And "and", rank 0, [2] => [1];
    /// The bitwise disjunction of two words.
    Or "or", rank 0, [2] => [1];
    /// Bitwise exclusive or.
    Xor "xor", rank 0, [2] => [1];

    /// `a, b, c [, d] -> high, low` of `a b + c + d`, which always fits two words.
    Mac "mac", rank 1, [3, 4] => [2];
    /// `a, b, c [, carry] -> [carry,] (a b mod 2^w) + c + carry mod 2^w`.
    MadLo "madlo", rank 0, [3, 4] => [1, 2];
    /// `a, b, c [, carry] -> [carry,] floor(a b / 2^w) + c + carry mod 2^w`.
    MadHi "madhi", rank 0, [3, 4] => [1, 2];
    /// `a, b, acc -> acc + (a b mod 2^digit)`, in a container of `w` bits. Only the low `digit` bits of a and b are
    /// used, as in AVX-512 IFMA.
    DotLo {
        /// Width of a digit in bits (52 for AVX-512 IFMA).
        digit
    } "dotlo", rank 0, [3] => [1];
    /// `a, b, acc -> acc + floor(a b / 2^digit)`, in a container of `w` bits.
    DotHi {
        /// Width of a digit in bits.
        digit
    } "dothi", rank 0, [3] => [1];
    /// `a, b, acc -> acc + a b`, in a container of `w` bits. Only the low half of the container of a and b is used, as
    /// in AVX2's `vpmuludq` and NEON's `umlal`.
    Dot "dot", rank 0, [3] => [1];
}

/// One instruction: `outs = op.width args`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// The operation that the instruction performs.
    pub op: Op,
    /// The operation width w in bits, at which results are split.
    pub width: u32,
    /// Operands, in the order that [`Op`] documents.
    pub args: Vec<Arg>,
    /// Results, in the order that [`Op`] documents.
    pub outs: Vec<Var>,
}

/// A named input or output: a value of `bits` bits, held in one or more parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name in the printed function.
    pub name: String,
    /// The width of the whole value in bits.
    pub bits: u32,
    /// The parts, lowest first; part i starts at bit `i * stride` of the value. Before lowering there is one part.
    pub parts: Vec<Arg>,
    /// Distance between the starts of two parts in bits; after lowering, the width of a word.
    pub stride: u32,
    /// Whether the value is one machine word for every field, as `qinv` is. Printed functions take such an input by
    /// value.
    pub word: bool,
}

/// A straight-line program: inputs, instructions in order, outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The printed function's name.
    pub name: String,
    /// Inputs. Their parts are variables, or constants where a part is known to be zero.
    pub inputs: Vec<Param>,
    /// Outputs. Their parts are variables or constants.
    pub outputs: Vec<Param>,
    /// Width of every variable in bits, indexed by [`Var`].
    pub bits: Vec<u32>,
    /// The instructions in order; every operand is defined before its use.
    pub body: Vec<Inst>,
}

impl Kernel {
    /// An empty kernel.
    pub fn new(name: impl Into<String>) -> Self {
        Kernel {
            name: name.into(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            bits: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Adds a variable of the given width in bits.
    pub fn var(&mut self, bits: u32) -> Var {
        self.bits.push(bits);
        Var(self.bits.len() as u32 - 1)
    }

    /// Adds an input of the given width in bits, held in one part.
    pub fn input(&mut self, name: &str, bits: u32) -> Arg {
        let v = self.var(bits);
        let word = false;
        self.inputs.push(Param { name: name.into(), bits, parts: vec![v.into()], stride: bits, word });
        v.into()
    }

    /// Adds an input that is one machine word of the given width for every field.
    pub fn input_word(&mut self, name: &str, bits: u32) -> Arg {
        let v = self.input(name, bits);
        if let Some(p) = self.inputs.last_mut() {
            p.word = true;
        }
        v
    }

    /// Adds an output with the given name, width in bits and value, held in one part.
    pub fn output(&mut self, name: &str, bits: u32, value: Arg) {
        self.outputs.push(Param { name: name.into(), bits, parts: vec![value], stride: bits, word: false });
    }

    /// Replaces an input by a constant and removes it from the inputs, for a kernel that has not been lowered. Does
    /// nothing if there is no input of that name.
    pub fn fix(&mut self, name: &str, value: &BigUint) {
        let Some(at) = self.inputs.iter().position(|p| p.name == name) else { return };
        let known = self.inputs.remove(at).parts;
        let args = self.body.iter_mut().flat_map(|i| &mut i.args);
        let outputs = self.outputs.iter_mut().flat_map(|p| &mut p.parts);
        for arg in args.chain(outputs).filter(|arg| known.contains(arg)) {
            *arg = Arg::Const(value.clone());
        }
    }

    /// Appends an instruction whose results have the given widths, and returns the results.
    pub fn push(&mut self, op: Op, width: u32, args: Vec<Arg>, out_bits: &[u32]) -> Vec<Var> {
        let outs: Vec<Var> = out_bits.iter().map(|&b| self.var(b)).collect();
        self.body.push(Inst { op, width, args, outs: outs.clone() });
        outs
    }

    /// The width of an operand in bits: the type of a variable, the bit length of a constant.
    pub fn width_of(&self, arg: &Arg) -> u32 {
        match arg {
            Arg::Var(v) => self.bits[v.0 as usize],
            Arg::Const(c) => c.bits() as u32,
        }
    }

    /// The width of the widest operation of the body in bits, 0 for an empty body.
    pub fn widest(&self) -> u32 {
        self.body.iter().map(|i| i.width).max().unwrap_or(0)
    }

    /// The number of instructions of each operation, by mnemonic.
    pub fn counts(&self) -> std::collections::BTreeMap<&'static str, usize> {
        let mut counts = std::collections::BTreeMap::new();
        for inst in &self.body {
            *counts.entry(inst.op.mnemonic()).or_insert(0) += 1;
        }
        counts
    }
}
