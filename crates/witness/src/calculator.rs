//! A loaded calculator: its prime, version and sizes, and the computation of witnesses.

use crate::compiled::Compiler;
use crate::glance::ModuleSizes;
use crate::instance::Instance;
use crate::integer::Integer;
use crate::machine::Machine;
use crate::{Engine, Inputs, Limits, WitnessError, compiled, file, interpreted, library, stack};
use core::fmt;
use pairwright_field::PrimeField;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The magic bytes and the version of WebAssembly modules.
const MAGIC: &[u8] = b"\0asm\x01\0\0\0";
/// A witness calculator made by circom 2: a validated WebAssembly module, compiled or prepared for interpretation.
///
/// Each witness is computed in a separate instance, whose memory is wiped afterwards. A calculator can therefore be shared
/// between threads, and runs leave no traces in it.
pub struct Calculator {
    program: Program,
    fallback: Option<Box<WitnessError>>,
    limits: Limits,
    path: Option<PathBuf>,
    version: [u32; 3],
    prime: Vec<u64>,
    inputs: u32,
    wires: u32,
}

/// The module in the form that its engine uses.
enum Program {
    Compiled(compiled::Program),
    Interpreted(interpreted::Program),
}

impl Calculator {
    /// Loads a `.wasm` file with the default engine and limits; all errors name the file.
    ///
    /// # Errors
    /// [`WitnessError::File`], [`WitnessError::TooLarge`], and those of [`Calculator::from_bytes`] as [`WitnessError::In`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WitnessError> {
        Self::open_with(path, Engine::default(), Limits::default())
    }

    /// [`Calculator::open`] with a chosen engine and other limits.
    ///
    /// # Errors
    /// Those of [`Calculator::open`].
    pub fn open_with(path: impl AsRef<Path>, engine: Engine, limits: Limits) -> Result<Self, WitnessError> {
        let path = path.as_ref().to_owned();
        match Self::from_bytes_with(&file::module(&path, MAGIC)?, engine, limits) {
            Ok(calculator) => Ok(Self { path: Some(path), ..calculator }),
            Err(e) => Err(e.in_file(Some(&path))),
        }
    }

    /// Validates a module, and calls it to get its prime, version and sizes.
    ///
    /// # Errors
    /// [`WitnessError::NotWasm`], [`WitnessError::InvalidWasm`], [`WitnessError::Circom1`],
    /// [`WitnessError::Version`], [`WitnessError::Imports`], [`WitnessError::Export`],
    /// [`WitnessError::Impossible`], and those of a run.
    pub fn from_bytes(wasm: &[u8]) -> Result<Self, WitnessError> {
        Self::from_bytes_with(wasm, Engine::default(), Limits::default())
    }

    /// [`Calculator::from_bytes`] with a chosen engine and other limits.
    ///
    /// # Errors
    /// Those of [`Calculator::from_bytes`]; [`WitnessError::NoCompiler`] for [`Engine::Compiled`] and
    /// [`Engine::Baseline`] on a processor for which there is no such compiler.
    pub fn from_bytes_with(wasm: &[u8], engine: Engine, limits: Limits) -> Result<Self, WitnessError> {
        if !wasm.starts_with(MAGIC) {
            return Err(WitnessError::NotWasm);
        }
        let optimised = if engine == Engine::Interpreted { None } else { library::optimised(wasm) };
        let code = optimised.as_deref().unwrap_or(wasm);
        let module = ModuleSizes::of(code);
        let by = |compiler| {
            let program = compiled::Program::new(code, optimised.is_some(), &module, compiler, &limits)?;
            Self::ask(Program::Compiled(program), limits)
        };
        let interpreted =
            || Self::ask(Program::Interpreted(interpreted::Program::new(wasm, &limits)?), limits);
        match engine {
            Engine::Compiled => by(Compiler::Cranelift),
            Engine::Baseline => by(Compiler::Winch),
            Engine::Interpreted => interpreted(),
            // A module that the compiler refuses, or lacks memory for, is given to the interpreter, which decides whether it is
            // valid.
            Engine::Fastest => match by(Compiler::fastest(&module)) {
                Err(
                    why @ (WitnessError::NoCompiler(_)
                    | WitnessError::InvalidWasm(_)
                    | WitnessError::LargeFunction { .. }
                    | WitnessError::MachineMemory(_)),
                ) => interpreted().map(|this| Self { fallback: Some(Box::new(why)), ..this }),
                verdict => verdict,
            },
        }
    }

    /// Calls a module to get its prime, version and sizes.
    fn ask(program: Program, limits: Limits) -> Result<Self, WitnessError> {
        let (version, prime, inputs, wires) = match &program {
            Program::Interpreted(program) => facts(program.start(&limits, Box::new(|_| {}))?, limits),
            Program::Compiled(program) => {
                stack::with_deep_stack(|_| {}, |log| facts(program.start(&limits, log)?, limits))
            }
        }?;
        Ok(Self { program, fallback: None, limits, path: None, version, prime, inputs, wires })
    }

    /// The engine that runs this calculator; never [`Engine::Fastest`].
    pub fn engine(&self) -> Engine {
        match &self.program {
            Program::Compiled(program) => match program.compiler() {
                Compiler::Cranelift => Engine::Compiled,
                Compiler::Winch => Engine::Baseline,
            },
            Program::Interpreted(_) => Engine::Interpreted,
        }
    }

    /// The reason why the calculator is interpreted although [`Engine::Fastest`] was asked for; `None` if no compiler was tried
    /// or it succeeded.
    pub fn fallback(&self) -> Option<&WitnessError> {
        self.fallback.as_deref()
    }

    /// The prime of the field that the circuit was compiled for, as little-endian limbs.
    pub fn prime(&self) -> &[u64] {
        &self.prime
    }

    /// Version of the circom compiler that made the calculator: major, minor, patch. The last two are 0 before 2.0.7.
    pub fn version(&self) -> [u32; 3] {
        self.version
    }

    /// Number of input values of all input signals together.
    pub fn input_len(&self) -> u32 {
        self.inputs
    }

    /// Number of wires, which is the length of a witness.
    pub fn witness_len(&self) -> u32 {
        self.wires
    }

    /// Computes the witness: the value of every wire, beginning with the constant 1. The output of the circuit's `log` is
    /// discarded.
    ///
    /// # Errors
    /// [`WitnessError::Prime`] if `F` is another field than the circuit's; [`WitnessError::UnknownSignal`],
    /// [`WitnessError::Count`], [`WitnessError::Overlap`], [`WitnessError::Missing`] for inputs that do not match the circuit's;
    /// [`WitnessError::Assert`] with the position in the circuit if a constraint or an assertion does not hold;
    /// [`WitnessError::Exception`], [`WitnessError::Trap`], [`WitnessError::Memory`], [`WitnessError::Fuel`].
    pub fn witness<F: PrimeField>(&self, inputs: &Inputs) -> Result<Vec<F>, WitnessError> {
        self.witness_with_log(inputs, |_| {})
    }

    /// [`Calculator::witness`] that passes each line of the circuit's `log` to the callback as soon as it is complete.
    ///
    /// # Errors
    /// Those of [`Calculator::witness`].
    pub fn witness_with_log<F: PrimeField>(
        &self,
        inputs: &Inputs,
        log: impl FnMut(&str),
    ) -> Result<Vec<F>, WitnessError> {
        self.run(inputs, log).map_err(|e| {
            let path = if e.is_about_inputs() { inputs.path() } else { self.path.as_ref() };
            e.in_file(path)
        })
    }

    /// Adds the names of the missing signals to a [`WitnessError::Missing`]. `signals` are the names in the circuit's `.sym`
    /// file (`main.table[0]`), since the calculator knows no names. Other errors are returned unchanged.
    pub fn name_missing<'a>(
        &self,
        mut error: WitnessError,
        inputs: &Inputs,
        signals: impl Iterator<Item = &'a str>,
    ) -> WitnessError {
        if let WitnessError::Missing { missing, .. } = error.cause_mut() {
            let names: BTreeSet<&str> = signals.filter_map(|name| name.strip_prefix("main.")).collect();
            let found = stack::with_deep_stack(
                |_| {},
                |log| match &self.program {
                    Program::Compiled(program) => {
                        missing_on(program.start(&self.limits, log)?, inputs, &names)
                    }
                    Program::Interpreted(program) => {
                        missing_on(program.start(&self.limits, log)?, inputs, &names)
                    }
                },
            );
            // If the calculator fails to answer, the error stays without names.
            *missing = found.unwrap_or_default();
        }
        error
    }

    fn run<F: PrimeField>(&self, inputs: &Inputs, log: impl FnMut(&str)) -> Result<Vec<F>, WitnessError> {
        if significant(&self.prime) != significant(F::MODULUS.as_ref()) {
            return Err(WitnessError::Prime { field: F::NAME });
        }
        stack::with_deep_stack(log, |log| match &self.program {
            Program::Compiled(program) => self.run_on(program.start(&self.limits, log)?, inputs),
            Program::Interpreted(program) => self.run_on(program.start(&self.limits, log)?, inputs),
        })
    }

    fn run_on<M: Machine, F: PrimeField>(&self, machine: M, inputs: &Inputs) -> Result<Vec<F>, WitnessError> {
        let mut instance = Instance::new(machine, self.limits)?;
        let _ = instance.prime()?;
        instance.set_lines_end(self.version >= [2, 0, 7]);
        let () = instance.call("init", 0i32)?;
        self.set_inputs::<M, F>(&mut instance, inputs)?;
        instance.flush();
        self.collect(&mut instance)
    }

    /// Sets all inputs; the calculator computes the witness when it receives the last value.
    fn set_inputs<M: Machine, F: PrimeField>(
        &self,
        instance: &mut Instance<M>,
        inputs: &Inputs,
    ) -> Result<(), WitnessError> {
        let size = instance.function::<(i32, i32), i32>("getInputSignalSize")?;
        let set = instance.function::<(i32, i32, i32), ()>("setInputSignal")?;
        if let Some((whole, part)) = inputs.overlap() {
            return Err(WitnessError::Overlap { whole: whole.clone(), part: part.clone() });
        }
        let mut found = 0u32;
        // All names and sizes are checked first, because the calculator begins to compute when it receives the last value.
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
            return Err(WitnessError::Missing { expected: self.inputs, found, given, missing: Vec::new() });
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
    fn collect<M: Machine, F: PrimeField>(&self, instance: &mut Instance<M>) -> Result<Vec<F>, WitnessError> {
        // The calculator keeps every wire in its memory, which bounds the number of wires.
        if u64::from(self.wires).saturating_mul(instance.element_bytes()) > instance.memory_bytes() {
            return Err(WitnessError::Impossible {
                what: "the number of its wires",
                found: self.wires.into(),
            });
        }
        let get = instance.function::<i32, ()>("getWitness")?;
        let mut witness = Vec::with_capacity(usize::try_from(self.wires).unwrap_or(0));
        let mut words = Zeroizing::new(vec![0; instance.limbs()]);
        for wire in 0..self.wires {
            instance.call_function(&get, wire.cast_signed())?;
            instance.read_shared(&mut words)?;
            let mut limbs = F::Limbs::default();
            for (limb, word) in limbs.as_mut().iter_mut().zip(words.iter()) {
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
            .field("engine", &self.engine())
            .field("version", &self.version)
            .field("inputs", &self.inputs)
            .field("wires", &self.wires)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The names of the missing inputs. A signal is an input if the calculator knows its size. It is missing as a whole, or, if
/// some of its parts are given, the other parts are missing.
fn missing_on<M: Machine>(
    mut machine: M,
    inputs: &Inputs,
    signals: &BTreeSet<&str>,
) -> Result<Vec<String>, WitnessError> {
    let function = machine.function::<(i32, i32), i32>("getInputSignalSize");
    let function = function.ok_or(WitnessError::Export("getInputSignalSize"))?;
    let mut is_input = |name: &str| machine.call(&function, halves(hash(name))).is_ok_and(|size| size > 0);
    let is_given = |name: &str| inputs.signals().any(|(given, _)| given == name);
    let mut missing: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for signal in signals {
        let ends = signal.match_indices(['.', '[']).map(|(at, _)| at).chain([signal.len()]);
        let prefixes = ends.filter_map(|end| signal.get(..end));
        let Some(whole) = prefixes.clone().next() else { continue };
        let in_part = inputs
            .signals()
            .any(|(given, _)| given.strip_prefix(whole).is_some_and(|rest| rest.starts_with(['.', '['])));
        let name = if in_part { prefixes.filter(|name| is_input(name)).last() } else { Some(whole) };
        let Some(name) = name.filter(|name| seen.insert(*name)) else { continue };
        if !is_given(whole) && !is_given(name) && is_input(name) {
            missing.push(name.to_owned());
        }
    }
    Ok(missing)
}

/// Asks a calculator for its version, prime, number of input values and number of wires.
fn facts<M: Machine>(machine: M, limits: Limits) -> Result<([u32; 3], Vec<u64>, u32, u32), WitnessError> {
    let mut instance = Instance::new(machine, limits)?;
    let prime = instance.prime()?;
    let mut version = [0; 3];
    for (number, name) in version.iter_mut().zip(["getVersion", "getMinorVersion", "getPatchVersion"]) {
        // The functions for minor and patch version exist since 2.0.7.
        if name == "getVersion" || instance.has(name) {
            *number = instance.call::<(), i32>(name, ())?.cast_unsigned();
        }
    }
    match version {
        [2, ..] => {}
        [1, ..] => return Err(WitnessError::Circom1),
        [other, ..] => return Err(WitnessError::Version(other)),
    }
    let inputs = instance.call::<(), i32>("getInputSize", ())?.cast_unsigned();
    let wires = instance.call::<(), i32>("getWitnessSize", ())?.cast_unsigned();
    Ok((version, prime, inputs, wires))
}

/// The 64-bit FNV-1a hash by which calculators identify their signals.
fn hash(signal: &str) -> u64 {
    signal.encode_utf16().fold(0xcbf2_9ce4_8422_2325, |hash, unit| {
        (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Splits a hash into the high and the low 32 bits, as signed WebAssembly arguments.
fn halves(hash: u64) -> (i32, i32) {
    let [a, b, c, d, e, f, g, h] = hash.to_be_bytes();
    (i32::from_be_bytes([a, b, c, d]), i32::from_be_bytes([e, f, g, h]))
}

/// The limbs without leading (most significant) zero limbs.
fn significant(limbs: &[u64]) -> &[u64] {
    let zeros = limbs.iter().rev().take_while(|&&limb| limb == 0).count();
    limbs.get(..limbs.len().saturating_sub(zeros)).unwrap_or(limbs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_fnv_1a() {
        // Published test vectors of 64-bit FNV-1a.
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
