//! Array programs of vector arithmetic on the device.

use pairwright_moma::program::blas::{self, BlasOp, BlasTuning};
use pairwright_moma::program::lang::Body;
use pairwright_moma::program::{ArrayKernel, Buffer, Element, ElementPlace, Ix, Launch, Reg, Role};

/// The programs of [`pairwright_device::VecOp`], for elements of a width: the product, and `a b - c`.
pub fn vector_programs(element: Element, tuning: BlasTuning) -> Vec<ArrayKernel> {
    vec![blas::device(BlasOp::Vmul, element, tuning), mul_sub(element, tuning)]
}

/// The kernel `vmulsub(n, out, a, b, c, constants)`: `out[i] = a[i] b[i] - c[i]`, otherwise like the programs of
/// [`blas`].
pub(crate) fn mul_sub(element: Element, tuning: BlasTuning) -> ArrayKernel {
    let threads = tuning.threads.max(1).next_power_of_two();
    let per_thread = tuning.per_thread.max(1).next_power_of_two();
    let per_block = u64::from(threads) * u64::from(per_thread);
    let mut body = Body::default();
    let first = body.let_(Ix::Block * per_block + Ix::Thread);
    let mut places = Vec::new();
    for e in 0..per_thread {
        let at = body.let_(first.clone() + u64::from(e) * u64::from(threads));
        let inside = body.let_(at.clone().min(Ix::Scalar(0) - 1));
        let [a, b, c] = [0, 1, 2].map(|operand| Reg(3 * e as usize + operand));
        for (operand, reg) in [(1, a), (2, b), (3, c)] {
            body.load(reg, ElementPlace::global(operand, inside.clone()));
        }
        places.push((at, [a, b, c]));
    }
    for (at, [a, b, c]) in places {
        body.call(Role::Mul, a, a, b);
        body.call(Role::Sub, a, a, c);
        body.when(at.clone(), Ix::Scalar(0), |body| body.store(ElementPlace::global(0, at), a));
    }
    ArrayKernel {
        name: "vmulsub".to_owned(),
        about: "out[i] = a[i] b[i] - c[i] mod q".to_owned(),
        element,
        scalars: vec!["n"],
        buffers: vec![Buffer::output("out"), Buffer::input("a"), Buffer::input("b"), Buffer::input("c")],
        registers: 3 * per_thread as usize,
        launch: Some(Launch::over_elements(threads, per_block)),
        body: vec![body.phase()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use pairwright_moma::program::interp::{Data, FieldRule, run};

    #[test]
    fn programs_compute_what_the_operators_are() {
        let q = BigUint::from(1_000_003u32);
        let rule = FieldRule::plain(&q);
        let (n, element) = (37u64, Element { word_bits: 32, words: 1 });
        let column = |seed: u64| -> Vec<BigUint> {
            (0..n).map(|i| BigUint::from((i + 1) * (i + seed) * 7919 % 1_000_003)).collect()
        };
        let [a, b, c] = [column(1), column(20), column(300)];
        for kernel in vector_programs(element, BlasTuning { threads: 4, per_thread: 2 }) {
            let operands = [&a, &b, &c].into_iter().take(kernel.buffers.len() - 1);
            let mut data: Vec<Data> =
                core::iter::once(Data::unset(n as usize)).chain(operands.map(|all| Data::of(all))).collect();
            run(&kernel, &rule, &[n], &mut data).unwrap();
            let found = data[0].elements().unwrap();
            for i in 0..n as usize {
                let expected = match kernel.name.as_str() {
                    "vmul" => &a[i] * &b[i],
                    _ => &a[i] * &b[i] + &q - &c[i],
                };
                assert_eq!(found[i], expected % &q, "{}: {i}", kernel.name);
            }
        }
    }
}
