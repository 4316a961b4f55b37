//! The replacement of the module `lanes` on targets without AVX-512. Its types have no values, so their functions are never called.

pub(crate) mod memory;

/// Declares a type over a field without values: `new` returns `None`, and the other functions cannot be called.
macro_rules! absent {
    ($name:ident($($new:ty),*); $($function:ident($($argument:ty),*) -> $result:ty;)+) => {
        /// A type without values, since this target has no lanes.
        #[derive(Clone, Copy)]
        pub(crate) struct $name<F> {
            none: core::convert::Infallible,
            of: core::marker::PhantomData<F>,
        }

        impl<F: PrimeField> $name<F> {
            /// Returns `None`, as this target has no lanes.
            pub(crate) fn new($(_: $new),*) -> Option<Self> {
                None
            }
            $(
                /// Cannot be called: the type has no values.
                pub(crate) fn $function(&self, $(_: $argument),*) -> $result {
                    match self.none {}
                }
            )+
        }
    };
}

pub(crate) mod dispatch {
    use crate::msm::routines::Routines;
    use crate::pairing::loops::Loops;
    use pairwright_curve::{Curve, Pairing};

    /// Returns `None`, as this target has no lanes.
    pub(crate) fn routines<C: Curve>() -> Option<Routines<C>> {
        None
    }

    /// Returns `None`, as this target has no lanes.
    pub(crate) fn loops<E: Pairing>() -> Option<Loops<E>> {
        None
    }
}

pub(crate) mod keccak {
    use pairwright_hash::Digest;

    /// Hashes no nodes and returns zero.
    pub(crate) fn nodes(_: &[Digest], _: &mut [Digest]) -> usize {
        0
    }
}

pub(crate) mod ntt {
    use pairwright_field::PrimeField;

    /// The plan of a transform in lanes. The type has no values on this target.
    pub(crate) enum NttPlan {}

    impl NttPlan {
        /// Returns `None`, as this target has no lanes.
        pub(crate) fn new<F: PrimeField>(_: u32, _: F, _: F, _: [F; 2]) -> Option<Self> {
            None
        }
    }

    /// The scratch memory of transforms in lanes, which is empty on this target.
    #[derive(Default)]
    pub(crate) struct NttScratch(());

    /// Cannot be called, because no plan exists on this target.
    pub(crate) fn transform<F: PrimeField>(_: &mut [F], plan: &NttPlan, _: &NttScratch) {
        match *plan {}
    }
}

pub(crate) mod poseidon {
    use pairwright_field::PrimeField;
    use pairwright_hash::Poseidon;

    absent! {
        Hashes(&Poseidon<F>);
        nodes(&[F], &mut [F]) -> usize;
    }
}

pub(crate) mod sumcheck {
    use pairwright_field::PrimeField;

    absent! {
        RoundsInLanes(usize);
        sums(&[&[usize]], &[&[F]], usize) -> (Vec<F>, usize);
    }
}

pub(crate) mod tree {
    use pairwright_field::PrimeField;

    /// A factor that is never used.
    #[derive(Clone, Copy)]
    pub(crate) struct Factor;

    absent! {
        Nodes();
        factor(F) -> Factor;
        products(&[F], &mut [F]) -> usize;
        lines(&Factor, &[F], &mut [F]) -> usize;
        halve(&Factor, &mut [F]) -> usize;
        splits(&Factor, &[F], &mut [F]) -> usize;
    }
}

pub(crate) mod vectors {
    use pairwright_field::PrimeField;

    /// Number of rows of a scan.
    pub(crate) const ROWS: usize = 16;

    /// The scratch memory of an inversion, which is empty on this target.
    pub(crate) type InvertScratch = Vec<core::convert::Infallible>;

    absent! {
        VectorsInLanes();
        multiply(&mut [F], &[F]) -> usize;
        multiply_subtract(&mut [F], &[F], &[F]) -> usize;
        scale(&mut [F], F) -> usize;
        add_multiple(&mut [F], F, &[F]) -> usize;
        powers(&mut [F], F, F) -> usize;
        evaluate(&[F], F) -> F;
        product(&[F]) -> F;
        invert(&mut [F], &mut InvertScratch) -> usize;
        products_before(&mut [F], &[F; ROWS]) -> ();
        magnitudes(&[F], &mut [&mut [u64]], &mut [bool]) -> usize;
        values_above(&mut [F], F, &[F; ROWS]) -> ();
    }
}
