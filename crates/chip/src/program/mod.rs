//! Routines and programs.
