//! The devices of the stand-in driver. Tests select one by its number.

/// The properties of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    /// Name that the device reports.
    pub(crate) name: &'static str,
    /// Compute capability, ten times major plus minor.
    pub(crate) capability: i32,
    /// Number of multiprocessors; few, so that tests that fill a device are short.
    pub(crate) multiprocessors: i32,
    /// Greatest shared memory of a block in bytes.
    pub(crate) shared: i32,
    /// Shared memory of a multiprocessor in bytes.
    pub(crate) shared_per_multiprocessor: i32,
    /// Device memory in bytes.
    pub(crate) memory: usize,
}

const KB: i32 = 1 << 10;
const GB: usize = 1 << 30;

/// All devices; their limits are those of NVIDIA's table of compute capabilities.
pub(crate) const DEVICES: &[Spec] = &[
    spec("capability 9.0, interpreted", 90, 227, 228, 80 * GB),
    spec("capability 7.5, interpreted", 75, 64, 64, 16 * GB),
    spec("capability 8.0, interpreted", 80, 163, 164, 40 * GB),
    spec("capability 8.6, interpreted", 86, 99, 100, 24 * GB),
    spec("capability 10.0, interpreted", 100, 227, 228, 180 * GB),
    spec("capability 12.0, interpreted", 120, 99, 100, 32 * GB),
    spec("capability 9.0 with little memory, interpreted", 90, 227, 228, 2_000_000),
    spec("capability 7.5 with little memory, interpreted", 75, 64, 64, 64 << 20),
    // For tests that count the device's memory or make it fail.
    spec("capability 8.9, interpreted", 89, 99, 100, 24 * GB),
    spec("capability 12.1, interpreted", 121, 99, 100, 32 * GB),
    // For whole reports: with little memory, the large copies are left out.
    spec("capability 9.0 with 64 MB, interpreted", 90, 227, 228, 64 << 20),
    spec("capability 8.0 with 64 MB, interpreted", 80, 163, 164, 64 << 20),
];

const fn spec(name: &'static str, capability: i32, shared: i32, all_shared: i32, memory: usize) -> Spec {
    let (shared, shared_per_multiprocessor) = (shared * KB, all_shared * KB);
    Spec { name, capability, multiprocessors: 2, shared, shared_per_multiprocessor, memory }
}

impl Spec {
    /// An attribute by the driver's number for it; `None` for those that are not used.
    pub(crate) fn attribute(&self, number: i32) -> Option<i32> {
        Some(match number {
            1 => 1024,
            // Shared memory per block without opt-in; clock rates are in kHz.
            8 => 48 * KB,
            13 => 1_500_000,
            16 => self.multiprocessors,
            36 => 2_000_000,
            37 => 1024,
            38 => 32 << 20,
            75 => self.capability / 10,
            76 => self.capability % 10,
            81 => self.shared_per_multiprocessor,
            82 => 65_536,
            97 => self.shared,
            115 => 1,
            _ => return None,
        })
    }
}
