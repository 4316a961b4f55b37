//! Registries of implementations that machine descriptions select by name: printers and product styles.

use core::fmt;
use core::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error};

/// A trait whose implementations are listed in a registry, each with its own name.
pub trait Registered: 'static {
    /// The noun for an implementation in the error about an unknown name.
    const KIND: &'static str;

    /// All implementations, in the order of the list.
    fn all() -> &'static [&'static Self];

    /// The name in machine descriptions.
    fn name(&self) -> &'static str;
}

/// A registered implementation; a machine description gives its name.
pub struct Named<T: Registered + ?Sized>(&'static T);

impl<T: Registered + ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Registered + ?Sized> Copy for Named<T> {}

impl<T: Registered + ?Sized> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: Registered + ?Sized> PartialEq for Named<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl<T: Registered + ?Sized> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.name().fmt(f)
    }
}

impl<'de, T: Registered + ?Sized> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let found = T::all().iter().find(|one| one.name() == name);
        found.map(|one| Named(*one)).ok_or_else(|| {
            let known = T::all().iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
            D::Error::custom(format!("unknown {} `{name}`; known: {known}", T::KIND))
        })
    }
}
