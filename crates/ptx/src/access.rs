//! Accesses to memory: their kinds, and the parsing of the names of loads, stores and atomic additions.

/// The state spaces that an access can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The memory of the device.
    Global,
    /// Shared memory of the thread's own block, addressed by an offset.
    Shared,
    /// Shared memory of any block of the cluster, by an address that `mapa` computes.
    Cluster,
    /// The space that the generic address lies in.
    Generic,
    /// The kernel's arguments.
    Param,
}

/// A load or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The state space that is accessed.
    pub space: Space,
    /// Whether its values are 64-bit registers.
    pub long: bool,
    /// Number of values.
    pub count: usize,
    /// Whether 32 bits may be loaded to a 64-bit register, extended with zeros, or stored from the lower half of one.
    pub widens: bool,
}

impl Access {
    /// The number of bytes that one thread accesses.
    pub fn bytes(self) -> usize {
        self.count * if self.long { 8 } else { 4 }
    }
}

/// An atomic addition to a number of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// The state space that is accessed.
    pub space: Space,
    /// Whether the old value is written to a register.
    pub returns: bool,
}

/// Parses the name of a load or a store; the second result says whether it is a load.
pub(crate) fn access(name: &str) -> Option<(Access, bool)> {
    let mut parts = name.split('.');
    let is_load = match parts.next()? {
        "ld" => true,
        "st" => false,
        _ => return None,
    };
    let mut access = Access { space: Space::Generic, long: false, count: 1, widens: false };
    let mut typed = false;
    for part in parts {
        match part {
            "global" => access.space = Space::Global,
            "shared" | "shared::cta" => access.space = Space::Shared,
            "shared::cluster" => access.space = Space::Cluster,
            "param" if is_load => access.space = Space::Param,
            // Data that no thread writes while the kernel runs; the detector of races checks this.
            "nc" if is_load => {}
            "v2" => access.count = 2,
            "v4" => access.count = 4,
            "u32" | "b32" => (typed, access.widens) = (true, true),
            "s32" | "f32" => typed = true,
            "u64" | "s64" | "b64" | "f64" => (typed, access.long) = (true, true),
            _ => return None,
        }
    }
    typed.then_some((access, is_load))
}

/// Parses the name of an addition in memory: `atom` returns the old value, `red` does not. Memory ordering beyond the
/// addition itself is not modelled: only relaxed additions are accepted, which is the default if the name states no
/// order.
pub(crate) fn atomic(name: &str) -> Option<Atomic> {
    let (returns, parts) = match name.split_once('.')? {
        ("atom", parts) => (true, parts),
        ("red", parts) => (false, parts),
        _ => return None,
    };
    let mut space = Space::Generic;
    let mut left = parts.split('.').peekable();
    while let Some(part) = left.next_if(|part| !matches!(*part, "add")) {
        match part {
            "relaxed" | "gpu" => {}
            "global" => space = Space::Global,
            "shared" | "shared::cta" => space = Space::Shared,
            _ => return None,
        }
    }
    left.eq(["add", "u32"]).then_some(Atomic { space, returns })
}
