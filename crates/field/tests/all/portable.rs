//! Runs all tests again in a process that may not use the instructions that are chosen at run time.

#[test]
fn everything_by_portable_rows() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--skip", "everything_by_portable_rows"])
        .env("PAIRWRIGHT_ISA", "portable")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("fp_vs_num_bigint::arithmetic ... ok"), "{said}");
}
