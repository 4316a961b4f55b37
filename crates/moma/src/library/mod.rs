//! Fields as libraries: for one modulus, a file with all functions that a user of the field needs, and programs that
//! test it and measure its time.
//!
//! | part | holds |
//! |---|---|
//! | [`kernels`] | the functions with the modulus as a constant |
//! | `digits` | the same on digits that are shorter than words |
//! | `vectors` | operands with results computed on big integers, for the self-test |
//! | `c` | the C header, its self-test, its bench, its check for constant time |
//! | `rust` | the Rust module with its tests |
//! | `frame/` | the loops around the functions, as text |

mod c;
mod digits;
pub mod kernels;
mod rust;
mod vectors;

use num_bigint::BigUint;
use num_traits::One;

use crate::catalogue::BITS;
use crate::error::MomaError;
use crate::machine::Machine;
use crate::print::names::prefixed;
use crate::print::{self, Language, digits};
use crate::program::primes::{is_probable_prime, root_of_unity, two_adicity};
use crate::program::{ArrayKernel, Element, chain, ntt};

use kernels::{Form, Kernels};

/// log2 of the greatest default size of the transform.
const LOG_SIZE: u32 = 12;

/// Least number of words of a modulus for which digits are the default form, if the modulus has that form.
const DIGITS_FROM: u32 = 3;

/// A field as a library: the modulus, the machine and the choices that were made.
#[derive(Clone, Debug)]
pub struct Library {
    modulus: BigUint,
    machine: Machine,
    prefix: String,
    form: Form,
    prime: bool,
    log_size: u32,
}

/// The options of a library, each with a default.
#[derive(Clone, Debug, Default)]
pub struct LibraryOptions {
    /// The prefix of all names; by default `f`, the bit length of the modulus and its last 16 bits in hexadecimal.
    pub prefix: Option<String>,
    /// The form of elements; by default digits if the modulus has that form and at least three words, else plain if its
    /// products fold well, else Montgomery's.
    pub form: Option<Form>,
    /// log2 of the size of the transform, 0 for none; by default the greatest size up to 2^12 that the modulus allows.
    pub log_size: Option<u32>,
}

/// A file of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The name, without a folder.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Library {
    /// Chooses the form and the transform of a library for a modulus on a machine.
    ///
    /// # Errors
    /// [`MomaError::EvenModulus`], [`MomaError::Width`]; [`MomaError::LibraryTarget`] for a machine whose words are not
    /// those of portable C or Rust; [`MomaError::Prefix`]; [`MomaError::NotFolding`] for the plain form of a modulus that
    /// does not fold; [`MomaError::NoDigits`] for digits of one that has none; [`MomaError::NotNttFriendly`],
    /// [`MomaError::NotPrime`] and [`MomaError::LogSize`] for a transform that the modulus does not have.
    pub fn new(modulus: &BigUint, machine: Machine, choices: LibraryOptions) -> Result<Library, MomaError> {
        let bits = u32::try_from(modulus.bits()).unwrap_or(u32::MAX);
        if !BITS.contains(&bits) {
            return Err(MomaError::Width { bits, least: *BITS.start(), most: *BITS.end() });
        }
        if !modulus.bit(0) {
            return Err(MomaError::EvenModulus);
        }
        if !matches!(machine.printer.name(), "c" | "rust-portable") || machine.lazy() {
            return Err(MomaError::LibraryTarget { machine: machine.name });
        }
        if !matches!(machine.word, 32 | 64) {
            return Err(MomaError::PrintedWord { machine: machine.name, word: machine.word });
        }
        let last: BigUint = modulus & BigUint::from(0xffffu32);
        let prefix = choices.prefix.unwrap_or_else(|| format!("f{bits}_{last:04x}"));
        let mut letters = prefix.chars();
        if !letters.next().is_some_and(|c| c.is_ascii_lowercase())
            || !letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        {
            return Err(MomaError::Prefix { prefix });
        }
        let folds = kernels::folds_well(modulus, &machine);
        let digits = kernels::digit_count(modulus, &machine);
        let form = match choices.form {
            Some(Form::Plain) if !folds => return Err(MomaError::NotFolding),
            Some(Form::Digits) if digits.is_none() => return Err(MomaError::NoDigits),
            Some(form) => form,
            None if digits.is_some() && machine.words(bits) >= DIGITS_FROM => Form::Digits,
            None if folds => Form::Plain,
            None => Form::Montgomery,
        };
        let prime = is_probable_prime(modulus);
        let most = *crate::generate::LOG_SIZES.end();
        let log_size = match choices.log_size {
            // The only root of order two is -1, so a modulus with two-adicity 1 gets no transform.
            None if prime && two_adicity(modulus) > 1 => two_adicity(modulus).min(LOG_SIZE),
            None => 0,
            Some(log_size) if log_size > most => return Err(MomaError::LogSize { log_size, most }),
            Some(log_size) if log_size > 0 && !prime => return Err(MomaError::NotPrime),
            Some(log_size) => {
                root_of_unity(modulus, log_size)?;
                log_size
            }
        };
        Ok(Library { modulus: modulus.clone(), machine, prefix, form, prime, log_size })
    }

    /// The files: first the library itself, then, in C, the programs that test it and measure its time. `command` is
    /// named in their heads.
    ///
    /// # Errors
    /// Those of `lower` and of the printer.
    pub fn files(&self, command: &str) -> Result<Vec<File>, MomaError> {
        match self.machine.printer.language() {
            Language::Rust => rust::files(self, command),
            _ => c::files(self, command),
        }
    }

    /// The form of elements.
    pub fn form(&self) -> Form {
        self.form
    }

    fn kernels(&self) -> Kernels<'_> {
        Kernels { modulus: &self.modulus, machine: &self.machine, form: self.form }
    }

    /// The field functions as text.
    fn functions(&self) -> Result<String, MomaError> {
        let mut text = String::new();
        for kernel in self.kernels().lowered()? {
            text.push('\n');
            text += &print::function(&kernel, &kernel.name, &self.machine)?;
        }
        Ok(text)
    }

    /// The layout of an element in words.
    fn element(&self) -> Element {
        let words = match self.form {
            Form::Digits => kernels::digit_count(&self.modulus, &self.machine),
            Form::Montgomery | Form::Plain => None,
        };
        Element { word_bits: self.machine.word, words: words.unwrap_or(self.integer_words()) }
    }

    /// Number of words of an integer below the modulus.
    fn integer_words(&self) -> usize {
        self.machine.words(self.modulus.bits() as u32) as usize
    }

    /// The words of an integer below the modulus, lowest first.
    fn words(&self, integer: &BigUint) -> Vec<u64> {
        digits(integer, self.machine.word, self.integer_words())
    }

    /// Number of bytes of an integer below the modulus.
    fn bytes(&self) -> u64 {
        self.modulus.bits().div_ceil(8)
    }

    /// The array programs of the library: inversion, and transforms with their tables of twiddles.
    fn programs(&self) -> Vec<ArrayKernel> {
        let element = self.element();
        let mut all = Vec::new();
        if self.prime {
            let exponent = (&self.modulus - 2u32).max(BigUint::one());
            all.push(chain::power("pw_inv", element, &exponent));
        }
        if self.log_size > 0 {
            let tuning = ntt::host::HostTuning::for_bytes(element.bytes());
            for kind in [ntt::Kind::FORWARD, ntt::Kind::INVERSE] {
                for program in [
                    ntt::table::maker(kind.inverse, element, self.log_size),
                    ntt::host::host(kind, element, self.log_size, tuning),
                ] {
                    all.push(ArrayKernel { name: format!("pw_{}", program.name), ..program });
                }
            }
        }
        all
    }

    /// The constants by name, in words, lowest first: the modulus as an integer, elements in the form of the field.
    fn constants(&self) -> Result<Vec<(&'static str, Vec<Vec<u64>>)>, MomaError> {
        let q = &self.modulus;
        let word = self.machine.word;
        let words = self.element().words;
        let element = |x: BigUint| self.kernels().element(&x).map(|held| digits(&held, word, words));
        let one = element(BigUint::one())?;
        let mut all = vec![("pw_modulus", vec![self.words(q)]), ("pw_one", vec![one.clone()])];
        if self.form == Form::Montgomery {
            all.push(("pw_r_squared", vec![element(self.kernels().unit())?]));
        }
        if self.log_size > 0 {
            let root = root_of_unity(q, self.log_size)?;
            let n = BigUint::one() << self.log_size;
            let inverted = |x: &BigUint| x.modinv(q).ok_or(MomaError::NotPrime);
            all.push(("pw_ntt_seeds", vec![element(root.clone())?, one.clone(), one.clone()]));
            all.push(("pw_intt_seeds", vec![element(inverted(&root)?)?, element(inverted(&n)?)?, one]));
        }
        Ok(all)
    }

    /// The comment lines at the head of the library.
    fn head(&self, command: &str) -> Vec<String> {
        let (q, m) = (&self.modulus, &self.machine);
        let (bits, words) = (q.bits(), self.element().words);
        let below = if self.form == Form::Digits { "below 2q" } else { "always below q" };
        let mut lines = vec![
            format!("Generated by `{command}`; edits are lost."),
            format!("Target: {} ({}).", m.name, m.title),
            format!("The integers modulo q = {q:#x}, {bits} bits."),
            format!("An element is {words} words of {} bits, lowest first, and {below}.", m.word),
        ];
        lines.extend(match self.form {
            Form::Montgomery => [
                format!("Elements are in Montgomery form: the element a is held as a R mod q, R = 2^{}.", words as u32 * m.word),
                "Products are reduced word by word.".to_owned(),
            ],
            Form::Plain => [
                format!("Elements are held as they are; q = 2^{bits} - {:#x}, and products are folded by it.", (BigUint::one() << bits) - q),
                "to_montgomery and from_montgomery only reduce and copy, so that a program serves any modulus.".to_owned(),
            ],
            Form::Digits => [
                format!("A word is a digit: word i counts 2^ceil({bits} i / {words}), and an element has several forms, which equal takes for the same."),
                "to_montgomery makes digits of an integer, from_montgomery an integer below q of digits; to_bytes and less reduce as well.".to_owned(),
            ],
        });
        lines.push("to_montgomery takes any integer below q.".to_owned());
        if m.printer.language() == Language::Rust {
            lines.push(
                "No statement branches on an element but for the bool or the Option that a function returns;"
                    .to_owned(),
            );
            lines
                .push("whether machine code does is the compiler's choice, which is not checked.".to_owned());
        } else {
            lines.push("Results may lie where operands lie.".to_owned());
            lines.push(
                "No jump and no address depends on an element: PREFIX_ct.c checks the compiled program."
                    .replace("PREFIX", &self.prefix),
            );
        }
        lines.push("pow hides its exponent too, but not its length.".to_owned());
        if !self.prime {
            lines.push("q is not prime, so there is no inversion.".to_owned());
        }
        if self.log_size > 0 {
            let k = self.log_size;
            lines.push(format!(
                "Transforms of 2^{k} points in natural order, in place, on the powers of the first seed w."
            ));
            lines.push(
                "ntt: X[i] = sum_j x[j] w^(i j); intt undoes it. Tables of twiddles have 2^".to_owned()
                    + &k.to_string()
                    + " elements, made by ntt_table and intt_table:",
            );
            lines.push("entry P + p, for P = 1, 2, 4, ... and p < P, is the power p of the root of order 2 P, of the inverse root".to_owned());
            lines.push(
                "for intt, whose last level (the largest P) and entry 0 carry the factor 2^-k."
                    .replace("2^-k", &format!("2^-{k}")),
            );
        }
        lines
    }

    /// A text with the library's prefix.
    fn prefixed(&self, text: &str) -> String {
        prefixed(text, &self.prefix, None)
    }
}
