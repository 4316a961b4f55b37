//! Twiddle factors: one table per domain, one per coset shift, and a small cache of both.
//!
//! A transform over `x^N - g^N` splits `x^{2J} - c² = (x^J - c)(x^J + c)` until `J = 1`. With the factors kept in
//! bit-reversed order, stage `m` (of `m` blocks) needs one factor per block:
//!
//! - on the domain itself, `T[i] = ω^brv(i)` for `i < m`: a prefix of one table serves every stage and every
//!   smaller domain;
//! - on the coset `g·⟨ω⟩`, `S[m + i] = g^(N/2m)·ω^brv(i)`: the powers of the shift are merged into the twiddles
//!   ([CP] Algorithm 2), so no pass of N products by `g^i` is needed. For the odd coset, `g² = ω`, this is the
//!   continuation of `T` to the double domain, `S[j] = ω_2N^brv(j)`.
//!
//! The inverses of the factors in bit-reversed order are the negated factors of the same table, read backwards within each stage:
//! `ω_2m^-brv(i) = -ω_2m^brv(i')`, see [`inverse_index`]. So inverse transforms need no table of their own.

use crate::lanes::ntt::NttPlan;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of tables of each kind that a cache keeps.
const KEPT: usize = 4;
/// Number of elements that one task computes when a table is built.
const CHUNK: usize = 1 << 10;

/// The index of the negated inverse of the factor with index `i > 0`: `ω^-brv(i) = -ω^brv(inverse_index(i))`.
///
/// For `m <= i < 2m` (`m` a power of two) and `ω` of order `4m`, `brv(i) = 2·brv_m(i - m) + 1` is odd, and
/// `-ω^-e = ω^(2m - e)` with `2m - e = 2·(m - 1 - brv_m(i - m)) + 1`, where complementing commutes with reversing.
#[inline(always)]
pub(super) fn inverse_index(i: usize) -> usize {
    3 * (1 << i.ilog2()) - 1 - i
}

/// The factors of one domain; each table is made when it is first used.
pub(super) struct Tables<F> {
    log_n: u32,
    root: F,
    /// The inverse `n^-1` of the domain's size.
    pub(super) n_inverse: F,
    plain: OnceLock<Vec<F>>,
    odd: OnceLock<Vec<F>>,
    lanes: LaneTwiddles,
}

/// Plans of transforms in lanes; `None` without lanes.
#[derive(Default)]
struct LaneTwiddles {
    forward: OnceLock<Option<NttPlan>>,
    inverse: OnceLock<Option<NttPlan>>,
    scaled: OnceLock<Option<NttPlan>>,
}

impl<F: PrimeField> Tables<F> {
    fn new(domain: &Domain<F>) -> Self {
        Self {
            log_n: domain.log_size(),
            root: domain.root(),
            n_inverse: domain.size_inverse(),
            plain: OnceLock::new(),
            odd: OnceLock::new(),
            lanes: LaneTwiddles::default(),
        }
    }

    /// The inverse of the root: its power by the order minus one.
    fn root_inverse(&self) -> F {
        self.root.pow_vartime(&[(1u64 << self.log_n) - 1])
    }

    /// The plan of the domain's transform in lanes.
    pub(super) fn lanes(&self, inverse: bool) -> Option<&NttPlan> {
        let ones = [F::ONE; 2];
        if inverse {
            self.lanes.inverse.get_or_init(|| self.inverse_plan(F::ONE)).as_ref()
        } else {
            self.lanes.forward.get_or_init(|| NttPlan::new(self.log_n, self.root, F::ONE, ones)).as_ref()
        }
    }

    /// The plan of the inverse transform in lanes that multiplies coefficient `j` by `shift^j`, for one shift.
    pub(super) fn scaled_lanes(&self, shift: F) -> Option<&NttPlan> {
        self.lanes.scaled.get_or_init(|| self.inverse_plan(shift)).as_ref()
    }

    fn inverse_plan(&self, shift: F) -> Option<NttPlan> {
        NttPlan::new(self.log_n, self.root_inverse(), self.n_inverse, [F::ONE, shift])
    }

    /// The table `T[i] = ω^brv(i)` for `i < N/2`.
    pub(super) fn plain(&self) -> &[F] {
        self.plain.get_or_init(|| {
            let half = (1usize << self.log_n) / 2;
            let mut plain = vec![F::ONE; half.max(1)];
            // roots[k] has order 2^(log_n - k).
            let roots: Vec<F> = core::iter::successors(Some(self.root), |r| Some(r.square()))
                .take(self.log_n as usize)
                .collect();
            let mut m = 1;
            while m < half {
                // T[m + i] = T[i]·ω_4m.
                let step = roots[roots.len() - 2 - m.ilog2() as usize];
                let (low, high) = plain.split_at_mut(m);
                scaled(&mut high[..m], low, step);
                m *= 2;
            }
            plain
        })
    }

    /// The factors of the odd coset in natural order, for transforms from bit-reversed coefficients to values in
    /// natural order: `D[h + j] = g^(N/2h)·ω_2h^j` for `j < h`.
    pub(super) fn odd_natural(&self, shift: F) -> &[F] {
        self.odd.get_or_init(|| {
            let n = 1usize << self.log_n;
            let mut table = vec![F::ONE; n];
            let (mut g, mut step) = (shift, self.root);
            let mut h = n / 2;
            while h > 0 {
                // Here g = shift^(N/2h) and step = ω_2h.
                parallel::for_each(table[h..2 * h].chunks_mut(CHUNK), |k, part| {
                    let mut power = g * step.pow_vartime(&[(k * CHUNK) as u64]);
                    for x in part {
                        *x = power;
                        power *= step;
                    }
                });
                (g, step) = (g.square(), step.square());
                h /= 2;
            }
            table
        })
    }
}

/// `out[i] = table[i]·factor`.
fn scaled<F: PrimeField>(out: &mut [F], table: &[F], factor: F) {
    let work = |(out, table): (&mut [F], &[F])| out.iter_mut().zip(table).for_each(|(x, t)| *x = *t * factor);
    if out.len() < CHUNK {
        work((out, table));
    } else {
        parallel::for_each(out.chunks_mut(CHUNK).zip(table.chunks(CHUNK)), |_, both| work(both));
    }
}

/// The factors of a coset; each table is made when it is first used.
pub(super) struct CosetFactors<F> {
    shift: F,
    table: OnceLock<Vec<F>>,
    lanes: LaneTwiddles,
}

impl<F: PrimeField> CosetFactors<F> {
    fn new(shift: F) -> Self {
        Self { shift, table: OnceLock::new(), lanes: LaneTwiddles::default() }
    }

    /// The table `S[m + i] = shift^(N/2m)·ω^brv(i)` for every stage `m`; entry 0 is not used.
    pub(super) fn table(&self, tables: &Tables<F>) -> &[F] {
        self.table.get_or_init(|| {
            let n = 1usize << tables.log_n;
            let mut table = vec![F::ONE; n];
            let mut g = self.shift;
            let mut m = n / 2;
            while m > 0 {
                scaled(&mut table[m..2 * m], &tables.plain()[..m], g);
                g = g.square();
                m /= 2;
            }
            table
        })
    }

    /// The plan of a transform in lanes from coefficients to values on the coset; with `inverse`, from values to coefficients, for
    /// which the shift is the inverse one.
    pub(super) fn lanes(&self, tables: &Tables<F>, inverse: bool) -> Option<&NttPlan> {
        if inverse {
            return self.lanes.inverse.get_or_init(|| tables.inverse_plan(self.shift)).as_ref();
        }
        let new = || NttPlan::new(tables.log_n, tables.root, F::ONE, [self.shift, F::ONE]);
        self.lanes.forward.get_or_init(new).as_ref()
    }
}

struct Coset<F> {
    log_n: u32,
    root: F,
    shift: F,
    factors: Arc<CosetFactors<F>>,
}

/// The most recently used tables, most recent last.
pub(super) struct Cache<F> {
    domains: Mutex<Vec<Arc<Tables<F>>>>,
    cosets: Mutex<Vec<Coset<F>>>,
}

impl<F: PrimeField> Cache<F> {
    pub(super) fn new() -> Self {
        Self { domains: Mutex::default(), cosets: Mutex::default() }
    }

    /// The tables of a domain, from the cache or newly made.
    pub(super) fn domain(&self, domain: &Domain<F>) -> Arc<Tables<F>> {
        let same = |t: &Arc<Tables<F>>| t.log_n == domain.log_size() && t.root == domain.root();
        if let Some(found) = recall(&self.domains, same, Arc::clone) {
            return found;
        }
        let new = Arc::new(Tables::new(domain));
        keep(&self.domains, same, new.clone());
        new
    }

    /// The factors of a coset of a domain, from the cache or newly made.
    pub(super) fn coset(&self, tables: &Tables<F>, shift: F) -> Arc<CosetFactors<F>> {
        let same = |c: &Coset<F>| c.log_n == tables.log_n && c.root == tables.root && c.shift == shift;
        if let Some(found) = recall(&self.cosets, same, |c| c.factors.clone()) {
            return found;
        }
        let factors = Arc::new(CosetFactors::new(shift));
        let new = Coset { log_n: tables.log_n, root: tables.root, shift, factors: factors.clone() };
        keep(&self.cosets, same, new);
        factors
    }
}

/// Finds an entry and makes it the most recent one.
fn recall<T, U>(cache: &Mutex<Vec<T>>, same: impl Fn(&T) -> bool, take: impl Fn(&T) -> U) -> Option<U> {
    let mut list = cache.lock().unwrap_or_else(PoisonError::into_inner);
    let at = list.iter().position(same)?;
    list[at..].rotate_left(1);
    list.last().map(take)
}

/// Adds an entry, unless another thread has added it meanwhile, and drops the oldest beyond [`KEPT`].
fn keep<T>(cache: &Mutex<Vec<T>>, same: impl Fn(&T) -> bool, new: T) {
    let mut list = cache.lock().unwrap_or_else(PoisonError::into_inner);
    if !list.iter().any(same) {
        if list.len() == KEPT {
            list.remove(0);
        }
        list.push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bn254::Fr;
    use pairwright_field::Field;

    fn brv(i: usize, bits: u32) -> usize {
        if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
    }

    #[test]
    fn tables_hold_what_they_say() {
        for log_n in 0..9 {
            let domain = Domain::<Fr>::new(log_n).unwrap();
            let (n, omega) = (domain.size(), domain.root());
            let tables = Tables::new(&domain);
            for i in 0..n / 2 {
                let want = omega.pow_vartime(&[brv(i, log_n - 1) as u64]);
                assert_eq!(tables.plain()[i], want);
                if i > 0 {
                    assert_eq!(-tables.plain()[inverse_index(i)] * want, Fr::ONE);
                }
            }
            let odd = domain.odd_shift().unwrap();
            let natural = tables.odd_natural(odd);
            let coset = CosetFactors::new(odd);
            let merged = coset.table(&tables);
            for j in 1..n {
                assert_eq!(
                    merged[j],
                    odd.pow_vartime(&[brv(j, log_n) as u64]),
                    "a prefix of the double domain's"
                );
                let h = 1usize << j.ilog2();
                assert_eq!(natural[j], merged[h + brv(j - h, j.ilog2())]);
            }
        }
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_what_is_used() {
        let cache = Cache::<Fr>::new();
        let first = cache.domain(&Domain::new(3).unwrap());
        for log_n in 4..9 {
            cache.domain(&Domain::new(log_n).unwrap());
            assert!(Arc::ptr_eq(&first, &cache.domain(&Domain::new(3).unwrap())));
        }
        assert_eq!(cache.domains.lock().unwrap().len(), KEPT);
        for shift in 2..20 {
            cache.coset(&first, Fr::from(shift));
        }
        assert_eq!(cache.cosets.lock().unwrap().len(), KEPT);
    }
}
