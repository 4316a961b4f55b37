//! The baseline's vectors and transforms, on all threads.

use super::Layer;
use crate::LabError;
use crate::measure::Work;
use crate::reference;
use crate::targets::{NttCase, VectorCase};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::time::Duration;

/// `out[i] = a[i] op b[i]`, with the vectors divided into one piece per thread.
pub(crate) struct GmpVector<'a, L: Layer> {
    layer: L,
    case: VectorCase<'a>,
    scalar: Vec<L::Word>,
    a: Vec<L::Word>,
    b: Vec<L::Word>,
    out: Vec<L::Word>,
}

impl<'a, L: Layer> GmpVector<'a, L> {
    pub(crate) fn new(layer: L, case: VectorCase<'a>) -> Self {
        let scalar = layer.load(core::slice::from_ref(case.scalar));
        let [a, b, out] = [case.a, case.b, case.a].map(|numbers| layer.load(numbers));
        Self { layer, case, scalar, a, b, out }
    }
}

impl<L: Layer> Work for GmpVector<'_, L> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.layer.spoil(&mut self.out);
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let stride = self.layer.stride();
        let piece = (self.a.len() / stride).div_ceil(self.case.pool.current_num_threads()) * stride;
        let (layer, op, scalar) = (&self.layer, self.case.op, &self.scalar);
        let (out, a, b) = (&mut self.out, &self.a, &self.b);
        self.case.pool.install(|| {
            let pieces = out.par_chunks_mut(piece).zip(a.par_chunks(piece)).zip(b.par_chunks(piece));
            pieces.for_each(|((out, a), b)| layer.vector(op, scalar, out, a, b));
        });
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(self.layer.store(&self.out))
    }
}

/// In-place transforms, each by one thread: radix two, with the input in bit-reversed order first.
pub(crate) struct GmpNtt<'a, L: Layer> {
    layer: L,
    case: NttCase<'a>,
    powers: Vec<L::Word>,
    inputs: Vec<BigUint>,
    data: Vec<L::Word>,
}

impl<'a, L: Layer> GmpNtt<'a, L> {
    pub(crate) fn new(layer: L, case: NttCase<'a>) -> Self {
        let powers =
            reference::powers(&case.modulus.root(case.log2_n), 1 << (case.log2_n - 1), &case.modulus.q);
        let powers = layer.load(&powers);
        Self { layer, case, powers, inputs: case.inputs(case.host_batch(1)), data: Vec::new() }
    }
}

impl<L: Layer> Work for GmpNtt<'_, L> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.data = self.layer.load(&self.inputs);
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let stride = self.layer.stride();
        let (layer, log2_n, powers) = (&self.layer, self.case.log2_n, &self.powers);
        let data = &mut self.data;
        self.case.pool.install(|| {
            data.par_chunks_exact_mut(stride << log2_n).for_each(|x| transform(layer, log2_n, powers, x));
        });
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(self.layer.store(&self.data))
    }
}

fn transform<L: Layer>(layer: &L, log2_n: u32, powers: &[L::Word], data: &mut [L::Word]) {
    let (stride, n) = (layer.stride(), 1usize << log2_n);
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - log2_n);
        if i < j {
            let (low, high) = data.split_at_mut(j * stride);
            low[i * stride..(i + 1) * stride].swap_with_slice(&mut high[..stride]);
        }
    }
    let mut scratch = layer.scratch();
    for level in 0..log2_n {
        let half = stride << level;
        let turn = stride << (log2_n - 1 - level);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let pairs = low.chunks_exact_mut(stride).zip(high.chunks_exact_mut(stride));
            for ((a, b), w) in pairs.zip(powers.chunks(turn)) {
                layer.butterfly(a, b, &w[..stride], &mut scratch);
            }
        }
    }
}
