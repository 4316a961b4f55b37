//! The applications under `circuits/apps` at the size of a test, from input to verification, and the inputs that they refuse.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A compiled application, and a directory for the files that are made from it.
struct Application {
    from: PathBuf,
    name: &'static str,
    dir: TempDir,
}

impl Application {
    fn new(folder: &str, name: &'static str, curve: &str) -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../circuits/apps").join(folder).join(curve);
        let dir = tempfile::tempdir().unwrap();
        for file in [format!("{name}.r1cs"), format!("{name}.wasm"), "input.json".into()] {
            fs::copy(from.join(&file), dir.path().join(file)).unwrap();
        }
        Self { from, name, dir }
    }
    /// Runs a command in which `@` stands for the application's name.
    fn run(&self, line: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pairwright"))
            .args(line.replace('@', self.name).split_whitespace())
            .current_dir(self.dir.path())
            .output()
            .unwrap()
    }
    fn ok(&self, line: &str) {
        let out = self.run(line);
        assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
    }
    /// Runs a command that must fail with this exit code, and returns its message.
    fn fails(&self, code: i32, line: &str) -> String {
        let out = self.run(line);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(code), "{line}: {said}");
        said
    }
    fn json(path: &Path) -> Value {
        serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
    }
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
    fn input(&self) -> Value {
        Self::json(&self.path("input.json"))
    }
    /// The calculator refuses these inputs, by an assertion of the circuit.
    fn refuses(&self, what: &str, input: &Value) {
        fs::write(self.path("wrong.json"), input.to_string()).unwrap();
        let said = self.fails(2, "witness @.wasm wrong.json -o wrong.wtns");
        assert!(said.contains("assert failed"), "{what}: names the assertion: {said}");
        assert!(!self.path("wrong.wtns").exists(), "{what}");
    }
    /// Proves and verifies, and compares the public values with those that were computed without the circuit.
    fn proved(&self) {
        self.ok("witness @.wasm input.json -o w.wtns");
        self.ok("check @.r1cs w.wtns");
        self.ok("setup @.r1cs --unsafe-local -o key.zkey");
        self.ok("vkey key.zkey -o vk.json");
        self.ok("prove key.zkey w.wtns -o proof.json --public public.json");
        self.ok("verify vk.json public.json proof.json");
        let public = Self::json(&self.path("public.json"));
        assert_eq!(public, Self::json(&self.from.join("public.json")));

        let mut witness = fs::read(self.path("w.wtns")).unwrap();
        let last = witness.len() - 32;
        witness[last] ^= 1;
        fs::write(self.path("tampered.wtns"), witness).unwrap();
        assert!(self.fails(2, "check @.r1cs tampered.wtns").contains("constraint"));
        self.fails(2, "prove key.zkey tampered.wtns -o p2.json --public q2.json");
        assert!(!self.path("p2.json").exists());

        for i in 0..public.as_array().unwrap().len() {
            let mut other = public.clone();
            other[i] = json!("1");
            fs::write(self.path("other.json"), other.to_string()).unwrap();
            self.fails(1, "verify vk.json other.json proof.json");
        }
    }
}

#[test]
fn a_poseidon_tree_is_proved_on_both_curves() {
    for curve in ["bls12381", "bn128"] {
        Application::new("merkle", "tree8", curve).proved();
    }
}

#[test]
fn a_sudoku_is_proved_on_both_curves_and_wrong_solutions_are_refused() {
    for curve in ["bls12381", "bn128"] {
        let app = Application::new("sudoku", "sudoku1", curve);
        app.proved();

        let good = app.input();
        let digit = |c: usize| good["is"][0][c].as_array().unwrap().iter().position(|x| x == 1).unwrap();
        let empty: Vec<usize> = (0..81).filter(|&c| good["clues"][0][c] == 0).collect();
        let mut changed = good.clone();
        // Two cells of a row are swapped, so that columns or boxes are no longer valid.
        let (a, b) = empty.iter().zip(&empty[1..]).find(|(a, b)| *a / 9 == *b / 9).unwrap();
        changed["is"][0][*a] = good["is"][0][*b].clone();
        changed["is"][0][*b] = good["is"][0][*a].clone();
        app.refuses("two cells swapped", &changed);
        // The digits of the whole grid are permuted, so that it is valid but does not match the clues.
        let mut changed = good.clone();
        for c in 0..81 {
            changed["is"][0][c] = (0..9).map(|d| json!(u8::from(d == 8 - digit(c)))).collect();
        }
        app.refuses("the solution of another puzzle", &changed);
        // A clue of 10 would be packed like another puzzle.
        let mut changed = good.clone();
        changed["clues"][0][empty[0]] = json!(10);
        app.refuses("a clue that is no digit", &changed);
        // One cell has two digits, another none.
        let mut changed = good.clone();
        changed["is"][0][*a][digit(*b)] = json!(1);
        changed["is"][0][*b][digit(*b)] = json!(0);
        app.refuses("two digits in a cell", &changed);
        // In the packed sum, 16 times the digit 1 has the weight of one digit 2.
        let mut changed = good.clone();
        let two = (0..81).find(|&c| digit(c) == 1).unwrap();
        changed["is"][0][two] = json!([16, 0, 0, 0, 0, 0, 0, 0, 0]);
        app.refuses("a cell that is not 0 or 1", &changed);
    }
}

#[test]
fn a_transfer_is_proved_and_false_ones_are_refused() {
    let app = Application::new("rollup", "rollup1", "bls12381");
    app.proved();

    let good = app.input();
    let plus = |value: &Value, more: u64| {
        let sum = value.as_str().unwrap().parse::<u64>().unwrap() + more;
        json!(sum.to_string())
    };
    for (field, what) in [
        ("amount", "an amount that was not signed"),
        ("from_nonce", "a transfer a second time"),
        ("to_balance", "another balance of the receiver"),
    ] {
        let mut changed = good.clone();
        changed[field][0] = plus(&good[field][0], 1);
        app.refuses(what, &changed);
    }
    let mut changed = good.clone();
    changed["from_key"][0] = json!(["0", "1"]);
    app.refuses("somebody else's key", &changed);
    // The other position in the tree, and a value that is not a bit.
    for bit in [json!(1 - good["to_bits"][0][0].as_u64().unwrap()), json!(2)] {
        let mut changed = good.clone();
        changed["to_bits"][0][0] = bit;
        app.refuses("another place", &changed);
    }
    // The response plus the order of the signature's group satisfies the equation, but is not canonical.
    let response: num_bigint::BigUint = good["response"][0].as_str().unwrap().parse().unwrap();
    let order = "6554484396890773809930967563523245729705921265872317281365359162392183254199";
    let mut changed = good.clone();
    changed["response"][0] = json!((response + order.parse::<num_bigint::BigUint>().unwrap()).to_string());
    app.refuses("a second form of the same signature", &changed);
}
