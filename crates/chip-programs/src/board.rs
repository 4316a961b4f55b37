//! The whole chip as a device: its engines, and the pairing processor with its programs in the pairing slot.

use crate::OnChipPrograms;
use pairwright_chip::MachineSpec;
use pairwright_device::Device;

/// The board of a chip of this design in a host: the chip's transforms, vector operations and MSMs for every curve of
/// this project, its pairings for BLS12-381, and the host's operators for everything else.
pub fn board<E: OnChipPrograms>(spec: &MachineSpec, host: Device<E>) -> Device<E> {
    let pairing = E::pairing_slot(spec, &host);
    E::on_board(spec, host).with_pairing(pairing)
}
