//! What lies behind the calls: memory, modules, events, and a clock of the host and one of each device.
//!
//! Times are made up, and always the same: a call of the host takes some microseconds, a kernel a nanosecond for every
//! instruction of its longest warp. So tests can see what a measurement includes.

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

/// Nanoseconds that a launch takes the host.
const LAUNCH_TIME: u64 = 4_000;
/// Nanoseconds that any other call on a stream takes the host.
const CALL_TIME: u64 = 500;

/// Shared memory that a block has without asking.
const WITHOUT_ASKING: usize = 48 << 10;

/// A device with what is on it.
pub(crate) struct Device {
    pub(crate) spec: &'static Spec,
    pub(crate) memory: Memory,
    /// Bytes of live buffers.
    used: usize,
    /// Bytes of buffers that were freed in the order of a stream: the pool gives them back when somebody waits.
    pooled: usize,
    /// The error of a kernel, which every later call returns.
    failed: Option<Code>,
    /// When the device has done all that was asked of it, in nanoseconds.
    free_at: u64,
}

/// A kernel that the program has a handle of.
struct Function {
    device: usize,
    module: Arc<Module>,
    kernel: usize,
    /// Shared memory that may be asked for at a launch.
    shared: usize,
}

/// All of it.
pub(crate) struct State {
    pub(crate) devices: Vec<Device>,
    modules: Vec<Option<(usize, Arc<Module>)>>,
    functions: Vec<Function>,
    /// Times at which events were reached.
    events: Vec<Option<u64>>,
    /// The host's clock in nanoseconds.
    now: u64,
}

impl State {
    pub(crate) fn new() -> Self {
        let device = |(number, spec): (usize, &'static Spec)| Device {
            spec,
            // No address is one of two devices.
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

    /// The device of a call, unless a kernel has failed on it.
    pub(crate) fn device(&mut self, number: usize) -> Result<&mut Device, Code> {
        self.now += CALL_TIME;
        let device = self.devices.get_mut(number).ok_or(INVALID_DEVICE)?;
        device.failed.map_or(Ok(device), Err)
    }

    /// Waits until a device has done everything.
    pub(crate) fn wait(&mut self, number: usize) -> Result<(), Code> {
        let device = self.device(number)?;
        device.pooled = 0;
        self.now = self.now.max(self.devices[number].free_at);
        Ok(())
    }

    /// Free and total memory.
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
        // The pool's bytes are taken again first.
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

    /// Bytes of device memory; all must have been written.
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

    /// Lets a kernel have more shared memory.
    pub(crate) fn allow_shared(&mut self, function: usize, bytes: usize) -> Result<(), Code> {
        let at = function.checked_sub(1).filter(|at| *at < self.functions.len()).ok_or(INVALID_HANDLE)?;
        let device = self.functions[at].device;
        if bytes > self.devices[device].spec.shared as usize {
            return Err(INVALID_VALUE);
        }
        self.functions[at].shared = bytes;
        Ok(())
    }

    /// Blocks of a kernel that a multiprocessor holds by its shared memory: two at most, so that tests which fill a device
    /// are short.
    pub(crate) fn occupancy(&self, function: usize, shared: usize) -> Result<i32, Code> {
        let function = function.checked_sub(1).and_then(|at| self.functions.get(at)).ok_or(INVALID_HANDLE)?;
        let spec = self.devices[function.device].spec;
        let block = shared + function.module.kernels[function.kernel].shared + 1024;
        let by_shared = spec.shared_per_multiprocessor / i32::try_from(block).unwrap_or(i32::MAX);
        Ok(by_shared.min(2))
    }

    /// The sizes of the parameters of a kernel, for whoever copies the arguments, with their offsets.
    pub(crate) fn parameters(&self, function: usize) -> Result<Vec<(usize, usize)>, Code> {
        let function = function.checked_sub(1).and_then(|at| self.functions.get(at)).ok_or(INVALID_HANDLE)?;
        let kernel = &function.module.kernels[function.kernel];
        Ok(kernel.parameters.iter().map(|parameter| (parameter.offset, parameter.size)).collect())
    }

    /// Runs a kernel at once; on the clock of the device it begins when all before it has ended.
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
                // A launch that is refused leaves the device as it was.
                device.failed = (code != INVALID_VALUE).then_some(code);
                // Like the driver, which reports faults of a kernel at the next call.
                if code == INVALID_VALUE { Err(code) } else { Ok(()) }
            }
        }
    }

    pub(crate) fn event(&mut self) -> usize {
        self.events.push(None);
        self.events.len()
    }

    /// Notes when a device will have reached the end of what it was given.
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

/// Says what a detector saw, where a test's harness does not keep it to itself.
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
