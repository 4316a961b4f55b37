//! The properties of arbitrary bytes as a proof of a zerocheck. The fuzz target and the tests of `protocols`
//! call this.

use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_device::{Session, reference};
use pairwright_poly::Buf;
use pairwright_protocols::sumcheck::{self, SumcheckProof};
use pairwright_protocols::transcript::Transcript;
use pairwright_protocols::zerocheck::{Proof, Statement, prove, verify};

/// Checks the bytes as proofs of several shapes: they are refused, or equal to the encoding of the decoded proof, and no verifier panics.
fn comes_back(bytes: &[u8]) {
    for variables in 0..4 {
        let statement = Statement::<Fr>::product(variables);
        if let Ok(proof) = Proof::from_bytes(bytes, &statement) {
            assert_eq!(proof.to_bytes(), bytes);
            // Verification for a statement of another size must not panic; the verdict is ignored.
            for other in 0..4 {
                let _ = verify(&Statement::product(other), &proof, &mut Transcript::new("fuzz"));
            }
        }
    }
    let shapes =
        [(0, 1), (1, 1), (1, 2), (2, 1), (2, 2), (1, 256), (usize::MAX, 2), (usize::MAX, 0), (3, usize::MAX)];
    for (variables, degree) in shapes {
        if let Ok(proof) = SumcheckProof::<Fr>::from_bytes(bytes, variables, degree) {
            assert_eq!(proof.to_bytes(), bytes);
            let left = sumcheck::verify(&proof, Fr::from(1), variables, degree, &mut Transcript::new("fuzz"));
            assert!(left.is_err() || left.is_ok_and(|left| left.point.len() == variables));
        }
    }
}

/// Applies edits of four bytes each: the operation, the position (two bytes), the value.
fn edit(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    for edit in edits.chunks_exact(4) {
        let (at, value) = (usize::from(edit[1]) | usize::from(edit[2]) << 8, edit[3]);
        match edit[0] % 4 {
            0 => bytes.truncate(at),
            1 => bytes.push(value),
            _ if at < bytes.len() => bytes[at] ^= value,
            _ => {}
        }
    }
    bytes
}

/// Checks all bytes as they are, then edits of a valid proof, which is accepted as long as it is unchanged. The first byte
/// chooses the number of variables.
pub(crate) fn zerocheck(data: &[u8]) {
    comes_back(data);
    let Some((variables, edits)) = data.split_first() else { return };
    let variables = usize::from(variables % 4);
    let number = |i: usize| Fr::from(i as u64);
    let a: Buf<Fr> = (0..1 << variables).map(|i| number(i + 3)).collect();
    let b: Buf<Fr> = (0..1 << variables).map(|i| number(7 * i + 1)).collect();
    let c = a.iter().zip(b.iter()).map(|(a, b)| *a * *b).collect();
    let (tables, statement) = ([a, b, c], Statement::product(variables));
    let device = reference::board::<Bls12_381>();
    let mut on = Session::new(&device);
    let (proof, _) = prove(&mut on, &statement, &tables, &mut Transcript::new("fuzz")).expect("a·b = c");
    let bytes = proof.to_bytes();
    let edited = edit(bytes.clone(), edits);
    let accepted = Proof::from_bytes(&edited, &statement).is_ok_and(|proof| {
        verify(&statement, &proof, &mut Transcript::new("fuzz"))
            .is_ok_and(|claims| claims.check(&mut on, &tables).is_ok())
    });
    assert_eq!(accepted, edited == bytes);
}
