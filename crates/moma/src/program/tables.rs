//! Device programs over tables of elements: levels of product trees, and variables of multilinear extensions.
//!
//! A table of `2^v` values holds a multilinear polynomial's values at the corners of a hypercube; two neighbouring
//! values differ in the first variable. Each thread works on one pair.

use super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};

/// Threads per block.
const THREADS: u32 = 128;

/// A program of `n` threads, where `n` is its first scalar.
pub(super) fn for_each(
    name: &str,
    about: &str,
    element: Element,
    operands: &[(&'static str, BufferKind)],
    registers: usize,
    write: impl FnOnce(&mut Body, Ix),
) -> ArrayKernel {
    let mut body = Body::default();
    let i = body.let_(Ix::Block * u64::from(THREADS) + Ix::Thread);
    body.when(i.clone(), Ix::Scalar(0), |body| write(body, i));
    let mut buffers = vec![Buffer::output("out")];
    buffers.extend(operands.iter().map(|(name, kind)| Buffer::new(name, Access::Read, *kind)));
    ArrayKernel {
        name: name.to_owned(),
        about: about.to_owned(),
        element,
        scalars: vec!["n"],
        buffers,
        registers,
        launch: Some(Launch::over_elements(THREADS, u64::from(THREADS))),
        body: vec![body.phase()],
    }
}

/// The program with a second scalar: the index of a coordinate.
fn with_place(kernel: ArrayKernel) -> ArrayKernel {
    ArrayKernel { scalars: vec!["n", "at"], ..kernel }
}

/// The kernel `pairs(n, out, a, constants)`: `out[i] = a[2i] a[2i + 1]`, one level of a product tree.
pub fn pairs(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements)];
    for_each("pairs", "out[i] = a[2i] a[2i + 1] mod q", element, &operands, 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(1, i.clone() << 1));
        body.load(Reg(1), ElementPlace::global(1, (i.clone() << 1) + 1));
        body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    })
}

/// The kernel `bind(n, at, out, a, r, constants)`: `out[i] = a[2i] + r[at] (a[2i + 1] - a[2i])`, the table with its
/// first variable bound.
pub fn bind(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements), ("r", BufferKind::Uniform)];
    let about = "out[i] = a[2i] + r[at] (a[2i + 1] - a[2i]) mod q";
    with_place(for_each("bind", about, element, &operands, 3, |body, i| {
        body.load(Reg(2), ElementPlace::global(2, Ix::Scalar(1)));
        body.load(Reg(0), ElementPlace::global(1, i.clone() << 1));
        body.load(Reg(1), ElementPlace::global(1, (i.clone() << 1) + 1));
        body.call(Role::Sub, Reg(1), Reg(1), Reg(0));
        body.call(Role::Mul, Reg(1), Reg(1), Reg(2));
        body.call(Role::Add, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    }))
}

/// The kernel `split(n, at, out, a, r, constants)`: `out[2i + 1] = a[i] r[at]` and `out[2i] = a[i] - out[2i + 1]`,
/// which computes a level of the table of the equality polynomial from the level above.
pub fn split(element: Element) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements), ("r", BufferKind::Uniform)];
    let about = "out[2i + 1] = a[i] r[at], out[2i] = a[i] - out[2i + 1] mod q";
    with_place(for_each("split", about, element, &operands, 2, |body, i| {
        body.load(Reg(1), ElementPlace::global(2, Ix::Scalar(1)));
        body.load(Reg(0), ElementPlace::global(1, i.clone()));
        body.call(Role::Mul, Reg(1), Reg(0), Reg(1));
        body.call(Role::Sub, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i.clone() << 1), Reg(0));
        body.store(ElementPlace::global(0, (i << 1) + 1), Reg(1));
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::Data;
    use crate::program::trial::{ELEMENT, Q, numbers, out};

    #[test]
    fn levels_and_bound_tables_are_what_they_say() {
        for n in [1, 2, 5, 128, 130] {
            let a = numbers(5, 2 * n);
            let half = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                a.chunks_exact(2).map(|pair| f(pair[0], pair[1]) % Q).collect()
            };
            assert_eq!(out(&pairs(ELEMENT), &[n], Data::unset(n as usize), &[&a]), half(&|x, y| x * y));
            for r in [0, 1, 77_777] {
                let bound = half(&|x, y| x + r * (y + Q - x) % Q);
                assert_eq!(out(&bind(ELEMENT), &[n, 1], Data::unset(n as usize), &[&a, &[9, r]]), bound);
                let found = out(&split(ELEMENT), &[2 * n, 0], Data::unset(4 * n as usize), &[&a, &[r]]);
                let pair = |x: &u64| [(x + Q - x * r % Q) % Q, x * r % Q];
                assert_eq!(found, a.iter().flat_map(pair).collect::<Vec<_>>());
            }
        }
    }
}
