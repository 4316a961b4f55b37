// A leaf of a tree of 2^20 leaves: the root is public, the leaf and the path are private.
pragma circom 2.0.0;

include "merkle.circom";

component main {public [root]} = MerkleMembership(20);
