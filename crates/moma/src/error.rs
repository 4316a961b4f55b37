//! What can go wrong when a kernel is asked for, read, lowered or run.

/// Errors of this crate. Every variant names one cause, with the numbers a user needs to mend the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MomaError {
    /// The modulus is even; Montgomery and Barrett kernels here serve odd moduli.
    #[error("the modulus is even; an odd modulus is needed")]
    EvenModulus,
    /// The modulus's width is out of the range that kernels are made for.
    #[error("a modulus of {bits} bits; kernels are made for {least} to {most} bits")]
    Width {
        /// What was asked for.
        bits: u32,
        /// Smallest value allowed.
        least: u32,
        /// Largest value allowed.
        most: u32,
    },
    /// A modulus does not have the width that its kernel was made for.
    #[error("the modulus has {got} bits, the kernel is made for {want}")]
    ModulusWidth {
        /// Width of the modulus that the kernel is made for.
        want: u32,
        /// Width of the modulus that was given.
        got: u64,
    },
    /// Values up to 2q are a Montgomery representation.
    #[error("values up to twice the modulus need Montgomery reduction")]
    RangeNeedsMontgomery,
    /// An operation that compares elements serves canonical values only.
    #[error("{operation} needs values below the modulus: --range canonical")]
    CanonicalOnly {
        /// Name of the operation.
        operation: &'static str,
    },
    /// No machine of that name ships.
    #[error("unknown target `{name}`; known targets: {known}")]
    UnknownTarget {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A machine description cannot be read or contradicts itself.
    #[error("machine description: {0}")]
    Machine(#[from] MachineError),
    /// The languages that kernels are printed in have no integer of the machine's word.
    #[error("machine `{machine}` has words of {word} bits; text is printed for words of 32 or 64 bits")]
    PrintedWord {
        /// Name of the machine.
        machine: String,
        /// Bits of its word.
        word: u32,
    },
    /// Vector operations, transforms and inversions are loops over memory, which hardware's modules have not.
    #[error(
        "machine `{machine}` has no loops over memory; it takes addmod, submod, mulmod, sqrmod, mul, sqr, reduce"
    )]
    NoLoops {
        /// Name of the machine.
        machine: String,
    },
    /// A transform of several passes in a language whose files cannot hold them side by side.
    #[error(
        "a transform of 2^{log_size} elements has {passes} passes, which are a program each in OpenCL C; \
         ask for a smaller one"
    )]
    Passes {
        /// log2 of the size.
        log_size: u32,
        /// Number of passes.
        passes: usize,
    },
    /// The running sum of a product by digits has no room above the modulus.
    #[error(
        "no steps for a modulus of {bits} bits in digits of {digit}: both need two bits, and a bit above the modulus"
    )]
    StepShape {
        /// Bits of the modulus.
        bits: u32,
        /// Number of bits in a digit.
        digit: u32,
    },
    /// Fields are printed as libraries for scalar machines in portable C and Rust only.
    #[error("fields are printed for portable C and Rust: --target c, c32 or rust, not `{machine}`")]
    LibraryTarget {
        /// Name of the machine.
        machine: String,
    },
    /// What names begin with is no beginning of a name in C.
    #[error("the prefix `{prefix}` must be lower-case letters, digits and underscores, a letter first")]
    Prefix {
        /// What was asked for.
        prefix: String,
    },
    /// A modulus that is not `2^m - c` with a short c.
    #[error(
        "products modulo this number do not fold: it is not 2^m - c with a short c; Montgomery's form serves it"
    )]
    NotFolding,
    /// A modulus whose products of digits outgrow two words.
    #[error("this number has no form in digits: it is not 2^m - c with a c of one or two short digits")]
    NoDigits,
    /// After all rules an operation is left that the machine does not have.
    #[error("machine `{machine}` has no {op} at {width} bits, and no rule rewrites it")]
    NotNative {
        /// Name of the machine.
        machine: String,
        /// The operation that it executes.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
    },
    /// A lowered kernel has an operation that the printer has no text for.
    #[error("printer `{printer}` has no text for {op} at {width} bits")]
    NotPrintable {
        /// The operation that it executes.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
        /// Name of the printer.
        printer: &'static str,
    },
    /// A rule wrote an operation that does not rank below the one it replaces.
    #[error("a rule wrote {op} at {width} bits, which is not below what it rewrites")]
    NotDecreasing {
        /// The operation written.
        op: &'static str,
        /// Width of the operation in bits.
        width: u32,
    },
    /// The list of rules cannot be read.
    #[error("the list of rules: {0}")]
    Rule(RuleError),
    /// A rule names a value that its pattern and its steps do not define.
    #[error("rule ({rule}) names `{name}`, which nothing defines")]
    RuleName {
        /// The rule's number.
        rule: &'static str,
        /// The name that was given.
        name: &'static str,
    },
    /// A kernel's text cannot be read.
    #[error("line {line}: {cause}")]
    Text {
        /// Line of the text, from 1.
        line: usize,
        /// What is wrong with it.
        cause: TextError,
    },
    /// A transform's size is out of the range that kernels are made for.
    #[error("a transform of 2^{log_size} points; kernels are made for 2^1 to 2^{most}")]
    LogSize {
        /// log2 of the size asked for.
        log_size: u32,
        /// log2 of the greatest.
        most: u32,
    },
    /// No prime of that width is 1 modulo that power of two.
    #[error("no prime of {bits} bits is 1 modulo 2^{two_adicity}")]
    NoPrime {
        /// Width that was asked for.
        bits: u32,
        /// log2 of the power of two.
        two_adicity: u32,
    },
    /// The modulus has no root of unity of the order that a transform needs.
    #[error(
        "the modulus allows transforms up to 2^{two_adicity}, not 2^{asked}: 2^{asked} does not divide q - 1"
    )]
    NotNttFriendly {
        /// The largest power of two that divides `q - 1`.
        two_adicity: u32,
        /// log2 of the size asked for.
        asked: u32,
    },
    /// A modulus that has to be prime is not.
    #[error("the modulus is not prime")]
    NotPrime,
    /// A number given as root of unity does not have the order of the transform.
    #[error("the root of unity does not have order 2^{log_n}")]
    NotARoot {
        /// log2 of the size of the transform.
        log_n: u32,
    },
    /// The coset's shift is zero, which has no coset.
    #[error("the shift of a coset is a unit, not zero")]
    ZeroShift,
    /// A transform of that size has no plan within the limits of the tuning.
    #[error("no plan for a transform of 2^{log_n} elements of {bytes} bytes: {why}")]
    NoPlan {
        /// log2 of the size.
        log_n: u32,
        /// Bytes of an element.
        bytes: usize,
        /// The limit that stands in the way.
        why: &'static str,
    },
    /// An array program got scalars or buffers that do not fit its declaration.
    #[error("the arguments do not fit kernel `{kernel}`")]
    Arguments {
        /// Name of the kernel.
        kernel: String,
    },
    /// An array program computed an index out of range.
    #[error("an index out of range")]
    Index,
    /// An array program read an element that was never written.
    #[error("an element is read before it is written")]
    Unset,
    /// Two threads of an array program touch one place between barriers, and one of them writes.
    #[error("two threads touch one place between barriers")]
    Race,
}

/// What is wrong with a machine description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// The text is not TOML, or an entry is missing, unknown or of the wrong kind.
    #[error(
        "{}; it has name, title, printer, word, container, lanes, product, compare and, under [native], operations with \
         their costs",
        .0.message()
    )]
    Toml(#[from] toml::de::Error),
    /// The word is narrower or wider than any that the rules handle.
    #[error("{machine}: `word` must be between 2 and {most} bits, not {word}")]
    Word {
        /// Name of the machine.
        machine: String,
        /// Bits of its word.
        word: u32,
        /// Bits of the widest word of its language.
        most: u32,
    },
    /// The container does not hold a word, or is no register.
    #[error("{machine}: `container` must be at least `word` and at most 64 bits, not {container}")]
    Container {
        /// Name of the machine.
        machine: String,
        /// Bits of its container.
        container: u32,
    },
    /// The product style keeps sums in containers that are wider than these.
    #[error("{machine}: product style `{style}` needs a container of at least {least} bits")]
    Headroom {
        /// Name of the machine.
        machine: String,
        /// The product style.
        style: &'static str,
        /// Bits that a container must have.
        least: u32,
    },
    /// The product style has no use for containers that are wider than a word.
    #[error("{machine}: product style `{style}` needs `container` equal to `word`")]
    NoContainer {
        /// Name of the machine.
        machine: String,
        /// The product style.
        style: &'static str,
    },
    /// An instruction works on at least one element.
    #[error("{machine}: `lanes` must be at least 1")]
    Lanes {
        /// Name of the machine.
        machine: String,
    },
}

/// A line of the list of rules that is not in its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{line}`")]
pub struct RuleError {
    /// The line of the list, as text.
    pub line: &'static str,
}

/// What is wrong with a line of a kernel's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// There is no line to read.
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
    /// A parameter that does not have the form of one.
    #[error("expected `name: u<bits>/<stride> = [parts]`, found `{0}`")]
    Parameter(String),
    /// A parameter with more bits than any kernel has.
    #[error("`{name}`: bits and stride must be between 1 and {most}")]
    ParameterWidth {
        /// Name of the parameter.
        name: String,
        /// The most bits that a text may name.
        most: u32,
    },
    /// A definition that does not have the form of one.
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
    /// An operand that is no variable and no constant.
    #[error("`{0}` is neither a variable nor a hexadecimal constant")]
    Operand(String),
    /// A line that is no instruction.
    #[error("expected `results = operation operands`")]
    Instruction,
    /// An operation without its width or with numbers that cannot be read.
    #[error("expected `operation.width{{numbers}}`, found `{0}`")]
    Operation(String),
    /// No operation has this mnemonic with so many numbers.
    #[error("unknown operation `{mnemonic}` with {numbers} numbers")]
    Unknown {
        /// The mnemonic that was read.
        mnemonic: String,
        /// Numbers in braces.
        numbers: usize,
    },
    /// The operation's width is 0 or larger than any kernel has.
    #[error("width {0} is out of range")]
    Width(u32),
    /// The operation does not take so many operands or give so many results.
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
