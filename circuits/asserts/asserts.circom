pragma circom 2.2.0;

// Everything that inputs can look like and much that can go wrong, for the tests of witness calculation:
// arrays, buses, an array of no values, an `assert` two templates deep, a constraint that may fail, and `log`.

bus Point() {
    signal x;
    signal y;
}

template Below(bound) {
    signal input in;
    signal output out;
    log("below", bound, in);
    assert(in < bound);
    out <== in * in;
}

template Asserts() {
    signal input in;
    signal input table[2][3];
    input Point() p[2];
    signal input none[0];
    signal output out;

    component below = Below(10);
    below.in <== in;
    table[0][1] * p[0].x === table[1][2] + p[1].y;
    out <== below.out + table[1][0];
    log("done");
}

component main = Asserts();
