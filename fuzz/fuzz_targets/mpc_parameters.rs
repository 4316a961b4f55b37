//! Fuzzes the reader of key parameters in bellman's form with arbitrary bytes: see `properties/mpc_parameters.rs`.
#![no_main]

#[path = "../properties/mpc_parameters.rs"]
mod mpc_parameters;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mpc_parameters::mpc_parameters(data);
});
