//! Function-hiding inner-product encryption, decryption only: Kim, Lewi, Mandal, Montgomery, Roy and Wu (ePrint
//! 2016/440, §3).
//!
//! The chip computes the base `e(K1, C1)` and its power `∏ e(K2,i, C2,i)`. The inner product, which is the discrete
//! logarithm of the power, is searched outside. Points are given affine; the loader reads and checks them.

use super::pairing::Pair;
use super::points::affine_rows;
use super::{Bank, Builder, Chain, Inputs, RunError, product};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_curve::bls12_381::{Fq, Fq12, G1, G2};
use pairwright_curve::{Affine, Curve};

/// Largest dimension of one run, limited by the fifteen rows of the global bank for each entry. A larger product is
/// split into several runs of [`product::product_vartime`].
pub const MOST: usize = 12;

/// Decrypts ciphertexts of the given dimension. Constant time.
///
/// Regions: `key` (2 rows for `K1` and for each entry of `K2`, affine, `(0, 0)` for infinity), `ciphertext` (as many, of `C1` and
/// `C2`, none of them infinity: see [`inputs`]); `base` and `result` (6 rows each).
///
/// # Errors
/// Dimension zero or above [`MOST`], or the program does not fit the machine.
pub fn decryption(
    dimension: usize,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    if !(1..=MOST).contains(&dimension) {
        return Err(CompileError::Count { what: "entries", found: dimension, most: MOST });
    }
    let mut b = Builder::new(product::routines());
    let points = dimension as u8 + 1;
    let (key, ciphertext) = (b.region("key", 2 * points), b.region("ciphertext", 2 * points));
    let (base, result) = (b.region("base", 6), b.region("result", 6));
    let pair = |i: u8| Pair { p: key.part(2 * i, 2), q: ciphertext.part(2 * i, 2) };
    b.finite_pairings(&[pair(0)], base);
    b.finite_pairings(&(1..points).map(pair).collect::<Vec<_>>(), result);
    Ok(b.finish(spec, options)?.into())
}

/// The input regions of [`decryption`]: `K1` and `K2` in G1, `C1` and `C2` in G2, of one dimension. If a point of the
/// ciphertext is infinity, which a random one is not, its pair is replaced by infinity and the generator, whose pairing
/// is one.
pub fn inputs(key: &[Affine<G1>], ciphertext: &[Affine<G2>]) -> Inputs<Fq> {
    let pairs = key.iter().zip(ciphertext).map(|(k, c)| {
        let (k, c) = if c.is_infinity() { (&Affine::INFINITY, &G2::GENERATOR) } else { (k, c) };
        (affine_rows(k), affine_rows(c))
    });
    let (key, ciphertext): (Vec<_>, Vec<_>) = pairs.unzip();
    vec![("key", key.concat()), ("ciphertext", ciphertext.concat())]
}

/// The base, and its power by the inner product.
///
/// # Errors
/// The bank does not have these regions.
pub fn values(bank: &Bank<Fq>) -> Result<[Fq12; 2], RunError> {
    Ok([product::target(bank, "base")?, product::target(bank, "result")?])
}
