//! Kernels of `moma` for the host, printed, compiled and loaded at run time.

use crate::host::{Format, HostNtt, HostVector, Loaded};
use crate::modulus::Modulus;
use crate::targets::{Kernels, NttCase, Recipe, VectorCase, series};
use crate::{LabError, Work};
use num_bigint::BigUint;
use pairwright_moma::catalogue::FieldSpec;
use pairwright_moma::generate::{Operation, Request};
use pairwright_moma::ir::Reduction;
use pairwright_moma::lower::Options;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{Language, constants};
use pairwright_moma::program::blas::BlasOp;
use pairwright_moma::program::interp::FieldRule;
use pairwright_moma::program::ntt::{Kind, table_len, twiddles};
use pairwright_testkit::jit::{AlignedWords, JitError, Length, Library};

/// The kernels that the printers of `moma` provide for this machine.
pub struct Generated {
    targets: Vec<&'static str>,
    /// Targets that cannot run on this machine, with the reason.
    absent: Vec<String>,
}

impl Default for Generated {
    fn default() -> Self {
        Self::new()
    }
}

impl Generated {
    /// Detects the available compilers and instruction sets.
    pub fn new() -> Self {
        let mut made = Self { targets: Vec::new(), absent: Vec::new() };
        let c = Library::from_c("probe", "void probe(void) {}\n", &[]);
        let rust = Library::from_rust("probe", "", &[]);
        made.add("c", c.as_ref().err());
        made.add("x86-64", rust.as_ref().err());
        made.add("avx512", rust.as_ref().err());
        made
    }

    fn add(&mut self, target: &'static str, error: Option<&JitError>) {
        match error.map(ToString::to_string).or_else(|| lacking(target).map(str::to_owned)) {
            None => self.targets.push(target),
            Some(why) => self.absent.push(format!("no {target}: {}", why.lines().next().unwrap_or_default())),
        }
    }
}

/// The feature that a target needs and this processor lacks.
fn lacking(target: &str) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let ifma = std::is_x86_feature_detected!("avx512ifma");
    #[cfg(not(target_arch = "x86_64"))]
    let ifma = false;
    match target {
        "x86-64" if !cfg!(target_arch = "x86_64") => Some("another processor"),
        "avx512" if !ifma => Some("the processor has no AVX-512 IFMA"),
        _ => None,
    }
}

/// A request to the generator, with the data that its kernels need.
struct Field<'a> {
    request: Request,
    modulus: &'a Modulus,
    format: Format,
    series: String,
}

impl<'a> Field<'a> {
    fn new(target: &str, recipe: Recipe, modulus: &'a Modulus) -> Result<Self, LabError> {
        let machine = Machine::named(target)?;
        let spec = FieldSpec::new(modulus.bits - 4, recipe.reduction);
        let factor = match recipe.reduction {
            Reduction::Barrett => BigUint::from(1u8),
            Reduction::Montgomery => (BigUint::from(1u8) << spec.radix_bits(&machine)) % &modulus.q,
        };
        let format = Format {
            digit_bits: machine.word,
            digits: spec.words(&machine) as usize,
            lanes: machine.lanes as usize,
            factor,
        };
        let options = Options { karatsuba: recipe.karatsuba, ..Options::default() };
        let request = Request { options, ..Request::new(spec, machine) };
        Ok(Self { request, modulus, format, series: series(target, recipe) })
    }

    /// The format of numbers in tables, which are not interleaved into lanes.
    fn single(&self) -> Format {
        Format { lanes: 1, ..self.format.clone() }
    }

    /// Prints, compiles and loads a kernel; `out` and `inputs` are its arrays, and `tables` the trailing tables,
    /// without the constants.
    fn load(
        &self,
        operation: Operation,
        name: &str,
        out: usize,
        inputs: &[Length],
        mut tables: Vec<AlignedWords>,
    ) -> Result<Loaded, LabError> {
        let (request, q) = (&self.request, &self.modulus.q);
        let text = request.file(operation, Some(q), "cargo lab run")?;
        let file = format!("{name}-{}-{}", self.modulus.bits, request.machine.name);
        let library = match request.machine.printer.language() {
            Language::Rust => Library::from_rust(&file, &text, &[]),
            _ => Library::from_c(&file, &text, &[]),
        };
        let constants = AlignedWords::copied(&constants(request.field, q, &request.machine)?);
        let lengths = [inputs, &[Length::Total(constants.len())]].concat();
        tables.push(constants);
        let loaded = library.and_then(|library| library.kernel(name, Length::PerItem(out), &lengths));
        let kernel = loaded.map_err(|source| LabError::Kernel { series: self.series.clone(), source })?;
        Ok(Loaded { kernel, format: self.format.clone(), tables })
    }
}

impl Kernels for Generated {
    fn device(&self) -> String {
        let all =
            [format!("host ({})", self.targets.join(", "))].into_iter().chain(self.absent.iter().cloned());
        all.collect::<Vec<_>>().join("; ")
    }

    fn targets(&self) -> Vec<&'static str> {
        self.targets.clone()
    }

    fn vector<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: VectorCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        let field = Field::new(target, recipe, case.modulus)?;
        let op = case.op;
        let words = field.format.block();
        let mut inputs = vec![Length::PerItem(words); 2];
        let mut tables = Vec::new();
        if op == BlasOp::Axpy {
            tables.push(field.single().pack(core::slice::from_ref(case.scalar), &case.modulus.q));
            inputs.push(Length::Total(field.format.digits));
        }
        let loaded = field.load(Operation::Blas(op), op.name(), words, &inputs, tables)?;
        Ok(Some(Box::new(HostVector::new(loaded, case))))
    }

    fn ntt<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: NttCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        let field = Field::new(target, recipe, case.modulus)?;
        let (log2_n, q) = (case.log2_n, &case.modulus.q);
        let words = field.format.block();
        // `twiddles` expects the factor of a product, the inverse of the factor of a number.
        let rule = match recipe.reduction {
            Reduction::Barrett => FieldRule::plain(q),
            Reduction::Montgomery => {
                let radix = field.request.field.radix_bits(&field.request.machine);
                FieldRule::montgomery(q, u64::from(radix))?
            }
        };
        let table = twiddles(log2_n, false, &case.modulus.root(log2_n), None, &rule)?;
        // The table is already in the kernel's representation.
        let ready = Format { factor: BigUint::from(1u8), ..field.single() };
        let tables = vec![ready.pack(&table, q)];
        let inputs = [Length::Total(table_len(log2_n, Kind::FORWARD) * field.format.digits)];
        let operation = Operation::Ntt { inverse: false, log_size: log2_n };
        let loaded = field.load(operation, Kind::FORWARD.name(), words << log2_n, &inputs, tables)?;
        Ok(Some(Box::new(HostNtt::new(loaded, case))))
    }
}
