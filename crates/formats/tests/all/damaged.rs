//! Binary files that are damaged at a known position: each is refused with the matching error.

use crate::common::{bytes, file};
use crate::surgery::{self, Parts, kind, modulus, montgomery};
use pairwright_curve::bls12_381::{Bls12_381, Fq as Fq381, Fq2, G1 as G1_381, G2 as G2_381};
use pairwright_curve::bn254::{Bn254, Fq, Fr};
use pairwright_curve::{Affine, Curve, bls12_381, tiny_bls12};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use pairwright_formats::{FileBytes, FormatError, ZkeyFile, probe, write_wtns};

type Reader = fn(FileBytes) -> Result<(), FormatError>;
type Case = (&'static str, Vec<u8>, &'static str);

fn judge(name: &str, read: Reader, cases: Vec<Case>) {
    for (what, bytes, expected) in cases {
        match read(file(name, &bytes)) {
            Ok(()) => assert_eq!("Ok", expected, "{name}: {what}"),
            Err(error) => {
                assert_eq!(kind(&error), expected, "{name}: {what}: {error}");
                assert!(error.to_string().starts_with(name), "{what}: {error}");
            }
        }
    }
}

fn patched(bytes: &[u8], at: usize, with: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out[at..at + with.len()].copy_from_slice(with);
    out
}

const BN: &str = "circom/cube/bn128";
const ONES: [u8; 32] = [0xff; 32];

#[test]
fn containers() {
    // Sections in the order 2, 1, 3; the header of the second one is at 12 + 12 + 396.
    let good = bytes(&format!("{BN}/cube.r1cs"));
    let second = 24 + u64::from_le_bytes(good[16..24].try_into().unwrap()) as usize;
    let parts = || Parts::of(&good);
    let header = parts().section(1).clone();
    judge(
        "c.r1cs",
        surgery::r1cs::<Fr>,
        vec![
            ("unharmed", good.clone(), "Ok"),
            ("an unknown section", parts().with(99, b"?"), "Ok"),
            ("empty", vec![], "Truncated"),
            ("cut in the magic", good[..3].to_vec(), "Truncated"),
            ("cut in the version", good[..7].to_vec(), "Truncated"),
            ("cut in the count", good[..11].to_vec(), "Truncated"),
            ("cut behind the count", good[..12].to_vec(), "TooManySections"),
            ("cut in a section", good[..second - 1].to_vec(), "SectionPastEnd"),
            ("cut before a head", good[..second].to_vec(), "Truncated"),
            ("cut in a head", good[..second + 5].to_vec(), "Truncated"),
            ("last byte missing", good[..good.len() - 1].to_vec(), "SectionPastEnd"),
            ("a byte too many", [&good[..], b"!"].concat(), "TrailingBytes"),
            ("magic", patched(&good, 0, b"R1CS"), "Magic"),
            ("version 0", patched(&good, 4, &[0]), "Version"),
            ("version 2", patched(&good, 4, &[2]), "Version"),
            ("2^32 - 1 sections", patched(&good, 8, &[0xff; 4]), "TooManySections"),
            ("a section too few", patched(&good, 8, &[2]), "TrailingBytes"),
            ("a section too many", patched(&good, 8, &[4]), "Truncated"),
            ("a section of 2^64 - 1 bytes", patched(&good, 16, &[0xff; 8]), "SectionPastEnd"),
            ("a section of 2^63 bytes", patched(&good, 16, &(1u64 << 63).to_le_bytes()), "SectionPastEnd"),
            (
                "overlaps the next section",
                patched(&good, 16, &(second as u64 - 24 + 4).to_le_bytes()),
                "SectionPastEnd",
            ),
            ("the same section twice", parts().with(1, &header), "DuplicateSection"),
            ("no header", parts().without(1), "MissingSection"),
            ("no constraints", parts().without(2), "MissingSection"),
            ("no labels", parts().without(3), "MissingSection"),
            ("no section at all", [&good[..8], &[0; 4]].concat(), "MissingSection"),
            ("sections renamed", patched(&good, 12, &[7]), "MissingSection"),
        ],
    );
}

#[test]
fn circuits() {
    // Header: 0 width, 4 prime, 36 wires, 40 outputs, 44 public, 48 private, 52 labels, 60 constraints.
    // Constraints: 0 count, 4 wire, 8 coefficient.
    let good = bytes(&format!("{BN}/cube.r1cs"));
    let p = || Parts::of(&good);
    let (r, len) = (modulus::<Fr>(), p().section(2).len());
    let mut one_more = r.clone();
    one_more[0] += 1;
    let dropped = |id: u32, by: usize| {
        let n = p().section(id).len();
        p().resized(id, n - by)
    };
    judge(
        "c.r1cs",
        surgery::r1cs::<Fr>,
        vec![
            ("31 bytes per element", p().put_u32(1, 0, 31), "ElementSize"),
            ("no bytes per element", p().put_u32(1, 0, 0), "ElementSize"),
            ("2^32 - 1 bytes per element", p().put_u32(1, 0, u32::MAX), "ElementSize"),
            ("24 bytes per element", p().put_u32(1, 0, 24), "ElementSize"),
            ("another prime", p().put(1, 4, &one_more), "UnknownPrime"),
            ("a coordinate field's prime", p().put(1, 4, &modulus::<Fq>()), "OtherPrime"),
            ("too few wires", p().put_u32(1, 36, 1), "TooFewWires"),
            ("fewer wires than labels", p().put_u32(1, 36, 2), "SectionSize"),
            ("no wires", p().put_u32(1, 36, 0), "TooFewWires"),
            ("a wire without a label", p().put_u32(1, 36, 6), "SectionSize"),
            ("2^32 - 1 wires", p().put_u32(1, 36, u32::MAX), "SectionSize"),
            ("2^32 - 1 outputs", p().put_u32(1, 40, u32::MAX), "TooFewWires"),
            ("2^32 - 1 constraints", p().put_u32(1, 60, u32::MAX), "Count"),
            ("a constraint too many", p().put_u32(1, 60, 4), "Truncated"),
            ("a constraint too few", p().put_u32(1, 60, 2), "SectionSize"),
            ("header cut", dropped(1, 4), "Truncated"),
            ("header cut in the prime", p().resized(1, 20), "Truncated"),
            ("header too long", p().resized(1, 65), "SectionSize"),
            ("constraints cut", dropped(2, 1), "Count"),
            ("constraints too long", p().resized(2, len + 1), "SectionSize"),
            ("labels cut", dropped(3, 8), "SectionSize"),
            ("2^32 - 1 terms", p().put_u32(2, 0, u32::MAX), "Count"),
            ("terms beyond the section", p().put_u32(2, 0, 12), "Count"),
            ("a wire that does not exist", p().put_u32(2, 4, 5), "NoSuchWire"),
            ("wire 2^32 - 1", p().put_u32(2, 4, u32::MAX), "NoSuchWire"),
            ("a coefficient of r", p().put(2, 8, &r), "NotReduced"),
            ("a coefficient of all ones", p().put(2, 8, &ONES), "NotReduced"),
            ("custom gates", p().with(5, &1u32.to_le_bytes()), "CustomGates"),
            ("no custom gates", p().with(5, &0u32.to_le_bytes()), "Ok"),
            ("custom gates cut", p().with(5, &[]), "Truncated"),
        ],
    );
    judge("b.r1cs", surgery::r1cs::<bls12_381::Fr>, vec![("another curve", good.clone(), "WrongCurve")]);
}

#[test]
fn witnesses() {
    let good = bytes(&format!("{BN}/witness.wtns"));
    let p = || Parts::of(&good);
    let r = modulus::<Fr>();
    let mut r_plus_one = r.clone();
    r_plus_one[0] += 1;
    let mut none = p();
    none.section(1)[36..40].fill(0);
    none.section(2).clear();
    judge(
        "w.wtns",
        surgery::wtns::<Fr>,
        vec![
            ("unharmed", good.clone(), "Ok"),
            ("version 1", patched(&good, 4, &[1]), "Version"),
            ("a value more declared", p().put_u32(1, 36, 6), "SectionSize"),
            ("a value fewer declared", p().put_u32(1, 36, 4), "SectionSize"),
            ("2^32 - 1 values declared", p().put_u32(1, 36, u32::MAX), "SectionSize"),
            ("no values", none.join(), "Truncated"),
            ("a value cut", p().resized(2, 5 * 32 - 1), "SectionSize"),
            ("the constant two", p().put(2, 0, &[2]), "NotOne"),
            ("the constant zero", p().put(2, 0, &[0]), "NotOne"),
            ("the constant r + 1", p().put(2, 0, &r_plus_one), "NotReduced"),
            ("a value of r", p().put(2, 64, &r), "NotReduced"),
            ("a value of all ones", p().put(2, 128, &ONES), "NotReduced"),
            ("32 bytes of 40", p().put_u32(1, 0, 40), "Truncated"),
            ("no values section", p().without(2), "MissingSection"),
        ],
    );
    judge("b.wtns", surgery::wtns::<bls12_381::Fr>, vec![("another curve", good.clone(), "WrongCurve")]);
}

#[test]
fn proving_keys() {
    // Header: 0 width of q, 4 q, 36 width of r, 40 r, 72 wires, 76 public, 80 domain, 84 alpha, 148 beta in G1,
    // 212 beta in G2, 340 gamma, 468 delta in G1, 532 delta in G2, 660 end. Coefficients: 0 count, 4 matrix, 8 row,
    // 12 wire, 16 value.
    let good = bytes(&format!("{BN}/cube.zkey"));
    let p = || Parts::of(&good);
    let (q, r) = (modulus::<Fq>(), modulus::<Fr>());
    let r381 = modulus::<bls12_381::Fr>();
    let mut reversed = p();
    reversed.sections.reverse();
    let mut cases = vec![
        ("unharmed", good.clone(), "Ok"),
        ("sections in another order", reversed.join(), "Ok"),
        ("plonk", bytes("circom/plonk/cube_plonk.zkey"), "Protocol"),
        ("protocol 77", p().put_u32(1, 0, 77), "Protocol"),
        ("protocol cut", p().resized(1, 3), "Truncated"),
        ("protocol too long", p().resized(1, 5), "SectionSize"),
        ("24 bytes per coordinate", p().put_u32(2, 0, 24), "ElementSize"),
        ("prime q + 1", p().put(2, 4, &[q[0] + 1]), "UnknownPrime"),
        ("prime r of another curve", p().put(2, 40, &r381), "WrongCurve"),
        ("three wires", p().put_u32(2, 72, 3), "SectionSize"),
        ("no wires", p().put_u32(2, 72, 0), "TooFewWires"),
        ("2^32 - 1 wires", p().put_u32(2, 72, u32::MAX), "SectionSize"),
        ("no public values", p().put_u32(2, 76, 0), "SectionSize"),
        ("more public values than wires", p().put_u32(2, 76, 5), "TooFewWires"),
        ("2^32 - 1 public values", p().put_u32(2, 76, u32::MAX), "TooFewWires"),
        ("a domain of none", p().put_u32(2, 80, 0), "DomainSize"),
        ("a domain of 7", p().put_u32(2, 80, 7), "DomainSize"),
        ("a domain below the public rows", p().put_u32(2, 80, 1), "DomainSize"),
        ("a domain of 2^28", p().put_u32(2, 80, 1 << 28), "DomainSize"),
        ("a domain of 2^32 - 1", p().put_u32(2, 80, u32::MAX), "DomainSize"),
        ("a domain of 16", p().put_u32(2, 80, 16), "NoSuchRow"),
        ("alpha.x = q", p().put(2, 84, &q), "NotReduced"),
        ("delta.y.c1 all ones", p().put(2, 628, &ONES), "NotReduced"),
        ("header cut", p().resized(2, 659), "Truncated"),
        ("header too long", p().resized(2, 661), "SectionSize"),
        ("IC[0].x = q", p().put(3, 0, &q), "NotReduced"),
        ("a coefficient fewer declared", p().put_u32(4, 0, 5), "SectionSize"),
        ("2^32 - 1 coefficients", p().put_u32(4, 0, u32::MAX), "SectionSize"),
        ("coefficients cut", p().resized(4, 3), "Truncated"),
        ("matrix 2", p().put_u32(4, 4, 2), "NoSuchMatrix"),
        ("row 8 of 8", p().put_u32(4, 8, 8), "NoSuchRow"),
        ("wire 5 of 5", p().put_u32(4, 12, 5), "NoSuchWire"),
        ("a coefficient of r", p().put(4, 16, &r), "NotReduced"),
        ("A[1].y = q", p().put(5, 96, &q), "NotReduced"),
        ("A cut", p().resized(5, 319), "SectionSize"),
        ("B in G2[4].y.c1 all ones", p().put(7, 608, &ONES), "NotReduced"),
        ("C too long", p().resized(8, 256), "SectionSize"),
        ("H[7].y all ones", p().put(9, 480, &ONES), "NotReduced"),
        ("hash cut", p().resized(10, 63), "Truncated"),
        ("contributions cut", p().resized(10, 67), "Truncated"),
        ("no contributions", p().without(10), "MissingSection"),
    ];
    // A key with twice the domain and a matching H is another valid key.
    let mut wide = p();
    wide.section(2)[80..84].copy_from_slice(&16u32.to_le_bytes());
    wide.section(9).resize(1024, 0);
    cases.retain(|(what, ..)| *what != "a domain of 16");
    cases.push(("a domain of 16 with 8 points", p().put_u32(2, 80, 16), "SectionSize"));
    cases.push(("a domain of 16 with 16 points", wide.join(), "Ok"));
    for id in 1..=9 {
        cases.push(("a section missing", p().without(id), "MissingSection"));
    }
    judge("k.zkey", surgery::zkey::<Bn254>, cases);
    judge("b.zkey", surgery::zkey::<Bls12_381>, vec![("another curve", good.clone(), "WrongCurve")]);
}

#[test]
fn points_of_keys() {
    let good = bytes(&format!("{BN}/cube.zkey"));
    let p = || Parts::of(&good);
    let bad_byte = |id: u32, at: usize| {
        let byte = p().section(id)[at] ^ 1;
        p().put(id, at, &[byte])
    };
    let off = vec![
        ("unharmed", good.clone(), "Ok"),
        ("alpha", bad_byte(2, 84), "OffCurve"),
        ("gamma", bad_byte(2, 340), "OffCurve"),
        ("alpha at infinity", p().put(2, 84, &[0; 64]), "Infinity"),
        ("delta at infinity", p().put(2, 532, &[0; 128]), "Infinity"),
        ("IC[1]", bad_byte(3, 64), "OffCurve"),
    ];
    judge("k.zkey", surgery::zkey_vk::<Bn254>, off.clone());
    judge("k.zkey", surgery::zkey_checked::<Bn254>, off);
    let fast =
        vec![("A[0]", bad_byte(5, 0), "Ok"), ("A[0].x = q", p().put(5, 0, &modulus::<Fq>()), "NotReduced")];
    judge("k.zkey", surgery::zkey::<Bn254>, fast);
    judge(
        "k.zkey",
        surgery::zkey_checked::<Bn254>,
        vec![
            ("A[0]", bad_byte(5, 0), "OffCurve"),
            ("B in G1[2]", bad_byte(6, 140), "OffCurve"),
            ("B in G2[2]", bad_byte(7, 260), "OffCurve"),
            ("C[2]", bad_byte(8, 191), "OffCurve"),
            ("H[7]", bad_byte(9, 450), "OffCurve"),
            ("A[4] at infinity", p().put(5, 256, &[0; 64]), "Ok"),
            ("row 8 of 8", p().put_u32(4, 8, 8), "NoSuchRow"),
        ],
    );
    // (0, 2) has order 3; a point of the twist with a small x is almost never in the subgroup.
    let good = bytes("circom/cube/bls12381/cube.zkey");
    let p = || Parts::of(&good);
    let t1 = montgomery(&Affine::<G1_381>::from_xy_unchecked(Fq381::ZERO, Fq381::from(2)));
    let t2 = montgomery(&outside_g2());
    judge("t.zkey", surgery::zkey::<Bls12_381>, vec![("A[1]", p().put(5, 96, &t1), "Ok")]);
    judge(
        "t.zkey",
        surgery::zkey_checked::<Bls12_381>,
        vec![
            ("unharmed", good.clone(), "Ok"),
            ("beta in G1", p().put(2, 192 + 4, &t1), "WrongSubgroup"),
            ("beta in G2", p().put(2, 292, &t2), "WrongSubgroup"),
            ("IC[1]", p().put(3, 96, &t1), "WrongSubgroup"),
            ("A[1]", p().put(5, 96, &t1), "WrongSubgroup"),
            ("B in G2[3]", p().put(7, 3 * 192, &t2), "WrongSubgroup"),
            ("H[0]", p().put(9, 0, &t1), "WrongSubgroup"),
        ],
    );
    judge("t.zkey", surgery::zkey_vk::<Bls12_381>, vec![("IC[1]", p().put(3, 96, &t1), "WrongSubgroup")]);
}

/// A point of the twist outside of the subgroup.
fn outside_g2() -> Affine<G2_381> {
    let point = |i: u64| {
        let x = Fq2::from_coords(&[Fq381::from(i), Fq381::ONE]);
        let y = (x.square() * x + G2_381::B).sqrt_vartime()?;
        Some(Affine::from_xy_unchecked(x, y))
    };
    (1..50).filter_map(point).find(|p| p.is_on_curve() && !p.is_in_subgroup_vartime()).unwrap()
}

#[test]
fn powers_of_tau() {
    // Header: 0 width, 4 q, 36 power, 40 power of the ceremony.
    let good = bytes("circom/ptau/bn128.4.prepared.ptau");
    let p = || Parts::of(&good);
    let q = modulus::<Fq>();
    let mut cases = vec![
        ("unharmed", good.clone(), "Ok"),
        ("power 5", p().put_u32(1, 36, 5), "SectionSize"),
        ("power 3", p().put_u32(1, 36, 3), "SectionSize"),
        ("power 28", p().put_u32(1, 36, 28), "Power"),
        ("power 2^32 - 1", p().put_u32(1, 36, u32::MAX), "Power"),
        ("header cut", p().resized(1, 43), "Truncated"),
        ("header too long", p().resized(1, 45), "SectionSize"),
        ("beta = q", p().put(6, 0, &q), "NotReduced"),
        ("tau in G1[30].y = q", p().put(2, 1952, &q), "NotReduced"),
        ("Lagrange beta tau[0].x = q", p().put(15, 0, &q), "NotReduced"),
        ("Lagrange tau of the largest size missing", p().resized(12, 31 * 64), "SectionSize"),
        ("not prepared", p().without(12), "Ok"),
    ];
    for id in [1, 2, 3, 4, 5, 6, 13, 14, 15] {
        cases.push(("a section missing", p().without(id), "MissingSection"));
    }
    judge("p.ptau", surgery::ptau::<Bn254>, cases);
    let other = bytes("circom/ptau/bls12381.4.raw.ptau");
    judge("o.ptau", surgery::ptau::<Bn254>, vec![("another curve", other.clone(), "WrongCurve")]);
    let t1 = montgomery(&Affine::<G1_381>::from_xy_unchecked(Fq381::ZERO, Fq381::from(2)));
    judge(
        "o.ptau",
        surgery::ptau_checked::<Bls12_381>,
        vec![
            ("unharmed", other.clone(), "Ok"),
            ("alpha tau[3]", Parts::of(&other).put(4, 288, &t1), "WrongSubgroup"),
            ("tau in G2[1]", Parts::of(&other).put(3, 192, &montgomery(&outside_g2())), "WrongSubgroup"),
            ("tau in G1[1]", Parts::of(&other).put(2, 96, &[1]), "OffCurve"),
        ],
    );
}

#[test]
fn messages_say_where_and_what() {
    let good = bytes(&format!("{BN}/cube.zkey"));
    let p = || Parts::of(&good);
    let said =
        |bytes: Vec<u8>| surgery::zkey_checked::<Bn254>(file("cube.zkey", &bytes)).unwrap_err().to_string();
    for (bytes, expected) in [
        (patched(&good, 0, b"zk\0y"), "offset 0: expected the magic bytes \"zkey\", found \"zk\\x00y\""),
        (patched(&good, 4, &[3]), "offset 4: expected version 1, found 3"),
        (p().put_u32(2, 72, 3), "section 5 (A), offset 1132: expected 192 bytes, found 320"),
        (
            good[..1822].to_vec(),
            "section 7 (B in G2), offset 1796: a section of 640 bytes declared, 26 are left in the file",
        ),
        (p().put(5, 64, &ONES), "section 5 (A), offset 1196: element 1 is not below the modulus of BN254 Fq"),
        (p().put(5, 64, &[9]), "section 5 (A), offset 1196: point 1 is not on the curve BN254 G1"),
        (p().put_u32(4, 12, 5), "section 4 (coefficients), offset 856: entry 0 names wire 5 of 5"),
        (
            p().put_u32(2, 80, 7),
            "section 2 (header), offset 112: a domain of 7 points, expected a power of two from 2 to 134217728",
        ),
    ] {
        assert_eq!(said(bytes), format!("cube.zkey: {expected}"));
    }
    assert_eq!(said(p().without(9)), "cube.zkey: section 9 (H) is missing");
    let wires = ZkeyFile::<Bn254>::read(file("cube.zkey", &good)).unwrap();
    let witness =
        pairwright_formats::WtnsFile::<Fr>::read(file("w.wtns", &bytes(&format!("{BN}/witness.wtns"))))
            .unwrap();
    assert!(witness.expect_wires(wires.wires(), wires.file()).is_ok());
    assert_eq!(
        witness.expect_wires(6, wires.file()).unwrap_err().to_string(),
        "w.wtns: section 2 (values), offset 76: the witness has 5 values, cube.zkey has 6 wires"
    );
    assert_eq!(Fq::BYTES, 32);
}

/// A file for a test curve is recognised, and refused for that reason.
#[test]
fn files_of_a_test_fixture() {
    let mut bytes = Vec::new();
    write_wtns(&mut bytes, &[tiny_bls12::Fr::ONE]).unwrap();
    let error = probe(&file("w.wtns", &bytes)).expect_err("no curve for files");
    assert_eq!(kind(&error), "NoSecurity");
    assert!(
        error
            .to_string()
            .ends_with("tinybls12 is a test fixture that has no security: no file is read for it")
    );
}
