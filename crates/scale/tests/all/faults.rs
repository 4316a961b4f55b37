//! Damaged files, full disks and files of other proofs: the errors name the file.

use crate::workshop::{Workshop, chain};
use pairwright_curve::bn254::Bn254;
use pairwright_scale::{Ledger, Manifest, Plan, ScaleError, SectionRange, execute, in_order, shard};
use std::fs;
use std::path::Path;

fn damage(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// Runs the tasks before the first one of a given name, calls `spoil`, and goes on; returns the error.
fn spoilt(w: &Workshop<Bn254>, plan: &Plan, before: &str, spoil: impl Fn()) -> ScaleError {
    w.clear();
    let mut left = plan.tasks.iter().position(|task| task.name.starts_with(before)).unwrap();
    let mut some = |_: &[usize]| (left > 0).then(|| left -= 1).map(|()| 0);
    let mut ledger = Ledger::open(&w.path("work"), plan).unwrap();
    execute(plan, &mut ledger, &w.device, &mut some, &mut |_| {}).unwrap();
    drop(ledger);
    spoil();
    let mut ledger = Ledger::open(&w.path("work"), plan).unwrap();
    let ran = execute(plan, &mut ledger, &w.device, &mut in_order, &mut |_| {});
    ran.and_then(|()| w.finish(plan, &ledger)).unwrap_err()
}

#[test]
fn damaged_regions_are_named() {
    let w = chain::<Bn254>(100);
    let plan = w.plan(2, 60, 0);
    let points = w.path("work").join("points");
    let why = spoilt(&w, &plan, "a-1", || damage(&points, 40));
    assert!(matches!(&why, ScaleError::Damaged { path: named, .. } if *named == points), "{why}");
    for (before, file) in [("rows", "first.a"), ("rows", "first.c"), ("quotient", "second.b")] {
        let path = w.path("work").join(file);
        let why = spoilt(&w, &plan, before, || damage(&path, 40));
        assert!(matches!(&why, ScaleError::Damaged { path: named, .. } if *named == path), "{why}");
        let cut = || fs::write(&path, &fs::read(&path).unwrap()[..33]).unwrap();
        let why = spoilt(&w, &plan, before, cut);
        assert!(
            matches!(&why, ScaleError::Truncated { path: named, size: 33, .. } if *named == path),
            "{why}"
        );
        let why = spoilt(&w, &plan, before, || fs::remove_file(&path).unwrap());
        assert!(matches!(&why, ScaleError::Io { path: named, .. } if *named == path), "{why}");
    }
    for (before, file) in [("columns", Manifest::COEFFICIENTS), ("quotient", Manifest::H)] {
        let path = w.path("shards").join(file);
        let whole = fs::read(&path).unwrap();
        // Another valid value of an entry.
        let why = spoilt(&w, &plan, before, || damage(&path, 13));
        assert!(matches!(&why, ScaleError::Damaged { path: named, .. } if *named == path), "{why}");
        fs::write(&path, whole).unwrap();
    }
    // Points of the key and values of the witness must not have changed since the key was sharded and the plan was made.
    let manifest = Manifest::read(&w.path("shards")).unwrap();
    let values = plan.tasks.iter().find(|task| task.name == "a-1").unwrap().inputs[1].offset as usize;
    let of = |section: &SectionRange| section.offset as usize;
    let [a, b1, b2, c] =
        [&manifest.sections.a, &manifest.sections.b1, &manifest.sections.b2, &manifest.sections.c].map(of);
    for (before, file, at) in [
        ("a-1", "key.zkey", a + 99 * 64),
        ("b1-0", "key.zkey", b1),
        ("b2-1", "key.zkey", b2 + 61 * 128),
        ("c-0", "key.zkey", c + 64),
        ("a-1", "w.wtns", values),
    ] {
        let path = w.path(file);
        let whole = fs::read(&path).unwrap();
        let why = spoilt(&w, &plan, before, || damage(&path, at));
        let ScaleError::Damaged { path: named, offset, length } = &why else { panic!("{before}: {why}") };
        assert!(*named == path && (*offset..offset + length).contains(&(at as u64)), "{before}: {why}");
        fs::write(&path, whole).unwrap();
    }
    w.clear();
    assert_eq!(w.run(&plan).unwrap(), w.in_memory());
}

#[test]
fn damage_beside_a_domain_of_one_block_is_named() {
    let w = chain::<Bn254>(100);
    let plan = w.plan(1, 1000, 0);
    let manifest = Manifest::read(&w.path("shards")).unwrap();
    let shards = w.path("shards");
    let values = plan.tasks.iter().find(|task| task.name == "a-0").unwrap().inputs[1].offset as usize;
    for (before, path, at) in [
        ("undivided", shards.join(Manifest::COEFFICIENTS), 13),
        ("undivided", shards.join(Manifest::H), 40),
        ("a-0", w.path("w.wtns"), values + 32),
        // Section C takes its values from those of section A, unless it runs in a later call, as here.
        ("c-0", w.path("key.zkey"), manifest.sections.c.offset as usize + 64),
    ] {
        let whole = fs::read(&path).unwrap();
        let why = spoilt(&w, &plan, before, || damage(&path, at));
        assert!(matches!(&why, ScaleError::Damaged { path: named, .. } if *named == path), "{before}: {why}");
        fs::write(&path, whole).unwrap();
    }
    w.clear();
    assert_eq!(w.run(&plan).unwrap(), w.in_memory());
    assert!(!w.path("work").join("first.a").exists(), "nothing is exchanged through files");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let w = chain::<Bn254>(100);
    let plan = w.plan(2, 60, 0);
    for (before, file) in [("columns", "first.b"), ("rows", "second.a"), ("quotient", "points")] {
        let path = w.path("work").join(file);
        let full = || {
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        };
        let why = spoilt(&w, &plan, before, full);
        let ScaleError::Io { path: named, source, .. } = &why else { panic!("{why}") };
        assert_eq!((named, source.kind()), (&path, std::io::ErrorKind::StorageFull), "{why}");
        assert!(why.to_string().starts_with(&path.display().to_string()), "{why}");
    }
}

#[cfg(unix)]
#[test]
fn values_of_the_witness_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let w = chain::<Bn254>(30);
    let plan = w.plan(2, 60, 0);
    w.run(&plan).unwrap();
    Ledger::open(&w.path("work"), &plan).unwrap();
    for file in fs::read_dir(w.path("work")).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

#[test]
fn a_directory_is_of_one_proof_and_one_process() {
    let w = chain::<Bn254>(30);
    let plan = w.plan(2, 60, 0);
    let held = Ledger::open(&w.path("work"), &plan).unwrap();
    assert!(matches!(Ledger::open(&w.path("work"), &plan), Err(ScaleError::InUse(_))));
    drop(held);
    let other = w.plan(2, 61, 0);
    assert!(
        other.identity == plan.identity
            || matches!(Ledger::open(&w.path("work"), &other), Err(ScaleError::OtherProof(_)))
    );
    let other = w.plan(3, 60, 0);
    assert!(matches!(Ledger::open(&w.path("work"), &other), Err(ScaleError::OtherProof(_))));
    fs::write(w.path("work").join(Ledger::FILE), "{}\n").unwrap();
    assert!(matches!(Ledger::open(&w.path("work"), &plan), Err(ScaleError::Json { .. })));
}

#[test]
fn a_sharded_key_of_another_key_is_refused() {
    let (w, other) = (chain::<Bn254>(30), chain::<Bn254>(40));
    let shards = w.path("shards");
    let manifest = shard(&w.key, 2, &shards, &mut |_| {}).unwrap();
    assert!(matches!(manifest.expect_key(&shards, &other.key), Err(ScaleError::OtherKey { .. })));
    // A key with the same sizes and other secrets.
    let mut bytes = fs::read(w.path("key.zkey")).unwrap();
    let header = manifest.sections.header;
    bytes[header.offset as usize + 90] ^= 1;
    fs::write(w.path("other.zkey"), bytes).unwrap();
    let Ok(other) = pairwright_formats::ZkeyFile::<Bn254>::open(w.path("other.zkey")) else { return };
    let why = manifest.expect_key(&shards, &other).unwrap_err();
    assert!(why.to_string().ends_with("the header differs"), "{why}");
}

#[test]
fn manifests_that_contradict_themselves_are_refused() {
    let w = chain::<Bn254>(30);
    let shards = w.path("shards");
    let manifest = shard(&w.key, 2, &shards, &mut |_| {}).unwrap();
    let refused = |change: &dyn Fn(&mut Manifest)| {
        let mut bad = manifest.clone();
        change(&mut bad);
        fs::write(Manifest::path(&shards), serde_json::to_vec(&bad).unwrap()).unwrap();
        let why = Manifest::read(&shards).unwrap_err().to_string();
        assert!(why.starts_with(&Manifest::path(&shards).display().to_string()), "{why}");
        why
    };
    assert!(refused(&|m| m.version = 2).contains("version 2"));
    assert!(refused(&|m| m.sizes.wires += 1).contains("sections"));
    assert!(refused(&|m| m.sizes.log_domain = 60).contains("sizes"));
    assert!(refused(&|m| m.sizes.scalar_bytes = u64::MAX).contains("sizes"));
    assert!(refused(&|m| m.sizes.log_domain += 1).contains("layout"));
    assert!(refused(&|m| m.sections.a.offset = u64::MAX).contains("sections"));
    assert!(refused(&|m| _ = m.sections.b2.digests.pop()).contains("sections"));
    assert!(refused(&|m| m.coefficients[0].length += 44).contains("coefficients"));
    assert!(refused(&|m| m.h.clear()).contains("h does not fit"));
    fs::write(Manifest::path(&shards), "{").unwrap();
    assert!(matches!(Manifest::read(&shards), Err(ScaleError::Json { .. })));
    fs::remove_file(Manifest::path(&shards)).unwrap();
    assert!(matches!(Manifest::read(&shards), Err(ScaleError::Io { .. })));
}
