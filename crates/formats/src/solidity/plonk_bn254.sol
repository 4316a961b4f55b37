// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Plonk proofs on BN254 for one circuit
/// @notice With Z(xi) = xi^n - 1, L1 the first Lagrange polynomial of the domain and PI(xi) = -(x[0] * L1(xi) + ...), a proof is
/// accepted when e(Wxi + u * Wxiw, X_2) = e(xi * Wxi + u * xi * w * Wxiw + F - E * G1, G2), where
///   F = ab * Qm + a * Ql + b * Qr + c * Qo + Qc + v^4 * S1 + v^5 * S2 - sigmas * beta * S3 + v * A + v^2 * B + v^3 * C
///       + (cells * alpha + L1(xi) * alpha^2 + u) * Z - Z(xi) * (T1 + xi^n * T2 + xi^2n * T3)
///   E = v * a + v^2 * b + v^3 * c + v^4 * s1 + v^5 * s2 + u * zw - (PI(xi) - L1(xi) * alpha^2 - sigmas * (c + gamma))
///   sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * zw
///   cells = (a + beta * xi + gamma) * (b + beta * k1 * xi + gamma) * (c + beta * k2 * xi + gamma)
/// The precompiles of EIP-196 and EIP-197 compute sums, multiples and pairings. They refuse coordinates that are not below q
/// and points off the curve, whatever the factor is that a point is multiplied by.
contract PlonkVerifier {
{{domain}}

    // Commitments of the verification key. Of an element of Fq2, the coefficient 1 is that of i.
{{constants}}

    // Where numbers stand in memory, from the first free byte on. The input of every hash stands in one piece: a challenge,
    // then the words of the proof that the next challenge depends on.
    uint256 constant BETA = 0;
    uint256 constant GAMMA = 32;
    uint256 constant POINT_Z = 64;
    uint256 constant ALPHA = 128;
    uint256 constant POINTS_T = 160;
    uint256 constant XI = 352;
    uint256 constant EVALUATIONS = 384;
    uint256 constant EVAL_A = 384;
    uint256 constant EVAL_B = 416;
    uint256 constant EVAL_C = 448;
    uint256 constant EVAL_S1 = 480;
    uint256 constant EVAL_S2 = 512;
    uint256 constant EVAL_ZW = 544;
    uint256 constant V = 576;
    uint256 constant U = 608;
    // xi^n, xi^n - 1, L1(xi) * alpha^2, PI(xi)
    uint256 constant XI_N = 640;
    uint256 constant VANISHING = 672;
    uint256 constant FIRST = 704;
    uint256 constant PI = 736;
    // What is needed for a while: hash inputs, then Lagrange polynomials, then the input of the pairing.
    uint256 constant SCRATCH = 768;

    /// @notice Whether the proof is right for the public values. The proof is A, B, C, Z, T1, T2, T3, Wxi and Wxiw as (x, y), and
    ///   the values a, b, c, s1, s2 and zw. Numbers that are not reduced and points that are not on the curve give false.
    function verifyProof(uint256[24] calldata proof, {{values}} calldata publicValues)
        public
        view
        returns (bool accepted)
    {
        assembly ("memory-safe") {
{{multiples}}

            // Puts the challenges, and the words of the proof that they depend on, into memory.
            function challenges(m, proof_, values_) {
                let at := add(m, SCRATCH)
{{hashed}}
                calldatacopy(add(at, {{key_bytes}}), values_, {{values_bytes}})
                calldatacopy(add(at, {{values_end}}), proof_, 192)
                mstore(add(m, BETA), mod(keccak256(at, {{hashed_bytes}}), R))
                mstore(add(m, GAMMA), mod(keccak256(m, 32), R))
                calldatacopy(add(m, POINT_Z), add(proof_, 192), 64)
                mstore(add(m, ALPHA), mod(keccak256(m, 128), R))
                calldatacopy(add(m, POINTS_T), add(proof_, 256), 192)
                mstore(add(m, XI), mod(keccak256(add(m, ALPHA), 224), R))
                calldatacopy(add(m, EVALUATIONS), add(proof_, 576), 192)
                mstore(add(m, V), mod(keccak256(add(m, XI), 224), R))
                calldatacopy(at, add(proof_, 448), 128)
                mstore(add(m, U), mod(keccak256(at, 128), R))
            }

{{scalars}}

            // The terms of F of the selectors.
            function addSelectors(m, sum) -> ok {
                let a := mload(add(m, EVAL_A))
                let b := mload(add(m, EVAL_B))
                mstore(sum, QC_X)
                mstore(add(sum, 32), QC_Y)
                ok := 1
{{selectors}}
            }

            // The terms of F and of -E with powers of v.
            function addOpened(m, sum, proof_) -> ok, minusE {
                let v := mload(add(m, V))
                let factor := v
                let e := mulmod(factor, mload(add(m, EVAL_A)), R)
                ok := addMultipleOf(sum, proof_, factor, 1)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_B)), R), R)
                ok := addMultipleOf(sum, add(proof_, 64), factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_C)), R), R)
                ok := addMultipleOf(sum, add(proof_, 128), factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S1)), R), R)
                ok := addMultiple(sum, S1_X, S1_Y, factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S2)), R), R)
                ok := addMultiple(sum, S2_X, S2_Y, factor, ok)
                minusE := sub(R, e)
            }

            // The terms with Z, S3, T1, T2 and T3, and -E * G1 once its terms are complete.
            function addOthers(m, sum, proof_, minusE) -> ok {
                {
                    let sigmas := minusSigmas(m)
                    ok := addMultiple(sum, S3_X, S3_Y, mulmod(sigmas, mload(add(m, BETA)), R), 1)
                    let u := mload(add(m, U))
                    ok := addMultipleOf(sum, add(proof_, 192), addmod(factorOfZ(m), u, R), ok)

                    let c := addmod(mload(add(m, EVAL_C)), mload(add(m, GAMMA)), R)
                    minusE := addmod(minusE, mulmod(sigmas, c, R), R)
                    minusE := addmod(minusE, mulmod(u, sub(R, mload(add(m, EVAL_ZW))), R), R)
                    minusE := addmod(minusE, sub(R, mload(add(m, FIRST))), R)
                    minusE := addmod(minusE, mload(add(m, PI)), R)
                    ok := addMultiple(sum, 1, 2, minusE, ok)
                }
                let power := mload(add(m, XI_N))
                let factor := sub(R, mload(add(m, VANISHING)))
                ok := addMultipleOf(sum, add(proof_, 256), factor, ok)
                factor := mulmod(factor, power, R)
                ok := addMultipleOf(sum, add(proof_, 320), factor, ok)
                factor := mulmod(factor, power, R)
                ok := addMultipleOf(sum, add(proof_, 384), factor, ok)
            }

            // The terms with Wxi and Wxiw on both sides, and whether the pairings are equal.
            function pairingHolds(m, proof_) -> ok {
                let right := add(m, SCRATCH)
                let left := add(right, 192)
                {
                    let xi := mload(add(m, XI))
                    let u := mload(add(m, U))
                    ok := addMultipleOf(right, add(proof_, 448), xi, 1)
                    ok := addMultipleOf(right, add(proof_, 512), mulmod(mulmod(xi, W, R), u, R), ok)
                    calldatacopy(left, add(proof_, 448), 64)
                    ok := addMultipleOf(left, add(proof_, 512), u, ok)
                }
                // Two pairs of 192 bytes each: e(right, -G2) * e(left, X_2) = 1.
{{minus_g2}}
{{x_2}}
                if ok {
                    ok := staticcall(gas(), 8, right, 384, right, 32)
                    // Where there is no such precompile, the call succeeds and returns nothing.
                    ok := and(ok, eq(returndatasize(), 32))
                    ok := and(ok, eq(mload(right), 1))
                }
            }

            let m := mload(64)
            accepted := 1
            for { let at := add(proof, 576) } lt(at, add(proof, 768)) { at := add(at, 32) } {
                accepted := and(accepted, lt(calldataload(at), R))
            }
{{values_check}}
            if accepted {
                challenges(m, proof, {{values_offset}})
                accepted := vanish(m)
            }
            if accepted { accepted := lagrange(m, {{values_offset}}) }
            if accepted {
                let sum := add(m, SCRATCH)
                accepted := addSelectors(m, sum)
                let minusE
                if accepted { accepted, minusE := addOpened(m, sum, proof) }
                if accepted { accepted := addOthers(m, sum, proof, minusE) }
            }
            if accepted { accepted := pairingHolds(m, proof) }
        }
    }
}
