//! Pictures compared with files that a person has checked: of sweeps like those of the help and the book, but smaller, and of single
//! runs. `BLESS=1 cargo test` writes the files, which then have to be checked.

use super::*;
use std::path::PathBuf;

/// Names of pictures, each with the command line that draws it.
const PICTURES: [(&str, &str); 13] = [
    (
        "pairing-by-latency",
        "sim pairing --design best --seeds 2 --sweep mm.latency=12..24:4 --sweep issue.width=1,2 --plot",
    ),
    ("ntt-by-size", "sim ntt --coset --sweep size=2^6,2^8,2^10 --sweep schedule=unhidden,hidden --plot"),
    (
        "ntt-designs",
        "sim ntt --size 2^10 --sweep design=paper,best --sweep dram.bytes_per_cycle=24,48,96 --plot",
    ),
    ("ntt-roofline", "sim ntt --size 2^10 --roofline"),
    ("msm-by-window", "sim msm --size 2^10 --sweep msm.window_g1=6..10 --sweep msm.segments=2,8 --plot"),
    ("msm-by-elements", "sim msm --size 2^10 --sweep msm.elements=3,6,12,24 --plot"),
    ("groth16-roofline", "sim groth16 --size 2^8 --roofline"),
    ("mtu-by-elements", "sim mtu --size 2^14 --sweep pes=2,4,8,16,32 --sweep bandwidth=64,256,1024 --plot"),
    ("mtu-by-workload", "sim mtu --size 2^10 --sweep pes=2,4,8,16 --sweep workload=merkle,product --plot"),
    (
        "mtu-by-traversal",
        "sim mtu --size 2^10 --sweep workload=merkle,product --sweep traversal=bfs,dfs --x traversal --plot",
    ),
    ("mtu-chosen-axes", "sim mtu --size 2^10 --sweep pes=2,4,8,16 --x pes --y energy_uj,utilisation --plot"),
    ("aie-msm-by-window", "sim aie-msm --size 2^12 --sweep window-bits=6..12:2 --plot"),
    ("mtu-roofline", "sim mtu --size 2^12 --workload merkle --roofline"),
];

/// Further pictures, for which programs of several mappings have to be scheduled.
const OF_MAPPINGS: [(&str, &str); 4] = [
    ("aie-designs", "sim aie --sweep mapping=coarse,single --sweep carry=mixed,wide,balanced --plot"),
    (
        "aie-board-by-units",
        "sim aie-board --tasks 2^10 --sweep units=1,2,4,8,12 --sweep plio.bits=32,64 --plot",
    ),
    ("aie-board-roofline", "sim aie-board --tasks 2^12 --roofline"),
    ("aie-msm-roofline", "sim aie-msm --size 2^12 --roofline"),
];

#[test]
fn pictures_are_those_that_were_looked_at() {
    all_are_kept(&PICTURES);
}

#[test]
#[ignore = "full: programs of many mappings are scheduled, half a minute"]
fn pictures_of_mappings_are_those_that_were_looked_at() {
    all_are_kept(&OF_MAPPINGS);
}

fn all_are_kept(pictures: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let goldens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    for (name, line) in pictures {
        ok_in(dir.path(), &format!("{line} {name}.svg"));
        let drawn = std::fs::read_to_string(dir.path().join(name).with_extension("svg")).unwrap();
        let golden = goldens.join(name).with_extension("svg");
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&goldens).unwrap();
            std::fs::write(&golden, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            drawn == kept,
            "{name}: the picture has changed; with BLESS=1 the golden is written anew, to be looked at"
        );
    }
}
