//! The modelled machine.
