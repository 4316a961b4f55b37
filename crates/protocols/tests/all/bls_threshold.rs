//! Tests of threshold signatures: enough signers give the signature of the shared key, fewer do not, and parts are verified separately.

use crate::common::{device, rng};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::{Device, Session};
use pairwright_protocols::schemes::bls::threshold::{
    PublicPolynomial, Share, ThresholdError, combine, recover, split,
};
use pairwright_protocols::schemes::bls::{BlsError, Scheme, SecretKey, Signature, VerifyError, verify};
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};

const MESSAGE: &[u8] = b"round 7";

fn secret() -> SecretKey {
    SecretKey::key_gen(&[9; 32], &[]).unwrap()
}

fn parts<V: Variant>(shares: &[Share], of: &[usize]) -> Vec<(u16, Signature<V>)> {
    of.iter().map(|i| (shares[*i].index, shares[*i].key.sign(Scheme::Basic, MESSAGE))).collect()
}

fn shared<V: Variant>(device: &Device<Bls12_381>) {
    let on = &mut Session::new(device);
    let key = secret();
    for (threshold, signers) in [(1, 1), (1, 3), (2, 2), (3, 5), (5, 5)] {
        let (shares, public) = split::<V>(&key, threshold, signers, &mut rng(threshold.into())).unwrap();
        assert_eq!(
            shares.iter().map(|share| share.index).collect::<Vec<_>>(),
            (1..=signers).collect::<Vec<_>>()
        );
        assert_eq!(public.key().unwrap(), key.public_key());
        assert_eq!(public.threshold(), usize::from(threshold));
        assert_eq!(PublicPolynomial::<V>::from_points(public.points()).unwrap(), public);
        for share in &shares {
            assert_eq!(public.share(share.index).unwrap(), share.key.public_key());
        }
        let whole = key.sign::<V>(Scheme::Basic, MESSAGE);
        // The first signers, the last signers, and all of them in reverse order.
        let (t, n) = (usize::from(threshold), usize::from(signers));
        for of in [(0..t).collect::<Vec<_>>(), (n - t..n).collect(), (0..n).rev().collect()] {
            let all = parts::<V>(&shares, &of);
            assert_eq!(combine(&all, threshold).unwrap(), whole, "{of:?} of {threshold} of {signers}");
        }
        assert_eq!(*recover(&shares, threshold).unwrap().to_bytes(), *key.to_bytes());
    }
    let (shares, public) = split::<V>(&key, 3, 5, &mut rng(1)).unwrap();
    // With one part fewer, and a lower threshold claimed, the result is another signature.
    let two = parts::<V>(&shares, &[0, 4]);
    assert_ne!(combine(&two, 2).unwrap(), key.sign(Scheme::Basic, MESSAGE));
    assert_eq!(combine(&two, 3), Err(ThresholdError::TooFew { found: 2, threshold: 3 }));
    // A part is verified under its signer's key, and under no other's.
    let (index, part) = two[1];
    verify(on, Scheme::Basic, &public.share(index).unwrap(), MESSAGE, &part).unwrap();
    let wrong = verify(on, Scheme::Basic, &public.share(1).unwrap(), MESSAGE, &part);
    assert!(matches!(wrong, Err(VerifyError::Rejected)));
}

#[test]
fn enough_signers_sign_as_one() {
    let device = device();
    shared::<MinPk>(&device);
    shared::<MinSig>(&device);
}

#[test]
fn what_cannot_be_shared_or_combined_is_said() {
    let key = secret();
    for (threshold, signers) in [(0, 3), (4, 3), (0, 0)] {
        let refused = split::<MinPk>(&key, threshold, signers, &mut rng(1)).unwrap_err();
        assert_eq!(refused, ThresholdError::Threshold { threshold, signers });
    }
    let (shares, public) = split::<MinPk>(&key, 2, 3, &mut rng(1)).unwrap();
    let part = parts::<MinPk>(&shares, &[0, 1, 0]);
    assert_eq!(combine(&part[1..], 2), combine(&part[..2], 2), "in whatever order");
    let twice = [part[0], part[2]];
    assert_eq!(combine(&twice, 2), Err(ThresholdError::Repeated { index: 1 }));
    assert_eq!(combine(&[(0, part[0].1), part[1]], 2), Err(ThresholdError::IndexZero));
    assert_eq!(combine::<MinPk>(&[], 1), Err(ThresholdError::TooFew { found: 0, threshold: 1 }));
    assert!(matches!(combine(&part, 0), Err(ThresholdError::Threshold { .. })));
    assert_eq!(PublicPolynomial::<MinPk>::from_points(&[]), Err(BlsError::Empty));
    let infinity = pairwright_curve::Affine::INFINITY;
    assert_eq!(PublicPolynomial::<MinPk>::from_points(&[infinity]), Err(BlsError::NeutralKey));
    // A coefficient may be the neutral element, which happens with probability 1/r.
    assert!(PublicPolynomial::<MinPk>::from_points(&[public.points()[0], infinity]).is_ok());
    assert_eq!(format!("{:?}", shares[0]), "Share { index: 1, .. }");
}
