//! The pairing compiler.
