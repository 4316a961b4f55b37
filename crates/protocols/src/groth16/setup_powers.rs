//! Setup from powers of tau: everything but δ, which [`super::contribute`] brings in.

use super::combine::sum_vartime;
use super::powers::{Level, Powers, PowersOfTau};
use super::powers_check::{check_level, check_powers};
use super::{ProvingKey, SetupError, VerifyingKey};
use crate::r1cs::{ConstraintSource, R1csError};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use pairwright_curve::{Affine, Curve, Pairing, batch_to_affine};
use pairwright_device::{Entry, KeyEntries, Session, parallel};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, KeySection};
use rand_core::CryptoRng;

/// Makes the initial proving key of a circuit from powers of tau, with `γ = δ = 1`. **Proofs for that key can be
/// forged by anyone**: it becomes a key by [`super::contribute`].
///
/// The powers in use are checked first (see [`super::PowersFault`]); `rng` draws the weights of that check and
/// nothing else, so the key depends on (circuit, powers) alone. Prepared powers are read, others transformed, which
/// takes longer. As in snarkjs, the domain has at least two points, and in a ceremony whose power is exactly the
/// circuit's the last power of the double domain counts as zero: proofs do not need it.
///
/// # Errors
/// When the constraints cannot be read, or the powers are too few, spoilt or unreadable.
#[inline(never)]
pub fn setup_from_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    powers: &dyn PowersOfTau<E>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let shape = system.shape();
    let (wires, public) = (shape.wires, shape.public());
    let domain = Domain::<E::Fr>::covering((shape.constraints + public + 1).max(2))?;
    if domain.log_size() > powers.power() {
        return Err(SetupError::PowersTooFew { needed: domain.log_size(), found: powers.power() });
    }

    on.phase("powers of tau");
    let n = domain.size();
    let loaded = on.host("read_powers", 5 * n, || Powers::load(powers, n))?;
    let checked = check_powers(on, &loaded, rng)?;
    let level = match powers.lagrange() {
        Some(points) => {
            let level = on.host("read_lagrange", 5 * n, || Level::load(&points, n))?;
            check_level(on, &domain, &level, &checked)?;
            level
        }
        None => Level::transform(on, &loaded, &domain)?,
    };
    let (alpha_g1, beta_g1, beta_g2) = (loaded.alpha_tau_g1[0], loaded.beta_tau_g1[0], loaded.beta_g2);
    drop((loaded, checked));

    on.phase("setup");
    let circuit = on.host("read_constraints", shape.constraints, || Circuit::read(system))?;
    let [in_a, in_b, in_c] = [&circuit.a, &circuit.b, &circuit.c];
    let pick = |part: &Columns, i: usize, points: &Buf<_>| circuit.terms(part, i, points);
    let a = on.host("combine_a", wires, || combine(wires, |i| pick(in_a, i, &level.tau_g1)));
    let b_g1 = on.host("combine_b_g1", wires, || combine(wires, |i| pick(in_b, i, &level.tau_g1)));
    let b_g2 = on.host("combine_b_g2", wires, || combine(wires, |i| circuit.terms(in_b, i, &level.tau_g2)));
    let mut ic = on.host("combine_c", wires, || {
        combine(wires, |i| {
            let mut terms = pick(in_a, i, &level.beta_tau_g1);
            terms.extend(pick(in_b, i, &level.alpha_tau_g1));
            terms.extend(pick(in_c, i, &level.tau_g1));
            terms
        })
    });
    let c = ic.split_off(public + 1);
    let (one_g1, one_g2) = (Affine::generator(), Affine::generator());
    Ok(ProvingKey {
        domain,
        wires,
        public,
        vk: VerifyingKey { alpha_g1, beta_g2, gamma_g2: one_g2, delta_g2: one_g2, ic },
        beta_g1,
        delta_g1: one_g1,
        a: KeySection::new(a),
        b_g1: KeySection::new(b_g1),
        b_g2: KeySection::new(b_g2),
        c: KeySection::new(c),
        h: KeySection::new(level.odd.into_vec()),
        coefficients: KeyEntries::new(circuit.key_entries()),
    })
}

/// The matrices by rows as they were read, and by columns as indices into that.
struct Circuit<F> {
    entries: Vec<Entry<F>>,
    a: Columns,
    b: Columns,
    c: Columns,
}

/// The entries of one matrix by column: those of wire `i` are `order[starts[i]..starts[i + 1]]`.
struct Columns {
    starts: Vec<usize>,
    order: Vec<usize>,
}

impl<F: PrimeField> Circuit<F> {
    /// Reads the constraints; after them come rows that tie the constant one and the public wires to A.
    fn read(system: &dyn ConstraintSource<F>) -> Result<Self, SetupError> {
        let shape = system.shape();
        let mut entries = Vec::new();
        system
            .visit(&mut |j, k| {
                for (matrix, side) in [(0, &k.a), (1, &k.b), (2, &k.c)] {
                    let row = j as u32;
                    entries.extend(side.iter().map(|&(column, value)| Entry { matrix, row, column, value }));
                }
                ControlFlow::Continue(())
            })
            .map_err(R1csError::from)?;
        for s in 0..=shape.public() {
            let row = (shape.constraints + s) as u32;
            entries.push(Entry { matrix: 0, row, column: s as u32, value: F::ONE });
        }
        let [a, b, c] = [0, 1, 2].map(|matrix| Columns::of(&entries, matrix, shape.wires));
        Ok(Self { entries, a, b, c })
    }

    /// The coefficients of a wire in one matrix, each with the point of its row.
    fn terms<C: Curve<Scalar = F>>(
        &self,
        columns: &Columns,
        wire: usize,
        points: &Buf<Affine<C>>,
    ) -> Vec<(F, Affine<C>)> {
        let range = columns.starts[wire]..columns.starts[wire + 1];
        columns.order[range]
            .iter()
            .map(|&at| (self.entries[at].value, points[self.entries[at].row as usize]))
            .collect()
    }

    /// What a key holds of the matrices: A and B.
    fn key_entries(mut self) -> Vec<Entry<F>> {
        self.entries.retain(|e| e.matrix < 2);
        self.entries.shrink_to_fit();
        self.entries
    }
}

impl Columns {
    /// A counting sort: stable, so the entries of a column stay in the order of their rows.
    fn of<F>(entries: &[Entry<F>], matrix: u32, wires: usize) -> Self {
        let mut starts = vec![0usize; wires + 1];
        let mine = || entries.iter().enumerate().filter(|(_, e)| e.matrix == matrix);
        mine().for_each(|(_, e)| starts[e.column as usize + 1] += 1);
        for i in 0..wires {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut order = vec![0usize; starts[wires]];
        for (at, e) in mine() {
            let slot = &mut next[e.column as usize];
            order[*slot] = at;
            *slot += 1;
        }
        Self { starts, order }
    }
}

/// Wires that share an inversion.
const CHUNK: usize = 256;

/// The sum of every wire's terms. Most wires have one term, whose coefficient is one: it is the sum.
fn combine<C: Curve>(
    wires: usize,
    terms: impl Fn(usize) -> Vec<(C::Scalar, Affine<C>)> + Sync,
) -> Vec<Affine<C>> {
    let parts = parallel::map((0..wires).step_by(CHUNK), |_, first| {
        let range = first..wires.min(first + CHUNK);
        let mut points = vec![Affine::INFINITY; range.len()];
        let (mut places, mut sums) = (Vec::new(), Vec::new());
        for (i, point) in range.zip(&mut points) {
            match terms(i).as_slice() {
                [] => {}
                [(k, p)] if *k == C::Scalar::ONE => *point = *p,
                [(k, p)] if *k == -C::Scalar::ONE => *point = -*p,
                terms => {
                    places.push(point);
                    sums.push(sum_vartime(terms));
                }
            }
        }
        places.into_iter().zip(batch_to_affine(&sums)).for_each(|(place, sum)| *place = sum);
        points
    });
    parts.concat()
}
