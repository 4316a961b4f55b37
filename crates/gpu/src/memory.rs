//! Device memory: buffers of words, copies with their time and bytes, and the memory that a call needs, which is
//! checked before it starts.

use crate::device::{Backend, Gpu};
use crate::driver::CudaBuffer;
use crate::elements::{self, Fill};
use crate::error::GpuError;
use crate::opencl::Buffer;
use crate::staging::{self, SHORT};
use core::fmt;
use pairwright_device::Transfer;
use pairwright_field::PrimeField;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A request for at most 1/`GRANTED_PART` of the memory that was free at the last query, minus what was allocated since, is
/// granted without another query, since a query takes as long as several launches.
const GRANTED_PART: u64 = 8;

/// Number of free bytes below which every request queries the driver.
const QUERY_BELOW: u64 = 1 << 30;

/// The memory that a call holds on the device at a time, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    parts: Vec<(&'static str, u64)>,
}

impl Need {
    /// A need without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part with a name and a number of bytes.
    #[must_use]
    pub fn with_part(mut self, part: &'static str, bytes: u64) -> Self {
        self.parts.push((part, bytes));
        self
    }

    /// The sum of all parts in bytes.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|(_, bytes)| bytes).fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Checks the need against `free` free bytes.
    ///
    /// # Errors
    /// [`GpuError::TooLittleMemory`] with all parts.
    pub fn check(&self, free: u64, total: u64) -> Result<(), GpuError> {
        if self.bytes() <= free {
            return Ok(());
        }
        Err(GpuError::TooLittleMemory { needed: self.bytes(), parts: self.clone(), free, total })
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, bytes)) in self.parts.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{part} {bytes}")?;
        }
        Ok(())
    }
}

impl Gpu {
    /// Checks that this much memory is free. Memory that was freed counts as used until the device has executed the
    /// release, so this waits for the device before it refuses. If much was free at the last query, a small request is
    /// granted without a new query.
    ///
    /// # Errors
    /// [`GpuError::TooLittleMemory`] with all parts, and those of [`Gpu::memory`].
    pub fn check_memory(&self, need: &Need) -> Result<(), GpuError> {
        let taken = |seen: u64| {
            (seen >= QUERY_BELOW && need.bytes() <= seen / GRANTED_PART).then(|| seen - need.bytes())
        };
        if self.seen_free().fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok() {
            return Ok(());
        }
        let check = || {
            let (free, total) = self.memory()?;
            need.check(free, total)?;
            // The request will be allocated.
            self.seen_free().store(free - need.bytes(), Ordering::Relaxed);
            Ok(())
        };
        match check() {
            Err(GpuError::TooLittleMemory { .. }) => {
                self.wait_for_all()?;
                check()
            }
            other => other,
        }
    }
}

/// A buffer of 64-bit words on a device. It is freed when it is dropped, by any thread. Kernels with 32-bit words read
/// the same bytes: both sides are little-endian.
#[derive(Debug)]
pub struct Words {
    len: usize,
    place: DeviceBuffer,
    gpu: Gpu,
}

/// The buffer in the form of its driver.
#[derive(Debug)]
enum DeviceBuffer {
    Cuda(CudaBuffer),
    OpenCl(Buffer),
}

impl Words {
    /// An uninitialised buffer, for a kernel or a copy that writes all of it. Free memory is not checked here: see
    /// [`Gpu::check_memory`].
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub(crate) fn uninitialised(gpu: &Gpu, words: usize) -> Result<Self, GpuError> {
        Self::allocated(gpu, words, false)
    }

    /// A buffer of zeros. Free memory is not checked here: see [`Gpu::check_memory`].
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn zeros(gpu: &Gpu, words: usize) -> Result<Self, GpuError> {
        Self::allocated(gpu, words, true)
    }

    /// Uninitialised buffers of these lengths, as [`Self::uninitialised`], which CUDA's driver allocates and frees together: this
    /// takes as long as for one of them.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub(crate) fn together(gpu: &Gpu, lengths: &[usize]) -> Result<Vec<Self>, GpuError> {
        let Backend::Cuda(cuda) = gpu.machine() else {
            return lengths.iter().map(|len| Self::uninitialised(gpu, *len)).collect();
        };
        let places = cuda.allocate_together(lengths)?.into_iter().map(DeviceBuffer::Cuda);
        Ok(lengths
            .iter()
            .zip(places)
            .map(|(len, place)| Self { len: *len, place, gpu: gpu.clone() })
            .collect())
    }

    fn allocated(gpu: &Gpu, len: usize, zeros: bool) -> Result<Self, GpuError> {
        let place = match gpu.machine() {
            Backend::Cuda(cuda) => DeviceBuffer::Cuda(cuda.allocate(len, zeros)?),
            Backend::OpenCl(opencl) => DeviceBuffer::OpenCl(opencl.allocate(len, zeros)?),
        };
        Ok(Self { len, place, gpu: gpu.clone() })
    }

    /// A buffer of `len` words that `fill` produces. For a CUDA device they are written directly into pinned staging
    /// memory, without another copy.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub(crate) fn filled(
        gpu: &Gpu,
        len: usize,
        fill: &Fill<'_>,
        copies: &mut Transfer,
    ) -> Result<Self, GpuError> {
        let start = Instant::now();
        let mut buffer = Self::uninitialised(gpu, len)?;
        match &mut buffer.place {
            DeviceBuffer::Cuda(buffer) => buffer.fill(len, fill)?,
            DeviceBuffer::OpenCl(buffer) => buffer.write(&elements::filled(len, staging::TASK, fill))?,
        }
        buffer.sent(start, copies)?;
        Ok(buffer)
    }

    /// Adds a copy to the device to the account. A short copy is not waited for: its words have already left the
    /// caller's memory.
    fn sent(&self, start: Instant, copies: &mut Transfer) -> Result<(), GpuError> {
        if self.len > SHORT {
            self.gpu.wait()?;
        }
        copies.to_machine += (self.len * size_of::<u64>()) as u64;
        copies.time += start.elapsed();
        Ok(())
    }

    /// A buffer with a copy of the host's words.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn from_host(gpu: &Gpu, words: &[u64], copies: &mut Transfer) -> Result<Self, GpuError> {
        let mut buffer = Self::uninitialised(gpu, words.len())?;
        buffer.write(words, copies)?;
        Ok(buffer)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the buffer has no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies words of the host to the whole buffer; the caller may change them when this returns.
    ///
    /// # Errors
    /// [`GpuError::Length`] unless the lengths agree, [`GpuError::Driver`].
    pub fn write(&mut self, words: &[u64], copies: &mut Transfer) -> Result<(), GpuError> {
        self.same_length(words.len())?;
        let start = Instant::now();
        match &mut self.place {
            DeviceBuffer::Cuda(buffer) => buffer.write(words)?,
            DeviceBuffer::OpenCl(buffer) => buffer.write(words)?,
        }
        self.sent(start, copies)
    }

    /// Copies the whole buffer to words of the host, after every kernel launched before.
    ///
    /// # Errors
    /// [`GpuError::Length`] unless the lengths agree, [`GpuError::Driver`], also for an earlier kernel.
    pub fn read(&self, words: &mut [u64], copies: &mut Transfer) -> Result<(), GpuError> {
        self.same_length(words.len())?;
        self.read_from(0, words, copies)
    }

    /// Copies the words of the buffer from index `first` on to words of the host, as many as these are, after every
    /// kernel launched before. The time of a short copy is not added to the account, since it cannot be told from the
    /// time of these kernels.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_from(&self, first: usize, words: &mut [u64], copies: &mut Transfer) -> Result<(), GpuError> {
        let room = self.len().saturating_sub(first);
        if words.len() > room {
            return Err(GpuError::Length { given: words.len(), room });
        }
        if words.is_empty() {
            return self.gpu.wait();
        }
        // Kernels that still run are not part of the copy's time. A separate wait for them before a short copy would
        // take longer than the copy.
        let long = words.len() > SHORT;
        if long {
            self.gpu.wait()?;
        }
        let start = Instant::now();
        match &self.place {
            DeviceBuffer::Cuda(buffer) => buffer.read(first, words)?,
            DeviceBuffer::OpenCl(buffer) => buffer.read(first, words)?,
        }
        copies.to_host += size_of_val(words) as u64;
        if long {
            copies.time += start.elapsed();
        }
        Ok(())
    }

    /// Copies the elements of the whole buffer to the host, after every kernel launched before.
    ///
    /// # Errors
    /// As [`Self::read`], and [`GpuError::NotReduced`] if a value is not below the modulus.
    pub(crate) fn fetch<F: PrimeField>(&self, copies: &mut Transfer) -> Result<Vec<F>, GpuError> {
        let mut words = vec![0; self.len()];
        self.read(&mut words, copies)?;
        let mut fetched = vec![F::ZERO; words.len() / elements::words_of::<F>()];
        elements::unpack(&words, &mut fetched)?;
        Ok(fetched)
    }

    fn same_length(&self, given: usize) -> Result<(), GpuError> {
        if given == self.len() { Ok(()) } else { Err(GpuError::Length { given, room: self.len() }) }
    }

    /// Whether the buffer is on this device.
    pub(crate) fn is_on(&self, gpu: &Gpu) -> bool {
        self.gpu.is(gpu)
    }

    /// The 64-bit argument of a kernel that reads the buffer: its address on the device, or OpenCL's handle.
    pub(crate) fn address(&self) -> u64 {
        match &self.place {
            DeviceBuffer::Cuda(buffer) => buffer.address(),
            DeviceBuffer::OpenCl(buffer) => buffer.address(),
        }
    }

    /// The same for a kernel that writes the buffer.
    pub(crate) fn address_mut(&mut self) -> u64 {
        match &mut self.place {
            DeviceBuffer::Cuda(buffer) => buffer.address_mut(),
            DeviceBuffer::OpenCl(buffer) => buffer.address(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_its_parts() {
        let need = Need::new().with_part("data", 96).with_part("twiddles", 32);
        assert_eq!(need.bytes(), 128);
        assert!(need.check(128, 200).is_ok());
        let error = need.check(127, 200).unwrap_err();
        assert_eq!(
            error.to_string(),
            "128 bytes of device memory are needed (data 96, twiddles 32), 127 of 200 are free"
        );
        assert!(
            Need::new().with_part("a", u64::MAX).with_part("b", 1).check(u64::MAX - 1, u64::MAX).is_err()
        );
    }
}
