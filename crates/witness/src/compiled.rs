//! Calculators compiled to machine code by Cranelift or Winch, through `wasmtime`.
//!
//! Machine code is made in memory for this process; none is read from a file, so all of it comes from a validated module.
//! circom's field functions may have been replaced before compilation ([`library`](crate::library)).

use crate::glance::ModuleSizes;
use crate::host::{self, Guard, Host, Log};
use crate::machine::{self, Callable, Fault, Machine, Params, Results, Stop};
use crate::{Limits, WitnessError, callbacks, stack};
use wasmtime::{
    Caller, Config, Engine, Error, Instance, Linker, Memory, Module, OptLevel, ResourceLimiter, Store,
    Strategy, Trap, TypedFunc,
};

/// Largest size in bytes of a function that is compiled. Compile time is not linear in this size: a function of half this size,
/// constructed for the purpose, keeps Cranelift busy for six seconds. circom writes one function for each template.
const MAX_FUNCTION: usize = 1 << 20;

/// The compilers that translate a module to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    /// Cranelift, which optimises.
    Cranelift,
    /// Winch, which works in one pass: it takes a sixth of Cranelift's time, and its code runs half as fast.
    Winch,
}

impl Compiler {
    /// The compiler with the smaller expected sum of compile time and run time, estimated from the sizes of the module.
    pub(crate) fn fastest(module: &ModuleSizes) -> Self {
        // wasmtime supports Winch fully on this processor only.
        let known = cfg!(target_arch = "x86_64");
        // For every two bytes of code, Winch saves about the processor time that its slower code costs for four wires.
        // Cranelift is chosen a little earlier than that, since it uses all cores and its code serves for more than one
        // witness.
        let small = module.wires.is_some_and(|wires| wires < module.code);
        if known && small { Self::Winch } else { Self::Cranelift }
    }
}

/// A module compiled to machine code.
pub(crate) struct Program {
    compiler: Compiler,
    engine: Engine,
    linker: Linker<Host>,
    module: Module,
}

impl Program {
    /// Validates and compiles a module, whose field functions may have been replaced by [`library`](crate::library).
    pub(crate) fn new(
        wasm: &[u8],
        uses_wide_arithmetic: bool,
        module: &ModuleSizes,
        compiler: Compiler,
        limits: &Limits,
    ) -> Result<Self, WitnessError> {
        if module.largest > MAX_FUNCTION {
            return Err(WitnessError::LargeFunction { bytes: module.largest, most: MAX_FUNCTION });
        }
        let mut config = config(compiler, limits);
        config.wasm_wide_arithmetic(uses_wide_arithmetic);
        let engine = Engine::new(&config).map_err(|e| WitnessError::NoCompiler(e.into()))?;
        let module = Module::from_binary(&engine, wasm).map_err(invalid)?;
        let imports =
            module.imports().map(|import| (import.module(), import.name(), import.ty().func().is_some()));
        host::recognise(|name| module.get_export(name).is_some(), imports)?;
        let mut linker = Linker::new(&engine);
        link(&mut linker).map_err(invalid)?;
        Ok(Self { compiler, engine, linker, module })
    }

    /// The compiler that made the code.
    pub(crate) fn compiler(&self) -> Compiler {
        self.compiler
    }

    /// Allocates an instance, and runs its start function if it has one. All calls of the instance have to be made on the
    /// thread of [`stack::with_deep_stack`].
    pub(crate) fn start(&self, limits: &Limits, log: Log) -> Result<Running, WitnessError> {
        let mut store = Store::new(&self.engine, Host::new(limits, log));
        store.limiter(|host| &mut host.guard);
        if let Some(fuel) = limits.fuel {
            // Fails only if the engine does not count fuel, which this engine does.
            store.set_fuel(fuel).map_err(invalid)?;
        }
        match self.linker.instantiate(&mut store, &self.module) {
            Ok(exports) => Ok(Running { store, exports }),
            Err(e) => {
                // A failure after a memory was allowed and before the first instruction is a failed allocation.
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

/// Enables only the WebAssembly features that circom uses: one memory, no tail calls, no reference types, no vectors.
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

/// Classifies an error that was not returned by a host function.
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
        // A module that asks for more than its own declared maximum gets -1 from `memory.grow`, which is not an error.
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
