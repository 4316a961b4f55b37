//! Calculators interpreted by `wasmi`.

use crate::host::{self, Guard, Host, Log};
use crate::machine::{self, Callable, Fault, Machine, Params, Results, Stop};
use crate::{Limits, WitnessError, callbacks};
use wasmi::errors::MemoryError;
use wasmi::{
    Caller, Config, Engine, Error, Instance, Linker, Memory, Module, ResourceLimiter, Store, TrapCode,
    TypedFunc,
};
use wasmi_core::LimiterError;

/// Largest depth of nested calls. V8 allows about 10^4; circuits with recursive templates need one per level of recursion.
const MAX_CALLS: usize = 100_000;
/// Largest size of the value stack in bytes.
const MAX_STACK: usize = 64 << 20;

/// A validated module with the engine that interprets it.
pub(crate) struct Program {
    engine: Engine,
    linker: Linker<Host>,
    module: Module,
}

impl Program {
    /// Validates a module.
    pub(crate) fn new(wasm: &[u8], limits: &Limits) -> Result<Self, WitnessError> {
        let invalid = |e| WitnessError::InvalidWasm(Box::new(e));
        let engine = Engine::new(&config(limits));
        let module = Module::new(&engine, wasm).map_err(invalid)?;
        let imports =
            module.imports().map(|import| (import.module(), import.name(), import.ty().func().is_some()));
        host::recognise(|name| module.get_export(name).is_some(), imports)?;
        let mut linker = Linker::new(&engine);
        link(&mut linker).map_err(invalid)?;
        Ok(Self { engine, linker, module })
    }

    /// Allocates an instance, and runs its start function if it has one.
    pub(crate) fn start(&self, limits: &Limits, log: Log) -> Result<Running, WitnessError> {
        let mut store = Store::new(&self.engine, Host::new(limits, log));
        store.limiter(|host| &mut host.guard);
        if let Some(fuel) = limits.fuel {
            // Fails only if the engine does not count fuel, which this engine does.
            store.set_fuel(fuel).map_err(|e| WitnessError::InvalidWasm(Box::new(e)))?;
        }
        match self.linker.instantiate_and_start(&mut store, &self.module) {
            Ok(exports) => Ok(Running { store, exports }),
            Err(e) => Err(machine::explain(Running::fault(e), store.data_mut(), limits)),
        }
    }
}

/// Enables only the WebAssembly features that circom uses: one memory, no tail calls, no reference types, no vectors.
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

machine::engine!(Error::host);

/// Classifies an error that was not returned by a host function.
fn sorted(error: Error) -> Fault {
    match error.as_trap_code() {
        Some(TrapCode::OutOfFuel) => Fault::OutOfFuel,
        Some(TrapCode::GrowthOperationLimited | TrapCode::OutOfSystemMemory) => Fault::NoMemory,
        _ => Fault::Crash(Box::new(error)),
    }
}

impl ResourceLimiter for Guard {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        if self.allows_memory(desired) {
            Ok(true)
        } else {
            Err(LimiterError::ResourceLimiterDeniedAllocation)
        }
    }

    fn memory_grow_failed(&mut self, error: &MemoryError) -> Result<(), LimiterError> {
        // A module that asks for more than its own declared maximum gets -1 from `memory.grow`, which is not an error.
        if matches!(error, MemoryError::OutOfSystemMemory) {
            return Err(LimiterError::ResourceLimiterDeniedAllocation);
        }
        self.failed = None;
        Ok(())
    }

    machine::counts!(LimiterError);
}
