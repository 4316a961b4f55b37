// A leaf of a SHA-256 tree of 2 leaves.
pragma circom 2.0.0;

include "merkle.circom";

component main = Sha256Membership(1);
