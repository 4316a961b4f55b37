//! Protocols written once against a device session: R1CS and Groth16.
