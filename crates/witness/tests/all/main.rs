//! Everything that is tested from outside, in one binary: what the files below instantiate is built once.

mod hostile_modules;
mod known_answers;
mod refused_inputs;
mod support;
