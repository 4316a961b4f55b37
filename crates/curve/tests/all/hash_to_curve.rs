//! Hashing to BLS12-381: the vectors of RFC 9380 step by step, EIP-2537's maps, and the exceptional inputs.

use crate::common::{hex, public_vectors, rng, vectors};
use pairwright_curve::bls12_381::{Fq, Fq2, G1, G2};
use pairwright_curve::bn254;
use pairwright_curve::encoding::{Eip2537, PointEncoding};
use pairwright_curve::hash_to_curve::{
    HashBySvdw, IsogenousPoint, Suite, expand_message_xmd, expand_message_xof, hash_to_field, sgn0,
};
use pairwright_curve::{Affine, Curve, HashToCurve, Projective};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use serde_json::Value;
use sha2::Sha256;
use sha3::Keccak256;

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {v}"))
}

/// Parses coordinates as in the vectors: hexadecimal, separated by commas.
fn element<F: Extension>(text: &str) -> F {
    let coords: Vec<F::Prime> = text
        .split(',')
        .map(|c| {
            let width = 2 * F::Prime::BYTES;
            F::Prime::read_be(&hex(&format!("{:0>width$}", c.trim_start_matches("0x")))).expect("reduced")
        })
        .collect();
    F::from_coords(&coords)
}

fn point<C: Curve>(v: &Value) -> Affine<C> {
    Affine::from_xy_unchecked(element(text(v, "x")), element(text(v, "y")))
}

#[test]
fn expand_message() {
    for file in ["expand_message_xmd_SHA256_38.json", "expand_message_xmd_SHA256_256.json"] {
        let file = vectors(&format!("h2c/{file}"));
        let tests = file["tests"].as_array().expect("a list");
        assert_eq!(tests.len(), 10);
        for test in tests {
            let length = usize::from_str_radix(text(test, "len_in_bytes").trim_start_matches("0x"), 16);
            let mut out = vec![0; length.expect("hexadecimal")];
            expand_message_xmd(text(test, "msg").as_bytes(), text(&file, "DST").as_bytes(), &mut out);
            assert_eq!(out, hex(text(test, "uniform_bytes")));
        }
    }
}

/// The ends of the longest outputs equal those computed with Python's `hashlib`.
#[test]
fn expansions_of_the_largest_length() {
    let (mut sha, mut shake) = (vec![0; 8160], vec![0; 65535]);
    expand_message_xmd(b"message", b"tag", &mut sha);
    expand_message_xof(b"message", b"tag", &mut shake);
    assert_eq!(sha[8128..].to_vec(), hex("9dc7fd4239906dc5f06eabe1c325e824acd12cbfe25c6a55dd16f14d50a4fc8b"));
    assert_eq!(
        shake[65503..].to_vec(),
        hex("707eed5785c9fa8b8bc156cb895d1bd3480e189057f4c979ea743de153726a7b")
    );
}

#[test]
fn expand_message_with_shake() {
    let file = vectors("h2c/expand_message_xof_SHAKE256_36.json");
    let tests = file["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 10);
    for test in tests {
        let length = usize::from_str_radix(text(test, "len_in_bytes").trim_start_matches("0x"), 16);
        let mut out = vec![0; length.expect("hexadecimal")];
        expand_message_xof(text(test, "msg").as_bytes(), text(&file, "DST").as_bytes(), &mut out);
        assert_eq!(out, hex(text(test, "uniform_bytes")));
    }
    // A long tag is hashed to 32 bytes first; the value is that of Python's `hashlib` for a tag of 256 letters `a`.
    let (mut found, mut want) = ([0; 48], [0; 48]);
    expand_message_xof(b"message", &[b'a'; 256], &mut found);
    let hashed = hex("b8f999bc252d44ff67e4b7e2cb0a94899c72a855b48f3413956b1ecaa275c726");
    expand_message_xof(b"message", &hashed, &mut want);
    assert_eq!(found, want);
    assert_eq!(
        found.to_vec(),
        hex(
            "6a0b2e741fff331c36366601d8a79e9f6fa78da1961ecead13daa1faa6ed826ceef2796987633cbfb3186640de06c693"
        )
    );
}

/// A suite with another expansion gives different points, which are in the subgroup.
#[test]
fn suites_differ_by_their_expansion() {
    let suite = Suite::<G1>::OF_GROUP;
    let shake = suite.with_expansion(expand_message_xof);
    assert_eq!(suite.hash_to_curve(b"m", b"tag"), G1::hash_to_curve(b"m", b"tag"));
    let point = shake.hash_to_curve(b"m", b"tag");
    assert_ne!(point, suite.hash_to_curve(b"m", b"tag"));
    assert!(point.is_on_curve() && point.is_in_subgroup_vartime());
}

/// Compares every intermediate value in the RFC: field elements, their points, the result.
fn random_oracle<C: HashToCurve>(file: &Value) {
    assert_eq!(text(file, "ciphersuite"), C::SUITE_RO);
    let dst = text(file, "dst").as_bytes();
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let message = text(case, "msg").as_bytes();
        let u: [C::Base; 2] = hash_to_field(message, dst);
        for (i, name) in ["Q0", "Q1"].into_iter().enumerate() {
            assert_eq!(u[i], element(case["u"][i].as_str().expect("a string")));
            assert_eq!(C::map_to_curve(&u[i]).to_affine(), point(&case[name]));
        }
        assert_eq!(C::hash_to_curve(message, dst), point(&case["P"]));
    }
}

#[test]
fn random_oracle_g1() {
    random_oracle::<G1>(&vectors("h2c/BLS12381G1_XMD-SHA-256_SSWU_RO_.json"));
}

#[test]
fn random_oracle_g2() {
    random_oracle::<G2>(&vectors("h2c/BLS12381G2_XMD-SHA-256_SSWU_RO_.json"));
}

fn not_uniform<C: HashToCurve>(path: &str) {
    let Some(file) = public_vectors(path) else { return };
    assert_eq!(text(&file, "ciphersuite"), C::SUITE_NU);
    let dst = text(&file, "dst").as_bytes();
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let message = text(case, "msg").as_bytes();
        let [u] = hash_to_field::<C::Base, 1>(message, dst);
        assert_eq!(u, element(case["u"][0].as_str().expect("a string")));
        assert_eq!(C::map_to_curve(&u).to_affine(), point(&case["Q"]));
        assert_eq!(C::encode_to_curve(message, dst), point(&case["P"]));
    }
}

#[test]
fn not_uniform_g1() {
    not_uniform::<G1>("public/h2c/BLS12381G1_XMD_SHA-256_SSWU_NU_.json");
}

#[test]
fn not_uniform_g2() {
    not_uniform::<G2>("public/h2c/BLS12381G2_XMD_SHA-256_SSWU_NU_.json");
}

/// BLS12_MAP_FP_TO_G1 and BLS12_MAP_FP2_TO_G2: the map, followed by clearing the cofactor.
fn eip2537_map<C: HashToCurve>(cases: &Value) {
    let cases = cases.as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    for case in cases {
        // 64 bytes per coordinate, 16 of them padding, the lowest coordinate first.
        let coords: Vec<_> = hex(text(case, "Input"))
            .chunks(64)
            .map(|c| <C::Base as Extension>::Prime::read_be(&c[16..]).expect("reduced"))
            .collect();
        let image = C::clear_cofactor(&C::map_to_curve(&C::Base::from_coords(&coords)));
        assert_eq!(
            Eip2537::to_vec(&image.to_affine()),
            hex(text(case, "Expected")),
            "{}",
            text(case, "Name")
        );
    }
}

#[test]
fn eip2537_maps() {
    eip2537_map::<G1>(&vectors("eip2537/map_fp_to_G1_bls.json"));
    if let Some(cases) = public_vectors("public/eip2537/map_fp2_to_G2_bls.json") {
        eip2537_map::<G2>(&cases);
    }
}

/// The result of the map is on the isogenous curve and has the right sign, for ordinary and for exceptional inputs. The isogeny
/// and the clearing of the cofactor agree with the variable-time code.
fn map_properties<C: HashToCurve>(exceptional: &[C::Base]) {
    let mut rng = rng(70);
    let sswu = C::SSWU;
    let mut seconds = 0;
    for i in 0..60 {
        let u = exceptional.get(i).copied().unwrap_or_else(|| C::Base::random(&mut rng));
        let [zu2, t] = sswu.powers(u);
        assert_eq!(t.is_zero(), i < exceptional.len());
        let [IsogenousPoint { numerator, denominator, y }] = C::map_to_isogenous([u]);
        let x = numerator * denominator.invert().expect("not zero");
        assert_eq!(y.square(), (x.square() + sswu.a) * x + sswu.b);
        assert_eq!(sgn0(&u).reveal(), sgn0(&y).reveal());
        if !t.is_zero() {
            // x1 = -b/a·(1 + 1/t), and x2 = z·u²·x1 if no point has first coordinate x1.
            let x1 = -(sswu.b * (C::Base::ONE + t.invert().expect("not zero")))
                * sswu.a.invert().expect("not zero");
            let first = ((x1.square() + sswu.a) * x1 + sswu.b).sqrt_vartime().is_some();
            assert_eq!(x, if first { x1 } else { zu2 * x1 });
            seconds += usize::from(!first);
        }
        let p = C::map_to_curve(&u);
        // The map of two elements, with the element in either position.
        let (other, twins) = (C::Base::random(&mut rng), C::map_to_curve(&u).to_affine());
        let [[a, b], [c, d]] = [C::maps_to_curve([u, other]), C::maps_to_curve([other, u])];
        assert_eq!([a.to_affine(), d.to_affine()], [twins, twins]);
        assert_eq!(b.to_affine(), c.to_affine());
        assert!(p.to_affine().is_on_curve() && !p.to_affine().is_in_subgroup_vartime());
        let cleared = C::clear_cofactor(&p).to_affine();
        assert_eq!(cleared, C::clear_cofactor_vartime(&p.to_affine()).to_affine());
        assert!(cleared.is_in_subgroup_vartime());
    }
    assert!((10..50).contains(&seconds), "both candidates are taken");
    assert!(C::clear_cofactor(&Projective::INFINITY).to_affine().is_infinity());
    // Points of small order, for which chains of additions contain exceptional cases: the point with x = 0, of order three, if there
    // is one, and multiples of a point by the order and by all other factors of the cofactor.
    for x in 0..40u64 {
        let x = <C::Base as Extension>::from_prime(x.into());
        let Some(y) = (x.square() * x + C::B).sqrt_vartime() else { continue };
        let p = Affine::<C>::from_xy_unchecked(x, y);
        let torsion = p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        let small = SMALL_FACTORS.map(|factor| {
            let (mut rest, factor) = (num_bigint::BigUint::from_bytes_le(&cofactor_bytes::<C>()), factor);
            while &rest % factor == num_bigint::BigUint::ZERO {
                rest /= factor;
            }
            torsion.mul_limbs_vartime(&rest.to_u64_digits()).to_affine()
        });
        for p in [p, torsion.to_affine()].into_iter().chain(small) {
            let cleared = C::clear_cofactor(&Projective::from(p)).to_affine();
            assert_eq!(cleared, C::clear_cofactor_vartime(&p).to_affine());
        }
    }
}

/// Small primes that divide cofactors of BLS12-381.
const SMALL_FACTORS: [u32; 4] = [3, 11, 13, 23];

fn cofactor_bytes<C: Curve>() -> Vec<u8> {
    C::COFACTOR.iter().flat_map(|limb| limb.to_le_bytes()).collect()
}

#[test]
fn map_properties_g1() {
    // Z·u² = -1 has the solutions ±√(-1/11).
    let root = (-Fq::from(11).invert().expect("not zero")).sqrt_vartime().expect("a square");
    map_properties::<G1>(&[Fq::ZERO, root, -root]);
}

#[test]
fn map_properties_g2() {
    // -1/Z is not a square in Fq2.
    assert!((-G2::SSWU.z.invert().expect("not zero")).sqrt_vartime().is_none());
    map_properties::<G2>(&[Fq2::ZERO]);
}

/// The isogeny maps the points of its kernel to infinity, and is a homomorphism.
#[test]
fn kernel_of_the_isogeny() {
    // h = x + c for G2; its root is the first coordinate of the kernel's points.
    let x = -G2::ISOGENY.kernel[0];
    let y = Fq2::new(Fq::from(3), Fq::from(4));
    let [px, py, pz] = G2::ISOGENY.map([x, Fq2::ONE, y]);
    assert!(pz.is_zero() && px.is_zero() && !py.is_zero());
    // Scaling numerator and denominator does not change the image.
    let [IsogenousPoint { numerator, denominator, y }] = G1::map_to_isogenous([Fq::from(7)]);
    let image = |s: Fq| {
        let [x, y, z] = G1::ISOGENY.map([numerator * s, denominator * s, y]);
        Projective::<G1> { x, y, z }.to_affine()
    };
    assert_eq!(image(Fq::ONE), image(Fq::from(5)));
}

/// Compares with gnark-crypto's vectors of BN254's first group: field elements, their points, the result.
#[test]
fn shallue_and_van_de_woestijne_with_sha256() {
    type F = bn254::Fq;
    let file = vectors("h2c/BN254G1_XMD-SHA-256_SVDW_RO_.json");
    let dst = text(&file, "dst").as_bytes();
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let message = text(case, "msg").as_bytes();
        let u: [F; 2] = hash_to_field(message, dst);
        for (i, name) in ["Q0", "Q1"].into_iter().enumerate() {
            assert_eq!(u[i], element(case["u"][i].as_str().expect("a string")));
            assert_eq!(<bn254::G1 as HashBySvdw>::map_to_curve(&u[i]), point(&case[name]));
        }
        assert_eq!(bn254::G1::hash_to_curve::<Sha256>(message, dst), point(&case["P"]));
    }
    let file = vectors("h2c/BN254G1_XMD-SHA-256_SVDW_NU_.json");
    let dst = text(&file, "dst").as_bytes();
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 5);
    for case in cases {
        let message = text(case, "msg").as_bytes();
        let [u] = hash_to_field::<F, 1>(message, dst);
        assert_eq!(u, element(case["u"][0].as_str().expect("a string")));
        assert_eq!(bn254::G1::encode_to_curve::<Sha256>(message, dst), point(&case["P"]));
    }
}

/// Compares with kyber's points under drand's tag, with Keccak-256.
#[test]
fn shallue_and_van_de_woestijne_with_keccak() {
    let file = vectors("h2c/BN254G1_XMD-KECCAK-256_SVDW_RO_.json");
    let dst = text(&file, "dst").as_bytes();
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 8);
    for case in cases {
        let message = text(case, "msg").as_bytes();
        assert_eq!(bn254::G1::hash_to_curve::<Keccak256>(message, dst), point(&case["P"]));
    }
}

/// Every input gives a point with the sign of the input, and each of the three candidates occurs. This includes the inputs for which a
/// denominator is zero: 0, and the roots of `1/g(Z)` and `-1/g(Z)`.
#[test]
fn map_of_shallue_and_van_de_woestijne() {
    type F = bn254::Fq;
    let k = bn254::G1::SVDW;
    let g = |x: F| x.square() * x + F::from(3);
    assert_eq!((g(k.z), k.c2.double(), k.c3.square()), (k.c1, -k.z, -F::from(3) * k.z.square() * k.c1));
    assert_eq!(k.c4 * F::from(3) * k.z.square(), -F::from(4) * k.c1);
    let roots: Vec<F> =
        [k.c1, -k.c1].iter().filter_map(|c| c.invert().expect("not zero").sqrt_vartime()).collect();
    assert!(!roots.is_empty(), "one of a number and its opposite is a square");
    let mut inputs = vec![F::ZERO];
    inputs.extend(roots.iter().flat_map(|r| [*r, -*r]));
    let exceptional = inputs.len();
    let mut rng = rng(71);
    inputs.extend((0..60).map(|_| F::random(&mut rng)));
    let mut taken = [0; 3];
    for (i, u) in inputs.into_iter().enumerate() {
        let p = <bn254::G1 as HashBySvdw>::map_to_curve(&u);
        assert!(p.is_on_curve() && !p.is_infinity());
        assert_eq!(sgn0(&u).reveal(), sgn0(&p.y).reveal());
        let (plus, minus) = (F::ONE + u.square() * k.c1, F::ONE - u.square() * k.c1);
        let inverse = (plus * minus).invert().unwrap_or(F::ZERO);
        assert_eq!(inverse.is_zero(), (1..exceptional).contains(&i));
        let step = u * minus * inverse * k.c3;
        let candidates = [k.c2 - step, k.c2 + step, k.z + k.c4 * (plus.square() * inverse).square()];
        let at = candidates.iter().position(|x| g(*x).sqrt_vartime().is_some()).expect("a point");
        assert_eq!(p.x, candidates[at]);
        taken[at] += 1;
    }
    assert!(taken.iter().all(|n| *n > 5), "{taken:?}");
}
