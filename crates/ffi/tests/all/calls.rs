//! Valid and invalid calls from C: statuses, messages, bytes and JSON.

use core::ffi::{CStr, c_char};
use core::ptr::{null, null_mut};
use pairwright::curve::Pairing;
use pairwright::curve::bn254::Bn254;
use pairwright::device::Session;
use pairwright::formats::{Contributions, R1csFile, write_zkey};
use pairwright::protocols::groth16::setup_local;
use pairwright_ffi::*;
use std::ffi::CString;
use std::path::{Path, PathBuf};

fn vectors(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(vectors(path)).unwrap()
}

fn string(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

fn said() -> String {
    // SAFETY: the message is a string that stays until the next call on this thread.
    unsafe { CStr::from_ptr(pairwright_last_error()) }.to_str().unwrap().to_owned()
}

/// The handle that `make` wrote to its last argument, or its status and the message; after a failure the handle has to be null.
fn made<T>(make: impl FnOnce(*mut *mut T) -> PairwrightStatus) -> Result<*mut T, (PairwrightStatus, String)> {
    let mut out = core::ptr::NonNull::dangling().as_ptr();
    match make(&mut out) {
        PairwrightStatus::Ok => {
            assert!(!out.is_null() && said().is_empty());
            Ok(out)
        }
        status => {
            assert!(out.is_null() && !said().is_empty());
            Err((status, said()))
        }
    }
}

fn bytes_of(make: impl FnOnce(*mut *mut PairwrightBuffer) -> PairwrightStatus) -> Vec<u8> {
    let buffer = made(make).unwrap();
    // SAFETY: the buffer was handed out and is freed once, after its bytes are copied.
    unsafe {
        let (data, length) = (pairwright_buffer_data(buffer), pairwright_buffer_length(buffer));
        let bytes = core::slice::from_raw_parts(data, length).to_vec();
        assert_eq!(*data.add(length), 0);
        pairwright_buffer_free(buffer);
        bytes
    }
}

type Refused = (PairwrightStatus, String);

fn proving_key(bytes: &[u8], flags: u32) -> Result<*mut PairwrightProvingKey, Refused> {
    // SAFETY: pointers and lengths are those of `bytes` and of a place on the stack.
    made(|out| unsafe { pairwright_proving_key_from_bytes(bytes.as_ptr(), bytes.len(), flags, out) })
}
fn witness(bytes: &[u8]) -> Result<*mut PairwrightWitness, Refused> {
    // SAFETY: as in `proving_key`.
    made(|out| unsafe { pairwright_witness_from_bytes(bytes.as_ptr(), bytes.len(), out) })
}
fn verifying_key(json: &[u8], flags: u32) -> Result<*mut PairwrightVerifyingKey, Refused> {
    // SAFETY: as in `proving_key`.
    made(|out| unsafe { pairwright_verifying_key_from_json(json.as_ptr(), json.len(), flags, out) })
}
fn proof(
    key: *const PairwrightVerifyingKey,
    proof: &[u8],
    public: &[u8],
) -> Result<*mut PairwrightProof, Refused> {
    // SAFETY: as in `proving_key`; the key is not freed.
    made(|out| unsafe {
        pairwright_proof_from_json(key, proof.as_ptr(), proof.len(), public.as_ptr(), public.len(), out)
    })
}
fn proof_of_bytes(
    key: *const PairwrightVerifyingKey,
    proof: &[u8],
    public: &[u8],
) -> Result<*mut PairwrightProof, Refused> {
    // SAFETY: as in `proof`.
    made(|out| unsafe {
        pairwright_proof_from_bytes(key, proof.as_ptr(), proof.len(), public.as_ptr(), public.len(), out)
    })
}

#[test]
fn proofs_and_keys_pass_through_json_and_bytes() {
    for (curve, proof_bytes) in [("bn128", 128), ("bls12381", 192)] {
        let file = |name: &str| read(&format!("circom/cube/{curve}/{name}"));
        let key = verifying_key(&file("verification_key.json"), 0).unwrap();
        let theirs = proof(key, &file("proof.json"), &file("public.json")).unwrap();
        // SAFETY: handles are used before they are freed, and freed once.
        unsafe {
            assert_eq!(pairwright_verify(key, theirs), PairwrightStatus::Ok);
            assert_eq!(CStr::from_ptr(pairwright_verifying_key_curve(key)).to_str().unwrap(), curve);
            assert_eq!(pairwright_verifying_key_public(key), 1);
            assert_eq!(bytes_of(|out| pairwright_proof_json(theirs, out)), file("proof.json"));
            assert_eq!(bytes_of(|out| pairwright_proof_public_json(theirs, out)), file("public.json"));
            assert_eq!(
                bytes_of(|out| pairwright_verifying_key_json(key, out)),
                file("verification_key.json")
            );

            let bytes = bytes_of(|out| pairwright_proof_bytes(theirs, out));
            let public = bytes_of(|out| pairwright_proof_public_bytes(theirs, out));
            assert_eq!((bytes.len(), &public[..2], public.len()), (proof_bytes, &[35, 0][..], 32));
            let again = proof_of_bytes(key, &bytes, &public).unwrap();
            assert_eq!(pairwright_verify(key, again), PairwrightStatus::Ok);

            let key_bytes = bytes_of(|out| pairwright_verifying_key_bytes(key, out));
            let name = CString::new(curve).unwrap();
            let from = |bytes: &[u8], out| {
                pairwright_verifying_key_from_bytes(name.as_ptr(), bytes.as_ptr(), bytes.len(), 0, out)
            };
            let same = made(|out| from(&key_bytes, out)).unwrap();
            assert_eq!(pairwright_verify(same, theirs), PairwrightStatus::Ok);
            let (status, _) = made(|out| from(&key_bytes[..key_bytes.len() - 1], out)).unwrap_err();
            assert_eq!(status, PairwrightStatus::BadInput);

            // Every proof with a changed bit is refused, here or by the verifier.
            for bit in (0..8 * bytes.len()).step_by(61) {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                if let Ok(wrong) = proof_of_bytes(key, &other, &public) {
                    assert_eq!(pairwright_verify(key, wrong), PairwrightStatus::Rejected);
                    pairwright_proof_free(wrong);
                }
            }
            for cut in [0, 1, bytes.len() - 1] {
                let (status, why) = proof_of_bytes(key, &bytes[..cut], &public).unwrap_err();
                assert_eq!(status, PairwrightStatus::BadInput, "{why}");
            }
            let (status, why) = proof_of_bytes(key, &bytes, &public[1..]).unwrap_err();
            assert_eq!(
                (status, why.as_str()),
                (PairwrightStatus::BadInput, "public values: 31 bytes, 32 a value")
            );
            let (status, why) = proof_of_bytes(key, &bytes, &[0xff; 32]).unwrap_err();
            assert_eq!(status, PairwrightStatus::BadInput);
            assert!(why.starts_with("public values: value 0: "), "{why}");
            // A proof without public values is refused by the verifier.
            let none = proof_of_bytes(key, &bytes, &[]).unwrap();
            assert_eq!(pairwright_verify(key, none), PairwrightStatus::Rejected);

            pairwright_proof_free(none);
            pairwright_proof_free(again);
            pairwright_proof_free(theirs);
            pairwright_verifying_key_free(same);
            pairwright_verifying_key_free(key);
        }
    }
}

#[test]
fn keys_prove_from_bytes_and_curves_do_not_mix() {
    let key = proving_key(&read("circom/cube/bn128/cube.zkey"), 0).unwrap();
    let right = witness(&read("circom/cube/bn128/witness.wtns")).unwrap();
    let other = witness(&read("circom/cube/bls12381/witness.wtns")).unwrap();
    // SAFETY: handles are used before they are freed, and freed once.
    unsafe {
        let verifying = made(|out| pairwright_verifying_key_of(key, out)).unwrap();
        let ours = made(|out| pairwright_prove(key, right, out)).unwrap();
        assert_eq!(pairwright_verify(verifying, ours), PairwrightStatus::Ok);
        let why = made(|out| pairwright_prove(key, other, out)).unwrap_err();
        let expected = "the key is for bn128, the witness for bls12381".to_owned();
        assert_eq!(why, (PairwrightStatus::BadInput, expected));

        let stranger = verifying_key(&read("circom/cube/bls12381/verification_key.json"), 0).unwrap();
        let list = [ours.cast_const()];
        let mut first_bad = 7;
        let status = pairwright_batch_verify(stranger, list.as_ptr(), 1, &mut first_bad);
        assert_eq!((status, first_bad), (PairwrightStatus::BadInput, 0));
        assert_eq!(pairwright_verify(stranger, ours), PairwrightStatus::BadInput);
        assert_eq!(pairwright_batch_verify(stranger, null(), 0, &mut first_bad), PairwrightStatus::Ok);
        assert_eq!(
            pairwright_batch_verify(stranger, null(), 1, &mut first_bad),
            PairwrightStatus::NullPointer
        );
        let holes = [ours.cast_const(), null()];
        assert_eq!(
            pairwright_batch_verify(verifying, holes.as_ptr(), 2, null_mut()),
            PairwrightStatus::NullPointer
        );
        assert!(said().contains("proofs[1]"), "{}", said());

        pairwright_proof_free(ours);
        pairwright_verifying_key_free(verifying);
        pairwright_verifying_key_free(stranger);
        pairwright_witness_free(right);
        pairwright_witness_free(other);
        pairwright_proving_key_free(key);
    }
}

#[test]
fn proofs_with_multiples_of_a_key_verify() {
    let circuit = vectors("../circuits/chain/bn128/chain250.r1cs");
    let circuit = R1csFile::<<Bn254 as Pairing>::Fr>::open(circuit).unwrap();
    let board = pairwright::cpu::board::<Bn254>();
    let mut rng = pairwright::randomness::system().unwrap();
    let proving = setup_local(&mut Session::new(&board), &circuit, &mut rng).unwrap();
    let mut zkey = Vec::new();
    write_zkey(&mut zkey, &proving, &Contributions::none()).unwrap();

    let key = proving_key(&zkey, 0).unwrap();
    let witness = witness(&read("witness/chain250.bn128.wtns")).unwrap();
    // SAFETY: handles are used before they are freed, and freed once; a number is written to a place on the stack.
    unsafe {
        let mut taken = 7;
        let precompute =
            |multiples, taken: &mut u64| pairwright_proving_key_precompute(key, multiples, taken);
        assert_eq!((precompute(1, &mut taken), taken), (PairwrightStatus::Ok, 0));
        assert_eq!(precompute(4, &mut taken), PairwrightStatus::Ok);
        assert!(taken > 64 * 256, "{taken}");
        assert_eq!(pairwright_proving_key_precompute(key, 4, null_mut()), PairwrightStatus::Ok);
        assert_eq!((precompute(0, &mut taken), taken), (PairwrightStatus::BadInput, 0));
        assert_eq!(said(), "multiples: at least one is needed");
        assert_eq!(pairwright_proving_key_precompute(null(), 4, null_mut()), PairwrightStatus::NullPointer);

        let verifying = made(|out| pairwright_verifying_key_of(key, out)).unwrap();
        let ours = made(|out| pairwright_prove(key, witness, out)).unwrap();
        assert_eq!(pairwright_verify(verifying, ours), PairwrightStatus::Ok);
        pairwright_proof_free(ours);
        pairwright_verifying_key_free(verifying);
        pairwright_witness_free(witness);
        pairwright_proving_key_free(key);
    }
}

/// The key under test has γ = δ, as the first key of a ceremony does.
#[test]
fn dangerous_keys_are_refused_unless_they_are_asked_for() {
    let json = read("circom/cube/bn128/verification_key.json");
    let mut document: serde_json::Value = serde_json::from_slice(&json).unwrap();
    document["vk_delta_2"] = document["vk_gamma_2"].clone();
    let json = document.to_string().into_bytes();
    let (status, why) = verifying_key(&json, 0).unwrap_err();
    assert_eq!(status, PairwrightStatus::UnsafeKey);
    assert!(why.contains("anybody can forge proofs"), "{why}");
    let key = verifying_key(&json, PAIRWRIGHT_ALLOW_UNSAFE_KEY).unwrap();
    // SAFETY: the handle is used before it is freed, and freed once.
    unsafe {
        let bytes = bytes_of(|out| pairwright_verifying_key_bytes(key, out));
        let from = |flags, out| {
            pairwright_verifying_key_from_bytes(c"bn254".as_ptr(), bytes.as_ptr(), bytes.len(), flags, out)
        };
        assert_eq!(made(|out| from(0, out)).unwrap_err().0, PairwrightStatus::UnsafeKey);
        pairwright_verifying_key_free(made(|out| from(PAIRWRIGHT_ALLOW_UNSAFE_KEY, out)).unwrap());
        pairwright_verifying_key_free(key);
    }
    let (status, why) = verifying_key(&json, 2).unwrap_err();
    assert_eq!((status, why.as_str()), (PairwrightStatus::BadInput, "flags: 0x2 has bits without a meaning"));
}

#[test]
fn messages_name_file_section_and_offset() {
    let open = |path: &str| {
        let path = string(&vectors(path));
        // SAFETY: the path is a string, the place is on the stack.
        made(|out| unsafe { pairwright_proving_key_open(path.as_ptr(), 0, out) }).unwrap_err()
    };
    let (status, why) = open("corrupt/half.zkey");
    assert_eq!(status, PairwrightStatus::BadInput);
    assert!(why.contains("half.zkey: ") && why.contains("section") && why.contains("offset"), "{why}");
    let (_, why) = open("corrupt/none.zkey");
    assert!(why.contains("none.zkey: cannot open: "), "{why}");
    let (_, why) = open("circom/cube/bn128/witness.wtns");
    assert!(why.contains("expected a proving key (zkey), this is a witness (wtns)"), "{why}");
    let (status, why) = witness(&read("corrupt/value_ge_r.wtns")).unwrap_err();
    assert_eq!(status, PairwrightStatus::BadInput);
    assert!(why.starts_with("witness: section 2") && why.contains("not below the modulus"), "{why}");
    for bytes in [&b""[..], b"{}", b"zkey", b"wtns"] {
        assert_eq!(proving_key(bytes, 0).unwrap_err().0, PairwrightStatus::BadInput);
        assert_eq!(witness(bytes).unwrap_err().0, PairwrightStatus::BadInput);
        assert_eq!(verifying_key(bytes, 0).unwrap_err().0, PairwrightStatus::BadInput);
    }
    // A proof with an invalid point gives the status of a rejection, not of bad input.
    let key = verifying_key(&read("circom/cube/bn128/verification_key.json"), 0).unwrap();
    let refused = proof(key, &read("corrupt/a_off_curve.proof.json"), &read("circom/cube/bn128/public.json"));
    assert_eq!(refused.unwrap_err().0, PairwrightStatus::Rejected);
    let (status, why) =
        proof(key, &read("circom/cube/bn128/proof.json"), &read("corrupt/alias.public.json")).unwrap_err();
    assert_eq!(status, PairwrightStatus::BadInput);
    assert!(why.contains("not below the modulus"), "{why}");
    // SAFETY: the handle is freed once.
    unsafe { pairwright_verifying_key_free(key) };
}

/// With a damaged key no proof is handed out.
#[test]
fn a_damaged_key_gives_no_proof() {
    let right = witness(&read("circom/cube/bn128/witness.wtns")).unwrap();
    for damaged in ["A_off_curve.zkey", "nvars.zkey"] {
        let Ok(key) = proving_key(&read(&format!("corrupt/{damaged}")), 0) else { continue };
        // SAFETY: handles are used before they are freed, and freed once.
        unsafe {
            let (status, why) = made(|out| pairwright_prove(key, right, out)).unwrap_err();
            assert_eq!(status, PairwrightStatus::BadInput, "{why}");
            pairwright_proving_key_free(key);
        }
    }
    // SAFETY: the handle is freed once.
    unsafe { pairwright_witness_free(right) };
}

#[test]
fn null_is_answered() {
    const NULL: PairwrightStatus = PairwrightStatus::NullPointer;
    let none: *const c_char = null();
    let path = c"/none";
    // SAFETY: null is allowed everywhere, and the places are on the stack.
    unsafe {
        assert_eq!(made(|out| pairwright_proving_key_open(none, 0, out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_proving_key_from_bytes(null(), 1, 0, out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_witness_open(none, out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_witness_from_bytes(null(), 9, out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_verifying_key_open(none, 0, out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_verifying_key_from_json(null(), 9, 0, out)).unwrap_err().0, NULL);
        assert_eq!(
            made(|out| pairwright_verifying_key_from_bytes(none, null(), 0, 0, out)).unwrap_err().0,
            NULL
        );
        assert_eq!(made(|out| pairwright_verifying_key_of(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_prove(null(), null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_verifying_key_json(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_verifying_key_bytes(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_proof_json(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_proof_public_json(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_proof_bytes(null(), out)).unwrap_err().0, NULL);
        assert_eq!(made(|out| pairwright_proof_public_bytes(null(), out)).unwrap_err().0, NULL);
        assert_eq!(proof(null(), b"x", b"y").unwrap_err().0, NULL);
        assert_eq!(proof_of_bytes(null(), b"x", b"y").unwrap_err().0, NULL);
        assert_eq!(pairwright_proving_key_open(path.as_ptr(), 0, null_mut()), NULL);
        assert_eq!(pairwright_witness_open(path.as_ptr(), null_mut()), NULL);
        assert_eq!(pairwright_verify(null(), null()), NULL);
        assert_eq!(pairwright_batch_verify(null(), null(), 0, null_mut()), NULL);
        assert!(
            pairwright_proving_key_curve(null()).is_null()
                && pairwright_verifying_key_curve(null()).is_null()
        );
        assert_eq!(pairwright_verifying_key_public(null()), 0);
        assert!(pairwright_buffer_data(null()).is_null() && pairwright_buffer_length(null()) == 0);
        pairwright_buffer_free(null_mut());
        pairwright_proving_key_free(null_mut());
        pairwright_witness_free(null_mut());
        pairwright_verifying_key_free(null_mut());
        pairwright_proof_free(null_mut());
        pairwright_bls_secret_key_free(null_mut());

        assert_eq!(made(|out| pairwright_bls_key_gen(null(), 32, out)).unwrap_err().0, NULL);
        let (mut key, mut signature) = ([0; 48], [0; 96]);
        assert_eq!(pairwright_bls_public_key(null(), key.as_mut_ptr()), NULL);
        assert_eq!(pairwright_bls_sign(null(), null(), 0, signature.as_mut_ptr()), NULL);
        assert_eq!(pairwright_bls_prove_possession(null(), signature.as_mut_ptr()), NULL);
        assert_eq!(pairwright_bls_verify(null(), null(), 0, null()), NULL);
        assert_eq!(pairwright_bls_verify_possession(null(), null()), NULL);
        assert_eq!(pairwright_bls_aggregate(null(), 1, signature.as_mut_ptr()), NULL);
        assert_eq!(pairwright_bls_aggregate_verify(null(), null(), null(), 1, signature.as_ptr()), NULL);
        assert_eq!(pairwright_bls_fast_aggregate_verify(null(), 1, null(), 0, signature.as_ptr()), NULL);
    }
}

/// A panic is caught at the boundary, and its message can be read; a failure on another thread leaves this thread's message
/// unchanged.
#[test]
fn panics_do_not_reach_the_caller() {
    assert_eq!(guarded(|| panic!("{} went wrong", "this\0")), PairwrightStatus::Internal);
    assert_eq!(said(), "internal error: this\\0 went wrong");
    std::thread::spawn(|| assert_eq!(guarded(|| {}), PairwrightStatus::Ok)).join().unwrap();
    assert_eq!(said(), "internal error: this\\0 went wrong");
    assert_eq!(guarded(|| {}), PairwrightStatus::Ok);
    assert_eq!(said(), "");
}

#[test]
fn signatures_are_those_of_the_scheme() {
    const OK: PairwrightStatus = PairwrightStatus::Ok;
    let messages: [&[u8]; 2] = [b"first", b""];
    let (mut keys, mut signatures) = ([[0; 48]; 2], [[0; 96]; 2]);
    let mut sum = [0; 96];
    // SAFETY: pointers and lengths are those of arrays on the stack; handles are freed once.
    unsafe {
        for i in 0..2 {
            let seed = [i as u8 + 1; 32];
            let secret = made(|out| pairwright_bls_key_gen(seed.as_ptr(), 32, out)).unwrap();
            assert_eq!(pairwright_bls_public_key(secret, keys[i].as_mut_ptr()), OK);
            let (first, length) = (messages[i].as_ptr(), messages[i].len());
            assert_eq!(pairwright_bls_sign(secret, first, length, signatures[i].as_mut_ptr()), OK);
            assert_eq!(pairwright_bls_verify(keys[i].as_ptr(), first, length, signatures[i].as_ptr()), OK);
            assert_eq!(pairwright_bls_sign(secret, first, length, null_mut()), PairwrightStatus::NullPointer);
            pairwright_bls_secret_key_free(secret);
        }
        assert_eq!(pairwright_bls_aggregate(signatures.as_ptr().cast(), 2, sum.as_mut_ptr()), OK);
        let lengths = messages.map(<[u8]>::len);
        let verify = |messages: [*const u8; 2], lengths: [usize; 2], sum: &[u8; 96]| {
            let (keys, messages) = (keys.as_ptr().cast(), messages.as_ptr());
            pairwright_bls_aggregate_verify(keys, messages, lengths.as_ptr(), 2, sum.as_ptr())
        };
        assert_eq!(verify([messages[0].as_ptr(), null()], lengths, &sum), OK);
        assert_eq!(verify([null(), null()], lengths, &sum), PairwrightStatus::NullPointer);
        assert_eq!(verify([messages[0].as_ptr(), null()], [4, 0], &sum), PairwrightStatus::Rejected);
        sum[50] ^= 1;
        assert_eq!(verify([messages[0].as_ptr(), null()], lengths, &sum), PairwrightStatus::Rejected);
        let none = pairwright_bls_aggregate_verify(null(), null(), null(), 0, signatures[0].as_ptr());
        assert_eq!(none, PairwrightStatus::BadInput);
        let (status, why) = made(|out| pairwright_bls_key_gen([0; 31].as_ptr(), 31, out)).unwrap_err();
        assert_eq!(status, PairwrightStatus::BadInput);
        assert!(why.contains("at least 32"), "{why}");
        // The neutral element is not a valid key.
        let mut neutral = [0; 48];
        neutral[0] = 0xc0;
        let verdict = pairwright_bls_verify(neutral.as_ptr(), null(), 0, signatures[0].as_ptr());
        assert_eq!(verdict, PairwrightStatus::BadInput);
    }
}
