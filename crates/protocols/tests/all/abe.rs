//! Tests of attribute-based encryption: the bytes of CIRCL's `tkn20`, round trips, and every kind of refusal.

use crate::common::{device, hex, json, rng, text, vectors_root};
use pairwright_curve::bls12_381::{Bls12_381, G1};
use pairwright_curve::encoding::PointError;
use pairwright_device::Session;
use pairwright_protocols::schemes::abe::{
    AbeError, AttributeError, AttributeKey, Attributes, Ciphertext, EncodingFault, Layout, MasterKey, Policy,
    PublicKey, setup,
};
use rand_core::{Rng, TryCryptoRng, TryRng};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Shake128, Shake128Reader};
use std::convert::Infallible;

/// CIRCL's source of randomness in its tests: the output of SHAKE128.
struct Stream(Shake128Reader);

impl Stream {
    fn of(label: &str) -> Self {
        let mut hash = Shake128::default();
        hash.update(label.as_bytes());
        Self(hash.finalize_xof())
    }
}

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.0.read(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.0.read(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.read(out);
        Ok(())
    }
}
impl TryCryptoRng for Stream {}

fn vector(name: &str) -> Vec<u8> {
    std::fs::read(vectors_root().join("tkn20").join(name)).unwrap()
}

fn of(texts: &[&str]) -> Attributes {
    let mut attributes = Attributes::new();
    texts.iter().for_each(|text| attributes.insert_text(text).unwrap());
    attributes
}

fn attributes_of(case: &Value) -> Attributes {
    let mut attributes = Attributes::new();
    for (name, value) in case["attributes"].as_object().unwrap() {
        attributes.insert(name, value.as_str().unwrap()).unwrap();
    }
    attributes
}

fn digest(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

/// CIRCL's own files: keys and ciphertexts of both layouts are read, encode to the same bytes, and decrypt.
#[test]
fn files_of_circl() {
    let device = device();
    let on = &mut Session::new(&device);
    let public = PublicKey::from_bytes(&vector("publicKey")).unwrap();
    assert_eq!(public.to_bytes(), vector("publicKey"));
    let master = MasterKey::from_bytes(&vector("secretKey")).unwrap();
    assert_eq!(*master.to_bytes(), vector("secretKey"));
    let key = AttributeKey::from_bytes(&vector("attributeKey")).unwrap();
    assert_eq!(*key.to_bytes(), vector("attributeKey"));
    assert_eq!(key.attributes(), of(&["country: NL", "EU: true"]));
    assert_eq!(
        format!("{key:?} {master:?}"),
        format!(
            "{:?} MasterKey(..)",
            std::collections::BTreeSet::from(["EU", "country", "internal-boneh-katz-transform-attribute"])
        )
    );
    for (name, layout) in [("ciphertext", Layout::V138), ("ciphertext_v137", Layout::Older)] {
        let ciphertext = Ciphertext::from_bytes(&vector(name)).unwrap();
        assert_eq!((ciphertext.to_bytes(), ciphertext.layout()), (vector(name), layout));
        assert_eq!(ciphertext.policy(), &"EU: true".parse().unwrap());
        assert_eq!(ciphertext.message_len(), 31);
        ciphertext.could_be_decrypted_with(&key.attributes()).unwrap();
        assert_eq!(*key.decrypt(on, &ciphertext).unwrap(), b"Be sure to drink your ovaltine!");
        let other = master.derive(on, &of(&["country: NL", "EU: false"]), &mut rng(1)).unwrap();
        assert!(matches!(other.decrypt(on, &ciphertext), Err(AbeError::Unsatisfied)));
        let other = master.derive(on, &of(&["EU: *"]), &mut rng(1)).unwrap();
        assert_eq!(*other.decrypt(on, &ciphertext).unwrap(), b"Be sure to drink your ovaltine!");
    }
    // Both keys were drawn from the stream for the empty input.
    let (drawn, drawn_master) = setup(on, &mut Stream::of("")).unwrap();
    assert_eq!((drawn, drawn_master.to_bytes()), (public, master.to_bytes()));
}

/// The same randomness gives the same bytes as in CIRCL: keys, and ciphertexts under policies with every kind of gate.
#[test]
fn bytes_of_circl() {
    let device = device();
    let on = &mut Session::new(&device);
    let file = json(&vectors_root().join("tkn20/cases.json"));
    let (public, master) = setup(on, &mut Stream::of("setup")).unwrap();
    assert_eq!(digest(&public.to_bytes()), hex(text(&file, "public_key_sha256")));
    assert_eq!(digest(&master.to_bytes()), hex(text(&file, "master_key_sha256")));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 16);
    for case in cases {
        let words = text(case, "policy");
        let policy: Policy = words.parse().unwrap();
        let attributes = attributes_of(case);
        let message = text(case, "message").as_bytes();
        let mut stream = Stream::of(&format!("encrypt {words}"));
        let ciphertext = public.encrypt(on, &policy, message, &mut stream).unwrap();
        assert_eq!(digest(&ciphertext.to_bytes()), hex(text(case, "ciphertext_sha256")), "{words}");
        let key = master.derive(on, &attributes, &mut Stream::of(&format!("derive {words}"))).unwrap();
        assert_eq!(digest(&key.to_bytes()), hex(text(case, "key_sha256")), "{words}");
        let opens = case["opens"].as_bool().unwrap();
        assert_eq!(ciphertext.could_be_decrypted_with(&attributes).is_ok(), opens);
        match key.decrypt(on, &ciphertext) {
            Ok(found) => assert_eq!((opens, found.as_slice()), (true, message)),
            Err(why) => assert!(!opens && matches!(why, AbeError::Unsatisfied), "{words}: {why}"),
        }
        if let Some(bytes) = case.get("ciphertext") {
            let theirs = Ciphertext::from_bytes(&hex(bytes.as_str().unwrap())).unwrap();
            let key = AttributeKey::from_bytes(&hex(text(case, "key"))).unwrap();
            assert_eq!(
                (key.attributes(), key.decrypt(on, &theirs).unwrap().to_vec()),
                (attributes, message.to_vec())
            );
        }
    }
}

/// CIRCL's list of policies, each with attributes and a verdict.
#[test]
fn policies_of_circl() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(2);
    let (public, master) = setup(on, &mut rng).unwrap();
    for case in json(&vectors_root().join("tkn20/policies.json")).as_array().unwrap() {
        let policy: Policy = text(case, "policy").parse().unwrap();
        let attributes = attributes_of(case);
        let ciphertext = public.encrypt(on, &policy, b"precious", &mut rng).unwrap();
        let read = Ciphertext::from_bytes(&ciphertext.to_bytes()).unwrap();
        assert_eq!((&read, read.policy()), (&ciphertext, &policy));
        let key = master.derive(on, &attributes, &mut rng).unwrap();
        let opened = key.decrypt(on, &read);
        match case["success"].as_bool().unwrap() {
            true => assert_eq!(*opened.unwrap(), b"precious"),
            false => assert!(matches!(opened, Err(AbeError::Unsatisfied)), "{policy}"),
        }
    }
}

/// Random policies are decrypted exactly by the keys whose attributes satisfy them.
#[test]
fn random_policies_open_for_those_who_satisfy_them() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(3);
    let (public, master) = setup(on, &mut rng).unwrap();
    let sets = [
        of(&["a: 0", "b: 0"]),
        of(&["a: 1", "c: 0"]),
        of(&["b: 1", "c: 1", "a: *"]),
        of(&["a: 0", "b: 1", "c: *"]),
    ];
    let keys = sets.each_ref().map(|set| master.derive(on, set, &mut rng).unwrap());
    let mut opened = [0; 2];
    for round in 0..12 {
        let mut words = String::new();
        let mut open = 0;
        for i in 0..4 {
            let draw = rng.next_u32();
            words += if i == 0 {
                ""
            } else if draw & 1 == 0 {
                " and "
            } else {
                " or "
            };
            words += if draw & 2 == 0 { "" } else { "not " };
            if draw & 12 == 0 && i < 3 {
                words += "(";
                open += 1;
            }
            words += &format!("{}: {}", ["a", "b", "c"][(draw >> 8) as usize % 3], draw >> 16 & 1);
        }
        words += &")".repeat(open);
        let policy: Policy = words.parse().unwrap();
        let message = vec![round; usize::from(round) * 37];
        let ciphertext = public.encrypt(on, &policy, &message, &mut rng).unwrap();
        for (set, key) in sets.iter().zip(&keys) {
            let satisfied = policy.satisfied_by(set).is_ok();
            opened[usize::from(satisfied)] += 1;
            match key.decrypt(on, &ciphertext) {
                Ok(found) => assert!(satisfied && *found == message, "{words}"),
                Err(why) => assert!(!satisfied && matches!(why, AbeError::Unsatisfied), "{words}: {why}"),
            }
        }
    }
    assert!(opened.iter().all(|count| *count > 8), "{opened:?}");
}

/// A change of any byte is noticed, by the decoder or by the decryption.
#[test]
fn no_byte_can_be_changed() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(4);
    let (public, master) = setup(on, &mut rng).unwrap();
    let policy = "a: 1 and not b: 2".parse().unwrap();
    let bytes = public.encrypt(on, &policy, b"message", &mut rng).unwrap().to_bytes();
    let key = master.derive(on, &of(&["a: 1", "b: 3"]), &mut rng).unwrap();
    assert_eq!(*key.decrypt(on, &Ciphertext::from_bytes(&bytes).unwrap()).unwrap(), b"message");
    let mut decrypted = 0;
    // Changes every byte before and after the points, and some bytes of the points, whose bytes are all treated alike.
    let points = 250..bytes.len() - 120;
    for at in (0..bytes.len()).filter(|at| !points.contains(at) || at % 61 == 0) {
        for bit in [0, 7] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            if let Ok(ciphertext) = Ciphertext::from_bytes(&changed) {
                decrypted += 1;
                let verdict = key.decrypt(on, &ciphertext);
                assert!(
                    matches!(verdict, Err(AbeError::Rejected | AbeError::Unsatisfied)),
                    "byte {at}, bit {bit}"
                );
            }
        }
    }
    assert!(decrypted > 100, "{decrypted} changes get past the decoder");
    for length in
        (0..bytes.len()).filter(|length| *length < 300 || length % 37 == 0 || length + 100 > bytes.len())
    {
        let verdict = Ciphertext::from_bytes(&bytes[..length]);
        assert!(matches!(verdict, Err(AbeError::Bytes { what: "ciphertext", .. })), "{length}");
    }
    for more in [&[0][..], &[255; 4], b"extra"] {
        let verdict = Ciphertext::from_bytes(&[&bytes, more].concat());
        let Err(AbeError::Bytes { fault: EncodingFault::Trailing { left }, offset, .. }) = verdict else {
            panic!()
        };
        assert_eq!((left, offset), (more.len(), bytes.len()));
    }
    // Combinations of parts of two ciphertexts are well-formed but refused.
    let other = public.encrypt(on, &policy, b"message", &mut rng).unwrap().to_bytes();
    for cut in [40, bytes.len() - 34, bytes.len() - 34 - 79] {
        let mixed = [&bytes[..cut], &other[cut..]].concat();
        let verdict = key.decrypt(on, &Ciphertext::from_bytes(&mixed).unwrap());
        assert!(matches!(verdict, Err(AbeError::Rejected)), "{cut}");
    }
}

#[test]
fn versions_and_points_that_are_refused() {
    let fault = |bytes: &[u8]| match Ciphertext::from_bytes(bytes) {
        Err(AbeError::Bytes { field, offset, fault, .. }) => (field, offset, fault),
        other => panic!("{other:?}"),
    };
    let bytes = vector("ciphertext");
    for version in ["v1.3.9", "v1.4.0", "V1.3.8"] {
        let wrong = [version.as_bytes(), &bytes[6..]].concat();
        assert_eq!(fault(&wrong), ("version", 0, EncodingFault::Version));
    }
    for short in [&b""[..], b"v", b"v1.3.", &[32]] {
        assert_eq!(fault(short), ("version", 0, EncodingFault::Version));
    }
    // The older layout with the mark of the newer one, and vice versa.
    assert!(matches!(
        fault(&[b"v1.3.8", vector("ciphertext_v137").as_slice()].concat()).2,
        EncodingFault::Short { .. }
    ));
    assert!(matches!(fault(&bytes[6..]).2, EncodingFault::Trailing { .. } | EncodingFault::Short { .. }));
    // The length field of the body says four gigabytes.
    let mut large = bytes.clone();
    large[40..44].fill(0xff);
    assert_eq!(
        fault(&large),
        ("body", 44, EncodingFault::Short { needed: 0xffff_ffff, left: bytes.len() - 44 })
    );

    // c1 begins after mark, identity, lengths and policy; its first point is replaced.
    let at = 6 + 34 + 4 + 4 + 2 + "EU: true".len() - 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 32 + 1;
    let at = bytes[at - 8..].windows(6).position(|w| w == [4, 3, 4, 0, 1, 0]).unwrap() + at - 8 + 5 + 1;
    let mut off = bytes.clone();
    off[at + 191] ^= 1;
    let (field, _, why) = fault(&off);
    assert_eq!((field, why), ("c1", EncodingFault::Point(PointError::NotOnCurve { curve: "BLS12-381 G2" })));
    let mut flags = bytes.clone();
    flags[at] |= 0x80;
    assert!(matches!(fault(&flags).2, EncodingFault::Point(PointError::Flags { .. })));
}

/// A point of the curve that is not in the subgroup, in a key and in a ciphertext.
#[test]
fn subgroups_are_checked() {
    use pairwright_curve::encoding::{PointEncoding, ZcashUncompressed};
    use pairwright_curve::{Affine, Curve};
    use pairwright_field::Sqrt;
    let outside = (1u64..100)
        .find_map(|x| {
            let x = <G1 as Curve>::Base::from(x);
            let y = (x * x * x + G1::B).sqrt_vartime()?;
            let point = Affine::<G1>::from_xy_unchecked(x, y);
            (point.is_on_curve() && !point.is_in_subgroup_vartime()).then_some(point)
        })
        .expect("most points of the curve are outside");
    let outside = ZcashUncompressed::to_vec(&outside);
    let mut key = vector("attributeKey");
    let last = key.len() - 96;
    key[last..].copy_from_slice(&outside);
    let Err(AbeError::Bytes { what, field, offset, fault }) = AttributeKey::from_bytes(&key) else {
        panic!()
    };
    assert_eq!((what, field, offset), ("attribute key", "k3 of every value", last));
    assert_eq!(fault, EncodingFault::Point(PointError::NotInSubgroup { curve: "BLS12-381 G1" }));

    // The same for the target group: an element of the field that is not in the group.
    let mut public = vector("publicKey");
    let end = public.len();
    public[end - 1] ^= 1;
    let Err(AbeError::Bytes { fault, offset, .. }) = PublicKey::from_bytes(&public) else { panic!() };
    assert_eq!((fault, offset), (EncodingFault::Target, end - 576));
    let zero = [&public[..end - 576], &[0; 576]].concat();
    assert!(matches!(
        PublicKey::from_bytes(&zero),
        Err(AbeError::Bytes { fault: EncodingFault::Target, .. })
    ));
}

/// Every byte of every key matters: a key with a changed byte is refused or decrypts nothing.
#[test]
fn keys_are_checked() {
    let key = vector("attributeKey");
    for length in (0..key.len()).filter(|length| length % 23 == 0 || *length < 200) {
        assert!(matches!(AttributeKey::from_bytes(&key[..length]), Err(AbeError::Bytes { .. })), "{length}");
    }
    let with = |at: usize, byte: u8| {
        let mut changed = key.clone();
        changed[at] = byte;
        match AttributeKey::from_bytes(&changed) {
            Err(AbeError::Bytes { fault, .. }) => fault,
            other => panic!("{at}: {other:?}"),
        }
    };
    // The encoding of attributes: length, count, then `EU` with its flag and its integer.
    assert_eq!(with(4, 0), EncodingFault::Name);
    assert_eq!(with(6, 0xff), EncodingFault::Name);
    assert_eq!(with(6, b'z'), EncodingFault::Order);
    assert_eq!(with(8, 2), EncodingFault::Flag(2));
    assert_eq!(with(8, 1), EncodingFault::WildValue);
    assert_eq!(with(9, 0xff), EncodingFault::Scalar);
    let reserved = key.windows(8).position(|w| w == b"internal").unwrap();
    assert_eq!(with(reserved, b'j'), EncodingFault::NoReserved);
    let count = key.windows(2).rposition(|w| w == [1, 0]).unwrap();
    assert!(matches!(with(count, 9), EncodingFault::Shape { .. } | EncodingFault::Count { .. }));
    assert!(matches!(
        AttributeKey::from_bytes(&[&key[..], &[0]].concat()),
        Err(AbeError::Bytes { fault: EncodingFault::Trailing { left: 1 }, .. })
    ));

    let master = vector("secretKey");
    for length in 0..master.len() {
        assert!(MasterKey::from_bytes(&master[..length]).is_err());
    }
    let mut changed = master.clone();
    changed[2] = 2;
    let verdict = MasterKey::from_bytes(&changed);
    assert!(matches!(
        verdict,
        Err(AbeError::Bytes {
            field: "A",
            fault: EncodingFault::Shape { expected: [3, 2], found: [2, 2] },
            ..
        })
    ));
    changed = master.clone();
    changed[6..38].fill(0xff);
    let Err(AbeError::Bytes { fault: EncodingFault::Scalar, offset: 6, .. }) =
        MasterKey::from_bytes(&changed)
    else {
        panic!()
    };
    let public = vector("publicKey");
    assert_eq!((public.len(), master.len()), (PublicKey::BYTES, MasterKey::BYTES));
    for length in (0..public.len()).step_by(97) {
        assert!(PublicKey::from_bytes(&public[..length]).is_err());
    }
}

#[test]
fn attributes_are_checked() {
    use AttributeError as E;
    let mut attributes = Attributes::new();
    attributes.insert("a", "New York").unwrap();
    attributes.insert_wildcard("b").unwrap();
    for (name, value, error) in [
        ("", "x", E::NoName),
        ("a", "x", E::Twice("a".into())),
        ("c", "", E::NoValue("c".into())),
        ("e-mail", "x", E::Name("e-mail".into())),
        ("not", "x", E::Name("not".into())),
        ("ä", "x", E::Name("ä".into())),
        (
            "internal-boneh-katz-transform-attribute",
            "x",
            E::Name("internal-boneh-katz-transform-attribute".into()),
        ),
    ] {
        assert_eq!(attributes.insert(name, value), Err(error));
    }
    assert_eq!(attributes.insert_wildcard(""), Err(E::NoName));
    assert_eq!(attributes.insert_wildcard("a"), Err(E::Twice("a".into())));
    for (text, error) in [
        ("a", E::Text("a".into())),
        (": x", E::NoName),
        ("c:", E::NoValue("c".into())),
        ("a: x", E::Twice("a".into())),
    ] {
        assert_eq!(attributes.insert_text(text), Err(error));
    }
    assert_eq!(attributes.names().collect::<Vec<_>>(), [("a", false), ("b", true)]);
    assert_eq!((attributes.len(), attributes.is_empty()), (2, false));

    let device = device();
    let on = &mut Session::<Bls12_381>::new(&device);
    let master = MasterKey::from_bytes(&vector("secretKey")).unwrap();
    let mut many = Attributes::new();
    (0..2000).for_each(|i| many.insert(&format!("n{i}"), "x").unwrap());
    let verdict = master.derive(on, &many, &mut rng(5));
    assert!(matches!(verdict, Err(AbeError::Attribute(E::TooMany { .. }))));
    let mut long = Attributes::new();
    long.insert(&"n".repeat(70_000), "x").unwrap();
    let verdict = master.derive(on, &long, &mut rng(5));
    assert!(matches!(verdict, Err(AbeError::Attribute(E::TooMany { .. }))));
    // A key of an empty set of attributes is valid, and decrypts nothing.
    let key = master.derive(on, &Attributes::new(), &mut rng(5)).unwrap();
    assert!(AttributeKey::from_bytes(&key.to_bytes()).unwrap().attributes().is_empty());
    let ciphertext = Ciphertext::from_bytes(&vector("ciphertext")).unwrap();
    assert!(matches!(key.decrypt(on, &ciphertext), Err(AbeError::Unsatisfied)));
}

/// A key of another system, with the attributes that the policy asks for.
#[test]
fn systems_are_apart() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(6);
    let (public, _) = setup(on, &mut rng).unwrap();
    let (_, other) = setup(on, &mut rng).unwrap();
    let attributes = of(&["a: 1"]);
    let key = other.derive(on, &attributes, &mut rng).unwrap();
    for policy in ["a: 1", "not a: 2"] {
        let ciphertext = public.encrypt(on, &policy.parse().unwrap(), b"m", &mut rng).unwrap();
        ciphertext.could_be_decrypted_with(&attributes).unwrap();
        assert!(matches!(key.decrypt(on, &ciphertext), Err(AbeError::Rejected)));
    }
}
