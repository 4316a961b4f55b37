//! One run of a calculator: its instance, its exports, its shared memory.

use crate::host::MAX_WORDS;
use crate::machine::{self, Machine, Params, Results};
use crate::{Limits, WitnessError};

/// A calculator in the midst of its work.
pub(crate) struct Instance<M: Machine> {
    machine: M,
    limits: Limits,
    /// 32-bit words of a field element.
    words: u32,
    /// Memory and offset of the buffer for field elements, if the memory can be reached directly.
    window: Option<(M::Memory, usize)>,
    read: M::Function<i32, i32>,
    write: M::Function<(i32, i32), ()>,
}

impl<M: Machine> Instance<M> {
    /// Looks up what every run needs.
    pub(crate) fn new(mut machine: M, limits: Limits) -> Result<Self, WitnessError> {
        let read = function(&mut machine, "readSharedRWMemory")?;
        let write = function(&mut machine, "writeSharedRWMemory")?;
        let mut this = Self { machine, limits, words: 0, window: None, read, write };
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

    /// Calls an export that was looked up before.
    pub(crate) fn call_function<P: Params, R: Results>(
        &mut self,
        function: &M::Function<P, R>,
        params: P,
    ) -> Result<R, WitnessError> {
        let result = self.machine.call(function, params);
        result.map_err(|e| machine::explain(M::fault(e), self.machine.host(), &self.limits))
    }

    /// An export by its name.
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

    /// `true` for calculators whose lines of `log` end by a message of their own.
    pub(crate) fn set_lines_end(&mut self, lines_end: bool) {
        self.machine.host().lines_end = lines_end;
    }

    /// Lets out what was logged without an end of line.
    pub(crate) fn flush(&mut self) {
        self.machine.host().flush();
    }

    /// 64-bit limbs of a field element.
    pub(crate) fn limbs(&self) -> usize {
        usize::try_from(self.words.div_ceil(2)).unwrap_or(usize::MAX)
    }

    /// Bytes of memory the calculator has, as exported; the limit where it exports none.
    pub(crate) fn memory_bytes(&mut self) -> u64 {
        match self.machine.memory("memory") {
            Some(memory) => u64::try_from(self.machine.bytes(memory).len()).unwrap_or(u64::MAX),
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

fn function<M: Machine, P: Params, R: Results>(
    machine: &mut M,
    name: &'static str,
) -> Result<M::Function<P, R>, WitnessError> {
    machine.function(name).ok_or(WitnessError::Export(name))
}
