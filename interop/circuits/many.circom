// Nine public values: more than a sum of points that is unrolled by hand.
pragma circom 2.0.0;

template Many(n) {
    signal input x[n];
    signal input y;
    signal output out;
    signal sum[n + 1];
    sum[0] <== y;
    for (var i = 0; i < n; i++) {
        sum[i + 1] <== sum[i] * x[i] + 1;
    }
    out <== sum[n];
}

component main {public [x]} = Many(8);
