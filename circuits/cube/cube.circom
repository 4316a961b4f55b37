// y = x^3 + x + 5: the smallest useful circuit. x is private, y is the public output.
pragma circom 2.0.0;

template Cube() {
    signal input x;
    signal output y;
    signal square <== x * x;
    signal cube <== square * x;
    y <== cube + x + 5;
}

component main = Cube();
