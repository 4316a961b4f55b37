//! Devices by name.

use crate::Designs;
use core::any::{Any, TypeId};
use pairwright_chip_programs::OnChipPrograms;
use pairwright_curve::{Pairing, bls12_377::Bls12_377, for_each_curve};
use pairwright_device::{Device, NoSlot, reference};
use pairwright_gpu::{GpuError, Setup, opencl};
use thiserror::Error;

/// A device that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What kind of time its reports hold.
    pub time: &'static str,
}

/// Every device there is.
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
/// The board of this computer with AI Engines, which is there for BLS12-377 alone.
pub const CPU_AIE: &str = pairwright_aie::board::BOARD;

/// A device cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NoDevice {
    /// No device has that name.
    #[error("there is no device {0:?}; there are: {known}", known = names())]
    Unknown(String),
    /// No slot of a board has that name.
    #[error(transparent)]
    Slot(#[from] NoSlot),
    /// The device knows other curves only.
    #[error("{device} adds points of BLS12-377 and of no other curve, this is {curve}")]
    Curve {
        /// Name of the device.
        device: &'static str,
        /// The curve it was asked for.
        curve: &'static str,
    },
    /// The GPU, or the compiler of its kernels, is not on this computer or refuses.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

fn names() -> String {
    DEVICES.iter().map(|d| d.name).collect::<Vec<_>>().join(", ")
}

/// A pairing whose boards are compiled into this crate.
///
/// Operators are generic and long; built here once for every curve, they are not built again in each program and
/// test that uses them.
pub trait Boards: OnChipPrograms {
    /// The board of that name; a modelled machine on it has its design from `designs`.
    ///
    /// # Errors
    /// [`NoDevice`]: the name is unknown, or the device is not there.
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

/// The GPU that a name means, if it means one: `gpu` and `opencl` are the devices that the environment chooses, `gpu:1` and
/// `opencl:1` those of that number.
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

/// The board with AI Engines, whose additions are those of BLS12-377.
fn engines<E: Pairing>(designs: &Designs) -> Result<Device<E>, NoDevice> {
    let refused = NoDevice::Curve { device: CPU_AIE, curve: E::NAME };
    if TypeId::of::<E>() != TypeId::of::<Bls12_377>() {
        return Err(refused);
    }
    let board: Box<dyn Any> = Box::new(pairwright_aie::board(&designs.aie, Bls12_377::host()));
    board.downcast().map(|board| *board).map_err(|_| refused)
}

/// The board of that name for a pairing, modelled machines being the published ones; [`BoardPlan`](crate::BoardPlan) can
/// ask for more.
///
/// # Errors
/// [`NoDevice`]: the name is unknown, or the device is not there.
pub fn device<E: Boards>(name: &str) -> Result<Device<E>, NoDevice> {
    E::board(name, &Designs::default())
}
