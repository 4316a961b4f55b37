// Twisted Edwards curves a u^2 + v^2 = 1 + d u^2 v^2 over the circuit's own field: Jubjub on bls12381, Baby Jubjub
// on bn128; and Schnorr signatures on them in the manner of EdDSA, hashed with Poseidon.
//
// The addition law is complete: for points of the curve its denominators are never zero.
pragma circom 2.0.0;

include "constants_bn128.circom";
include "constants_bls12381.circom";
include "../bits/bits.circom";
include "../poseidon/poseidon.circom";

function edwards_a() {
    return poseidon_is_bn128() ? edwards_a_bn128() : edwards_a_bls12381();
}

function edwards_d() {
    return poseidon_is_bn128() ? edwards_d_bn128() : edwards_d_bls12381();
}

function edwards_order() {
    return poseidon_is_bn128() ? edwards_order_bn128() : edwards_order_bls12381();
}

function edwards_generator() {
    if (poseidon_is_bn128()) {
        return edwards_generator_bn128();
    } else {
        return edwards_generator_bls12381();
    }
}

// Bits of the circuit's field.
function field_bits() {
    return poseidon_is_bn128() ? 254 : 255;
}

// Proves that (u, v) lies on the curve.
template OnCurve() {
    signal input point[2];
    signal uu <== point[0] * point[0];
    signal vv <== point[1] * point[1];
    edwards_a() * uu + vv - 1 === edwards_d() * uu * vv;
}

// out = left + right, in 6 constraints.
template EdwardsAdd() {
    signal input left[2];
    signal input right[2];
    signal output out[2];

    var a = edwards_a();
    signal uv <== left[0] * right[1];
    signal vu <== left[1] * right[0];
    signal cross <== (left[1] - a * left[0]) * (right[0] + right[1]);
    signal uvuv <== uv * vu;
    var below = edwards_d() * uvuv;
    var v = cross - vu + a * uv; // v1 v2 - a u1 u2

    out[0] <-- (uv + vu) / (1 + below);
    out[1] <-- v / (1 - below);
    out[0] * (1 + below) === uv + vu;
    out[1] * (1 - below) === v;
}

// out = 2 in, in 5 constraints: the curve's equation stands for 1 + d u^2 v^2.
template EdwardsDouble() {
    signal input in[2];
    signal output out[2];

    signal uv <== in[0] * in[1];
    signal uu <== in[0] * in[0];
    signal vv <== in[1] * in[1];
    var sum = edwards_a() * uu + vv;
    var difference = vv - edwards_a() * uu;

    out[0] <-- 2 * uv / sum;
    out[1] <-- difference / (2 - sum);
    out[0] * sum === 2 * uv;
    out[1] * (2 - sum) === difference;
}

// out = [s] base - [h] key for numbers of n bits, both at once: per bit one doubling and one addition of
// 0, base, -key or base - key, 16 constraints.
template DoubleMultiply(n) {
    signal input s[n];
    signal input h[n];
    signal input key[2];
    signal output out[2];

    var base[2] = edwards_generator();
    component both = EdwardsAdd();
    both.left <== base;
    both.right <== [-key[0], key[1]];

    signal sh[n];
    signal pick[n][2][2]; // products of h and of s h, for each coordinate
    component double[n];
    component add[n];

    for (var i = n - 1; i >= 0; i--) {
        sh[i] <== s[i] * h[i];
        pick[i][0][0] <== h[i] * -key[0];
        pick[i][0][1] <== sh[i] * (both.out[0] - base[0] + key[0]);
        pick[i][1][0] <== h[i] * (key[1] - 1);
        pick[i][1][1] <== sh[i] * (both.out[1] - base[1] - key[1] + 1);

        add[i] = EdwardsAdd();
        if (i == n - 1) {
            add[i].left <== [0, 1];
        } else {
            double[i] = EdwardsDouble();
            double[i].in <== add[i + 1].out;
            add[i].left <== double[i].out;
        }
        add[i].right[0] <== s[i] * base[0] + pick[i][0][0] + pick[i][0][1];
        add[i].right[1] <== 1 + s[i] * (base[1] - 1) + pick[i][1][0] + pick[i][1][1];
    }
    out <== add[0].out;
}

// Proves that (commitment R, response s) is a signature of `message` under `key`:
//     [s] B = R + [h] key,   h = H(H(H(R), H(key)), message),   s below the order of B.
//
// `key_hash` is H(key). R needs no check: it is compared with a point of the curve. Without factors 8: a key
// outside the subgroup of prime order is its owner's loss.
template Signature() {
    signal input key[2];
    signal input key_hash;
    signal input commitment[2];
    signal input response;
    signal input message;

    component on_curve = OnCurve();
    on_curve.point <== key;

    component point = Poseidon2();
    point.left <== commitment[0];
    point.right <== commitment[1];
    component who = Poseidon2();
    who.left <== point.out;
    who.right <== key_hash;
    component challenge = Poseidon2();
    challenge.left <== who.out;
    challenge.right <== message;

    var n = field_bits();
    component h = CanonicalBits(n);
    h.in <== challenge.out;
    component s = CanonicalBits(n);
    s.in <== response;
    component below = AtMost(n, edwards_order() - 1);
    below.bits <== s.out;

    component multiply = DoubleMultiply(n);
    multiply.s <== s.out;
    multiply.h <== h.out;
    multiply.key <== key;
    multiply.out === commitment;
}
