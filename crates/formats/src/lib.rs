//! Readers and writers for circom and snarkjs files; hardened against hostile bytes.
