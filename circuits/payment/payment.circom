// A private payment that a regulator can open: a note of a public tree is spent, two new ones are made, and who paid is
// encrypted under a key that is committed to.
//
// H is Poseidon2, and numbers in second place keep its uses apart:
//
//     owner      = H(spending key, 1)            who can spend a note
//     note       = H(H(owner, value), blinding)  a leaf of the tree of notes
//     nullifier  = H(H(spending key, 2), H(note, position))
//     payer      = H(identity, owner)            a leaf of the registry
//     key hash   = H(key, 3)
//     ciphertext = identity + H(key, nullifier)
pragma circom 2.0.0;

include "../bits/bits.circom";
include "../merkle/merkle.circom";
include "../poseidon/poseidon.circom";

// The commitment to an owner and a value.
template Note() {
    signal input owner;
    signal input value;
    signal input blinding;
    signal output out;

    component what = Poseidon2();
    what.left <== owner;
    what.right <== value;
    component note = Poseidon2();
    note.left <== what.out;
    note.right <== blinding;
    out <== note.out;
}

// Public are, in this order: the nullifier, the receiver's note, the note of the change, the encrypted identity, the hash
// of its key, the roots of notes and registry, the fee, and a digest of whatever else belongs to the payment.
//
// The digest is bound to nothing but the proof. Values are below 2^64; the fee is public, and whoever verifies reads it as
// such a number.
template Payment(notes, payers) {
    signal input root;
    signal input registry;
    signal input fee;
    signal input digest;

    signal input spending_key;
    signal input value;
    signal input blinding;
    signal input note_bits[notes];
    signal input note_siblings[notes];

    signal input to_owner;
    signal input to_value;
    signal input to_blinding;
    signal input change_blinding;

    signal input identity;
    signal input payer_bits[payers];
    signal input payer_siblings[payers];
    signal input key;

    signal output nullifier;
    signal output to_note;
    signal output change_note;
    signal output ciphertext;
    signal output key_hash;

    // Whoever knows the spending key owns the note.
    component owner = Poseidon2();
    owner.left <== spending_key;
    owner.right <== 1;
    component note = Note();
    note.owner <== owner.out;
    note.value <== value;
    note.blinding <== blinding;
    component among_notes = MerkleMembership(notes);
    among_notes.root <== root;
    among_notes.leaf <== note.out;
    among_notes.bits <== note_bits;
    among_notes.siblings <== note_siblings;

    // A note at a place of the tree has one nullifier.
    var position = 0;
    for (var i = 0; i < notes; i++) {
        position += note_bits[i] * (1 << i);
    }
    component spender = Poseidon2();
    spender.left <== spending_key;
    spender.right <== 2;
    component place = Poseidon2();
    place.left <== note.out;
    place.right <== position;
    component spent = Poseidon2();
    spent.left <== spender.out;
    spent.right <== place.out;
    nullifier <== spent.out;

    // Nothing is created: what is paid, what is left and the fee are what the note holds, and none wraps around the field.
    var change_value = value - to_value - fee;
    component to_range = Bits(64);
    to_range.in <== to_value;
    component change_range = Bits(64);
    change_range.in <== change_value;
    component to = Note();
    to.owner <== to_owner;
    to.value <== to_value;
    to.blinding <== to_blinding;
    to_note <== to.out;
    component change = Note();
    change.owner <== owner.out;
    change.value <== change_value;
    change.blinding <== change_blinding;
    change_note <== change.out;

    // The owner of the note is registered under the identity that is encrypted.
    component payer = Poseidon2();
    payer.left <== identity;
    payer.right <== owner.out;
    component among_payers = MerkleMembership(payers);
    among_payers.root <== registry;
    among_payers.leaf <== payer.out;
    among_payers.bits <== payer_bits;
    among_payers.siblings <== payer_siblings;
    component hashed = Poseidon2();
    hashed.left <== key;
    hashed.right <== 3;
    key_hash <== hashed.out;
    component mask = Poseidon2();
    mask.left <== key;
    mask.right <== nullifier;
    ciphertext <== identity + mask.out;

    // A public value in no constraint could be left out by a compiler.
    signal bound <== digest * digest;
}
