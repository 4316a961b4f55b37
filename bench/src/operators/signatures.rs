//! BLS signatures with keys in the first group: signing, and verification of one signature, of an aggregate over different messages, and
//! of many independent signatures together. Both sides check keys beforehand, as decoding does; signatures are checked beforehand or
//! within the measured time.

use crate::bound::ProductCount;
use crate::{Options, Row, Table, blst_calls, bridge, take_turns};
use blst::BLST_ERROR::BLST_SUCCESS;
use blst::min_pk::{
    AggregateSignature, PublicKey as BlstKey, SecretKey as BlstSecret, Signature as BlstSignature,
};
use blst::{blst_p1_affine, blst_p2_affine, blst_scalar};
use pairwright_curve::bls12_381::{Bls12_381, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_device::Session;
use pairwright_protocols::schemes::MinPk;
use pairwright_protocols::schemes::bls::{
    PublicKey, Scheme, SecretKey, Signature, aggregate, aggregate_verify, batch_verify, check_signatures,
    verify,
};
use rand_chacha::rand_core::Rng;
use std::any::Any;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);
/// Number of signatures in an aggregate, and in a batch.
const MANY: usize = 128;
/// Number of bits of the weights in a batch; it is fixed in our verifier, and a parameter of blst's.
const WEIGHT_BITS: usize = 128;
const SCHEME: Scheme = Scheme::Basic;
/// The names of the rows.
const NAMES: [&str; 7] = [
    "BLS signature verify",
    "BLS signature verify, checked",
    "BLS signatures, aggregate verify",
    "BLS signatures, batch verify",
    "BLS signatures, batch verify, checked",
    "BLS12-381 hash to G2",
    "BLS sign",
];
/// Number of messages that are hashed together.
const HASHED: usize = 64;

/// The same signatures of messages of 32 bytes on both sides.
struct Signed {
    messages: Vec<[u8; 32]>,
    keys: Vec<PublicKey<MinPk>>,
    signatures: Vec<Signature<MinPk>>,
    blst_keys: Vec<BlstKey>,
    blst_signatures: Vec<BlstSignature>,
    tag: String,
}

impl Signed {
    fn new() -> Self {
        let mut rng = bridge::rng(15);
        let mut signed = Self {
            messages: Vec::new(),
            keys: Vec::new(),
            signatures: Vec::new(),
            blst_keys: Vec::new(),
            blst_signatures: Vec::new(),
            tag: SCHEME.ciphersuite::<MinPk>(),
        };
        for _ in 0..MANY {
            let secret = SecretKey::random(&mut rng);
            let theirs = BlstSecret::from_bytes(&secret.to_bytes()[..]).expect("a key");
            let mut message = [0; 32];
            rng.fill_bytes(&mut message);
            let (key, signature) = (secret.public_key::<MinPk>(), secret.sign::<MinPk>(SCHEME, &message));
            let blst_signature = theirs.sign(&message, signed.tag.as_bytes(), &[]);
            assert!(key.to_bytes() == theirs.sk_to_pk().to_bytes(), "the same key");
            assert!(signature.to_bytes() == blst_signature.to_bytes(), "the same signature");
            signed.messages.push(message);
            signed.keys.push(key);
            signed.signatures.push(signature);
            signed.blst_keys.push(theirs.sk_to_pk());
            signed.blst_signatures.push(blst_signature);
        }
        signed
    }

    fn tag(&self) -> &[u8] {
        self.tag.as_bytes()
    }
}

/// Verification by blst on one thread: pairings are collected in an accumulator, multiplied by weights if there are any. At least the
/// first key needs a signature.
fn on_one_thread<'a>(
    tag: &[u8],
    keys: impl IntoIterator<Item = (&'a BlstKey, &'a [u8; 32])>,
    signatures: &[BlstSignature],
    weights: Option<&[blst_scalar]>,
    checking: bool,
) -> bool {
    let mut product = blst::Pairing::new(true, tag);
    for (i, (key, message)) in keys.into_iter().enumerate() {
        let key: &blst_p1_affine = key.into();
        // blst treats a value of any other type as the absence of a signature.
        let signature: &dyn Any = match signatures.get(i) {
            Some(signature) => <&blst_p2_affine>::from(signature),
            None => &(),
        };
        let error = match weights {
            Some(weights) => {
                let weight = &weights[i].b;
                product.mul_n_aggregate(key, false, signature, checking, weight, WEIGHT_BITS, message, &[])
            }
            None => product.aggregate(key, false, signature, checking, message, &[]),
        };
        if error != BLST_SUCCESS {
            return false;
        }
    }
    product.commit();
    product.finalverify(None)
}

/// The rows of an operation, compared with blst on one thread and on all. If verification fails, our side panics and blst's returns
/// false.
struct Turns<'a> {
    name: &'static str,
    count: usize,
    products: ProductCount,
    ours: &'a (dyn Fn() + Sync),
    on_one: &'a (dyn Fn() -> bool + Sync),
    on_all: &'a (dyn Fn() -> bool + Sync),
}

impl Turns<'_> {
    fn rows(&self, options: &Options, table: &mut Table) {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        for (threads, pool) in options.pools() {
            if !options.wants(self.name) || (threads != 1 && threads != all) {
                continue;
            }
            let theirs = |()| assert!(if threads == 1 { (self.on_one)() } else { (self.on_all)() });
            let pair = pool.install(|| take_turns(BUDGET, || (), |()| (self.ours)(), || (), theirs));
            let bound = (self.count > 1 && !self.name.ends_with("checked")).then_some(self.products);
            table.push(Row::new(self.name, self.count.to_string(), threads, "blst", &pair, 1).bounded(bound));
        }
    }
}

/// Rows compared with blst: on one thread by its accumulator, on all cores by its own threads; other numbers of threads are left out.
pub fn against_blst(options: &Options, table: &mut Table) {
    if !NAMES.iter().any(|name| options.wants(name)) {
        return;
    }
    let signed = Signed::new();
    let device = pairwright_cpu::board::<Bls12_381>();
    let on = || Session::new(&device);
    let (tag, messages) = (signed.tag(), &signed.messages);
    let texts: Vec<&[u8]> = messages.iter().map(|m| &m[..]).collect();
    let blst_keys: Vec<&BlstKey> = signed.blst_keys.iter().collect();
    let blst_signatures: Vec<&BlstSignature> = signed.blst_signatures.iter().collect();
    let keyed = || signed.blst_keys.iter().zip(messages);

    let mut bytes = [0; 32];
    bridge::rng(16).fill_bytes(&mut bytes);
    let theirs = BlstSecret::key_gen(&bytes, &[]).expect("a key");
    let secret = SecretKey::from_bytes(&theirs.to_bytes()).expect("a key");
    let sign = || secret.sign::<MinPk>(SCHEME, texts[0]).to_bytes();
    let blst_sign = || theirs.sign(texts[0], tag, &[]).to_bytes();
    assert!(sign()[..] == blst_sign()[..], "the same signature");
    Turns {
        name: NAMES[6],
        count: 1,
        products: ProductCount::default(),
        ours: &|| _ = std::hint::black_box(sign()),
        on_one: &|| blst_sign()[0] != 0,
        on_all: &|| blst_sign()[0] != 0,
    }
    .rows(options, table);

    for (name, checking) in [(NAMES[0], false), (NAMES[1], true)] {
        let one = |of: usize| {
            let signature = &signed.signatures[of];
            if checking {
                Signature::<MinPk>::from_point(signature.point()).expect("in the subgroup");
            }
            verify(&mut on(), SCHEME, &signed.keys[0], &messages[0], signature).is_ok()
        };
        let on_one = |of: usize| {
            let signature = &signed.blst_signatures[of..=of];
            on_one_thread(tag, keyed().take(1), signature, None, checking)
        };
        let on_all = |of: usize| {
            let signature = &signed.blst_signatures[of];
            signature.verify(checking, texts[0], tag, &[], blst_keys[0], false) == BLST_SUCCESS
        };
        assert!(!one(1) && !on_one(1) && !on_all(1), "another signature is rejected");
        Turns {
            name,
            count: 1,
            products: ProductCount::aggregate::<Bls12_381>(1),
            ours: &|| assert!(one(0)),
            on_one: &|| on_one(0),
            on_all: &|| on_all(0),
        }
        .rows(options, table);
    }

    let sum = aggregate(&signed.signatures).expect("some");
    let blst_sum = AggregateSignature::aggregate(&blst_signatures, false).expect("some").to_signature();
    assert!(sum.to_bytes() == blst_sum.to_bytes(), "the same aggregate");
    let pairs: Vec<(PublicKey<MinPk>, &[u8])> = signed.keys.iter().copied().zip(texts.clone()).collect();
    Turns {
        name: NAMES[2],
        count: MANY,
        products: ProductCount::aggregate::<Bls12_381>(MANY),
        ours: &|| aggregate_verify(&mut on(), SCHEME, &pairs, &sum).expect("valid"),
        on_one: &|| blst::uniq(&texts) && on_one_thread(tag, keyed(), &[blst_sum], None, false),
        on_all: &|| {
            blst::uniq(&texts)
                && blst_sum.aggregate_verify(false, &texts, tag, &blst_keys, false) == BLST_SUCCESS
        },
    }
    .rows(options, table);

    for (name, checking) in [(NAMES[3], false), (NAMES[4], true)] {
        let weights = || -> Vec<blst_scalar> {
            let mut rng = bridge::rng(17);
            let mut weight = || {
                let mut weight = blst_scalar::default();
                rng.fill_bytes(&mut weight.b[..WEIGHT_BITS / 8]);
                weight.b[0] |= 1;
                weight
            };
            (0..MANY).map(|_| weight()).collect()
        };
        let points: Vec<_> = signed.signatures.iter().map(Signature::point).collect();
        let ours = || {
            let checked = checking.then(|| check_signatures(&mut on(), &points).expect("in the subgroup"));
            let signatures = checked.as_ref().unwrap_or(&signed.signatures);
            let batch = signed.keys.iter().zip(&texts).zip(signatures);
            let batch: Vec<_> = batch.map(|((key, text), signature)| (*key, *text, *signature)).collect();
            batch_verify(&mut on(), SCHEME, &batch, &mut bridge::rng(16)).expect("valid");
        };
        let on_one = || on_one_thread(tag, keyed(), &signed.blst_signatures, Some(&weights()), checking);
        let on_all = || {
            BlstSignature::verify_multiple_aggregate_signatures(
                &texts,
                tag,
                &blst_keys,
                false,
                &blst_signatures,
                checking,
                &weights(),
                WEIGHT_BITS,
            ) == BLST_SUCCESS
        };
        let products = ProductCount::signatures::<Bls12_381>(MANY);
        Turns { name, count: MANY, products, ours: &ours, on_one: &on_one, on_all: &on_all }
            .rows(options, table);
    }

    // blst hashes one message at a time.
    let texts = &texts[..HASHED];
    let ours = || on().hash_to_g2(&Suite::<G2>::OF_GROUP, texts, tag).expect("hashed");
    let theirs = || -> Vec<_> { texts.iter().map(|text| blst_calls::hash_to_g2(text, tag)).collect() };
    let bytes = |p: &blst_p2_affine| BlstSignature::from(*p).to_bytes();
    assert!(
        ours().iter().map(ZcashCompressed::to_vec).eq(theirs().iter().map(|p| bytes(p).to_vec())),
        "the same points"
    );
    for (threads, pool) in options.pools() {
        if options.wants(NAMES[5]) && threads == 1 {
            let pair =
                pool.install(|| take_turns(BUDGET, || (), |()| drop(ours()), || (), |()| drop(theirs())));
            let bound = ProductCount::hashes::<Bls12_381>(HASHED);
            table
                .push(Row::new(NAMES[5], HASHED.to_string(), threads, "blst", &pair, 1).bounded(Some(bound)));
        }
    }
}
