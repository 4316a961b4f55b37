//! Synchronisation between threads: by the standard library if there is one, otherwise by spin locks.

#[cfg(feature = "std")]
use std::sync::{Mutex, OnceLock, PoisonError};

/// A value that one thread at a time may access.
#[derive(Default)]
pub(crate) struct Shared<T>(#[cfg(feature = "std")] Mutex<T>, #[cfg(not(feature = "std"))] spin::Mutex<T>);

impl<T> Shared<T> {
    /// Runs `work` on the value while no other thread accesses it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(feature = "std")]
        let mut value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg(not(feature = "std"))]
        let mut value = self.0.lock();
        work(&mut value)
    }
}

/// A cell whose value can be set once.
pub(crate) struct Once<T>(#[cfg(feature = "std")] OnceLock<T>, #[cfg(not(feature = "std"))] spin::Once<T>);

impl<T> Once<T> {
    /// A cell without a value.
    pub(crate) const fn new() -> Self {
        #[cfg(feature = "std")]
        return Self(OnceLock::new());
        #[cfg(not(feature = "std"))]
        return Self(spin::Once::new());
    }
    /// A cell that is already set to this value.
    pub(crate) fn of(value: T) -> Self {
        #[cfg(feature = "std")]
        return Self(OnceLock::from(value));
        #[cfg(not(feature = "std"))]
        return Self(spin::Once::initialized(value));
    }
    /// The value, if it is set.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get()
    }
    /// The value for writing, if it is set.
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut()
    }
    /// Sets the value unless it is already set.
    pub(crate) fn set(&self, value: T) {
        #[cfg(feature = "std")]
        self.0.get_or_init(|| value);
        #[cfg(not(feature = "std"))]
        self.0.call_once(|| value);
    }
    /// The value, if it is set.
    pub(crate) fn into_inner(self) -> Option<T> {
        #[cfg(feature = "std")]
        return self.0.into_inner();
        #[cfg(not(feature = "std"))]
        return self.0.try_into_inner();
    }
}

impl<T: Clone> Clone for Once<T> {
    fn clone(&self) -> Self {
        self.get().cloned().map_or_else(Self::new, Self::of)
    }
}
