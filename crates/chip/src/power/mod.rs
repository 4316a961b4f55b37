//! Area, power and energy.
