//! Errors of generating, reading, lowering and running kernels.

/// Errors of this crate. Every variant names one cause, with the numbers that a user needs to correct the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MomaError {
    /// The modulus is even; the Montgomery and Barrett kernels of this crate need an odd modulus.
    #[error("the modulus is even; an odd modulus is needed")]
    EvenModulus,
    /// The width of the modulus is out of the range that kernels are generated for.
    #[error("a modulus of {bits} bits; kernels are made for {least} to {most} bits")]
    Width {
        /// Width of the modulus that was asked for, in bits.
        bits: u32,
        /// Smallest width allowed, in bits.
        least: u32,
        /// Largest width allowed, in bits.
        most: u32,
    },
    /// A modulus does not have the width that its kernel was made for.
    #[error("the modulus has {got} bits, the kernel is made for {want}")]
    ModulusWidth {
        /// Width of the modulus that the kernel is made for, in bits.
        want: u32,
        /// Width of the modulus that was given, in bits.
        got: u64,
    },
    /// Values up to 2q are supported under Montgomery's reduction only.
    #[error("values up to twice the modulus need Montgomery reduction")]
    RangeNeedsMontgomery,
    /// The operation compares elements with zero, so its values must be canonical.
    #[error("{operation} needs values below the modulus: --range canonical")]
    CanonicalOnly {
        /// Name of the operation.
        operation: &'static str,
    },
    /// There is no built-in machine of that name.
    #[error("unknown target `{name}`; known targets: {known}")]
    UnknownTarget {
        /// Name of the machine that was asked for.
        name: String,
        /// Names of the built-in machines, separated by commas.
        known: String,
    },
    /// A machine description cannot be read or contradicts itself.
    #[error("machine description: {0}")]
    Machine(#[from] MachineError),
    /// The printed languages have no integer type of the machine's word.
    #[error("machine `{machine}` has words of {word} bits; text is printed for words of 32 or 64 bits")]
    PrintedWord {
        /// Name of the machine.
        machine: String,
        /// Width of its word in bits.
        word: u32,
    },
    /// Vector operations, transforms and inversions are loops over memory, which hardware modules do not have.
    #[error(
        "machine `{machine}` has no loops over memory; it takes addmod, submod, mulmod, sqrmod, mul, sqr, reduce"
    )]
    NoLoops {
        /// Name of the machine.
        machine: String,
    },
    /// A transform needs several passes, in a language whose files cannot hold more than one.
    #[error(
        "a transform of 2^{log_size} elements has {passes} passes, which are a program each in OpenCL C; \
         ask for a smaller one"
    )]
    Passes {
        /// log2 of the number of elements.
        log_size: u32,
        /// Number of passes.
        passes: usize,
    },
    /// The digits leave no spare bit above the modulus for the running sum of a product.
    #[error(
        "no steps for a modulus of {bits} bits in digits of {digit}: both need two bits, and a bit above the modulus"
    )]
    StepShape {
        /// Width of the modulus in bits.
        bits: u32,
        /// Width of a digit in bits.
        digit: u32,
    },
    /// Field libraries are printed for scalar machines in portable C and Rust only.
    #[error("fields are printed for portable C and Rust: --target c, c32 or rust, not `{machine}`")]
    LibraryTarget {
        /// Name of the machine.
        machine: String,
    },
    /// The prefix of the library's names is not a valid beginning of a C identifier in lower case.
    #[error("the prefix `{prefix}` must be lower-case letters, digits and underscores, a letter first")]
    Prefix {
        /// The prefix that was asked for.
        prefix: String,
    },
    /// Products modulo this number cannot be folded: it is not `2^m - c` with a short c.
    #[error(
        "products modulo this number do not fold: it is not 2^m - c with a short c; Montgomery's form serves it"
    )]
    NotFolding,
    /// The modulus has no form in digits: some value of a kernel would not fit two words.
    #[error("this number has no form in digits: it is not 2^m - c with a c of one or two short digits")]
    NoDigits,
    /// After all rules an operation is left that is not native to the machine.
    #[error("machine `{machine}` has no {op} at {width} bits, and no rule rewrites it")]
    NotNative {
        /// Name of the machine.
        machine: String,
        /// Mnemonic of the operation that is left.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
    },
    /// A lowered kernel has an operation that the printer has no text for.
    #[error("printer `{printer}` has no text for {op} at {width} bits")]
    NotPrintable {
        /// Mnemonic of the operation.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
        /// Name of the printer.
        printer: &'static str,
    },
    /// A rule wrote an operation that does not rank below the operation that it replaces.
    #[error("a rule wrote {op} at {width} bits, which is not below what it rewrites")]
    NotDecreasing {
        /// Mnemonic of the operation that was written.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
    },
    /// A line of the list of rules cannot be parsed.
    #[error("the list of rules: {0}")]
    Rule(RuleError),
    /// A rule names a value that its pattern and its steps do not define.
    #[error("rule ({rule}) names `{name}`, which nothing defines")]
    RuleName {
        /// The rule's number.
        rule: &'static str,
        /// The undefined name.
        name: &'static str,
    },
    /// The text of a kernel cannot be parsed.
    #[error("line {line}: {cause}")]
    Text {
        /// Line number in the text, from 1.
        line: usize,
        /// The fault in this line.
        cause: TextError,
    },
    /// The size of a transform is out of the range that kernels are generated for.
    #[error("a transform of 2^{log_size} points; kernels are made for 2^1 to 2^{most}")]
    LogSize {
        /// log2 of the size asked for.
        log_size: u32,
        /// log2 of the greatest size allowed.
        most: u32,
    },
    /// No prime of that width is 1 modulo that power of two.
    #[error("no prime of {bits} bits is 1 modulo 2^{two_adicity}")]
    NoPrime {
        /// Width of the prime that was asked for, in bits.
        bits: u32,
        /// log2 of the power of two that must divide the prime minus one.
        two_adicity: u32,
    },
    /// The modulus has no root of unity of the order that the transform needs.
    #[error(
        "the modulus allows transforms up to 2^{two_adicity}, not 2^{asked}: 2^{asked} does not divide q - 1"
    )]
    NotNttFriendly {
        /// log2 of the largest power of two that divides `q - 1`.
        two_adicity: u32,
        /// log2 of the size asked for.
        asked: u32,
    },
    /// The operation needs a prime modulus, and the modulus is composite.
    #[error("the modulus is not prime")]
    NotPrime,
    /// The number given as the root of unity does not have the order of the transform.
    #[error("the root of unity does not have order 2^{log_n}")]
    NotARoot {
        /// log2 of the size of the transform.
        log_n: u32,
    },
    /// The shift of the coset is zero; it must be a unit.
    #[error("the shift of a coset is a unit, not zero")]
    ZeroShift,
    /// No plan for a transform of that size satisfies the limits of the tuning.
    #[error("no plan for a transform of 2^{log_n} elements of {bytes} bytes: {why}")]
    NoPlan {
        /// log2 of the number of elements.
        log_n: u32,
        /// Size of an element in bytes.
        bytes: usize,
        /// The limit that no plan satisfies.
        why: &'static str,
    },
    /// An array program was called with scalars or buffers that do not match its declaration.
    #[error("the arguments do not fit kernel `{kernel}`")]
    Arguments {
        /// Name of the kernel.
        kernel: String,
    },
    /// An array program computed an index outside of an array.
    #[error("an index out of range")]
    Index,
    /// An array program read an element that was never written.
    #[error("an element is read before it is written")]
    Unset,
    /// Two threads of an array program access the same element without a barrier between them, and one of them writes.
    #[error("two threads touch one place between barriers")]
    Race,
}

/// Errors of a machine description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// The text is not TOML, or an entry is missing, unknown or of the wrong type.
    #[error(
        "{}; it has name, title, printer, word, container, lanes, product, compare and, under [native], operations with \
         their costs",
        .0.message()
    )]
    Toml(#[from] toml::de::Error),
    /// The word is narrower than 2 bits or wider than the widest word of the printer's language.
    #[error("{machine}: `word` must be between 2 and {most} bits, not {word}")]
    Word {
        /// Name of the machine.
        machine: String,
        /// Width of its word in bits.
        word: u32,
        /// Width of the widest word of its language in bits.
        most: u32,
    },
    /// The container is narrower than a word or wider than a register.
    #[error("{machine}: `container` must be at least `word` and at most 64 bits, not {container}")]
    Container {
        /// Name of the machine.
        machine: String,
        /// Width of its container in bits.
        container: u32,
    },
    /// The product style keeps sums in containers that must be wider than the machine's.
    #[error("{machine}: product style `{style}` needs a container of at least {least} bits")]
    Headroom {
        /// Name of the machine.
        machine: String,
        /// The product style.
        style: &'static str,
        /// Least width of a container in bits.
        least: u32,
    },
    /// The product style needs containers as wide as a word.
    #[error("{machine}: product style `{style}` needs `container` equal to `word`")]
    NoContainer {
        /// Name of the machine.
        machine: String,
        /// The product style.
        style: &'static str,
    },
    /// The number of lanes is zero; an instruction works on at least one element.
    #[error("{machine}: `lanes` must be at least 1")]
    Lanes {
        /// Name of the machine.
        machine: String,
    },
}

/// A line of the list of rules that does not follow its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{line}`")]
pub struct RuleError {
    /// The line of the list, as text.
    pub line: &'static str,
}

/// Errors of a line of a kernel's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text is empty.
    #[error("the text is empty")]
    Empty,
    /// The first line is not the head of a kernel.
    #[error("expected `kernel NAME(inputs) -> (outputs) {{`")]
    Head,
    /// A line follows the closing brace.
    #[error("text after the closing brace")]
    AfterEnd,
    /// The text ends before the closing brace.
    #[error("the closing brace is missing")]
    NoEnd,
    /// A parameter that does not follow the form in the message.
    #[error("expected `name: u<bits>/<stride> = [parts]`, found `{0}`")]
    Parameter(String),
    /// The width or the stride of a parameter is zero or greater than allowed.
    #[error("`{name}`: bits and stride must be between 1 and {most}")]
    ParameterWidth {
        /// Name of the parameter.
        name: String,
        /// The greatest width that a text may declare, in bits.
        most: u32,
    },
    /// A definition that does not follow the form in the message.
    #[error("expected `%<number>:u<bits>`, found `{0}`")]
    Definition(String),
    /// A variable's number or width is larger than any kernel has.
    #[error("`{0}` is out of range")]
    Range(String),
    /// A variable is defined by two instructions.
    #[error("%{0} is defined twice")]
    Redefined(usize),
    /// A variable is read before any instruction defines it.
    #[error("%{0} is read before it is defined")]
    Undefined(usize),
    /// An operand that is neither a variable nor a constant.
    #[error("`{0}` is neither a variable nor a hexadecimal constant")]
    Operand(String),
    /// A line that is not an instruction.
    #[error("expected `results = operation operands`")]
    Instruction,
    /// An operation without its width, or with parameters that cannot be read.
    #[error("expected `operation.width{{numbers}}`, found `{0}`")]
    Operation(String),
    /// No operation has this mnemonic with this number of parameters.
    #[error("unknown operation `{mnemonic}` with {numbers} numbers")]
    Unknown {
        /// The mnemonic that was read.
        mnemonic: String,
        /// Number of parameters in braces.
        numbers: usize,
    },
    /// The operation's width is 0 or larger than any kernel has.
    #[error("width {0} is out of range")]
    Width(u32),
    /// The operation does not have this number of operands or results.
    #[error("{mnemonic} with {operands} operands and {results} results")]
    Arity {
        /// The mnemonic that was read.
        mnemonic: &'static str,
        /// Number of operands.
        operands: usize,
        /// Number of results.
        results: usize,
    },
}
