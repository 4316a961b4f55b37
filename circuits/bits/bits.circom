// Bits of numbers, and bounds on them.
pragma circom 2.0.0;

// in = sum of out[i] 2^i with every out[i] 0 or 1. Proves 0 <= in < 2^n; n has to be below the bits of the field.
template Bits(n) {
    signal input in;
    signal output out[n];

    var sum = 0;
    for (var i = 0; i < n; i++) {
        out[i] <-- (in >> i) & 1;
        out[i] * (out[i] - 1) === 0;
        sum += out[i] * (1 << i);
    }
    sum === in;
}

// Proves that the number with these bits (each 0 or 1, least significant first) is at most the constant.
//
// From the top, `equal` is 1 while all bits are the constant's. Where the constant has a 0, the bit must not be 1
// while that lasts; where it has a 1, a 0 ends it: one constraint per bit.
template AtMost(n, constant) {
    signal input bits[n];
    signal equal[n + 1];

    equal[n] <== 1;
    for (var i = n - 1; i >= 0; i--) {
        if ((constant >> i) & 1 == 1) {
            equal[i] <== equal[i + 1] * bits[i];
        } else {
            equal[i + 1] * bits[i] === 0;
            equal[i] <== equal[i + 1];
        }
    }
}

// The bits of the canonical representative of a field element: of the n-bit numbers that are equal to it modulo
// the field's characteristic p, the one below p. n is the number of bits of p.
template CanonicalBits(n) {
    signal input in;
    signal output out[n];

    var sum = 0;
    for (var i = 0; i < n; i++) {
        out[i] <-- (in >> i) & 1;
        out[i] * (out[i] - 1) === 0;
        sum += out[i] * (1 << i);
    }
    sum === in;
    component below = AtMost(n, -1);
    below.bits <== out;
}
