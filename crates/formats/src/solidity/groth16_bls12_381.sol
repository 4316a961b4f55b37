// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Groth16 proofs on BLS12-381 for one circuit
/// @notice A proof (a, b, c) is accepted for public values x[0], x[1], ... when
///   e(a, b) * e(-alpha, beta) * e(sum, -gamma) * e(c, -delta) = 1,  where sum = IC0 + x[0] * IC1 + x[1] * IC2 + ...
/// The precompiles of EIP-2537 compute sums, multiples and pairings; a chain without them accepts no proof. The pairing
/// refuses coordinates that are not below q, points off their curves, and points outside of the subgroups of order r.
contract Groth16Verifier {
    // Order of the groups.
    uint256 constant R = {{r}};

    // The verification key. A coordinate is HIGH * 2^256 + LOW. Of an element of Fq2, the coefficient 1 is that of u.
{{constants}}

    /// @notice Whether the proof is right for the public values. Points are encoded as in EIP-2537: (x, y) with two words for
    ///   a coordinate, the higher one first, and of an element of Fq2 the coefficient of u last. Numbers that are not reduced
    ///   and points that are not in their groups give false.
    function verifyProof(
        uint256[4] calldata a,
        uint256[8] calldata b,
        uint256[4] calldata c,
        {{values}} calldata publicValues
    ) public view returns (bool accepted) {
        assembly ("memory-safe") {
            // Writes a point and its factor for the precompile of multiples. False for a factor that is not below r.
            function term(at, xHigh, xLow, yHigh, yLow, factor) -> ok {
                mstore(at, xHigh)
                mstore(add(at, 32), xLow)
                mstore(add(at, 64), yHigh)
                mstore(add(at, 96), yLow)
                mstore(add(at, 128), factor)
                ok := lt(factor, R)
            }

            // The input of the pairing is four pairs of 384 bytes each: a point of 128 bytes, then one of 256.
            let pairs := mload(64)
            let ok := 1
{{sum}}
            if ok {
{{minus_gamma}}

                calldatacopy(add(pairs, 384), a, 128)
                calldatacopy(add(pairs, 512), b, 256)

{{minus_alpha}}
{{beta}}

                calldatacopy(add(pairs, 1152), c, 128)
{{minus_delta}}

                ok := staticcall(gas(), 15, pairs, 1536, pairs, 32)
                // Where there is no such precompile, the call succeeds and returns nothing.
                ok := and(ok, eq(returndatasize(), 32))
                accepted := and(ok, eq(mload(pairs), 1))
            }
        }
    }
}
