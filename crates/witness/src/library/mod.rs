//! Replaces circom's field functions by faster ones with 64-bit words, and merges runs of copies.
//!
//! circom writes a library of functions into each calculator: elements of 256 bits in linear memory, products by Montgomery's
//! reduction, everything with 32-bit words. Before a module is compiled, some of these functions get other bodies, with 64-bit
//! words and WebAssembly's wide arithmetic, and with shortcuts for 0, 1 and small numbers, which most values of a circuit on
//! bits are. They read the same operands and write the same results, down to the bit, at the same addresses, within the same
//! sandbox.
//!
//! A function is recognised by its shape: the digest of its instructions and of the functions it calls. Its constants have to
//! be those of its modulus, which is read from the module's data. A function that is not recognised stays as it is. Functions
//! that nothing calls, of which the library has many, get an empty body. The new bodies do not write the scratch memory of
//! circom's reductions, which nothing else reads.
//!
//! The result is validated before it is compiled, like any other module. The interpreter runs circom's original module.

mod bodies;
mod copies;
mod instruction;
mod module;
mod shape;
#[cfg(test)]
mod tests;
mod writer;

use crate::bytes::Bytes;
use bodies::Modulus;
use module::Module;
use shape::{Shape, Shapes};
use std::collections::BTreeMap;

/// Number of functions of a module that are examined: circom writes the library first, about 90 functions.
const LIBRARY: usize = 128;
/// A body that is never reached: no locals, `unreachable`, `end`.
const NOTHING: &[u8] = &[0, 0, 0x0b];

/// A library function that gets another body, or another beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LibraryFunction {
    /// circom's `Fr_int_add`: a sum of integers with its carry.
    IntegerSum,
    /// circom's `Fr_int_sub`: a difference of integers with its borrow.
    IntegerDifference,
    /// circom's `Fr_int_mul`: a product of integers.
    IntegerProduct,
    /// circom's `Fr_F1m_add`: a sum modulo q.
    Sum,
    /// circom's `Fr_F1m_sub`: a difference modulo q.
    Difference,
    /// circom's `Fr_F1m_mul`: a Montgomery product.
    Product,
    /// circom's `Fr_F1m_square`: a Montgomery square.
    Square,
    /// circom's `Fr_F1m_toMontgomery`: a product with R.
    ToMontgomery,
    /// circom's `Fr_F1m_fromMontgomery`: a quotient by R.
    FromMontgomery,
    /// circom's `Fr_toInt`: the low 32 bits of a number.
    LowBits,
    /// circom's `Fr_eq` and the other comparisons: the instruction for 32-bit numbers.
    Comparison(u8),
}

/// The digest of each function's shape, for primes of 256 bits, with the function and the index of the modulus among its
/// addresses.
const KNOWN: [(u64, LibraryFunction, usize); 16] = [
    (0x1454_58c1_403e_810d, LibraryFunction::IntegerSum, 0),
    (0xeebd_8dc8_3ad9_46b1, LibraryFunction::IntegerDifference, 0),
    (0xb4bc_69cf_8f79_96e8, LibraryFunction::IntegerProduct, 0),
    (0x70e2_4704_c275_9731, LibraryFunction::Sum, 0),
    (0xcdc1_a652_defd_9d24, LibraryFunction::Difference, 0),
    (0x2c05_231c_559c_045f, LibraryFunction::Product, 0),
    (0x61d3_7064_6233_3d71, LibraryFunction::Square, 0),
    (0x9aa7_2b1a_d0e1_1d24, LibraryFunction::ToMontgomery, 1),
    (0xfb02_0442_79ce_f23b, LibraryFunction::FromMontgomery, 2),
    (0x7c21_117a_61f1_1b76, LibraryFunction::LowBits, 2),
    (0x4759_8d50_40c9_b5c4, LibraryFunction::Comparison(0x46), 1),
    (0x5378_229f_8110_db63, LibraryFunction::Comparison(0x47), 1),
    (0xdd1e_0fa1_2542_95aa, LibraryFunction::Comparison(0x48), 1),
    (0x4a96_7e0b_bfdb_d342, LibraryFunction::Comparison(0x4a), 1),
    (0xa4c6_d099_dfad_fafc, LibraryFunction::Comparison(0x4c), 1),
    (0x6099_a302_40ff_2c46, LibraryFunction::Comparison(0x4e), 1),
];
/// The digest of `Fr_copy`.
const COPY: u64 = 0x1c9f_c86d_c2eb_6a2c;

/// The module with replaced functions; `None` if no function was recognised.
pub(crate) fn optimised(wasm: &[u8]) -> Option<Vec<u8>> {
    let module = Module::read(wasm)?;
    let (known, copy) = recognised(&module);
    if known.is_empty() {
        return None;
    }
    let mut bodies: BTreeMap<usize, Vec<u8>> =
        known.into_iter().map(|(function, (_, body))| (function, body)).collect();
    let run = module.next()?;
    if let Some(copy) = copy {
        for function in module.imported..run {
            if let Some(body) = module.body(function).and_then(|body| copies::gathered(body, copy, run)) {
                bodies.entry(function).or_insert(body);
            }
        }
    }
    let copies = copies::run();
    bodies.insert(run, copies);
    let body = |function| bodies.get(&function).map(|body| Bytes(body)).or_else(|| module.body(function));
    let reached = module.reached(body);
    let is_reached = |function| reached.as_ref().is_none_or(|reached| reached.get(function) != Some(&false));
    module.with_bodies(|function| {
        let body = body(function).filter(|_| is_reached(function));
        body.map_or(NOTHING, |body| body.0)
    })
}

/// The recognised functions with their new bodies, by index, and the index of `Fr_copy`.
fn recognised(module: &Module<'_>) -> (BTreeMap<usize, (LibraryFunction, Vec<u8>)>, Option<usize>) {
    let (mut shapes, mut copy) = (Shapes::new(module), None);
    let mut known = BTreeMap::new();
    for function in (module.imported..).take(module.bodies.len().min(LIBRARY)) {
        let Some(shape) = shapes.of(function) else { continue };
        if shape.digest == COPY {
            copy = Some(function);
        }
        if let Some(found) = replacement(module, function, &shape) {
            known.insert(function, found);
        }
    }
    (known, copy)
}

/// The recognised function and its new body, if the function's constants are those of its modulus.
fn replacement(module: &Module<'_>, function: usize, shape: &Shape) -> Option<(LibraryFunction, Vec<u8>)> {
    let &(_, known, modulus) = KNOWN.iter().find(|(digest, ..)| *digest == shape.digest)?;
    match known {
        LibraryFunction::IntegerSum => return Some((known, bodies::integer_sum())),
        LibraryFunction::IntegerDifference => return Some((known, bodies::integer_difference())),
        LibraryFunction::IntegerProduct => return Some((known, bodies::integer_product())),
        _ => {}
    }
    let constant = |index: usize| module.constant(*shape.addresses.get(index)?);
    let modulus = Modulus::new(constant(modulus)?)?;
    // circom's 32-bit words need only the lower half of the inverse.
    let half = i64::try_from(modulus.inverse & 0xffff_ffff).ok()?;
    if shape.constants.iter().any(|&constant| constant != half) {
        return None;
    }
    let circom = module.body(function)?;
    let body = match known {
        LibraryFunction::Sum => bodies::sum(&modulus),
        LibraryFunction::Difference => bodies::difference(&modulus),
        LibraryFunction::Product => bodies::product(&modulus),
        LibraryFunction::Square => bodies::square(&modulus),
        LibraryFunction::FromMontgomery => bodies::from_montgomery(&modulus),
        LibraryFunction::ToMontgomery if constant(0)? == modulus.square => {
            bodies::to_montgomery(&modulus, circom)?
        }
        LibraryFunction::LowBits if constant(4)? == modulus.half() => bodies::low_bits(circom)?,
        LibraryFunction::Comparison(instruction) => bodies::comparison(instruction, circom)?,
        _ => return None,
    };
    Some((known, body))
}
