//! `.r1cs` and `.wtns`: samples of circom, and round trips of files written by this crate.

use crate::common::{bytes, chain, file, vector};
use core::ops::ControlFlow;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::PrimeField;
use pairwright_formats::{R1csFile, WtnsFile, write_r1cs, write_wtns};
use pairwright_protocols::r1cs::{Constraint, ConstraintSource, Shape, check};

fn all<F: PrimeField>(system: &dyn ConstraintSource<F>) -> Vec<Constraint<F>> {
    let mut out = Vec::new();
    system
        .visit(&mut |j, k| {
            assert_eq!(j, out.len());
            out.push(k.clone());
            ControlFlow::Continue(())
        })
        .unwrap();
    out
}

fn cube<F: PrimeField>(folder: &str) {
    let system = R1csFile::<F>::open(vector(&format!("circom/cube/{folder}/cube.r1cs"))).unwrap();
    let shape = Shape { wires: 5, outputs: 1, public_inputs: 0, private_inputs: 1, constraints: 3 };
    assert_eq!(system.shape(), shape);
    assert_eq!(system.labels(), 5);
    assert_eq!(system.label(1), Some(1));
    assert_eq!(system.label(5), None);
    system.check().unwrap();
    let values = WtnsFile::<F>::open(vector(&format!("circom/cube/{folder}/witness.wtns"))).unwrap();
    values.expect_wires(5, system.file()).unwrap();
    let witness = values.witness().unwrap();
    assert_eq!(witness[..3], [F::ONE, F::from(35), F::from(3)]);
    check(&system, &witness).unwrap();
    let mut wrong = witness.clone();
    wrong[1] += F::ONE;
    assert!(check(&system, &wrong).is_err());
}

#[test]
fn circom_wrote_them() {
    cube::<bn254::Fr>("bn128");
    cube::<bls12_381::Fr>("bls12381");
}

fn round_trip<F: PrimeField>() {
    for constraints in [1, 2, 5, 100] {
        let (system, witness) = chain::<F>(constraints, 7);
        check(&system, &witness).unwrap();
        let mut r1cs = Vec::new();
        write_r1cs(&mut r1cs, &system).unwrap();
        let back = R1csFile::<F>::read(file("chain.r1cs", &r1cs)).unwrap();
        assert_eq!(back.shape(), system.shape());
        assert_eq!(all(&back), all(&system));
        let mut again = Vec::new();
        write_r1cs(&mut again, &back).unwrap();
        assert_eq!(r1cs, again);

        let mut wtns = Vec::new();
        write_wtns(&mut wtns, &witness).unwrap();
        let back = WtnsFile::<F>::read(file("chain.wtns", &wtns)).unwrap();
        assert_eq!(back.len(), witness.len());
        assert_eq!(*back.witness().unwrap(), witness);
    }
}

#[test]
fn what_we_write_reads_back() {
    round_trip::<bn254::Fr>();
    round_trip::<bls12_381::Fr>();
    round_trip::<bls12_377::Fr>();
}

#[test]
fn a_witness_as_circom_writes_it() {
    let path = "circom/cube/bn128/witness.wtns";
    let witness = WtnsFile::<bn254::Fr>::open(vector(path)).unwrap().witness().unwrap();
    let mut ours = Vec::new();
    write_wtns(&mut ours, &witness).unwrap();
    assert_eq!(ours, bytes(path));
}

#[test]
fn long_witnesses_are_decoded_in_order() {
    let witness: Vec<_> = (0..10_000u64).map(|i| bn254::Fr::from(i * i + 1)).collect();
    let mut wtns = Vec::new();
    write_wtns(&mut wtns, &witness).unwrap();
    let decode = |bytes: &[u8]| WtnsFile::<bn254::Fr>::read(file("w.wtns", bytes)).unwrap().witness();
    assert_eq!(*decode(&wtns).unwrap(), witness);
    // Two bad values in different chunks: the first one is named.
    let begin = wtns.len() - 320_000;
    for i in [9_000, 5_000] {
        let at = begin + 32 * i;
        wtns[at..at + 32].fill(0xff);
    }
    let error = decode(&wtns).unwrap_err().to_string();
    assert_eq!(
        error,
        "w.wtns: section 2 (values), offset 160076: element 5000 is not below the modulus of BN254 Fr"
    );
}
