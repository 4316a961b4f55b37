//! The objects that the operators of a field share: device, compiler, cache, tuning, constants.

use crate::cache::Cache;
use crate::device::Gpu;
use crate::elements::{unpack, words_in, words_of};
use crate::error::GpuError;
use crate::family::{Family, FieldTuning, KernelTarget, modulus_of};
use crate::launch::{Arg, Kernel, Module, Shape};
use crate::memory::{Need, Words};
use crate::nvrtc::{Arch, Compiled, Nvrtc, Options};
use crate::spare::Spares;
use crate::table::Table;
use crate::tables::{TableKey, Tables};
use pairwright_device::{Cost, DeviceError, MachineLog, OpCount, Traffic, Transfer, once};
use pairwright_field::PrimeField;
use pairwright_moma::program::blas::BlasTuning;
use pairwright_moma::program::ntt::Tuning;
use pairwright_moma::program::print::Dialect;
use pairwright_moma::program::{ArrayKernel, Element, Role};
use pairwright_poly::{Buf, Memory, SourceError, View};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A device with its compiler, the cache of compiled kernels, and the table of tuned shapes.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The device in use.
    pub gpu: Gpu,
    /// The compiler for kernels.
    pub compiler: Compiler,
    /// The tuned shapes of kernels.
    pub table: Arc<Table>,
    /// Greatest number of multiples per base of a multi-scalar multiplication, computed at the first use of a buffer: 0
    /// and 1 mean none. `None` leaves number and time to the device: see [`crate::PRECOMPUTE_VARIABLE`].
    pub precompute: Option<u32>,
    /// Number of times that a multi-scalar multiplication halves its list of points, with affine sums that share an
    /// inversion, where there is memory for it: at most 8. `None` chooses it by the count of work on CUDA, and means none on
    /// OpenCL: see [`crate::HALVINGS_VARIABLE`].
    pub halvings: Option<u32>,
    /// The kernel that keeps the device busy while the host launches the work that is timed.
    busy: Arc<OnceLock<Kernel>>,
    /// A lock held by the thread whose work on the device is timed.
    turns: Arc<Mutex<()>>,
}

/// The compiler of kernels.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// NVRTC, the compiler of CUDA.
    Nvrtc {
        /// The loaded compiler.
        nvrtc: Arc<Nvrtc>,
        /// The cache of the kernels that it has compiled.
        cache: Cache,
    },
    /// The device's OpenCL driver, which has its own cache.
    OpenCl,
}

/// The environment variable with the greatest number of multiples per base of multi-scalar multiplications, computed at
/// the first use of a buffer; 0 disables them. If it is not set, multiples are computed after some tens of uses, if
/// half of the device's memory stays free.
pub const PRECOMPUTE_VARIABLE: &str = "PAIRWRIGHT_GPU_PRECOMPUTE";

/// The environment variable with the number of halvings of multi-scalar multiplications; 0 disables them. If it is not set,
/// a sum on a CUDA device has as many as the count of its work favours, and one on an OpenCL device has none.
pub const HALVINGS_VARIABLE: &str = "PAIRWRIGHT_GPU_HALVINGS";

/// The number in an environment variable, if it is set.
fn number(variable: &'static str) -> Result<Option<u32>, GpuError> {
    let Some(text) = std::env::var_os(variable).filter(|text| !text.is_empty()) else { return Ok(None) };
    let text = text.to_string_lossy().into_owned();
    text.parse().map(Some).map_err(|_| GpuError::NoNumber { variable, text })
}

/// The kernel `busy(nanoseconds)`: one thread reads the clock until the time is over.
pub(crate) const BUSY: &str = r#"
extern "C" __global__ void busy(unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - start < nanoseconds);
}
"#;

/// The time for which the device is kept busy: launches take some microseconds each, and timed work has at most three.
const HEAD_START: Duration = Duration::from_micros(200);

impl Setup {
    /// Opens the device with this number, with the compiler that is found, the user's cache, and the built-in table for
    /// the device.
    ///
    /// # Errors
    /// Those of [`Gpu::open`] and [`Nvrtc::load`].
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let gpu = Gpu::open(ordinal)?;
        let table = Arc::new(Table::built_in(gpu.facts().arch()));
        let compiler = Compiler::Nvrtc { nvrtc: Arc::new(Nvrtc::load()?), cache: Cache::of_user() };
        let (precompute, halvings) = (number(PRECOMPUTE_VARIABLE)?, number(HALVINGS_VARIABLE)?);
        Ok(Self { gpu, compiler, table, precompute, halvings, busy: Arc::default(), turns: Arc::default() })
    }

    /// Opens the OpenCL device with this number, in the order of [`crate::opencl::devices`], and limits its memory to
    /// `most` bytes. Its shapes are the defaults: no table has shapes for OpenCL.
    ///
    /// # Errors
    /// Those of [`Gpu::open_opencl`].
    pub fn open_opencl(ordinal: usize, most: Option<u64>) -> Result<Self, GpuError> {
        let gpu = Gpu::open_opencl(ordinal, most)?;
        Ok(Self {
            gpu,
            compiler: Compiler::OpenCl,
            table: Arc::default(),
            precompute: number(PRECOMPUTE_VARIABLE)?,
            halvings: number(HALVINGS_VARIABLE)?,
            busy: Arc::default(),
            turns: Arc::default(),
        })
    }

    /// The same with another setting for precomputed multiples.
    #[must_use]
    pub fn with_precompute(self, precompute: Option<u32>) -> Self {
        Self { precompute, ..self }
    }

    /// The same with another setting for halvings.
    #[must_use]
    pub fn with_halvings(self, halvings: Option<u32>) -> Self {
        Self { halvings, ..self }
    }

    /// CUDA's compiler and its cache.
    ///
    /// # Errors
    /// [`GpuError::NotCuda`] for another device.
    pub fn nvrtc(&self) -> Result<(&Nvrtc, &Cache), GpuError> {
        match &self.compiler {
            Compiler::Nvrtc { nvrtc, cache } => Ok((nvrtc, cache)),
            Compiler::OpenCl => Err(GpuError::NotCuda),
        }
    }

    /// The language of the device's kernels.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.compiler {
            Compiler::Nvrtc { .. } => Dialect::Cuda,
            Compiler::OpenCl => Dialect::OpenCl,
        }
    }

    /// The field functions for a width.
    pub(crate) fn field_tuning(&self, bits: u32) -> FieldTuning {
        match self.dialect() {
            Dialect::Cuda => self.table.field(bits),
            Dialect::OpenCl => FieldTuning { target: KernelTarget::OpenCl32, karatsuba: 0 },
        }
    }

    /// Waits until no other thread's work on the device is timed; other threads wait while the guard lives.
    pub fn timing_lock(&self) -> MutexGuard<'_, ()> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs work that launches kernels, waits for it, and returns its result and the time of the kernels, by events on
    /// the device. A CUDA device is kept busy until the host has launched all of the work, so that the time excludes
    /// launch overhead.
    ///
    /// # Errors
    /// The errors of the work, and those of the compiler and the driver.
    pub fn timed<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<(T, Duration), GpuError> {
        if let Compiler::OpenCl = self.compiler {
            return self.gpu.timed(|| Ok(()), work);
        }
        let busy = once(&self.busy, || self.kernel("busy", BUSY))?;
        let nanoseconds = u64::try_from(HEAD_START.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the kernel touches no memory.
        let ahead = || unsafe { busy.launch(&Shape::flat(1, 1), &mut [Arg::U64(nanoseconds)]) };
        self.gpu.timed(ahead, work)
    }

    /// Compiles a text and loads one of its kernels.
    ///
    /// # Errors
    /// Those of the compiler and the driver.
    pub fn kernel(&self, name: &str, source: &str) -> Result<Kernel, GpuError> {
        self.module(name, source)?.kernel(name)
    }

    /// Compiles a text and loads all its kernels.
    ///
    /// # Errors
    /// Those of the compiler and the driver.
    pub(crate) fn module(&self, name: &str, source: &str) -> Result<Module, GpuError> {
        if let Compiler::OpenCl = self.compiler {
            return Module::build(&self.gpu, name, source);
        }
        Module::load(&self.gpu, &self.compile(name, source)?.image)
    }

    /// Compiles a text with CUDA's compiler, or reads it from the cache, without loading it.
    ///
    /// # Errors
    /// Those of the compiler; [`GpuError::NotCuda`] for another device.
    pub(crate) fn compile(&self, name: &str, source: &str) -> Result<Compiled, GpuError> {
        let (nvrtc, cache) = self.nvrtc()?;
        compiled(nvrtc, cache, self.gpu.facts().arch(), name, source)
    }
}

/// A text compiled for an architecture, read from the cache if it is there.
pub(crate) fn compiled(
    nvrtc: &Nvrtc,
    cache: &Cache,
    arch: Arch,
    name: &str,
    source: &str,
) -> Result<Compiled, GpuError> {
    let options = Options::new(nvrtc.target_for(arch)?);
    Ok(cache.get(nvrtc, &format!("{name}.cu"), source, &options)?.0)
}

/// The device with everything that the kernels of one field share: constants, resident operands, twiddle tables,
/// account.
#[derive(Debug)]
pub struct Workshop<F> {
    setup: Setup,
    family: Family,
    constants: Vec<u8>,
    memory: Memory,
    tables: Tables<F>,
    spares: Spares,
    log: MachineLog,
    field: PhantomData<fn() -> F>,
}

impl<F: PrimeField> Workshop<F> {
    /// The workshop of a field, with the word size and Karatsuba levels that the table has for its width.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] where there are no kernels for the field.
    pub fn new(setup: Setup) -> Result<Self, GpuError> {
        let family = Family::of::<F>(setup.field_tuning(F::BITS))?;
        let constants = family.constants(&modulus_of::<F>())?;
        let log = MachineLog::new(setup.gpu.name());
        Ok(Self {
            setup,
            family,
            constants,
            memory: Memory::new(),
            tables: Tables::new(),
            spares: Spares::default(),
            log,
            field: PhantomData,
        })
    }

    /// The device in use.
    pub fn gpu(&self) -> &Gpu {
        &self.setup.gpu
    }

    /// The device with its compiler.
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The memory in which device copies of buffers are kept.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The log of the device for this field: copies and faults that are in no call's cost.
    pub fn log(&self) -> &MachineLog {
        &self.log
    }

    /// Begins the account of a call.
    pub(crate) fn call(&self) -> Call {
        Call::begin(&self.log)
    }

    pub(crate) fn element(&self) -> Element {
        self.family.element()
    }

    pub(crate) fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub(crate) fn vec_tuning(&self) -> BlasTuning {
        self.setup.table.vec(F::BITS).unwrap_or_else(|| BlasTuning::for_element(self.element()))
    }

    /// The shape of a single transform.
    pub(crate) fn ntt_tuning(&self, log_n: u32) -> Tuning {
        let row = self.setup.table.ntt(F::BITS, log_n, false);
        let tuning = row.map_or_else(|| Tuning::for_latency(self.element(), log_n), |row| row.tuning);
        self.gpu().facts().fit(tuning)
    }

    /// The least number of pairs of a sumcheck's round on the device, if that was measured.
    pub(crate) fn sumcheck_least(&self) -> Option<usize> {
        self.setup.table.sumcheck(F::BITS)
    }

    /// Checks that the device has this much free memory. If it does not, precomputed multiples are released, and then
    /// tables of twiddles that the call does not need.
    ///
    /// # Errors
    /// [`GpuError::TooLittleMemory`] with every part, [`GpuError::Driver`].
    pub(crate) fn make_room(&self, need: &Need, tables: &[TableKey<F>]) -> Result<(), GpuError> {
        let lacks = |checked: &Result<(), GpuError>| matches!(checked, Err(GpuError::TooLittleMemory { .. }));
        let mut checked = self.gpu().check_memory(need);
        if lacks(&checked) && self.spares.give_up() {
            checked = self.gpu().check_memory(need);
        }
        if lacks(&checked) && self.tables.keep_only(tables) {
            checked = self.gpu().check_memory(need);
        }
        checked
    }

    /// The buffers that can be released when memory is lacking.
    pub(crate) fn spares(&self) -> &Spares {
        &self.spares
    }

    /// The tables of twiddles on the device.
    pub(crate) fn tables(&self) -> &Tables<F> {
        &self.tables
    }

    /// The bytes that bringing an operand to the device will copy: none if it is there.
    pub(crate) fn bytes_to_come(&self, operand: &View<'_, F>) -> u64 {
        let there =
            operand.len() == operand.buf().len() && operand.buf().copy::<Words>(&self.memory).is_some();
        if there { 0 } else { (operand.len() * F::BYTES) as u64 }
    }

    /// The bytes that [`Self::resident_part`] will copy.
    pub(crate) fn bytes_of_part_to_come(&self, operand: &View<'_, F>) -> u64 {
        let buf = operand.buf();
        let whole = 2 * operand.len() >= buf.len() || buf.copy::<Words>(&self.memory).is_some();
        self.bytes_to_come(&if whole { buf.view() } else { *operand })
    }

    /// The words of a vector on the device: the result of an earlier operator, or a copy that stays with the buffer.
    pub(crate) fn resident(
        &self,
        operand: &View<'_, F>,
        copies: &mut Transfer,
    ) -> Result<Arc<Words>, DeviceError> {
        let mut upload = |elements: &[F]| {
            let len = elements.len() * words_of::<F>();
            Ok(Words::filled(self.gpu(), len, &words_in(elements), copies)?)
        };
        let buf = operand.buf();
        // The copy of a part, which no operator of a proof uses, is not kept.
        if operand.len() == buf.len() {
            buf.copy_or(&self.memory, upload)
        } else {
            upload(operand.host()?).map(Arc::new)
        }
    }

    /// The words on the device of the buffer that an operand belongs to, if the operand is at least half of it, with
    /// the index of its first element; for a smaller part a copy of its own, which is not kept.
    pub(crate) fn resident_part(
        &self,
        operand: &View<'_, F>,
        copies: &mut Transfer,
    ) -> Result<(Arc<Words>, usize), DeviceError> {
        let buf = operand.buf();
        if buf.copy::<Words>(&self.memory).is_some() || 2 * operand.len() >= buf.len() {
            return Ok((self.resident(&buf.view(), copies)?, operand.range().start));
        }
        Ok((self.resident(operand, copies)?, 0))
    }

    /// A result as a buffer that stays on the device until the host asks for its elements. Waits for the device, so
    /// faults of the kernels that compute it are reported here.
    pub(crate) fn result(&self, words: Arc<Words>, len: usize) -> Result<Buf<F>, GpuError> {
        self.gpu().wait()?;
        Ok(self.unchecked_result(words, len))
    }

    /// The same without waiting: a fault is reported by the next call that waits for the device, at the latest when the
    /// buffer is read.
    pub(crate) fn unchecked_result(&self, words: Arc<Words>, len: usize) -> Buf<F> {
        let log = self.log.clone();
        Buf::resident_on(&self.memory, words, len, move |words: &Words| {
            // This call belongs to no operator, so its copies go to the log.
            let mut call = Call::begin(&log);
            let mut fetch = || {
                let mut packed = vec![0; words.len()];
                words.read(&mut packed, &mut call.copies)?;
                let start = Instant::now();
                let mut elements = vec![F::ZERO; len];
                unpack(&packed, &mut elements)?;
                call.copies.time += start.elapsed();
                Ok::<_, GpuError>(elements)
            };
            fetch().map_err(|error| SourceError(Box::new(error)))
        })
    }

    /// Compiles and loads a program's kernel.
    pub(crate) fn load(&self, program: ArrayKernel) -> Result<Loaded, GpuError> {
        Loaded::new(&self.setup, &self.family, program)
    }
}

/// A call of an operator in progress: its start, and its copies and operations so far. If it ends without a cost,
/// because it has failed, its copies go to the device's log.
#[derive(Debug)]
pub(crate) struct Call {
    start: Instant,
    pub(crate) copies: Transfer,
    pub(crate) ops: OpCount,
    log: MachineLog,
}

impl Call {
    fn begin(log: &MachineLog) -> Self {
        let (copies, ops) = Default::default();
        Self { start: Instant::now(), copies, ops, log: log.clone() }
    }

    /// Ends the call and returns its cost: the whole time, with the copies listed separately.
    pub(crate) fn cost(mut self, bytes: Traffic) -> Cost {
        let transfer = Some(core::mem::take(&mut self.copies));
        Cost { transfer, ..Cost::measured(self.log.machine(), self.start, bytes, self.ops) }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.log.copied(core::mem::take(&mut self.copies));
    }
}

/// An array program whose kernel is loaded on the device.
#[derive(Debug)]
pub(crate) struct Loaded {
    program: ArrayKernel,
    kernel: Kernel,
    /// Numbers of products and of sums and differences per thread, computed once because a program may be long.
    calls: [u64; 2],
    /// The number of blocks that a multiprocessor runs at a time, after the driver has been asked.
    resident: OnceLock<u32>,
}

impl Loaded {
    /// Compiles and loads a program's kernel.
    pub(crate) fn new(setup: &Setup, family: &Family, program: ArrayKernel) -> Result<Self, GpuError> {
        let kernel = setup.kernel(&program.name, &family.text(&program))?;
        let calls = program.calls_per_thread();
        let count = |roles: [Role; 2]| roles.iter().filter_map(|role| calls.get(role)).sum();
        let calls = [count([Role::Mul, Role::Sqr]), count([Role::Add, Role::Sub])];
        Ok(Self { program, kernel, calls, resident: OnceLock::new() })
    }

    /// Registers per thread, if machine code was loaded.
    pub(crate) fn registers(&self) -> Option<u32> {
        self.kernel.resources().map(|resources| resources.registers)
    }

    /// Threads per block.
    pub(crate) fn threads(&self) -> u64 {
        self.program.launch.as_ref().map_or(1, |launch| u64::from(launch.threads))
    }

    /// The number of blocks that a multiprocessor runs at a time.
    pub(crate) fn resident(&self) -> Result<u32, GpuError> {
        let ask = || {
            let launch = self.program.launch.as_ref();
            let threads = launch.map_or(1, |launch| launch.threads);
            let shared = u32::try_from(self.program.shared_bytes()).unwrap_or(u32::MAX);
            self.kernel.blocks_per_multiprocessor(&Shape { shared, ..Shape::flat(1, threads) })
        };
        once(&self.resident, ask).copied()
    }

    /// Starts the kernel with the program's scalars and buffers and the constants of the field.
    ///
    /// # Safety
    /// The buffers hold what the program reads and writes with these scalars; none that is written overlaps another.
    pub(crate) unsafe fn launch(
        &self,
        scalars: &[u32],
        buffers: Vec<Arg<'_>>,
        constants: &[u8],
    ) -> Result<(), GpuError> {
        let shape = shape(&self.program, scalars)?;
        let mut arguments: Vec<Arg<'_>> = scalars.iter().map(|n| Arg::U32(*n)).collect();
        arguments.extend(buffers);
        arguments.push(Arg::Bytes(constants));
        // SAFETY: the printed kernel does what the program says, in the shape that the program gives; the rest is
        // the caller's promise.
        unsafe { self.kernel.launch(&shape, &mut arguments) }
    }

    /// The field operations of all threads of a launch, with every guard counted as true.
    pub(crate) fn ops(&self, scalars: &[u32]) -> OpCount {
        let threads = shape(&self.program, scalars)
            .map_or(0, |shape| u64::from(shape.grid[0]) * u64::from(shape.block[0]));
        let [field_mul, field_add] = self.calls.map(|calls| threads * calls);
        OpCount { field_mul, field_add, point_add: 0 }
    }
}

/// The shape of a program's launch with these scalars.
///
/// # Errors
/// [`GpuError::Launch`] when there are more blocks than a grid can have.
pub(crate) fn shape(program: &ArrayKernel, scalars: &[u32]) -> Result<Shape, GpuError> {
    let too_large = |what, given, most| GpuError::Launch { name: program.name.clone(), what, given, most };
    let wide: Vec<u64> = scalars.iter().map(|n| u64::from(*n)).collect();
    let most = i32::MAX.unsigned_abs();
    let blocks = program.grid(&wide).unwrap_or(u64::MAX);
    let grid = u32::try_from(blocks).ok().filter(|n| *n <= most);
    let grid = grid.ok_or_else(|| too_large("the number of blocks", blocks, u64::from(most)))?;
    let bytes = program.shared_bytes();
    let shared = u32::try_from(bytes);
    let shared = shared.map_err(|_| too_large("the shared memory of a block", bytes, u64::from(u32::MAX)))?;
    let threads = program.launch.as_ref().map_or(1, |launch| launch.threads);
    Ok(Shape { shared, ..Shape::flat(grid, threads) })
}
