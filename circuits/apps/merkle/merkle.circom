// Merkle trees: all leaves of one hashed with Poseidon, and a leaf of one hashed with SHA-256.
pragma circom 2.0.0;

include "../../poseidon/poseidon.circom";
include "../../sha256/sha256.circom";

// Proves knowledge of the 2^depth leaves of the Poseidon tree with this root.
template PoseidonTree(depth) {
    signal input leaves[1 << depth];
    signal output root;

    var count = 1 << depth;
    component hash[count];
    var node[2 * count]; // node[1] is the root, node[2 i] and node[2 i + 1] are the children of node[i]
    for (var i = 0; i < count; i++) {
        node[count + i] = leaves[i];
    }
    for (var i = count - 1; i > 0; i--) {
        hash[i] = Poseidon2();
        hash[i].left <== node[2 * i];
        hash[i].right <== node[2 * i + 1];
        node[i] = hash[i].out;
    }
    root <== node[1];
}

// Proves knowledge of a leaf of 32 bytes and of its path in a tree of 2^depth leaves; a node is the compression
// function of SHA-256 on its two children. Bits are most significant first; the root is given as two halves of
// 128 bits. bits[i] = 1 when the node of level i is the right child.
template Sha256Membership(depth) {
    signal input leaf[256];
    signal input siblings[depth][256];
    signal input bits[depth];
    signal output root[2];

    signal left[depth][256];
    component hash[depth];
    for (var i = 0; i < 256; i++) {
        leaf[i] * (leaf[i] - 1) === 0;
    }
    var node[256] = leaf;
    for (var level = 0; level < depth; level++) {
        bits[level] * (bits[level] - 1) === 0;
        hash[level] = Sha256Node();
        for (var i = 0; i < 256; i++) {
            siblings[level][i] * (siblings[level][i] - 1) === 0;
            left[level][i] <== node[i] + bits[level] * (siblings[level][i] - node[i]);
            hash[level].block[i] <== left[level][i];
            hash[level].block[256 + i] <== node[i] + siblings[level][i] - left[level][i];
        }
        node = hash[level].out;
    }
    for (var half = 0; half < 2; half++) {
        var sum = 0;
        for (var i = 0; i < 128; i++) {
            sum += node[128 * half + i] * (1 << (127 - i));
        }
        root[half] <== sum;
    }
}
