//! Every device, by its name.

use pairwright::curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright::{DEVICES, NoDevice, device, gpu};

#[test]
fn every_listed_device_is_there_on_every_curve() {
    for d in DEVICES {
        if let Err(NoDevice::Gpu(why)) = device::<Bn254>(d.name) {
            // The one device that need not be there; it must say so in one line.
            eprintln!("skipped: {why}");
            assert!(d.name == gpu::NAME && !why.to_string().contains('\n'), "{why}");
            continue;
        }
        assert_eq!(device::<Bls12_381>(d.name).unwrap().name, d.name);
        assert_eq!(device::<Bn254>(d.name).unwrap().name, d.name);
        assert_eq!(device::<Bls12_377>(d.name).unwrap().name, d.name);
    }
    let missing = device::<Bn254>("abacus").unwrap_err();
    assert!(missing.to_string().contains("abacus") && missing.to_string().contains("cpu"));
}
