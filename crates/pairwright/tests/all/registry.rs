//! Builds and uses every device by its name.

use pairwright::curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright::{CPU_AIE, DEVICES, NoDevice, device, gpu};

#[test]
fn every_listed_device_is_there_on_every_curve() {
    for d in DEVICES {
        if let Err(NoDevice::Gpu(why)) = device::<Bn254>(d.name) {
            // The two devices that may be missing; the error has to say so in one line.
            eprintln!("skipped: {why}");
            assert!(
                [gpu::NAME, gpu::opencl::NAME].contains(&d.name) && !why.to_string().contains('\n'),
                "{why}"
            );
            continue;
        }
        assert_eq!(device::<Bls12_377>(d.name).unwrap().name, d.name);
        if d.name == CPU_AIE {
            // This device supports one curve, and the error for others says so.
            let others = [device::<Bls12_381>(d.name).unwrap_err(), device::<Bn254>(d.name).unwrap_err()];
            for why in others.map(|why| why.to_string()) {
                assert!(why.starts_with("cpu+aie adds points of BLS12-377 and of no other curve"), "{why}");
            }
            continue;
        }
        assert_eq!(device::<Bls12_381>(d.name).unwrap().name, d.name);
        assert_eq!(device::<Bn254>(d.name).unwrap().name, d.name);
    }
    let missing = device::<Bn254>("abacus").unwrap_err();
    assert!(missing.to_string().contains("abacus") && missing.to_string().contains("cpu"));
}

/// `gpu:N` and `opencl:N` name devices by number; other names take no number.
#[test]
fn devices_of_a_kind_have_numbers() {
    for name in ["gpu:first", "opencl:", "gpu:-1", "gpu:1:2"] {
        assert!(matches!(device::<Bn254>(name), Err(NoDevice::Unknown(said)) if said == name), "{name}");
    }
    for name in ["cpu:0", "chip:1"] {
        assert!(matches!(device::<Bn254>(name), Err(NoDevice::Unknown(_))), "{name}");
    }
    // No machine has this many devices: the error says so, or that there is no driver.
    for name in ["gpu:4000", "opencl:4000"] {
        assert!(matches!(device::<Bn254>(name), Err(NoDevice::Gpu(_))), "{name}");
    }
}
