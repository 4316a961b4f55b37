//! Devices by name.

use pairwright_curve::Pairing;
use pairwright_device::{Device, reference};
use thiserror::Error;

/// A device that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The name.
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
];

/// No device has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no device {0:?}; there are: {known}", known = names())]
pub struct UnknownDevice(pub String);

fn names() -> String {
    DEVICES.iter().map(|d| d.name).collect::<Vec<_>>().join(", ")
}

/// The board of that name for a pairing.
///
/// # Errors
/// [`UnknownDevice`], which lists the names.
pub fn device<E: Pairing>(name: &str) -> Result<Device<E>, UnknownDevice> {
    match name {
        "cpu" => Ok(pairwright_cpu::board::<E>()),
        "reference" => Ok(reference::board::<E>()),
        other => Err(UnknownDevice(other.to_owned())),
    }
}
