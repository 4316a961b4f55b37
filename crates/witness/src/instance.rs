//! One run of a calculator: calls of its exports, and access to its shared memory.

use crate::host::MAX_WORDS;
use crate::machine::{self, Machine, Params, Results};
use crate::{Limits, WitnessError};
use zeroize::Zeroize;

/// Page size of the operating system in bytes; a page that was never written takes no memory.
const PAGE: usize = 4096;

/// A running calculator. Its memory is wiped at the end if a value was written to it.
pub(crate) struct Instance<M: Machine> {
    machine: M,
    limits: Limits,
    /// Number of 32-bit words of a field element.
    words: u32,
    /// Memory and offset of the shared buffer for a field element, if the memory can be accessed directly.
    window: Option<(M::Memory, usize)>,
    /// Whether a value was written to the memory.
    given: bool,
    read: M::Function<i32, i32>,
    write: M::Function<(i32, i32), ()>,
}

impl<M: Machine> Instance<M> {
    /// Looks up the exports that every run needs.
    pub(crate) fn new(mut machine: M, limits: Limits) -> Result<Self, WitnessError> {
        let read = function(&mut machine, "readSharedRWMemory")?;
        let write = function(&mut machine, "writeSharedRWMemory")?;
        let mut this = Self { machine, limits, words: 0, window: None, given: false, read, write };
        let words: i32 = this.call("getFieldNumLen32", ())?;
        this.words = words.cast_unsigned();
        if this.words == 0 || this.words > MAX_WORDS {
            let found = u64::from(this.words);
            return Err(WitnessError::Impossible { what: "the number of 32-bit words of its prime", found });
        }
        Ok(this)
    }

    /// Calls an export by its name.
    pub(crate) fn call<P: Params, R: Results>(
        &mut self,
        name: &'static str,
        params: P,
    ) -> Result<R, WitnessError> {
        let function = self.function(name)?;
        self.call_function(&function, params)
    }

    /// Calls an export that was looked up with [`Self::function`].
    pub(crate) fn call_function<P: Params, R: Results>(
        &mut self,
        function: &M::Function<P, R>,
        params: P,
    ) -> Result<R, WitnessError> {
        let result = self.machine.call(function, params);
        result.map_err(|e| machine::explain(M::fault(e), self.machine.host(), &self.limits))
    }

    /// Looks up an export by its name.
    pub(crate) fn function<P: Params, R: Results>(
        &mut self,
        name: &'static str,
    ) -> Result<M::Function<P, R>, WitnessError> {
        function(&mut self.machine, name)
    }

    /// Whether there is an export of this name.
    pub(crate) fn has(&mut self, name: &str) -> bool {
        self.machine.has(name)
    }

    /// Sets whether the calculator ends a line of `log` with a message of its own.
    pub(crate) fn set_lines_end(&mut self, lines_end: bool) {
        self.machine.host().lines_end = lines_end;
    }

    /// Passes an unfinished line of `log` on.
    pub(crate) fn flush(&mut self) {
        self.machine.host().flush();
    }

    /// Number of 64-bit limbs of a field element.
    pub(crate) fn limbs(&self) -> usize {
        usize::try_from(self.words.div_ceil(2)).unwrap_or(usize::MAX)
    }

    /// Size in bytes of the calculator's exported memory; the limit if it exports none.
    pub(crate) fn memory_bytes(&mut self) -> u64 {
        match self.machine.memory("memory") {
            Some(memory) => u64::try_from(self.machine.bytes(memory).len()).unwrap_or(u64::MAX),
            None => self.limits.memory_bytes,
        }
    }

    /// Size of a field element in bytes.
    pub(crate) fn element_bytes(&self) -> u64 {
        u64::from(self.words).saturating_mul(4)
    }

    /// Reads the prime, and determines whether the shared memory can be accessed directly: the exported memory must have the
    /// same contents, at the exported address, as the calculator's own access function returns.
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

    fn find_window(&mut self) -> Result<Option<(M::Memory, usize)>, WitnessError> {
        let Some(memory) = self.machine.memory("memory") else { return Ok(None) };
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
        let bytes = self.machine.bytes(memory).get(start..)?;
        let bytes = bytes.get(..usize::try_from(self.element_bytes()).ok()?)?;
        for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks(8)) {
            *limb = chunk.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        }
        Some(())
    }

    fn read_by_calls(&mut self, limbs: &mut [u64]) -> Result<(), WitnessError> {
        let read = self.read.clone();
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
        self.given = true;
        let words = limbs.iter().flat_map(|&limb| [limb & 0xffff_ffff, limb >> 32]);
        let words = words.map(|word| u32::try_from(word).unwrap_or(u32::MAX)).zip(0..self.words);
        if let Some((memory, start)) = self.window {
            let bytes = self.machine.bytes_mut(memory).get_mut(start..).unwrap_or_default();
            for ((word, _), chunk) in words.zip(bytes.chunks_exact_mut(4)) {
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            return Ok(());
        }
        let write = self.write.clone();
        for (word, j) in words {
            self.call_function(&write, (j.cast_signed(), word.cast_signed()))?;
        }
        Ok(())
    }
}

impl<M: Machine> Drop for Instance<M> {
    fn drop(&mut self) {
        let Some(memory) = self.machine.memory("memory").filter(|_| self.given) else { return };
        for page in self.machine.bytes_mut(memory).chunks_mut(PAGE) {
            if page.iter().any(|&byte| byte != 0) {
                page.zeroize();
            }
        }
    }
}

fn function<M: Machine, P: Params, R: Results>(
    machine: &mut M,
    name: &'static str,
) -> Result<M::Function<P, R>, WitnessError> {
    machine.function(name).ok_or(WitnessError::Export(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;
    use crate::machine::{Callable, Fault};
    use crate::{compiled, interpreted};
    use std::cell::Cell;
    use std::rc::Rc;

    /// A machine that reports, when it is dropped, how many bytes of its memory are not zero.
    struct Watched<M: Machine> {
        machine: M,
        left: Rc<Cell<Option<usize>>>,
    }

    impl<M: Machine> Callable for Watched<M> {
        type Error = M::Error;
        type Function<P: Params, R: Results> = M::Function<P, R>;
        fn function<P: Params, R: Results>(&mut self, name: &str) -> Option<Self::Function<P, R>> {
            self.machine.function(name)
        }
        fn call<P: Params, R: Results>(
            &mut self,
            function: &Self::Function<P, R>,
            params: P,
        ) -> Result<R, Self::Error> {
            self.machine.call(function, params)
        }
        fn host(&mut self) -> &mut Host {
            self.machine.host()
        }
        fn stop(why: crate::machine::Stop) -> Self::Error {
            M::stop(why)
        }
    }

    impl<M: Machine> Machine for Watched<M> {
        type Memory = M::Memory;
        fn has(&mut self, name: &str) -> bool {
            self.machine.has(name)
        }
        fn memory(&mut self, name: &str) -> Option<M::Memory> {
            self.machine.memory(name)
        }
        fn bytes(&self, memory: M::Memory) -> &[u8] {
            self.machine.bytes(memory)
        }
        fn bytes_mut(&mut self, memory: M::Memory) -> &mut [u8] {
            self.machine.bytes_mut(memory)
        }
        fn fault(error: Self::Error) -> Fault {
            M::fault(error)
        }
    }

    impl<M: Machine> Drop for Watched<M> {
        fn drop(&mut self) {
            let memory = self.machine.memory("memory").unwrap();
            self.left.set(Some(self.machine.bytes(memory).iter().filter(|&&byte| byte != 0).count()));
        }
    }

    /// A module with the exports that an instance needs; its memory begins with 0x2a, and `keep` copies the shared element.
    const MODULE: &str = r#"(module
        (memory (export "memory") 3)
        (data (i32.const 70000) "\2a")
        (func (export "getVersion") (result i32) (i32.const 2))
        (func (export "getFieldNumLen32") (result i32) (i32.const 2))
        (func (export "getRawPrime") (i64.store (i32.const 64) (i64.const 13)))
        (func (export "getSharedRWMemoryStart") (result i32) (i32.const 64))
        (func (export "readSharedRWMemory") (param i32) (result i32)
            (i32.load (i32.add (i32.const 64) (i32.mul (local.get 0) (i32.const 4)))))
        (func (export "writeSharedRWMemory") (param i32 i32)
            (i32.store (i32.add (i32.const 64) (i32.mul (local.get 0) (i32.const 4))) (local.get 1)))
        (func (export "keep") (i64.store (i32.const 140000) (i64.load (i32.const 64)))))"#;

    /// The number of non-zero bytes left in memory after a run that was given a value, or was not.
    fn left<M: Machine>(machine: M, given: bool) -> usize {
        let left = Rc::new(Cell::new(None));
        let watched = Watched { machine, left: left.clone() };
        let mut instance = Instance::new(watched, Limits::default()).unwrap();
        assert_eq!(instance.prime().unwrap(), [13]);
        if given {
            instance.write_shared(&[0x0102_0304_0506_0708]).unwrap();
            let () = instance.call("keep", ()).unwrap();
        }
        drop(instance);
        left.get().unwrap()
    }

    #[test]
    fn memory_is_wiped_after_a_run() {
        let limits = Limits::default();
        let wasm = wat::parse_str(MODULE).unwrap();
        let interpreted = interpreted::Program::new(&wasm, &limits).unwrap();
        let module = crate::glance::ModuleSizes::of(&wasm);
        let compiler = compiled::Compiler::Cranelift;
        let compiled = compiled::Program::new(&wasm, false, &module, compiler, &limits).unwrap();
        for (given, want) in [(true, 0), (false, 2)] {
            assert_eq!(left(interpreted.start(&limits, Box::new(|_| {})).unwrap(), given), want);
            let of_compiled =
                crate::stack::with_deep_stack(|_| {}, |log| Ok(left(compiled.start(&limits, log)?, given)));
            assert_eq!(of_compiled.unwrap(), want);
        }
    }
}
