//! The `pairwright` command: its library does everything.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    pairwright_cli::main(std::env::args_os().collect())
}
