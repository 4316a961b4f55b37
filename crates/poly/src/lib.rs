//! Evaluation domains, polynomials typed by their basis, and the plain NTT.
