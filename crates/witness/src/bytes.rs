//! A reader for the bytes of a WebAssembly module.

/// The numbers of a module's sections.
pub(crate) mod section {
    pub(crate) const CUSTOM: u8 = 0;
    pub(crate) const TYPES: u8 = 1;
    pub(crate) const IMPORTS: u8 = 2;
    pub(crate) const FUNCTIONS: u8 = 3;
    pub(crate) const EXPORTS: u8 = 7;
    pub(crate) const START: u8 = 8;
    pub(crate) const ELEMENTS: u8 = 9;
    pub(crate) const CODE: u8 = 10;
    pub(crate) const DATA: u8 = 11;
}

/// The bytes that are still to be read; each method consumes bytes from the front and returns `None` if there are too few.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// An unsigned LEB128 number of at most 32 bits.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let length = self.0.iter().take(5).position(|byte| byte & 0x80 == 0)?.checked_add(1)?;
        let bytes = self.take(length)?;
        let number = bytes.iter().rev().fold(0u64, |n, byte| n << 7 | u64::from(byte & 0x7f));
        usize::try_from(number).ok()
    }

    /// A signed LEB128 number of at most 64 bits.
    pub(crate) fn signed(&mut self) -> Option<i64> {
        let length = self.0.iter().take(10).position(|byte| byte & 0x80 == 0)?.checked_add(1)?;
        let bytes = self.take(length)?;
        let bits = length.saturating_mul(7);
        let number = bytes.iter().rev().fold(0i128, |n, &byte| n << 7 | i128::from(byte & 0x7f));
        let negative = bytes.last()? & 0x40 != 0;
        let sign = if negative { 1i128.checked_shl(u32::try_from(bits).ok()?)? } else { 0 };
        i64::try_from(number.checked_sub(sign)?).ok()
    }

    /// A name or other bytes that are preceded by their length.
    pub(crate) fn sized(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    /// The number of functions in an import section.
    pub(crate) fn imported_functions(mut self) -> Option<usize> {
        let mut functions = 0usize;
        for _ in 0..self.number()? {
            for _ in ["the module", "the name"] {
                let _ = self.sized()?;
            }
            match self.byte()? {
                0 => {
                    let _ = self.number()?;
                    functions = functions.checked_add(1)?;
                }
                // The limits of a table are preceded by its element type.
                1 => {
                    let _ = self.byte()?;
                    self.limits()?;
                }
                2 => self.limits()?,
                3 => {
                    let _ = self.take(2)?;
                }
                _ => return None,
            }
        }
        Some(functions)
    }

    /// Skips the minimum size of a table or memory, and the maximum size if there is one.
    fn limits(&mut self) -> Option<()> {
        let bounded = self.byte()? & 1 == 1;
        let _ = self.number()?;
        if bounded {
            let _ = self.number()?;
        }
        Some(())
    }

    /// The index of the function that an export section exports under a name.
    pub(crate) fn exported_function(mut self, name: &[u8]) -> Option<usize> {
        for _ in 0..self.number()? {
            let found = self.sized()?;
            let kind = self.byte()?;
            let index = self.number()?;
            if kind == 0 && found == name {
                return Some(index);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn numbers() {
        assert_eq!(Bytes(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]).number(), None);
        assert_eq!(Bytes(&[0xe5, 0x8e, 0x26]).number(), Some(624_485));
        assert_eq!(Bytes(&[0xc0, 0xbb, 0x78]).signed(), Some(-123_456));
        assert_eq!(Bytes(&[0x40]).signed(), Some(-64));
        assert_eq!(Bytes(&[0xc0, 0]).signed(), Some(64));
        let least = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f];
        assert_eq!(Bytes(&least).signed(), Some(i64::MIN));
        assert_eq!(Bytes(&[0x80; 10]).signed(), None);
        assert_eq!(Bytes(&[]).signed(), None);
    }
}
