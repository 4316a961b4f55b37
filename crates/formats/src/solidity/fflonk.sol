// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of fflonk proofs on BN254 for one circuit
/// @notice C0, C1 and C2 are opened at the 8th and 4th roots of xi, and at the third roots of xi and of xi * w. With what vanishes
/// there, Z0 = y^8 - xi, Z1 = y^4 - xi, Z2 = (y^3 - xi) * (y^3 - xi * w), and R0, R1, R2 the polynomials of degrees below 8, 4 and 6
/// that have their values there, a proof is accepted when e(W2, X_2) = e(F - E * G1 - Z0 * W1 + y * W2, G2), where
///   F = C0 + q1 * C1 + q2 * C2,  E = R0(y) + q1 * R1(y) + q2 * R2(y),  q1 = alpha * Z0 / Z1,  q2 = alpha^2 * Z0 / Z2.
/// The precompiles of EIP-196 and EIP-197 compute sums, multiples and pairings. They refuse coordinates that are not below q
/// and points off the curve, whatever the factor is that a point is multiplied by.
contract FflonkVerifier {
{{domain}}

    // Points of the verification key. Of an element of Fq2, the coefficient 1 is that of i.
{{constants}}

    // Where numbers stand in memory, from the first free byte on. The input of every hash stands in one piece: a challenge,
    // then the words of the proof that the next challenge depends on.
    uint256 constant BETA = 0;
    uint256 constant GAMMA = 32;
    uint256 constant POINT_C2 = 64;
    uint256 constant SEED = 128;
    uint256 constant EVALUATIONS = 160;
    uint256 constant EVAL_QL = 160;
    uint256 constant EVAL_QR = 192;
    uint256 constant EVAL_QM = 224;
    uint256 constant EVAL_QO = 256;
    uint256 constant EVAL_QC = 288;
    uint256 constant EVAL_S1 = 320;
    uint256 constant EVAL_S2 = 352;
    uint256 constant EVAL_S3 = 384;
    uint256 constant EVAL_A = 416;
    uint256 constant EVAL_B = 448;
    uint256 constant EVAL_C = 480;
    uint256 constant EVAL_Z = 512;
    uint256 constant EVAL_ZW = 544;
    uint256 constant EVAL_T1W = 576;
    uint256 constant EVAL_T2W = 608;
    uint256 constant ALPHA = 640;
    uint256 constant POINT_W1 = 672;
    uint256 constant Y = 736;
    // xi, xi * w, xi^n - 1; y^8 - xi, y^4 - xi, y^3 - xi, Z2, and xi - xi * w
    uint256 constant XI = 768;
    uint256 constant XI_W = 800;
    uint256 constant VANISHING = 832;
    uint256 constant Z0 = 864;
    uint256 constant Z1 = 896;
    uint256 constant CUBE = 928;
    uint256 constant Z2 = 960;
    uint256 constant DIFFERENCE = 992;
    // 1 / (xi^n - 1), 1 / Z1, 1 / Z2, 1 / (xi - xi * w); L1(xi), PI(xi)
    uint256 constant VANISHING_INVERSE = 1024;
    uint256 constant Z1_INVERSE = 1056;
    uint256 constant Z2_INVERSE = 1088;
    uint256 constant DIFFERENCE_INVERSE = 1120;
    uint256 constant FIRST = 1152;
    uint256 constant PI = 1184;
    // What is needed for a while: a hash input, then products of denominators, then the input of the pairing.
    uint256 constant SCRATCH = 1216;

    /// @notice Whether the proof is right for the public values. The proof is C1, C2, W1 and W2 as (x, y), the values ql, qr, qm,
    ///   qo, qc, s1, s2, s3, a, b, c, z, zw, t1w and t2w, and an inverse. Numbers that are not reduced and points that are not on the
    ///   curve give false.
    function verifyProof(bytes32[24] calldata proof, {{values}} calldata publicValues)
        public
        view
        returns (bool accepted)
    {
        assembly ("memory-safe") {
{{multiples}}

            // Puts the challenges, and the words of the proof that they depend on, into memory.
            function challenges(m, proof_, values_) {
                let at := add(m, SCRATCH)
                mstore(at, C0_X)
                mstore(add(at, 32), C0_Y)
                calldatacopy(add(at, 64), values_, {{values_bytes}})
                calldatacopy(add(at, {{values_end}}), proof_, 64)
                mstore(add(m, BETA), mod(keccak256(at, {{hashed_bytes}}), R))
                mstore(add(m, GAMMA), mod(keccak256(m, 32), R))
                calldatacopy(add(m, POINT_C2), add(proof_, 64), 64)
                mstore(add(m, SEED), mod(keccak256(add(m, GAMMA), 96), R))
                calldatacopy(add(m, EVALUATIONS), add(proof_, 256), 480)
                mstore(add(m, ALPHA), mod(keccak256(add(m, SEED), 512), R))
                calldatacopy(add(m, POINT_W1), add(proof_, 128), 64)
                mstore(add(m, Y), mod(keccak256(add(m, ALPHA), 96), R))
            }

            // Computes xi, which is the 24th power of the challenge before it, and what vanishes at the points of opening.
            function vanish(m) {
                let x := mload(add(m, SEED))
                x := mulmod(mulmod(x, x, R), x, R)
                x := mulmod(x, x, R)
                x := mulmod(x, x, R)
                x := mulmod(x, x, R)
                let minusXi := sub(R, x)
                let minusXiW := mulmod(minusXi, W, R)
                mstore(add(m, XI), x)
                mstore(add(m, XI_W), mulmod(x, W, R))
                mstore(add(m, DIFFERENCE), addmod(x, minusXiW, R))
                for { let i := 0 } lt(i, POWER) { i := add(i, 1) } { x := mulmod(x, x, R) }
                mstore(add(m, VANISHING), addmod(x, sub(R, 1), R))

                let y := mload(add(m, Y))
                let power := mulmod(y, y, R)
                let cube := mulmod(power, y, R)
                mstore(add(m, CUBE), addmod(cube, minusXi, R))
                mstore(add(m, Z2), mulmod(addmod(cube, minusXi, R), addmod(cube, minusXiW, R), R))
                power := mulmod(power, power, R)
                mstore(add(m, Z1), addmod(power, minusXi, R))
                mstore(add(m, Z0), addmod(mulmod(power, power, R), minusXi, R))
            }

            // The product of the denominators of all Lagrange polynomials for the points of opening, without one factor
            // xi - xi * w: those of the k-th roots of x give k^k * x^(k - 1) * (y^k - x), with a minus sign for even k; those of
            // the six points have xi - xi * w six times and one more minus sign.
            function opened(m) -> product {
                let xi := mload(add(m, XI))
                let square := mulmod(xi, xi, R)
                let difference := mload(add(m, DIFFERENCE))
                product := mulmod(mload(add(m, Z0)), mload(add(m, Z1)), R)
                product := mulmod(product, mload(add(m, Z2)), R)
                // 8^8 * 4^4 * 3^3 * 3^3 = 2^32 * 729, xi^7 * xi^3 * xi^2 * (xi * w)^2
                product := mulmod(product, sub(R, 3131031158784), R)
                product := mulmod(product, mulmod(mload(add(m, XI_W)), mload(add(m, XI_W)), R), R)
                xi := mulmod(square, square, R)
                product := mulmod(product, mulmod(mulmod(xi, xi, R), xi, R), R)
                square := mulmod(difference, difference, R)
                product := mulmod(product, mulmod(mulmod(square, square, R), difference, R), R)
            }

            // Computes all inverses from the proof's, which is that of the product of all that is divided by; and L1(xi) and
            // PI(xi), from L(i + 1)(xi) = (xi^n - 1) * w^i / (n * (xi - w^i)). False for any other inverse, and for zeros.
            function invert(m, inverse, values_) -> ok {
                // In the scratch stand for each i the product of the denominators before n * (xi - w^i), and this.
                let at := add(m, SCRATCH)
                let end := add(at, {{differences_bytes}})
                let first := opened(m)
                let product := mulmod(first, mload(add(m, VANISHING)), R)
                product := mulmod(product, mload(add(m, Z1)), R)
                product := mulmod(product, mload(add(m, Z2)), R)
                product := mulmod(product, mload(add(m, DIFFERENCE)), R)
                {
                    let root := 1
                    for { } lt(at, end) { at := add(at, 64) } {
                        mstore(at, product)
                        let denominator := mulmod(addmod(mload(add(m, XI)), sub(R, root), R), N, R)
                        mstore(add(at, 32), denominator)
                        product := mulmod(product, denominator, R)
                        root := mulmod(root, W, R)
                    }
                }
                ok := eq(mulmod(product, inverse, R), 1)

                let pi := 0
                let root := {{last_root}}
                let l := 0
{{lagrange_before}}
                for { } gt(at, add(m, SCRATCH)) { } {
                    at := sub(at, 64)
                    l := mulmod(mulmod(inverse, mload(at), R), mulmod(mload(add(m, VANISHING)), root, R), R)
                    inverse := mulmod(inverse, mload(add(at, 32)), R)
                    root := mulmod(root, W_INVERSE, R)
{{lagrange_value}}
                }
                mstore(add(m, FIRST), l)
                mstore(add(m, PI), pi)

                // What is left is the inverse of first * (xi^n - 1) * Z1 * Z2 * (xi - xi * w).
                product := mulmod(mulmod(first, mload(add(m, VANISHING)), R), mload(add(m, Z1)), R)
                mstore(add(m, DIFFERENCE_INVERSE), mulmod(inverse, mulmod(product, mload(add(m, Z2)), R), R))
                inverse := mulmod(inverse, mload(add(m, DIFFERENCE)), R)
                mstore(add(m, Z2_INVERSE), mulmod(inverse, product, R))
                inverse := mulmod(inverse, mload(add(m, Z2)), R)
                product := mulmod(first, mload(add(m, VANISHING)), R)
                mstore(add(m, Z1_INVERSE), mulmod(inverse, product, R))
                inverse := mulmod(inverse, mload(add(m, Z1)), R)
                mstore(add(m, VANISHING_INVERSE), mulmod(inverse, first, R))
            }

            // A cell of a column and its identity or its place in the permutation: cell + beta * place + gamma.
            function cell(m, at, place) -> sum {
                sum := addmod(addmod(mload(at), mulmod(mload(add(m, BETA)), place, R), R), mload(add(m, GAMMA)), R)
            }

            // R0(y), whose coefficients are values of the proof.
            function valueOfC0(m, y) -> value {
                value := mload(add(m, EVAL_S3))
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_S2)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_S1)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_QC)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_QM)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_QO)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_QR)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_QL)), R)
            }

            // R1(y): its highest coefficient is the quotient of the gates at xi, the others are values of the proof.
            function valueOfC1(m, y) -> value {
                {
                    let a := mload(add(m, EVAL_A))
                    let b := mload(add(m, EVAL_B))
                    value := addmod(mload(add(m, EVAL_QC)), mload(add(m, PI)), R)
                    value := addmod(value, mulmod(mload(add(m, EVAL_QL)), a, R), R)
                    value := addmod(value, mulmod(mload(add(m, EVAL_QR)), b, R), R)
                    value := addmod(value, mulmod(mload(add(m, EVAL_QM)), mulmod(a, b, R), R), R)
                    value := addmod(value, mulmod(mload(add(m, EVAL_QO)), mload(add(m, EVAL_C)), R), R)
                    value := mulmod(value, mload(add(m, VANISHING_INVERSE)), R)
                }
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_C)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_B)), R)
                value := addmod(mulmod(value, y, R), mload(add(m, EVAL_A)), R)
            }

            // The quotient of the running product's steps at xi.
            function stepsAtXi(m) -> value {
                let xi := mload(add(m, XI))
                value := mulmod(mload(add(m, EVAL_Z)), cell(m, add(m, EVAL_A), xi), R)
                value := mulmod(value, cell(m, add(m, EVAL_B), mulmod(xi, K1, R)), R)
                value := mulmod(value, cell(m, add(m, EVAL_C), mulmod(xi, K2, R)), R)
                let there := mulmod(mload(add(m, EVAL_ZW)), cell(m, add(m, EVAL_A), mload(add(m, EVAL_S1))), R)
                there := mulmod(there, cell(m, add(m, EVAL_B), mload(add(m, EVAL_S2))), R)
                there := mulmod(there, cell(m, add(m, EVAL_C), mload(add(m, EVAL_S3))), R)
                value := mulmod(addmod(value, sub(R, there), R), mload(add(m, VANISHING_INVERSE)), R)
            }

            // R2(y): each of the three polynomials behind C2 is a line through its values at xi and xi * w, at y^3.
            function valueOfC2(m, y) -> value {
                // (y^3 - xi) / (xi - xi * w)
                let slope := mulmod(mload(add(m, CUBE)), mload(add(m, DIFFERENCE_INVERSE)), R)
                value := line(stepsAtXi(m), mload(add(m, EVAL_T2W)), slope)
                let z := mload(add(m, EVAL_Z))
                let start := mulmod(addmod(z, sub(R, 1), R), mload(add(m, FIRST)), R)
                start := mulmod(start, mload(add(m, VANISHING_INVERSE)), R)
                value := addmod(mulmod(value, y, R), line(start, mload(add(m, EVAL_T1W)), slope), R)
                value := addmod(mulmod(value, y, R), line(z, mload(add(m, EVAL_ZW)), slope), R)
            }

            // A line that is `here` at xi and `there` at xi * w.
            function line(here, there, slope) -> value {
                value := addmod(here, mulmod(addmod(here, sub(R, there), R), slope, R), R)
            }

            // Whether the pairings are equal.
            function pairingHolds(m, proof_) -> ok {
                let sum := add(m, SCRATCH)
                mstore(sum, C0_X)
                mstore(add(sum, 32), C0_Y)
                {
                    let y := mload(add(m, Y))
                    let q := mulmod(mload(add(m, ALPHA)), mload(add(m, Z0)), R)
                    let factor := mulmod(q, mload(add(m, Z1_INVERSE)), R)
                    let e := addmod(valueOfC0(m, y), mulmod(factor, valueOfC1(m, y), R), R)
                    ok := addMultipleOf(sum, proof_, factor, 1)
                    factor := mulmod(mulmod(q, mload(add(m, ALPHA)), R), mload(add(m, Z2_INVERSE)), R)
                    e := addmod(e, mulmod(factor, valueOfC2(m, y), R), R)
                    ok := addMultipleOf(sum, add(proof_, 64), factor, ok)
                    ok := addMultipleOf(sum, add(proof_, 128), sub(R, mload(add(m, Z0))), ok)
                    ok := addMultipleOf(sum, add(proof_, 192), y, ok)
                    ok := addMultiple(sum, 1, 2, sub(R, e), ok)
                }
                // Two pairs of 192 bytes each: e(sum, -G2) * e(W2, X_2) = 1.
{{minus_g2}}
                calldatacopy(add(sum, 192), add(proof_, 192), 64)
{{x_2}}
                if ok {
                    ok := staticcall(gas(), 8, sum, 384, sum, 32)
                    // Where there is no such precompile, the call succeeds and returns nothing.
                    ok := and(ok, eq(returndatasize(), 32))
                    ok := and(ok, eq(mload(sum), 1))
                }
            }

            let m := mload(64)
            accepted := 1
            for { let at := add(proof, 256) } lt(at, add(proof, 768)) { at := add(at, 32) } {
                accepted := and(accepted, lt(calldataload(at), R))
            }
{{values_check}}
            if accepted {
                challenges(m, proof, {{values_offset}})
                vanish(m)
                accepted := invert(m, calldataload(add(proof, 736)), {{values_offset}})
            }
            if accepted { accepted := pairingHolds(m, proof) }
        }
    }
}
