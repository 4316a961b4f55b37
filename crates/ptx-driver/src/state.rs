//! The state behind the calls: memory, modules, events, a clock of the host, and one of each device.
//!
//! Times are artificial and deterministic: a call of the host takes some microseconds or less, a kernel one nanosecond
//! for every instruction of its longest warp. So tests can check what a measurement includes.

use crate::devices::{DEVICES, Spec};
use pairwright_ptx::{Fault, FaultKind, Launch, Memory, Module, launch, parse};
use std::io::Write as _;
use std::sync::Arc;

/// A result code of the driver, as `CUresult` numbers them.
pub(crate) type Code = i32;

pub(crate) const INVALID_VALUE: Code = 1;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const STUB_LIBRARY: Code = 34;
pub(crate) const INVALID_DEVICE: Code = 101;
pub(crate) const INVALID_CONTEXT: Code = 201;
pub(crate) const NO_BINARY: Code = 209;
pub(crate) const INVALID_PTX: Code = 218;
pub(crate) const INVALID_HANDLE: Code = 400;
pub(crate) const NOT_FOUND: Code = 500;
const ILLEGAL_ADDRESS: Code = 700;
const MISALIGNED: Code = 716;
const LAUNCH_FAILED: Code = 719;

/// Nanoseconds of the host's clock for a launch.
const LAUNCH_TIME: u64 = 4_000;
/// Nanoseconds of the host's clock for any other call.
const CALL_TIME: u64 = 500;

/// Shared memory in bytes that a block may use without opt-in.
const WITHOUT_ASKING: usize = 48 << 10;

/// A device with its memory and its clock.
pub(crate) struct Device {
    pub(crate) spec: &'static Spec,
    pub(crate) memory: Memory,
    /// Bytes of live buffers.
    used: usize,
    /// Bytes of buffers that were freed in the order of a stream; the pool releases them at the next wait.
    pooled: usize,
    /// The error of a failed kernel, which every later call returns.
    failed: Option<Code>,
    /// The time at which the device has completed all work, in nanoseconds.
    free_at: u64,
}

/// A kernel that the program has obtained a handle of.
struct Function {
    device: usize,
    module: Arc<Module>,
    kernel: usize,
    /// Greatest shared memory of a launch in bytes.
    shared: usize,
}

/// The state of the driver.
pub(crate) struct State {
    pub(crate) devices: Vec<Device>,
    modules: Vec<Option<(usize, Arc<Module>)>>,
    functions: Vec<Function>,
    /// Times at which events are reached, in nanoseconds; `None` before they are recorded.
    events: Vec<Option<u64>>,
    /// The host's clock in nanoseconds.
    now: u64,
}

impl State {
    pub(crate) fn new() -> Self {
        let device = |(number, spec): (usize, &'static Spec)| Device {
            spec,
            // The address ranges of devices are disjoint.
            memory: Memory::at(0x7000_0000_0000 + ((number as u64) << 40)),
            used: 0,
            pooled: 0,
            failed: None,
            free_at: 0,
        };
        Self {
            devices: DEVICES.iter().enumerate().map(device).collect(),
            modules: Vec::new(),
            functions: Vec::new(),
            events: Vec::new(),
            now: 0,
        }
    }

    /// The device of a call, or the error of a kernel that has failed on it.
    pub(crate) fn device(&mut self, number: usize) -> Result<&mut Device, Code> {
        self.now += CALL_TIME;
        let device = self.devices.get_mut(number).ok_or(INVALID_DEVICE)?;
        device.failed.map_or(Ok(device), Err)
    }

    /// Waits until a device has completed all work.
    pub(crate) fn wait(&mut self, number: usize) -> Result<(), Code> {
        let device = self.device(number)?;
        device.pooled = 0;
        self.now = self.now.max(self.devices[number].free_at);
        Ok(())
    }

    /// Free and total memory in bytes.
    pub(crate) fn room(&mut self, number: usize) -> Result<(usize, usize), Code> {
        let device = self.device(number)?;
        let total = device.spec.memory;
        Ok((total.saturating_sub(device.used + device.pooled), total))
    }

    pub(crate) fn allocate(&mut self, number: usize, bytes: usize) -> Result<u64, Code> {
        let device = self.device(number)?;
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        // Bytes in the pool are reused.
        if bytes > device.spec.memory - device.used {
            return Err(OUT_OF_MEMORY);
        }
        device.used += bytes;
        device.pooled = device.pooled.min(device.spec.memory - device.used);
        Ok(device.memory.allocate(bytes))
    }

    /// Frees a buffer, in the order of a stream or at once.
    pub(crate) fn free(&mut self, number: usize, address: u64, ordered: bool) -> Result<(), Code> {
        let device = self.device(number)?;
        let bytes = device.memory.free(address).ok_or(INVALID_VALUE)?;
        device.used -= bytes;
        if ordered {
            device.pooled += bytes;
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, number: usize, address: u64, bytes: &[u8]) -> Result<(), Code> {
        let (region, at) =
            self.device(number)?.memory.find(address, bytes.len()).map_err(|_| INVALID_VALUE)?;
        region.write(at, bytes);
        Ok(())
    }

    /// Reads bytes of device memory, all of which must have been written.
    pub(crate) fn read(&mut self, number: usize, address: u64, bytes: usize) -> Result<&[u8], Code> {
        let (region, at) = self.device(number)?.memory.find(address, bytes).map_err(|_| INVALID_VALUE)?;
        region.read(at, bytes).map_err(|at| {
            say(&format!("a copy reads byte {at} of a buffer, which nothing has written"));
            LAUNCH_FAILED
        })
    }

    pub(crate) fn load(&mut self, number: usize, image: &str) -> Result<usize, Code> {
        let capability = self.device(number)?.spec.capability;
        let module = parse(image).map_err(|error| {
            say(&format!("a text is refused: {error}"));
            INVALID_PTX
        })?;
        if module.target as i32 > capability {
            return Err(NO_BINARY);
        }
        self.modules.push(Some((number, Arc::new(module))));
        Ok(self.modules.len())
    }

    pub(crate) fn unload(&mut self, module: usize) -> Result<(), Code> {
        let place = module.checked_sub(1).and_then(|at| self.modules.get_mut(at)).ok_or(INVALID_HANDLE)?;
        place.take().map(drop).ok_or(INVALID_HANDLE)
    }

    pub(crate) fn function(&mut self, module: usize, name: &str) -> Result<usize, Code> {
        let place = module.checked_sub(1).and_then(|at| self.modules.get(at)).ok_or(INVALID_HANDLE)?;
        let (device, module) = place.clone().ok_or(INVALID_HANDLE)?;
        let kernel = module.kernels.iter().position(|kernel| kernel.name == name).ok_or(NOT_FOUND)?;
        self.functions.push(Function { device, module, kernel, shared: WITHOUT_ASKING });
        Ok(self.functions.len())
    }

    /// Sets the greatest shared memory of a kernel's launches.
    pub(crate) fn allow_shared(&mut self, function: usize, bytes: usize) -> Result<(), Code> {
        let at = function.checked_sub(1).filter(|at| *at < self.functions.len()).ok_or(INVALID_HANDLE)?;
        let device = self.functions[at].device;
        if bytes > self.devices[device].spec.shared as usize {
            return Err(INVALID_VALUE);
        }
        self.functions[at].shared = bytes;
        Ok(())
    }

    /// The number of blocks of a kernel that a multiprocessor holds by its shared memory, at most two, so that tests
    /// that fill a device are short.
    pub(crate) fn occupancy(&self, function: usize, shared: usize) -> Result<i32, Code> {
        let function = function.checked_sub(1).and_then(|at| self.functions.get(at)).ok_or(INVALID_HANDLE)?;
        let spec = self.devices[function.device].spec;
        let block = shared + function.module.kernels[function.kernel].shared + 1024;
        let by_shared = spec.shared_per_multiprocessor / i32::try_from(block).unwrap_or(i32::MAX);
        Ok(by_shared.min(2))
    }

    /// The offset and the size of each parameter of a kernel in bytes.
    pub(crate) fn parameters(&self, function: usize) -> Result<Vec<(usize, usize)>, Code> {
        let function = function.checked_sub(1).and_then(|at| self.functions.get(at)).ok_or(INVALID_HANDLE)?;
        let kernel = &function.module.kernels[function.kernel];
        Ok(kernel.parameters.iter().map(|parameter| (parameter.offset, parameter.size)).collect())
    }

    /// Runs a kernel at once; on the device's clock it starts when all earlier work has ended.
    pub(crate) fn launch(&mut self, number: usize, function: usize, shape: &Launch) -> Result<(), Code> {
        self.device(number)?;
        self.now += LAUNCH_TIME;
        let function = function.checked_sub(1).and_then(|at| self.functions.get(at)).ok_or(INVALID_HANDLE)?;
        if function.device != number {
            return Err(INVALID_HANDLE);
        }
        let kernel = &function.module.kernels[function.kernel];
        let device = &mut self.devices[number];
        if kernel.shared + shape.shared > function.shared {
            return Err(INVALID_VALUE);
        }
        if kernel.cluster.is_some() && device.spec.capability < 90 {
            return Err(INVALID_VALUE);
        }
        match launch(kernel, shape, &mut device.memory) {
            Ok(counters) => {
                log(&format!("{} on {}: {:?} {:?}", kernel.name, device.spec.name, shape.grid, counters));
                device.free_at = device.free_at.max(self.now) + counters.longest_warp;
                Ok(())
            }
            Err(fault) => {
                say(&fault.to_string());
                let code = code(&fault);
                // A launch that is refused does not change the state of the device.
                device.failed = (code != INVALID_VALUE).then_some(code);
                // As in the driver, faults of a kernel are reported at the next call.
                if code == INVALID_VALUE { Err(code) } else { Ok(()) }
            }
        }
    }

    pub(crate) fn event(&mut self) -> usize {
        self.events.push(None);
        self.events.len()
    }

    /// Records the time at which the device will have completed the work so far.
    pub(crate) fn record(&mut self, number: usize, event: usize) -> Result<(), Code> {
        let reached = self.device(number)?.free_at;
        let now = self.now;
        let place = event.checked_sub(1).and_then(|at| self.events.get_mut(at)).ok_or(INVALID_HANDLE)?;
        *place = Some(reached.max(now));
        Ok(())
    }

    /// Milliseconds between two events that were recorded.
    pub(crate) fn elapsed(&self, start: usize, end: usize) -> Result<f32, Code> {
        let time = |event: usize| {
            let event = event.checked_sub(1).and_then(|at| self.events.get(at)).ok_or(INVALID_HANDLE)?;
            event.ok_or(INVALID_HANDLE)
        };
        Ok(((time(end)? as f64 - time(start)? as f64) / 1e6) as f32)
    }
}

fn code(fault: &Fault) -> Code {
    match fault.kind {
        FaultKind::OutOfBounds { .. } => ILLEGAL_ADDRESS,
        FaultKind::Misaligned { .. } => MISALIGNED,
        FaultKind::Launch { .. } => INVALID_VALUE,
        _ => LAUNCH_FAILED,
    }
}

/// Prints a detected fault on standard error, bypassing the capture of test harnesses.
fn say(line: &str) {
    // A failure to write to standard error is ignored.
    let _ = std::io::stderr().write_all(format!("stand-in for the driver: {line}\n").as_bytes());
}

/// Appends a line to the file that `PAIRWRIGHT_PTX_LOG` names.
pub(crate) fn log(line: &str) {
    let Some(path) = std::env::var_os("PAIRWRIGHT_PTX_LOG") else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}
