//! Lazily initialised values whose initialisation may fail.

use std::sync::OnceLock;

/// The value of a cell, which is made if the cell is empty. If several threads make it at the same time, all get the value that
/// was stored first.
///
/// # Errors
/// The error of `make`; the cell then stays empty.
pub fn once<T, E>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    match cell.get() {
        Some(made) => Ok(made),
        None => make().map(|made| cell.get_or_init(|| made)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let cell = OnceLock::new();
        assert_eq!(once(&cell, || Err::<u8, _>("no")), Err("no"));
        assert_eq!(once(&cell, || Ok::<_, &str>(1)), Ok(&1));
        assert_eq!(once(&cell, || Err("not called")), Ok(&1));
    }
}
