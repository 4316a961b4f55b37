//! The device seam: operator traits, boards of operators, sessions, costs, and the plain reference board.
