//! Compiles the example in C as C with the shared library and as C++ with the static library, and runs both programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries of the system that the static library needs on Linux: `rustc --print native-static-libs` lists them.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folder where cargo leaves the libraries of this crate: that of the test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn compiler(variable: &str, default: &str) -> Command {
    let mut command = Command::new(std::env::var_os(variable).unwrap_or_else(|| default.into()));
    command.args(STRICT).arg("-I").arg(here("include"));
    command
}

fn prove_on_each_curve(program: &Path) {
    for curve in ["bn128", "bls12381"] {
        let vectors = here("../../vectors/circom/cube").join(curve);
        let said = run(Command::new(program).arg(vectors).env("LD_LIBRARY_PATH", libraries()));
        let expected = [
            format!("Pairwright {}", env!("CARGO_PKG_VERSION")),
            format!("a proof on {curve} with 1 public value"),
            "changed: the pairing equation does not hold".to_owned(),
            "of three, the first bad one is 2: proof 2: the pairing equation does not hold".to_owned(),
            "two signatures in one".to_owned(),
        ];
        assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{}", program.display());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn c_with_the_shared_library() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("cube");
    let mut cc = compiler("CC", "cc");
    cc.arg("-std=c99").arg(here("examples/cube.c")).arg("-o").arg(&program);
    run(cc.arg("-L").arg(libraries()).arg("-lpairwright_ffi"));
    prove_on_each_curve(&program);
}

#[test]
#[cfg(target_os = "linux")]
fn cpp_with_the_static_library() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("cube");
    let mut cc = compiler("CXX", "c++");
    cc.args(["-std=c++11", "-x", "c++"])
        .arg(here("examples/cube.c"))
        .args(["-x", "none"])
        .arg("-o")
        .arg(&program);
    run(cc.arg(libraries().join("libpairwright_ffi.a")).args(SYSTEM));
    prove_on_each_curve(&program);
}
