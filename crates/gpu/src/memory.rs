//! Device memory: buffers of words, copies with their time and bytes, and the room a run needs, stated before it
//! starts.

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

/// A request for less than one `PART`th of the memory that was free at the last query, minus what was allocated since,
/// is granted without another query, since a query takes as long as several launches.
const PART: u64 = 8;

/// Free bytes below which every request queries the driver.
const MUCH: u64 = 1 << 30;

/// What a run will hold on the device at one time, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    parts: Vec<(&'static str, u64)>,
}

impl Need {
    /// Returns the needs of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Also this many bytes under this name.
    #[must_use]
    pub fn and(mut self, part: &'static str, bytes: u64) -> Self {
        self.parts.push((part, bytes));
        self
    }

    /// Bytes in all.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|(_, bytes)| bytes).fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Whether that much can be had on a device with so much free memory.
    ///
    /// # Errors
    /// [`GpuError::TooLittleMemory`] with every part.
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
    /// Whether so much memory is free. What was freed before counts as used until the device has come to it, so this waits
    /// for the device before it refuses. If much was free at the last query, a small request is granted without a new
    /// one.
    ///
    /// # Errors
    /// [`GpuError::TooLittleMemory`] with every part, and those of [`Gpu::memory`].
    pub fn room(&self, need: &Need) -> Result<(), GpuError> {
        let taken = |seen: u64| (seen >= MUCH && need.bytes() <= seen / PART).then(|| seen - need.bytes());
        if self.seen_free().fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok() {
            return Ok(());
        }
        let check = || {
            let (free, total) = self.memory()?;
            need.check(free, total)?;
            // What is asked for will be taken.
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

/// A buffer of 64-bit words on a device, freed when it is dropped, by whichever thread. Kernels with 32-bit words read the
/// same bytes: the order is little-endian on both sides.
#[derive(Debug)]
pub struct Words {
    len: usize,
    place: DeviceBuffer,
    gpu: Gpu,
}

/// The words in the memory of a machine.
#[derive(Debug)]
enum DeviceBuffer {
    Cuda(CudaBuffer),
    OpenCl(Buffer),
}

impl Words {
    /// A buffer whose content is not set, for a kernel or a copy that writes all of it. Its room is not checked here: see
    /// [`Gpu::room`].
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub(crate) fn unset(gpu: &Gpu, words: usize) -> Result<Self, GpuError> {
        Self::allocated(gpu, words, false)
    }

    /// A buffer of zeros. Its room is not checked here: see [`Gpu::room`].
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn zeros(gpu: &Gpu, words: usize) -> Result<Self, GpuError> {
        Self::allocated(gpu, words, true)
    }

    fn allocated(gpu: &Gpu, len: usize, zeros: bool) -> Result<Self, GpuError> {
        let place = match gpu.machine() {
            Backend::Cuda(cuda) => DeviceBuffer::Cuda(cuda.allocate(len, zeros)?),
            Backend::OpenCl(opencl) => DeviceBuffer::OpenCl(opencl.allocate(len, zeros)?),
        };
        Ok(Self { len, place, gpu: gpu.clone() })
    }

    /// A buffer of so many words of the host, which are written where the device fetches them: no copy of them is made on the
    /// way to a CUDA device.
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
        let mut buffer = Self::unset(gpu, len)?;
        match &mut buffer.place {
            DeviceBuffer::Cuda(buffer) => buffer.fill(len, fill)?,
            DeviceBuffer::OpenCl(buffer) => buffer.write(&elements::filled(len, staging::TASK, fill))?,
        }
        buffer.sent(start, copies)?;
        Ok(buffer)
    }

    /// Enters a copy to the device. A short one is not waited for: its words have left the caller's memory.
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
        let mut buffer = Self::unset(gpu, words.len())?;
        buffer.write(words, copies)?;
        Ok(buffer)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies words of the host over the whole buffer; they may change when this returns.
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

    /// Copies the whole buffer over words of the host, after every kernel launched before.
    ///
    /// # Errors
    /// [`GpuError::Length`] unless the lengths agree, [`GpuError::Driver`], of a kernel launched before too.
    pub fn read(&self, words: &mut [u64], copies: &mut Transfer) -> Result<(), GpuError> {
        self.same_length(words.len())?;
        self.read_from(0, words, copies)
    }

    /// Copies some words of the buffer, from one on, over as many of the host, after every kernel launched before. The time of a
    /// short copy is not told apart from that of these kernels.
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
        // Kernels that still run are no part of the copy's time. Those before a short copy are not waited for apart, which would
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
        self.gpu.wait()?;
        copies.to_host += size_of_val(words) as u64;
        if long {
            copies.time += start.elapsed();
        }
        Ok(())
    }

    /// The elements of the whole buffer, after every kernel launched before.
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

    /// Whether it lies on a device.
    pub(crate) fn is_on(&self, gpu: &Gpu) -> bool {
        self.gpu.is(gpu)
    }

    /// The 64 bits by which a kernel that reads gets the buffer: its address on the device, or OpenCL's handle.
    pub(crate) fn address(&self) -> u64 {
        match &self.place {
            DeviceBuffer::Cuda(buffer) => buffer.address(),
            DeviceBuffer::OpenCl(buffer) => buffer.address(),
        }
    }

    /// The same for a kernel that writes.
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
        let need = Need::new().and("data", 96).and("twiddles", 32);
        assert_eq!(need.bytes(), 128);
        assert!(need.check(128, 200).is_ok());
        let error = need.check(127, 200).unwrap_err();
        assert_eq!(
            error.to_string(),
            "128 bytes of device memory are needed (data 96, twiddles 32), 127 of 200 are free"
        );
        assert!(Need::new().and("a", u64::MAX).and("b", 1).check(u64::MAX - 1, u64::MAX).is_err());
    }
}
