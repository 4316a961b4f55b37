//! The property of arbitrary bytes as parameters of a key in bellman's form. The fuzz target and the tests of
//! `formats` call this function.

use pairwright_curve::bn254::Bn254;
use pairwright_device::{Session, reference};
use pairwright_formats::{Contributor, FileBytes, MpcParameters, contribute_to_mpc_parameters};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

/// The bytes are refused with an error that names the wrong part, or a contribution to them can be made and read, which has one record
/// more. Returns whether they were accepted.
pub(crate) fn mpc_parameters(data: &[u8]) -> bool {
    let named = |why: String| assert!(why.starts_with("fuzz: "), "{why}");
    let before = match MpcParameters::<Bn254>::read(FileBytes::from_vec("fuzz", data.to_vec())) {
        Ok(before) => before,
        Err(why) => {
            let why = why.to_string();
            assert!(why.contains("section "), "{why}");
            named(why);
            return false;
        }
    };
    let by = Contributor::Secret { name: String::new(), seed: Zeroizing::new([7; 32]) };
    let (mut out, mut rng) = (Vec::new(), ChaCha8Rng::seed_from_u64(1));
    let device = reference::board::<Bn254>();
    let on = &mut Session::new(&device);
    match contribute_to_mpc_parameters(on, &mut out, &before, &by, &mut rng) {
        Ok(_) => {}
        Err(why) => {
            named(why.to_string());
            return false;
        }
    }
    assert_eq!(out.len(), data.len() + 3 * 64 + 128 + 64, "a record more");
    let after = MpcParameters::<Bn254>::read(FileBytes::from_vec("fuzz", out)).expect("what we wrote");
    after.check(on, &mut rng).expect("what we wrote");
    assert_eq!(after.contributions(), before.contributions() + 1);
    assert_eq!((after.wires(), after.public()), (before.wires(), before.public()));
    assert_eq!((after.domain_size(), after.divided()), (before.domain_size(), before.divided()));
    true
}
