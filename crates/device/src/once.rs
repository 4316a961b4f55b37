//! Values that are made at their first use, where making them may fail.

use std::sync::OnceLock;

/// The value of a cell, made if it is not there. Threads that make it at one time all get the first one's.
///
/// # Errors
/// Those of making it; the cell then stays empty.
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
