//! Reads sizes from the bytes of a module before it is validated or compiled: the size of its code, and the circuit's number of
//! wires.

use crate::bytes::Bytes;
use crate::bytes::section::{CODE, EXPORTS, IMPORTS};

/// Sizes of a module. They are used to choose an engine only and must not be relied on otherwise: for a damaged module, which
/// validation refuses later, they are the sizes found before the damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModuleSizes {
    /// Size of the code section's functions in bytes.
    pub(crate) code: usize,
    /// Size of the longest function body in bytes.
    pub(crate) largest: usize,
    /// The number of wires, if `getWitnessSize` returns a constant, as circom writes it.
    pub(crate) wires: Option<usize>,
}

impl ModuleSizes {
    /// Reads the sizes of a module.
    pub(crate) fn of(wasm: &[u8]) -> Self {
        let mut found = Self::default();
        // At damage the reading ends, and the sizes found so far are kept.
        let _ = found.read(wasm);
        found
    }

    fn read(&mut self, wasm: &[u8]) -> Option<()> {
        let mut rest = Bytes(wasm.get(8..)?);
        // If imports or exports cannot be read, the number of wires stays unknown; the code is measured all the same.
        let (mut imported, mut teller) = (Some(0), None);
        while !rest.0.is_empty() {
            let id = rest.byte()?;
            let size = rest.number()?;
            let section = Bytes(rest.take(size)?);
            match id {
                IMPORTS => imported = section.imported_functions(),
                EXPORTS => teller = section.exported_function(b"getWitnessSize"),
                CODE => {
                    let body = teller.and_then(|index: usize| index.checked_sub(imported?));
                    self.read_code(section, body)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Reads the code section; `teller` is the index of the function that returns the number of wires.
    fn read_code(&mut self, mut section: Bytes<'_>, teller: Option<usize>) -> Option<()> {
        for index in 0..section.number()? {
            let size = section.number()?;
            let mut body = Bytes(section.take(size)?);
            self.code = self.code.saturating_add(size);
            self.largest = self.largest.max(size);
            // A body without locals that begins with a constant.
            if Some(index) == teller && body.take(2) == Some(&[0, 0x41]) {
                self.wires = body.number();
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(text: &str) -> Vec<u8> {
        wat::parse_str(format!("(module {text})")).unwrap()
    }

    #[test]
    fn bytes_of_code() {
        let with = |second: usize| {
            let filler = "nop ".repeat(second);
            module(&format!("(memory 1) (func nop) (func {filler}) (func)"))
        };
        // The size of a body: no locals, the instructions, and `end`.
        for (nops, largest) in [(0, 3), (9, 11), (1000, 1002)] {
            let found = ModuleSizes::of(&with(nops));
            assert_eq!((found.largest, found.code, found.wires), (largest, 3 + 2 + nops + 2, None));
        }
        let whole = with(1000);
        assert_eq!(ModuleSizes::of(&whole[..whole.len() / 2]), ModuleSizes::default());
        assert_eq!(ModuleSizes::of(&whole[..8]), ModuleSizes::default());
        assert_eq!(ModuleSizes::of(b"\0asm"), ModuleSizes::default());
    }

    /// Unreadable sections do not hide a function that is too long for a compiler.
    #[test]
    fn code_is_measured_whatever_stands_before_it() {
        let body = [2, 0, 0x0b];
        let code = |bodies: &[&[u8]]| {
            let section: Vec<u8> = [bodies.len() as u8].into_iter().chain(bodies.concat()).collect();
            [vec![CODE, section.len() as u8], section].concat()
        };
        let long = [vec![9, 0], vec![1; 7], vec![0x0b]].concat();
        let start = b"\0asm\x01\0\0\0".to_vec();
        // An import of an unknown kind, and a truncated import.
        for imports in [vec![IMPORTS, 4, 1, 0, 0, 9], vec![IMPORTS, 2, 1, 5]] {
            let module = [start.clone(), imports, code(&[&body, &long])].concat();
            assert_eq!(ModuleSizes::of(&module), ModuleSizes { code: 11, largest: 9, wires: None });
        }
        // An empty body for the function that should return the number of wires.
        let name = b"getWitnessSize";
        let export = [vec![EXPORTS, 18, 1, 14], name.to_vec(), vec![0, 0]].concat();
        let module = [start, export, code(&[&[0], &long])].concat();
        assert_eq!(ModuleSizes::of(&module), ModuleSizes { code: 9, largest: 9, wires: None });
    }

    #[test]
    fn the_number_of_wires() {
        let wires = |text: &str| ModuleSizes::of(&module(text)).wires;
        let teller = r#"(func (export "getWitnessSize") (result i32) i32.const 150754)"#;
        assert_eq!(wires(teller), Some(150_754));
        let imports = r#"(import "runtime" "a" (func)) (import "e" "t" (table 1 2 funcref))
            (import "e" "m" (memory 1)) (import "e" "g" (global i32)) (import "runtime" "b" (func (param i32)))"#;
        assert_eq!(wires(&format!("{imports} (func (export \"x\")) {teller} (func)")), Some(150_754));
        assert_eq!(wires(r#"(func (export "getWitnessSize") (result i32) (local i32) i32.const 1)"#), None);
        assert_eq!(wires(r#"(memory (export "getWitnessSize") 1) (func)"#), None);
        assert_eq!(wires("(func (result i32) i32.const 5)"), None);
    }
}
