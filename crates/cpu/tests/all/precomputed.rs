//! Sums over bases whose multiples were made before.

use core::ops::Range;
use pairwright_cpu::{Msm, Precomputation, precompute_section};
use pairwright_curve::{Affine, Jacobian, bn254};
use pairwright_device::MsmOp;
use pairwright_field::Field;
use pairwright_poly::{KeySection, Source, SourceError};
use pairwright_testkit::conformance::{Values, known_points};

/// A section of a key whose elements can be read but once.
struct Once(std::sync::Mutex<Vec<Affine<bn254::G1>>>);

impl Source<Affine<bn254::G1>> for Once {
    fn len(&self) -> usize {
        300
    }
    fn read(&self, range: Range<usize>, out: &mut Vec<Affine<bn254::G1>>) -> Result<(), SourceError> {
        let mut all = self.0.lock().unwrap();
        out.extend(all.get(range).ok_or_else(|| SourceError("read before".into()))?);
        all.clear();
        Ok(())
    }
}

#[test]
fn sums_take_multiples_and_do_not_read_the_bases() {
    let (points, logs) = known_points::<bn254::G1>(300, 8);
    let section = KeySection::new(Once(points.into()));
    let made = precompute_section(&section, 16).unwrap().unwrap();
    assert_eq!(Some(made), Precomputation::of::<bn254::G1>(300, 16));
    assert!(made.copies <= 16 && made.bytes == 64 * 300 * made.copies as u64);

    let scalars = Values::<bn254::Fr>::new(9).take_buf(300);
    let held = section.held().expect("the multiples stand for the elements");
    let right = |range: Range<usize>| {
        let (sum, _) = Msm::default().msm(held.slice(range.clone()), scalars.slice(range.clone())).unwrap();
        let log = range.fold(bn254::Fr::ZERO, |log, i| log + scalars[i] * logs[i]);
        assert_eq!(sum.to_affine(), Jacobian::<bn254::G1>::generator().mul_vartime(&log).to_affine());
    };
    [0..300, 7..300, 1..2, 40..47, 40..48, 0..150].into_iter().for_each(right);
    assert_eq!(precompute_section(&section, 16).unwrap(), Some(made), "they are there, and nothing is read");
    assert!(precompute_section(&section, 8).is_err(), "others need the bases");
}
