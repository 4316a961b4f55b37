// Baby Jubjub, over the scalar field of BN254: a u^2 + v^2 = 1 + d u^2 v^2, generator of the subgroup of prime order.
// Written by the command: python3 derive/edwards.py bn128
pragma circom 2.0.0;

function edwards_a_bn128() {
    return 168700;
}

function edwards_d_bn128() {
    return 168696;
}

// Order of the prime subgroup, 251 bits; the cofactor is 8.
function edwards_order_bn128() {
    return 2736030358979909402780800718157159386076813972158567259200215660948447373041;
}

// (u, v)
function edwards_generator_bn128() {
    return [1543097895046459036815881892299046234122503303714415992595576723244300053200,
            14852656994208972578193598492269014373700846798812588586116313072569880517944];
}
