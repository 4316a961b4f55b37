//! One run of a calculator: its instance, its exports, its shared memory.

use crate::host::{Host, Log, MAX_WORDS, Raised};
use crate::{Exception, Limits, WitnessError};
use wasmi::{Engine, Linker, Memory, Module, Store, TrapCode, TypedFunc, WasmParams, WasmResults};

/// A calculator in the midst of its work.
pub(crate) struct Instance {
    store: Store<Host>,
    exports: wasmi::Instance,
    limits: Limits,
    /// 32-bit words of a field element.
    words: u32,
    /// Memory and offset of the buffer for field elements, if the memory can be reached directly.
    window: Option<(Memory, usize)>,
    read: TypedFunc<i32, i32>,
    write: TypedFunc<(i32, i32), ()>,
}

impl Instance {
    /// Instantiates a module: allocates its memory, runs its start function if it has one.
    pub(crate) fn new(
        engine: &Engine,
        linker: &Linker<Host>,
        module: &Module,
        limits: Limits,
        log: Log,
    ) -> Result<Self, WitnessError> {
        let mut store = Store::new(engine, Host::new(&limits, log));
        store.limiter(|host| &mut host.guard);
        if let Some(fuel) = limits.fuel {
            // Fails only where the engine counts no fuel, and ours does.
            store.set_fuel(fuel).map_err(|e| WitnessError::InvalidWasm(Box::new(e)))?;
        }
        let exports = match linker.instantiate_and_start(&mut store, module) {
            Ok(exports) => exports,
            Err(e) => return Err(explain(e, &mut store, &limits)),
        };
        let read = function(&store, &exports, "readSharedRWMemory")?;
        let write = function(&store, &exports, "writeSharedRWMemory")?;
        let mut this = Self { store, exports, limits, words: 0, window: None, read, write };
        let words: i32 = this.call("getFieldNumLen32", ())?;
        this.words = words.cast_unsigned();
        if this.words == 0 || this.words > MAX_WORDS {
            let found = u64::from(this.words);
            return Err(WitnessError::Impossible { what: "the number of 32-bit words of its prime", found });
        }
        Ok(this)
    }

    /// Calls an export by its name.
    pub(crate) fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &'static str,
        params: P,
    ) -> Result<R, WitnessError> {
        let function = function(&self.store, &self.exports, name)?;
        self.call_function(&function, params)
    }

    /// Calls an export that was looked up before.
    pub(crate) fn call_function<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        params: P,
    ) -> Result<R, WitnessError> {
        function.call(&mut self.store, params).map_err(|e| explain(e, &mut self.store, &self.limits))
    }

    /// An export by its name.
    pub(crate) fn function<P: WasmParams, R: WasmResults>(
        &self,
        name: &'static str,
    ) -> Result<TypedFunc<P, R>, WitnessError> {
        function(&self.store, &self.exports, name)
    }

    /// Whether there is an export of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.exports.get_export(&self.store, name).is_some()
    }

    /// `true` for calculators whose lines of `log` end by a message of their own.
    pub(crate) fn set_lines_end(&mut self, lines_end: bool) {
        self.store.data_mut().lines_end = lines_end;
    }

    /// Lets out what was logged without an end of line.
    pub(crate) fn flush(&mut self) {
        self.store.data_mut().flush();
    }

    /// 64-bit limbs of a field element.
    pub(crate) fn limbs(&self) -> usize {
        usize::try_from(self.words.div_ceil(2)).unwrap_or(usize::MAX)
    }

    /// Bytes of memory the calculator has, as exported; the limit where it exports none.
    pub(crate) fn memory_bytes(&self) -> u64 {
        match self.exports.get_memory(&self.store, "memory") {
            Some(memory) => u64::try_from(memory.data_size(&self.store)).unwrap_or(u64::MAX),
            None => self.limits.memory_bytes,
        }
    }

    /// Bytes of a field element.
    pub(crate) fn element_bytes(&self) -> u64 {
        u64::from(self.words).saturating_mul(4)
    }

    /// Reads the prime, and finds out whether shared memory can be reached directly: the exported memory must say,
    /// at the exported address, what the calculator's own function says.
    pub(crate) fn prime(&mut self) -> Result<Vec<u64>, WitnessError> {
        let () = self.call("getRawPrime", ())?;
        let mut by_calls = vec![0; self.limbs()];
        self.read_by_calls(&mut by_calls)?;
        self.window = self.find_window()?;
        let mut by_window = vec![0; self.limbs()];
        if self.window.is_some() && self.read_window(&mut by_window).is_none_or(|()| by_window != by_calls) {
            self.window = None;
        }
        Ok(by_calls)
    }

    fn find_window(&mut self) -> Result<Option<(Memory, usize)>, WitnessError> {
        let Some(memory) = self.exports.get_memory(&self.store, "memory") else { return Ok(None) };
        let Ok(start) = self.function::<(), i32>("getSharedRWMemoryStart") else { return Ok(None) };
        let start = self.call_function(&start, ())?.cast_unsigned();
        Ok(usize::try_from(start).ok().map(|start| (memory, start)))
    }

    /// Reads the element in shared memory into little-endian limbs.
    pub(crate) fn read_shared(&mut self, limbs: &mut [u64]) -> Result<(), WitnessError> {
        if self.window.is_some() && self.read_window(limbs).is_some() {
            return Ok(());
        }
        self.read_by_calls(limbs)
    }

    fn read_window(&self, limbs: &mut [u64]) -> Option<()> {
        let (memory, start) = self.window?;
        let bytes = memory.data(&self.store).get(start..)?;
        let bytes = bytes.get(..usize::try_from(self.element_bytes()).ok()?)?;
        for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks(8)) {
            *limb = chunk.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        }
        Some(())
    }

    fn read_by_calls(&mut self, limbs: &mut [u64]) -> Result<(), WitnessError> {
        let read = self.read;
        let mut next = 0..self.words;
        for limb in limbs {
            *limb = 0;
            for (j, shift) in next.by_ref().take(2).zip([0, 32]) {
                let word = self.call_function(&read, j.cast_signed())?;
                *limb |= u64::from(word.cast_unsigned()) << shift;
            }
        }
        Ok(())
    }

    /// Writes little-endian limbs as the element in shared memory.
    pub(crate) fn write_shared(&mut self, limbs: &[u64]) -> Result<(), WitnessError> {
        let words = limbs.iter().flat_map(|&limb| [limb & 0xffff_ffff, limb >> 32]);
        let words = words.map(|word| u32::try_from(word).unwrap_or(u32::MAX)).zip(0..self.words);
        if let Some((memory, start)) = self.window {
            let bytes = memory.data_mut(&mut self.store).get_mut(start..).unwrap_or_default();
            for ((word, _), chunk) in words.zip(bytes.chunks_exact_mut(4)) {
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            return Ok(());
        }
        let write = self.write;
        for (word, j) in words {
            self.call_function(&write, (j.cast_signed(), word.cast_signed()))?;
        }
        Ok(())
    }
}

fn function<P: WasmParams, R: WasmResults>(
    store: &Store<Host>,
    exports: &wasmi::Instance,
    name: &'static str,
) -> Result<TypedFunc<P, R>, WitnessError> {
    exports.get_typed_func(store, name).map_err(|_| WitnessError::Export(name))
}

/// Turns the interpreter's error into ours.
fn explain(e: wasmi::Error, store: &mut Store<Host>, limits: &Limits) -> WitnessError {
    let host = store.data_mut();
    host.flush();
    let trace = core::mem::take(&mut host.trace);
    if let Some(&Raised(what)) = e.downcast_ref() {
        return match what {
            Exception::AssertFailed => WitnessError::Assert(trace),
            what => WitnessError::Exception { what, trace },
        };
    }
    if let Some(wanted) = host.guard.denied {
        return WitnessError::Memory { wanted, limit: limits.memory_bytes };
    }
    match (e.as_trap_code(), limits.fuel, host.guard.failed) {
        (Some(TrapCode::OutOfFuel), Some(fuel), _) => WitnessError::Fuel(fuel),
        (Some(TrapCode::GrowthOperationLimited | TrapCode::OutOfSystemMemory), _, Some(wanted)) => {
            WitnessError::MachineMemory(wanted)
        }
        _ => WitnessError::Trap { why: Box::new(e), trace },
    }
}
