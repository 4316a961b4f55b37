// Membership in a binary Merkle tree hashed with Poseidon2.
pragma circom 2.0.0;

include "../poseidon/poseidon.circom";

// Proves knowledge of a leaf and its path to `root`.
// bits[i] = 1 when the node of level i is the right child; siblings[i] is the other child.
template MerkleMembership(depth) {
    signal input root;
    signal input leaf;
    signal input siblings[depth];
    signal input bits[depth];

    signal left[depth];
    component hash[depth];

    var node = leaf;
    for (var i = 0; i < depth; i++) {
        bits[i] * (bits[i] - 1) === 0;
        left[i] <== node + bits[i] * (siblings[i] - node);
        hash[i] = Poseidon2();
        hash[i].left <== left[i];
        hash[i].right <== node + siblings[i] - left[i];
        node = hash[i].out;
    }
    root === node;
}
