// x_{i+1} = x_i^2 + 5, n times: one constraint per step, any size.
pragma circom 2.0.0;

template Chain(n) {
    signal input x;
    signal output y;
    signal step[n + 1];
    step[0] <== x;
    for (var i = 0; i < n; i++) {
        step[i + 1] <== step[i] * step[i] + 5;
    }
    y <== step[n];
}
