//! The host device: NTT, MSM, vector arithmetic and pairings on all cores.
