//! All integration tests in one binary, so that the code that they instantiate is compiled once.

mod hostile_modules;
mod known_answers;
mod refused_inputs;
mod support;
