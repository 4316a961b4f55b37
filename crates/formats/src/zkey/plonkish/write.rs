//! Writes the common parts of Plonk and fflonk keys: wires, polynomials, the header.

use crate::FormatError;
use crate::container::{ContainerWriter, count_u32, widen};
use crate::zkey::write::product;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::{Operator, PlannedCall, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Coeff, Domain, DomainError, Eval, Poly, Source, SourceError};
use pairwright_protocols::plonkish::{Addition, PlonkishKey, ProvingKey};

/// Writes the header of a key; `rest` appends the part after the coset factors of the columns.
pub(in crate::zkey) fn put_header<E: Pairing, K: PlonkishKey<E>>(
    file: &mut ContainerWriter<'_>,
    key: &ProvingKey<E, K>,
    rest: impl FnOnce(&mut Vec<u8>),
) -> Result<(), FormatError> {
    let mut bytes = Vec::new();
    key.vk.factors().iter().for_each(|factor| push(&mut bytes, factor));
    rest(&mut bytes);
    let head = [4, E::Fq::BYTES, 4, E::Fr::BYTES, 20, bytes.len()];
    file.section(2, head.iter().fold(0, |sum, size| sum.saturating_add(widen(*size))))?;
    file.put_modulus::<E::Fq>()?;
    file.put_modulus::<E::Fr>()?;
    let (n, public) = (key.vk.domain().size(), key.vk.public());
    let names = ["wires", "public values", "points of the domain", "additions", "gates"];
    let counts = [key.wires, public, n, key.additions.len(), rows(&key.columns)];
    for (what, count) in names.into_iter().zip(counts) {
        file.put_u32(count_u32(what, count)?)?;
    }
    file.put(&bytes)
}

/// Number of gates of a table with these columns.
fn rows(columns: &[Box<dyn Source<u32>>; 3]) -> usize {
    columns.first().map_or(0, |column| column.len())
}

/// Writes the additions (section 3) and the wires of the columns (sections 4 to 6).
pub(in crate::zkey) fn put_wires<F: PrimeField>(
    file: &mut ContainerWriter<'_>,
    additions: &dyn Source<Addition<F>>,
    columns: &[Box<dyn Source<u32>>; 3],
) -> Result<(), FormatError> {
    let size = widen(F::BYTES).saturating_add(4).saturating_mul(2).saturating_mul(widen(additions.len()));
    file.section(3, size)?;
    file.put_all(additions, |out, addition| {
        out.extend(addition.left.to_le_bytes());
        out.extend(addition.right.to_le_bytes());
        push(out, &addition.left_factor);
        push(out, &addition.right_factor);
    })?;
    for (id, column) in (4..).zip(columns) {
        file.section(id, widen(rows(columns)).saturating_mul(4))?;
        file.put_all(&**column, |out, wire: &u32| out.extend(wire.to_le_bytes()))?;
    }
    Ok(())
}

/// A writer of polynomials with their values at the `4n`-th roots of unity.
pub(in crate::zkey) struct Polynomials<'s, 'd, E: Pairing> {
    on: &'s mut Session<'d, E>,
    domain: Domain<E::Fr>,
    fine: Domain<E::Fr>,
    /// Size in bytes of a polynomial with its values.
    pub(in crate::zkey) bytes: u64,
}

impl<'s, 'd, E: Pairing> Polynomials<'s, 'd, E> {
    pub(in crate::zkey) fn new(
        on: &'s mut Session<'d, E>,
        domain: Domain<E::Fr>,
    ) -> Result<Self, FormatError> {
        let fine = Domain::new(domain.log_size().saturating_add(2)).map_err(no_domain)?;
        // Nine transforms: five selectors, three permutation polynomials and one Lagrange polynomial.
        let (operator, size) = (Operator::Ntt.name(), fine.size().saturating_mul(9));
        on.plan(|| vec![PlannedCall { phase: "write key", operator, size }]);
        let bytes = widen(E::Fr::BYTES).saturating_mul(5).saturating_mul(widen(domain.size()));
        Ok(Self { on, domain, fine, bytes })
    }

    /// Writes a polynomial and its values; returns the values.
    pub(in crate::zkey) fn put(
        &mut self,
        file: &mut ContainerWriter<'_>,
        p: Vec<E::Fr>,
    ) -> Result<Vec<E::Fr>, FormatError> {
        file.put_all(&p, push)?;
        let values = values(self.on, self.fine, p)?;
        file.put_all(&values, push)?;
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
            // L_i(X) = L_0(ω^-i·X): the coefficients are multiplied by powers of ω^-i, and the values are rotated by four
            // positions per step.
            let step = self.domain.root_inverse().pow_vartime(&[widen(i)]);
            let powers = core::iter::successors(Some(first), |x| Some(product(*x, step)));
            file.put_all(&powers.take(n).collect::<Vec<_>>(), push)?;
            values.rotate_right(4);
            file.put_all(&values, push)?;
        }
        Ok(())
    }
}

pub(in crate::zkey) fn push<F: PrimeField>(out: &mut Vec<u8>, x: &F) {
    out.extend(x.to_montgomery().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
}

pub(in crate::zkey) fn all<T>(source: &dyn Source<T>) -> Result<Vec<T>, FormatError> {
    let mut elements = Vec::with_capacity(source.len());
    source.read(0..source.len(), &mut elements)?;
    Ok(elements)
}

/// Computes the values of a polynomial on a larger domain.
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
