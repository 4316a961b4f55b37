// A rollup: a batch of signed transfers takes a tree of accounts from one root to the next.
pragma circom 2.0.0;

include "../../bits/bits.circom";
include "../../edwards/edwards.circom";
include "../../poseidon/poseidon.circom";

// The leaf of an account: H(H(key), H(balance, nonce)).
template AccountLeaf() {
    signal input key_hash;
    signal input balance;
    signal input nonce;
    signal output out;

    component state = Poseidon2();
    state.left <== balance;
    state.right <== nonce;
    component leaf = Poseidon2();
    leaf.left <== key_hash;
    leaf.right <== state.out;
    out <== leaf.out;
}

// The roots of a tree with leaf `before`, and with leaf `after` in its place. bits[i] = 1 when the node of level i
// is the right child; siblings[i] is the other child.
template Replace(depth) {
    signal input before;
    signal input after;
    signal input siblings[depth];
    signal input bits[depth];
    signal output root_before;
    signal output root_after;

    signal left[depth][2];
    component hash[depth][2];
    var node[2] = [before, after];
    for (var i = 0; i < depth; i++) {
        bits[i] * (bits[i] - 1) === 0;
        for (var k = 0; k < 2; k++) {
            left[i][k] <== node[k] + bits[i] * (siblings[i] - node[k]);
            hash[i][k] = Poseidon2();
            hash[i][k].left <== left[i][k];
            hash[i][k].right <== node[k] + siblings[i] - left[i][k];
            node[k] = hash[i][k].out;
        }
    }
    root_before <== node[0];
    root_after <== node[1];
}

// One transfer: the sender's balance sinks by `amount` and its nonce rises by one; then the receiver's balance
// rises. Sender and receiver may be the same account: the receiver's state is that after the first step.
//
// Amounts and balances are below 2^64. `message` = H(H(from, to), H(amount, nonce)) is what the sender signs; from
// and to are the places of the accounts in the tree.
template Transfer(depth) {
    signal input root;
    signal input amount;
    signal input from_bits[depth];
    signal input from_siblings[depth];
    signal input from_key[2];
    signal input from_balance;
    signal input from_nonce;
    signal input to_bits[depth];
    signal input to_siblings[depth];
    signal input to_key_hash;
    signal input to_balance;
    signal input to_nonce;
    signal input commitment[2];
    signal input response;
    signal output message;
    signal output next_root;

    // Nothing is created: no number wraps around the field.
    component amount_range = Bits(64);
    amount_range.in <== amount;
    component from_range = Bits(64);
    from_range.in <== from_balance - amount;
    component to_range = Bits(64);
    to_range.in <== to_balance + amount;

    var from = 0;
    var to = 0;
    for (var i = 0; i < depth; i++) {
        from += from_bits[i] * (1 << i);
        to += to_bits[i] * (1 << i);
    }
    component places = Poseidon2();
    places.left <== from;
    places.right <== to;
    component what = Poseidon2();
    what.left <== amount;
    what.right <== from_nonce;
    component signed = Poseidon2();
    signed.left <== places.out;
    signed.right <== what.out;
    message <== signed.out;

    component key_hash = Poseidon2();
    key_hash.left <== from_key[0];
    key_hash.right <== from_key[1];
    component signature = Signature();
    signature.key <== from_key;
    signature.key_hash <== key_hash.out;
    signature.commitment <== commitment;
    signature.response <== response;
    signature.message <== message;

    component leaf[4];
    var key[4] = [key_hash.out, key_hash.out, to_key_hash, to_key_hash];
    var balance[4] = [from_balance, from_balance - amount, to_balance, to_balance + amount];
    var nonce[4] = [from_nonce, from_nonce + 1, to_nonce, to_nonce];
    for (var i = 0; i < 4; i++) {
        leaf[i] = AccountLeaf();
        leaf[i].key_hash <== key[i];
        leaf[i].balance <== balance[i];
        leaf[i].nonce <== nonce[i];
    }

    component send = Replace(depth);
    send.before <== leaf[0].out;
    send.after <== leaf[1].out;
    send.siblings <== from_siblings;
    send.bits <== from_bits;
    send.root_before === root;

    component receive = Replace(depth);
    receive.before <== leaf[2].out;
    receive.after <== leaf[3].out;
    receive.siblings <== to_siblings;
    receive.bits <== to_bits;
    receive.root_before === send.root_after;
    next_root <== receive.root_after;
}

// `count` transfers, one after the other, in a tree of 2^depth accounts. Public are the root before, the root
// after, and the hash of the transfers: from 0, Poseidon2 of what was hashed so far and the next message.
template Rollup(count, depth) {
    signal input root;
    signal input amount[count];
    signal input from_bits[count][depth];
    signal input from_siblings[count][depth];
    signal input from_key[count][2];
    signal input from_balance[count];
    signal input from_nonce[count];
    signal input to_bits[count][depth];
    signal input to_siblings[count][depth];
    signal input to_key_hash[count];
    signal input to_balance[count];
    signal input to_nonce[count];
    signal input commitment[count][2];
    signal input response[count];
    signal output next_root;
    signal output transfers;

    component transfer[count];
    component chain[count];
    var state = root;
    var sum = 0;
    for (var i = 0; i < count; i++) {
        transfer[i] = Transfer(depth);
        transfer[i].root <== state;
        transfer[i].amount <== amount[i];
        transfer[i].from_bits <== from_bits[i];
        transfer[i].from_siblings <== from_siblings[i];
        transfer[i].from_key <== from_key[i];
        transfer[i].from_balance <== from_balance[i];
        transfer[i].from_nonce <== from_nonce[i];
        transfer[i].to_bits <== to_bits[i];
        transfer[i].to_siblings <== to_siblings[i];
        transfer[i].to_key_hash <== to_key_hash[i];
        transfer[i].to_balance <== to_balance[i];
        transfer[i].to_nonce <== to_nonce[i];
        transfer[i].commitment <== commitment[i];
        transfer[i].response <== response[i];
        state = transfer[i].next_root;
        chain[i] = Poseidon2();
        chain[i].left <== sum;
        chain[i].right <== transfer[i].message;
        sum = chain[i].out;
    }
    next_root <== state;
    transfers <== sum;
}
