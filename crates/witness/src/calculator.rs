//! A calculator, loaded: what it says of itself, and the witness it computes.

use crate::host::{self, Host, Log};
use crate::instance::Instance;
use crate::integer::Integer;
use crate::{Inputs, Limits, WitnessError, file};
use core::fmt;
use pairwright_field::PrimeField;
use std::path::{Path, PathBuf};
use wasmi::{Config, Engine, Linker, Module};

/// How the modules we accept begin: magic and version.
const MAGIC: &[u8] = b"\0asm\x01\0\0\0";
/// Nested calls: V8 gives about 10^4, circuits with recursive templates use as many as they nest.
const MAX_CALLS: usize = 100_000;
/// Bytes of the value stack.
const MAX_STACK: usize = 64 << 20;

/// A witness calculator made by circom 2: a validated WebAssembly module, ready to run.
///
/// Each witness is computed in an instance of its own, so a calculator can be shared between threads and runs leave
/// no traces in it.
pub struct Calculator {
    engine: Engine,
    linker: Linker<Host>,
    module: Module,
    limits: Limits,
    path: Option<PathBuf>,
    version: [u32; 3],
    prime: Vec<u64>,
    inputs: u32,
    wires: u32,
}

impl Calculator {
    /// Loads a `.wasm` file; all errors name it.
    ///
    /// # Errors
    /// [`WitnessError::File`], [`WitnessError::TooLarge`], and those of [`Calculator::from_bytes`] as [`WitnessError::In`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WitnessError> {
        Self::open_with(path, Limits::default())
    }

    /// [`Calculator::open`] with other limits.
    ///
    /// # Errors
    /// Those of [`Calculator::open`].
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self, WitnessError> {
        let path = path.as_ref().to_owned();
        match Self::from_bytes_with(&file::module(&path, MAGIC)?, limits) {
            Ok(calculator) => Ok(Self { path: Some(path), ..calculator }),
            Err(e) => Err(e.in_file(Some(&path))),
        }
    }

    /// Validates a module, and asks it for its prime and sizes.
    ///
    /// # Errors
    /// [`WitnessError::NotWasm`], [`WitnessError::InvalidWasm`], [`WitnessError::Circom1`],
    /// [`WitnessError::Version`], [`WitnessError::Imports`], [`WitnessError::Export`],
    /// [`WitnessError::Impossible`], and those of a run.
    pub fn from_bytes(wasm: &[u8]) -> Result<Self, WitnessError> {
        Self::from_bytes_with(wasm, Limits::default())
    }

    /// [`Calculator::from_bytes`] with other limits.
    ///
    /// # Errors
    /// Those of [`Calculator::from_bytes`].
    pub fn from_bytes_with(wasm: &[u8], limits: Limits) -> Result<Self, WitnessError> {
        if !wasm.starts_with(MAGIC) {
            return Err(WitnessError::NotWasm);
        }
        let engine = Engine::new(&config(&limits));
        let invalid = |e| WitnessError::InvalidWasm(Box::new(e));
        let module = Module::new(&engine, wasm).map_err(invalid)?;
        recognise(&module)?;
        let mut linker = Linker::new(&engine);
        host::link(&mut linker).map_err(invalid)?;
        let mut this = Self {
            engine,
            linker,
            module,
            limits,
            path: None,
            version: [0; 3],
            prime: Vec::new(),
            inputs: 0,
            wires: 0,
        };
        let (mut instance, prime) = this.start(Box::new(|_| {}))?;
        this.prime = prime;
        for (number, name) in
            this.version.iter_mut().zip(["getVersion", "getMinorVersion", "getPatchVersion"])
        {
            // The minor numbers came with 2.0.7.
            if name == "getVersion" || instance.has(name) {
                *number = instance.call::<(), i32>(name, ())?.cast_unsigned();
            }
        }
        match this.version {
            [2, ..] => {}
            [1, ..] => return Err(WitnessError::Circom1),
            [other, ..] => return Err(WitnessError::Version(other)),
        }
        this.inputs = instance.call::<(), i32>("getInputSize", ())?.cast_unsigned();
        this.wires = instance.call::<(), i32>("getWitnessSize", ())?.cast_unsigned();
        Ok(this)
    }

    /// The prime of the field that the circuit was compiled for, as little-endian limbs.
    pub fn prime(&self) -> &[u64] {
        &self.prime
    }

    /// Version of the circom that made it: major, minor, patch. The last two are 0 before 2.0.7.
    pub fn version(&self) -> [u32; 3] {
        self.version
    }

    /// Number of input values over all signals.
    pub fn input_len(&self) -> u32 {
        self.inputs
    }

    /// Number of wires, and so the length of a witness.
    pub fn witness_len(&self) -> u32 {
        self.wires
    }

    /// Computes the witness: the value of every wire, the constant 1 first. Drops what the circuit logs.
    ///
    /// # Errors
    /// [`WitnessError::Prime`] if `F` is another field than the circuit's; [`WitnessError::UnknownSignal`],
    /// [`WitnessError::Count`], [`WitnessError::Overlap`], [`WitnessError::Missing`] for inputs that do not fit;
    /// [`WitnessError::Assert`] with its place if a constraint or an assertion does not hold;
    /// [`WitnessError::Exception`], [`WitnessError::Trap`], [`WitnessError::Memory`], [`WitnessError::Fuel`].
    pub fn witness<F: PrimeField>(&self, inputs: &Inputs) -> Result<Vec<F>, WitnessError> {
        self.witness_with_log(inputs, |_| {})
    }

    /// [`Calculator::witness`], handing each line of the circuit's `log` to `log` as soon as it is complete.
    ///
    /// # Errors
    /// Those of [`Calculator::witness`].
    pub fn witness_with_log<F: PrimeField>(
        &self,
        inputs: &Inputs,
        log: impl FnMut(&str) + 'static,
    ) -> Result<Vec<F>, WitnessError> {
        self.run(inputs, Box::new(log)).map_err(|e| {
            let path = if e.is_about_inputs() { inputs.path() } else { self.path.as_ref() };
            e.in_file(path)
        })
    }

    fn run<F: PrimeField>(&self, inputs: &Inputs, log: Log) -> Result<Vec<F>, WitnessError> {
        if significant(&self.prime) != significant(F::MODULUS.as_ref()) {
            return Err(WitnessError::Prime { field: F::NAME });
        }
        let (mut instance, _) = self.start(log)?;
        instance.set_lines_end(self.version >= [2, 0, 7]);
        let () = instance.call("init", 0i32)?;
        self.set_inputs::<F>(&mut instance, inputs)?;
        instance.flush();
        self.collect(&mut instance)
    }

    /// An instance whose shared memory has been looked at, and its prime.
    fn start(&self, log: Log) -> Result<(Instance, Vec<u64>), WitnessError> {
        let mut instance = Instance::new(&self.engine, &self.linker, &self.module, self.limits, log)?;
        let prime = instance.prime()?;
        Ok((instance, prime))
    }

    /// Sets all inputs; the calculator computes when it has the last one.
    fn set_inputs<F: PrimeField>(
        &self,
        instance: &mut Instance,
        inputs: &Inputs,
    ) -> Result<(), WitnessError> {
        let size = instance.function::<(i32, i32), i32>("getInputSignalSize")?;
        let set = instance.function::<(i32, i32, i32), ()>("setInputSignal")?;
        if let Some((whole, part)) = inputs.overlap() {
            return Err(WitnessError::Overlap { whole: whole.clone(), part: part.clone() });
        }
        let mut found = 0u32;
        // All names and sizes first: with the last value the calculator begins to compute.
        let mut signals = Vec::new();
        for (signal, values) in inputs.iter() {
            let (high, low) = halves(hash(signal));
            let expected = u32::try_from(instance.call_function(&size, (high, low))?).unwrap_or(0);
            if expected == 0 && !values.is_empty() {
                return Err(WitnessError::UnknownSignal { signal: signal.clone(), expected: self.inputs });
            }
            if usize::try_from(expected) != Ok(values.len()) {
                let found = values.len();
                return Err(WitnessError::Count { signal: signal.clone(), expected, found });
            }
            found = found.saturating_add(expected);
            signals.push((high, low, values));
        }
        if found < self.inputs {
            let given = inputs.signals().map(|(signal, _)| signal.to_owned()).collect();
            return Err(WitnessError::Missing { expected: self.inputs, found, given });
        }
        for (high, low, values) in signals {
            for (position, value) in (0i32..).zip(values) {
                instance.write_shared(Integer::reduce_vartime::<F>(value).to_limbs().as_ref())?;
                instance.call_function(&set, (high, low, position))?;
            }
        }
        Ok(())
    }

    /// Reads the value of every wire.
    fn collect<F: PrimeField>(&self, instance: &mut Instance) -> Result<Vec<F>, WitnessError> {
        // Every wire is kept in memory by the calculator, so its number cannot be larger than this.
        if u64::from(self.wires).saturating_mul(instance.element_bytes()) > instance.memory_bytes() {
            return Err(WitnessError::Impossible {
                what: "the number of its wires",
                found: self.wires.into(),
            });
        }
        let get = instance.function::<i32, ()>("getWitness")?;
        let mut witness = Vec::with_capacity(usize::try_from(self.wires).unwrap_or(0));
        let mut words = vec![0; instance.limbs()];
        for wire in 0..self.wires {
            instance.call_function(&get, wire.cast_signed())?;
            instance.read_shared(&mut words)?;
            let mut limbs = F::Limbs::default();
            for (limb, word) in limbs.as_mut().iter_mut().zip(&words) {
                *limb = *word;
            }
            let fits = significant(&words).len() <= limbs.as_ref().len();
            let value = if fits { F::from_limbs(limbs) } else { None };
            witness.push(value.ok_or(WitnessError::Wire(wire))?);
        }
        Ok(witness)
    }
}

impl fmt::Debug for Calculator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calculator")
            .field("path", &self.path)
            .field("version", &self.version)
            .field("inputs", &self.inputs)
            .field("wires", &self.wires)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The features circom uses, and nothing besides: one memory, no tail calls, no references, no vectors.
fn config(limits: &Limits) -> Config {
    let mut config = Config::default();
    config
        .wasm_multi_memory(false)
        .wasm_tail_call(false)
        .wasm_reference_types(false)
        .wasm_extended_const(false)
        .set_max_recursion_depth(MAX_CALLS)
        .set_max_stack_height(MAX_STACK)
        .consume_fuel(limits.fuel.is_some())
        .ignore_custom_sections(true);
    config
}

/// Whether this is a circom 2 calculator, by its imports and exports.
fn recognise(module: &Module) -> Result<(), WitnessError> {
    let exports = |name| module.get_export(name).is_some();
    if !exports("getVersion") {
        let is_circom1 = exports("getFrLen") || exports("getNVars");
        return Err(if is_circom1 { WitnessError::Circom1 } else { WitnessError::Export("getVersion") });
    }
    let foreign = |import: &wasmi::ImportType<'_>| {
        import.ty().func().is_none() || !host::provides(import.module(), import.name())
    };
    let foreign: Vec<_> = module
        .imports()
        .filter(foreign)
        .map(|import| format!("{}.{}", import.module().escape_debug(), import.name().escape_debug()))
        .collect();
    if foreign.is_empty() { Ok(()) } else { Err(WitnessError::Imports(foreign)) }
}

/// The FNV-1a hash of 64 bits by which calculators know their signals.
fn hash(signal: &str) -> u64 {
    signal.encode_utf16().fold(0xcbf2_9ce4_8422_2325, |hash, unit| {
        (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The high and the low 32 bits, as WebAssembly takes them.
fn halves(hash: u64) -> (i32, i32) {
    let [a, b, c, d, e, f, g, h] = hash.to_be_bytes();
    (i32::from_be_bytes([a, b, c, d]), i32::from_be_bytes([e, f, g, h]))
}

/// Limbs without the zeros on top.
fn significant(limbs: &[u64]) -> &[u64] {
    let zeros = limbs.iter().rev().take_while(|&&limb| limb == 0).count();
    limbs.get(..limbs.len().saturating_sub(zeros)).unwrap_or(limbs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_fnv_1a() {
        // Published vectors of FNV-1a, 64 bits.
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
        let (high, low) = halves(hash("foobar"));
        assert_eq!((high.cast_unsigned(), low.cast_unsigned()), (0x8594_4171, 0xf739_67e8));
    }

    #[test]
    fn zeros_on_top_do_not_count() {
        assert_eq!(significant(&[1, 0, 2, 0, 0]), [1, 0, 2]);
        assert_eq!(significant(&[0, 0]), [0; 0]);
        assert_eq!(significant(&[]), [0; 0]);
    }
}
