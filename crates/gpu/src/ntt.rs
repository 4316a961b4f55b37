//! Number-theoretic transforms on the device: the compiled passes of the plans of `pairwright-moma`, with twiddles in
//! device memory.
//!
//! A transform reads and writes device memory once per pass; input and output are in natural order. Data are copied
//! from the host unless an earlier operator left them on the device, and the result stays there until the host asks for
//! it.

use crate::elements::pack;
use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::tables::TableKey;
use crate::workshop::{Call, Loaded, Workshop};
use pairwright_device::{DeviceError, Direction, Done, NttOp, OpCount, Traffic, Transfer, same_length};
use pairwright_field::PrimeField;
use pairwright_moma::program::ntt::plan::PassBuffer;
use pairwright_moma::program::ntt::{Kind, NttPlan, device, table_len};
use pairwright_poly::{Buf, Domain};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The transforms of a device. Kernels are compiled at the first use of a size. The twiddles of the last few domains
/// and shifts stay on the device: `N` elements each, `2 N` for the inverse on a coset.
pub struct Ntt<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    transforms: Mutex<BTreeMap<(u32, Kind), Arc<Transform>>>,
}

/// The kernels of one size and kind.
struct Transform {
    plan: NttPlan,
    passes: Vec<Loaded>,
}

/// The buffers of a transform on the device.
struct Room<'a> {
    /// The input, which is never written, since other operands may share it.
    input: &'a Words,
    output: &'a mut Words,
    /// The buffer between passes, for plans of several passes.
    scratch: Option<&'a mut Words>,
}

impl Transform {
    /// Starts all passes for `batch` transforms that are stored one after the other.
    fn launch(&self, batch: u32, room: Room<'_>, table: &Words, constants: &[u8]) -> Result<(), GpuError> {
        let Room { input, output, mut scratch } = room;
        for (at, pass) in self.passes.iter().enumerate() {
            let route = self.plan.route(at);
            let (from, to) = match (route, &mut scratch) {
                ((PassBuffer::Input, PassBuffer::Output), _) => (input, &mut *output),
                ((PassBuffer::Input, PassBuffer::Scratch), Some(scratch)) => (input, &mut **scratch),
                ((PassBuffer::Scratch, PassBuffer::Output), Some(scratch)) => (&**scratch, &mut *output),
                ((PassBuffer::Output, PassBuffer::Scratch), Some(scratch)) => (&*output, &mut **scratch),
                // A plan has no other route, and the buffers fit the plan.
                _ => continue,
            };
            let buffers = vec![Arg::Write(to), Arg::Read(from), Arg::Read(table)];
            // SAFETY: a pass reads and writes `batch * 2^log_n` elements, which all buffers of the room hold, and the
            // twiddles of its kind; the buffers are three different ones.
            unsafe { pass.launch(&[batch], buffers, constants)? };
        }
        Ok(())
    }

    fn ops(&self, batch: u32) -> OpCount {
        let mut all = OpCount::default();
        self.passes.iter().for_each(|pass| all += pass.ops(&[batch]));
        all
    }
}

impl<F: PrimeField> Ntt<F> {
    /// The transforms on the device of a workshop.
    pub fn new(workshop: Arc<Workshop<F>>) -> Self {
        Self { workshop, transforms: Mutex::default() }
    }

    fn transform(&self, log_n: u32, kind: Kind) -> Result<Arc<Transform>, GpuError> {
        let mut known = self.transforms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(transform) = known.get(&(log_n, kind)) {
            return Ok(Arc::clone(transform));
        }
        let tuning = self.workshop.ntt_tuning(log_n);
        let plan = NttPlan::choose(self.workshop.element(), log_n, &tuning)?;
        let kernels = device::kernels(&plan, kind);
        let passes =
            kernels.into_iter().map(|kernel| self.workshop.load(kernel)).collect::<Result<_, _>>()?;
        let transform = Arc::new(Transform { plan, passes });
        known.insert((log_n, kind), Arc::clone(&transform));
        Ok(transform)
    }

    /// The twiddles on the device. The first call that needs them computes and copies them.
    fn table(&self, key: TableKey<F>, copies: &mut Transfer) -> Result<Arc<Words>, GpuError> {
        self.workshop.tables().get_or(key, || {
            let elements = twiddles(key.log_n, key.inverse, key.root, key.shift);
            Words::from_host(self.workshop.gpu(), &pack(&elements), copies)
        })
    }

    /// Runs the steps one after the other on the device, on data that are there or are copied from the host; the result
    /// stays on the device.
    fn run(
        &self,
        steps: &[TransformRun<F>],
        log_n: u32,
        data: &mut Buf<F>,
        call: &mut Call,
    ) -> Result<(), DeviceError> {
        let gpu = self.workshop.gpu();
        let mut ready = Vec::new();
        let (mut scratch, mut tables) = (false, 0);
        for step in steps {
            let transform = self.transform(log_n, step.kind)?;
            scratch |= transform.plan.passes.len() > 1;
            if !self.workshop.tables().has(&step.key) {
                tables += (table_len(log_n, step.kind) * F::BYTES) as u64;
            }
            ready.push(transform);
        }
        let bytes = (data.len() * F::BYTES) as u64;
        let need = Need::new()
            .with_part("operand", self.workshop.bytes_to_come(&data.view()))
            // A step reads the result of the step before.
            .with_part("results", bytes * steps.len().min(2) as u64)
            .with_part("scratch", if scratch { bytes } else { 0 })
            .with_part("twiddles", tables);
        let keys: Vec<TableKey<F>> = steps.iter().map(|step| step.key).collect();
        self.workshop.make_room(&need, &keys)?;

        let given = self.workshop.resident(&data.view(), &mut call.copies)?;
        let mut scratch = if scratch { Some(Words::uninitialised(gpu, given.len())?) } else { None };
        let mut result: Option<Words> = None;
        for (step, transform) in steps.iter().zip(&ready) {
            let table = self.table(step.key, &mut call.copies)?;
            let mut output = Words::uninitialised(gpu, given.len())?;
            let input = result.as_ref().unwrap_or(&given);
            let room = Room { input, output: &mut output, scratch: scratch.as_mut() };
            transform.launch(1, room, &table, self.workshop.constants())?;
            call.ops += transform.ops(1);
            result = Some(output);
        }
        if let Some(result) = result {
            *data = self.workshop.result(Arc::new(result), data.len())?;
        }
        Ok(())
    }
}

/// One transform of a call: its kind and the key of its twiddles.
struct TransformRun<F> {
    kind: Kind,
    key: TableKey<F>,
}

impl<F: PrimeField> TransformRun<F> {
    /// A shift of one counts as no shift.
    fn new(domain: &Domain<F>, inverse: bool, shift: Option<F>) -> Self {
        let shift = shift.filter(|shift| *shift != F::ONE);
        let key = TableKey { log_n: domain.log_size(), inverse, root: domain.root(), shift };
        Self { kind: Kind { inverse, coset: shift.is_some() }, key }
    }
}

impl<F: PrimeField> NttOp<F> for Ntt<F> {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        same_length("ntt", data.len(), domain.size())?;
        if shift.is_some_and(F::is_zero) {
            return Err(DeviceError::ZeroShift);
        }
        self.done(&[TransformRun::new(domain, dir == Direction::Inverse, shift.copied())], domain, data)
    }

    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        same_length("extend", data.len(), domain.size())?;
        let shift = domain.odd_shift()?;
        let steps = [TransformRun::new(domain, true, None), TransformRun::new(domain, false, Some(shift))];
        self.done(&steps, domain, data)
    }
}

impl<F: PrimeField> Ntt<F> {
    fn done(&self, steps: &[TransformRun<F>], domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        let bytes = (data.len() * F::BYTES) as u64;
        // A transform of one element is the identity, on any coset.
        let mut call = self.workshop.call();
        if domain.log_size() > 0 {
            self.run(steps, domain.log_size(), data, &mut call)?;
        }
        Ok(((), call.cost(Traffic { read: bytes, written: bytes })))
    }
}

/// The table of a transform, as [`pairwright_moma::program::ntt::twiddles`] describes it, computed in field arithmetic:
/// entry 0 is one or `1/n`, entry `P + p` is `w_{2P}^p g^(n/2P)`. The inverse without a coset has the factor `1/n` in
/// its last level; the inverse on a coset has the entries `g^-j / n` after the others.
pub(crate) fn twiddles<F: PrimeField>(log_n: u32, inverse: bool, root: F, shift: Option<F>) -> Vec<F> {
    let n = 1usize << log_n;
    let kind = Kind { inverse, coset: shift.is_some() };
    let (root, per_n) = if inverse {
        // The root has order n, so its inverse is the power n - 1.
        (root.pow_vartime(&[n as u64 - 1]), F::HALF.pow_vartime(&[u64::from(log_n)]))
    } else {
        (root, F::ONE)
    };
    let mut table = Vec::with_capacity(table_len(log_n, kind));
    table.push(per_n);
    // Roots of order 2^(level + 1) and powers of the shift, from the last level to the first.
    let mut steps = Vec::new();
    let (mut step, mut power) = (root, shift.filter(|_| !inverse).unwrap_or(F::ONE));
    for _ in 0..log_n {
        steps.push((step, power));
        (step, power) = (step.square(), power.square());
    }
    for (level, (step, power)) in steps.into_iter().rev().enumerate() {
        let last = level + 1 == log_n as usize;
        let first = if last && inverse && shift.is_none() { power * per_n } else { power };
        powers(&mut table, first, step, 1 << level);
    }
    if let Some(shift) = shift.filter(|_| inverse) {
        powers(&mut table, per_n, shift.invert().expect("the caller has refused a shift of zero"), n);
    }
    table
}

/// Appends `first * step^i` for `i < count`.
fn powers<F: PrimeField>(table: &mut Vec<F>, first: F, step: F, count: usize) {
    let mut value = first;
    for _ in 0..count {
        table.push(value);
        value *= step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::Field;
    use pairwright_moma::program::Element;
    use pairwright_moma::program::interp::{Data, FieldRule, run};
    use pairwright_moma::program::ntt::{self as programs, Tuning};
    use pairwright_poly::plain;

    const ELEMENT: Element = Element { word_bits: 32, words: 8 };

    fn number(x: &Fr) -> BigUint {
        let bytes: Vec<u8> = x.to_montgomery().iter().flat_map(|limb| limb.to_le_bytes()).collect();
        BigUint::from_bytes_le(&bytes)
    }

    fn rule() -> FieldRule {
        FieldRule::montgomery(&crate::family::modulus_of::<Fr>(), 256).unwrap()
    }

    /// A domain, and two shifts: none, and one that is not a root of unity.
    fn cases(log_n: u32) -> (Domain<Fr>, [Option<Fr>; 2]) {
        (Domain::new(log_n).unwrap(), [None, Some(Fr::from(7))])
    }

    #[test]
    fn tables_are_those_of_the_programs() {
        let one = number(&Fr::ONE);
        assert_eq!(rule().one(), one);
        for log_n in 1..=7 {
            let (domain, shifts) = cases(log_n);
            for shift in shifts {
                for inverse in [false, true] {
                    let ours = twiddles(log_n, inverse, domain.root(), shift);
                    let plain = |x: Fr| {
                        let bytes: Vec<u8> =
                            x.to_limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
                        BigUint::from_bytes_le(&bytes)
                    };
                    let (root, shift) = (plain(domain.root()), shift.map(plain));
                    let theirs = programs::twiddles(log_n, inverse, &root, shift.as_ref(), &rule()).unwrap();
                    let ours: Vec<BigUint> = ours.iter().map(number).collect();
                    assert!(ours == theirs, "2^{log_n}, inverse {inverse}, shift {shift:?}");
                }
            }
        }
    }

    /// Runs the passes of a plan on big integers, with the buffers that [`Transform::launch`] uses.
    fn interpreted(plan: &NttPlan, kind: Kind, input: &[Fr], table: &[Fr]) -> Vec<BigUint> {
        let numbers = |all: &[Fr]| Data::of(&all.iter().map(number).collect::<Vec<_>>());
        let mut places = BTreeMap::from([("input", numbers(input))]);
        let place = |between| match between {
            PassBuffer::Input => "input",
            PassBuffer::Scratch => "scratch",
            PassBuffer::Output => "output",
        };
        for (at, kernel) in device::kernels(plan, kind).iter().enumerate() {
            let (from, to) = plan.route(at);
            let mut data = [Data::unset(input.len()), places[place(from)].clone(), numbers(table)];
            run(kernel, &rule(), &[1], &mut data).unwrap();
            let [out, ..] = data;
            places.insert(place(to), out);
        }
        places["output"].elements().unwrap()
    }

    #[test]
    fn what_is_launched_is_the_transform() {
        for (log_n, log_radix) in [(1, 10), (4, 10), (5, 2), (8, 3), (9, 4)] {
            let (domain, shifts) = cases(log_n);
            let base = Tuning::for_element(ELEMENT);
            // Little shared memory, so that several passes are needed for a small radix.
            let shared_bytes = if log_radix < 10 { 32 << (log_radix + 1) } else { base.shared_bytes };
            let tuning = Tuning { log_radix, log_threads: 2, log_cluster: 0, shared_bytes, ..base };
            let plan = NttPlan::choose(ELEMENT, log_n, &tuning).unwrap();
            assert_eq!(plan.passes.len() > 1, log_radix < 10, "{plan:?}");
            let input: Vec<Fr> = (0..1u64 << log_n).map(|i| Fr::from(i * i + 3)).collect();
            for shift in shifts {
                for inverse in [false, true] {
                    let step = TransformRun::new(&domain, inverse, shift);
                    let table = twiddles(log_n, inverse, domain.root(), shift);
                    let mut expected = input.clone();
                    match (inverse, shift) {
                        (false, None) => plain::ntt(&domain, &mut expected),
                        (true, None) => plain::intt(&domain, &mut expected),
                        (false, Some(g)) => plain::coset_ntt(&domain, g, &mut expected),
                        (true, Some(g)) => plain::coset_intt(&domain, g, &mut expected),
                    }
                    let found = interpreted(&plan, step.kind, &input, &table);
                    let expected: Vec<BigUint> = expected.iter().map(number).collect();
                    assert!(found == expected, "2^{log_n}, inverse {inverse}, shift {shift:?}");
                }
            }
        }
    }
}
