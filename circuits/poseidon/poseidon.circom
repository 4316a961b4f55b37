// Poseidon of width 3: a 2-to-1 hash over the scalar field of BN254 or BLS12-381.
//
// Convention: state (0, left, right), result in lane 0; on bn128 this equals circomlib's Poseidon(2).
// The field is recognised by its own -1, so the circuit cannot be compiled with another field's constants.
pragma circom 2.0.0;

include "constants_bn128.circom";
include "constants_bls12381.circom";

// 1 on bn128, 0 on bls12381; aborts on a field that has no constants here.
function poseidon_is_bn128() {
    var bn128 = -1 == 21888242871839275222246405745257275088548364400416034343698204186575808495616;
    var bls12381 = -1 == 52435875175126190479447740508185965837690552500527637822603658699938581184512;
    assert(bn128 || bls12381);
    return bn128;
}

function poseidon_round_constants() {
    if (poseidon_is_bn128()) {
        return poseidon_round_constants_bn128();
    } else {
        return poseidon_round_constants_bls12381();
    }
}

function poseidon_mds() {
    if (poseidon_is_bn128()) {
        return poseidon_mds_bn128();
    } else {
        return poseidon_mds_bls12381();
    }
}

// out = in^5 in three constraints.
template Pow5() {
    signal input in;
    signal output out;
    signal square <== in * in;
    signal fourth <== square * square;
    out <== fourth * in;
}

// 8 full and 57 partial rounds, 81 S-boxes, the first of a constant: 240 constraints after `--O2`.
//
// The state is carried as linear combinations (`lane`), which cost no constraints. Through the partial rounds
// lanes 1 and 2 gain a term per round and every S-box repeats them, so every second round names them as
// signals: `--O2` eliminates as many linear constraints as before, but finds short rows (3.3 times fewer
// terms than without, 1.7 times fewer than with every lane of every round named).
template Poseidon2() {
    signal input left;
    signal input right;
    signal output out;

    var T = 3;
    var HALF = 4;
    var PARTIAL = 57;

    var C[65][3] = poseidon_round_constants();
    var M[3][3] = poseidon_mds();

    component full[8][3];
    component partial[57];
    signal named[28][2];

    var lane[3] = [0, left, right];
    var mixed[3];

    for (var r = 0; r < 2 * HALF + PARTIAL; r++) {
        for (var i = 0; i < T; i++) {
            lane[i] += C[r][i];
        }
        if (r < HALF || r >= HALF + PARTIAL) {
            var f = r < HALF ? r : r - PARTIAL;
            for (var i = 0; i < T; i++) {
                full[f][i] = Pow5();
                full[f][i].in <== lane[i];
                lane[i] = full[f][i].out;
            }
        } else {
            var p = r - HALF;
            if (p > 0 && p % 2 == 0) {
                for (var i = 1; i < T; i++) {
                    named[p / 2 - 1][i - 1] <== lane[i];
                    lane[i] = named[p / 2 - 1][i - 1];
                }
            }
            partial[p] = Pow5();
            partial[p].in <== lane[0];
            lane[0] = partial[p].out;
        }
        for (var i = 0; i < T; i++) {
            mixed[i] = M[i][0] * lane[0] + M[i][1] * lane[1] + M[i][2] * lane[2];
        }
        lane = mixed;
    }
    out <== lane[0];
}
