//! Tests that need private functions: the attack on a wrong split of an `and`, and combinations of keys.

use super::decapsulate::decapsulate;
use super::*;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::{Session, reference};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::path::Path;

/// Decrypts with only the reserved attribute, which every key has, without a test whether the policy is satisfied.
fn by_the_reserved_literal_alone(
    on: &mut Session<'_, Bls12_381>,
    key: &AttributeKey,
    ciphertext: &Ciphertext,
) -> Result<Vec<u8>, AbeError> {
    let policy = ciphertext.inner_policy();
    let shared = decapsulate(on, key, &policy, ciphertext.header(), &[policy.literals.len() - 1])?;
    ciphertext.open(&shared).map(|message| message.to_vec())
}

fn of(texts: &[&str]) -> Attributes {
    let mut attributes = Attributes::new();
    texts.iter().for_each(|text| attributes.insert_text(text).unwrap());
    attributes
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The attack succeeds on a ciphertext of CIRCL before its fix, and fails on ciphertexts made here.
#[test]
fn an_and_gate_hides_its_secret_from_the_reserved_attribute() {
    let device = reference::board();
    let on = &mut Session::new(&device);
    let mut rng = ChaCha20Rng::seed_from_u64(22);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/tkn20/and_gate_of_becaf2f.json");
    let case: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |name: &str| case[name].as_str().unwrap();
    let master = MasterKey::from_bytes(&hex(text("master_key"))).unwrap();
    let ciphertext = Ciphertext::from_bytes(&hex(text("ciphertext"))).unwrap();
    let stranger = master.derive(on, &of(&["role: guest"]), &mut rng).unwrap();
    assert!(matches!(stranger.decrypt(on, &ciphertext), Err(AbeError::Unsatisfied)));
    let found = by_the_reserved_literal_alone(on, &stranger, &ciphertext).unwrap();
    assert_eq!(found, text("message").as_bytes(), "the attack is carried out rightly");
    let admin = master.derive(on, &of(&["role: admin", "dept: engineering"]), &mut rng).unwrap();
    assert_eq!(*admin.decrypt(on, &ciphertext).unwrap(), text("message").as_bytes());

    let (public, master) = setup(on, &mut rng).unwrap();
    let stranger = master.derive(on, &of(&["role: guest"]), &mut rng).unwrap();
    for policy in ["role: admin", "role: admin and dept: engineering", "role: admin or dept: engineering"] {
        let ciphertext = public.encrypt(on, &policy.parse().unwrap(), b"secret", &mut rng).unwrap();
        let found = by_the_reserved_literal_alone(on, &stranger, &ciphertext);
        assert!(matches!(found, Err(AbeError::Rejected)), "{policy}");
    }
}

/// Neither input of an `and` is enough, even for a holder who skips the test of the policy.
#[test]
fn one_side_of_an_and_does_not_open_it() {
    let device = reference::board();
    let on = &mut Session::new(&device);
    let mut rng = ChaCha20Rng::seed_from_u64(23);
    let (public, master) = setup(on, &mut rng).unwrap();
    let policy = "a: 1 and (b: 2 and not c: 3)".parse().unwrap();
    let ciphertext = public.encrypt(on, &policy, b"both", &mut rng).unwrap();
    let key = master.derive(on, &of(&["a: 1", "b: 2", "c: 4"]), &mut rng).unwrap();
    let inner = ciphertext.inner_policy();
    for mask in 0..16usize {
        let chosen: Vec<usize> = (0..4).filter(|at| mask >> at & 1 == 1).collect();
        let shared = decapsulate(on, &key, &inner, ciphertext.header(), &chosen).unwrap();
        let opened = ciphertext.open(&shared);
        assert_eq!(opened.is_ok(), mask == 15, "{chosen:?}");
    }
}

/// Two holders cannot combine their keys: the randomness of a key ties its parts to each other.
#[test]
fn keys_do_not_work_together() {
    let device = reference::board();
    let on = &mut Session::new(&device);
    let mut rng = ChaCha20Rng::seed_from_u64(24);
    let (public, master) = setup(on, &mut rng).unwrap();
    let ciphertext = public.encrypt(on, &"a: 1 and b: 2".parse().unwrap(), b"both", &mut rng).unwrap();
    let [first, second] = ["a: 1", "b: 2"].map(|text| master.derive(on, &of(&[text]), &mut rng).unwrap());
    for (base, other, name) in [(&first, &second, "b"), (&second, &first, "a")] {
        let mut together = base.clone();
        together.k3.insert(name.into(), other.k3[name]);
        together.attributes = of(&["a: 1", "b: 2"]).with_reserved();
        assert!(matches!(together.decrypt(on, &ciphertext), Err(AbeError::Rejected)));
        // The combined key is also refused after encoding and decoding.
        let together = AttributeKey::from_bytes(&together.to_bytes()).unwrap();
        assert!(matches!(together.decrypt(on, &ciphertext), Err(AbeError::Rejected)));
    }
    // Keys that claim other attributes than they were derived for.
    let mut liar = first.clone();
    liar.attributes = of(&["a: 1", "b: 2"]).with_reserved();
    liar.k3.insert("b".into(), liar.k3["a"]);
    assert!(matches!(liar.decrypt(on, &ciphertext), Err(AbeError::Rejected)));
    let mut liar = first.clone();
    liar.attributes = of(&["a: 2"]).with_reserved();
    let other = public.encrypt(on, &"a: 2".parse().unwrap(), b"other", &mut rng).unwrap();
    assert!(matches!(liar.decrypt(on, &other), Err(AbeError::Rejected)));
    // The same change does not help with a negative literal.
    liar.attributes = of(&["a: 3"]).with_reserved();
    let not = public.encrypt(on, &"not a: 1".parse().unwrap(), b"other", &mut rng).unwrap();
    assert!(matches!(liar.decrypt(on, &not), Err(AbeError::Rejected)));
    assert!(matches!(first.decrypt(on, &not), Err(AbeError::Unsatisfied)));
}
