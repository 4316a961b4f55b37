// The compression function of SHA-256 (FIPS 180-4) on bits, most significant first, as the standard writes words.
//
// Sums modulo 2^32 add no linear constraint: the last carry is not a signal but what is left of the sum, and a
// quadratic constraint says which values it may have. Eliminated linear constraints would leave long rows.
pragma circom 2.0.0;

function sha256_initial(i) {
    var H[8] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
    return H[i];
}

// The first 32 bits of the fractional part of the cube root of the prime number t (from 0): the integer root of
// p 2^96, by bisection.
function sha256_constant(t) {
    var p = 2;
    var found = 0;
    while (found < t) {
        p++;
        var divisors = 0;
        for (var q = 2; q < p; q++) {
            if (p % q == 0) {
                divisors++;
            }
        }
        if (divisors == 0) {
            found++;
        }
    }
    var root = 0;
    for (var bit = 1 << 34; bit > 0; bit = bit >> 1) {
        var next = root + bit;
        if (next * next * next <= p * (1 << 96)) {
            root = next;
        }
    }
    return root & 0xffffffff;
}

// A constant as a signal, which costs nothing. A template's parameter is computed by the compiler, a call among
// its statements by every run of the witness calculator.
template Constant(value) {
    signal output out <== value;
}

// The number of 32 bits, most significant first, is a linear form: it costs nothing.
function sha256_weight(i) {
    return 1 << (31 - i);
}

// Bitwise a xor b xor c, two constraints a bit.
template Xor3() {
    signal input a[32];
    signal input b[32];
    signal input c[32];
    signal output out[32];
    signal bc[32];
    for (var i = 0; i < 32; i++) {
        bc[i] <== b[i] * c[i];
        out[i] <== a[i] * (1 - 2 * b[i] - 2 * c[i] + 4 * bc[i]) + b[i] + c[i] - 2 * bc[i];
    }
}

// in rotated to the right by p, by q, and by r (or, if `shift` is 1, shifted by r), added bitwise.
template Sigma(p, q, r, shift) {
    signal input in[32];
    signal output out[32];
    component xor = Xor3();
    for (var i = 0; i < 32; i++) {
        xor.b[i] <== in[(i + 32 - p) % 32];
        xor.c[i] <== in[(i + 32 - q) % 32];
        if (shift == 1 && i < r) {
            xor.a[i] <== 0;
        } else {
            xor.a[i] <== in[(i + 32 - r) % 32];
        }
    }
    out <== xor.out;
}

// Where x, y, else z: one constraint a bit.
template Choose() {
    signal input x[32];
    signal input y[32];
    signal input z[32];
    signal output out[32];
    for (var i = 0; i < 32; i++) {
        out[i] <== x[i] * (y[i] - z[i]) + z[i];
    }
}

// The majority of three bits: two constraints a bit.
template Majority() {
    signal input x[32];
    signal input y[32];
    signal input z[32];
    signal output out[32];
    signal yz[32];
    for (var i = 0; i < 32; i++) {
        yz[i] <== y[i] * z[i];
        out[i] <== x[i] * (y[i] + z[i] - 2 * yz[i]) + yz[i];
    }
}

// The bits of `sum` modulo 2^32 for a sum below 2^(32 + carries), 32 + carries constraints.
template Modulo32(carries) {
    signal input sum;
    signal output out[32];
    signal carry[carries - 1];

    var rest = sum;
    for (var i = 0; i < 32; i++) {
        out[i] <-- (sum >> (31 - i)) & 1;
        out[i] * (out[i] - 1) === 0;
        rest -= out[i] * sha256_weight(i);
    }
    for (var i = 0; i < carries - 1; i++) {
        carry[i] <-- (sum >> (32 + i)) & 1;
        carry[i] * (carry[i] - 1) === 0;
        rest -= carry[i] * (1 << (32 + i));
    }
    rest * (rest - (1 << (31 + carries))) === 0;
}

// One application of the compression function: `state` and a block of 512 bits give the next state.
template Sha256Compression() {
    signal input state[8][32];
    signal input block[512];
    signal output out[8][32];

    // 4.4.1, 6.2.2 step 1: the message schedule
    signal w[64][32];
    component sigma0[48];
    component sigma1[48];
    component schedule[48];
    for (var t = 0; t < 64; t++) {
        if (t < 16) {
            for (var i = 0; i < 32; i++) {
                w[t][i] <== block[32 * t + i];
            }
        } else {
            var k = t - 16;
            sigma0[k] = Sigma(7, 18, 3, 1);
            sigma0[k].in <== w[t - 15];
            sigma1[k] = Sigma(17, 19, 10, 1);
            sigma1[k].in <== w[t - 2];
            var sum = 0;
            for (var i = 0; i < 32; i++) {
                sum += (sigma1[k].out[i] + w[t - 7][i] + sigma0[k].out[i] + w[t - 16][i]) * sha256_weight(i);
            }
            schedule[k] = Modulo32(2);
            schedule[k].sum <== sum;
            w[t] <== schedule[k].out;
        }
    }

    // Step 3: a[t + 3] is the variable a after t rounds, so that b, c, d are a[t + 2], a[t + 1], a[t]; so e.
    signal a[68][32];
    signal e[68][32];
    for (var i = 0; i < 4; i++) {
        a[i] <== state[3 - i];
        e[i] <== state[7 - i];
    }
    component big0[64];
    component big1[64];
    component choose[64];
    component majority[64];
    component constant[64];
    component next_a[64];
    component next_e[64];
    for (var t = 0; t < 64; t++) {
        big1[t] = Sigma(6, 11, 25, 0);
        big1[t].in <== e[t + 3];
        choose[t] = Choose();
        choose[t].x <== e[t + 3];
        choose[t].y <== e[t + 2];
        choose[t].z <== e[t + 1];
        big0[t] = Sigma(2, 13, 22, 0);
        big0[t].in <== a[t + 3];
        majority[t] = Majority();
        majority[t].x <== a[t + 3];
        majority[t].y <== a[t + 2];
        majority[t].z <== a[t + 1];

        constant[t] = Constant(sha256_constant(t));
        var t1 = constant[t].out;
        var t2 = 0;
        var d = 0;
        for (var i = 0; i < 32; i++) {
            t1 += (e[t][i] + big1[t].out[i] + choose[t].out[i] + w[t][i]) * sha256_weight(i);
            t2 += (big0[t].out[i] + majority[t].out[i]) * sha256_weight(i);
            d += a[t][i] * sha256_weight(i);
        }
        next_e[t] = Modulo32(3);
        next_e[t].sum <== d + t1;
        e[t + 4] <== next_e[t].out;
        next_a[t] = Modulo32(3);
        next_a[t].sum <== t1 + t2;
        a[t + 4] <== next_a[t].out;
    }

    // Step 4
    component last[8];
    for (var j = 0; j < 8; j++) {
        var sum = 0;
        for (var i = 0; i < 32; i++) {
            sum += (state[j][i] + (j < 4 ? a[67 - j][i] : e[71 - j][i])) * sha256_weight(i);
        }
        last[j] = Modulo32(1);
        last[j].sum <== sum;
        out[j] <== last[j].out;
    }
}

// The compression function from the initial state on one block of 64 bytes, and no padding: a hash of inputs that
// all have this length, such as the nodes of a tree. It is not SHA-256 of these bytes; on the padded block of a short
// message it is SHA-256 of that message.
template Sha256Node() {
    signal input block[512];
    signal output out[256];

    component compress = Sha256Compression();
    for (var j = 0; j < 8; j++) {
        for (var i = 0; i < 32; i++) {
            compress.state[j][i] <== (sha256_initial(j) >> (31 - i)) & 1;
        }
    }
    compress.block <== block;
    for (var i = 0; i < 256; i++) {
        out[i] <== compress.out[i \ 32][i % 32];
    }
}
