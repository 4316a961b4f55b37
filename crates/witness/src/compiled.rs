//! Calculators compiled to machine code by Cranelift or Winch, through `wasmtime`.
//!
//! Machine code is made in memory for this run: none is read from a file, so all of it has passed the validation. circom's
//! field functions may have been replaced before ([`library`](crate::library)).

use crate::glance::ModuleSizes;
use crate::host::{self, Guard, Host, Log};
use crate::machine::{self, Callable, Fault, Machine, Params, Results, Stop};
use crate::{Limits, WitnessError, callbacks, stack};
use wasmtime::{
    Caller, Config, Engine, Error, Instance, Linker, Memory, Module, OptLevel, ResourceLimiter, Store,
    Strategy, Trap, TypedFunc,
};

/// Bytes of one function that is compiled. A compiler's time is not linear in them: a function of half this size, made
/// for the purpose, keeps Cranelift busy for six seconds. circom writes a function for a template.
const MAX_FUNCTION: usize = 1 << 20;

/// Who makes machine code of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    /// Cranelift, which optimises.
    Cranelift,
    /// Winch, in one pass: it takes a sixth of the time, and its code runs half as fast.
    Winch,
}

impl Compiler {
    /// The compiler whose work and code together take less time, as far as the module tells.
    pub(crate) fn fastest(module: &ModuleSizes) -> Self {
        // wasmtime's promises for Winch are for this processor.
        let known = cfg!(target_arch = "x86_64");
        // On two bytes of code Winch saves about the processor time that its code loses for four wires; Cranelift, which
        // works on all cores and whose code serves for more than one witness, is taken a little earlier.
        let small = module.wires.is_some_and(|wires| wires < module.code);
        if known && small { Self::Winch } else { Self::Cranelift }
    }
}

/// A module as machine code.
pub(crate) struct Program {
    compiler: Compiler,
    engine: Engine,
    linker: Linker<Host>,
    module: Module,
}

impl Program {
    /// Validates and compiles a module, whose field functions may be those of [`library`](crate::library).
    pub(crate) fn new(
        wasm: &[u8],
        is_widened: bool,
        module: &ModuleSizes,
        compiler: Compiler,
        limits: &Limits,
    ) -> Result<Self, WitnessError> {
        if module.largest > MAX_FUNCTION {
            return Err(WitnessError::LargeFunction { bytes: module.largest, most: MAX_FUNCTION });
        }
        let mut config = config(compiler, limits);
        config.wasm_wide_arithmetic(is_widened);
        let engine = Engine::new(&config).map_err(|e| WitnessError::NoCompiler(e.into()))?;
        let module = Module::from_binary(&engine, wasm).map_err(invalid)?;
        let imports =
            module.imports().map(|import| (import.module(), import.name(), import.ty().func().is_some()));
        host::recognise(|name| module.get_export(name).is_some(), imports)?;
        let mut linker = Linker::new(&engine);
        link(&mut linker).map_err(invalid)?;
        Ok(Self { compiler, engine, linker, module })
    }

    /// Who has compiled it.
    pub(crate) fn compiler(&self) -> Compiler {
        self.compiler
    }

    /// Allocates an instance, and runs its start function if it has one. Everything that calls the instance has to
    /// run on the thread of [`stack::with_deep_stack`].
    pub(crate) fn start(&self, limits: &Limits, log: Log) -> Result<Running, WitnessError> {
        let mut store = Store::new(&self.engine, Host::new(limits, log));
        store.limiter(|host| &mut host.guard);
        if let Some(fuel) = limits.fuel {
            // Fails only where the engine counts no fuel, and ours does.
            store.set_fuel(fuel).map_err(invalid)?;
        }
        match self.linker.instantiate(&mut store, &self.module) {
            Ok(exports) => Ok(Running { store, exports }),
            Err(e) => {
                // What fails between the permission for a memory and the first instruction is its allocation.
                let host = store.data_mut();
                let allocating = host.guard.failed.is_some() && !host.guard.table_denied;
                host.guard.refused = allocating && !e.is::<Trap>();
                Err(machine::explain(Running::fault(e), host, limits))
            }
        }
    }
}

fn invalid(e: Error) -> WitnessError {
    WitnessError::InvalidWasm(e.into())
}

/// The features circom uses, and nothing besides: one memory, no tail calls, no references, no vectors.
fn config(compiler: Compiler, limits: &Limits) -> Config {
    let mut config = Config::new();
    config
        .strategy(match compiler {
            Compiler::Cranelift => Strategy::Cranelift,
            Compiler::Winch => Strategy::Winch,
        })
        .wasm_multi_memory(false)
        .wasm_tail_call(false)
        .wasm_extended_const(false)
        .wasm_relaxed_simd(false)
        .wasm_simd(false)
        .async_stack_size(stack::MODULE)
        .max_wasm_stack(stack::MODULE)
        .consume_fuel(limits.fuel.is_some())
        .cranelift_opt_level(OptLevel::Speed)
        .wasm_backtrace_max_frames(None)
        .native_unwind_info(cfg!(windows));
    config
}

machine::engine!(Error::new);

/// Sorts what no host function has returned.
fn sorted(error: Error) -> Fault {
    match error.downcast_ref() {
        Some(Trap::OutOfFuel) => Fault::OutOfFuel,
        _ => Fault::Crash(error.into()),
    }
}

impl ResourceLimiter for Guard {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool, Error> {
        if !self.allows_memory(desired) {
            return Err(Error::new(Stop::Misuse("more memory than is allowed")));
        }
        // A module that asks for more than its own declared maximum gets its -1.
        if maximum.is_some_and(|maximum| desired > maximum) {
            self.failed = None;
        }
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: Error) -> Result<(), Error> {
        if self.failed.is_some() {
            self.refused = true;
            return Err(error);
        }
        Ok(())
    }

    machine::counts!(Error);
}
