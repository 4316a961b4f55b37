// The Poseidon tree of 256 leaves.
pragma circom 2.0.0;

include "merkle.circom";

component main = PoseidonTree(8);
