//! Devices by name.

use crate::Designs;
use core::any::{Any, TypeId};
use pairwright_chip_programs::OnChipPrograms;
use pairwright_curve::{Pairing, bls12_377::Bls12_377, for_each_curve};
use pairwright_device::{Device, NoSlot, reference};
use pairwright_gpu::{GpuError, Setup, opencl};
use thiserror::Error;

/// The description of a device that [`device`] builds by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// A short description of the device.
    pub about: &'static str,
    /// The kind of time in the device's reports: measured or modelled.
    pub time: &'static str,
}

/// The devices that can be built by name.
pub const DEVICES: &[DeviceInfo] = &[
    DeviceInfo { name: "cpu", about: "this computer, all cores", time: "measured" },
    DeviceInfo {
        name: "reference",
        about: "the plain implementation that judges the others: one thread, slow",
        time: "measured",
    },
    DeviceInfo {
        name: pairwright_gpu::NAME,
        about: "an NVIDIA GPU (gpu:1 the second one): all of a proof, trees and sumchecks there, the rest on this computer",
        time: "measured",
    },
    DeviceInfo {
        name: pairwright_gpu::opencl::NAME,
        about: "an OpenCL device of any maker (opencl:1 the second one): what a GPU does, the rest on this computer",
        time: "measured",
    },
    DeviceInfo {
        name: "chip",
        about: "the crypto-processor of [CP] as a model, cycle by cycle, in this computer",
        time: "modelled",
    },
    DeviceInfo {
        name: CPU_MTU,
        about: "the Multifunction Tree Unit of [MTU] as a model, cycle by cycle, for trees; the rest on this computer",
        time: "modelled",
    },
    DeviceInfo {
        name: CPU_AIE,
        about: "the AI Engines of [AIE] as a model, by the rates of clocked units, for MSMs in G1 of BLS12-377; the rest on this computer",
        time: "modelled",
    },
];

/// The board of this computer with the tree unit.
pub const CPU_MTU: &str = "cpu+mtu";
/// The board of this computer with AI Engines, which is available for BLS12-377 only.
pub const CPU_AIE: &str = pairwright_aie::board::BOARD;

/// Why a device is not available.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NoDevice {
    /// No device has that name.
    #[error("there is no device {0:?}; there are: {known}", known = names())]
    Unknown(String),
    /// No slot of a board has that name.
    #[error(transparent)]
    Slot(#[from] NoSlot),
    /// The device does not support the curve.
    #[error("{device} adds points of BLS12-377 and of no other curve, this is {curve}")]
    Curve {
        /// Name of the device.
        device: &'static str,
        /// The curve that was requested.
        curve: &'static str,
    },
    /// The GPU, or the compiler of its kernels, is not available or failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

fn names() -> String {
    DEVICES.iter().map(|d| d.name).collect::<Vec<_>>().join(", ")
}

/// A pairing whose boards are compiled into this crate.
///
/// The operators are large generic functions. They are instantiated here once for every curve, so that they are not compiled
/// again in each program and test that uses them.
pub trait Boards: OnChipPrograms {
    /// Builds the board with that name; a modelled machine on it gets its design from `designs`.
    ///
    /// # Errors
    /// [`NoDevice`]: the name is unknown, or the device is not available.
    fn board(name: &str, designs: &Designs) -> Result<Device<Self>, NoDevice>;

    /// The board of this computer.
    fn host() -> Device<Self>;
}

macro_rules! boards {
    (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
        impl Boards for $pairing {
            #[inline(never)]
            fn board(name: &str, designs: &Designs) -> Result<Device<Self>, NoDevice> {
                if let Some(setup) = gpu(name)? {
                    return Ok(pairwright_gpu::board(setup, Self::host())?);
                }
                match name {
                    "cpu" => Ok(Self::host()),
                    "reference" => Ok(reference::board()),
                    "chip" => Ok(pairwright_chip_programs::board(&designs.chip, Self::host())),
                    CPU_MTU => Ok(pairwright_mtu::board(&designs.mtu, Self::host()).named(CPU_MTU)),
                    CPU_AIE => engines(designs),
                    other => Err(NoDevice::Unknown(other.to_owned())),
                }
            }

            #[inline(never)]
            fn host() -> Device<Self> {
                pairwright_cpu::board()
            }
        }
    )+};
}
for_each_curve!(boards);

/// Parses the name of a GPU; `None` if the name is not one. `gpu` and `opencl` are the devices that the environment selects,
/// `gpu:1` and `opencl:1` those with that number.
fn gpu(name: &str) -> Result<Option<Setup>, NoDevice> {
    let (kind, number) = match name.split_once(':') {
        None => (name, None),
        Some((kind, number)) => {
            let number = number.parse().map_err(|_| NoDevice::Unknown(name.to_owned()))?;
            (kind, Some(number))
        }
    };
    let or = |chosen: fn() -> Result<usize, GpuError>| number.map_or_else(chosen, Ok);
    Ok(match kind {
        pairwright_gpu::NAME => Some(Setup::open(or(pairwright_gpu::chosen)?)?),
        opencl::NAME => Some(Setup::open_opencl(or(opencl::chosen)?, None)?),
        _ => None,
    })
}

/// Builds the board with AI Engines, which add points of BLS12-377.
fn engines<E: Pairing>(designs: &Designs) -> Result<Device<E>, NoDevice> {
    let refused = NoDevice::Curve { device: CPU_AIE, curve: E::NAME };
    if TypeId::of::<E>() != TypeId::of::<Bls12_377>() {
        return Err(refused);
    }
    let board: Box<dyn Any> = Box::new(pairwright_aie::board(&designs.aie, Bls12_377::host()));
    board.downcast().map(|board| *board).map_err(|_| refused)
}

/// Builds the board with that name for a pairing, with the published designs for modelled machines;
/// [`BoardPlan`](crate::BoardPlan) can combine devices and change designs.
///
/// # Errors
/// [`NoDevice`]: the name is unknown, or the device is not available.
pub fn device<E: Boards>(name: &str) -> Result<Device<E>, NoDevice> {
    E::board(name, &Designs::default())
}
