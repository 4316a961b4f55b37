//! Writes a Plonk `.zkey`, section by section in the order of snarkjs: the header last.
//!
//! A key of fflonk has the same wires and polynomials, so that what is written of them is here for both.

use super::header::FORMAT;
use crate::FormatError;
use crate::container::{ContainerWriter, count_u32, widen};
use crate::points::{point_bytes, push_point, put_points};
use crate::zkey::Secrets;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::{Operator, PlannedCall, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Coeff, Domain, DomainError, Eval, Poly, Source, SourceError};
use pairwright_protocols::plonk::{Addition, ProvingKey};
use std::io::Write;

/// Elements written at a time.
const CHUNK: usize = 1 << 12;

/// Writes a key as snarkjs writes it, byte for byte; one whose τ was drawn in one place has a further section, which says so. Every polynomial is followed by its values at the `4n`-th roots of unity,
/// which the session computes one polynomial after the other: memory for `5n` elements is taken. snarkjs needs them; we
/// never read them.
///
/// # Errors
/// When a source cannot be read, a count does not fit the format, a device or `out` fails.
#[inline(never)]
pub fn write_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    secrets: Secrets,
) -> Result<(), FormatError> {
    on.phase("write key");
    let (n, public) = (key.vk.domain.size(), key.vk.public);
    let mut file = ContainerWriter::new(out, &FORMAT, secrets.sections(14))?;
    put_wires(&mut file, &*key.additions, &key.columns)?;
    let mut polynomials = Polynomials::new(on, key.vk.domain)?;
    for (id, selector) in (7..).zip(&key.selectors) {
        file.section(id, polynomials.bytes)?;
        polynomials.put(&mut file, all(selector.as_ref())?)?;
    }
    file.section(12, polynomials.bytes.saturating_mul(3))?;
    for sigma in &key.sigmas {
        polynomials.put(&mut file, all(sigma.as_ref())?)?;
    }
    polynomials.put_lagrange(&mut file, 13, public.max(1))?;

    file.section(14, widen(key.powers.len()).saturating_mul(widen(point_bytes::<E::G1>())))?;
    put_points(&mut file, key.powers.as_ref())?;

    file.section(1, 4)?;
    file.put_u32(2)?;
    let mut points = Vec::new();
    push(&mut points, &key.vk.k1);
    push(&mut points, &key.vk.k2);
    key.vk.selectors.iter().chain(&key.vk.sigmas).for_each(|p| push_point(&mut points, p));
    push_point(&mut points, &key.vk.x_2);
    let head = [4, E::Fq::BYTES, 4, E::Fr::BYTES, 20, points.len()];
    file.section(2, head.iter().fold(0, |sum, size| sum.saturating_add(widen(*size))))?;
    file.put_modulus::<E::Fq>()?;
    file.put_modulus::<E::Fr>()?;
    put_counts(&mut file, [key.wires, public, n, key.additions.len(), rows(&key.columns)])?;
    file.put(&points)?;
    secrets.put(&mut file)?;
    file.finish()
}

/// Writes the wires, the public values, the points of the domain, the additions and the gates of a header.
pub(in crate::zkey) fn put_counts(
    file: &mut ContainerWriter<'_>,
    counts: [usize; 5],
) -> Result<(), FormatError> {
    let names = ["wires", "public values", "points of the domain", "additions", "gates"];
    for (what, count) in names.into_iter().zip(counts) {
        file.put_u32(count_u32(what, count)?)?;
    }
    Ok(())
}

/// Number of gates of a table with these columns.
pub(in crate::zkey) fn rows(columns: &[Box<dyn Source<u32>>; 3]) -> usize {
    columns.first().map_or(0, |column| column.len())
}

/// Writes the additions and the wires of the columns: sections 3 to 6.
pub(in crate::zkey) fn put_wires<F: PrimeField>(
    file: &mut ContainerWriter<'_>,
    additions: &dyn Source<Addition<F>>,
    columns: &[Box<dyn Source<u32>>; 3],
) -> Result<(), FormatError> {
    let size = widen(F::BYTES).saturating_add(4).saturating_mul(2).saturating_mul(widen(additions.len()));
    file.section(3, size)?;
    put(file, additions, |out, addition| {
        out.extend(addition.left.to_le_bytes());
        out.extend(addition.right.to_le_bytes());
        push(out, &addition.left_factor);
        push(out, &addition.right_factor);
    })?;
    for (id, column) in (4..).zip(columns) {
        file.section(id, widen(rows(columns)).saturating_mul(4))?;
        put(file, &**column, |out, wire: &u32| out.extend(wire.to_le_bytes()))?;
    }
    Ok(())
}

/// Polynomials with their values at the `4n`-th roots of unity, as they are written.
pub(in crate::zkey) struct Polynomials<'s, 'd, E: Pairing> {
    on: &'s mut Session<'d, E>,
    domain: Domain<E::Fr>,
    fine: Domain<E::Fr>,
    /// What a polynomial and its values take.
    pub(in crate::zkey) bytes: u64,
}

impl<'s, 'd, E: Pairing> Polynomials<'s, 'd, E> {
    pub(in crate::zkey) fn new(
        on: &'s mut Session<'d, E>,
        domain: Domain<E::Fr>,
    ) -> Result<Self, FormatError> {
        let fine = Domain::new(domain.log_size().saturating_add(2)).map_err(no_domain)?;
        // Selectors, the permutation and a Lagrange polynomial.
        let (operator, size) = (Operator::Ntt.name(), fine.size().saturating_mul(9));
        on.plan(|| vec![PlannedCall { phase: "write key", operator, size }]);
        let bytes = widen(E::Fr::BYTES).saturating_mul(5).saturating_mul(widen(domain.size()));
        Ok(Self { on, domain, fine, bytes })
    }

    /// Writes a polynomial and its values; gives the values.
    pub(in crate::zkey) fn put(
        &mut self,
        file: &mut ContainerWriter<'_>,
        p: Vec<E::Fr>,
    ) -> Result<Vec<E::Fr>, FormatError> {
        put(file, &p, push)?;
        let values = values(self.on, self.fine, p)?;
        put(file, &values, push)?;
        Ok(values)
    }

    /// Writes a section of the first `count` Lagrange polynomials.
    pub(in crate::zkey) fn put_lagrange(
        &mut self,
        file: &mut ContainerWriter<'_>,
        id: u32,
        count: usize,
    ) -> Result<(), FormatError> {
        file.section(id, self.bytes.saturating_mul(widen(count)))?;
        let (n, first) = (self.domain.size(), self.domain.size_inverse());
        let mut values = self.put(file, vec![first; n])?;
        for i in 1..count {
            // L_i(X) = L_0(ω^-i·X): the coefficients times powers of ω^-i, the values four places further.
            let step = self.domain.root_inverse().pow_vartime(&[widen(i)]);
            let powers = core::iter::successors(Some(first), |x| Some(product(*x, step)));
            put(file, &powers.take(n).collect::<Vec<_>>(), push)?;
            values.rotate_right(4);
            put(file, &values, push)?;
        }
        Ok(())
    }
}

/// The product of two elements.
#[inline]
#[cfg_attr(not(test), expect(clippy::arithmetic_side_effects, reason = "field arithmetic does not overflow"))]
fn product<F: Field>(a: F, b: F) -> F {
    a * b
}

pub(in crate::zkey) fn push<F: PrimeField>(out: &mut Vec<u8>, x: &F) {
    out.extend(x.to_montgomery().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
}

/// Writes the elements of a source.
pub(in crate::zkey) fn put<T>(
    file: &mut ContainerWriter<'_>,
    source: &dyn Source<T>,
    encode: impl Fn(&mut Vec<u8>, &T),
) -> Result<(), FormatError> {
    let (len, mut start) = (source.len(), 0);
    let (mut elements, mut bytes) = (Vec::new(), Vec::new());
    while start < len {
        let end = len.min(start.saturating_add(CHUNK));
        elements.clear();
        bytes.clear();
        source.read(start..end, &mut elements)?;
        elements.iter().for_each(|element| encode(&mut bytes, element));
        file.put(&bytes)?;
        start = end;
    }
    Ok(())
}

pub(in crate::zkey) fn all<T>(source: &dyn Source<T>) -> Result<Vec<T>, FormatError> {
    let mut elements = Vec::with_capacity(source.len());
    source.read(0..source.len(), &mut elements)?;
    Ok(elements)
}

/// The values of a polynomial on a larger domain.
fn values<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: Domain<E::Fr>,
    mut p: Vec<E::Fr>,
) -> Result<Vec<E::Fr>, FormatError> {
    p.resize(domain.size(), E::Fr::ZERO);
    let failed = |why| FormatError::Source(SourceError(Box::new(why)));
    let Some(p) = Poly::<_, Coeff>::new(domain, Buf::from(p)) else { return Ok(Vec::new()) };
    let values: Poly<_, Eval> = on.ntt(p).map_err(failed)?;
    Ok(values.into_buf().into_vec())
}

fn no_domain(why: DomainError) -> FormatError {
    FormatError::Source(SourceError(Box::new(why)))
}
