//! The interface that the engines share: calls of a module's functions, and access to its memory.

use crate::host::Host;
use crate::{Exception, Limits, WitnessError};
use core::fmt;

/// Parameters that both engines can pass.
pub(crate) trait Params: wasmi::WasmParams + wasmtime::WasmParams {}
impl<T: wasmi::WasmParams + wasmtime::WasmParams> Params for T {}

/// Results that both engines can return.
pub(crate) trait Results: wasmi::WasmResults + wasmtime::WasmResults {}
impl<T: wasmi::WasmResults + wasmtime::WasmResults> Results for T {}

/// An instance whose functions can be called, from outside or by a host function that the instance has called.
pub(crate) trait Callable {
    /// The engine's error.
    type Error;
    /// A function whose type has been checked.
    type Function<P: Params, R: Results>: Clone;

    /// Looks up an export; `None` unless it is a function of this type.
    fn function<P: Params, R: Results>(&mut self, name: &str) -> Option<Self::Function<P, R>>;

    /// Calls a function.
    fn call<P: Params, R: Results>(
        &mut self,
        function: &Self::Function<P, R>,
        params: P,
    ) -> Result<R, Self::Error>;

    /// The host's state of this run.
    fn host(&mut self) -> &mut Host;

    /// The engine's error for an instance that the host stops.
    fn stop(why: Stop) -> Self::Error;
}

/// An instance of a module.
pub(crate) trait Machine: Callable {
    /// A linear memory.
    type Memory: Copy;

    /// Whether there is an export of this name.
    fn has(&mut self, name: &str) -> bool;

    /// The exported linear memory of this name.
    fn memory(&mut self, name: &str) -> Option<Self::Memory>;

    /// All bytes of a memory.
    fn bytes(&self, memory: Self::Memory) -> &[u8];

    /// All bytes of a memory, for writing.
    fn bytes_mut(&mut self, memory: Self::Memory) -> &mut [u8];

    /// Classifies the engine's error.
    fn fault(error: Self::Error) -> Fault;
}

/// Why the host stops an instance.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The calculator raised an exception.
    Raised(Exception),
    /// The calculator misused its callbacks.
    Misuse(&'static str),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raised(exception) => exception.fmt(f),
            Self::Misuse(how) => f.write_str(how),
        }
    }
}

impl std::error::Error for Stop {}

impl wasmi::errors::HostError for Stop {}

/// A classified error of an engine.
pub(crate) enum Fault {
    /// The calculator raised an exception.
    Raised(Exception),
    /// The fuel is used up.
    OutOfFuel,
    /// The operating system did not provide memory.
    NoMemory,
    /// Any other error, which is a crash.
    Crash(Box<dyn std::error::Error + Send + Sync>),
}

/// Converts the reason why a run ended to a [`WitnessError`], and passes an unfinished line of `log` on.
pub(crate) fn explain(fault: Fault, host: &mut Host, limits: &Limits) -> WitnessError {
    host.flush();
    let trace = core::mem::take(&mut host.trace);
    if let Fault::Raised(what) = fault {
        return match what {
            Exception::AssertFailed => WitnessError::Assert(trace),
            what => WitnessError::Exception { what, trace },
        };
    }
    if let Some(wanted) = host.guard.denied {
        return WitnessError::Memory { wanted, limit: limits.memory_bytes };
    }
    let wanted = host.guard.failed.unwrap_or(0);
    match (fault, limits.fuel) {
        (Fault::OutOfFuel, Some(fuel)) => WitnessError::Fuel(fuel),
        (Fault::NoMemory, _) => WitnessError::MachineMemory(wanted),
        (Fault::Crash(_), _) if host.guard.refused => WitnessError::MachineMemory(wanted),
        (Fault::Crash(why), _) => WitnessError::Trap { why, trace },
        (Fault::OutOfFuel | Fault::Raised(_), _) => {
            WitnessError::Trap { why: Box::new(Stop::Misuse("out of fuel")), trace }
        }
    }
}

/// Defines the code that the engines share, for engine types of the names that it uses: the imported functions, an instance,
/// and its calls. `$stopped` makes the engine's error from a [`Stop`]; a function `sorted` classifies other errors.
macro_rules! engine {
    ($stopped:path) => {
        /// Links the four functions that calculators import.
        fn link(linker: &mut Linker<Host>) -> Result<(), Error> {
            linker.func_wrap(host::MODULE, "exceptionHandler", |code: i32| -> Result<(), Error> {
                Err($stopped(Stop::Raised(code.into())))
            })?;
            linker.func_wrap(
                host::MODULE,
                "printErrorMessage",
                |mut caller: Caller<'_, Host>| -> Result<(), Error> { callbacks::error_message(&mut caller) },
            )?;
            linker.func_wrap(
                host::MODULE,
                "writeBufferMessage",
                |mut caller: Caller<'_, Host>| -> Result<(), Error> { callbacks::log_message(&mut caller) },
            )?;
            linker.func_wrap(
                host::MODULE,
                "showSharedRWMemory",
                |mut caller: Caller<'_, Host>| -> Result<(), Error> { callbacks::log_number(&mut caller) },
            )?;
            Ok(())
        }

        impl Callable for Caller<'_, Host> {
            type Error = Error;
            type Function<P: Params, R: Results> = TypedFunc<P, R>;

            fn function<P: Params, R: Results>(&mut self, name: &str) -> Option<TypedFunc<P, R>> {
                self.get_export(name)?.into_func()?.typed(&*self).ok()
            }

            fn call<P: Params, R: Results>(
                &mut self,
                function: &TypedFunc<P, R>,
                params: P,
            ) -> Result<R, Error> {
                function.call(self, params)
            }

            fn host(&mut self) -> &mut Host {
                self.data_mut()
            }

            fn stop(why: Stop) -> Error {
                $stopped(why)
            }
        }

        /// An instance with its store.
        pub(crate) struct Running {
            store: Store<Host>,
            exports: Instance,
        }

        impl Callable for Running {
            type Error = Error;
            type Function<P: Params, R: Results> = TypedFunc<P, R>;

            fn function<P: Params, R: Results>(&mut self, name: &str) -> Option<TypedFunc<P, R>> {
                self.exports.get_typed_func(&mut self.store, name).ok()
            }

            fn call<P: Params, R: Results>(
                &mut self,
                function: &TypedFunc<P, R>,
                params: P,
            ) -> Result<R, Error> {
                function.call(&mut self.store, params)
            }

            fn host(&mut self) -> &mut Host {
                self.store.data_mut()
            }

            fn stop(why: Stop) -> Error {
                $stopped(why)
            }
        }

        impl Machine for Running {
            type Memory = Memory;

            fn has(&mut self, name: &str) -> bool {
                self.exports.get_export(&mut self.store, name).is_some()
            }

            fn memory(&mut self, name: &str) -> Option<Memory> {
                self.exports.get_memory(&mut self.store, name)
            }

            fn bytes(&self, memory: Memory) -> &[u8] {
                memory.data(&self.store)
            }

            fn bytes_mut(&mut self, memory: Memory) -> &mut [u8] {
                memory.data_mut(&mut self.store)
            }

            fn fault(error: Error) -> Fault {
                if let Some(&Stop::Raised(exception)) = error.downcast_ref() {
                    return Fault::Raised(exception);
                }
                sorted(error)
            }
        }
    };
}
pub(crate) use engine;

/// The part of a guard that bounds tables, instances and memories.
macro_rules! counts {
    ($error:ty) => {
        fn table_growing(
            &mut self,
            _current: usize,
            desired: usize,
            _maximum: Option<usize>,
        ) -> Result<bool, $error> {
            Ok(self.allows_table(desired))
        }

        fn instances(&self) -> usize {
            1
        }

        fn tables(&self) -> usize {
            1
        }

        fn memories(&self) -> usize {
            1
        }
    };
}
pub(crate) use counts;
