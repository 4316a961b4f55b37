//! The columns of a table of gates, filled with the values of a witness, and the running product of their permutation.

use super::prover::{Prover, Tables};
use super::quotient::DomainCoset;
use super::{Addition, LEAST_ROWS, ProveError};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::parallel;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Coeff, Pages, Source};

impl<E: Pairing> Prover<'_, '_, E> {
    /// Computes the values of the columns a, b and c on the domain.
    pub(crate) fn columns(&mut self, witness: &Buf<E::Fr>) -> Result<[Buf<E::Fr>; 3], ProveError> {
        let (key, n) = (&self.key, self.key.domain.size());
        let additions = key.additions.len();
        let values = self.on.host("additions", additions, || Wires::new(key, witness.host()?))?;
        let rows = key.columns.first().map_or(0, |column| column.len());
        self.on.host("read_wires", rows, || {
            let [a, b, c] = &key.columns;
            let column = |part, wires: &dyn Source<u32>| column(part, wires, &values, n);
            Ok([
                column("wires of column a", &**a)?,
                column("wires of column b", &**b)?,
                column("wires of column c", &**c)?,
            ])
        })
    }

    /// Computes the coefficients of the running product for the challenges `[β, γ]`: it is one in the first row, and each row
    /// multiplies it by `Π (w + β·k·ω^i + γ) / Π (w + β·S(ω^i) + γ)`.
    pub(crate) fn running_product(
        &mut self,
        columns: [Buf<E::Fr>; 3],
        challenges: [E::Fr; 2],
    ) -> Result<Buf<E::Fr>, ProveError> {
        let one = E::Fr::ONE;
        let [mut above, mut below] =
            self.cells(columns, challenges, DomainCoset { shift: one, power: one })?;
        self.on.invert(&mut below)?;
        self.on.mul(&mut above, below.view())?;
        drop(below);
        if self.on.prefix_products(&mut above)? != one {
            return Err(ProveError::KeyPermutation);
        }
        self.interpolated(above)
    }

    /// Finds the first gate that a witness does not satisfy, when it is known that the constraints do not vanish. If every gate holds,
    /// the error is that the key's permutation is wrong.
    pub(crate) fn unsatisfied(
        &mut self,
        witness: &Buf<E::Fr>,
        public: &[E::Fr],
    ) -> Result<ProveError, ProveError> {
        let columns = self.columns(witness)?;
        let mut selectors = Vec::new();
        for index in 0..5 {
            let q = self.selector(index)?;
            let p = self.poly::<Coeff>(q)?;
            selectors.push(self.on.ntt(p)?.into_buf());
        }
        let holds = |i: usize| {
            let [a, b, c] = [0, 1, 2].map(|column: usize| columns[column][i]);
            let [qm, ql, qr, qo, qc] = [0, 1, 2, 3, 4].map(|index: usize| selectors[index][i]);
            let input = public.get(i).copied().unwrap_or(E::Fr::ZERO);
            qm * a * b + ql * a + qr * b + qo * c + qc == input
        };
        let gate = (0..self.key.domain.size()).find(|i| !holds(*i));
        Ok(gate.map_or(ProveError::KeyPermutation, |gate| ProveError::Unsatisfied { gate }))
    }
}

/// The values of all wires: zero for wire 0, then those of the witness, then those of the additions.
struct Wires<'a, F> {
    witness: &'a [F],
    added: Vec<F>,
}

impl<'a, F: PrimeField> Wires<'a, F> {
    fn new(key: &Tables<'_, F>, witness: &'a [F]) -> Result<Self, ProveError> {
        let mut wires = Self { witness, added: Vec::with_capacity(key.additions.len()) };
        let mut some: Vec<Addition<F>> = Vec::new();
        for start in (0..key.additions.len()).step_by(CHUNK) {
            some.clear();
            key.additions.read(start..key.additions.len().min(start + CHUNK), &mut some)?;
            for (i, addition) in some.iter().enumerate() {
                let value = |wire| wires.value("additions", start + i, wire);
                let left = addition.left_factor * value(addition.left)?;
                let sum = left + addition.right_factor * value(addition.right)?;
                wires.added.push(sum);
            }
        }
        Ok(wires)
    }

    /// The value of `wire`; `part` and `index` say where the key names it, for the error if there is no such wire.
    fn value(&self, part: &'static str, index: usize, wire: u32) -> Result<F, ProveError> {
        let found = match (wire as usize).checked_sub(self.witness.len()) {
            _ if wire == 0 => Some(&F::ZERO),
            None => self.witness.get(wire as usize),
            Some(at) => self.added.get(at),
        };
        let wires = self.witness.len() + self.added.len();
        found.copied().ok_or(ProveError::NoSuchWire { part, index, wire, wires })
    }
}

/// Number of elements that are read at a time.
const CHUNK: usize = 1 << 12;

/// The values of a column's wires, padded with zeros to `n` rows.
fn column<F: PrimeField>(
    part: &'static str,
    wires: &dyn Source<u32>,
    values: &Wires<'_, F>,
    n: usize,
) -> Result<Buf<F>, ProveError> {
    let column = Pages::of_pieces(n, CHUNK, |pieces| {
        parallel::try_map(pieces, |i, piece| {
            let (start, mut some) = (i * CHUNK, Vec::new());
            let rows = start..wires.len().min(start + piece.len());
            if !rows.is_empty() {
                wires.read(rows, &mut some)?;
            }
            let cells = some.iter().enumerate().map(|(i, wire)| values.value(part, start + i, *wire));
            let mut cells = cells.collect::<Result<Vec<F>, _>>()?;
            cells.resize(piece.len(), F::ZERO);
            piece.write(&cells);
            Ok::<_, ProveError>(())
        })
        .map(drop)
    })?;
    Ok(column.into())
}

/// Fails unless the lengths of the parts of a key and of a witness fit together: the table has at most `most_rows` gates, and the
/// number `found` of powers of τ is `powers`.
pub(crate) fn check_shapes<F: PrimeField>(
    key: &Tables<'_, F>,
    witness: &Buf<F>,
    most_rows: usize,
    (powers, found): (usize, usize),
) -> Result<(), ProveError> {
    let expected = key.wires.saturating_sub(key.additions.len());
    if witness.len() != expected {
        return Err(ProveError::WitnessLength { expected, found: witness.len() });
    }
    if witness.first() != Some(&F::ONE) {
        return Err(ProveError::NoConstantOne);
    }
    let n = key.domain.size();
    let [a, b, c] = key.columns;
    let rows = a.len();
    let mut parts = vec![
        ("wires of column b", rows, b.len()),
        ("wires of column c", rows, c.len()),
        ("powers of tau", powers, found),
    ];
    parts.extend(key.selectors.iter().map(|q| ("selector", n, q.len())));
    parts.extend(key.sigmas.iter().map(|s| ("permutation", n, s.len())));
    for (part, expected, found) in parts {
        if expected != found {
            return Err(ProveError::KeyShape { part, expected, found });
        }
    }
    if rows > most_rows || n < LEAST_ROWS {
        return Err(ProveError::KeyShape { part: "wires of column a", expected: most_rows, found: rows });
    }
    if key.public > rows || key.public >= witness.len() {
        return Err(ProveError::KeyShape {
            part: "public values",
            expected: rows.min(witness.len() - 1),
            found: key.public,
        });
    }
    Ok(())
}
