//! Messages and options for users of circom: names of signals and inputs, primes, keys of other proof systems, engines of
//! calculators.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A directory with a bundled circuit's files.
struct Folder(TempDir);

impl Folder {
    fn of(circuit: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../circuits").join(circuit).join("bn128");
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
        }
        Self(dir)
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }
    fn run(&self, line: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pairwright"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }
    /// Standard output and standard error of a command that succeeds.
    fn ok(&self, line: &str) -> (String, String) {
        let out = self.run(line);
        let [said, told] = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(out.status.success(), "{line}: {said}{told}");
        (said, told)
    }
    fn fails(&self, line: &str) -> String {
        let out = self.run(line);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        said
    }
}

const CUBE: &str = "1,1,0,main.y\n2,2,0,main.x\n3,3,0,main.square\n4,-1,0,main.cube\n";

/// A witness of the cube of 3, whose last value, x² = 9, became 8.
fn unsatisfied() -> Folder {
    let folder = Folder::of("cube");
    folder.ok("witness cube.wasm input.json -o w.wtns");
    let mut bytes = folder.read("w.wtns");
    let last = bytes.len() - 32;
    bytes[last] ^= 1;
    folder.write("bad.wtns", bytes);
    folder
}

#[test]
fn a_constraint_that_fails_names_its_signals_and_no_values() {
    let folder = unsatisfied();
    let plain = folder.fails("check cube.r1cs bad.wtns");
    assert!(plain.contains("constraint ") && plain.contains("wire 3") && !plain.contains("main."), "{plain}");
    folder.write("names.sym", CUBE);
    let named = folder.fails("check cube.r1cs bad.wtns --sym names.sym");
    assert!(named.contains("main.x (wire 2)") && named.contains("main.square (wire 3)"), "{named}");
    assert!(!named.contains(" = ") && !named.contains("; ("), "no values: {named}");
    let valued = folder.fails("check cube.r1cs bad.wtns --sym names.sym --show-values");
    assert!(valued.contains("main.square (wire 3) = 8"), "{valued}");
    // The `.sym` file that circom writes beside the circuit is found.
    folder.write("cube.sym", CUBE);
    assert_eq!(folder.fails("check cube.r1cs bad.wtns"), named);
    folder.ok("setup cube.r1cs --unsafe-local -o k.zkey");
    let said = folder.fails("prove k.zkey bad.wtns --r1cs cube.r1cs -o p.json --public q.json");
    assert!(said.contains("main.square (wire 3)") && !said.contains(" = "), "{said}");
    folder.write("broken.sym", "1,1,0\n");
    let said = folder.fails("check cube.r1cs bad.wtns --sym broken.sym");
    assert!(said.contains("broken.sym: line 1 is not LABEL,WIRE,COMPONENT,NAME"), "{said}");
}

#[test]
fn missing_inputs_are_named() {
    let folder = Folder::of("asserts");
    let mut sym = String::new();
    let names =
        ["out", "in", "table[0][0]", "table[1][2]", "p[0].x", "p[0].y", "p[1].x", "p[1].y", "below.in"];
    for (label, name) in names.iter().enumerate() {
        sym.push_str(&format!("{},{},0,main.{name}\n", label + 1, label + 1));
    }
    folder.write("names.sym", &sym);
    folder.write("some.json", r#"{"p": [{"x": 12}, {"x": 9, "y": 15}]}"#);
    let plain = folder.fails("witness asserts.wasm some.json");
    assert!(plain.contains("inputs are missing") && !plain.contains("missing: `"), "{plain}");
    let named = folder.fails("witness asserts.wasm some.json --sym names.sym");
    assert!(named.trim_end().ends_with("; missing: `in`, `p[0].y`, `table`"), "{named}");
    // circom writes c.sym and c_js/c.wasm.
    folder.write("asserts.sym", &sym);
    folder.write("asserts_js/asserts.wasm", folder.read("asserts.wasm"));
    let found = folder.fails("witness asserts_js/asserts.wasm some.json");
    assert!(found.contains("; missing: `in`, `p[0].y`, `table`"), "{found}");
    folder.write("none.json", "{}");
    let all = folder.fails("witness asserts.wasm none.json --engine interpreted");
    assert!(all.contains("; missing: `in`, `p`, `table`"), "{all}");
}

#[test]
fn engines_give_the_same_witness() {
    let folder = Folder::of("merkle");
    for engine in ["fastest", "compiled", "interpreted"] {
        let (_, told) =
            folder.ok(&format!("witness merkle20.wasm input.json -o {engine}.wtns --engine {engine}"));
        assert!(!told.contains("is interpreted"), "{told}");
    }
    assert_eq!(folder.read("compiled.wtns"), folder.read("interpreted.wtns"));
    assert_eq!(folder.read("compiled.wtns"), folder.read("fastest.wtns"));
}

#[test]
fn what_would_be_ignored_is_refused() {
    let folder = Folder::of("cube");
    let said = folder.fails("prove k.zkey w.wtns --input input.json");
    assert!(said.contains("--input"), "{said}");
    let said = folder.fails("prove k.zkey w.wtns --engine interpreted");
    assert!(said.contains("--engine"), "{said}");
}

#[test]
fn a_setup_without_powers_names_both_ways() {
    let said = Folder::of("cube").fails("setup cube.r1cs -o k.zkey");
    assert!(said.contains("--ptau") && said.contains("--unsafe-local"), "{said}");
}

#[test]
fn another_base_field_is_recognised() {
    let folder = Folder::of("cube");
    // The prime of grumpkin's scalars is BN254's base field: what `circom -p grumpkin` writes.
    let prime = "47fd7cd8168c203c8dca7168916a81975d588181b64550b829a031e1724e6430";
    let prime: Vec<u8> = prime
        .as_bytes()
        .chunks(2)
        .map(|h| u8::from_str_radix(std::str::from_utf8(h).unwrap(), 16).unwrap())
        .collect();
    let mut bytes = folder.read("cube.r1cs");
    let r = bytes.windows(4).position(|w| w == [0x01, 0x00, 0x00, 0xf0]).unwrap();
    bytes[r..r + 32].copy_from_slice(&prime);
    folder.write("g.r1cs", bytes);
    folder.ok("witness cube.wasm input.json -o w.wtns");
    for line in ["inspect g.r1cs", "check g.r1cs w.wtns", "setup g.r1cs --unsafe-local -o k.zkey"] {
        let said = folder.fails(line);
        assert!(said.contains("grumpkin (the base field of bn128)"), "{line}: {said}");
    }
}

/// A container with these sections.
fn container(magic: &str, sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = magic.as_bytes().to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((sections.len() as u32).to_le_bytes());
    for (id, body) in sections {
        bytes.extend(id.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
    }
    bytes
}

#[test]
fn sections_of_a_plonk_key_have_plonk_s_names() {
    let folder = Folder::of("cube");
    folder.ok("setup cube.r1cs --unsafe-local -o k.zkey");
    let plonk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/plonk/bn128/cube.zkey");
    folder.write("plonk.zkey", fs::read(plonk).unwrap());
    let (said, _) = folder.ok("inspect plonk.zkey");
    for name in ["plonk", "additions", "Qm", "sigma", "powers of tau"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(!said.contains("B in G2") && !said.contains("IC"), "{said}");
    let (said, _) = folder.ok("inspect k.zkey");
    assert!(said.contains("B in G2") && !said.contains("Qm"), "{said}");
}

#[test]
fn a_circuit_without_constraints_gets_a_word() {
    let folder = Folder::of("cube");
    let r1cs = folder.read("cube.r1cs");
    // Sections are found by their headers, of type and length.
    let section = |id: u32| {
        let mut at = 12;
        loop {
            let found = u32::from_le_bytes(r1cs[at..at + 4].try_into().unwrap());
            let length = u64::from_le_bytes(r1cs[at + 4..at + 12].try_into().unwrap()) as usize;
            if found == id {
                return r1cs[at + 12..at + 12 + length].to_vec();
            }
            at += 12 + length;
        }
    };
    let mut head = section(1);
    let last = head.len() - 4;
    head[last..].fill(0);
    folder.write("empty.r1cs", container("r1cs", &[(1, head), (2, vec![]), (3, section(3))]));
    folder.ok("witness cube.wasm input.json -o w.wtns");
    for line in ["setup empty.r1cs --unsafe-local -o k.zkey", "check empty.r1cs w.wtns"] {
        let (_, told) = folder.ok(line);
        assert!(told.contains("empty.r1cs has no constraints: every witness satisfies it"), "{line}: {told}");
    }
}

#[test]
fn powers_that_are_too_few_are_named() {
    let folder = Folder::of("merkle");
    let ptau = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/circom/ptau/bn128.4.prepared.ptau");
    fs::copy(ptau, folder.0.path().join("few.ptau")).unwrap();
    let said = folder.fails("setup merkle20.r1cs --ptau few.ptau -o k.zkey");
    assert!(said.contains("few.ptau: the circuit needs powers of tau of 2^13, these are of 2^4"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_witness_may_come_through_a_pipe() {
    let folder = Folder::of("cube");
    folder.ok("setup cube.r1cs --unsafe-local -o k.zkey");
    folder.ok("witness cube.wasm input.json -o w.wtns");
    let pipe = "cat w.wtns | \"$PAIRWRIGHT\" prove k.zkey /dev/stdin -o p.json --public q.json";
    let out = Command::new("sh")
        .args(["-c", pipe])
        .env("PAIRWRIGHT", env!("CARGO_BIN_EXE_pairwright"))
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(folder.0.path().join("p.json").exists());
}
