//! Routines and programs.

pub mod published;
