//! Pairing-friendly curves as data: groups, Miller loop, final exponentiation, point encodings.
