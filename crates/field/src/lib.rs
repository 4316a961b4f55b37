//! Prime fields in Montgomery form, tower extensions, batch inversion and byte encodings.
