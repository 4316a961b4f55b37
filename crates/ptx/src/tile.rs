//! Products of small matrices by whole warps: each thread holds some elements of every matrix, its fragment, in the
//! layout of the PTX ISA ("Warp Level Matrix Multiply-Accumulate Instructions"). A thread's number in its warp is 4 g +
//! t.

use crate::lanes::{L32, L64, WARP};

/// The supported forms; each computes the sum of a product and a third matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// An 8×4 matrix times a 4×8 one in double precision.
    Double,
    /// A 16×32 matrix times a 32×8 one, both of unsigned bytes; sums have 32 bits, modulo 2³².
    Bytes,
}

impl Tile {
    /// The number of registers per thread in each pair of braces: the result, both factors, and the addend.
    pub(crate) fn groups(self) -> [usize; 4] {
        match self {
            Self::Double => [2, 1, 1, 2],
            Self::Bytes => [4, 4, 2, 4],
        }
    }
}

/// The product of an 8×4 matrix and a 4×8 one, added to an 8×8 one. Thread 4 g + t has element (g, t) of the first factor,
/// (t, g) of the second one, and (g, 2 t) and (g, 2 t + 1) of the sum. Terms are added one by one, each rounded once.
pub(crate) fn double(a: &L64, b: &L64, c: [&L64; 2]) -> [L64; 2] {
    core::array::from_fn(|i| {
        core::array::from_fn(|lane| {
            let (row, column) = (lane / 4, 2 * (lane % 4) + i);
            let sum = (0..4).fold(f64::from_bits(c[i][lane]), |sum, k| {
                let [x, y] = [a[4 * row + k], b[4 * column + k]].map(f64::from_bits);
                x.mul_add(y, sum)
            });
            sum.to_bits()
        })
    })
}

/// The product of a 16×32 matrix of bytes and a 32×8 one, added to a 16×8 one. Register r of thread 4 g + t has, of the first
/// factor, four elements of row g + 8 (r mod 2) from column 4 t + 16 ⌊r/2⌋ on, the first in the lowest byte; of the second
/// one, four elements of column g from row 4 t + 16 r on; of the sum, element (g + 8 ⌊r/2⌋, 2 t + r mod 2).
pub(crate) fn bytes(a: [&L32; 4], b: [&L32; 2], c: [&L32; 4]) -> [L32; 4] {
    let byte = |word: u32, k: usize| word >> (8 * (k % 4)) & 0xff;
    core::array::from_fn(|r| {
        core::array::from_fn(|lane| {
            let (g, column) = (lane / 4, 2 * (lane % 4) + r % 2);
            (0..WARP).fold(c[r][lane], |sum, k| {
                let (t, half) = (k % 16 / 4, k / 16);
                let x = byte(a[r / 2 + 2 * half][4 * g + t], k);
                let y = byte(b[half][4 * column + t], k);
                sum.wrapping_add(x * y)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;
    use crate::{Launch, Memory, launch, parse};
    use std::fmt::Write;

    const OF_DOUBLES: &str = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    const OF_BYTES: &str = "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";

    /// A kernel in which every thread reads its registers one after the other, multiplies, and writes those of the result.
    fn text(name: &str, tile: Tile, guard: &str) -> String {
        let (kind, register, bytes) = match tile {
            Tile::Double => ("f64", "%d", 8),
            Tile::Bytes => ("u32", "%w", 4),
        };
        let [to, from @ ..] = tile.groups();
        let read: usize = from.iter().sum();
        let mut body = String::new();
        for i in 0..read {
            writeln!(body, "ld.global.{kind} {register}{i}, [%d41+{}];", bytes * i).unwrap();
        }
        let group = |first: usize, count: usize| {
            let names: Vec<_> = (first..first + count).map(|i| format!("{register}{i}")).collect();
            format!("{{{}}}", names.join(", "))
        };
        let [a, b, c] = from;
        let lists = [group(20, to), group(0, a), group(a, b), group(a + b, c)].join(", ");
        writeln!(body, "{guard}{name} {lists};").unwrap();
        for i in 0..to {
            writeln!(body, "st.global.{kind} [%d42+{}], {register}{};", bytes * i, 20 + i).unwrap();
        }
        let initial: String = (20..20 + to)
            .map(|i| if bytes == 8 { format!("mov.b64 %d{i}, 0;\n") } else { format!("mov.b32 %w{i}, 0;\n") })
            .collect();
        format!(
            ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in)\n{{\n\
             .reg .pred %p<2>;\n.reg .b32 %w<50>;\n.reg .b64 %d<50>;\nmov.u32 %w40, %tid.x;\n\
             setp.lt.u32 %p1, %w40, 31;\n{initial}\
             ld.param.u64 %d41, [in];\nmul.wide.u32 %d43, %w40, {};\nadd.s64 %d41, %d41, %d43;\n\
             ld.param.u64 %d42, [out];\nmul.wide.u32 %d44, %w40, {};\nadd.s64 %d42, %d42, %d44;\n{body}ret;\n}}\n",
            bytes * read,
            bytes * to
        )
    }

    /// The words of the result's registers, thread by thread.
    fn run(text: &str, tile: Tile, threads: u32, input: &[u8]) -> Result<Vec<u8>, FaultKind> {
        let module = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let mut memory = Memory::new();
        let length = WARP * if tile == Tile::Double { 8 } else { 4 } * tile.groups()[0];
        let (out, input) = (memory.allocate(length), memory.upload(input));
        let arguments = [out, input].iter().flat_map(|word| word.to_le_bytes()).collect();
        let shape = Launch { grid: [1; 3], block: [threads, 1, 1], shared: 0, arguments };
        launch(&module.kernels[0], &shape, &mut memory).map_err(|fault| fault.kind)?;
        Ok(memory.buffer(out).unwrap().read(0, length).unwrap().to_vec())
    }

    #[test]
    fn doubles_are_multiplied_as_matrices() {
        // All elements are different.
        let a: [[f64; 4]; 8] = core::array::from_fn(|r| core::array::from_fn(|k| (4 * r + k + 1) as f64));
        let b: [[f64; 8]; 4] =
            core::array::from_fn(|k| core::array::from_fn(|n| 1000.0 + (37 * (8 * k + n) % 101) as f64));
        let c: [[f64; 8]; 8] = core::array::from_fn(|r| core::array::from_fn(|n| -1e6 - (8 * r + n) as f64));
        // Maps elements to registers, while the instruction maps registers to elements.
        let mut registers = [[0.0f64; 4]; WARP];
        for r in 0..8 {
            for k in 0..4 {
                registers[4 * r + k][0] = a[r][k];
                registers[4 * r + k][1] = b[k][r];
            }
            for n in 0..8 {
                registers[4 * r + n / 2][2 + n % 2] = c[r][n];
            }
        }
        let input: Vec<u8> = registers.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let found = run(&text(OF_DOUBLES, Tile::Double, ""), Tile::Double, 32, &input).unwrap();
        for r in 0..8 {
            for n in 0..8 {
                let place = 8 * (2 * (4 * r + n / 2) + n % 2);
                let found = f64::from_le_bytes(found[place..][..8].try_into().unwrap());
                let wanted: f64 = c[r][n] + (0..4).map(|k| a[r][k] * b[k][n]).sum::<f64>();
                assert_eq!(found, wanted, "row {r}, column {n}");
            }
        }
    }

    /// Checks a product of matrices of bytes by the instruction against three loops.
    fn multiply_bytes(a: &[[u8; 32]; 16], b: &[[u8; 8]; 32], c: &[[u32; 8]; 16]) {
        let mut registers = [[0u32; 10]; WARP];
        for k in 0..32 {
            let (t, half, shift) = (k % 16 / 4, k / 16, 8 * (k % 4));
            for r in 0..16 {
                registers[4 * (r % 8) + t][r / 8 + 2 * half] |= u32::from(a[r][k]) << shift;
            }
            for n in 0..8 {
                registers[4 * n + t][4 + half] |= u32::from(b[k][n]) << shift;
            }
        }
        for r in 0..16 {
            for n in 0..8 {
                registers[4 * (r % 8) + n / 2][6 + 2 * (r / 8) + n % 2] = c[r][n];
            }
        }
        let input: Vec<u8> = registers.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let found = run(&text(OF_BYTES, Tile::Bytes, ""), Tile::Bytes, 32, &input).unwrap();
        for r in 0..16 {
            for n in 0..8 {
                let place = 4 * (4 * (4 * (r % 8) + n / 2) + 2 * (r / 8) + n % 2);
                let found = u32::from_le_bytes(found[place..][..4].try_into().unwrap());
                let product: u32 = (0..32).map(|k| u32::from(a[r][k]) * u32::from(b[k][n])).sum();
                assert_eq!(found, c[r][n].wrapping_add(product), "row {r}, column {n}");
            }
        }
    }

    #[test]
    fn bytes_are_multiplied_as_matrices() {
        // All sums and all elements of the second factor are different; the first one has more elements than there are
        // bytes, so its halves are tested in turn.
        let b: [[u8; 8]; 32] = core::array::from_fn(|k| core::array::from_fn(|n| (8 * k + n) as u8));
        let c = core::array::from_fn(|r| core::array::from_fn(|n| u32::MAX - 1000 * (8 * r + n) as u32));
        for other in 0..2 {
            let of = |r: usize, k: usize| if k / 16 == other { (16 * r + k % 16) as u8 } else { 0 };
            multiply_bytes(&core::array::from_fn(|r| core::array::from_fn(|k| of(r, k))), &b, &c);
        }
        multiply_bytes(&[[0xff; 32]; 16], &[[0xff; 8]; 32], &c);
    }

    #[test]
    fn a_part_of_a_warp_is_refused() {
        for (name, tile) in [(OF_DOUBLES, Tile::Double), (OF_BYTES, Tile::Bytes)] {
            let input = vec![0; 64 * WARP];
            let guarded = run(&text(name, tile, "@%p1 "), tile, 32, &input);
            assert_eq!(guarded.unwrap_err(), FaultKind::PartOfWarp);
            let short = run(&text(name, tile, ""), tile, 31, &input);
            assert_eq!(short.unwrap_err(), FaultKind::PartOfWarp);
        }
    }

    #[test]
    fn other_forms_and_other_lists_are_refused() {
        for (name, other) in [
            (OF_DOUBLES, "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64"),
            (OF_BYTES, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32"),
            (OF_BYTES, "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"),
        ] {
            let tile = if name == OF_DOUBLES { Tile::Double } else { Tile::Bytes };
            let error = parse(&text(name, tile, "").replace(name, other)).unwrap_err().to_string();
            assert!(error.contains(other), "{error}");
        }
        let wrong = text(OF_BYTES, Tile::Bytes, "").replace("{%w4, %w5}", "{%w4}");
        assert!(parse(&wrong).is_err());
        let wrong = text(OF_DOUBLES, Tile::Double, "").replace("{%d0}", "{%w0}");
        assert!(parse(&wrong).is_err());
    }
}
