// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Plonk proofs on BLS12-381 for one circuit
/// @notice With Z(xi) = xi^n - 1, L1 the first Lagrange polynomial of the domain and PI(xi) = -(x[0] * L1(xi) + ...), a proof is
/// accepted when e(Wxi + u * Wxiw, X_2) = e(xi * Wxi + u * xi * w * Wxiw + F - E * G1, G2), where
///   F = ab * Qm + a * Ql + b * Qr + c * Qo + Qc + v^4 * S1 + v^5 * S2 - sigmas * beta * S3 + v * A + v^2 * B + v^3 * C
///       + (cells * alpha + L1(xi) * alpha^2 + u) * Z - Z(xi) * (T1 + xi^n * T2 + xi^2n * T3)
///   E = v * a + v^2 * b + v^3 * c + v^4 * s1 + v^5 * s2 + u * zw - (PI(xi) - L1(xi) * alpha^2 - sigmas * (c + gamma))
///   sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * zw
///   cells = (a + beta * xi + gamma) * (b + beta * k1 * xi + gamma) * (c + beta * k2 * xi + gamma)
/// The precompiles of EIP-2537 compute sums, multiples and pairings; a chain without them accepts no proof. That of multiples,
/// which every point of the proof goes through, refuses coordinates that are not below q, points off the curve and points
/// outside of the subgroup of order r, whatever the factor is that a point is multiplied by.
contract PlonkVerifier {
{{domain}}

    // Commitments of the verification key. A coordinate is HIGH * 2^256 + LOW. Of an element of Fq2, the coefficient 1 is that
    // of u.
{{constants}}

    // Where numbers stand in memory, from the first free byte on. The input of every hash stands in one piece: a challenge,
    // then what of the proof the next challenge depends on. In hashes a coordinate has 48 bytes.
    uint256 constant BETA = 0;
    uint256 constant GAMMA = 32;
    uint256 constant POINT_Z = 64;
    uint256 constant ALPHA = 160;
    uint256 constant POINTS_T = 192;
    uint256 constant XI = 480;
    uint256 constant EVALUATIONS = 512;
    uint256 constant EVAL_A = 512;
    uint256 constant EVAL_B = 544;
    uint256 constant EVAL_C = 576;
    uint256 constant EVAL_S1 = 608;
    uint256 constant EVAL_S2 = 640;
    uint256 constant EVAL_ZW = 672;
    uint256 constant V = 704;
    uint256 constant U = 736;
    // xi^n, xi^n - 1, L1(xi) * alpha^2, PI(xi)
    uint256 constant XI_N = 768;
    uint256 constant VANISHING = 800;
    uint256 constant FIRST = 832;
    uint256 constant PI = 864;
    // What is needed for a while: hash inputs, then Lagrange polynomials, then the input of the pairing and before it of the
    // multiples.
    uint256 constant SCRATCH = 896;
    uint256 constant TERMS = 1664;

    /// @notice Whether the proof is right for the public values. The proof is A, B, C, Z, T1, T2, T3, Wxi and Wxiw, encoded as in
    ///   EIP-2537 as (x, y) with two words for a coordinate, the higher one first; and the values a, b, c, s1, s2 and zw. Numbers
    ///   that are not reduced and points that are not in the subgroup give false.
    function verifyProof(uint256[42] calldata proof, {{values}} calldata publicValues)
        public
        view
        returns (bool accepted)
    {
        assembly ("memory-safe") {
            // Writes the coordinates of a point of the key for a hash.
            function hashed(at, xHigh, xLow, yHigh, yLow) {
                mstore(at, shl(128, xHigh))
                mstore(add(at, 16), xLow)
                mstore(add(at, 48), shl(128, yHigh))
                mstore(add(at, 64), yLow)
            }

            // Writes the coordinates of `count` points of the proof for a hash.
            function hashedOf(at, point, count) {
                for { let end := add(at, mul(count, 96)) } lt(at, end) { at := add(at, 48) } {
                    calldatacopy(at, add(point, 16), 48)
                    point := add(point, 64)
                }
            }

            // Writes a point and its factor for the precompile of multiples.
            function term(at, xHigh, xLow, yHigh, yLow, factor) -> next {
                mstore(at, xHigh)
                mstore(add(at, 32), xLow)
                mstore(add(at, 64), yHigh)
                mstore(add(at, 96), yLow)
                mstore(add(at, 128), factor)
                next := add(at, 160)
            }

            // The same for a point of the proof.
            function termOf(at, point, factor) -> next {
                calldatacopy(at, point, 128)
                mstore(add(at, 128), factor)
                next := add(at, 160)
            }

            // Puts the challenges, and the words of the proof that they depend on, into memory.
            function challenges(m, proof_, values_) {
                let at := add(m, SCRATCH)
{{hashed}}
                calldatacopy(add(at, {{key_bytes}}), values_, {{values_bytes}})
                hashedOf(add(at, {{values_end}}), proof_, 3)
                mstore(add(m, BETA), mod(keccak256(at, {{hashed_bytes}}), R))
                mstore(add(m, GAMMA), mod(keccak256(m, 32), R))
                hashedOf(add(m, POINT_Z), add(proof_, 384), 1)
                mstore(add(m, ALPHA), mod(keccak256(m, 160), R))
                hashedOf(add(m, POINTS_T), add(proof_, 512), 3)
                mstore(add(m, XI), mod(keccak256(add(m, ALPHA), 320), R))
                calldatacopy(add(m, EVALUATIONS), add(proof_, 1152), 192)
                mstore(add(m, V), mod(keccak256(add(m, XI), 224), R))
                hashedOf(at, add(proof_, 896), 2)
                mstore(add(m, U), mod(keccak256(at, 192), R))
            }

{{scalars}}

            // The terms of F of the selectors, without Qc.
            function selectorTerms(m, at) -> next {
                let a := mload(add(m, EVAL_A))
                let b := mload(add(m, EVAL_B))
                next := at
{{selectors}}
            }

            // The terms of F and of -E with powers of v.
            function openedTerms(m, at, proof_) -> next, minusE {
                let v := mload(add(m, V))
                let factor := v
                let e := mulmod(factor, mload(add(m, EVAL_A)), R)
                next := termOf(at, proof_, factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_B)), R), R)
                next := termOf(next, add(proof_, 128), factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_C)), R), R)
                next := termOf(next, add(proof_, 256), factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S1)), R), R)
                next := term(next, {{S1}}, factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S2)), R), R)
                next := term(next, {{S2}}, factor)
                minusE := sub(R, e)
            }

            // The terms with Z, S3, T1, T2 and T3, and -E * G1 once its terms are complete.
            function otherTerms(m, at, proof_, minusE) -> next {
                {
                    let sigmas := minusSigmas(m)
                    next := term(at, {{S3}}, mulmod(sigmas, mload(add(m, BETA)), R))
                    let u := mload(add(m, U))
                    next := termOf(next, add(proof_, 384), addmod(factorOfZ(m), u, R))

                    let c := addmod(mload(add(m, EVAL_C)), mload(add(m, GAMMA)), R)
                    minusE := addmod(minusE, mulmod(sigmas, c, R), R)
                    minusE := addmod(minusE, mulmod(u, sub(R, mload(add(m, EVAL_ZW))), R), R)
                    minusE := addmod(minusE, sub(R, mload(add(m, FIRST))), R)
                    minusE := addmod(minusE, mload(add(m, PI)), R)
                    next := term(next, {{G1}}, minusE)
                }
                let power := mload(add(m, XI_N))
                let factor := sub(R, mload(add(m, VANISHING)))
                next := termOf(next, add(proof_, 512), factor)
                factor := mulmod(factor, power, R)
                next := termOf(next, add(proof_, 640), factor)
                factor := mulmod(factor, power, R)
                next := termOf(next, add(proof_, 768), factor)
            }

            // The terms with Wxi and Wxiw on the right, and the sum of all that end before `next`.
            function rightSum(m, next, proof_) -> ok {
                let right := add(m, SCRATCH)
                let terms := add(m, TERMS)
                let xi := mload(add(m, XI))
                next := termOf(next, add(proof_, 896), xi)
                next := termOf(next, add(proof_, 1024), mulmod(mulmod(xi, W, R), mload(add(m, U)), R))
                ok := staticcall(gas(), 12, terms, sub(next, terms), right, 128)
                mstore(add(right, 128), QC_X_HIGH)
                mstore(add(right, 160), QC_X_LOW)
                mstore(add(right, 192), QC_Y_HIGH)
                mstore(add(right, 224), QC_Y_LOW)
                if ok { ok := staticcall(gas(), 11, right, 256, right, 128) }
            }

            // The sum on the left, and whether the pairings are equal.
            function pairingHolds(m, proof_) -> ok {
                let right := add(m, SCRATCH)
                let left := add(right, 384)
                {
                    let next := termOf(left, add(proof_, 1024), mload(add(m, U)))
                    ok := staticcall(gas(), 12, left, sub(next, left), left, 128)
                    calldatacopy(add(left, 128), add(proof_, 896), 128)
                    if ok { ok := staticcall(gas(), 11, left, 256, left, 128) }
                }
                // Two pairs of 384 bytes each: e(right, -G2) * e(left, X_2) = 1.
{{minus_g2}}
{{x_2}}
                if ok {
                    ok := staticcall(gas(), 15, right, 768, right, 32)
                    // Where there is no such precompile, the call succeeds and returns nothing.
                    ok := and(ok, eq(returndatasize(), 32))
                    ok := and(ok, eq(mload(right), 1))
                }
            }

            let m := mload(64)
            accepted := 1
            for { let at := add(proof, 1152) } lt(at, add(proof, 1344)) { at := add(at, 32) } {
                accepted := and(accepted, lt(calldataload(at), R))
            }
{{values_check}}
            if accepted {
                challenges(m, proof, {{values_offset}})
                accepted := vanish(m)
            }
            if accepted { accepted := lagrange(m, {{values_offset}}) }
            if accepted {
                let next := selectorTerms(m, add(m, TERMS))
                let minusE
                next, minusE := openedTerms(m, next, proof)
                next := otherTerms(m, next, proof, minusE)
                accepted := rightSum(m, next, proof)
            }
            if accepted { accepted := pairingHolds(m, proof) }
        }
    }
}
