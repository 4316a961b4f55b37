//! The baseline's vectors and transforms, on all threads.

use super::Layer;
use crate::judge::{self, VectorOp};
use crate::measure::Work;
use crate::modulus::Modulus;
use num_bigint::BigUint;
use rayon::prelude::*;

/// `out[i] = a[i] op b[i]`, the vectors cut in as many pieces as there are threads.
pub(crate) struct GmpVector<'a, L: Layer> {
    layer: L,
    pool: &'a rayon::ThreadPool,
    op: VectorOp,
    scalar: Vec<L::Word>,
    a: Vec<L::Word>,
    b: Vec<L::Word>,
    out: Vec<L::Word>,
}

impl<'a, L: Layer> GmpVector<'a, L> {
    pub(crate) fn new(
        layer: L,
        pool: &'a rayon::ThreadPool,
        op: VectorOp,
        scalar: &BigUint,
        a: &[BigUint],
        b: &[BigUint],
    ) -> Self {
        let scalar = layer.load(core::slice::from_ref(scalar));
        let [a, b, out] = [a, b, a].map(|numbers| layer.load(numbers));
        Self { layer, pool, op, scalar, a, b, out }
    }
}

impl<L: Layer> Work for GmpVector<'_, L> {
    fn series(&self) -> &str {
        L::NAME
    }

    fn prepare(&mut self) {
        self.layer.spoil(&mut self.out);
    }

    fn run(&mut self) {
        let stride = self.layer.stride();
        let piece = (self.a.len() / stride).div_ceil(self.pool.current_num_threads()) * stride;
        let (layer, op, scalar) = (&self.layer, self.op, &self.scalar);
        let (out, a, b) = (&mut self.out, &self.a, &self.b);
        self.pool.install(|| {
            let pieces = out.par_chunks_mut(piece).zip(a.par_chunks(piece)).zip(b.par_chunks(piece));
            pieces.for_each(|((out, a), b)| layer.vector(op, scalar, out, a, b));
        });
    }

    fn results(&self) -> Vec<BigUint> {
        self.layer.store(&self.out)
    }
}

/// Transforms in place, each by one thread: radix two, the input put in bit-reversed order first.
pub(crate) struct GmpNtt<'a, L: Layer> {
    layer: L,
    pool: &'a rayon::ThreadPool,
    log2_n: u32,
    powers: Vec<L::Word>,
    inputs: Vec<BigUint>,
    data: Vec<L::Word>,
}

impl<'a, L: Layer> GmpNtt<'a, L> {
    pub(crate) fn new(
        layer: L,
        pool: &'a rayon::ThreadPool,
        modulus: &Modulus,
        log2_n: u32,
        inputs: &[BigUint],
    ) -> Self {
        let powers = judge::powers(&modulus.root(log2_n), 1 << (log2_n - 1), &modulus.q);
        let powers = layer.load(&powers);
        Self { layer, pool, log2_n, powers, inputs: inputs.to_vec(), data: Vec::new() }
    }
}

impl<L: Layer> Work for GmpNtt<'_, L> {
    fn series(&self) -> &str {
        L::NAME
    }

    fn prepare(&mut self) {
        self.data = self.layer.load(&self.inputs);
    }

    fn run(&mut self) {
        let stride = self.layer.stride();
        let (layer, log2_n, powers) = (&self.layer, self.log2_n, &self.powers);
        let data = &mut self.data;
        self.pool.install(|| {
            data.par_chunks_exact_mut(stride << log2_n).for_each(|x| transform(layer, log2_n, powers, x));
        });
    }

    fn results(&self) -> Vec<BigUint> {
        self.layer.store(&self.data)
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
