//! `.ptau`: samples of snarkjs, and round trips of files written by this crate.

use crate::common::{bytes, file, rng, vector};
use pairwright_curve::bls12_377::{self, Bls12_377};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::PrimeField;
use pairwright_formats::{FormatError, PtauFile, preparation_work, prepare_ptau, write_ptau};
use pairwright_poly::Source;
use pairwright_protocols::groth16::{LagrangePoints, PowersFault, PowersOfTau};

fn points<C: Curve>(source: &dyn Source<Affine<C>>) -> Vec<Affine<C>> {
    let mut out = Vec::new();
    source.read(0..source.len(), &mut out).unwrap();
    out
}

fn sample<E: Pairing>(curve: &str, kind: &str) {
    let path = format!("circom/ptau/{curve}.4.{kind}.ptau");
    let ptau = PtauFile::<E>::open(vector(&path)).unwrap();
    assert_eq!((ptau.power(), ptau.ceremony_power(), ptau.is_prepared()), (4, 4, kind == "prepared"));
    let report = ptau.check(&mut Session::new(&reference::board()), &mut rng(1)).unwrap();
    assert_eq!(report.sections.len(), if kind == "prepared" { 9 } else { 5 });
    let (tau1, tau2) = (points(ptau.tau_g1()), points(ptau.tau_g2()));
    assert_eq!((tau1.len(), tau2.len()), (31, 16));
    assert_eq!((tau1[0], tau2[0]), (Affine::generator(), Affine::generator()));
    // e(τ², 1) = e(τ, τ), e(ατ, τ) = e(α, τ²), e(β, 1) = e(1, β).
    let e = E::pairing;
    assert_eq!(e(&tau1[2], &tau2[0]), e(&tau1[1], &tau2[1]));
    let alpha = points(ptau.alpha_tau_g1());
    assert_eq!(e(&alpha[1], &tau2[1]), e(&alpha[0], &tau2[2]));
    let beta = points(ptau.beta_tau_g1());
    assert_eq!(e(&beta[0], &tau2[0]), e(&tau1[0], &ptau.beta_g2()));
    if let Some(lagrange) = ptau.lagrange() {
        // The Lagrange points of a domain add up to the generator; those of size 4 begin at index 3.
        let all = points(lagrange.tau_g1);
        assert_eq!(all.len(), 63);
        let sum = all[3..7].iter().fold(E::G1::GENERATOR.to_jacobian().double(), |s, p| s.add_mixed(p));
        assert_eq!(sum.add_mixed(&-tau1[0]).add_mixed(&-tau1[0]).to_affine(), tau1[0]);
        let sum = points(lagrange.tau_g2)[15..31]
            .iter()
            .map(Affine::to_jacobian)
            .sum::<pairwright_curve::Jacobian<_>>();
        assert_eq!(sum.to_affine(), tau2[0]);
    }
    let mut ours = Vec::new();
    let contributions = ptau.contributions().unwrap().bytes();
    write_ptau(&mut ours, &ptau, ptau.ceremony_power(), contributions).unwrap();
    assert_eq!(ours, bytes(&path));
}

#[test]
fn snarkjs_wrote_them() {
    for kind in ["raw", "prepared"] {
        sample::<Bn254>("bn128", kind);
        sample::<Bls12_381>("bls12381", kind);
    }
}

/// Unrelated multiples of the generators: the file format does not require a relation.
struct Made {
    g1: Vec<G1Affine<Bls12_377>>,
    g2: Vec<G2Affine<Bls12_377>>,
    long: Vec<G1Affine<Bls12_377>>,
}

impl PowersOfTau<Bls12_377> for Made {
    fn power(&self) -> u32 {
        2
    }
    fn tau_g1(&self) -> &dyn Source<G1Affine<Bls12_377>> {
        &self.long
    }
    fn tau_g2(&self) -> &dyn Source<G2Affine<Bls12_377>> {
        &self.g2
    }
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<Bls12_377>> {
        &self.g1
    }
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<Bls12_377>> {
        &self.g1
    }
    fn beta_g2(&self) -> G2Affine<Bls12_377> {
        self.g2[1]
    }
    fn lagrange(&self) -> Option<LagrangePoints<'_, Bls12_377>> {
        None
    }
}

fn multiples<C: Curve>(n: u64) -> Vec<Affine<C>> {
    let base = C::GENERATOR.to_jacobian();
    (1..=n).map(|k| base.mul_limbs_vartime(&[k]).to_affine()).collect()
}

#[test]
fn a_curve_that_snarkjs_does_not_know() {
    let made = Made { g1: multiples(4), g2: multiples(4), long: multiples(7) };
    let mut ours = Vec::new();
    write_ptau::<Bls12_377>(&mut ours, &made, 9, &[0; 4]).unwrap();
    assert_eq!(ours.len(), 12 + 7 * 12 + 48 + 12 + 96 * (7 + 8 + 4 + 4 + 2) + 4);
    let back = PtauFile::<Bls12_377>::read(file("made.ptau", &ours)).unwrap();
    back.check(&mut Session::new(&reference::board()), &mut rng(1)).unwrap();
    assert_eq!((back.power(), back.ceremony_power(), back.is_prepared()), (2, 9, false));
    assert_eq!(points(back.tau_g1()), made.long);
    assert_eq!(points(back.tau_g2()), made.g2);
    assert_eq!(points(back.beta_tau_g1()), made.g1);
    assert_eq!(back.beta_g2(), made.g2[1]);
    assert_eq!(bls12_377::Fq::BYTES, 48);
}

/// Prepares a file; returns it with the work that was reported.
fn prepared<E: Pairing>(raw: &PtauFile<E>) -> Result<(Vec<u8>, u64), FormatError> {
    let (mut out, mut work) = (Vec::new(), 0);
    let device = reference::board();
    prepare_ptau(&mut Session::new(&device), &mut out, raw, &mut |more| work += more).map(|()| (out, work))
}

fn prepares_as_snarkjs<E: Pairing>(curve: &str) {
    let raw = PtauFile::<E>::open(vector(&format!("circom/ptau/{curve}.4.raw.ptau"))).unwrap();
    let path = format!("circom/ptau/{curve}.4.prepared.ptau");
    let (ours, work) = prepared(&raw).unwrap();
    assert!(ours == bytes(&path), "{curve}: other bytes than snarkjs'");
    assert_eq!(work, preparation_work(4));
    let again = prepared(&PtauFile::<E>::read(file("p.ptau", &ours)).unwrap()).unwrap_err();
    assert!(matches!(again, FormatError::Prepared { .. }), "{again}");
}

#[test]
fn preparation_gives_the_bytes_of_snarkjs() {
    prepares_as_snarkjs::<Bn254>("bn128");
    prepares_as_snarkjs::<Bls12_381>("bls12381");
}

#[test]
fn no_preparation_of_what_are_no_points() {
    let path = "circom/ptau/bn128.4.raw.ptau";
    let sound = PtauFile::<Bn254>::open(vector(path)).unwrap();
    // The last point of every list of powers with a changed bit of y. In tau in G1 it is used only by the domain of double
    // size.
    for (id, part, index) in [(2, "tauG1", 30), (3, "tauG2", 15), (4, "alphaTauG1", 15), (5, "betaTauG1", 15)]
    {
        let sections = pairwright_formats::inspect_bytes(sound.file()).unwrap();
        let section = sections.sections.iter().find(|s| s.id == id).unwrap();
        let mut spoilt = bytes(path);
        let end = (section.offset + section.size) as usize;
        spoilt[end - 32] ^= 1;
        let spoilt = PtauFile::<Bn254>::read(file("spoilt.ptau", &spoilt)).unwrap();
        let error = prepared(&spoilt).unwrap_err();
        assert!(
            matches!(&error, FormatError::Powers { why: PowersFault::BadPoint { part: p, index: i }, .. } if (*p, *i) == (part, index)),
            "{error}"
        );
    }
}
